"""The servers and makers of other rooms' tests on the path."""

from __future__ import annotations

import sys
from pathlib import Path

for room in ("evidence/sources", "evidence/pages"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / room))
