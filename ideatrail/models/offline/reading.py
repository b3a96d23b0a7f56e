"""What a page says: its sentences with the part each plays, and fragments fit to build on."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from ideatrail.models.offline.phrases import FIELD, key_phrases, lowered, topic_stems
from ideatrail.trail.text import STOPWORDS, sentences, words

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
_OWN: Final = re.compile(
    r"\b(?:we|our|us|this (?:paper|work|study|article|research)|the proposed|the paper|proposed "
    r"(?:method|model|approach|framework))\b",
    re.IGNORECASE,
)
_RESULT: Final = re.compile(
    r"\bwe (?:\w+ly |also |further )?(?:show|find|found|demonstrate|observe|discover|reveal|conclude)\b|"
    r"\b(?:results?|experiments?|findings|analys[ie]s|evaluations?)\b.{0,60}\b(?:show|suggest|demonstrate|"
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
    r"\b(?:improv\w+|outperform\w*|effective\w*|better|robust\w*|gains?|higher|reliabl[ey]|strong\w*|"
    r"success\w*|surpass\w*|benefi\w+|superior|accurate\w*|helps?|helpful|promising|well|reduc\w+|"
    r"state-of-the-art|exceed\w*|competitive|agree\w*|consistent\w*|useful|enhanc\w+|boost\w*)\b",
    re.IGNORECASE,
)
_NEGATIVE: Final = re.compile(
    r"\b(?:fail\w*|poor\w*|limited|degrad\w+|worse\w*|struggl\w+|not(?! only)|no|nor|lack\w*|bias\w*|unreliab\w+|"
    r"overconfiden\w+|brittle|suffer\w*|drops?|dropped|cannot|weak\w*|hardly|little|difficult\w*|"
    r"inconsisten\w+|vulnerab\w+|unable|harm\w*|hurt\w*|sensitive|far from|inaccura\w+|decreas\w+|"
    r"challeng\w+|without success|mislead\w+|below)\b",
    re.IGNORECASE,
)
_DANGLING: Final = re.compile(
    r"^(?:This(?! (?:paper|work|study|article))|These|Those|It|They|Such|Its|Their|Both|Here|There|"
    r"The (?:former|latter|second|first|third|same|other|remaining)|Then|Next|Thus|Hence|Therefore|"
    r"That|He|She|Another|Others|As such|Each|Neither|Either|One|Two|Three|So|And|But|Or|Code|Our code|"
    r"Data|Moreover, (?:this|it|they))\b",
)
_CONNECTIVE: Final = re.compile(
    r"^(?:However|Moreover|Furthermore|In addition|Additionally|Finally|Specifically|To this end|"
    r"Therefore|Consequently|Thus|Hence|Notably|Importantly|Interestingly|Surprisingly|Overall|"
    r"In particular|Lastly|First|Second|Third|Firstly|Secondly|Thirdly|In summary|In this context|"
    r"As a result|Nevertheless|Nonetheless|Recently|Concretely|More specifically|Besides|Still|Yet|"
    r"Meanwhile|In contrast|Also|In general|To address this|To address these issues|"
    r"To tackle this|To solve this problem|To fill this gap|Crucially|Empirically|Inspired by this|"
    r"To address this issue|To address this problem|To address this gap|To bridge this gap),? +",
)
_LEAD: Final = re.compile(
    r"^(?:(?:the|our|their|these|extensive|comprehensive|empirical|experimental|experiment|evaluation|"
    r"human|further|detailed|quantitative|qualitative|automatic|additional|and|both|main|overall|"
    r"preliminary|initial|thorough|ablation)\s+)*"
    r"(?:experiments?|results?|analys[ie]s|evaluations?|findings?|stud(?:y|ies)|evidence)\b"
    r"(?:[^,.;]{0,70}?)\b(?:shows?|showed|demonstrates?|demonstrated|suggests?|indicates?|reveals?|"
    r"revealed|confirms?|verify)\s+that\s+",
    re.IGNORECASE,
)
_SAY: Final = re.compile(
    r"^(?:in (?:this|our) (?:paper|work|study|article),? )?we (?:also |further |empirically |then |"
    r"additionally |experimentally |thus |finally |first )?"
    r"(?:show|find|found|demonstrate|observe|discover|reveal|conclude|note|report|confirm)(?:ed)? that ",
    re.IGNORECASE,
)
_FORBIDDEN: Final = re.compile(
    r"\b(?:oracle|anchor|advisor|verdict|milestone|verifier|retry|retries|lock(?:s|ed)?)\b|https?://|"
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

    @property
    def stems(self) -> frozenset[str]:
        """Topic stems of the sentence."""
        return topic_stems(self.text)

    @property
    def quotable(self) -> bool:
        """Fit for a quote line: long enough, whole, no double quotes or odd words inside."""
        return (
            28 <= len(self.text) <= 420
            and not any(c in self.text for c in "\"“”\t")
            and not _FORBIDDEN.search(self.text)
            and self.text[-1] in ".!?"
            and self.text[0].isascii()
            and (self.text[0].isupper() or self.text[0].isdigit())
            and self.text.count("(") == self.text.count(")")
        )

    @property
    def dangling(self) -> bool:
        """Leans on the sentence before it."""
        return bool(_DANGLING.match(_CONNECTIVE.sub("", self.text)))


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
    told = not any(_OWN.search(s) for s in pieces)
    count = len(pieces)
    out = []
    for index, (text, paragraph) in enumerate(placed):
        own = bool(_OWN.search(text))
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


def _of_summary(text: str, index: int, paragraph: int, count: int) -> Sentence:
    """A sentence of a summary in three paragraphs: what is done, what was found, what is open."""
    role: Role = ("mechanism", "finding", "limitation")[paragraph]  # type: ignore[assignment]
    roles: set[Role] = {role}
    if paragraph == 0 and index == 0 and not re.search(r"\b(?:is|are) \w+ed\b|\bby \w+ing\b", text):
        roles = {"problem" if _PROBLEM.search(text) else "other"}
    if _CONTRAST.search(text):
        roles.add("contrast")
    return Sentence(text, index, frozenset(roles), _polarity(text), paragraph == 2)


def pick(
    found: tuple[Sentence, ...], role: Role, *, quotable: bool = True
) -> list[Sentence]:
    """Sentences that play `role`, quotable ones by default."""
    return [s for s in found if role in s.roles and (s.quotable or not quotable)]


def plain(text: str) -> str:
    """The sentence without its leading connective and final stop."""
    return _CONNECTIVE.sub("", text.strip()).rstrip(".").strip()


def decapitalise(text: str) -> str:
    """First letter made small where the first word is an ordinary one."""
    if _NAMES.match(text):
        return text
    head = re.match(r"[A-Za-z]+(?:-[A-Za-z]+)*", text)
    if not head or (not head.group(0)[1:].islower() and len(head.group(0)) > 1):
        return text
    if head.group(0).lower() not in STOPWORDS and (
        re.match(r"(?:[A-Z][a-z]+ ){2,}", text) or head.group(0) in _PROPER
    ):
        return text
    return text[0].lower() + text[1:]


_PROPER: Final = frozenset(
    """
    English Chinese German French Spanish Arabic Hindi Japanese Korean Russian Turkish African
    European Indian Bayesian Gaussian Markov Transformer Transformers Wikipedia Twitter Reddit
    Google Transformer-based Bert I
        Maltese Italian Portuguese Dutch Swedish Norwegian Danish Finnish Polish Czech Hungarian Greek
    Hebrew Persian Urdu Bengali Tamil Telugu Thai Vietnamese Indonesian Malay Swahili Yoruba Amharic
    Basque Catalan Icelandic Romanian Bulgarian Ukrainian Uyghur Kazakh Mongolian Tibetan Sanskrit
    Latin Semitic Slavic Romance Germanic Asian American British Mandarin Cantonese Quechua Uzbek
    Monte Markovian Dirichlet Boltzmann Zipf Wikidata Facebook Reddit YouTube Amazon Spider
    """.split()
)


_NAMES: Final = re.compile(
    r"^(?!In )(?:[\w'’-]+\.? ){1,4}(?:et al\.|\(\d{4}\))|^[A-Z][\w'’-]+ and (?:de |van |von )?[A-Z][\w'’-]+ "
)
"""A citation stands at the head: names keep their letters."""


def capitalise(text: str) -> str:
    """First letter made large."""
    return text[:1].upper() + text[1:]


def third_person(text: str, who: str, single: bool) -> str:
    """`we` and `our` of the authors turned into `who` (first) and `they`/`their` (after)."""
    text = re.sub(
        r"^In (?:this|our) (?:paper|work|study|article),? (?=we\b|We\b)", "", text
    )
    match = re.match(r"^We (\w+ly |also |then |first |further )?([a-z]+)\b", text)
    if match:
        verb = match.group(2)
        if single:
            verb = _conjugate(verb)
        text = f"{who} {match.group(1) or ''}{verb}{text[match.end():]}"
    text = re.sub(
        r"^(?:In )?[Tt]his (?:paper|work|study|article)\b(?!,)", f"the paper by {who}", text
    )
    text = re.sub(r"^Our\b", "their", text)
    for pattern, word in (
        (r"\bwe\b", "they"),
        (r"\bWe\b", "they"),
        (r"\bour\b", "their"),
        (r"\bOur\b", "their"),
        (r"\bours\b", "theirs"),
        (r"(?<!\bU\.)\bus\b", "them"),
        (r"\bourselves\b", "themselves"),
    ):
        text = re.sub(pattern, word, text)
    return text


def _conjugate(verb: str) -> str:
    if verb.endswith("ed") or verb in ("can", "will", "found", "built", "may", "did", "have", "are"):
        return {"have": "has", "are": "is"}.get(verb, verb)
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    if verb.endswith(("s", "sh", "ch", "x", "z")):
        return verb + "es"
    return verb + "s"


def statement(text: str) -> tuple[str, bool]:
    """The sentence without `results show that` and its kin; True where such a lead was cut."""
    body = plain(text)
    for pattern in (_LEAD, _SAY):
        match = pattern.match(body)
        if match and len(body) - match.end() > 40:
            return plain(body[match.end() :]), True
    return body, False


_SUBORDINATE: Final = re.compile(
    r"^(?:(?:In|For) [^,]{3,60}, )?(?:since|while|although|though|when|because|as|despite|with|in|by|to|for|"
    r"given|after|unlike|if|once|due to|using|based on|on|from|under|through|despite|whereas|motivated|"
    r"inspired|compared)\b",
    re.IGNORECASE,
)
_DANGLING_END: Final = re.compile(
    r"[,;:\s]+(?:and|or|of|the|a|an|to|with|in|for|that|which|is|are|by|on|as|such as|but|not only|from|"
    r"at|both|their|its|i\.e\.|e\.g\.)$",
    re.IGNORECASE,
)


def shorten(text: str, most: int) -> str:
    """`text` cut before a trailing clause so that it has at most `most` characters; "" if none fits.

    A clause that begins with a conjunction keeps its main clause, lists in figures are left alone.
    """
    if re.search(r"\(\d\)|\b[a-z]\) ", text):
        return ""
    if len(text) <= most:
        return _DANGLING_END.sub("", text)
    cuts = [
        m.start()
        for m in re.finditer(
            r", (?:which|where|thus|making|thereby|and (?:we|they|it|that)|as well as|including|"
            r"such as|even|resulting|leading|allowing|enabling)\b|; ",
            text,
        )
        if 45 <= m.start() <= most
    ]
    if not cuts:
        return ""
    kept = text[: cuts[-1]]
    if _SUBORDINATE.match(text) and "," not in kept:
        return ""
    if "not only" in kept and " but" not in kept:
        return ""
    return _DANGLING_END.sub("", kept)


def span(text: str, fewest: int = 5, most: int = 24) -> str:
    """A verbatim stretch of whole clauses, `fewest` to `most` words; "" where none is fit."""
    body = text.strip().rstrip(".")
    if any(c in body for c in "\"“”"):
        return ""
    match = _LEAD.match(body) or _SAY.match(body)
    if match and len(body[match.end() :].split()) >= fewest:
        body = body[match.end() :]
    if len(body.split()) <= most:
        return body if len(body.split()) >= fewest else ""
    marks = list(re.finditer(r"[,;:] | (?=(?:which|that|because|while|when|by|whereas|without)\s)", body))
    best = ""
    for mark in marks:
        head = body[: mark.start()].rstrip(" ,;:")
        if fewest + 2 <= len(head.split()) <= most:
            best = head
    if not best or best.count("(") != best.count(")"):
        return ""
    if (_SUBORDINATE.match(best) and "," not in best) or _DANGLING_END.search(best):
        return ""
    if re.search(r"\b(?:we|they|it|which|that|not only)$", best):
        return ""
    return best


_NAMED: Final = re.compile(
    r"\b(?:propos|present|introduc|develop|design|devis|describ|formulat|explor|us|employ|"
    r"leverag|adopt|build|train|creat)\w*\s+((?:a|an|the|two|three|several|new|novel|simple)\s[^.;]+)",
    re.IGNORECASE,
)
_BY: Final = re.compile(r"\b(?:by|via|through) ((?:\w+ly )?[a-z][a-z-]+ing\s[^.;:]+)", re.IGNORECASE)
_PASSIVE: Final = re.compile(
    r"((?:[A-Z][\w-]*|[Tt]he|[Aa]n?|[Ee]ach)(?: [\w-]+){0,6}) (?:is|are) (?:then |first )?"
    r"((?:trained|fed|fine-tuned|prompted|asked|scored|ranked|sampled|decomposed|rewritten|"
    r"reweighted|retrieved|treated|cast|split)\b[^.;]*)"
)


@dataclass(frozen=True)
class Fragment:
    """A piece of a mechanism sentence, verbatim but for pronouns, that fits into a larger sentence."""

    text: str
    kind: Literal["thing", "doing", "clause"]
    """`thing`: a noun phrase with its article; `doing`: a phrase that starts with an -ing verb;
    `clause`: a whole statement, to follow `a step in which`."""
    sentence: Sentence


def fragments(sentence: Sentence) -> list[Fragment]:
    """Noun phrases and -ing phrases that say what a method is or does."""
    out: list[Fragment] = []
    match = _NAMED.search(sentence.text)
    if match:
        text = _tidy(match.group(1))
        if len(text.split()) >= 3 and not _NO_MECHANISM.match(text):
            out.append(Fragment(text, "thing", sentence))
    for match in _BY.finditer(sentence.text):
        text = _tidy(match.group(1))
        if len(text.split()) >= 3 and not re.match(r"(?:using|being|having)\b", text):
            out.append(Fragment(text, "doing", sentence))
    kept = [f for f in out if not any(c in f.text for c in "\"“”()[]%$") and _balanced(f.text)]
    if not kept and not _OWN.search(sentence.text) and not sentence.dangling:
        body = shorten(plain(sentence.text), 190)
        if 40 < len(body) and not any(c in body for c in "\"“”()[]%$?:"):
            body = re.sub(r"\b(?:here|then|thereby|therefore|thus|also) ", "", decapitalise(body))
            kept.append(Fragment(body, "clause", sentence))
    return kept


_NO_MECHANISM: Final = re.compile(
    r"^(?:a|an|the|two|three|several|novel|new|simple)\s(?:(?!of|for|that|which|to|with|in|on|by)[\w-]+\s){0,5}?(?:tasks?|limits?|problems?|questions?|extent|effects?|impact|"
    r"use|possibility|roles?|issues?|challenges?|study|analysis|datasets?|corpus|corpora|benchmarks?|"
    r"results?|experiments?|evaluation|relationship|performance|state of|following|importance|need|"
    r"collection|survey|overview|literature|thorough|comprehensive|detailed|extent|resource|first|same|"
    r"help of|case|test set|baselines?|ability|set of experiments|number|idea|potential)\b",
    re.IGNORECASE,
)
"""Noun phrases that name a matter or a resource and not a way of doing something."""


def _balanced(text: str) -> bool:
    return not re.search(r"\b(?:we|We|and|or|of|the|a|to|with|in|for|that|which|is|by|on|as)$", text)


def _tidy(text: str) -> str:
    text = text.strip()
    text = re.split(
        r",? (?:which|where|and (?:show|demonstrate|find|evaluate|achieve|then|we|outperform)|to (?:show|"
        r"demonstrate)|called|dubbed|named|termed|namely)\b|, (?:and|achieving|outperforming|leading|"
        r"resulting|making|we|they|it|thus|thereby)\b|: | \(",
        text,
    )[0]
    parts = text.split()
    if len(parts) > 26:
        text = " ".join(parts[:26])
        cut = max(text.rfind(", "), text.rfind(" that "), text.rfind(" to "), text.rfind(" by "))
        text = text[:cut] if cut > 40 else ""
    text = _DANGLING_END.sub("", text)
    text = re.sub(r"\bour\b", "the", text)
    text = re.sub(r"\b(?:novel|new) ", "", text)
    text = re.sub(r"^a (?=[aeio])", "an ", text)
    text = re.sub(r"^an (?=[bcdfgjklmnpqrstvwyz])", "a ", text)
    return text.strip(" ,;:")


_DROP_HEAD: Final = re.compile(r"^(?:a|an|the|two|three|several|novel|new|simple)\s+", re.IGNORECASE)


def head_term(fragment: Fragment, worth: Callable[[str], float]) -> str:
    """A short noun phrase (two or three words if it can be) that names the fragment."""
    body = _DROP_HEAD.sub("", fragment.text)
    options = [
        p
        for p in key_phrases(body, 3)
        if not all(t.lower() in FIELD for t in p.text.split())
        and len(p.text) <= 40
        and not any(c.isdigit() for c in p.text)
        and not p.text.lower().endswith(("ing", "ly"))
    ]
    scored = [
        (worth(p.text) + (0.5 if len(p.stems) > 1 else 0.0) + 0.4 / (1 + at), -at, p)
        for at, p in enumerate(options)
    ]
    return lowered(max(scored, key=lambda item: item[:2])[2].text) if scored else ""
