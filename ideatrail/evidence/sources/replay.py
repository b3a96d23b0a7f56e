"""Plays single captures of a web archive, as they were stored.

What is played must say itself when it was captured (Memento-Datetime, RFC 7089): servers give
another capture under the address of the one that was asked for where that cannot be read. There is
no way from here to the live web.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urljoin, urlsplit

from ideatrail.evidence.dates import Cutoff, parse_date
from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.sources.cdx import Capture, last_second
from ideatrail.evidence.urls import canonical
from ideatrail.evidence.web.client import Client
from ideatrail.evidence.web.response import Caps, Response
from ideatrail.evidence.web.unpack import TooMuchError, UnknownCodingError, Unpacker, UnpackError

_HOPS: Final = 5
"""Redirects within the archive."""
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_ORIGINAL: Final = re.compile(r"<([^<>]*)>\s*;\s*rel=\"?original\b", re.IGNORECASE)
_PACKED: Final = re.compile(rb"[\x00-\x08\x0e-\x1a]")
"""What no text begins with."""


@dataclass(frozen=True, slots=True)
class Played:
    """A capture as the archive played it."""

    body: bytes
    content_type: str | None
    """As the page's server gave it."""
    moment: datetime
    """The latest moment of capture that the archive states; aware, UTC."""
    passed: tuple[str, ...]
    """The addresses captured on the way, the page's own last."""


class Replay:
    """Raw replay of an archive: `<url><timestamp>id_/<original>`."""

    def __init__(self, client: Client, url: str, caps: Caps) -> None:
        """`url` is what stands before timestamps in addresses of captures; `caps` bound one."""
        self._client = client
        self._url = url
        self._caps = caps
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else "(?::80|:443)?"
        self._memento = re.compile(
            rf"https?://{re.escape(parts.hostname or '')}{port}{re.escape(parts.path)}"
            r"(\d{4,17})(?:[a-z]{2}_)?/(.+)",
            re.IGNORECASE,
        )

    async def play(self, capture: Capture, cutoff: Cutoff) -> Played | None:
        """The capture, as it was stored; None where it is no page or not one up to the cutoff.

        Redirects are followed by hand: raw replay gives Location as the page had it, and that is
        an address of the live web. Raises EvidenceError.
        """
        stamp, original = capture.stamp, capture.original
        passed: list[str] = []
        for _ in range(_HOPS + 1):
            passed.append(original)
            address = f"{self._url}{stamp}id_/{original}"
            response = await self._client.get(address, caps=self._caps, follow=False)
            stated = self._stated(response)
            if stated is not None and stated > cutoff.moment:
                return None
            if any(canonical(given) != canonical(original) for given in self._given(response)):
                return None
            location = response.header("location")
            if response.status in _REDIRECTS and location:
                led = self._led(response, location, address, (stamp, original))
                if led is None or led == (stamp, original):
                    return None
                if last_second(led[0]) > cutoff.moment:
                    return None
                stamp, original = led
                continue
            if response.status != 200:
                return None
            if stated is None:
                # Only the archive can tell which capture this is: the timestamp asked for proves
                # nothing.
                raise EvidenceError("refused", detail=f"no Memento-Datetime for {address}")
            if len(passed) == 1 and not f"{stated:%Y%m%d%H%M%S}".startswith(stamp):
                return None  # another one in its place; if it is an earlier one, its turn comes
            stored = response.header("content-type")
            if stored is None:
                stored = response.header("x-archive-orig-content-type")
            body = await _unpacked(response, self._caps.max_bytes)
            return Played(body, stored, stated, tuple(passed))
        return None

    def _stated(self, response: Response) -> datetime | None:
        """The latest moment of capture that an answer states; None where it states none.

        There may be several: an archived server can have been an archive itself, and its header
        comes along.
        """
        said = [value for name, value in response.headers if name.lower() == "memento-datetime"]
        moments = [date.latest for value in said if (date := parse_date(value)) is not None]
        if not said or len(moments) < len(said):
            return None
        try:
            moments += [last_second(place[1]) for place in self._places(response)]
        except ValueError:
            return None
        return max(moments)

    def _given(self, response: Response) -> Iterator[str]:
        """The original address of what was played, as far as the archive states it.

        It can be another page's: archives find pages by keys in lower case.
        """
        for name, value in response.headers:
            if name.lower() == "link":
                yield from _ORIGINAL.findall(value)
        for place in self._places(response):
            yield _whole(place[2])

    def _places(self, response: Response) -> Iterator[re.Match[str]]:
        """Where the archive says that the capture is: timestamp and original address."""
        for name, value in response.headers:
            if name.lower() == "content-location" and (place := self._memento.fullmatch(value)):
                yield place

    def _led(
        self, response: Response, location: str, address: str, here: tuple[str, str]
    ) -> tuple[str, str] | None:
        """Timestamp and original address that a redirect leads to within the archive.

        A stored redirect leads where the page had it lead, the archive's own to another capture of
        the same page. None where that leads out of its captures: to a TimeGate, a calendar, the
        live page.
        """
        stamp, original = here
        try:
            inside = self._memento.fullmatch(urljoin(address, location))
            target = urljoin(original, location)
        except ValueError:
            return None
        if inside:
            stamp, target = inside[1][:14], _whole(inside[2])
        stored = response.header("memento-datetime") is not None
        if not stored and (not inside or canonical(target) != canonical(original)):
            return None
        try:
            last_second(stamp)
        except ValueError:
            return None
        return (stamp, target) if target.startswith(("http://", "https://")) else None


def _whole(original: str) -> str:
    """An original address out of a capture's, where servers fold slashes and leave out schemes."""
    target = re.sub(r"^(https?):/+", r"\1://", original)
    return target if "://" in target[:9] else f"http://{target}"


async def _unpacked(response: Response, most: int) -> bytes:
    """The body without a packing that the archive has kept and tells of under another name.

    Some tell of it and have undone it, so what is readable is left as it is. Raises EvidenceError.
    """
    coding = response.header("x-archive-orig-content-encoding")
    body = response.body
    if coding is None or body.startswith(b"%PDF") or not _PACKED.search(body[:512]):
        return body

    def unpack() -> bytes:
        unpacker = Unpacker([coding], most)
        whole = b"".join(unpacker.feed(body))
        unpacker.finish()
        return whole

    try:
        return await asyncio.to_thread(unpack)
    except TooMuchError as error:
        raise EvidenceError("refused", detail=f"a capture of more than {most} bytes") from error
    except (UnpackError, UnknownCodingError):
        return body
