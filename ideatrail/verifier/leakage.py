"""oracle_leakage: the ladder of readings and forms (design, section 6), over all Generator text.

A term that was observed, or stands in the direction, is free in every surface form. A lock opens
with its stage. The rung of embeddings runs where an encoder is given; the judge's is the verify
node's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ideatrail.evidence.titles import Titles
from ideatrail.trail.stage import Stage, stage_rank
from ideatrail.trail.verdict import Code, Pointer
from ideatrail.verifier.case import Case, Spot
from ideatrail.verifier.decode import digits_for_letters, readings, skeleton
from ideatrail.verifier.matcher import Matcher, Term, make_term, oracle_terms, spelled
from ideatrail.verifier.means import Bench, Means, Need, Opinion
from ideatrail.verifier.paraphrase import Paraphrase
from ideatrail.verifier.terms import Seen, analyse
from ideatrail.verifier.view import View

LAYERS: Final = (
    "surface",
    "lookalike",
    "decoded",
    "joined",
    "stems",
    "order",
    "acronym",
    "split",
    "window",
    "atom text",
    "title",
    "embedding",
    "judge",
)
SHINGLE: Final = 8
"""Words in a row of an atom's text that nobody writes by chance; while its locks are closed."""
LONG_SHINGLE: Final = 12
"""The same at any stage: the end is to be reached, not recited."""
_PROSE: Final = frozenset({"reasoning", "content", "text", "query"})
_SPELLED_MIN: Final = 5
"""Letters of a term from which on its spelling with digits for letters is looked for."""
_WINDOW_TURNS: Final = 2
_RARE: Final = 0.01
"""Share of papers up to which a word is rare."""


class LeakageCheck:
    """Advisor-only terms and conclusions before their time."""

    name = "leakage"
    codes: frozenset[Code] = frozenset({"oracle_leakage"})
    needs: frozenset[Need] = frozenset({"advisor"})

    def __init__(self, means: Means) -> None:
        self._lexicon = means.lexicon
        self._has_oracle = means.oracle is not None
        terms = list(oracle_terms(means.oracle, means.lexicon)) if means.oracle else []
        # A title that the index holds is title_pre_knowledge, and tells nothing of the target.
        hidden = [
            t
            for t in means.target_titles
            if means.lexicon is None or not means.lexicon.match_title(t)
        ]
        terms += [term for t in hidden if (term := make_term(t, None, means.lexicon))]
        self._titles = Titles(("target", t) for t in hidden)
        self._matcher = Matcher(terms)
        made = ((make_term(skeleton(t.form), None, None), t) for t in terms)
        # Short ones are left out: `b1` is many things.
        self._spelled = {s: t for s, t in made if s is not None and len(s.joined) >= _SPELLED_MIN}
        self._skeletons = Matcher(tuple(self._spelled))
        self._paraphrase: Paraphrase | None = None
        if means.oracle is not None and means.embedder is not None:
            stages = {a.id: means.oracle.opens(a) for a in means.oracle.atoms}
            self._paraphrase = Paraphrase(means.oracle, stages, means.embedder, means.lexicon)
        self._shingles: dict[tuple[str, ...], tuple[str, Stage | None]] = {}
        if means.oracle:
            for atom in means.oracle.atoms:
                if atom.kind == "artifact":
                    continue
                found = analyse(atom.text).tokens
                opens = means.oracle.opens(atom)
                for size, until in ((SHINGLE, opens), (LONG_SHINGLE, None)):
                    for i in range(len(found) - size + 1):
                        self._shingles.setdefault(found[i : i + size], (atom.id, until))

    def judge(self, case: Case, view: View) -> Opinion:
        """Every locked term in every reading of every text, and across texts."""
        bench = Bench(self.name, "oracle_leakage", LAYERS)
        if self._paraphrase is None:
            bench.skip("embedding", "no embedding model was given")
        bench.skip("judge", "the judge is asked by the verify node, not by rules")
        if not self._has_oracle:
            for layer in LAYERS[:-1]:
                bench.skip(layer, "no oracle was given")
            return bench.opinion()
        live = _Live(view.shown, case.stage)
        for spot in case.spots:
            for layer, reading in readings(spot.text):
                for match in self._matcher.scan(reading):
                    # Words that stand so in an observation are its words, whatever they spell.
                    if live(match.term) and not view.shown.verbatim(match.said):
                        rung = match.layer if layer == "surface" else layer
                        bench.hit(rung, spot.pointer, f"{match.term.form!r} ({match.term.atom})")
                if self._titles:
                    for title in self._titles.within(reading):
                        if title.title not in view.titles:
                            bench.hit("title", spot.pointer, f"title of the target: {title.title}")
            if digits_for_letters(spot.text):
                for match in self._skeletons.scan(skeleton(spot.text)):
                    term = self._spelled[match.term]
                    if live(term) and term.joined not in "".join(analyse(spot.text).tokens):
                        bench.hit("lookalike", spot.pointer, f"{term.form!r} ({term.atom})")
            self._recited(spot, case.stage, view, bench)
        if not bench.found:
            self._across(case, view, live, bench)
        if not bench.found and self._paraphrase is not None:
            self._in_other_words(self._paraphrase, case, view, bench)
        return bench.opinion()

    def _in_other_words(self, paraphrase: Paraphrase, case: Case, view: View, bench: Bench) -> None:
        for spot in case.spots:
            if spot.kind in _PROSE:
                for like in paraphrase.near([spot.text], case.stage, view):
                    told = f"{like.atom}, {like.score:.2f}: {like.sentence[:200]}"
                    bench.hit("embedding", spot.pointer, told)

    def _recited(self, spot: Spot, stage: Stage, view: View, bench: Bench) -> None:
        found = analyse(spot.text).tokens
        for size in (SHINGLE, LONG_SHINGLE):
            for i in range(len(found) - size + 1):
                row = found[i : i + size]
                hit = self._shingles.get(row)
                if hit is None:
                    continue
                atom, opens = hit
                if opens is not None and stage_rank(stage) >= stage_rank(opens):
                    continue
                text = " ".join(row)
                if not view.shown.verbatim(text):
                    bench.hit("atom text", spot.pointer, f"{atom}: {text}")

    def _across(self, case: Case, view: View, live: _Live, bench: Bench) -> None:
        """Terms spelled over several texts of this message and the turns before it."""
        old = [spot for spots in view.recent for spot in spots]
        streams = [
            (_pieces(old), _pieces(case.spots)),
            (_pieces(old, ("reasoning",)), _pieces(case.spots, ("reasoning",))),
            (_pieces(old, _ARGUMENTS), _pieces(case.spots, _ARGUMENTS)),
        ]
        # One word a turn, always at the same place: the first or the last of each message.
        turns = [*view.recent, case.spots]
        for kinds in (("reasoning",), _ARGUMENTS):
            by_turn = [p for spots in turns if (p := _pieces(spots, kinds))]
            if len(by_turn) > 1 and _pieces(case.spots, kinds):
                for place in (0, -1):
                    rows = [pieces[place] for pieces in by_turn]
                    streams.append((rows[:-1], rows[-1:]))
        edges = {
            stem for _, fresh in streams for _, p in [*fresh] for stem in (*p[:8], *p[-8:])
        } | {stem for before, _ in streams for _, p in before for stem in (*p[:8], *p[-8:])}
        recent = [s for spots in list(view.recent)[-_WINDOW_TURNS:] for s in spots]
        near = {stem for s in recent for stem in analyse(s.text).content}
        now = {stem for s in case.spots for stem in analyse(s.text).content}
        for term in self._matcher.terms:
            size = len(term.content)
            if size < 2 or not live.possible(term):
                continue
            if edges.issuperset(term.content) and live(term):
                for before, fresh in streams:
                    row = [*before, *fresh]
                    at = spelled(
                        term.content,
                        [piece for _, piece in row],
                        new_from=len(before),
                        skips=0 if size == 2 or term.common else 2,
                        whole=term.common and size == 2,
                    )
                    if at is not None:
                        bench.hit("split", row[at][0], f"{term.form!r} ({term.atom})")
            parts = set(term.content)
            if (
                len(parts) > 1
                and (near | now).issuperset(parts)
                and not now.isdisjoint(parts)
                and view.shown.stems.isdisjoint(parts)
                and (size > 2 or self._rare(term.content))
                and live(term)
            ):
                spot = next(s for s in case.spots if parts & set(analyse(s.text).content))
                bench.hit("window", spot.pointer, f"{term.form!r} ({term.atom})")

    def _rare(self, stems: Iterable[str]) -> bool:
        if self._lexicon is None:
            return all(len(s) > 5 for s in stems)
        most = max(2.0, _RARE * self._lexicon.size)
        return all(self._lexicon.frequency(s) <= most for s in stems)


class _Live:
    """Whether a term is locked now and was not observed; remembered for one draft."""

    def __init__(self, shown: Seen, stage: Stage) -> None:
        self._shown = shown
        self._stage = stage
        self._memo: dict[Term, bool] = {}

    def possible(self, term: Term) -> bool:
        """The cheap half of the question."""
        return not term.open(self._stage)

    def __call__(self, term: Term) -> bool:
        if term not in self._memo:
            self._memo[term] = not term.open(self._stage) and not term.known(self._shown)
        return self._memo[term]


_ARGUMENTS: Final = ("query", "pattern", "path", "url")


def _pieces(
    spots: Iterable[Spot], kinds: Sequence[str] = ()
) -> list[tuple[Pointer, tuple[str, ...]]]:
    """Content stems of each text, file names without folder and ending."""
    found = []
    for spot in spots:
        if kinds and spot.kind not in kinds:
            continue
        text = spot.text
        if spot.kind in ("path", "url"):
            text = text.rstrip("/").rpartition("/")[2].rpartition(".")[0] or text
        elif spot.kind == "text":
            text = text.split("\n", 1)[0]
        stems = analyse(text).content
        if stems:
            found.append((spot.pointer, stems))
    return found
