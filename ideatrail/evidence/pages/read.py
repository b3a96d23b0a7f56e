"""The way into this room: one page, read off the loop and within caps."""

from __future__ import annotations

import asyncio
from typing import Final

from ideatrail.evidence.pages.page import PageText
from ideatrail.evidence.pages.process import Job, shared
from ideatrail.evidence.pages.sniff import sniff
from ideatrail.evidence.source import MESSAGES, EvidenceError

MAX_BYTES: Final = 64 * 2**20


async def read_page(body: bytes, content_type: str | None, url: str) -> PageText:
    """The text of a page.

    What it is shows in its bytes first and in `content_type` (the header, or None) second. It is
    parsed in a worker process that is killed if it takes more than half a minute or 1 GB.

    Args:
        body: unpacked.
        content_type: the header as it came.
        url: where it was found; relative links are seen from there.

    Raises:
        EvidenceError: `partial` where nothing or only the beginning came; `refused` for what holds
            no text for readers (images, archives, programs, data; encrypted or broken for good;
            a page drawn by scripts alone) or takes more than the caps allow.
    """
    if len(body) > MAX_BYTES:
        raise EvidenceError("refused", detail=f"{len(body)} bytes from {url}")
    sniff(body, content_type, url)  # most of what is no page ends here, without a process
    workers, job = shared(), Job()
    loop = asyncio.get_running_loop()
    try:
        answer = await loop.run_in_executor(
            workers.executor, workers.read, job, body, content_type, url
        )
    except asyncio.CancelledError:
        job.cancel()
        raise
    if "page" in answer:
        try:
            return PageText.from_row(answer["page"])
        except (KeyError, TypeError, ValueError) as error:
            raise EvidenceError(
                "refused", detail=f"the parser answered nonsense: {error}"
            ) from error
    ending = answer.get("ending")
    raise EvidenceError(
        ending if ending in MESSAGES else "refused", detail=answer.get("detail", "")
    )
