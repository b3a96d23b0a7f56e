"""Where evidence comes from besides the index: one file a source."""
