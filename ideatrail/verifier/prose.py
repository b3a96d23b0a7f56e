"""Attributions, quoted spans and measured numbers in running text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ideatrail.trail.text import squeeze, words

_PARTICLE: Final = "(?:de|van|von|der|den|la|le|da|di|el|al|bin|ben)"
_NAME: Final = rf"[^\W\d_][\w'’-]+(?: {_PARTICLE}(?= )| [A-Z][\w'’-]+){{0,3}}"
_CAPITAL: Final = rf"(?=[A-ZÀ-ÖØ-ÞĀ-ŽΑ-ΩА-Я]|{_PARTICLE} [A-Z]){_NAME}"
_ET_AL: Final = re.compile(
    rf"({_CAPITAL})(?:'s)?,? et al\.?,?(?:'s)? ?(?:[(\[]?(\d{{4}})[a-z]?[)\]]?)?"
)
_PAIR: Final = re.compile(rf"({_CAPITAL}) (?:and|&) ({_CAPITAL}),? [(\[]?(\d{{4}})[a-z]?[)\]]")
_ONE: Final = re.compile(
    rf"[(\[;] ?(?:see |e\.g\.,? |cf\. )?({_CAPITAL}),? (\d{{4}})[a-z]?(?=[)\];,])"
)
_AUTHOR_YEAR: Final = re.compile(rf"(?<![(\[\w])({_CAPITAL})(?:'s)? [(\[](\d{{4}})[a-z]?[)\]]")
_STRAIGHT: Final = re.compile(r'(?<![\w"])"([^"\n]+)"(?![\w"])')
_CURLY: Final = re.compile(r"“([^“”\n]+)”")
_ELLIPSIS: Final = re.compile(r"\s*(?:\[?(?:\.\.\.|…)\]?)\s*")

UNIT: Final = (
    r"%[ -]?points?|%|percent(?:age)?(?: points?)?|pp\b|points?\b|bleu\b|rouge(?:-\w+)?\b"
    r"|f1\b|accuracy\b"
    r"|x\b|×|times\b|fold\b|-fold\b|million\b|billion\b|thousand\b|[kmb]\b|hours?\b|tokens?\b"
    r"|languages?\b|datasets?\b|examples?\b|sentences?\b|parameters?\b|layers?\b|annotators?\b"
    r"|papers?\b|models?\b|systems?\b|tasks?\b|questions?\b|instances?\b|pairs?\b|documents?\b"
)
_NUMBER: Final = re.compile(
    rf"(?<![\w.,\[(/#-])([-−–+±]?)(\d+(?:,\d{{3}})*(?:\.\d+)?)(?![\w.]*\d)[ -]?({UNIT})?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Attribution:
    """A work named by its authors in running text."""

    names: tuple[str, ...]
    year: str
    text: str


@dataclass(frozen=True)
class Number:
    """A measured number: sign, digits without separators, unit as compared."""

    sign: str
    digits: str
    unit: str
    text: str


def attributions(text: str) -> list[Attribution]:
    """`Name et al. (2020)`, `(Name and Name, 2020)`, `(Name, 2020)`, in order of kind."""
    found: dict[tuple[int, int], Attribution] = {}
    for match in _ET_AL.finditer(text):
        found[match.span(1)] = Attribution((match[1],), match[2] or "", match.group().strip())
    for match in _PAIR.finditer(text):
        found[match.span(1)] = Attribution((match[1], match[2]), match[3], match.group().strip())
    for pattern in (_ONE, _AUTHOR_YEAR):
        for match in pattern.finditer(text):
            found.setdefault(
                match.span(1), Attribution((match[1],), match[2], match.group().strip("([;, "))
            )
    return list(found.values())


def quoted_spans(text: str, least: int = 5) -> list[str]:
    """What stands in double quotes and has at least `least` words."""
    spans = [*_STRAIGHT.findall(text), *_CURLY.findall(text)]
    return [s for s in spans if len(s.split()) >= least]


def pieces(span: str) -> list[str]:
    """The parts of a quoted span between ellipses, as they are looked for: squeezed, without the
    writer's own punctuation at the end."""
    return [
        p
        for part in _ELLIPSIS.split(squeeze(span))
        if len((p := part.strip(" .,;:!?-")).split()) >= 2
    ]


_UNITS: Final[dict[str, str]] = {
    "percent": "%",
    "percentage": "%",
    "%points": "points",
    "% points": "points",
    "%-points": "points",
    "% point": "points",
    "percentage point": "points",
    "percentage points": "points",
    "percent points": "points",
    "pp": "points",
    "point": "points",
    "x": "times",
    "×": "times",
    "time": "times",
    "fold": "times",
    "-fold": "times",
    "k": "thousand",
    "m": "million",
    "b": "billion",
}


def numbers(text: str, least: int | None = None) -> list[Number]:
    """Numbers with a unit, a sign or decimals; bare whole numbers measure nothing by themselves.

    Args:
        text: any text.
        least: bare whole numbers from this on are taken, too; None: none are.
    """
    found = []
    for match in _NUMBER.finditer(text):
        sign = "-" if match[1] in ("-", "−") else "+" if match[1] == "+" else ""
        unit = (match[3] or "").casefold()
        unit = _UNITS.get(unit, unit)
        whole = match[2].replace(",", "")
        bare = not unit and "." not in whole and not sign
        if bare and (least is None or int(whole) < least):
            continue
        found.append(Number(sign, match[2].replace(",", ""), unit, match.group().strip()))
    return found


_MEASURES: Final = frozenset({"%", "points", "times", "thousand", "million", "billion"})


def stands(number: Number, held: list[Number], text: str) -> bool:
    """Whether `number` stands in an observation, with its sign and unit.

    `held` are the numbers of the observation and `text` all of it. Where the unit is a plain noun
    the digits are enough: `3 languages` may stand as `three low-resource languages`.
    """
    same = [h for h in held if h.digits == number.digits and _sign(h.sign) == _sign(number.sign)]
    if number.unit in _MEASURES:
        return any(h.unit == number.unit for h in same)
    if same:
        return True
    if re.search(rf"(?<![\d.]){re.escape(number.digits)}(?![\d]|\.\d)", text.replace(",", "")):
        return _sign(number.sign) != "-"
    spelled = _SPELLED.get(number.digits)
    return spelled is not None and spelled in words(text)


def _sign(sign: str) -> str:
    return "-" if sign == "-" else ""


_SPELLED: Final[dict[str, str]] = {
    str(n): word
    for n, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
