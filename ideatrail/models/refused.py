"""What is refused before the first request is sent."""

from __future__ import annotations


class ModelSettingsError(ValueError):
    """A model cannot be used as it was asked for: one clear line."""
