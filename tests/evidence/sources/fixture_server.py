"""The services on loopback: recorded answers under their own paths, and an arXiv of our own making
that knows every version of its papers."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit
from xml.sax.saxutils import escape

import orjson
from aiohttp import web

from ideatrail.evidence.dates import parse_date

_SHAPING = (
    "query",
    "query.title",
    "search",
    "search_query",
    "id_list",
    "start",
    "offset",
    "filter",
)
"""Parameters by which a recorded answer is found; fields and sizes of pages do not matter."""

Answer = tuple[int, str, bytes]
"""Status, content type, body."""


@dataclass(frozen=True)
class Version:
    """One version of a paper at our arXiv."""

    date: str
    """RFC 2822, as arXiv dates versions."""
    title: str
    summary: str
    authors: tuple[str, ...] = ("Ada Example",)
    comment: str = ""
    doi: str = ""

    @property
    def stamp(self) -> str:
        found = parse_date(self.date)
        assert found is not None
        return found.latest.strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass
class Services:
    """What the server holds, and what it was asked."""

    recorded: dict[tuple[str, tuple[tuple[str, str], ...]], Answer] = field(default_factory=dict)
    papers: dict[str, list[Version]] = field(default_factory=dict)
    texts: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    """`pdf/1234.56789v2` → content type and body."""
    moved: dict[str, str] = field(default_factory=dict)
    """Path → where it redirects to."""
    plain: dict[str, Answer] = field(default_factory=dict)
    """Path → an answer of our own making."""
    once: list[Answer] = field(default_factory=list)
    """Answers given first, whatever is asked."""
    made: Callable[[web.Request], object] | None = None
    """Gives JSON or a status for a request, or None."""
    empty_after: int | None = None
    """Start from which our arXiv's pages are empty, as its API is known to give at times."""
    unversioned: bool = False
    """Whether our arXiv gives the newest version whatever number is asked for."""
    fault: str = ""
    """A status for every request whose path holds `fault_at`."""
    fault_at: str = "/"
    asked: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    url: str = ""

    @property
    def place(self) -> str:
        return self.url.removeprefix("http://")

    def load(self, fixtures: Path) -> None:
        """Take in all recorded answers that have an address."""
        for line in (fixtures / "index.jsonl").read_bytes().splitlines():
            about = orjson.loads(line)
            if about.get("url"):
                body = (fixtures.parent / about["file"]).read_bytes()
                kind = about.get("content_type") or "application/octet-stream"
                self.recorded.setdefault(_key(about["url"]), (int(about["status"]), kind, body))


def _key(url: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    parts = urlsplit(url)
    query = [(k, _said(k, v)) for k, v in parse_qsl(parts.query) if k in _SHAPING and v != "0"]
    return unquote(parts.path), tuple(sorted(query))


def _said(name: str, value: str) -> str:
    """A value as it was recorded: arXiv's queries without our fields, quotes and date range."""
    if name != "search_query":
        return value
    value = re.sub(r"\s*AND submittedDate:\[[^\]]*\]", "", value)
    return " ".join(re.sub(r'all:|ti:|[()"]', "", value).split())


def entry(identifier: str, versions: Sequence[Version], number: int) -> str:
    """An Atom entry of the version of this number."""
    version = versions[number - 1]
    authors = "".join(f"<author><name>{escape(a)}</name></author>" for a in version.authors)
    comment = f"<arxiv:comment>{escape(version.comment)}</arxiv:comment>" if version.comment else ""
    doi = f"<arxiv:doi>{escape(version.doi)}</arxiv:doi>" if version.doi else ""
    return (
        f"<entry><id>http://arxiv.org/abs/{identifier}v{number}</id>"
        f"<updated>{version.stamp}</updated><published>{versions[0].stamp}</published>"
        f"<title>{escape(version.title)}</title><summary>{escape(version.summary)}</summary>"
        f"{authors}{comment}{doi}"
        f'<link href="http://arxiv.org/abs/{identifier}v{number}" rel="alternate"/>'
        f'<link title="pdf" href="http://arxiv.org/pdf/{identifier}v{number}" rel="related" '
        'type="application/pdf"/>'
        '<arxiv:primary_category term="cs.CL" scheme="http://arxiv.org/schemas/atom"/>'
        '<category term="cs.CL" scheme="http://arxiv.org/schemas/atom"/></entry>'
    )


def feed(entries: Sequence[str], total: int, start: int) -> bytes:
    """An Atom feed."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom" '
        'xmlns:arxiv="http://arxiv.org/schemas/atom" '
        'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"><title>t</title><id>x</id>'
        f"<updated>2026-01-01T00:00:00Z</updated>"
        f"<opensearch:totalResults>{total}</opensearch:totalResults>"
        f"<opensearch:startIndex>{start}</opensearch:startIndex>"
        f"<opensearch:itemsPerPage>{len(entries)}</opensearch:itemsPerPage>"
        f"{''.join(entries)}</feed>"
    ).encode()


def raw(identifier: str, versions: Sequence[Version]) -> bytes:
    """An OAI answer in the format arXivRaw."""
    held = "".join(
        f'<version version="v{n}"><date>{v.date}</date><size>9kb</size></version>'
        for n, v in enumerate(versions, start=1)
    )
    return (
        '<?xml version="1.0"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><GetRecord>'
        '<record><metadata><arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/">'
        f"<id>{identifier}</id>{held}</arXivRaw></metadata></record></GetRecord></OAI-PMH>"
    ).encode()


@asynccontextmanager
async def serving(services: Services) -> AsyncIterator[Services]:
    """Serve until the block ends."""

    async def handle(request: web.Request) -> web.Response:
        services.asked.append(request.raw_path)
        services.headers.append({k.lower(): v for k, v in request.headers.items()})
        if services.once:
            return _plain(services.once.pop(0))
        path = request.path
        if services.made is not None and (found := services.made(request)) is not None:
            if isinstance(found, int):
                return web.Response(status=found)
            return web.Response(body=orjson.dumps(found), content_type="application/json")
        if services.fault and services.fault_at in path:
            return web.Response(status=int(services.fault), text="busy")
        if path in services.moved:
            return web.Response(status=302, headers={"location": services.moved[path]})
        if path in services.plain:
            return _plain(services.plain[path])
        if services.papers and path == "/api/query":
            return web.Response(body=_atom(services, request), content_type="application/atom+xml")
        if services.papers and path == "/oai":
            identifier = request.query["identifier"].removeprefix("oai:arXiv.org:")
            versions = services.papers.get(identifier)
            if versions is None:
                return web.Response(status=404, text="idDoesNotExist")
            return web.Response(body=raw(identifier, versions), content_type="text/xml")
        if (held := services.texts.get(path.lstrip("/"))) is not None:
            return web.Response(body=held[1], content_type=held[0])
        answer = services.recorded.get(_key(str(request.rel_url.human_repr())))
        answer = answer or services.recorded.get(_key(request.raw_path))
        if answer is None and path == "/api/query":
            return web.Response(body=feed([], 0, 0), content_type="application/atom+xml")
        return web.Response(status=404, text="not recorded") if answer is None else _plain(answer)

    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        services.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield services
    finally:
        await runner.cleanup()


def _plain(answer: Answer) -> web.Response:
    status, kind, body = answer
    return web.Response(status=status, body=body, content_type=kind.partition(";")[0])


def _atom(services: Services, request: web.Request) -> bytes:
    start, most = int(request.query.get("start", 0)), int(request.query.get("max_results", 10))
    wanted = request.query.get("id_list", "")
    entries: list[str] = []
    if wanted:
        for name in wanted.split(","):
            identifier, label = re.fullmatch(r"(.+?)(?:v(\d+))?", name).groups()  # type: ignore[union-attr]
            versions = services.papers.get(identifier)
            number = int(label) if label and not services.unversioned else len(versions or ())
            if versions and 1 <= number <= len(versions):
                entries.append(entry(identifier, versions, number))
        return feed(entries, len(entries), 0)
    names = list(services.papers)
    if services.empty_after is not None and start >= services.empty_after:
        return feed([], len(names), start)
    upto = min(start + most, len(names) if services.empty_after is None else services.empty_after)
    page = names[start:upto]
    entries = [entry(n, services.papers[n], len(services.papers[n])) for n in page]
    return feed(entries, len(names), start)
