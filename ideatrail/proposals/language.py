"""A cheap guess at a text's language: by script, then by its commonest words."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

_SCRIPTS: Final[tuple[tuple[str, str], ...]] = (
    # Kana before Han and Hangul before Han: Japanese and Korean use Han as well.
    ("ja", "\u3040-\u30ff"),
    ("ko", "\uac00-\ud7af"),
    ("zh", "\u4e00-\u9fff"),
    ("ru", "\u0400-\u04ff"),
    ("el", "\u0370-\u03ff"),
    ("ar", "\u0600-\u06ff"),
    ("he", "\u0590-\u05ff"),
    ("hi", "\u0900-\u097f"),
    ("th", "\u0e00-\u0e7f"),
)
_SCRIPT_PATTERNS: Final = tuple((tag, re.compile(f"[{span}]")) for tag, span in _SCRIPTS)

_COMMON: Final[dict[str, frozenset[str]]] = {
    "en": frozenset(
        """
    the of and to in is that for with are this be on as we by from which not it
    """.split()
    ),
    "de": frozenset(
        """
    der die das und ist nicht mit von den ein eine auf für dem sich des zu werden wir im
    """.split()
    ),
    "fr": frozenset(
        """
    le la les des et est une dans que pour qui sur pas par nous du au ce avec sont
    """.split()
    ),
    "es": frozenset(
        """
    el la los las de que y en un una es por con para del se no su como más
    """.split()
    ),
    "it": frozenset(
        """
    il lo gli della che è di un una per con non sono del le nel dei si come alla
    """.split()
    ),
    "pt": frozenset(
        """
    o os da do das dos que e em um uma para com não é por no na se mais
    """.split()
    ),
    "nl": frozenset(
        """
    de het een en van is dat niet op te voor met zijn aan er wij deze door wordt bij
    """.split()
    ),
}

SAMPLE: Final = 20_000
"""Characters looked at; more would change no guess."""


def guess_language(text: str) -> str:
    """The ISO 639-1 code of the likeliest language, or `und` where nothing tells."""
    sample = text[:SAMPLE]
    letters = sum(c.isalpha() for c in sample)
    if not letters:
        return "und"
    for tag, pattern in _SCRIPT_PATTERNS:
        share = len(pattern.findall(sample)) / letters
        if share > (0.1 if tag in ("ja", "ko") else 0.3):
            return tag
    counts = Counter(re.findall(r"[^\W\d_]+", sample.lower()))
    total = sum(counts.values())
    scores = {tag: sum(counts[w] for w in ws) / total for tag, ws in _COMMON.items()}
    best = max(scores, key=lambda tag: scores[tag])
    return best if scores[best] >= 0.06 else "und"
