"""The server of `fixture_server`, under the name by which other tests know it."""

from __future__ import annotations

from fixture_server import Services, Version, serving

__all__ = ["Services", "Version", "serving"]
