"""Years, dates, ids and names from after the cutoff."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Final

from benchmarks.verifier.site import Clean, Operator, Site, plain
from benchmarks.verifier.title_faults import jot, locked, tell
from ideatrail.evidence.paper import Paper
from ideatrail.trail.turn import Draft


def _anywhere(site: Site, sentence: str) -> Draft | None:
    """The sentence in an artifact of the draft, half of the time; else in its reasoning."""
    draft = jot(site, sentence) if site.rng.random() < 0.5 else None
    return draft or tell(site, sentence)


def _year_after(site: Site) -> int | None:
    """A year after the cutoff's that was not shown."""
    last = int(site.clean.cutoff[:4])
    years = [y for y in range(last + 1, last + 4) if not site.shown(str(y))]
    return site.rng.choice(years) if years else None


def _day_after(site: Site) -> date | None:
    """A day of the two years after the cutoff, not in its own month; its month was not shown."""
    cutoff = date.fromisoformat(site.clean.cutoff)
    day = cutoff + timedelta(days=site.rng.randint(32, 700))
    month, iso = f"{day:%B %Y}", f"{day:%Y-%m}"
    return None if site.shown(month) or site.shown(iso) else day


_YEARS: Final = (
    "By {} the field had moved on from this view.",
    "The situation in {} was already quite different.",
    "Work from {} goes further than this.",
    "Since {} hardly anyone has argued the contrary.",
    "It was only in {} that this was looked at with care.",
    "The {} round of experiments would be the one to compare with.",
)


def _year(site: Site) -> Draft | None:
    year = _year_after(site)
    return _anywhere(site, site.rng.choice(_YEARS).format(year)) if year else None


_MONTHS: Final = (
    "A correction came out in {}.",
    "The data were released again in {} with other labels.",
    "In {} the authors withdrew part of this.",
    "The latest round was held in {}.",
)


def _month(site: Site) -> Draft | None:
    day = _day_after(site)
    if day is None:
        return None
    form = site.rng.choice(("{:%B %Y}", "{:%b %Y}", "{:%B of %Y}"))
    return _anywhere(site, site.rng.choice(_MONTHS).format(form.format(day)))


_DAYS: Final = (
    "The page was last changed on {}.",
    "The second version is dated {}.",
    "The files of {} have the corrected scores.",
    "What counts is the state of {}.",
)


def _iso(site: Site) -> Draft | None:
    day = _day_after(site)
    if day is None:
        return None
    form = site.rng.choice(("{:%Y-%m-%d}", "{:%Y/%m/%d}"))
    return _anywhere(site, site.rng.choice(_DAYS).format(form.format(day)))


def _arxiv(site: Site) -> Draft | None:
    day = _day_after(site)
    if day is None:
        return None
    name = f"{day:%y%m}.{site.rng.randint(200, 14000):05}"
    if site.rng.random() < 0.4:
        return site.call("Scraper", url=f"https://arxiv.org/abs/{name}")
    form = site.rng.choice(("arXiv:{}", "arxiv.org/abs/{}", "https://arxiv.org/pdf/{}v1"))
    frames = ("The preprint {} takes this up.", "I would compare this with {}.", "See also {}.")
    return _anywhere(site, site.rng.choice(frames).format(form.format(name)))


def _anthology(site: Site) -> Draft | None:
    year = _year_after(site)
    if year is None:
        return None
    venue = site.rng.choice(("acl-long", "emnlp-main", "findings-acl", "naacl-long", "eacl-long"))
    url = f"https://aclanthology.org/{year}.{venue}.{site.rng.randint(2, 400)}/"
    if site.rng.random() < 0.6:
        return site.call("Scraper", url=url)
    frames = ("The paper at {} takes this up.", "I would compare this with {}.", "See also {}.")
    return _anywhere(site, site.rng.choice(frames).format(url))


_RELEASED: Final = {
    "LLaMA": "2023-02-24",
    "Alpaca-7B": "2023-03-13",
    "GPT-4": "2023-03-14",
    "Vicuna": "2023-03-30",
    "LLaVA": "2023-04-17",
    "FActScore": "2023-05-23",
    "QLoRA": "2023-05-23",
    "HaluEval": "2023-05-19",
    "Tree of Thoughts": "2023-05-17",
    "MT-Bench": "2023-06-09",
    "Claude 2": "2023-07-11",
    "Llama 2": "2023-07-18",
    "Llama-2": "2023-07-18",
    "Code Llama": "2023-08-24",
    "LongBench": "2023-08-28",
    "GPT-4V": "2023-09-25",
    "Mistral-7B": "2023-09-27",
    "SWE-bench": "2023-10-10",
    "GPQA": "2023-11-20",
    "Mixtral": "2023-12-08",
    "TinyLlama": "2024-01-04",
    "OLMo": "2024-02-01",
    "Gemini 1.5": "2024-02-15",
    "Claude 3": "2024-03-04",
    "Llama 3": "2024-04-18",
    "Llama-3": "2024-04-18",
    "LLaMA 3": "2024-04-18",
    "Phi-3": "2024-04-23",
    "GPT-4o": "2024-05-13",
    "MMLU-Pro": "2024-06-03",
    "Claude 3.5": "2024-06-20",
    "Gemma 2": "2024-06-27",
    "GPT-4o-mini": "2024-07-18",
    "GPT-4o mini": "2024-07-18",
    "Llama 3.1": "2024-07-23",
    "Llama-3.1": "2024-07-23",
    "o1-preview": "2024-09-12",
    "Qwen2.5": "2024-09-19",
    "Llama 3.2": "2024-09-25",
    "SimpleQA": "2024-10-30",
    "Llama 3.3": "2024-12-06",
    "ModernBERT": "2024-12-18",
    "DeepSeek-V3": "2024-12-26",
    "DeepSeek-R1": "2025-01-20",
    "Gemma 3": "2025-03-12",
    "Qwen3": "2025-04-28",
}
"""Names that are known everywhere, with the day on which they were first made public."""

_NAMES: Final = (
    "It remains open whether {} would show the same.",
    "With {} the picture may be another one.",
    "A comparison with {} is missing.",
    "The obvious thing to try would be {}.",
    "None of this was tested on {}.",
    "Much of it was settled by {}.",
)

_HELD: dict[int, tuple[Sequence[Paper], list[tuple[int, str]]]] = {}


def _texts(papers: Sequence[Paper]) -> list[tuple[int, str]]:
    """Year and `plain` text of every paper."""
    held = _HELD.get(id(papers))
    if held is None or held[0] is not papers:
        texts = [
            (int(p.date[:4]), f" {plain(' '.join([p.title, *p.body]))} ")
            for p in papers
            if p.date[:4].isdigit()
        ]
        held = _HELD[id(papers)] = (papers, texts)
    return held[1]


def _famous(clean: Clean) -> tuple[str, ...]:
    """Names released after the cutoff that the index holds in later years, and only there."""
    found = []
    last = int(clean.cutoff[:4])
    for name, released in _RELEASED.items():
        words = f" {plain(name)} "
        years = [year for year, text in _texts(clean.papers) if words in text]
        if released > clean.cutoff and years and min(years) > last:
            found.append(name)
    return tuple(found)


_COINED: Final = re.compile(r"(?<![\w-])(?=[A-Z]*[a-z])[A-Z][a-z]*[A-Z]\w*(?![\w-])")
_OLDER: Final = dict(
    pair.split("=")
    for pair in "OpenAI=2015 ChatGPT=2022 TableQA=2019 GenAI=2022 DravidianLangTech=2021 "
    "ReproHum=2022 UniMath=2014 SciRepEval=2022 RALMs=2023 MLLMs=2023 LVLMs=2023 BabyLM=2023 "
    "AVeriTeC=2023 GraphRAG=2024-04".split()
)
"""Names that were about before the index first holds them, with the year or month."""


def _coined(clean: Clean) -> tuple[str, ...]:
    """Names in titles of later papers that stand in two later papers or more and in none before."""
    last = int(clean.cutoff[:4])
    later: Counter[str] = Counter()
    early: set[str] = set()
    for year, text in _texts(clean.papers):
        if year > last:
            later.update(set(text.split()))
        else:
            early.update(text.split())
    titles = " \n ".join(p.title for p in clean.later_papers)
    names = {n for n in _COINED.findall(titles) if n.isascii() and not re.search(r"\d\d|_", n)}
    # A short acronym may stand for something old, and a plural for a singular that is.
    names = {n for n in names if len(n) > 4 and not {n.lower(), n.lower().rstrip("s")} & early}
    names = {n for n in names if _OLDER.get(n, "9999") > clean.cutoff}
    return tuple(sorted(n for n in names if later[n.lower()] >= 2))


_LISTS: dict[tuple[str, str, int], tuple[str, ...]] = {}


def _name(names: Callable[[Clean], tuple[str, ...]], site: Site) -> Draft | None:
    key = (names.__name__, site.clean.cutoff, id(site.clean.papers))
    if key not in _LISTS:
        _LISTS[key] = names(site.clean)
    free = [n for n in _LISTS[key] if not site.shown(n) and not locked(site, n)]
    if not free:
        return None
    name = site.rng.choice(free)
    if site.rng.random() < 0.25:
        query = site.rng.choice(("{}", "{} results", "limits of {}")).format(name)
        return site.call("WebSearch", query=query, max_results=5)
    return _anywhere(site, site.rng.choice(_NAMES).format(name))


def _edition(site: Site) -> Draft | None:
    year = _year_after(site)
    if year is None:
        return None
    venue = site.rng.choice(
        ("ACL", "EMNLP", "NAACL", "NeurIPS", "ICLR", "COLING", "Findings of ACL")
    )
    form = site.rng.choice(("{} {}", "{} {}", "{}'{:02}"))
    year = year % 100 if "'" in form else year
    frames = (
        "The same question was taken up at {}.",
        "A shared task at {} was built on this.",
        "A tutorial at {} was about it.",
        "The numbers were updated for {}.",
    )
    return jot(site, site.rng.choice(frames).format(form.format(venue, year)))


_CODE: Final = "anachronism"

OPERATORS: Final[tuple[Operator, ...]] = (
    Operator(
        "year after the cutoff",
        _CODE,
        "No year after the cutoff is spoken of as one that has been.",
        _year,
    ),
    Operator(
        "month and year after the cutoff",
        _CODE,
        "A month after the cutoff's is not known yet.",
        _month,
    ),
    Operator(
        "date after the cutoff",
        _CODE,
        "A day after the cutoff is not known yet, in any notation.",
        _iso,
    ),
    Operator(
        "arXiv id after the cutoff",
        _CODE,
        "The first four digits of an arXiv id are a month, and it lies at or before the cutoff.",
        _arxiv,
        also=("fake_url",),
    ),
    Operator(
        "anthology id of a later year",
        _CODE,
        "The year in an anthology id is not after the cutoff.",
        _anthology,
        also=("fake_url",),
    ),
    Operator(
        "famous name after the cutoff",
        _CODE,
        "A name whose first date in the index is after the cutoff is not used before it was seen.",
        lambda site: _name(_famous, site),
    ),
    Operator(
        "coined name of later papers",
        _CODE,
        "What only later papers call by that name has no name yet.",
        lambda site: _name(_coined, site),
    ),
    Operator(
        "later edition of a conference",
        _CODE,
        "A conference of a year after the cutoff has not been held.",
        _edition,
    ),
)
