"""Locked terms found in text: in a row, joined or split, by stems, in another order, as acronyms.

A table from a term's first stem, or its first four letters, leads to the terms that may begin at a
word, so that a text is gone through once however many terms there are.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ideatrail.trail.oracle import PAPER_ATOM, Lock, Oracle
from ideatrail.trail.stage import Stage, stage_rank
from ideatrail.trail.text import STOPWORDS, stem
from ideatrail.verifier.means import LexiconLike
from ideatrail.verifier.terms import Seen, Words, analyse, tokens

_PREFIX: Final = 4
_JOINED_MIN: Final = 6
"""Shorter forms are matched as words only: joined words hold too many short strings by chance."""
_REVERSED_MIN: Final = 7
_ACRONYM: Final = re.compile(
    r"(?<![A-Za-z0-9])[A-Z][A-Za-z0-9-]*[A-Z][A-Za-z0-9]*s?(?![A-Za-z0-9])"
)
_DEFINED: Final = re.compile(
    r"((?:[\w'-]+[ \t]+){1,7}[\w'-]+)[ \t]*\(([A-Z][A-Za-z0-9-]*[A-Z][A-Za-z0-9]*)s?\)"
)
_ENDINGS: Final = ("", "s", "es", "ed", "ing")
COMMON_SHARE: Final = 0.01
COMMON_PAPERS: Final = 3
"""A word is common where more papers than both of these hold it."""

COMMON_ACRONYMS: Final[frozenset[str]] = frozenset(
    """
    NLP LLM LLMS LM LMS AI ML QA MT NER NLI RNN CNN GPT BERT API URL PDF USA ACL ICL COT RAG RL
    SFT DPO PPO KG IR OCR ASR TTS POS SRL AMR BLEU ROUGE GPU CPU TPU HTML JSON XML SQL
    """.split()
)
"""Shorthand of the field that could be the initials of nearly any term."""


@dataclass(frozen=True)
class Term:
    """One surface form of a lock, ready to be looked for."""

    form: str
    lock: str
    atom: str
    opens_at: Stage | None
    """None: never."""
    content: tuple[str, ...]
    """Content stems; all stems where fewer than two count."""
    plural: str
    """Stem of its last word with an s: no rule of English takes that off an acronym or a name."""
    joined: str
    acronyms: tuple[str, ...]
    common: bool
    """All its words are common ones of the field: they count only in a row as they are, stop words
    with them; of a single one, only its use as a name."""

    def open(self, stage: Stage) -> bool:
        """Whether it may be spoken of in `stage`."""
        return self.opens_at is not None and stage_rank(stage) >= stage_rank(self.opens_at)

    def known(self, seen: Seen) -> bool:
        """Whether it stands in `seen` in any surface form."""
        return (
            seen.phrase(self.content)
            or seen.row(self.content)
            or seen.joined(self.joined)
            or any(a.casefold() in seen.tokens for a in self.acronyms)
        )


@dataclass(frozen=True)
class Match:
    """A term in a text."""

    term: Term
    layer: str
    at: int
    """Index of the first token."""
    said: str
    """The folded words that were matched."""


def _opens(lock: Lock) -> Stage | None:
    """The stage that opens a lock; the paper behind the proposal is never opened."""
    return None if lock.atom == PAPER_ATOM else lock.opens_at


def make_term(
    form: str, lock: Lock | None, lexicon: LexiconLike | None, *, opens_at: Stage | None = None
) -> Term | None:
    """The term of one form, or None where it holds no word."""
    found = analyse(form)
    if not found.tokens:
        return None
    content = found.content if len(found.content) > 1 or len(found.tokens) == 1 else found.stems
    if not content:
        content = found.stems
    common = lexicon is not None and all(
        lexicon.frequency(s) > max(COMMON_PAPERS, COMMON_SHARE * lexicon.size) for s in content
    )
    if len(content) == 1:
        common = common and form.islower() and form.isalpha()
    elif common and len(content) == 2:
        content = found.stems
    return Term(
        form=form,
        lock=lock.id if lock else "target",
        atom=lock.atom if lock else "",
        opens_at=_opens(lock) if lock else opens_at,
        content=content,
        plural=stem(f"{found.tokens[-1]}s"),
        joined="".join(found.tokens),
        acronyms=_acronyms(form, lexicon),
        common=common,
    )


def _acronyms(form: str, lexicon: LexiconLike | None) -> tuple[str, ...]:
    words = re.findall(r"[A-Za-z][A-Za-z0-9']*", unicodedata.normalize("NFKC", form))
    if len(words) < 3:
        return ()
    content = [w for w in words if analyse(w).content]
    made = {"".join(w[0] for w in some).upper() for some in (words, content)}
    return tuple(
        a
        for a in sorted(made)
        if len(a) >= 3
        and a not in COMMON_ACRONYMS
        and (lexicon is None or lexicon.name_frequency(a) < 3)
    )


def oracle_terms(oracle: Oracle, lexicon: LexiconLike | None) -> tuple[Term, ...]:
    """All forms of all locks, and the expansions of acronyms that the atoms' texts define."""
    defined = _definitions(a.text for a in oracle.atoms)
    terms: dict[tuple[str, tuple[str, ...], str], Term] = {}
    for lock in oracle.locks:
        forms = list(lock.forms)
        for form in lock.forms:
            forms += [long for long, short in defined if tokens(short) == tokens(form)]
            forms += [short for long, short in defined if tokens(long) == tokens(form)]
        for form in forms:
            term = make_term(form, lock, lexicon)
            if term:
                terms.setdefault((term.lock, term.content, term.joined), term)
    return tuple(terms.values())


def _definitions(texts: Iterable[str]) -> list[tuple[str, str]]:
    """(long form, acronym) of each `Long Form (LF)` whose initials fit."""
    found = []
    for text in texts:
        for match in _DEFINED.finditer(text):
            letters = [c for c in match.group(2).casefold() if c.isalpha()]
            words = re.split(r"[\s-]+", match.group(1).strip())
            for start in range(len(words)):
                part = words[start:]
                initials = "".join(w[0].casefold() for w in part if w)
                content = "".join(w[0].casefold() for w in part if analyse(w).content)
                if "".join(letters) in (initials, content):
                    found.append((" ".join(part), match.group(2)))
                    break
    return found


class Matcher:
    """Finds terms in text."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self.terms = tuple(terms)
        self._rows: dict[str, list[tuple[tuple[str, ...], Term]]] = defaultdict(list)
        self._joined: dict[str, list[tuple[str, str, Term]]] = defaultdict(list)
        self._bags: dict[int, dict[tuple[str, ...], list[Term]]] = defaultdict(dict)
        self._acronyms: dict[str, list[Term]] = defaultdict(list)
        for term in self.terms:
            word = term.common and len(term.content) == 1
            rows = [term.content, (*term.content[:-1], term.plural)]
            if len(term.content) > 1 and len(term.joined) < _JOINED_MIN:
                rows.append((term.joined,))
            for row in rows:
                if (row, term) not in self._rows[row[0]]:
                    self._rows[row[0]].append((row, term))
            if len(term.joined) >= _JOINED_MIN and not word:
                self._joined[term.joined[:_PREFIX]].append((term.joined, "joined", term))
            if len(term.joined) >= _REVERSED_MIN and not word:
                back = term.joined[::-1]
                self._joined[back[:_PREFIX]].append((back, "order", term))
            if len(term.content) > (2 if term.common else 1):
                bag = tuple(sorted(term.content))
                self._bags[len(bag)].setdefault(bag, []).append(term)
            for acronym in term.acronyms:
                self._acronyms[acronym].append(term)

    def scan(self, text: str) -> list[Match]:
        """Every term in `text`, at each place and in each way it was found."""
        found = analyse(text)
        out: list[Match] = []
        self._scan_rows(text, found, out)
        content, where = found.content, found.content_at
        for size, bags in self._bags.items():
            for i in range(len(content) - size + 1):
                for term in bags.get(tuple(sorted(content[i : i + size])), ()):
                    if content[i : i + size] != term.content:
                        row = found.tokens[where[i] : where[i + size - 1] + 1]
                        out.append(Match(term, "order", where[i], " ".join(row)))
        self._scan_joined(text, found.tokens, out)
        if self._acronyms:
            for match in _ACRONYM.finditer(unicodedata.normalize("NFKC", text)):
                letters = match.group().replace("-", "")
                for acronym in {letters.upper(), letters.removesuffix("s").upper()}:
                    for term in self._acronyms.get(acronym, ()):
                        at = len(tokens(text[: match.start()]))
                        out.append(Match(term, "acronym", at, match.group().casefold()))
        return out

    def _scan_rows(self, text: str, found: Words, out: list[Match]) -> None:
        """Stems in a row: content stems, and all stems for terms whose stop words count."""
        every = range(len(found.stems))
        for row, places in ((found.content, found.content_at), (found.stems, every)):
            for i, head in enumerate(row):
                for wanted, term in self._rows.get(head, ()):
                    size = len(wanted)
                    if row[i : i + size] != wanted:
                        continue
                    if term.common and not _as_written(text, term.form):
                        continue
                    said = found.tokens[places[i] : places[i + size - 1] + 1]
                    layer = "surface" if "".join(said) == term.joined else "stems"
                    out.append(Match(term, layer, places[i], " ".join(said)))

    def _scan_joined(self, text: str, words: tuple[str, ...], out: list[Match]) -> None:
        """Letters in a row, however they are split into words, forwards and backwards."""
        flat = "".join(words)
        if not flat or not self._joined:
            return
        starts: list[int] = []
        position = 0
        for word in words:
            starts.append(position)
            position += len(word)
        ends = {s + len(w): n for n, (s, w) in enumerate(zip(starts, words, strict=True))}
        for index, start in enumerate(starts):
            for form, layer, term in self._joined.get(flat[start : start + _PREFIX], ()):
                if not flat.startswith(form, start):
                    continue
                end = start + len(form)
                last = next(
                    (
                        ends[end + len(x)]
                        for x in _ENDINGS
                        if end + len(x) in ends and flat.startswith(x, end)
                    ),
                    None,
                )
                if last is not None:
                    said = " ".join(words[index : last + 1])
                    if term.common and " " in said and not _as_written(text, term.form):
                        continue
                    out.append(Match(term, layer, index, said))


def _as_written(text: str, form: str) -> bool:
    """Whether a form of common words alone is used as the name it is.

    A plain word: with a capital inside a sentence. A name with a stop word in it (`IS-LLM`):
    written together, or with its capitals. Other words in a row are as they are.
    """
    if not text.isascii():
        text = "".join(c for c in text if unicodedata.category(c) != "Cf")
    if form.isalpha() and form.islower():
        return bool(re.search(rf"(?<=[a-z,;] ){re.escape(form[:1].upper() + form[1:])}\b", text))
    parts = [p for p in re.split(r"[\s_-]+", form) if p]
    if len(parts) != 2 or not any(p.casefold() in STOPWORDS for p in parts) or form.islower():
        return True
    one, two = map(re.escape, parts)
    together = re.search(f"{one}[_-]?{two}", text, re.IGNORECASE)
    return bool(together or re.search(rf"{one}\s+{two}", text))


def spelled(
    content: Sequence[str],
    pieces: Sequence[tuple[str, ...]],
    *,
    new_from: int,
    skips: int,
    whole: bool = False,
) -> int | None:
    """Where `content` is finished when it is spelled over two pieces or more, a part at an edge of
    each; None where it is not.

    Args:
        content: a term's content stems.
        pieces: content stems of texts in their order.
        new_from: index of the first piece that is new; the last part has to stand in a new one.
        skips: how many pieces without a part may lie between two parts.
        whole: only pieces that are a part, and nothing more, count.
    """
    wanted = tuple(content)
    size = len(wanted)
    reached: dict[int, int] = {}
    for index, piece in enumerate(pieces):
        fresh: dict[int, int] = {}
        for done, last in [(0, index), *reached.items()]:
            if done and index - last - 1 > skips:
                continue
            for more in range(1, min(size - done, size - 1, len(piece)) + 1):
                part = wanted[done : done + more]
                if whole and len(piece) != more:
                    continue
                if piece[:more] == part or piece[len(piece) - more :] == part:
                    fresh[done + more] = index
        if fresh.get(size) is not None and index >= new_from:
            return index
        fresh.pop(size, None)
        reached.update(fresh)
    return None
