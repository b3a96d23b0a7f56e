"""Terms that a text may not hold, in any surface form that a reader would recognise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ideatrail.trail.text import STOPWORDS, fold, stem, words


@dataclass(frozen=True)
class Forbidden:
    """Forms as stems, joined letters and initials."""

    forms: tuple[str, ...]
    _stems: tuple[tuple[str, ...], ...]
    _scattered: tuple[frozenset[str], ...]
    """Content stems of the forms given, to be found near each other in any order."""
    _joined: frozenset[str]
    _initials: frozenset[str]
    _acronyms: frozenset[str]

    @classmethod
    def of(cls, forms: Iterable[str]) -> Forbidden:
        """Prepare `forms` and their cores (`step-back` of `Step-Back Prompting`)."""
        given = [f.strip() for f in forms if _words(f)]
        kept = tuple(dict.fromkeys([*given, *(c for f in given if (c := core(f)))]))
        tokens = [_words(f) for f in kept]
        return cls(
            forms=kept,
            _stems=tuple(tuple(stem(w) for w in t) for t in tokens),
            _scattered=tuple(
                kind
                for f in dict.fromkeys(given)
                if 2
                <= len(kind := frozenset(stem(w) for w in _words(f) if w not in STOPWORDS))
                <= 8
            ),
            _joined=frozenset("".join(t) for t in tokens if len("".join(t)) > 4),
            _initials=frozenset(
                "".join(w[0] for w in t if w not in STOPWORDS) for t in tokens if 3 <= len(t) <= 7
            ),
            _acronyms=frozenset(
                t[0]
                for f, t in zip(kept, tokens, strict=True)
                if len(t) == 1 and 4 <= len(t[0]) <= 7 and f.isupper()
            ),
        )

    def within(self, text: str) -> bool:
        """True where `text` holds a form: the same stems side by side or near each other, written
        together, or as initials."""
        tokens = _words(text)
        rooted = [stem(w) for w in tokens]
        if any(_contains(rooted, form) for form in self._stems):
            return True
        for size in (1, 2, 3, 4):
            for start in range(len(tokens) - size + 1):
                if "".join(tokens[start : start + size]) in self._joined:
                    return True
        upper = {
            fold(w)
            for w in text.replace("-", " ").split()
            if len(w) > 2 and w.strip(".,;:?!()s").isupper()
        }
        if any(u.strip(".,;:?!()") in self._initials for u in upper):
            return True
        content = [w for w in tokens if w not in STOPWORDS]
        near = [stem(w) for w in content]
        for wanted in self._scattered:
            size = len(wanted) + (2 if len(wanted) > 2 else 1)
            spans = range(max(1, len(near) - size + 1))
            if any(wanted <= set(near[start : start + size]) for start in spans):
                return True
        return any(
            "".join(w[0] for w in content[start : start + len(acronym)]) == acronym
            for acronym in self._acronyms
            for start in range(len(content) - len(acronym) + 1)
        )


_HEADS: Final = frozenset(
    "prompting prompt prompts method methods approach framework model models network networks "
    "learning training decoding algorithm system mechanism technique strategy procedure module "
    "loss "
    "objective pipeline tuning filtering generation inference solver solvers llm llms gpt".split()
)
_LEADS: Final = frozenset("take taking towards toward the a an using learning with via on".split())


def _words(text: str) -> list[str]:
    """Words of `text`; a possessive ending is no part of one."""
    return [re.sub(r"['’]s$", "", w) for w in words(text)]


def core(form: str) -> str:
    """A short name without its general head and lead, where two content words or more are left.

    Whoever takes a method's name out of a message takes out its core as well.
    """
    tokens = _words(form)
    if not 2 <= len(tokens) <= 5:
        return ""
    start, end = 0, len(tokens)
    while end > start and tokens[end - 1] in _HEADS:
        end -= 1
    while start < end and tokens[start] in _LEADS:
        start += 1
    rest = tokens[start:end]
    content = [t for t in rest if t not in STOPWORDS]
    changed = 0 < len(rest) < len(tokens)
    return " ".join(rest) if changed and len(content) >= 2 else ""


def _contains(hay: Sequence[str], needle: Sequence[str]) -> bool:
    size = len(needle)
    return any(tuple(hay[i : i + size]) == tuple(needle) for i in range(len(hay) - size + 1))
