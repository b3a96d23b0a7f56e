"""A run's evidence as a WARC that others can read."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.web.exchanges import Exchanges
from ideatrail.evidence.web.warc import export

if TYPE_CHECKING:
    from conftest import Servers, Talk

PACKED = gzip.compress(b"<p>caf\xc3\xa9</p>" * 100)


async def script(talk: Talk) -> None:
    match talk.path:
        case "/packed":
            await talk.answer(200, PACKED, "Content-Encoding: gzip", "Content-Type: text/html")
        case "/moved":
            await talk.answer(301, b"x", "Location: /again?q=1", "X-Odd: \xe9")
        case "/again?q=1":
            await talk.answer(302, b"x", "Location: /packed")
        case "/binary":
            await talk.answer(200, bytes(range(256)))
        case "/failing":
            await talk.answer(403)
        case _:
            await talk.answer(404, b"none")


async def recorded(servers: Servers, folder: Path) -> str:
    server = await servers.start(script)
    client = servers.client(exchanges=Exchanges(folder, "record"))
    for path in ("packed", "moved", "binary", "none", "none", "failing"):
        try:
            await client.get(f"{server.url}/{path}", headers={"Accept": "text/x"})
        except EvidenceError:
            assert path == "failing"
    return server.url


async def test_warc_holds_every_answer_and_hop(servers: Servers, tmp_path: Path) -> None:
    url = await recorded(servers, tmp_path / "run")
    out = tmp_path / "out" / "evidence.warc.gz"
    assert export(tmp_path / "run", out) == 7
    seen: list[tuple[str, str, bytes]] = []
    pairs: dict[str, list[str]] = {}
    with out.open("rb") as file:
        records = ArchiveIterator(file, check_digests="raise")
        for record in records:
            assert record.rec_headers.protocol == "WARC/1.1"
            body = record.content_stream().read()
            if record.rec_type == "warcinfo":
                continue
            headers, http = record.rec_headers, record.http_headers
            assert headers.get_header("WARC-Payload-Digest")
            identity = headers.get_header("WARC-Record-ID")
            if record.rec_type == "response":
                status = http.get_statuscode()
                seen.append((headers.get_header("WARC-Target-URI"), status, body))
                assert http.get_header("Content-Length") == str(len(body))
                pairs.setdefault(identity, []).append("response")
            else:
                assert record.rec_type == "request"
                assert http.get_header("Accept") == "text/x"
                assert http.protocol == "GET"
                pairs.setdefault(headers.get_header("WARC-Concurrent-To"), []).append("request")
    assert all(kinds == ["response", "request"] for kinds in pairs.values())
    page = gzip.decompress(PACKED)
    assert sorted(seen) == sorted(
        [
            (f"{url}/packed", "200", page),
            (f"{url}/moved", "301", b""),
            (f"{url}/again?q=1", "302", b""),
            (f"{url}/packed", "200", page),
            (f"{url}/binary", "200", bytes(range(256))),
            (f"{url}/none", "404", b"none"),
            (f"{url}/none", "404", b"none"),
        ]
    )


async def test_warc_passes_warcio_s_own_check(servers: Servers, tmp_path: Path) -> None:
    await recorded(servers, tmp_path / "run")
    out = tmp_path / "evidence.warc.gz"
    export(tmp_path / "run", out)

    class Arguments:
        verbose = False
        inputs = (str(out),)

    checker = Checker(Arguments())
    checker.process_all()
    assert checker.exit_value == 0


async def test_equal_folders_give_equal_bytes(servers: Servers, tmp_path: Path) -> None:
    await recorded(servers, tmp_path / "run")
    outs = [tmp_path / name for name in ("one.warc.gz", "two.warc.gz")]
    for out in outs:
        export(tmp_path / "run", out)
    assert outs[0].read_bytes() == outs[1].read_bytes()


def test_empty_folder_gives_a_warc_without_answers(tmp_path: Path) -> None:
    assert export(tmp_path / "none", tmp_path / "out.warc.gz") == 0
    with (tmp_path / "out.warc.gz").open("rb") as file:
        assert [record.rec_type for record in ArchiveIterator(file)] == ["warcinfo"]
