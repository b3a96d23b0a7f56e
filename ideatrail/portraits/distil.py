"""A portrait from a shelf: asked of a model, held to the papers, passed through the gate."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.dates import Cutoff
from ideatrail.evidence.paper import Paper
from ideatrail.evidence.withheld import NOTHING_WITHHELD, Withheld
from ideatrail.models.offline.portraitist import PortraitAnswer, StatementAnswer
from ideatrail.portraits.authors import NO_HINT, Choice, Cluster, Hint, choose, tell_apart
from ideatrail.portraits.digest import Digest, digest
from ideatrail.portraits.gate import Faults, Gate
from ideatrail.portraits.portrait import Dropped, Portrait, Statement
from ideatrail.portraits.shelf import PortraitError, Shelf, open_shelf
from ideatrail.trail.answers import Asks
from ideatrail.trail.text import squeeze

LEAST_PAPERS: Final = 3
"""Papers below which habits cannot be told from chance."""
REWRITES: Final = 2
_SHORTEST_QUOTE: Final = 8
_MOST_WORDS: Final = 60
_CLUSTERS: Final = 20
_COUNT: Final = re.compile(r"\b(\d+) of (?:the |such |these )?(\d+)\b")


@dataclass(frozen=True)
class Sitter:
    """Whose portrait is wanted, and as of when. Advisor side."""

    author: str
    cutoff: Cutoff
    withheld: Withheld = NOTHING_WITHHELD
    hint: Hint = NO_HINT


async def distil(
    sitter: Sitter,
    corpus: Corpus,
    pen: Asks,
    *,
    direction: Faults = lambda text: [],
    made_by: Mapping[str, Any] | None = None,
) -> Portrait:
    """The portrait of an author as of the cutoff.

    Args:
        sitter: who is meant.
        corpus: the papers; those after the cutoff, the target and what tells of it are left out.
        pen: asks the portraitist.
        direction: the direction's gate.
        made_by: goes into the record, such as the model's name.

    Raises:
        PortraitError: unknown name, no or too few papers, nothing that may be said.
        ModelError: the model gave no answer.
    """
    shelf = open_shelf(corpus, sitter.cutoff, sitter.withheld, sitter.author)
    clusters = tell_apart(shelf)
    try:
        choice = choose(shelf, clusters, sitter.hint)
    except LookupError as error:
        raise PortraitError(
            f"{error.args[0]!r} is no paper that {sitter.author} signed up to {sitter.cutoff.text}"
        ) from error
    mine = choice.cluster.papers
    if len(mine) < LEAST_PAPERS:
        raise PortraitError(_too_few(sitter, shelf, choice))
    shown = digest(shelf, mine)
    gate = Gate(
        shelf.papers,
        others=shelf.sample,
        people=sitter.hint.coauthors,
        withheld=sitter.withheld,
        direction=direction,
    )
    kept, dropped = await _asked(pen, shown, gate)
    if not kept:
        raise PortraitError(
            f"nothing can be said of {sitter.author} that does not tell who it is "
            f"({len(dropped)} statements were dropped)"
        )
    record = {
        **_record(sitter, corpus, choice, shown, len(mine)),
        **(made_by or {}),
    }
    return Portrait(tuple(kept), len(shown.papers), record, tuple(dropped))


async def _asked(pen: Asks, shown: Digest, gate: Gate) -> tuple[list[Statement], list[Dropped]]:
    """What holds of the answer; what does not is asked for anew, and dropped in the end."""
    refused: dict[str, Dropped] = {}
    kept: list[Statement] = []
    for attempt in range(REWRITES + 1):
        answer = await pen.ask(
            PortraitAnswer,
            attempt=attempt,
            papers=shown.shown,
            phrases=shown.phrases,
            elsewhere=shown.elsewhere,
            refused=[{"text": d.statement.text, "why": d.why} for d in refused.values()],
        )
        before = len(refused)
        kept = []
        for given in answer.statements:
            statement, why = _held(given, shown)
            why = why or "; ".join(gate.faults(statement.text))
            if why:
                refused.setdefault(statement.text, Dropped(statement, why))
            elif statement.text not in {k.text for k in kept}:
                kept.append(statement)
        if len(refused) == before:
            break
    return kept, list(refused.values())


def _held(given: StatementAnswer, shown: Digest) -> tuple[Statement, str]:
    """The statement with the support that stands in the papers, and what is wrong with it."""
    support: dict[str, str] = {}
    wrong = ""
    for one in given.support:
        paper = shown.paper(one.paper)
        quote = squeeze(one.quote)
        if paper is None:
            wrong = f"no paper has the label {one.paper}"
        elif len(quote) < _SHORTEST_QUOTE or quote not in squeeze(shown.text(one.paper)):
            # What is quoted of a paper has to stand there; without it the paper bears nothing.
            wrong = f"{one.paper} does not hold the words quoted of it"
        else:
            support.setdefault(paper.id, quote)
    text = " ".join(given.text.split())
    statement = Statement(given.part, text, tuple(support), tuple(support.values()))
    if not support:
        return statement, wrong or "no paper supports it"
    if given.part == "patterns" and len(support) < 2:
        return statement, "a pattern needs two papers"
    if len(text.split()) > _MOST_WORDS:
        return statement, f"it has more than {_MOST_WORDS} words"
    counts = _COUNT.findall(text)
    if len(counts) == 1 and (int(counts[0][0]) != len(support)):
        return statement, f"it counts {counts[0][0]} papers and {len(support)} support it"
    if any(int(n) > len(shown.papers) or int(k) > int(n) for k, n in counts):
        return statement, "it counts more papers than there are"
    return statement, ""


def _too_few(sitter: Sitter, shelf: Shelf, choice: Choice) -> str:
    count = len(choice.cluster.papers)
    papers = "1 paper" if count == 1 else f"{count} papers"
    also = ""
    if len(shelf.papers) > count:
        also = f" (the name stands on {len(shelf.papers)}, by {1 + len(choice.others)} people)"
    return (
        f"only {papers} of {sitter.author} up to {sitter.cutoff.text} can be read{also}; a "
        f"portrait needs {LEAST_PAPERS}"
    )


def _record(
    sitter: Sitter, corpus: Corpus, choice: Choice, shown: Digest, papers: int
) -> dict[str, Any]:
    doubts = list(choice.doubts)
    if papers > len(shown.papers):
        doubts.append(f"The newest {len(shown.papers)} of {papers} papers were read.")
    if any(p.kind == "summary" for p in shown.papers):
        doubts.append("Some papers were read in summaries that are not the authors' own words.")
    return {
        "author": sitter.author,
        "cutoff": sitter.cutoff.text,
        "corpus": corpus.hash,
        "names": list(choice.cluster.names),
        "chosen_by": choice.by,
        "doubts": doubts,
        "papers": [_listed(p) for p in shown.papers],
        "same_name": [
            _cluster(c, chosen=c is choice.cluster)
            for c in (choice.cluster, *choice.others)[:_CLUSTERS]
        ],
        "people": 1 + len(choice.others),
    }


def _listed(paper: Paper) -> dict[str, Any]:
    return {"id": paper.id, "title": paper.title, "date": paper.date, "url": paper.url}


def _cluster(cluster: Cluster, *, chosen: bool) -> dict[str, Any]:
    first, last = cluster.years
    return {
        "chosen": chosen,
        "papers": len(cluster.papers),
        "years": [first, last],
        "names": list(cluster.names),
        "coauthors": list(cluster.coauthors),
        "terms": list(cluster.terms),
        "tied_by_topic_alone": cluster.by_topic,
        "ids": [p.id for p in cluster.papers],
    }


def papers_of(portrait: Portrait) -> Sequence[str]:
    """Ids of all papers that the portrait's statements rest on, once each."""
    return list(dict.fromkeys(_ids(portrait)))


def _ids(portrait: Portrait) -> Iterator[str]:
    for statement in portrait.statements:
        yield from statement.papers
