"""What the independent auditor knows of the written contract: how a record is read."""

from __future__ import annotations

import calendar
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import unquote, urlsplit

STAGES = ["explore", "audit", "synthesize", "ideate", "propose"]
ARTIFACTS = ["claim_audit.md", "synthesis.md", "idea_candidates.md", "research_proposal.md"]
ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class Problem:
    """One broken rule."""

    rule: str
    what: str
    message: int | None = None

    def __str__(self) -> str:
        where = "" if self.message is None else f" (message {self.message})"
        return f"{self.rule}{where}: {self.what}"


@dataclass
class Step:
    """A Write or Edit that was carried out."""

    message: int
    path: str
    before: str | None
    after: str


@dataclass
class Seen:
    """One observation: text the evidence world gave for one source, or for none."""

    message: int
    text: str
    url: str | None = None


@dataclass
class Reading:
    """The record as read once from front to back."""

    record: dict[str, Any]
    problems: list[Problem] = field(default_factory=list)
    pairs: list[tuple[int, dict[str, Any], int, dict[str, Any], str]] = field(default_factory=list)
    """(assistant message, call, tool message, arguments, content) of each answered call."""
    seen: list[Seen] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    """Saved file -> URL."""

    def fault(self, rule: str, what: str, message: int | None = None) -> None:
        """Note a problem."""
        self.problems.append(Problem(rule, what, message))

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The record's messages."""
        messages: list[dict[str, Any]] = self.record["messages"]
        return messages


# ------------------------------------------------------------------ small readers of the contract


def canonical(url: str) -> str:
    """One spelling for one page; arXiv's abs, pdf and html are one."""
    parts = urlsplit(url.strip().rstrip(".,;:"))
    host = parts.netloc.lower().removeprefix("www.").removesuffix(":443").removesuffix(":80")
    path = unquote(parts.path).rstrip("/")
    if host.endswith("arxiv.org"):
        host = "arxiv.org"
        path = re.sub(r"^/(?:abs|pdf|html)/", "/abs/", path).removesuffix(".pdf")
        path = re.sub(r"v\d+$", "", path)
    return f"{host}{path}" + (f"?{parts.query}" if parts.query else "")


def squeeze(text: str) -> str:
    """White space joined, Unicode composed."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def plain(text: str) -> str:
    """Lower-case words without plural s, a blank at both ends: for looking terms up."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = re.findall(r"[^\W_]+", re.sub(r"[\u200b-\u200f\u00ad\ufeff]", "", folded))
    return " " + " ".join(w[:-1] if len(w) > 3 and w.endswith("s") else w for w in words) + " "


def latest(shown: str) -> datetime | None:
    """The last moment that a shown date can mean, or None where it is no date."""
    match = re.search(r"(?<!\d)(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?!\d)", shown)
    if not match:
        return None
    year, month, day = (int(g) if g else None for g in match.groups())
    assert year is not None
    if not 1000 <= year <= 9998 or not 1 <= (month or 1) <= 12:
        return None
    if (month, day) == (1, 1) or month is None:
        month, day = 12, 31
    last = calendar.monthrange(year, month)[1]
    day = last if day is None or day > last else day
    # A day ends at UTC-12.
    return datetime(year, month, day, tzinfo=UTC) + timedelta(days=1, hours=12)


def horizon(cutoff: str) -> datetime:
    """The moment a cutoff stands for: itself, or the end of its day at UTC-12."""
    if "T" in cutoff or " " in cutoff:
        moment = datetime.fromisoformat(cutoff.replace("Z", "+00:00"))
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return datetime.fromisoformat(cutoff).replace(tzinfo=UTC) + timedelta(days=1, hours=12)


def hits(content: str) -> Iterator[dict[str, str]]:
    """The hits of a WebSearch result."""
    for block in re.split(r"(?m)^(?=\d+\. )", content):
        head, *rest = block.rstrip().split("\n")
        if not re.match(r"\d+\. ", head) or len(rest) < 2:
            continue
        lines = [line.strip() for line in rest]
        meta, url = lines[0], lines[1]
        yield {
            "title": head.split(". ", 1)[1],
            "meta": meta,
            "date": meta.rsplit("|", 1)[-1].strip(),
            "url": url,
            "text": block,
        }


def header(content: str) -> dict[str, str]:
    """The header lines of a Scraper result."""
    found: dict[str, str] = {}
    for line in content.split("\n"):
        match = re.match(r"(Title|Authors|Venue|Date|URL|Saved as): ?(.*)$", line)
        if not match:
            break
        found[match[1]] = match[2].strip()
    return found


def viewed(content: str) -> list[str]:
    """Texts of the lines that a View printed."""
    return [m[1] for m in re.finditer(r"(?m)^ *\d+\t(.*)$", content)]


def grepped(content: str) -> Iterator[tuple[str, str]]:
    """(file, line text) of a Grep result."""
    for match in re.finditer(r"(?m)^([^:\n]+):\d+:(.*)$", content):
        yield match[1], match[2]


def strings(value: Any) -> Iterator[str]:
    """Every string inside a decoded JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def claims(text: str) -> list[dict[str, Any]]:
    """Claims of a claim audit: id, and (url, title, year, [verbatim, ...]) of each source."""
    found: list[dict[str, Any]] = []
    for line in text.split("\n"):
        head = re.match(r"## (C\d+)\. (.+)", line)
        source = re.match(r"- source: (.+) \(([^()]*), (\d{4}|n\.d\.)\) (\S+)\s*$", line)
        quote = re.match(r'- (?:quote|note): "(.*)"\s*$', line)
        if head:
            found.append({"id": head[1], "sources": []})
        elif line.startswith("## "):
            found.append({"id": None, "sources": []})
        elif source and found:
            entry: dict[str, Any] = {"title": source[1], "year": source[3]}
            entry |= {"url": source[4], "verbatim": []}
            found[-1]["sources"].append(entry)
        elif quote and found and found[-1]["sources"]:
            found[-1]["sources"][-1]["verbatim"].append(quote[1])
    return [c for c in found if c["id"]]


def candidates(text: str) -> list[dict[str, str]]:
    """Candidates: id and decision."""
    blocks = re.split(r"(?m)^(?=## )", text)
    found = []
    for block in blocks:
        head = re.match(r"## (I\d+)\. ", block)
        if head:
            decision = re.search(r"(?m)^- decision: ?(.*)$", block)
            found.append({"id": head[1], "decision": decision[1] if decision else ""})
    return found


# ------------------------------------------------------------------------------ one reading


def read_through(record: dict[str, Any]) -> Reading:
    """Check form and linkage, and gather observations and file changes in order."""
    reading = Reading(record)
    _roles(reading)
    _link(reading)
    for at, call, tool_at, arguments, content in reading.pairs:
        name = call["function"]["name"]
        if content.startswith("Error: "):
            continue
        if name in ("WebSearch", "Scraper", "View", "Grep"):
            _observe(reading, name, tool_at, arguments, content)
        elif name in ("Write", "Edit"):
            _replay(reading, name, at, arguments)
    return reading


def _roles(reading: Reading) -> None:
    roles = [m.get("role") for m in reading.messages]
    if roles[:2] != ["system", "user"] or set(roles[2:]) - {"assistant", "tool"}:
        reading.fault("roles", "not one system, one user, then assistant and tool messages")
    if roles[-1] != "assistant":
        reading.fault("ends", f"ends with a {roles[-1]} message", len(roles) - 1)
    for at, message in enumerate(reading.messages):
        if message.get("role") == "assistant":
            if not str(message.get("reasoning_content") or "").strip():
                reading.fault("reasoning", "blank", at)
            if message.get("value_tier") not in ("high", "normal", "low"):
                reading.fault("tier", f"{message.get('value_tier')!r}", at)


def _link(reading: Reading) -> None:
    tools = {t["function"]["name"] for t in reading.record.get("tools", [])}
    ids: set[str] = set()
    open_calls: list[dict[str, Any]] = []
    at = -1

    def close() -> None:
        for call in open_calls:
            reading.fault("linkage", f"call {call.get('id')} has no result", at)
        open_calls.clear()

    for index, message in enumerate(reading.messages):
        if message.get("role") == "assistant":
            close()
            at = index
            open_calls.extend(message.get("tool_calls") or [])
            for call in open_calls:
                if call.get("id") in ids:
                    reading.fault("ids", f"{call.get('id')} is used twice", index)
                ids.add(str(call.get("id")))
                if call["function"]["name"] not in tools:
                    reading.fault("tools", f"no tool {call['function']['name']!r}", index)
        elif message.get("role") == "tool":
            wanted = [c for c in open_calls if c.get("id") == message.get("tool_call_id")]
            if not wanted:
                reading.fault("linkage", "answers no call of the batch before it", index)
                continue
            if wanted[0] is not open_calls[0]:
                reading.fault("order", "results do not stand in the order of their calls", index)
            open_calls.remove(wanted[0])
            call = wanted[0]
            if message.get("name") != call["function"]["name"]:
                reading.fault("linkage", "bears another name than its call", index)
            try:
                arguments = json.loads(call["function"]["arguments"])
            except ValueError:
                reading.fault("arguments", "are not JSON", at)
                continue
            reading.pairs.append((at, call, index, arguments, message["content"]))
    close()


def _observe(reading: Reading, name: str, at: int, arguments: dict[str, Any], content: str) -> None:
    if name == "WebSearch":
        for hit in hits(content):
            reading.seen.append(Seen(at, hit["text"], canonical(hit["url"])))
    elif name == "Scraper":
        head = header(content)
        url = head.get("URL") or arguments.get("url", "")
        if "Saved as" in head:
            reading.sources[head["Saved as"]] = canonical(url)
        reading.seen.append(Seen(at, content, canonical(url)))
    elif name == "View":
        url = reading.sources.get(path_of(arguments))
        if url:
            reading.seen.append(Seen(at, "\n".join(viewed(content)), url))
    else:
        by_file: dict[str, list[str]] = defaultdict(list)
        for file, line in grepped(content):
            by_file[file].append(line)
        for file, lines in by_file.items():
            if file in reading.sources:
                reading.seen.append(Seen(at, "\n".join(lines), reading.sources[file]))


def path_of(arguments: dict[str, Any]) -> str:
    path = str(arguments.get("file_path") or arguments.get("path") or "")
    return "/".join(p for p in path.split("/") if p not in ("", "."))


def _replay(reading: Reading, name: str, at: int, arguments: dict[str, Any]) -> None:
    path = path_of(arguments)
    before = reading.files.get(path)
    if name == "Write":
        after = arguments["content"]
    else:
        old, new = arguments["old_string"], arguments["new_string"]
        text = before or ""
        if text and "\r\n" in text and "\n" not in text.replace("\r\n", ""):
            old, new = (re.sub(r"\r?\n", "\r\n", s) for s in (old, new))
        count = text.count(old) if old else 0
        if count == 0 or (count > 1 and not arguments.get("replace_all")):
            reading.fault("replay", f"Edit of {path}: old_string stands {count} times", at)
            return
        after = text.replace(old, new)
    reading.files[path] = after
    reading.steps.append(Step(at, path, before, after))
