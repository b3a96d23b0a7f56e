"""Kept exchanges as a WARC file, which any web archive can play."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from ideatrail import __version__
from ideatrail.evidence.web.exchanges import Exchange, Exchanges

_NAMESPACE: Final = uuid.UUID("6f2d5c1e-2f0b-5f5e-9d0a-0c6a4b1d7e21")
"""Of record ids: any fixed number will do."""


@dataclass(frozen=True, slots=True)
class _Visit:
    url: str
    status: int
    headers: Sequence[tuple[str, str]]
    body: bytes


def export(folder: Path, out: Path) -> int:
    """Write the answers of an exchanges folder to `out` as gzipped WARC/1.1.

    Each answer and each redirect on its way is a `response` record with its `request`; requests
    that got no answer are left out. Bodies are unpacked and headers of packing and framing are
    not there, so Content-Length is made. Equal folders give equal bytes. Returns the number of
    responses. Raises OSError.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    fresh = out.with_name(f".{out.name}.{uuid.uuid4().hex}")
    try:
        with fresh.open("wb") as file:
            written = _write(WARCWriter(file, gzip=True, warc_version="WARC/1.1"), folder)
        fresh.replace(out)
    finally:
        fresh.unlink(missing_ok=True)
    return written


def _write(writer: WARCWriter, folder: Path) -> int:
    exchanges = Exchanges(folder, "replay")
    answers = 0
    times = min((e.fetched for e, _ in exchanges), default="1970-01-01T00:00:00Z")
    info = {"software": f"IdeaTrail/{__version__}", "format": "WARC File Format 1.1"}
    record = writer.create_warcinfo_record(None, info)
    _stamp(record, _identity("warcinfo", __version__, times), times)
    writer.write_record(record)
    seen: dict[str, int] = {}
    for exchange, body in exchanges:
        if exchange.ending is not None:
            continue
        for visit in _visits(exchange, body):
            base = _identity(
                exchange.key, exchange.fetched, visit.url, str(visit.status), repr(visit.headers),
                hashlib.sha256(visit.body).hexdigest(),
            )  # fmt: skip
            # The same visit twice, in a loop of redirects or asked twice in one microsecond.
            seen[base] = seen.get(base, 0) + 1
            identity = _identity(base, str(seen[base]))
            response = _response(writer, visit)
            _stamp(response, identity, exchange.fetched)
            request = _request(writer, visit.url, exchange)
            _stamp(request, _identity(identity, "request"), exchange.fetched)
            request.rec_headers.replace_header("WARC-Concurrent-To", f"<urn:uuid:{identity}>")
            writer.write_record(response)
            writer.write_record(request)
            answers += 1
    return answers


def _visits(exchange: Exchange, body: bytes) -> Iterator[_Visit]:
    for hop in exchange.hops:
        yield _Visit(hop.url, hop.status, hop.headers, b"")
    yield _Visit(exchange.final, exchange.status, exchange.headers, body)


def _response(writer: WARCWriter, visit: _Visit) -> ArcWarcRecord:
    headers = [(name, _one_line(value)) for name, value in visit.headers]
    headers.append(("Content-Length", str(len(visit.body))))
    http = StatusAndHeaders(f"{visit.status} -", headers, protocol="HTTP/1.1")
    return writer.create_warc_record(
        visit.url, "response", payload=BytesIO(visit.body), http_headers=http
    )


def _request(writer: WARCWriter, url: str, exchange: Exchange) -> ArcWarcRecord:
    parts = urlsplit(url)
    path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    headers = [("Host", parts.netloc), *exchange.sent.items()]
    http = StatusAndHeaders(f"GET {path} HTTP/1.1", headers, is_http_request=True)
    return writer.create_warc_record(url, "request", http_headers=http)


def _stamp(record: ArcWarcRecord, identity: str, fetched: str) -> None:
    record.rec_headers.replace_header("WARC-Record-ID", f"<urn:uuid:{identity}>")
    record.rec_headers.replace_header("WARC-Date", fetched)


def _identity(*parts: str) -> str:
    return str(uuid.uuid5(_NAMESPACE, "\n".join(parts)))


def _one_line(value: str) -> str:
    return " ".join(value.splitlines())
