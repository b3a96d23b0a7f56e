"""Arrays that are kept in a folder, one file each, and mapped into memory when read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def save(folder: Path, arrays: Mapping[str, Array]) -> None:
    """Writes each array to `folder`, which exists."""
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array, allow_pickle=False)


def load(folder: Path) -> dict[str, Array]:
    """All arrays of `folder`, mapped and read-only. Raises OSError or ValueError where one is
    damaged."""
    return {path.stem: mapped(path) for path in sorted(folder.glob("*.npy"))}


def mapped(path: Path) -> Array:
    """One array, mapped. As a plain one: slices of numpy's own memmap type cost ten times more."""
    held = np.load(path, mmap_mode="r", allow_pickle=False)
    return np.asarray(held).view(np.ndarray)
