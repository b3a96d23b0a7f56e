"""build_oracle: atoms, causal dependencies and leakage locks (paper, section 4.2)."""

from __future__ import annotations

import re
from typing import Any, Final, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.evidence.lexicon import Lexicon
from ideatrail.nodes.rooms import AdvisorRoom, need_pen
from ideatrail.state import State
from ideatrail.trail.answers import OracleAnswer
from ideatrail.trail.oracle import PAPER_ATOM, Atom, Lock, Oracle, Seed
from ideatrail.trail.text import STOPWORDS, words

PROMPT_VALUES: Final = ("rarities",)

_LONGEST_TERM: Final = 4
_SHORTEST_FORM: Final = 4
_NAME: Final = re.compile(r"(?<![\w-])(?:[A-Za-z]*[a-z][A-Z][\w-]*|[A-Z]{3,}[\w-]*)(?![\w-])")
"""Names with capitals inside, and acronyms."""
_CLAUSE: Final = re.compile(r"[.,;:!?()\[\]{}\n\"“”|]+")


def rarities(texts: list[str], lexicon: Lexicon) -> dict[str, int]:
    """Documents of the literature that hold each term of the texts, in order of first use.

    Terms are words and runs of up to four words that neither begin nor end with a stop word.
    """
    found: dict[str, int] = {}
    for text in texts:
        for clause in _CLAUSE.split(text):
            tokens = words(clause)
            for size in range(1, _LONGEST_TERM + 1):
                for start in range(len(tokens) - size + 1):
                    run = tokens[start : start + size]
                    if run[0] in STOPWORDS or run[-1] in STOPWORDS or len(run[0]) < 2:
                        continue
                    term = " ".join(run)
                    if term not in found:
                        found[term] = lexicon.df(term)
    return found


def seed_texts(seed: Seed) -> list[str]:
    """Every text of a seed, extras included."""

    def flat(value: Any) -> list[str]:
        if isinstance(value, str):
            return [value]
        if isinstance(value, dict):
            return [t for v in value.values() for t in flat(v)]
        if isinstance(value, list | tuple):
            return [t for v in value for t in flat(v)]
        return []

    return [t for t in flat(seed.model_dump(by_alias=True, exclude={"proposal_id"})) if t]


def paper_locks(paper: dict[str, Any], lexicon: Lexicon) -> Oracle:
    """What the paper behind the proposal locks, whoever derives the rest: its title, ids, authors
    and the names it coins, which no other paper of the literature has."""
    title = str(paper.get("title", "")).strip()
    listed = [paper.get(key, ()) for key in ("titles", "ids", "authors", "names")]
    given = [str(v) for values in listed if isinstance(values, list) for v in values]
    text = f"{title}\n{paper.get('abstract', '')}"
    coined = [n for n in _NAME.findall(text) if lexicon.name_frequency(n) <= 1]
    forms = [title, title.partition(":")[0].strip(), *given, *coined]
    kept = list(dict.fromkeys(f for f in forms if len(f) >= _SHORTEST_FORM))
    if not kept:
        return Oracle(atoms=[], locks=[])
    atom = Atom(id=PAPER_ATOM, kind="other", text=title or kept[0])
    lock = Lock(id="lock-paper", atom=atom.id, forms=kept, opens_at="propose")
    return Oracle(atoms=[atom], locks=[lock])


async def build_oracle(
    state: State, runtime: Runtime[AdvisorRoom]
) -> Command[Literal["write_direction"]]:
    """Derive the oracle; term rarities from the full index are put into the request."""
    room = runtime.context
    seed = state["seed"]
    paper = state.get("paper")
    texts = seed_texts(seed)
    if paper:
        texts += [str(v) for v in paper.values()]
    answer = await need_pen(room).ask(
        OracleAnswer,
        seed=seed.model_dump(by_alias=True),
        rarities=rarities(texts, room.lexicon),
        paper=paper,
    )
    added = paper_locks(paper, room.lexicon) if paper else Oracle(atoms=[], locks=[])
    oracle = Oracle(atoms=[*answer.atoms, *added.atoms], locks=[*answer.locks, *added.locks])
    return Command(update={"oracle": oracle}, goto="write_direction")
