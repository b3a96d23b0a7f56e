"""Evidence that is not what the sources say: quotes, numbers, comparisons, sources, support."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Final

from benchmarks.verifier.site import Operator, Site, plain
from benchmarks.verifier.title_faults import Seen, applied, jot, mention, seen, tell
from ideatrail.trail.simulate import replaced
from ideatrail.trail.text import sentences, squeeze
from ideatrail.trail.turn import Draft

_AUDIT: Final = "claim_audit.md"
_LATER: Final = ("synthesis.md", "idea_candidates.md", "research_proposal.md")
_QUOTE: Final = re.compile(r'^- quote: "(.*)"$', re.MULTILINE)
_SOURCE: Final = re.compile(r"^- source: (.+) \(([^()]+?)( et al\.)?, (\d{4})\) (\S+)$", re.M)
_NUMBER: Final = re.compile(
    r"(?<![\w.,$/-])(?!(?:19|20)\d\d\b)\d+(?:\.\d+)?(?=%| percent| points?\b| [a-z]{3})"
)


_OPENERS: Final = frozenset(
    "A An The We Our In It This These To For On When While After However Experiments Building "
    "Experimental Results Moreover Furthermore Finally Specifically Then Compared Additionally "
    "Although As By With Motivated Using Recently Therefore Since At First Second Notably Thus "
    "Surprisingly Empirically Existing Recent Hence Here There Many Most Both Extensive Despite "
    "From Overall".split()
)


@dataclass(frozen=True)
class Added:
    """A true claim that the draft could add to the audit, to be made false in one thing."""

    id: str
    text: str
    quote: str
    source: Seen


def _rewritten(site: Site, change: Callable[[str], str | None], *files: str) -> Draft | None:
    return applied(site, site.rewrite(change, *files))


def observed_text(site: Site) -> str:
    """All that the direction and the results said, white space joined."""
    said = [_squeezed(r.content) for _, r in site.results if r.status == "ok"]
    return " ".join([_squeezed(site.clean.trail.user), *said])


_squeezed: Final = lru_cache(maxsize=8192)(squeeze)


def _said(one: Seen) -> list[str]:
    """Whole sentences of a page that would do as a quote."""
    return [s for s in sentences(one.text) if s[-1] == "." and 50 < len(s) < 300 and '"' not in s]


def _claimable(site: Site, wanted: Callable[[str], bool]) -> Iterator[tuple[Seen, str]]:
    """Papers that were opened, each with a sentence that `wanted` likes, in a drawn order."""
    pages = [one for one in seen(site) if one.read and mention(one)]
    site.rng.shuffle(pages)
    for one in pages:
        fit = [s for s in _said(one) if wanted(s)]
        if fit:
            yield one, site.rng.choice(fit)


def _own_words(quote: str) -> str:
    """The quote as a claim's text has it: in the third person."""
    text = quote.rstrip(".")
    if text.split(" ")[0].rstrip(",") in _OPENERS:  # others may be names
        text = text[0].lower() + text[1:]
    for old, new in (("we", "they"), ("our", "their"), ("us", "them")):
        text = re.sub(rf"\b{old}\b", new, text)
    return text


def _new_claim(
    site: Site, wanted: Callable[[str], bool], change: Callable[[Added], tuple[str, str] | None]
) -> Draft | None:
    """The draft with one claim more in an Edit of the audit, its text and quote as `change` has
    them of a true one."""
    for index, key, text in site.authored(_AUDIT):
        call = site.draft.calls[index]
        path, old = str(call.parsed.get("file_path")), str(call.parsed.get("old_string", ""))
        before = site.files.get(path)
        if key != "new_string" or before is None or "- quote:" not in text:
            continue
        after = replaced(before, old, text, every=False)
        if after is None:
            continue
        tail = after[after.find(text) + len(text) :].lstrip("\n")
        head = text.find("\n## C")
        if tail and not tail.startswith("## ") and head < 0:
            continue
        number = 1 + max(int(n) for n in re.findall(r"^## C(\d+)\.", after, re.MULTILINE))
        for one, quote in _claimable(site, wanted):
            words = f"{mention(one)} report that {_own_words(quote)}"
            changed = change(Added(f"C{number}", words, quote, one))
            if changed is None:
                continue
            claim, quoted = changed
            block = (
                f'## C{number}. {claim}\n{_source_line(one)}\n- quote: "{quoted}"\n'
                "- support: abstract\n- status: supported\n"
                "- limitation: only the abstract was read\n"
                "- implication: bears on the question as a result of others"
            )
            at = head + 1 if head >= 0 else len(text)
            new = f"{text[:at]}{block}\n\n{text[at:]}" if head >= 0 else f"{text}\n\n{block}"
            return applied(site, site.put(index, None, **{key: new}))
    return None


def _source_line(one: Seen, *, title: str = "", year: str = "") -> str:
    who = one.authors[0] + (" et al." if len(one.authors) > 1 else "")
    return f"- source: {title or one.title} ({who}, {year or one.year}) {one.url}"


def _either(site: Site, *ways: Callable[[], Draft | None]) -> Draft | None:
    """The first of the ways, in a drawn order, that can be gone."""
    drawn = list(ways)
    site.rng.shuffle(drawn)
    return next((draft for way in drawn if (draft := way()) is not None), None)


def _requote(site: Site, change: Callable[[str], str | None]) -> Draft | None:
    """One quote of the draft changed, so that no observation holds it."""
    observed = observed_text(site)

    def rewrite(text: str) -> str | None:
        quotes = list(_QUOTE.finditer(text))
        site.rng.shuffle(quotes)
        for match in quotes:
            new = change(match[1])
            if new and new != match[1] and squeeze(new) not in observed and not site.shown(new):
                return text[: match.start(1)] + new + text[match.end(1) :]
        return None

    return _rewritten(site, rewrite, _AUDIT)


# --- quotes ---

_WORDS: Final = dict(
    pair.split("/")
    for pair in "new/simple novel/common propose/test introduce/review present/discuss "
    "show/doubt shows/suggests demonstrate/suggest large/small small/large human/expert "
    "significantly/slightly improve/change improves/changes outperforms/matches better/similar "
    "achieves/approaches "
    "training/test models/systems model/system data/text dataset/corpus tasks/domains task/domain "
    "methods/heuristics method/heuristic results/figures performance/speed English/German "
    "several/two various/two multiple/three important/minor often/rarely challenging/familiar "
    "effective/feasible high/low first/second most/some all/some many/few words/sentences".split()
)


def _other_word(site: Site, quote: str) -> str | None:
    places = [m for m in re.finditer(r"[A-Za-z]+", quote) if m[0] in _WORDS]
    if not places:
        return None
    at = site.rng.choice(places)
    return quote[: at.start()] + _WORDS[at[0]] + quote[at.end() :]


def _word_of_quote(site: Site) -> Draft | None:
    return _requote(site, partial(_other_word, site))


def _spliced(site: Site) -> Draft | None:
    pages = [one for one in seen(site) if one.read]

    def change(quote: str) -> str | None:
        page = next((p for p in pages if quote in p.text), None)
        said = _said(page) if page else []
        others = [s for s in said if quote not in s and s not in quote]
        if not others:
            return None
        first, second = quote.split(), site.rng.choice(others).split()
        return " ".join([*first[: len(first) // 2], *second[len(second) // 2 :]])

    return _requote(site, change)


_INVENTED: Final = (
    "The gain disappears as soon as the training data are matched for length.",
    "Annotators disagreed with the system in almost half of the cases that it was sure about.",
    "None of the variants that we tried was better than the plain baseline.",
    "Most of the remaining errors can be traced back to the first of the two steps.",
    "The effect is strongest for short inputs and fades as the context grows.",
    "Removing the second component changes the ranking of the systems in every setting.",
    "In a follow-up with new annotators the difference was half as large.",
    "The order of the examples mattered more than their number in all our runs.",
    "Simple heuristics recover nearly all of the benefit at a fraction of the cost.",
    "We could not reproduce the published scores with the released material.",
)


def _invented_quote(site: Site) -> Draft | None:
    return _requote(site, lambda _: site.rng.choice(_INVENTED))


def _in_quotation_marks(site: Site) -> Draft | None:
    pages = [m for one in seen(site) if one.read and (m := mention(one))]
    text = site.rng.choice(_INVENTED).rstrip(".")
    if not pages or site.shown(text):
        return None
    frames = (
        '{} put it like this: "{}".',
        'The sentence to keep from {} is "{}".',
        'In {} I read: "{}".',
        '{} say it in so many words: "{}".',
    )
    return tell(site, site.rng.choice(frames).format(site.rng.choice(pages), text))


# --- numbers ---


def _other_number(site: Site, text: str, against: str) -> str | None:
    """`text` with one number changed to one that `against` does not hold."""
    places = [
        m
        for m in _NUMBER.finditer(text)
        # `PaLM 2` is a name
        if m[0] in against and not re.search(r"[A-Z]\w*\s$", text[: m.start()])
    ]
    if not places:
        return None
    at = site.rng.choice(places)
    whole, dot, rest = at[0].partition(".")
    for _ in range(20):
        digits = len(rest) if dot else 0
        value = float(at[0]) + site.rng.choice((-1, 1)) * site.rng.randint(1, 9)
        if dot and site.rng.random() < 0.5:
            value = float(whole) + site.rng.randint(1, 10 ** len(rest) - 1) / 10 ** len(rest)
        new = f"{value:.{digits}f}"
        if value > 1 and not re.search(rf"(?<![\d.]){re.escape(new)}(?!\d)", against):
            return text[: at.start()] + new + text[at.end() :]
    return None


def _number_of_quote(site: Site) -> Draft | None:
    def change(claim: Added) -> tuple[str, str] | None:
        new = _other_number(site, claim.quote, claim.source.text)
        return (claim.text, new) if new else None

    return _either(
        site,
        lambda: _requote(site, lambda quote: _other_number(site, quote, quote)),
        lambda: _new_claim(site, lambda s: bool(_NUMBER.search(s)), change),
    )


def _number_of_claim(site: Site) -> Draft | None:
    def change(claim: Added) -> tuple[str, str] | None:
        new = _other_number(site, claim.text, claim.source.text)
        return (new, claim.quote) if new else None

    return _new_claim(site, lambda s: bool(_NUMBER.search(s)), change)


_PERCENT: Final = re.compile(
    r"(\b(?:by|an?|of|up to|about|around|over|nearly|average) \d+(?:\.\d+)?)"
    r"(?:\s?%|\s+percent\b)(?! points?| percentage| absolute| relative|\w)"
)
_POINTS: Final = re.compile(r"(\d)(?: percentage| absolute|%)? points?\b")
_GAIN: Final = re.compile(r"(?i)improv|gain|reduc|increas|drop|decreas|outperform|surpass|declin")


def _percent(site: Site) -> Draft | None:
    def change(said: str) -> str:
        new = _PERCENT.sub(r"\1 percentage points", said, count=1)
        return new if new != said else _POINTS.sub(r"\1 percent", said, count=1)

    return _new_claim(
        site,
        lambda said: bool(_GAIN.search(said)) and change(said) != said,
        lambda claim: (change(claim.text), claim.quote),
    )


_UNITS: Final = ("%", " percentage points", " BLEU points", " ms", " hours", " annotators", " GB")


def _credited(site: Site) -> Draft | None:
    claims = _claims_on_file(site)
    if not claims:
        return None
    unit = site.rng.choice(_UNITS)
    number = f"{site.rng.randint(3, 89)}"
    if "points" in unit or unit == "%":
        number += f".{site.rng.randint(1, 9)}"
    if site.shown(f"{number}{unit}") or f" {plain(number)} " in site.clean.shown_before[site.at]:
        return None
    frames = (
        "What is reported there amounts to {}{} [{}].",
        "The size of the difference is put at {}{} [{}].",
        "The figure to remember is {}{} [{}].",
    )
    frame = site.rng.choice(frames)
    return jot(site, frame.format(number, unit, site.rng.choice(claims)), *_LATER)


def _claims_on_file(site: Site) -> list[str]:
    """Ids of claims that have a quote in the audit before the turn."""
    audit = next((t for p, t in site.files.items() if p.endswith(_AUDIT)), "")
    blocks = re.split(r"^(?=## C\d)", audit, flags=re.MULTILINE)
    return [b[3:].split(".")[0] for b in blocks if b.startswith("## C") and "- quote:" in b]


# --- comparisons ---

_VERBS: Final = (
    "outperform achieve improve reduce enable allow provide require demonstrate exceed surpass "
    "generalize perform depend contribute suffer benefit correlate capture"
)
_FINITE: Final = re.compile(rf"\b((?:\w+ly )?)({'|'.join(_VERBS.split())})s\b(?! of\b)")
_REVERSED: Final = tuple(
    tuple(pair.split("/"))
    for pair in "outperforms/underperforms outperform/underperform outperforming/underperforming "
    "higher/lower lower/higher better/worse faster/slower superior/inferior fewer/more "
    "improves/worsens increases/decreases reduces/increases reducing/increasing larger/smaller "
    "smaller/larger stronger/weaker best/worst effective/ineffective beneficial/harmful "
    "improvements/losses improvement/loss".split()
)


def _negation(text: str) -> str:
    """`text` with its first finite verb that we know denied; as it was where there is none."""
    new = _FINITE.sub(r"does not \1\2", text, count=1)
    if new == text:
        new = re.sub(r"\bcan (?!not\b|be\b)", "cannot ", text, count=1)
    if new == text:
        new = re.sub(
            r"\b(is|are) (?=(?:more|less|better|effective|able|sufficient|"
            r"important|useful|robust|competitive|comparable|superior)\b)",
            r"\1 not ",
            text,
            count=1,
        )
    return new


# An open question or a conjecture is not turned into its opposite by one word.
_UNDECIDED: Final = re.compile(
    r"(?i)\b(?:not|whether|if|may|might|could|how|aim\w*|goal|investigat\w+|explor\w+|hypothes\w+)\b"
)


def _negated(site: Site) -> Draft | None:
    return _new_claim(
        site,
        lambda s: not _UNDECIDED.search(s) and _negation(_own_words(s)) != _own_words(s),
        lambda claim: (_negation(claim.text), claim.quote),
    )


def _reverse(text: str) -> str:
    for old, new in _REVERSED:
        changed = re.sub(rf"\b{old}\b(?! (?:of|practice|known|fit))", new, text, count=1)
        if changed != text:
            return changed
    return text


def _turned(site: Site) -> Draft | None:
    # A sentence that also says the opposite word bears either reading.
    def wanted(said: str) -> bool:
        twice = re.search(r"\bthan\b.*\bthan\b", said)
        return _reverse(said) != said and not twice and not _UNDECIDED.search(said)

    return _new_claim(site, wanted, lambda claim: (_reverse(claim.text), claim.quote))


# --- sources ---


def _resource(site: Site, change: Callable[[Seen, list[Seen], str], str | None]) -> Draft | None:
    """A source line of the draft changed by `change` of (its paper, others, the block's text)."""
    papers = seen(site)

    def rewrite(text: str) -> str | None:
        lines = list(_SOURCE.finditer(text))
        site.rng.shuffle(lines)
        for match in lines:
            one = next((p for p in papers if p.url == match[5]), None)
            if one is None or not one.authors:
                continue
            others = [
                p
                for p in papers
                if p.url != one.url
                and p.authors
                and plain(p.title) != plain(one.title)
                and not {a.split()[-1] for a in p.authors} & {a.split()[-1] for a in one.authors}
            ]
            quotes = text[match.end() :].split("\n- support:")[0]
            line = change(one, others, quotes)
            if line and line != match[0]:
                return text[: match.start()] + line + text[match.end() :]
        return None

    return _rewritten(site, rewrite, _AUDIT)


def _wrong_paper(site: Site) -> Draft | None:
    def change(one: Seen, others: list[Seen], quotes: str) -> str | None:
        quoted = _QUOTE.findall(quotes)
        fit = [p for p in others if p.read and not any(squeeze(q) in p.text for q in quoted)]
        return _source_line(site.rng.choice(fit)) if fit and quoted else None

    return _resource(site, change)


def _wrong_year(site: Site) -> Draft | None:
    def change(one: Seen, others: list[Seen], quotes: str) -> str | None:
        last = int(site.clean.cutoff[:4])
        years = [y for y in range(int(one.year) - 4, last + 1) if str(y) != one.year]
        return _source_line(one, year=str(site.rng.choice(years)))

    return _resource(site, change)


def _wrong_author(site: Site) -> Draft | None:
    def change(one: Seen, others: list[Seen], quotes: str) -> str | None:
        if not others:
            return None
        other = site.rng.choice(others).authors[0]
        return _source_line(one).replace(f"({one.authors[0]}", f"({other}")

    return _resource(site, change)


def _wrong_title(site: Site) -> Draft | None:
    def change(one: Seen, others: list[Seen], quotes: str) -> str | None:
        return _source_line(one, title=site.rng.choice(others).title) if others else None

    return _resource(site, change)


def _full_text(site: Site) -> Draft | None:
    def change(text: str) -> str | None:
        lines = list(re.finditer(r"^- support: (?:abstract|snippet)$", text, re.MULTILINE))
        if not lines:
            return None
        at = site.rng.choice(lines)
        return f"{text[: at.start()]}- support: full text{text[at.end() :]}"

    return _rewritten(site, change, _AUDIT)


_BLOCK: Final = re.compile(
    r"(?:^- (?:source|quote|note): .*\n)+(?=- support: .*\n- status: supported$)", re.MULTILINE
)


def _no_source(site: Site) -> Draft | None:
    def change(text: str) -> str | None:
        # A claim that began in an earlier edit may have another source there.
        blocks = [b for b in _BLOCK.finditer(text) if "- source:" in b.group()]
        if not blocks:
            return None
        at = site.rng.choice(blocks)
        return text[: at.start()] + text[at.end() :]

    return _rewritten(site, change, _AUDIT)


# --- attributions and citations ---

_NOBODY: Final = (
    "Halvorsrud Brandvold Kessenich Oyelaran Tschirhart Vandermolen Wickramage Zubizarre "
    "Aaltovirta Dragomirov Fenstermaker Grimaldesi Hollenbeck Juhlander Mbatharu Norrgaard"
).split()


def _nobody(site: Site) -> Draft | None:
    name = site.rng.choice(_NOBODY)
    year = int(site.clean.cutoff[:4]) - site.rng.randint(1, 6)
    if site.shown(name):
        return None
    frames = (
        "{n} et al. ({y}) came to the same conclusion by other means.",
        "This fits what {n} et al. ({y}) observed for a related task.",
        "The opposite is reported by {n} et al. ({y}), who used more annotators.",
        "An early account of this is due to {n} and Whitcombe ({y}).",
        "Others had seen this before ({n} et al., {y}).",
    )
    sentence = site.rng.choice(frames).format(n=name, y=year)
    return _either(site, lambda: tell(site, sentence), lambda: jot(site, sentence, "synthesis.md"))


_CITED: Final = re.compile(
    r"(?<![\d.]) ([A-Z][\w’'-]+(?: et al\.| and [A-Z][\w’'-]+)?) \((\d{4})\)"
)


def _misdated(site: Site) -> Draft | None:
    papers = seen(site)
    observed = observed_text(site)

    def change(text: str) -> str | None:
        places = list(_CITED.finditer(text))
        site.rng.shuffle(places)
        for at in places:
            name = at[1].split()[0]
            held = {p.year for p in papers if any(name in a for a in p.authors)}
            years = range(int(at[2]) - 4, int(site.clean.cutoff[:4]) + 1)
            free = [str(y) for y in years if str(y) not in held]
            if not held or not free:
                continue
            year = site.rng.choice(free)
            # Abstracts cite works, too: what one of them says of this name is no invention.
            if not re.search(rf"\b{re.escape(name)}\b.{{0,20}}{year}", observed):
                return text[: at.start(2)] + year + text[at.end(2) :]
        return None

    def in_reasoning() -> Draft | None:
        new = change(site.draft.reasoning)
        return replace(site.draft, reasoning=new) if new else None

    return _either(site, in_reasoning, lambda: _rewritten(site, change, *_LATER))


def _no_such_claim(site: Site) -> Draft | None:
    ghost = f"C{site.rng.randint(61, 99)}"

    def change(text: str) -> str | None:
        places = list(re.finditer(r"\[(C\d+(?:, C\d+)*)\]", text))
        if not places:
            return None
        at = site.rng.choice(places)
        new = site.rng.choice((ghost, f"{at[1]}, {ghost}"))
        return f"{text[: at.start()]}[{new}]{text[at.end() :]}"

    return _rewritten(site, change, *_LATER)


_OPERATORS: Final[dict[str, tuple[Callable[[Site], Draft | None], str]]] = {
    "one word of a quote changed": (
        _word_of_quote,
        "A quote stands word for word in one earlier observation.",
    ),
    "quote spliced from two places": (
        _spliced,
        "A quote is one passage of its source, not the halves of two.",
    ),
    "invented quote under a real source": (
        _invented_quote,
        "What a quote line gives as verbatim was observed.",
    ),
    "number in a quote changed": (
        _number_of_quote,
        "The numbers of a quote are those of the passage.",
    ),
    "number in a claim changed against its quote": (
        _number_of_claim,
        "A number in a claim's text stands in what the claim quotes or in its source.",
    ),
    "percent for percentage points in a claim": (
        _percent,
        "Percent and percentage points are two units, and a claim keeps the unit of its quote.",
    ),
    "claim negated against its quote": (
        _negated,
        "A claim does not deny what its own quote says.",
    ),
    "comparison reversed against its quote": (
        _turned,
        "A comparison in a claim runs the way in which it runs in the quote.",
    ),
    "right quote under another paper": (
        _wrong_paper,
        "A quote stands in the page of the paper under whose source line it is put.",
    ),
    "wrong year in a source line": (
        _wrong_year,
        "The year of a source line is the year of the observed record.",
    ),
    "wrong first author in a source line": (
        _wrong_author,
        "The first author of a source line is the first author of the observed record.",
    ),
    "wrong title in a source line": (
        _wrong_title,
        "Title and address of a source line belong to one observed record.",
    ),
    "abstract passed off as full text": (
        _full_text,
        "A claim is supported by full text only where the full text was read.",
    ),
    "supported claim without a source": (
        _no_source,
        "A claim that counts as supported has a source with a passage.",
    ),
    "invented quotation in the reasoning": (
        _in_quotation_marks,
        "What the reasoning gives in quotation marks as a paper's words was observed.",
    ),
    "attribution to nobody observed": (
        _nobody,
        "A work that is named by author and year was observed.",
    ),
    "wrong year of an attribution": (
        _misdated,
        "A work that is named by author and year carries its observed year.",
    ),
    "citation of a claim that is not there": (
        _no_such_claim,
        "A citation points to a claim of the audit.",
    ),
    "number credited to a claim that holds none such": (
        _credited,
        "A number with its unit that is credited to a claim stands in the claim's sources.",
    ),
}

OPERATORS: Final[tuple[Operator, ...]] = tuple(
    Operator(name, "fabricated_evidence", rule, make) for name, (make, rule) in _OPERATORS.items()
)
