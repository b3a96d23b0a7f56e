"""PDFium as if it had just been started."""

from __future__ import annotations

import ctypes
from typing import Final

import pypdfium2.raw as pdfium

_VERSION: Final = 2
"""Of the configuration's form."""
_NO_FONTS: Final = (ctypes.POINTER(ctypes.c_char) * 1)()
"""A list of folders that ends where it begins."""


def start_afresh() -> None:
    """Forgets all that earlier documents left behind; takes some microseconds.

    PDFium keeps the fonts that it put in the place of missing ones, and sets text by them: what a
    broken file says would depend on which files were read before it. The fonts of the machine are
    left alone for the same reason; PDFium has its own.

    No document may be open in this process.
    """
    pdfium.FPDF_DestroyLibrary()
    folders = ctypes.cast(_NO_FONTS, ctypes.POINTER(ctypes.POINTER(ctypes.c_char)))
    config = pdfium.FPDF_LIBRARY_CONFIG(version=_VERSION, m_pUserFontPaths=folders)
    pdfium.FPDF_InitLibraryWithConfig(ctypes.byref(config))
