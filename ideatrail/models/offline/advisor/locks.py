"""Leakage locks: the surface forms that would give a target away before its time.

A lock holds what only someone who knows the proposal would write: coined names, the title, rare
terms of its method, benchmark names, decision thresholds. Words of the field and words of the
research question are free: everyone on the topic uses them (paper, section 4.2).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ideatrail.models.offline.advisor.names import (
    COMMON_NAMES,
    benchmarks,
    coined,
    is_common,
    texts_of,
    title_of,
)
from ideatrail.models.offline.advisor.pieces import plain
from ideatrail.models.offline.advisor.rarity import Rarities
from ideatrail.trail.oracle import Atom, AtomKind, Lock, Seed
from ideatrail.trail.stage import Stage
from ideatrail.trail.text import STOPWORDS, content_stems, fold, stem, stems, words

_MOST_TERMS: Final = 8
_MOST_NUMBERS: Final = 6
_RARE: Final = 0.75
"""Least weight of a term's rarest stem: it stands in under about 1 in 300 papers."""
_KNOWN: Final = 0.4
"""Least weight of its commonest stem: under about 1 in 20 papers."""
_COINED: Final = 0.8
"""A stem this rare makes a term even with a common head (`… score`), if no paper holds the pair."""
_CHUNK: Final = re.compile(r"[^\w\s'’-]+|\n+")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z’']*(?:-[A-Za-z][A-Za-z’']*)*")
_EMPHASIS: Final = re.compile(r"(?:\*{1,2}|_|[\"“])([A-Za-z][\w -]{3,40}?)(?:\*{1,2}|_|[\"”])")
_THRESHOLD: Final = re.compile(
    r"\b(?:at least|at most|more than|less than|fewer than|no more than|not more than|below|"
    r"above|under|"
    r"over|within|beyond|exceed(?:s|ing)?|by|reach(?:es)?)\s+(?:an?\s+)?(?:\w+\s+){0,2}?"
    r"\d[\d.,]*\s*(?:%|percent(?:age points?)?|(?:absolute |relative )?points?|pp\b|times\b|"
    r"x\b|of\b)?"
    r"(?:\s+(?:[A-Za-z-]+)){0,4}"
)
_NOT_TERM_ENDS: Final = frozenset(
    """
    better best worse new novel different various several proposed resulting given used based
    such current existing original final particular specific possible large small high low good
    certain able due available likely effective significant important additional further
    following previous
    """.split()
)
_VERBS: Final = frozenset(
    """
    use uses used using compare compares compared test tests tested evaluate evaluates measure
    measures train trains trained prompt prompts generate generates generated ask asks asked
    apply applies applied prepend append compute computes computed improve improves improved
    reduce reduces predict predicts predicted select selects selected implement implements run
    runs contain contains include includes perform performs define defines defined score scores
    give gives given take takes taken show shows shown let lets get gets find finds found help
    helps leads lead keep keeps kept add adds added require requires required provide provides
    provided make makes allow allows enable enables introduce introduces propose proposes
    collect collects collected report reports become becomes choose chosen draw draws drawn drop
    drops dropped set sets update updates updated identify identifies leverage leverages
    investigate modify adjust encourage mimic study
    """.split()
)

_OPENS: Final[dict[str, Stage]] = {
    "name": "propose",
    "term": "ideate",
    "benchmark": "propose",
    "number": "propose",
}
_HOME: Final[dict[str, tuple[AtomKind, ...]]] = {
    "name": ("method", "thesis", "novelty", "other"),
    "term": ("method", "thesis", "novelty", "other"),
    "benchmark": ("evaluation", "decision_rule", "method", "other"),
    "number": ("decision_rule", "evaluation", "thesis", "method", "other"),
}


@dataclass(frozen=True)
class _Form:
    sort: str
    """A key of _OPENS."""
    text: str


def find_locks(seed: Seed, atoms: Sequence[Atom], rarities: Rarities) -> list[Lock]:
    """Locks on the surface forms of `atoms`; forms with one atom and one stage share a lock."""
    forms = [
        *(_Form("name", n) for n in _names(seed)),
        *(_Form("term", t) for t in _terms(seed, rarities)),
        *(_Form("benchmark", b) for b in benchmarks(seed)),
        *(_Form("number", n) for n in _thresholds(seed)),
    ]
    grouped: dict[tuple[str, Stage], dict[str, str]] = {}
    taken: set[str] = set()
    for form in forms:
        key = " ".join(stems(form.text))
        if not key or key in taken:
            continue
        taken.add(key)
        home = _home(form, atoms)
        if home is not None:
            grouped.setdefault((home.id, _OPENS[form.sort]), {})[fold(form.text)] = form.text
    order = {atom.id: n for n, atom in enumerate(atoms)}
    ranked = sorted(grouped.items(), key=lambda kv: (order[kv[0][0]], kv[0][1]))
    return [
        Lock(id=f"lock-{n}", atom=atom, forms=list(found.values()), opens_at=stage)
        for n, ((atom, stage), found) in enumerate(ranked, 1)
    ]


def _names(seed: Seed) -> list[str]:
    title = title_of(seed)
    names = coined(seed)
    if len(content_stems(title)) >= 3:
        names.append(title)
        head, colon, tail = title.partition(":")
        question = set(stems(seed.research_question))
        for half in (head, tail) if colon else ():
            if len(content_stems(half)) >= 4 and not set(content_stems(half)) <= question:
                names.append(half.strip())
    return names


def _terms(seed: Seed, rarities: Rarities) -> list[str]:
    """Distinctive multiword terms of method and thesis, most distinctive first."""
    source = "\n".join([seed.method, seed.thesis, seed.novelty_claim])
    text = plain(source)
    everything = plain(
        "\n".join([source, seed.evaluation, *texts_of(seed.extra.get("implementation"))])
    )
    asked = stems(seed.research_question)
    own = [stems(n) for n in coined(seed)]
    marked = {" ".join(stems(m[1])) for m in _EMPHASIS.finditer(source)}
    surfaces: dict[str, Counter[str]] = {}
    for run in _runs(text):
        for size in (2, 3):
            for start in range(len(run) - size + 1):
                piece = run[start : start + size]
                if _is_term(piece):
                    key = " ".join(stems(" ".join(piece)))
                    surfaces.setdefault(key, Counter())[" ".join(piece).lower()] += 1
    spoken = " ".join(stems(everything))
    scored: list[tuple[float, str, str]] = []
    for key, seen in surfaces.items():
        parts = key.split()
        if _within(parts, asked) or set(parts) <= set(asked):
            continue
        if any(_within(name, parts) for name in own):
            continue  # locked by its name
        weights = [rarities.weight(p) for p in parts]
        count = len(re.findall(rf"(?<!\S){re.escape(key)}(?!\S)", spoken))
        papers = rarities.count(key)
        coined_head = papers == 0 and max(weights) >= _COINED
        if max(weights) < _RARE or (min(weights) < _KNOWN and not coined_head):
            continue
        if papers is not None and papers > max(1, rarities.size // 2500):
            continue
        surface = max(sorted(seen), key=lambda s: seen[s])
        if count < (2 if papers == 0 or "-" in surface else 3) and key not in marked:
            continue
        score = (sum(weights) / len(weights)) * (1 + min(count, 6)) + (2 if key in marked else 0)
        scored.append((score, key, surface))
    scored.sort(key=lambda s: (-s[0], s[1]))
    chosen: list[str] = []
    keys: list[list[str]] = []
    for _, key, surface in scored:
        parts = key.split()
        if any(_within(k, parts) or _within(parts, k) for k in keys):
            continue
        keys.append(parts)
        chosen.append(surface)
        if len(chosen) == _MOST_TERMS:
            break
    return chosen


def _runs(text: str) -> list[list[str]]:
    """Runs of content words of prose; maths and stop words end a run."""
    text = re.sub(
        r"\$\$.*?\$\$|\$[^$\n]*\$|\\\[.*?\\\]|\\\(.*?\\\)|\\[a-zA-Z]+", " . ", text, flags=re.DOTALL
    )
    runs: list[list[str]] = []
    for chunk in _CHUNK.split(text):
        run: list[str] = []
        for token in chunk.split():
            if _WORD.fullmatch(token) and fold(token) not in STOPWORDS:
                run.append(token)
            else:
                runs.append(run)
                run = []
        runs.append(run)
    return [r for r in runs if len(r) > 1]


def _is_term(piece: list[str]) -> bool:
    """True where `piece` reads like a noun phrase with a head."""
    lower = [fold(p) for p in piece]
    if any(len(p) < 3 or "’" in p or "'" in p or p in COMMON_NAMES for p in lower) or len(
        set(lower)
    ) < len(lower):
        return False
    first, last = lower[0], lower[-1]
    if any(p.endswith("ly") for p in lower) or first.endswith("ing"):
        return False
    if any(p in _VERBS for p in lower[:-1]) or (last in _VERBS and last not in _ALSO_NOUNS):
        return False
    if first in _NOT_TERM_ENDS or last in _NOT_TERM_ENDS or is_common(" ".join(piece)):
        return False
    if last.endswith("ing"):
        return last in _NOUNS_IN_ING
    return not (
        last.endswith(("ed", "ive", "able", "ible", "ous", "ful", "ic", "al", "ent", "ant", "ary"))
        and last not in _NOUNS
    )


_ALSO_NOUNS: Final = frozenset(
    "score scores test tests prompt prompts map maps split splits store stores match matches limit "
    "limits change changes filter filters support draw drop measure measures update updates design "
    "call calls name names end train".split()
)
_NOUNS_IN_ING: Final = frozenset(
    "prompting learning modeling modelling decoding sampling tuning training filtering reasoning "
    "embedding ranking reranking parsing scoring encoding pruning masking matching mapping judging "
    "editing planning mixing grounding routing voting debating quoting meaning string ordering "
    "weighting clustering searching rewriting updating gating drawing forgetting smoothing".split()
)
_NOUNS: Final = frozenset(
    "seed feed speed breed metric topic logic heuristic critic statistic signal retrieval removal "
    "proposal goal trial interval journal approval recall token agent document segment component "
    "argument judgment judgement statement experiment environment element moment content assistant "
    "variant constant relevant narrative objective alternative dictionary vocabulary boundary "
    "summary library commentary adversary table variable event intent patent client gradient "
    "coefficient agreement disagreement entailment alignment assignment adjustment".split()
)


def _within(needle: Sequence[str], hay: Sequence[str]) -> bool:
    size = len(needle)
    return any(list(hay[i : i + size]) == list(needle) for i in range(len(hay) - size + 1))


def _thresholds(seed: Seed) -> list[str]:
    """Decision thresholds with their wording: a bare number is anyone's."""
    rule = "\n".join(texts_of(seed.extra.get("decision_rule")))
    found: dict[str, str] = {}
    for match in _THRESHOLD.finditer(plain(rule or seed.evaluation)):
        text = " ".join(match[0].split()).rstrip(" .,;:")
        while words(text) and words(text)[-1] in STOPWORDS and " " in text:
            text = text.rsplit(" ", 1)[0]
        tail = re.split(r"\d[\d.,]*", text, maxsplit=1)[-1]
        if len(words(text)) >= 4 and any(w not in STOPWORDS for w in words(tail)):
            found.setdefault(fold(text), text)
    return list(found.values())[:_MOST_NUMBERS]


def _home(form: _Form, atoms: Sequence[Atom]) -> Atom | None:
    """The atom that a form is locked for: one that holds it, by the kinds' order of preference;
    else, of the first kind there is, the one that shares most words with it."""
    key = stems(form.text)
    groups = [[a for a in atoms if a.kind == kind] for kind in _HOME[form.sort]]
    for atom in (a for group in groups for a in group):
        if _within(key, stems(atom.text)):
            return atom
    parts = {stem(w) for w in words(form.text) if w not in STOPWORDS}
    nearest = next((group for group in groups if group), list(atoms[:1]))
    return max(nearest, key=lambda a: len(parts & set(stems(a.text))), default=None)
