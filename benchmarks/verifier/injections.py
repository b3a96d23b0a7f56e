"""Draws sites for every operator, puts the faults in, and asks the verifier."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from benchmarks.verifier.site import Clean, Operator, Site
from ideatrail.embeddings.embedder import Embedder
from ideatrail.trail.simulate import simulate
from ideatrail.trail.turn import ArtifactChange, Draft, Result, Turn
from ideatrail.trail.verdict import Verdict
from ideatrail.verifier.check import Verifier
from ideatrail.verifier.means import ArgumentCheck, LexiconLike


@dataclass(frozen=True)
class Injection:
    """Changed drafts of turns in a row, the last of them at index `at`."""

    operator: str
    at: int
    drafts: tuple[Draft, ...]


@dataclass(frozen=True)
class Shot:
    """What the verifier said of one injection."""

    operator: str
    trail: str
    turn: int
    """From 1."""
    codes: tuple[str, ...]
    """Of all findings; empty where it passed."""
    layers: tuple[str, ...]
    """`check/rung` of each layer that hit."""
    told: str
    """The first finding in words, or what had been changed where it passed."""


def draw(
    operators: Sequence[Operator], cleans: Sequence[Clean], each: int, seed: int
) -> dict[str, list[Injection]]:
    """Injections by trail: up to `each` of every operator, spread over trails and turns by
    `seed`."""
    found: dict[str, list[Injection]] = defaultdict(list)
    for operator in operators:
        places = [(clean, at) for clean in cleans for at in range(len(clean.trail.turns))]
        random.Random(f"{seed} {operator.name}").shuffle(places)
        made = 0
        for clean, at in places:
            rng = random.Random(f"{seed} {operator.name} {clean.name} {at}")
            drafts = operator.make(Site(clean, at, rng))
            if drafts is None:
                continue
            drafts = drafts if isinstance(drafts, tuple) else (drafts,)
            found[clean.name].append(Injection(operator.name, at, drafts))
            made += 1
            if made == each:
                break
    return found


def shoot(
    clean: Clean,
    injections: Iterable[Injection],
    lexicon: LexiconLike,
    arguments: ArgumentCheck,
    embedder: Embedder | None = None,
) -> Iterator[Shot]:
    """Judge each injection against the clean record before it, in one walk along the trail."""
    by_start: dict[int, list[Injection]] = defaultdict(list)
    for one in injections:
        by_start[one.at - len(one.drafts) + 1].append(one)
    verifier = _verifier(clean, lexicon, arguments, embedder)
    for start, turn in enumerate(clean.trail.turns):
        verifier.follow(clean.trail.rewind(start), clean.oracle)
        for one in by_start.get(start, ()):
            if len(one.drafts) == 1:
                yield _shot(clean, one, [verifier.judge(one.drafts[0], turn.stage)])
            else:
                yield _shot(clean, one, _walk(clean, one, start, lexicon, arguments))


def clean_turns(
    clean: Clean,
    lexicon: LexiconLike,
    arguments: ArgumentCheck,
    stranger: Clean | None = None,
    embedder: Embedder | None = None,
) -> Iterator[Shot]:
    """Every turn as it stands; with a stranger's oracle, whose secrets nobody here can know."""
    verifier = _verifier(clean, lexicon, arguments, embedder)
    oracle = (stranger or clean).oracle
    name = "clean turn" if stranger is None else "another proposal's oracle"
    for at, turn in enumerate(clean.trail.turns):
        verifier.follow(clean.trail.rewind(at), oracle)
        verdict = verifier.judge(turn.draft, turn.stage)
        yield _shot(clean, Injection(name, at, (turn.draft,)), [verdict])


def _verifier(
    clean: Clean,
    lexicon: LexiconLike,
    arguments: ArgumentCheck,
    embedder: Embedder | None = None,
) -> Verifier:
    return Verifier(
        cutoff=clean.cutoff,
        lexicon=lexicon,
        arguments=arguments,
        target_titles=clean.titles,
        embedder=embedder,
    )


def _walk(
    clean: Clean,
    one: Injection,
    start: int,
    lexicon: LexiconLike,
    arguments: ArgumentCheck,
) -> list[Verdict]:
    """Verdicts on several drafts in a row, each taken into the record before the next."""
    verifier = _verifier(clean, lexicon, arguments)
    trail = clean.trail.rewind(start)
    verdicts = []
    for number, draft in enumerate(one.drafts):
        turn = clean.trail.turns[start + number]
        verifier.follow(trail, clean.oracle)
        verdicts.append(verifier.judge(draft, turn.stage))
        files = dict(clean.files_before[start])
        for earlier in trail.turns[start:]:
            files.update({c.path: c.after for c in earlier.changes})
        trail = trail.append(taken(turn, draft, files))
    return verdicts


def taken(turn: Turn, draft: Draft, files: dict[str, str]) -> Turn:
    """`turn` as it would stand with `draft` in it: results as they were, new calls unanswered."""
    had = {call.id: result for call, result in turn.pairs}
    results = tuple(
        had.get(call.id) or Result(call.id, call.name, "", "ok", "") for call in draft.calls
    )
    changes = tuple(
        ArtifactChange(draft.calls[e.call].id, e.path, e.before, e.after)
        for e in simulate(files, draft.calls)
    )
    return replace(turn, draft=draft, results=results, changes=changes)


def _shot(clean: Clean, one: Injection, verdicts: Sequence[Verdict]) -> Shot:
    findings = [f for verdict in verdicts for f in verdict.findings]
    layers = dict.fromkeys(la.name for v in verdicts for la in v.layers if la.hit)
    return Shot(
        one.operator,
        clean.name,
        one.at + 1,
        tuple(dict.fromkeys(f.code for f in findings)),
        tuple(layers),
        f"{findings[0].code}: {findings[0].detail}" if findings else _changed(clean, one),
    )


def _changed(clean: Clean, one: Injection) -> str:
    """What differs from the clean draft, for a report of misses."""
    told = []
    for back, draft in enumerate(reversed(one.drafts)):
        old = clean.trail.turns[one.at - back].draft
        if draft.reasoning != old.reasoning:
            told.append(f"reasoning: {_difference(old.reasoning, draft.reasoning)}")
        before = {c.id: c.arguments for c in old.calls}
        for call in draft.calls:
            if before.get(call.id) != call.arguments:
                was = before.get(call.id, "")
                told.append(f"{call.name}: {_difference(was, call.arguments)}")
    return " | ".join(told)


def _difference(old: str, new: str) -> str:
    """The part of `new` that `old` has not."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    first = max(0, start - 20)
    return f"[{old[first : len(old) - end][:200]}] -> [{new[first : len(new) - end][:300]}]"
