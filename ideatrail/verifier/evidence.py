"""fabricated_evidence: quotes, records, attributions and numbers against what was observed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ideatrail.evidence.urls import canonical
from ideatrail.trail.artifacts import Claim, Source, cited
from ideatrail.trail.text import sentences, squeeze, words
from ideatrail.trail.verdict import Code, Pointer
from ideatrail.verifier.bearing import borne, turned
from ideatrail.verifier.case import Case, Spot
from ideatrail.verifier.means import Bench, Means, Need, Opinion
from ideatrail.verifier.prose import (
    Attribution,
    attributions,
    numbers,
    pieces,
    quoted_spans,
    stands,
)
from ideatrail.verifier.sources import Depth, SourceRecord, nearest, squash
from ideatrail.verifier.view import View

LAYERS: Final = (
    "quote",
    "record",
    "support",
    "no source",
    "bearing",
    "quoted span",
    "attribution",
    "number",
    "citation",
    "judge",
)

BARE: Final = 10
"""Whole numbers from this on have to stand in a source, whatever they count; smaller ones may be
the writer's own counting."""


class EvidenceCheck:
    """Evidence that is invented, bent or given to the wrong source."""

    name = "evidence"
    codes: frozenset[Code] = frozenset({"fabricated_evidence"})
    needs: frozenset[Need] = frozenset()

    def __init__(self, means: Means) -> None:
        pass

    def judge(self, case: Case, view: View) -> Opinion:
        """Changed claims against their sources, and all prose against the record."""
        bench = Bench(self.name, "fabricated_evidence", LAYERS)
        bench.skip("judge", "whether prose is borne by its claims is for a model to judge")
        for edit in case.edits:
            if edit.name != "claim_audit.md" or edit.new is None:
                continue
            before = {c.id: c for c in edit.old.claims} if edit.old else {}
            for claim in edit.new.claims:
                if _moved(claim) != _moved(before.get(claim.id)):
                    self._claim(claim, Pointer("file", edit.call, claim.id), view, bench)
        audit = case.artifact("claim_audit.md", view.artifacts)
        ideas = case.artifact("idea_candidates.md", view.artifacts)
        ids = {c.id for c in audit.claims} | {c.id for c in ideas.candidates}
        claims = {c.id: c for c in audit.claims}
        own = _Own(case, view)
        for spot in case.spots:
            if spot.kind in ("reasoning", "content", "text"):
                self._prose(spot, claims, ids, own, view, bench)
        return bench.opinion()

    def _claim(self, claim: Claim, at: Pointer, view: View, bench: Bench) -> None:
        if not claim.sources:
            if claim.status not in ("", "open"):
                bench.hit("no source", at, f"{claim.id} is {claim.status} without a source")
            return
        quotes: list[str] = []
        records: list[SourceRecord] = []
        for source in claim.sources:
            record = view.sources.get(canonical(source.url))
            if record is None:
                bench.hit("record", at, f"no such source was observed: {source.url}")
                continue
            records.append(record)
            quotes += [*source.quotes, *source.notes]
            self._source(source, record, at, view, bench)
        if claim.status in ("supported", "contested", "refuted") and not quotes and records:
            bench.hit("no source", at, f"{claim.id} is {claim.status} without a quote or note")
        if claim.support and records:
            allowed: set[Depth] = set().union(*(r.depths for r in records))
            if claim.support not in allowed:
                seen = ", ".join(sorted(allowed))
                bench.hit("support", at, f"support is {claim.support!r}, seen was {seen}")
        if quotes:
            titles = [s.title for s in claim.sources]
            if not borne(claim.text, quotes, titles):
                bench.hit("bearing", at, f"{claim.text!r} shares nothing with its quotes")
            elif claim.status == "supported" and (twist := turned(claim.text, quotes)):
                bench.hit("bearing", at, f"{claim.text!r}: {twist}")
            self._numbers(claim.text, records, at, bench, least=1)
            for text in (claim.limitation, claim.implication):
                self._numbers(text, records, at, bench)

    def _source(
        self, source: Source, record: SourceRecord, at: Pointer, view: View, bench: Bench
    ) -> None:
        if squash(source.title) not in record.titles:
            bench.hit("record", at, f"title {source.title!r}, observed {record.shown_title!r}")
        if not record.first_author(source.author):
            bench.hit("record", at, f"author {source.author!r}, observed {record.authors[:1]}")
        if record.years and source.year not in record.years:
            bench.hit("record", at, f"year {source.year}, observed {sorted(record.years)}")
        for kind, texts in (("quote", source.quotes), ("note", source.notes)):
            for text in texts:
                if record.holds(text) is None:
                    near = nearest(text, record.passages)
                    other = next(
                        (r.url for r in view.sources.values() if r is not record and r.holds(text)),
                        "",
                    )
                    where = f"; it stands in {other}" if other else ""
                    bench.hit(
                        "quote", at, f"{text!r} is not in {record.url}{where}; near: {near!r}"
                    )
                elif kind == "quote" and record.summary:
                    bench.hit("quote", at, f"{record.url} is a summary, not the authors' words")

    def _prose(
        self,
        spot: Spot,
        claims: dict[str, Claim],
        ids: set[str],
        own: _Own,
        view: View,
        bench: Bench,
    ) -> None:
        in_audit = spot.file == "claim_audit.md"
        if not in_audit or spot.pointer.section is None:
            for span in quoted_spans(spot.text):
                if not own.holds(span):
                    near = nearest(span, (p for r in view.sources.values() for p in r.passages))
                    bench.hit("quoted span", spot.pointer, f"{span!r}; near: {near!r}")
        for one in attributions(_unsourced(spot.text) if in_audit else spot.text):
            if not _is_known(one, view):
                bench.hit("attribution", spot.pointer, one.text)
        for name in cited(spot.text):
            if name not in ids and not (in_audit and not ids):
                bench.hit("citation", spot.pointer, name)
        if in_audit:
            return
        for sentence in sentences(spot.text):
            names = [n for n in cited(sentence) if n in claims]
            works = [r for a in attributions(sentence) for r in _records(a, view)]
            works += [
                view.sources[url]
                for n in names
                for s in claims[n].sources
                if (url := canonical(s.url)) in view.sources
            ]
            if works:
                bare = _UNCITED.sub(" ", sentence)
                self._numbers(bare, works, spot.pointer, bench)

    def _numbers(
        self,
        text: str,
        works: Sequence[SourceRecord],
        at: Pointer,
        bench: Bench,
        least: int = BARE,
    ) -> None:
        """Every measured number of `text`, and every whole one from `least` on, in an observation
        of one of `works`."""
        for number in numbers(text, least):
            if number.unit == "" and number.digits.split(".")[0] in _YEARS:
                continue
            held = " \n ".join(p.text for r in works for p in r.passages)
            if not stands(number, numbers(held), held):
                bench.hit("number", at, f"{number.text!r} in {text[:120]!r}")


_UNCITED: Final = re.compile(r"\[[CI]\d+[^\]]*\]|\(?\b(?:19|20)\d\d[a-z]?\)?")
_YEARS: Final = frozenset(str(y) for y in range(1900, 2100))


def _moved(claim: Claim | None) -> object:
    """All of a claim but where it stands."""
    if claim is None:
        return None
    sources = tuple((s.title, s.author, s.year, s.url, s.quotes, s.notes) for s in claim.sources)
    return (
        claim.id,
        claim.text,
        sources,
        claim.support,
        claim.status,
        claim.limitation,
        claim.implication,
    )


def _unsourced(text: str) -> str:
    """A claim's block without its source lines, which are held against the record by themselves."""
    return "\n".join(line for line in text.split("\n") if not line.startswith("- source:"))


def _is_known(one: Attribution, view: View) -> bool:
    """Whether an observed work has these authors and this year, or an observation says so itself
    (papers cite papers)."""
    return bool(_records(one, view)) or view.shown.verbatim(one.text)


def _records(one: Attribution, view: View) -> list[SourceRecord]:
    # A capital word before the name may have been taken with it: its end must fit.
    names = {given[-1] for name in one.names if (given := words(name))}
    if not names:
        return []
    return [
        record
        for record in view.authored_by(min(names))
        if names <= record.surnames and (not one.year or one.year in record.years)
    ]


class _Own:
    """What may stand in quotes: observations, own files and queries, the direction."""

    def __init__(self, case: Case, view: View) -> None:
        self._view = view
        texts: list[str] = [squeeze(t) for t in view.files.values()]
        for spot in case.spots:
            if spot.kind in ("query", "pattern", "path", "old"):
                texts.append(squeeze(spot.text))
            elif spot.kind == "text":
                # What this very draft writes, but not what it puts in quotes there.
                texts.append(squeeze(_unquoted(spot.text)))
        self._texts = [t.casefold() for t in texts]

    def holds(self, span: str) -> bool:
        """Whether every part of `span` stands in one of them; a first capital may differ."""
        return all(self._has(p) for p in pieces(span))

    def _has(self, piece: str) -> bool:
        other = piece[:1].swapcase() + piece[1:]
        # Letter for letter only where the words stand in a row at all: most do not, and go quickly.
        if self._view.shown.verbatim(piece):
            for _, text in self._view.observed_texts:
                if piece in text or other in text:
                    return True
        low = piece.casefold()
        if any(low in t.casefold() for t in self._view.own_texts):
            return True
        return any(low in t for t in self._texts)


def _unquoted(text: str) -> str:
    for span in quoted_spans(text):
        text = text.replace(span, " ")
    return text
