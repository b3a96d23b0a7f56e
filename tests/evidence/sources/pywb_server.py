"""A real pywb server on loopback, over WARC files that tests write.

pywb (GPL) is no dependency of ours, and its own ones clash with ours; it lives in an environment of
its own and is used by its command line. The variable PYWB names that environment's folder; without
it `wayback` is looked for on the PATH.
"""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

COLLECTION: Final = "web"
_STARTS: Final = 4
"""Another process may take the port that was free."""
_PATIENCE: Final = 60.0
"""Seconds until the server must answer; a busy machine takes a while."""


def tool(name: str) -> str | None:
    """The path of one of pywb's commands, `wayback` or `wb-manager`; None where it is not here."""
    folder = os.environ.get("PYWB")
    if folder:
        path = Path(folder) / "bin" / name
        return str(path) if path.is_file() else None
    return shutil.which(name)


def missing() -> str | None:
    """Why no server can be started here, or None."""
    if tool("wayback") and tool("wb-manager"):
        return None
    return "pywb is not here: install it in an environment of its own and set PYWB to its folder"


@dataclass(frozen=True)
class Stored:
    """One capture for a WARC file."""

    url: str
    date: str
    """ISO 8601, UTC, ending in Z."""
    body: bytes | str = b""
    status: str = "200 OK"
    headers: Sequence[tuple[str, str]] = (("Content-Type", "text/html; charset=utf-8"),)
    repeats: str | None = None
    """The date of an earlier capture of `url` with this same body: a revisit record."""


def write_warc(path: Path, captures: Iterable[Stored]) -> None:
    """Write captures as a gzipped WARC file."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for capture in captures:
            writer.write_record(_record(writer, capture))


def _record(writer: WARCWriter, capture: Stored) -> ArcWarcRecord:
    body = capture.body.encode() if isinstance(capture.body, str) else capture.body
    http = StatusAndHeaders(capture.status, list(capture.headers), protocol="HTTP/1.1")
    dated = {"WARC-Date": capture.date}
    whole = writer.create_warc_record(
        capture.url, "response", payload=BytesIO(body), http_headers=http, warc_headers_dict=dated
    )
    if capture.repeats is None:
        return whole
    writer.ensure_digest(whole, block=False, payload=True)
    return writer.create_revisit_record(
        capture.url,
        whole.rec_headers.get_header("WARC-Payload-Digest"),
        capture.url,
        capture.repeats,
        http_headers=http,
        warc_headers_dict=dated,
    )


@dataclass(frozen=True)
class Pywb:
    """A running server."""

    port: int
    folder: Path

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """What an `Archive` is given."""
        return f"http://{self.place}/{COLLECTION}/"


@contextmanager
def serving(folder: Path, *warcs: Path, indexed: Sequence[Path] = ()) -> Iterator[Pywb]:
    """A server over WARC files; `folder` is its own.

    `indexed` are files that its index holds but that are gone when somebody wants to read them.
    Raises RuntimeError where it does not start.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _manage(folder, "init", COLLECTION)
    _manage(folder, "add", COLLECTION, *(str(p.resolve()) for p in (*warcs, *indexed)))
    for gone in indexed:
        (folder / "collections" / COLLECTION / "archive" / gone.name).unlink()
    with (folder / "log").open("wb") as log:
        process, port = _start(folder, log.fileno())
    try:
        yield Pywb(port, folder)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _manage(folder: Path, *arguments: str) -> None:
    manager = tool("wb-manager")
    assert manager is not None, missing()
    done = subprocess.run(
        [manager, *arguments], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode:
        said = (done.stdout + done.stderr)[-500:]
        raise RuntimeError(f"wb-manager {' '.join(arguments[:2])}: {said}")


def _start(folder: Path, log: int) -> tuple[subprocess.Popen[bytes], int]:
    wayback = tool("wayback")
    assert wayback is not None, missing()
    for _ in range(_STARTS):
        port = _free_port()
        process = subprocess.Popen(
            [wayback, "-b", "127.0.0.1", "-p", str(port)],
            cwd=folder,
            # Its parts speak to each other over HTTP, which is no business of a proxy.
            env={**os.environ, "NO_PROXY": "*", "no_proxy": "*"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        until = time.monotonic() + _PATIENCE
        while process.poll() is None and time.monotonic() < until:
            if _answers(port):
                return process, port
            time.sleep(0.05)
        process.kill()
        process.wait()
    raise RuntimeError(f"pywb does not start: {(folder / 'log').read_text()[-1000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", f"/{COLLECTION}/cdx?url=example.org")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
