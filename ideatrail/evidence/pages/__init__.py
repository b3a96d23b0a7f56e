"""Reading pages: bytes from anywhere in, paragraphs of plain text out."""

from ideatrail.evidence.pages.page import PageText
from ideatrail.evidence.pages.read import read_page

__all__ = ["PageText", "read_page"]
