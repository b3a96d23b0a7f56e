"""Finds the root folders: role cards, tools, prompts, schemas, data.

In an installed wheel they lie under `ideatrail/_resources`; in a checkout at its root.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

FOLDERS: Final[tuple[str, ...]] = ("agents", "tools", "prompts", "schemas", "data")


@cache
def root() -> Path:
    """The folder that holds FOLDERS. Raises FileNotFoundError where there is none."""
    package = Path(str(files("ideatrail")))
    installed = package / "_resources"
    if installed.is_dir():
        return installed
    checkout = package.parent
    missing = [name for name in FOLDERS if not (checkout / name).is_dir()]
    if missing:
        raise FileNotFoundError(
            f"ideatrail is installed without its folders {', '.join(missing)}: "
            "install it again from a wheel, or run it from a whole checkout"
        )
    return checkout


def folder(name: str) -> Path:
    """One of FOLDERS."""
    return root() / name
