"""Addresses that no observation held: opened, cited or linked all the same."""

from __future__ import annotations

import re
from typing import Final

from benchmarks.verifier.site import Operator, Site
from benchmarks.verifier.title_faults import Seen, jot, observed_addresses, seen, tell
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.urls import canonical
from ideatrail.trail.turn import Draft


def _unseen_paper(site: Site) -> Paper | None:
    """An earlier paper of which no address was observed."""
    known = observed_addresses(site)
    for _ in range(20):
        paper = site.rng.choice(site.clean.earlier_papers)
        if not known & {canonical(paper.url), *paper.aliases}:
            return paper
    return None


def _open(site: Site, url: str) -> Draft | None:
    """The draft with a Scraper call for `url`, added or in place of one it has; None where the
    address was observed."""
    if canonical(url) in observed_addresses(site):
        return None
    here = site.calls("Scraper")
    if here and site.rng.random() < 0.5:
        return site.put(site.rng.choice(here), url=url)
    return site.call("Scraper", url=url)


def _unknown_id(site: Site) -> Draft | None:
    if site.rng.random() < 0.5:
        paper = _unseen_paper(site)
        return _open(site, paper.url) if paper and "aclanthology" in paper.url else None
    year = int(site.clean.cutoff[:4]) - site.rng.randint(1, 3)
    venue = site.rng.choice(("acl-long", "emnlp-main", "findings-acl", "naacl-main", "coling-main"))
    return _open(site, f"https://aclanthology.org/{year}.{venue}.{site.rng.randint(1, 400)}/")


def _digit(site: Site) -> Draft | None:
    known = [one for one in seen(site) if "aclanthology.org/" in one.url]
    if not known:
        return None
    url = site.rng.choice(known).url
    match = re.search(r"(\d+)(/?)$", url)
    if match is None:
        return None
    number = match[1]
    at = len(number) - 1 - site.rng.randrange(min(2, len(number)))
    digit = site.rng.choice([d for d in "123456789" if d != number[at]])
    changed = number[:at] + digit + number[at + 1 :]
    return _open(site, url[: match.start(1)] + changed + match[2])


def _early_month(site: Site) -> str:
    """YYMM of an arXiv id two years or more before the cutoff."""
    year = int(site.clean.cutoff[2:4]) - site.rng.randint(2, 5)
    return f"{year:02}{site.rng.randint(1, 12):02}"


def _arxiv(site: Site) -> Draft | None:
    name = f"{_early_month(site)}.{site.rng.randint(100, 15999):05}"
    form = site.rng.choice(("arXiv:{}", "https://arxiv.org/abs/{}", "arxiv.org/pdf/{}v2"))
    url = form.format(name)
    if canonical(url) in observed_addresses(site):
        return None
    frames = (
        "The preprint {} seems to report the same effect.",
        "I should compare this with {} before I rely on it.",
        "As far as I remember, {} has the longer version of this argument.",
        "A second source would be {}, which treats a similar case.",
    )
    return tell(site, site.rng.choice(frames).format(url))


_CITING: Final = (
    "The details are at {}.",
    "A longer account is given at {}.",
    "See {} for the full description.",
    "The material is released at {}.",
)


def _doi(site: Site) -> Draft | None:
    for _ in range(30):
        paper = _unseen_paper(site)
        if paper and paper.doi:
            form = site.rng.choice(("https://doi.org/{}", "doi:{}", "DOI {}"))
            return jot(site, site.rng.choice(_CITING).format(form.format(paper.doi)))
    return None


_WORDS: Final = ("amber", "cedar", "delta", "ferry", "harbor", "linden", "maple", "quarry", "tidal")
_KINDS: Final = ("bench", "kit", "eval", "lab", "tools", "suite")


def _page(site: Site) -> str:
    """The address of a project page that we made up."""
    word, kind = site.rng.choice(_WORDS), site.rng.choice(_KINDS)
    forms = (
        f"https://github.com/{word}-nlp/{word}{kind}",
        f"https://{word}{kind}.github.io/",
        f"https://huggingface.co/datasets/{word}/{word}-{kind}",
        f"https://www.{word}{kind}.org/downloads",
    )
    return site.rng.choice(forms)


def _project(site: Site) -> Draft | None:
    url = _page(site)
    if canonical(url) in observed_addresses(site):
        return None
    return jot(site, site.rng.choice(_CITING).format(url))


def _later_in_trail(site: Site) -> Draft | None:
    known = observed_addresses(site)
    end = Site(site.clean, len(site.clean.trail.turns), site.rng)
    coming: list[Seen] = [one for one in seen(end) if canonical(one.url) not in known]
    own = {canonical(str(site.draft.calls[n].parsed.get("url"))) for n in site.calls("Scraper")}
    coming = [one for one in coming if canonical(one.url) not in own]
    return _open(site, site.rng.choice(coming).url) if coming else None


def _invented_path(site: Site) -> Draft | None:
    known = [one for one in seen(site) if one.url.startswith("https://aclanthology.org/")]
    if not known:
        return None
    year = int(site.clean.cutoff[:4]) - site.rng.randint(1, 4)
    word, kind = site.rng.choice(_WORDS), site.rng.choice(_KINDS)
    paths = (
        f"events/{word}-{year}/",
        f"people/{word[0]}/{word}-{kind}/",
        f"venues/{word}{kind}/",
        f"attachments/{word}-{kind}.zip",
        f"topics/{word}/{kind}.html",
    )
    return _open(site, f"https://aclanthology.org/{site.rng.choice(paths)}")


def _link(site: Site) -> Draft | None:
    paper = _unseen_paper(site)
    url = paper.url if paper and site.rng.random() < 0.5 else _page(site)
    if canonical(url) in observed_addresses(site):
        return None
    frames = (
        "The [released code]({}) would show how they count.",
        "I think that the [longer version]({}) has the missing table.",
        "The numbers probably stand in the [appendix]({}), which I have not read.",
        "One could check this against the [original data]({}).",
    )
    return tell(site, site.rng.choice(frames).format(url))


_CODE: Final = "fake_url"

OPERATORS: Final[tuple[Operator, ...]] = (
    Operator(
        "Scraper of an anthology id that was never observed",
        _CODE,
        "Scraper opens only addresses that a result or the direction held before.",
        _unknown_id,
    ),
    Operator(
        "Scraper of an observed address with a digit changed",
        _CODE,
        "One digit more or less is another address, and that one was not observed.",
        _digit,
    ),
    Operator(
        "unobserved arXiv id in the reasoning",
        _CODE,
        "An arXiv id names an address, and none may be named before it was observed.",
        _arxiv,
        also=("fabricated_evidence",),
    ),
    Operator(
        "unobserved DOI in an artifact",
        _CODE,
        "What an artifact cites by DOI has been observed under one of its addresses.",
        _doi,
    ),
    Operator(
        "made-up project page in an artifact",
        _CODE,
        "An address that an artifact cites must have been observed, whatever kind of page it is.",
        _project,
    ),
    Operator(
        "address that is observed only later in the trail",
        _CODE,
        "An address counts as observed from the result on that first held it, not before.",
        _later_in_trail,
    ),
    Operator(
        "observed host with an invented path",
        _CODE,
        "A known host makes no address of it known.",
        _invented_path,
    ),
    Operator(
        "link in the reasoning to an unobserved address",
        _CODE,
        "A Markdown link is an address, too, and has to be observed before.",
        _link,
    ),
)
