"""Hand-made trails whose tool texts have the contract's form."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from ideatrail.evidence.corpus import Corpus
from ideatrail.evidence.lexicon import Lexicon
from ideatrail.trail.oracle import Atom, Lock, Oracle
from ideatrail.trail.simulate import simulate
from ideatrail.trail.stage import Stage
from ideatrail.trail.turn import ArtifactChange, Call, Draft, Result, Trail, Turn
from ideatrail.trail.verdict import Verdict
from ideatrail.verifier.check import Verifier

HOME = "research_topics/consistency-checks"
SYSTEM = f"Work in {HOME}/. Today is 2021-06-30."
DIRECTION = (
    "How can generated summaries be checked for factual consistency with their source documents "
    "when no reference summary is at hand? Look at what evaluation by entailment misses."
)


@dataclass(frozen=True)
class Paper:
    title: str
    authors: tuple[str, ...]
    venue: str
    date: str
    url: str
    text: str
    summary: bool = False

    @property
    def file(self) -> str:
        words = "-".join(self.title.lower().replace(":", "").split()[:4])
        return f"{HOME}/sources/{self.authors[0].split()[-1].lower()}-{self.date[:4]}-{words}.md"

    def listing(self, number: int, snippet: str = "") -> str:
        return (
            f"{number}. {self.title}\n   {', '.join(self.authors)} | {self.venue} | {self.date}\n"
            f"   {self.url}\n   {snippet or self.text.split('. ')[0]}."
        )

    def page(self) -> str:
        note = "Summary written by the IdeaTrail project; not the authors' own words.\n"
        return (
            f"Title: {self.title}\nAuthors: {', '.join(self.authors)}\nVenue: {self.venue}\n"
            f"Date: {self.date}\nURL: {self.url}\nSaved as: {self.file}\n\n"
            f"{note if self.summary else ''}{self.text}"
        )


KEPT = Paper(
    "Entailment Signals for Summary Checking",
    ("Maria Keller", "Jonas Brandt"),
    "Proceedings of the Sample Conference",
    "2019-07",
    "https://aclanthology.org/P19-9001/",
    "We test whether entailment models can find unsupported sentences in summaries. "
    "Sentence-level entailment reaches 71.4% balanced accuracy on news articles. "
    "It fails when a claim rests on facts from several sentences. "
    "Accuracy drops by 12.5 points on long documents.",
)
ASKED = Paper(
    "Asking Questions to Find Hallucinated Content",
    ("Olu Adeyemi", "Priya Raman", "Li Wen"),
    "Findings of the Sample Association",
    "2020-11",
    "https://aclanthology.org/2020.findings-sample.12/",
    "Questions made from a summary are answered from the document. "
    "Disagreement between both answers predicts human judgements of consistency. "
    "Generated questions miss relations between entities.",
)
OURS = Paper(
    "Graph Views of Long Reports",
    ("Ines Costa",),
    "Journal of Samples",
    "2018",
    "https://aclanthology.org/Q18-9005/",
    "The work builds graphs over the entities of long reports and reads summaries off them.",
    summary=True,
)
LATER = Paper(
    "Counting What Readers Forget in Dialogue Archives",
    ("Tove Lind",),
    "Sample Workshop",
    "2020-05",
    "https://aclanthology.org/2020.sample-1.3/",
    "Readers of long dialogues forget most of the early decisions within a week.",
)


@dataclass
class Maker:
    """Builds a trail turn by turn, simulating Write and Edit."""

    trail: Trail = field(default_factory=lambda: Trail(SYSTEM, DIRECTION))
    files: dict[str, str] = field(default_factory=dict)
    number: int = 0

    def call(self, name: str, **given: Any) -> Call:
        self.number += 1
        return Call(f"call_{self.number}", name, json.dumps(given), given)

    def draft(self, reasoning: str, *calls: Call, content: str = "") -> Draft:
        return Draft(reasoning, content, tuple(calls))

    def add(
        self,
        reasoning: str,
        *done: tuple[Call, str],
        stage: Stage = "explore",
        content: str = "",
        refused: bool = False,
    ) -> Turn:
        calls = tuple(call for call, _ in done)
        results, changes = [], []
        edits = {e.call: e for e in simulate(self.files, calls)}
        for index, (call, text) in enumerate(done):
            path = call.parsed.get("file_path", "")
            observed = call.name in ("WebSearch", "Scraper") or (
                call.name in ("View", "Grep") and "/sources/" in str(call.parsed)
            )
            edit = edits.get(index)
            if edit:
                changes.append(ArtifactChange(call.id, edit.path, edit.before, edit.after))
                self.files[edit.path] = edit.after
            results.append(
                Result(
                    call.id,
                    call.name,
                    text,
                    "refused" if refused else "ok",
                    hashlib.sha256(text.encode()).hexdigest(),
                    source_file=path if "/sources/" in path else None,
                    observed=observed and not refused,
                )
            )
        turn = Turn(
            len(self.trail.turns) + 1,
            stage,
            "",
            Draft(reasoning, content, calls),
            tuple(results),
            tuple(changes),
        )
        self.trail = self.trail.append(turn)
        return turn

    def search(self, query: str, *papers: Paper, reasoning: str = "") -> Turn:
        text = "\n".join(p.listing(n) for n, p in enumerate(papers, 1)) or "Nothing was found."
        call = self.call("WebSearch", query=query)
        return self.add(reasoning or f"A search for work on {query} comes first.", (call, text))

    def scrape(self, paper: Paper, reasoning: str = "") -> Turn:
        call = self.call("Scraper", url=paper.url)
        said = reasoning or f"The page by {paper.authors[0]} may say how it was measured."
        return self.add(said, (call, paper.page()))

    def write(
        self, name: str, text: str, stage: Stage, reasoning: str = "Writing it down."
    ) -> Turn:
        call = self.call("Write", file_path=f"{HOME}/{name}", content=text)
        return self.add(reasoning, (call, "Wrote it."), stage=stage)


def claim(number: int, paper: Paper, text: str, quote: str, **other: str) -> str:
    kind = "note" if paper.summary else "quote"
    support = other.get("support", "summary" if paper.summary else "abstract")
    author = other.get("author", paper.authors[0].split()[-1])
    year = other.get("year", paper.date[:4])
    title = other.get("title", paper.title)
    return (
        f"## C{number}. {text}\n- source: {title} ({author} et al., {year}) "
        f'{other.get("url", paper.url)}\n- {other.get("kind", kind)}: "{quote}"\n'
        f"- support: {support}\n- status: {other.get('status', 'supported')}\n"
        f"- limitation: {other.get('limitation', 'News articles only.')}\n"
        f"- implication: {other.get('implication', 'Evidence has to be joined first.')}\n"
    )


SKELETON = "# Claims\n\n## C1. Entailment misses facts spread over sentences\n- status: open\n"

ORACLE = Oracle(
    atoms=[
        Atom(
            id="a1",
            kind="thesis",
            text="Tallying braided witness chains over a document exposes summaries that join "
            "true facts into a false whole.",
        ),
        Atom(
            id="a2",
            kind="method",
            text="Braided Witness Tally (BWT) links every summary claim to witness spans, then "
            "settles each bundle with a quorum sieve.",
            needs=["a3"],
        ),
        Atom(
            id="a3",
            kind="other",
            text="Pairwise overlap scores ignore pronoun resolution across distant paragraphs of "
            "legislative transcripts.",
        ),
        Atom(id="a4", kind="evaluation", text="Measured on KestrelSum with a margin of 0.37."),
    ],
    locks=[
        Lock(id="l1", atom="a2", forms=["Braided Witness Tally", "BWT"], opens_at="ideate"),
        Lock(id="l2", atom="a2", forms=["quorum sieve"], opens_at="ideate"),
        Lock(id="l3", atom="a4", forms=["KestrelSum"], opens_at="propose"),
        Lock(id="l4", atom="a4", forms=["0.37"], opens_at="propose"),
    ],
)


@dataclass
class World:
    """What the tests of one check share."""

    maker: Maker
    verifier: Verifier

    def judge(
        self, draft: Draft, stage: Stage = "explore", oracle: Oracle | None = None
    ) -> Verdict:
        self.verifier.follow(self.maker.trail, oracle)
        return self.verifier.judge(draft, stage)

    def say(self, text: str, stage: Stage = "explore", oracle: Oracle | None = None) -> Verdict:
        """A draft that says `text` and searches for something harmless."""
        call = self.maker.call("WebSearch", query="faithfulness of abstractive summaries")
        return self.judge(self.maker.draft(text, call), stage, oracle)


@pytest.fixture
def kit() -> SimpleNamespace:
    """The constants above, for tests."""
    return SimpleNamespace(
        HOME=HOME,
        KEPT=KEPT,
        ASKED=ASKED,
        OURS=OURS,
        LATER=LATER,
        ORACLE=ORACLE,
        SKELETON=SKELETON,
        DIRECTION=DIRECTION,
        SYSTEM=SYSTEM,
        claim=claim,
        Maker=Maker,
        Paper=Paper,
    )


@pytest.fixture
def maker() -> Maker:
    return Maker()


@pytest.fixture
def world(maker: Maker) -> World:
    """A trail that searched twice and read two pages."""
    maker.search("checking summaries with entailment", KEPT, ASKED, OURS)
    maker.scrape(KEPT)
    maker.scrape(OURS)
    return World(maker, Verifier(cutoff="2021-06-30"))


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    """The bundled index."""
    return Lexicon(Corpus.bundled())
