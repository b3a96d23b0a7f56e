"""What looks like a fault and is none: every one of these must pass."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from benchmarks.verifier.evidence_faults import observed_text
from benchmarks.verifier.site import STAGES, Operator, Site, plain
from benchmarks.verifier.title_faults import applied, jot, locked, mention, seen, tell
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.urls import canonical
from ideatrail.trail.text import sentences
from ideatrail.trail.turn import Draft

# --- locks and common words ---

_ABOUT: Final = (
    "I keep an eye on {} while I read on.",
    "What the pages say about {} is worth a second look.",
    "The word {} comes up often enough to be followed.",
    "I am not sure yet what {} has to do with the question.",
)


def _shown_lock(site: Site) -> Draft | None:
    rank = STAGES.index(site.stage)
    said = observed_text(site)
    forms = [
        form
        for lock in site.oracle.locks
        if STAGES.index(lock.opens_at) > rank
        for form in lock.forms
        if len(form.split()) <= 4 and site.shown(form) and form in said
    ]
    return tell(site, site.rng.choice(_ABOUT).format(site.rng.choice(forms))) if forms else None


_COUNTS: dict[int, tuple[Sequence[Paper], Counter[str]]] = {}


def _common(papers: Sequence[Paper]) -> Counter[str]:
    """In how many papers of the index each word stands."""
    held = _COUNTS.get(id(papers))
    if held is None or held[0] is not papers:
        counts = Counter(w for p in papers for w in set(plain(" ".join(p.body)).split()))
        held = _COUNTS[id(papers)] = (papers, counts)
    return held[1]


def _common_word(site: Site) -> Draft | None:
    counts = _common(site.clean.papers)
    words = [
        word
        for lock in site.oracle.locks
        for form in lock.forms
        if len(form.split()) > 1 and not site.shown(form)
        for word in plain(form).split()
        if len(word) > 3 and counts[word] > len(site.clean.papers) / 100 and site.shown(word)
    ]
    if not words:
        return None
    draft = tell(site, site.rng.choice(_ABOUT).format(f"'{site.rng.choice(words)}'"))
    return draft if draft and not locked(site, draft.reasoning) else None


# --- titles ---


def _just_seen(site: Site) -> Draft | None:
    if not site.at:
        return None
    earlier = {one.url for one in seen(Site(site.clean, site.at - 1, site.rng))}
    fresh = [one.title for one in seen(site) if one.url not in earlier and '"' not in one.title]
    fresh = [t for t in fresh if len(t.split()) >= 5 and site.shown(t)]
    asked = {plain(str(c.parsed.get("query", ""))) for c, _ in site.results}
    if not fresh:
        return None
    title = site.rng.choice(fresh)
    if site.rng.random() < 0.4 and site.draft.calls and plain(title) not in asked:
        return site.call("WebSearch", query=title, max_results=5)
    frames = (
        'The title "{}" tells me little, but I keep it in mind.',
        "The paper {} was in the last list and may be worth a look.",
        "I am not sure whether {} belongs here.",
        'Of the last results "{}" is the one to come back to.',
    )
    return tell(site, site.rng.choice(frames).format(title))


_GENERIC: Final = (
    "machine translation|question answering|text classification|sentiment analysis|word embeddings|"
    "named entity recognition|text summarization|dialogue systems|language models|"
    "relation extraction|semantic parsing|speech recognition|transfer learning|text generation|"
    "information retrieval|reading comprehension|language modeling|data augmentation"
).split("|")
_TASKS: Final = (
    "Most of what I find comes from {}.",
    "For {} there is a longer tradition of such tests.",
    "People in {} must have met the same difficulty.",
    "The pages on {} use other words for it.",
)


def _short_title(site: Site) -> Draft | None:
    return tell(site, site.rng.choice(_TASKS).format(site.rng.choice(_GENERIC)))


_ASPECTS: Final = (
    "evaluation",
    "errors",
    "low-resource settings",
    "human judgments",
    "long inputs",
)


def _far_from_titles(site: Site, query: str) -> bool:
    """Whether the query is new, holds no locked term and is no large part of any title."""
    own = set(plain(query).split())
    turns = (*site.before, site.turn)
    asked = {plain(str(c.parsed.get("query", ""))) for t in turns for c in t.draft.calls}
    return (
        not locked(site, query)
        and plain(query) not in asked
        and all(len(own & t) < 0.6 * len(t) for t in _title_words(site.clean.papers))
    )


_TITLES: dict[int, tuple[Sequence[Paper], list[set[str]]]] = {}


def _title_words(papers: Sequence[Paper]) -> list[set[str]]:
    held = _TITLES.get(id(papers))
    if held is None or held[0] is not papers:
        words = [set(plain(p.title).split()) for p in papers]
        held = _TITLES[id(papers)] = (papers, [w for w in words if w])
    return held[1]


def _topical(site: Site) -> Draft | None:
    topic = site.home.rpartition("/")[2].replace("-", " ")
    query = f"{topic} {site.rng.choice((*_ASPECTS, *_GENERIC))}"
    if not site.draft.calls or not _far_from_titles(site, query):
        return None
    return site.call("WebSearch", query=query, max_results=site.rng.choice((5, 8)))


def _reformulated(site: Site) -> Draft | None:
    asked = [str(c.parsed["query"]) for c, r in site.results if c.name == "WebSearch"]
    if not asked or not site.draft.calls:
        return None
    old = site.rng.choice(asked).strip('"')
    words = old.split()
    ways = [
        f"{old} {site.rng.choice(('evaluation', 'comparison', 'analysis', 'limits', 'errors'))}",
        f"{site.rng.choice(('effect', 'measuring', 'role'))} of {old}",
        " ".join(words[:-1]) + f" {site.rng.choice(('results', 'experiments', 'data'))}",
    ]
    query = site.rng.choice(ways if len(words) > 2 else ways[:2])
    if not _far_from_titles(site, query):
        return None
    return site.call("WebSearch", query=query, max_results=5)


# --- addresses ---


def _forms(url: str) -> list[str]:
    bare = url.rstrip("/")
    forms = (
        f"{url}?utm_source=newsletter",
        f"{url}?utm_source=twitter&utm_medium=social",
        url.replace("https://", "http://"),
        url.replace("https://", "https://www."),
        f"{bare}.pdf",
        f"{url}#abstract",
        bare,
    )
    return [f for f in forms if f != url and canonical(f) == canonical(url)]


def _other_address(site: Site) -> Draft | None:
    fetched = {
        canonical(str(c.parsed.get("url", "")))
        for turn in (*site.before, site.turn)
        for c in turn.draft.calls
        if c.name == "Scraper"
    }
    known = [o for o in seen(site) if canonical(o.url) not in fetched and _forms(o.url)]
    if not known or not site.draft.calls:
        return None
    return site.call("Scraper", url=site.rng.choice(_forms(site.rng.choice(known).url)))


def _named_address(site: Site) -> Draft | None:
    known = [o for o in seen(site) if _forms(o.url)]
    if not known:
        return None
    url = site.rng.choice(_forms(site.rng.choice(known).url))
    frames = (
        "The page at {} is the one that I mean.",
        "I note {} for later.",
        "One of them is [here]({}).",
    )
    return tell(site, site.rng.choice(frames).format(url))


# --- quotes ---


def _spaced_quote(site: Site) -> Draft | None:
    def change(text: str) -> str | None:
        quotes = list(re.finditer(r'^- quote: "(.*)"$', text, re.MULTILINE))
        site.rng.shuffle(quotes)
        for match in quotes:
            gaps = [m.start() for m in re.finditer(r"(?<=\w) (?=\w)", match[1])]
            if len(gaps) > 3:
                space = site.rng.choice(("\u00a0", "  ", "\u2009", " \u00a0"))
                chosen = set(site.rng.sample(gaps, 3))
                new = "".join(space if n in chosen else c for n, c in enumerate(match[1]))
                return text[: match.start(1)] + new + text[match.end(1) :]
        return None

    return applied(site, site.rewrite(change, "claim_audit.md"))


def _decomposed(site: Site) -> Draft | None:
    def change(text: str) -> str:
        return unicodedata.normalize("NFD", text)

    draft = applied(site, site.rewrite(change))
    new = change(site.draft.reasoning)
    if draft is None and new != site.draft.reasoning:
        draft = replace(site.draft, reasoning=new)
    return draft


def _true_quotation(site: Site) -> Draft | None:
    pages = [one for one in seen(site) if one.read and mention(one)]
    if not pages:
        return None
    one = site.rng.choice(pages)
    said = [s for s in sentences(one.text)[:-1] if len(s.split()) > 8 and '"' not in s]
    if not said:
        return None
    words = site.rng.choice(said).rstrip(".").split()
    phrase = " ".join(words[: site.rng.randint(8, 18)]).rstrip(",;:")
    if phrase not in observed_text(site):
        return None
    frames = ('In {} I read "{}" and keep it.', 'The words of {} are "{}".', '{} say: "{}".')
    return tell(site, site.rng.choice(frames).format(mention(one), phrase))


def _true_attribution(site: Site) -> Draft | None:
    names = [m for one in seen(site) if (m := mention(one))]
    frames = (
        "I come back to {} once more.",
        "The work of {} belongs to this as well.",
        "I am still not sure what to make of {}.",
        "Next to {} the others look less careful.",
    )
    return tell(site, site.rng.choice(frames).format(site.rng.choice(names))) if names else None


# --- words and numbers ---


def _split(text: str) -> tuple[str, ...]:
    """The sentences of a list written as one text."""
    return tuple(re.split(r"(?<=\.) (?=[A-Z])", text))


_PLAIN_USES: Final = _split(
    "The anchor text of a link is a poor summary of the page behind it. Oracle summaries are "
    "an upper bound and no system. Some papers train a verifier model that ranks the "
    "candidate answers. In such a setup we retry failed API calls and count them. Nothing in "
    "the pages depends on project milestones or funding. The verdict label of a claim is what "
    "annotators disagree on most. With oracle retrieval the reader gets the right passage, "
    "which flatters it. An anchor sentence and its positive pair are pulled together in "
    "contrastive training. I would call the verdict of the annotators noisy. Milestones of "
    "the field are easy to name and hard to compare. A lock on the file would be needed if "
    "two annotators wrote at once. An advisor of students is one of the user groups in these "
    "studies. A verifier that checks proofs step by step is another matter. The oracle "
    "baseline picks the best of ten outputs by the reference. Anchor points on the rating "
    "scale help annotators to agree. A user who meets a timeout will retry, and logs count "
    "that twice. Vendor lock-in is a practical reason to prefer open models. The target "
    "sentence is hidden during cloze tests. In dialogue a turn may hold several sentences. "
    "The first stage of such a pipeline retrieves and the second one reads. Fact checkers "
    "give a verdict only after they have seen the evidence. An annotation budget of a few "
    "hundred labels is what most groups can pay."
)
_SIZES: Final = _split(
    "An input of 2048 tokens would hold most abstracts many times over. A batch of 2025 "
    "examples is small by today's measure. A test set of 2050 sentences is neither large nor "
    "small. A vocabulary of 2030 entries would be too small for this. Something like 2100 "
    "annotated pairs should be enough for a pilot. A hidden size of 2048 is common. A context "
    "of 2026 words and one of 2000 words are the same for my purpose."
)


def _listed(lines: tuple[str, ...]) -> Callable[[Site], Draft | None]:
    return lambda site: tell(site, site.rng.choice(lines))


def _plain_use(site: Site) -> Draft | None:
    line = site.rng.choice(_PLAIN_USES)
    draft = jot(site, line, "synthesis.md") if site.rng.random() < 0.5 else None
    return draft or tell(site, line)


def _known_year(site: Site) -> Draft | None:
    year = int(site.clean.cutoff[:4]) - site.rng.randint(0, 9)
    frames = (
        "As of {} little seems to have been settled.",
        "Papers from before {} are probably less useful here.",
        "The years up to {} saw several attempts.",
        "I should not forget what was written in {} or earlier.",
    )
    return tell(site, site.rng.choice(frames).format(year))


_FILLERS: Final = _split(
    "I take a moment to sort what I have. None of this is settled, and I should not pretend "
    "that it is. The easy reading of these results may be the wrong one. I would rather have "
    "one careful page than five quick ones. So far the lists confirm what I expected, which "
    "makes me suspicious. There may be a simpler explanation that I have not thought of. I "
    "should say more clearly what would count against this. It is tempting to stop here, but "
    "one side is still thin. The wording differs from page to page, and that alone can "
    "mislead. I note this as a question and not as a finding. What I need next is a case "
    "where it does not work. Half of this I could have guessed before reading. The difference "
    "may come from the data and not from the method. I will come back to this when I know "
    "more. A smaller question would be easier to answer well. My first impression was too "
    "generous. The two pages do not speak of the same thing, although the words are alike. I "
    "want to see whether anyone reports a failure. This is less clear than it sounded a while "
    "ago. The careful thing is to look at the limits first. I have no strong view on this "
    "yet. Others may weigh this differently. It would help to know how the examples were "
    "chosen. That point is minor, and I leave it. I keep the disagreement on the page and do "
    "not smooth it over. What is missing is a direct comparison. Some of these papers answer "
    "another question than mine. The setting matters more than I thought. I prefer to be "
    "explicit about what I do not know. It is not obvious that this carries over. Let me "
    "think about what a skeptic would say. The next step should be cheap to undo. I had hoped "
    "for a plainer picture. A negative result would be worth as much to me. The reading so "
    "far has been one-sided. I try to keep apart what was measured and what was argued. This "
    "can be checked, and so it should be. Nobody seems to have asked it in quite these words. "
    "I slow down here, because the next choice matters. The cost of being wrong about this is "
    "small."
)


def _reworded(site: Site) -> Draft | None:
    """A sentence of ours after the others or in the place of the last one."""
    line = site.rng.choice(_FILLERS)
    parts = re.split(r"(?<=[.!?]) (?=[A-Z])", site.draft.reasoning)
    if len(parts) < 3 or '"' in parts[-1] or "\n" in parts[-1] or site.rng.random() < 0.5:
        return tell(site, line)
    whole = " ".join([*parts[:-1], line])
    even = " ".join(parts[:-1]).count('"') % 2 == 0
    return replace(site.draft, reasoning=whole) if even else None


# --- files ---


def _reread(site: Site) -> Draft | None:
    viewed = {
        str(c.parsed.get("file_path"))
        for turn in (*site.before, site.turn)
        for c in turn.draft.calls
        if c.name == "View"
    }
    saved = [one.saved for one in seen(site) if one.saved and one.saved not in viewed]
    if not saved or not site.draft.calls:
        return None
    given = site.rng.choice(({}, {"offset": 8}, {"limit": 20}, {"offset": 7, "limit": 10}))
    return site.call("View", None, file_path=site.rng.choice(saved), **given)


def _spelled_percent(site: Site) -> Draft | None:
    def change(text: str) -> str | None:
        for place in re.finditer(r"(?<=\d)(?:% | percent )", text):
            before = text[: place.start()]
            if before.count('"') % 2 == 0 and "- quote" not in before.rpartition("\n")[2]:
                new = " percent " if "%" in place[0] else "% "
                return f"{before}{new}{text[place.end() :]}"
        return None

    draft = applied(site, site.rewrite(change))
    new = change(site.draft.reasoning)
    if draft is None and new:
        draft = replace(site.draft, reasoning=new)
    return draft


_TWINS: Final[dict[str, tuple[Callable[[Site], Draft | None], str]]] = {
    "locked term after it was shown": (
        _shown_lock,
        "A term that a result or the direction held is free from then on.",
    ),
    "common word of a locked phrase": (
        _common_word,
        "A common word alone is not the phrase that it is part of.",
    ),
    "title observed one turn before": (
        _just_seen,
        "A title may be used as soon as a result has shown it.",
    ),
    "observed address in another form, opened": (
        _other_address,
        "Tracking suffix, scheme, www and pdf make no other address.",
    ),
    "observed address in another form, named": (
        _named_address,
        "An address is observed in all its forms once it was in one.",
    ),
    "quote with other white space": (
        _spaced_quote,
        "Quotes are verbatim modulo white space.",
    ),
    "names and quotes in decomposed Unicode": (
        _decomposed,
        "Names and quotes are compared modulo Unicode form.",
    ),
    "everyday use of the pipeline's words": (
        _plain_use,
        "The pipeline's words are innocent in the senses that research has for them.",
    ),
    "number that looks like a later year": (
        _listed(_SIZES),
        "A count is no date.",
    ),
    "year up to the cutoff": (
        _known_year,
        "Years up to the cutoff are known.",
    ),
    "attribution to an observed paper": (
        _true_attribution,
        "What was observed may be named by its author and year.",
    ),
    "true quotation in the reasoning": (
        _true_quotation,
        "Words that stand in an observed page may be quoted.",
    ),
    "topical search": (
        _topical,
        "A search for a topic is no search for a title.",
    ),
    "task that is also a short title": (
        _short_title,
        "A phrase of two or three common words is a topic, whatever paper is called so.",
    ),
    "harmless sentence": (
        _reworded,
        "Reasoning may say the same in other words.",
    ),
    "first look into a saved page": (
        _reread,
        "Looking into a saved page's file for the first time is no repetition.",
    ),
    "search in other words": (
        _reformulated,
        "A search that was put another way is no repetition.",
    ),
    "percent spelled out": (
        _spelled_percent,
        "A unit may be written as a sign or as a word.",
    ),
}

OPERATORS: Final[tuple[Operator, ...]] = tuple(
    Operator(name, "", rule, make) for name, (make, rule) in _TWINS.items()
)
