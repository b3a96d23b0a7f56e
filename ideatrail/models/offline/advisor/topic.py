"""The topic phrase: a few ordinary words of the direction, for the workspace folder."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from ideatrail.models.offline.advisor.fieldwords import FIELD_SHARE
from ideatrail.models.offline.advisor.forbidden import Forbidden
from ideatrail.models.offline.advisor.rarity import Rarities
from ideatrail.trail.text import STOPWORDS, content_stems, fold, stem

_JOINTS: Final = frozenset({"of", "in", "for"})
_MOST_WORDS: Final = 5
_WEAK: Final = frozenset(
    "really know could would like understand way ways using based improve reduce tell make made "
    "accurately better best often still remain remains challenging even also far new many high "
    "effectively significantly affect affects increase help helps enable allow keep raise lead "
    "leads "
    "need needs seen start started whole first thing things given common different various several "
    "current recent existing following called address explore possible single real key major good "
    "poor able ability capable main able produce provide cause caused causes require requires yet "
    "typically approach approaches method methods technique techniques way problem problems issue "
    "challenge challenges question questions paper work study research result results highly weak "
    "state art such case particular important generate tend suffer struggle fail fails lack lacks "
    "involve involves contain contains become becomes perform performs achieve relies rely "
    "show shows "
    "despite alone stand faces faced account accounts termed unsolved simple incorrect wrong "
    "demonstrates says impressive raising remarkable significant capabilities raises increased "
    "powerful along certain range sudden chosen whole evaluate really across per vs versus "
    "reproducing limited limits leads due especially worlds get gets take takes work "
    "works well".split()
)
_VERBS: Final = frozenset(
    "improve improves reduce reduces help helps enable enables allow allows decide predict "
    "predicts tell "
    "detect increase increases lower mitigate prevent prevents outperform make makes provide "
    "provides "
    "achieve achieves enhance enhances avoid ensure identify solve explain produce teach "
    "preserve reveal "
    "distinguish generate generates extract select remains remain demonstrate demonstrates exhibit "
    "exhibits struggle struggles withhold quantify prune leverage automate affect affects maintain "
    "maintains prefers attribute raising says rely relies".split()
)
_UNLISTED: Final = 0.35
"""Value of a word that the field hardly uses: a topic is told in words that others use."""


def topic_of(texts: Sequence[str], forbidden: Forbidden) -> str:
    """Two to five words that stand side by side in `texts` and say most of what they are about.

    Args:
        texts: the direction's own sentences, the most telling first.
        forbidden: terms the phrase may not hold.
    """
    counts = Counter(s for t in texts for s in set(content_stems(t)))
    rarities = Rarities()
    best: tuple[float, str] = (0.0, "")
    for position, text in enumerate(texts):
        for run in _runs(text):
            for phrase in _phrases(run):
                content = [w for w in phrase if fold(w) not in _JOINTS]
                value = -0.3 * (len(content) - 2) - 0.8 * position
                value -= 0.3 * content[0].endswith(("ing", "ed", "es"))
                for word in content:
                    root = stem(fold(word))
                    known = rarities.weight(root) if root in FIELD_SHARE else _UNLISTED
                    value += known * (1 + math.log(counts[root] or 1))
                joined = " ".join(phrase)
                if value > best[0] + 1e-9 and len(joined) <= 60 and not forbidden.within(joined):
                    best = (value, joined)
    if best[1]:
        return best[1]
    rest = [w for t in texts for r in _runs(t) for w in r if not forbidden.within(w)]
    plain_words = list(dict.fromkeys(w for w in rest if fold(w) not in _JOINTS | _WEAK))
    words_kept = " ".join(plain_words[:3])[:60]
    return words_kept if len(words_kept) > 2 else "open question"


def _phrases(run: list[str]) -> list[list[str]]:
    """Stretches of a run that begin and end with a telling word."""
    found = []
    for start in range(len(run)):
        for end in range(start + 2, min(start + _MOST_WORDS, len(run)) + 1):
            piece = run[start:end]
            joints = [w for w in piece if fold(w) in _JOINTS]
            after = fold(run[end]) if end < len(run) else ""
            if after and after not in _JOINTS | _WEAK:
                continue  # a phrase ends with its head, not inside a longer one
            ends = {fold(piece[0]), fold(piece[-1])}
            if ends & (_JOINTS | _WEAK) or len(joints) > 1 or len(piece) - len(joints) < 2:
                continue
            if any(fold(w) in _WEAK or fold(w).endswith("ly") for w in piece):
                continue
            found.append(piece)
    return found


def _runs(text: str) -> list[list[str]]:
    """Words of `text` between punctuation and stop words; joints stay inside."""
    runs: list[list[str]] = [[]]
    for token in re.findall(r"[\w’'-]+|[^\w\s]", text):
        word = token.strip("-'’")
        low = fold(word)
        breaks = low in _VERBS or (low in STOPWORDS and low not in _JOINTS)
        if not word or not word[0].isalpha() or breaks or "'" in word or "’" in word:
            runs.append([])
        else:
            runs[-1].append(word if word[1:] != word[1:].lower() else word.lower())
    return [r for r in runs if r]
