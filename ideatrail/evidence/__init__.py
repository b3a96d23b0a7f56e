"""Papers and pages as they stood on a date."""
