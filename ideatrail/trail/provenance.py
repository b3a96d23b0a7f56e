"""The provenance graph: sentence → edit → claim → source block → observation → bytes, and forward.

Built from the public record alone, at a cost linear in it. Grounding, traceability, value tiers and
naturalness are questions asked of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from ideatrail.trail.artifacts import Artifact, Source, artifact_name, cited, parse
from ideatrail.trail.stage import ARTIFACTS, ArtifactName
from ideatrail.trail.text import sentences, squeeze
from ideatrail.trail.turn import Trail

_FIELD: Final = re.compile(r"^- [a-z][a-z ]*: ?")
_SECTION: Final = re.compile(r"^([CI]\d+)\. ")


@dataclass(frozen=True)
class Span:
    """A stretch of one observation."""

    call_id: str
    turn: int
    """Index of the turn, from 1."""
    start: int
    end: int
    """Bytes of the result's content in UTF-8, `start` included."""


@dataclass(frozen=True)
class Edit:
    """One call that changed an artifact."""

    call_id: str
    turn: int
    artifact: ArtifactName
    tool: str
    added: tuple[str, ...]
    """Sentences that were not there before."""
    removed: tuple[str, ...]
    """Sentences that are not there any more."""
    before: str | None
    after: str


@dataclass(frozen=True)
class Sentence:
    """A sentence of an artifact as it stands at the end, and the edit that wrote it."""

    artifact: ArtifactName
    section: str
    """Its heading."""
    text: str
    call_id: str
    turn: int
    rests_on: tuple[str, ...]
    """Claims: cited in it, borne by its candidate, or the one it stands under."""


@dataclass(frozen=True)
class Support:
    """A quote or note under a claim, and where it was observed."""

    claim: str
    source: Source
    kind: Literal["quote", "note"]
    text: str
    written: int
    """Turn that wrote it."""
    span: Span | None
    """The earliest observation that holds it word for word, before it was written and of the
    source it names; None where there is none."""


@dataclass(frozen=True)
class Provenance:
    """The whole graph of one trail."""

    artifacts: Mapping[ArtifactName, Artifact]
    """As they stand at the end."""
    edits: tuple[Edit, ...]
    sentences: tuple[Sentence, ...]
    supports: tuple[Support, ...]

    @cached_property
    def grounded(self) -> frozenset[str]:
        """Claims of which every quote and note was observed, with one at least."""
        held: dict[str, bool] = {}
        for support in self.supports:
            held[support.claim] = held.get(support.claim, True) and support.span is not None
        return frozenset(name for name, whole in held.items() if whole)

    @cached_property
    def observations(self) -> Mapping[str, tuple[Support, ...]]:
        """Call id of an observation → what rests on it."""
        found: dict[str, list[Support]] = {}
        for support in self.supports:
            if support.span:
                found.setdefault(support.span.call_id, []).append(support)
        return {call: tuple(rest) for call, rest in found.items()}

    @cached_property
    def by_edit(self) -> Mapping[str, tuple[Sentence, ...]]:
        """Call id of an edit → sentences of the end that it wrote."""
        found: dict[str, list[Sentence]] = {}
        for sentence in self.sentences:
            found.setdefault(sentence.call_id, []).append(sentence)
        return {call: tuple(rest) for call, rest in found.items()}

    def spans(self, sentence: Sentence) -> tuple[Span, ...]:
        """The stretches of observations that a sentence rests on, through its claims."""
        wanted = set(sentence.rests_on)
        return tuple(s.span for s in self.supports if s.span and s.claim in wanted)

    def resting_on(self, call_id: str) -> tuple[Sentence, ...]:
        """Sentences that an observation bears, through the claims that quote it."""
        claims = {s.claim for s in self.observations.get(call_id, ())}
        return tuple(s for s in self.sentences if claims & set(s.rests_on))


def build(trail: Trail, *, canonical: Callable[[str], str] = str.strip) -> Provenance:
    """The provenance graph of `trail`. Never raises.

    Args:
        trail: any public record, finished or not.
        canonical: brings addresses of one work into one form.
    """
    edits = tuple(_edits(trail))
    end: dict[ArtifactName, str | None] = dict.fromkeys(ARTIFACTS)
    written: dict[tuple[ArtifactName, str], Edit] = {}
    for edit in edits:
        end[edit.artifact] = edit.after
        for text in edit.removed:
            written.pop((edit.artifact, text), None)
        for text in edit.added:
            written[edit.artifact, text] = edit
    artifacts = {name: parse(name, text) for name, text in end.items()}
    return Provenance(
        artifacts,
        edits,
        tuple(_sentences(artifacts, written)),
        tuple(_supports(trail, artifacts["claim_audit.md"], written, canonical)),
    )


def artifact_sentences(text: str | None) -> list[tuple[str, str]]:
    """(heading, sentence) of an artifact's text: prose by sentence, a field line as one."""
    found: list[tuple[str, str]] = []
    heading = ""
    for line in (text or "").splitlines():
        if line.startswith("## "):
            heading = line[3:].strip()
            found.append((heading, heading))
        elif _FIELD.match(line):
            found.append((heading, line.strip()))
        elif not line.startswith("#"):
            found += [(heading, sentence) for sentence in sentences(line)]
    return found


def _key(heading: str, sentence: str) -> str:
    """What makes a sentence the same one after an edit: the section's number or name, its words."""
    match = _SECTION.match(heading)
    return f"{match.group(1) if match else heading}\n{squeeze(sentence)}"


def _edits(trail: Trail) -> Iterator[Edit]:
    for turn in trail.turns:
        tools = {call.id: call.name for call in turn.draft.calls}
        for change in turn.changes:
            name = artifact_name(change.path)
            if name is None or change.before == change.after:
                continue
            before = {_key(h, s): None for h, s in artifact_sentences(change.before)}
            after = {_key(h, s): None for h, s in artifact_sentences(change.after)}
            yield Edit(
                change.call_id,
                turn.index,
                name,
                tools.get(change.call_id, ""),
                tuple(k for k in after if k not in before),
                tuple(k for k in before if k not in after),
                change.before,
                change.after,
            )


def _sentences(
    artifacts: Mapping[ArtifactName, Artifact], written: Mapping[tuple[ArtifactName, str], Edit]
) -> Iterator[Sentence]:
    bears = {c.id: c.rests_on for c in artifacts["idea_candidates.md"].candidates}
    for name, artifact in artifacts.items():
        for heading, text in artifact_sentences(artifact.text):
            edit = written.get((name, _key(heading, text)))
            if edit is None:
                continue
            claims: dict[str, None] = {}
            match = _SECTION.match(heading)
            under = [match.group(1)] if match else []
            for one in (*cited(text), *under):
                if one.startswith("I"):
                    claims.update(dict.fromkeys(bears.get(one, ())))
                else:
                    claims[one] = None
            yield Sentence(name, heading, text, edit.call_id, edit.turn, tuple(claims))


def _supports(
    trail: Trail,
    audit: Artifact,
    written: Mapping[tuple[ArtifactName, str], Edit],
    canonical: Callable[[str], str],
) -> Iterator[Support]:
    seen = _Observations(trail, canonical)
    for claim in audit.claims:
        for source in claim.sources:
            for kind, texts in (("quote", source.quotes), ("note", source.notes)):
                for text in texts:
                    line = f'- {kind}: "{text}"'
                    edit = written.get((audit.name, f"{claim.id}\n{squeeze(line)}"))
                    turn = edit.turn if edit else len(trail.turns) + 1
                    span = seen.find(text, source, turn)
                    yield Support(
                        claim.id, source, "quote" if kind == "quote" else "note", text, turn, span
                    )


class _Observations:
    """Observed results in order, with what tells which source they speak of."""

    def __init__(self, trail: Trail, canonical: Callable[[str], str]) -> None:
        self._canonical = canonical
        self._files: dict[str, str] = {}
        self._items: list[tuple[int, str, str, str, frozenset[str]]] = []
        for turn, call, result in trail.calls:
            if not result.observed or result.status != "ok":
                continue
            urls = {canonical(u) for u in _URL.findall(result.content)}
            if call.name == "Scraper" and result.source_file:
                for url in urls:
                    self._files.setdefault(result.source_file, url)
                    break
                asked = call.parsed.get("url")
                if isinstance(asked, str):
                    self._files[result.source_file] = canonical(asked)
                    urls.add(canonical(asked))
            files = [result.source_file] if result.source_file else _PATH.findall(result.content)
            urls.update(self._files[f] for f in files if f in self._files)
            self._items.append(
                (
                    turn.index,
                    result.call_id,
                    result.content,
                    squeeze(result.content),
                    frozenset(urls),
                )
            )

    def find(self, text: str, source: Source, before: int) -> Span | None:
        """The earliest observation of `source` that holds `text`, before turn `before`."""
        wanted, url = squeeze(text), self._canonical(source.url)
        for turn, call_id, raw, squeezed, urls in self._items:
            if turn >= before:
                return None
            if wanted in squeezed and (url in urls or source.title in raw):
                return _span(text, raw, call_id, turn)
        return None


_URL: Final = re.compile(r"https?://[^\s<>\"')\]]+[^\s<>\"')\].,;:]")
_PATH: Final = re.compile(r"^(research_topics/[^:\n]+):\d+:", re.MULTILINE)


def _span(text: str, raw: str, call_id: str, turn: int) -> Span:
    """Where `text` stands in `raw`, white space of any kind between its words."""
    at = raw.find(text)
    if at >= 0:
        end = at + len(text)
    else:
        # View puts a number and a tab before each line, and a quote may reach over a line's end.
        pattern = r"\s+(?:\d+\t)?".join(map(re.escape, text.split()))
        match = re.search(pattern, raw)
        at, end = match.span() if match else (0, len(raw))
    return Span(call_id, turn, len(_bytes(raw[:at])), len(_bytes(raw[:end])))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
