"""What a page says: its sentences with the part each plays, and fragments fit to build on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal

from ideatrail.models.offline.phrases import topic_stems
from ideatrail.models.offline.restate import CONNECTIVE
from ideatrail.trail.text import sentences, words

Role = Literal["problem", "mechanism", "finding", "limitation", "contrast", "other"]


_MECHANISM: Final = re.compile(
    r"\b(?:we|this (?:paper|work|study|article)|authors?|they) (?:\w+ly |also |then |first |here )?"
    r"(?:propos|present|introduc|develop|design|describ|formulat|devis|construct|creat|build|"
    r"train|us|employ|leverag|extend|adapt|combin|incorporat|exploit|augment|investigat)\w*\b"
    r"|\b(?:our|the proposed|the) (?:method|approach|model|framework|algorithm|system|technique|"
    r"architecture|procedure|strategy)\b.{0,50}\b(?:consist|us|learn|generat|combin|leverag|employ|"
    r"first|predict|estimat|select|encod|decompos|work|train|rank|retriev|scor|is|are)\w*\b"
    r"|\bby \w+ing\b|\b(?:is|are) (?:then |first )?(?:trained|fed|fine-tuned|prompted|asked|scored|"
    r"ranked|sampled|decomposed|rewritten|reweighted|retrieved|treated|cast|split|read off)\b",
    re.IGNORECASE,
)


_FINDING: Final = re.compile(
    r"\b(?:show|demonstrat|find|found|reveal|observ|confirm|conclud|suggest|indicat|outperform|"
    r"improv|achiev|surpass|exceed|yield|correlat|gain|better|worse|higher|lower|reduc|increas|"
    r"competitive|significant|robust|effective|agree|beat|fall|fell|rise|rose|drop|help)\w*\b",
    re.IGNORECASE,
)


OWN: Final = re.compile(
    r"\b(?:we|our|us|this (?:paper|work|study|article|research)|the proposed|the paper|proposed "
    r"(?:method|model|approach|framework))\b",
    re.IGNORECASE,
)


_RESULT: Final = re.compile(
    r"\bwe (?:\w+ly |also |further )?(?:show|find|found|demonstrate|observe|discover|reveal|"
    r"conclude)\b|"
    r"\b(?:results?|experiments?|findings|analys[ie]s|evaluations?)\b.{0,60}\b(?:show|suggest|"
    r"demonstrate|"
    r"indicate|reveal|confirm)\w*\b|\boutperform\w*\b|\b(?:our|the proposed|proposed) \w+(?: \w+)? "
    r"(?:\w+ly )?(?:improv|achiev|outperform|surpass|yield|reduc)\w*\b",
    re.IGNORECASE,
)


_LIMITATION: Final = re.compile(
    r"\b(?:limit\w*|unclear|remain\w* (?:open|unclear|unknown|a challenge|challenging|difficult|"
    r"limited)|not (?:addressed|tested|examined|mentioned|covered|studied|clear|shown|say)|"
    r"leaves? open|left (?:open|out)|future work|no (?:figure|experiment|comparison|evidence|"
    r"breakdown|test|account|analysis|recipe)\w*|nothing (?:indicates|in|is)|untested|unanswered|"
    r"is open|presuppos\w+|only (?:one|a single|two)|does not|do not|did not|cannot|at the cost of|"
    r"fails? (?:to|when|on)|room for improvement|far from|still)\b",
    re.IGNORECASE,
)


_PROBLEM: Final = re.compile(
    r"\b(?:however|challeng\w+|lack\w*|fail\w*|struggl\w+|suffer\w*|difficult\w*|problem\w*|"
    r"costly|expensive|poor\w*|hinder\w*|overlook\w*|ignor\w+|neglect\w*|prone|vulnerab\w+|"
    r"bias(?:ed|es)|unreliab\w+|hallucinat\w+|scarc\w+|bottleneck|brittle|insufficient\w*|"
    r"inconsisten\w+|overconfiden\w+|noisy|error-prone|degrad\w+|little is known|understudied|"
    r"under-?explored|labor-intensive|time-consuming|shortcoming\w*|weakness\w*)\b",
    re.IGNORECASE,
)


_CONTRAST: Final = re.compile(
    r"\b(?:while|whereas|although|in contrast|unlike|rather than|instead of|contrary to|yet|"
    r"on the other hand|despite|surprisingly|even though|as opposed to)\b",
    re.IGNORECASE,
)


_POSITIVE: Final = re.compile(
    r"\b(?:improv\w+|outperform\w*|effective\w*|better|robust\w*|gains?|higher|reliabl[ey]|"
    r"strong\w*|"
    r"success\w*|surpass\w*|benefi\w+|superior|accurate\w*|helps?|helpful|promising|well|reduc\w+|"
    r"state-of-the-art|exceed\w*|competitive|agree\w*|consistent\w*|useful|enhanc\w+|boost\w*)\b",
    re.IGNORECASE,
)


_NEGATIVE: Final = re.compile(
    r"\b(?:fail\w*|poor\w*|limited|degrad\w+|worse\w*|struggl\w+|not(?! only)|no|nor|lack\w*|"
    r"bias\w*|unreliab\w+|"
    r"overconfiden\w+|brittle|suffer\w*|drops?|dropped|cannot|weak\w*|hardly|little|difficult\w*|"
    r"inconsisten\w+|vulnerab\w+|unable|harm\w*|hurt\w*|sensitive|far from|inaccura\w+|decreas\w+|"
    r"challeng\w+|without success|mislead\w+|below)\b",
    re.IGNORECASE,
)


_DANGLING: Final = re.compile(
    r"^(?:This(?! (?:paper|work|study|article))|These|Those|It|They|Such|Its|Their|Both|Here|There|"
    r"The (?:former|latter|second|first|third|same|other|remaining)|Then|Next|Thus|Hence|Therefore|"
    r"That|He|She|Another|Others|As such|Each|Neither|Either|One|Two|Three|So|And|But|Or|Code|"
    r"Our code|"
    r"Data|Moreover, (?:this|it|they))\b",
)


_FORBIDDEN: Final = re.compile(
    r"\b(?:oracle|anchor|advisor|verdict|milestone|verifier|retry|retries|lock(?:s|ed)?)\b|"
    r"https?://|"
    r"github|publicly available|will be released|[|`]|\bavailable at\b",
    re.IGNORECASE,
)
"""Sentences that are about a download, or hold words that read as something else in a trail."""


@dataclass(frozen=True)
class Sentence:
    """A whole sentence of a page, verbatim."""

    text: str
    index: int
    """Position on the page, from 0."""
    roles: frozenset[Role]
    polarity: int
    """+1 where it reports success, -1 where failure or lack, 0 otherwise."""
    last_third: bool

    @cached_property
    def stems(self) -> frozenset[str]:
        """Topic stems of the sentence."""
        return topic_stems(self.text)

    @cached_property
    def quotable(self) -> bool:
        """Fit for a quote line: long enough, whole, no double quotes or odd words inside."""
        return (
            28 <= len(self.text) <= 420
            and not any(c in self.text for c in '"“”\t')
            and not _FORBIDDEN.search(self.text)
            and self.text[-1] in ".!?"
            and self.text[0].isascii()
            and (self.text[0].isupper() or self.text[0].isdigit())
            and self.text.count("(") == self.text.count(")")
        )

    @cached_property
    def dangling(self) -> bool:
        """Leans on the sentence before it."""
        return bool(_DANGLING.match(CONNECTIVE.sub("", self.text)))


@lru_cache(maxsize=4096)
def sentences_of(passages: tuple[str, ...]) -> tuple[Sentence, ...]:
    """The sentences of a page with their roles; a cut last piece is left out."""
    placed = [
        (s, number)
        for number, line in enumerate(passages)
        for s in sentences(line)
        if s[-1:] in ".!?" and len(words(s)) >= 5
    ]
    pieces = [s for s, _ in placed]
    parted = len(passages) == 3
    told = not any(OWN.search(s) for s in pieces)
    count = len(pieces)
    out = []
    for index, (text, paragraph) in enumerate(placed):
        own = bool(OWN.search(text))
        late = index >= 0.45 * count
        if told and parted:
            out.append(_of_summary(text, index, paragraph, count))
            continue
        roles: set[Role] = set()
        # In an abstract only what the authors say of their own work is a mechanism; a summary told
        # by others puts it first.
        if _MECHANISM.search(text) and (own or (told and index < 0.6 * count)):
            roles.add("mechanism")
        if _RESULT.search(text) or (_FINDING.search(text) and late and (own or told)):
            roles.add("finding")
        if _LIMITATION.search(text) and late and (told or not _RESULT.search(text)):
            roles.add("limitation")
        if _PROBLEM.search(text) and not own and (not told or not late):
            roles.add("problem")
        if _CONTRAST.search(text):
            roles.add("contrast")
        if not roles:
            roles.add("other")
        polarity = _polarity(text)
        last = index >= (2 * count) / 3
        out.append(Sentence(text, index, frozenset(roles), polarity, last))
    return tuple(out)


def _polarity(text: str) -> int:
    plus, minus = len(_POSITIVE.findall(text)), len(_NEGATIVE.findall(text))
    return 1 if plus > minus else -1 if minus > plus else 0


_DOES: Final = re.compile(
    r"\b(?:is|are|was|were) (?:\w+ly |then |first |also )?(?:\w+ed|built|fed|cast|split|drawn|"
    r"put|made|given|shown|"
    r"taught|read|cut|kept|turned|learnt|taken)\b|\bby \w+ing\b|\b(?:scores?|trains?|learns?|"
    r"predicts?|"
    r"generates?|computes?|ranks?|selects?|produces?|supply|supplies|turns?|feeds?|combines?|"
    r"adds?|replaces?|"
    r"maps?|builds?|encodes?|decodes?|retrieves?|rewrites?|revises?|asks?|decides?|estimates?|"
    r"samples?|splits?|"
    r"uses?|draws?|weighs?|filters?|removes?|masks?|aligns?|transfers?|lets?|chooses?|reads?|"
    r"compares?)\b",
    re.IGNORECASE,
)


_SETUP: Final = re.compile(
    r"\b(?:experiments?|case study|data ?sets?|corpora|corpus|benchmarks?|serves? as|test ?sets?|"
    r"items come|"
    r"languages? (?:are|is) (?:tested|covered)|are compared|is compared|contrasted|suffice|"
    r"illustration|"
    r"annotations? in all|statements?|collected from|is evaluated|are evaluated|study)\b",
    re.IGNORECASE,
)
"""What a text says of its material and its trials, not of its means."""


def _of_summary(text: str, index: int, paragraph: int, count: int) -> Sentence:
    """A sentence of a summary in three paragraphs: what is done, what was found, what is open."""
    roles: set[Role]
    if paragraph == 0:
        roles = {"mechanism"} if _DOES.search(text) and not _SETUP.search(text) else {"other"}
        if index == 0 and _PROBLEM.search(text):
            roles = {"problem"}
    else:
        roles = {"finding"} if paragraph == 1 else {"limitation"}
    if _CONTRAST.search(text):
        roles.add("contrast")
    return Sentence(text, index, frozenset(roles), _polarity(text), paragraph == 2)


def pick(found: tuple[Sentence, ...], role: Role, *, quotable: bool = True) -> list[Sentence]:
    """Sentences that play `role`, quotable ones by default."""
    return [s for s in found if role in s.roles and (s.quotable or not quotable)]
