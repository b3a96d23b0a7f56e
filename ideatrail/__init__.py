"""IdeaTrail: research trails written forward in time from finished proposals."""

__version__ = "0.1.0"
