"""Paths as calls give them: relative, plain, and written one way only."""

from __future__ import annotations

import re
from typing import Final

from ideatrail.toolkit.outcome import RefusedError

ROOT: Final = "."
"""The workspace's own folder, as calls name it."""

NAME_BYTES: Final = 255
"""The longest name that common file systems hold."""

PATH_BYTES: Final = 1_024
"""Well under the limit of every common system, the workspace's own path included."""

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


def normal(path: str) -> str:
    """`path` with `.` parts and doubled slashes removed; ROOT for the workspace itself.

    Everything that could mean a place outside, or mean another thing on another system, is
    refused and never repaired: absolute paths, `..`, `~`, backslashes, colons (drives, streams,
    and the separators of Grep's output), control characters, and names that Windows alters.
    Raises RefusedError.
    """
    if not path:
        raise RefusedError("the path is empty.")
    if _CONTROL.search(path):
        raise RefusedError("the path holds a control character.")
    try:
        size = len(path.encode())
    except UnicodeEncodeError:
        raise RefusedError("the path holds a character that no file name can hold.") from None
    if size > PATH_BYTES:
        raise RefusedError(f"the path is longer than {PATH_BYTES} bytes.")
    if path.startswith(("/", "~")):
        raise RefusedError(f"{path} is not relative. Paths start from the workspace's root.")
    if "\\" in path or ":" in path:
        raise RefusedError(f"{path} holds a backslash or a colon. Separate folders with '/'.")

    parts = [part for part in path.split("/") if part not in ("", ".")]
    for part in parts:
        if part == "..":
            raise RefusedError(f"{path} leaves the workspace: '..' is not allowed.")
        if part.endswith((".", " ")):
            raise RefusedError(f"{path} has a name that ends in a dot or a space.")
        if len(part.encode()) > NAME_BYTES:
            raise RefusedError(f"the path has a name longer than {NAME_BYTES} bytes.")
    return "/".join(parts) or ROOT


def hidden(name: str) -> bool:
    """True for a name that listings leave out."""
    return name.startswith(".")
