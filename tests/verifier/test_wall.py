"""The wall at the verdict: nothing of the oracle crosses it but a code and a part."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ideatrail.trail.oracle import Atom, Lock, Oracle
from ideatrail.trail.stage import STAGES, Stage
from ideatrail.trail.verdict import ORACLE_CODES, Pointer, public

# No word of any language, so that none stands in the trail by chance.
WORD = st.text("bcdfghklmnprstvz", min_size=3, max_size=7).map("zk{}".format)
TERM = st.lists(WORD, min_size=1, max_size=3).map(" ".join)
FIXED = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def oracle_of(term: str, stage: Stage) -> Oracle:
    return Oracle(
        atoms=[Atom(id="m1", kind="method", text=f"We use {term} throughout this paper.")],
        locks=[Lock(id="k1", atom="m1", forms=[term], opens_at=stage)],
    )


@FIXED
@given(term=TERM, stage=st.sampled_from(STAGES[1:]), cover=st.sampled_from(["{}", "x {} y."]))
def test_public_part_holds_no_word_of_the_oracle(
    world: Any, term: str, stage: Stage, cover: str
) -> None:
    verdict = world.say(cover.format(term), oracle=oracle_of(term, stage))
    assert verdict.code == "oracle_leakage"
    code, pointer = public(verdict.findings[0])
    told = f"{code} {asdict(pointer)}"
    assert not any(word in told for word in term.split())
    assert pointer == Pointer(pointer.part)


@FIXED
@given(one=TERM, two=TERM, said=TERM)
def test_equal_outcomes_give_equal_public_verdicts(
    world: Any, one: str, two: str, said: str
) -> None:
    verdicts = [world.say(said, oracle=oracle_of(t, "propose")) for t in (one, two)]
    if verdicts[0].code == verdicts[1].code:
        parts = [public(f) for v in verdicts for f in v.findings[:1]]
        assert len(set(parts)) <= 1


@FIXED
@given(term=TERM)
def test_public_verdict_is_the_same_with_and_without_an_oracle(world: Any, term: str) -> None:
    """A draft at fault on the public record alone is never shown to the oracle."""
    said = f"The verifier rejected my {term}."
    without = world.say(said)
    with_it = world.say(said, oracle=oracle_of(term, "propose"))
    assert without.code == with_it.code == "pipeline_language"
    assert without.findings == with_it.findings
    assert not with_it.charged


@FIXED
@given(
    words=st.lists(WORD, min_size=2, max_size=3, unique=True),
    change=st.sampled_from(
        [
            str.upper,
            str.title,
            lambda t: t.replace(" ", "-"),
            lambda t: t.replace(" ", "_"),
            lambda t: t.replace(" ", ""),
            lambda t: t + "s",
            lambda t: "\u200b".join(t),
            lambda t: t.encode().hex(),
            lambda t: "".join(f"%{b:02X}" for b in t.encode()),
            lambda t: "".join(f"&#x{ord(c):x};" for c in t),
            lambda t: "\n".join(t.split(" ")),
            lambda t: " ".join(reversed(t.split(" "))),
        ]
    ),
)
def test_transformed_terms_are_found(world: Any, words: list[str], change: Any) -> None:
    term = " ".join(words)
    verdict = world.say(f"Consider {change(term)}, then.", oracle=oracle_of(term, "propose"))
    assert verdict.code == "oracle_leakage"


@FIXED
@given(words=st.lists(WORD, min_size=2, max_size=3, unique=True))
def test_terms_split_over_turns_are_found(kit: Any, words: list[str]) -> None:
    from ideatrail.verifier.check import Verifier

    maker = kit.Maker()
    for n, word in enumerate(words[:-1]):
        maker.search(f"summaries of news part {n} {word}", kit.KEPT)
    verifier = Verifier(cutoff="2021-06-30")
    verifier.follow(maker.trail, oracle_of(" ".join(words), "propose"))
    last = maker.call("WebSearch", query=f"reports {words[-1]}")
    assert verifier.judge(maker.draft("One more.", last), "explore").code == "oracle_leakage"


def test_follow_is_incremental_and_starts_over_after_a_rewind(world: Any, kit: Any) -> None:
    verifier, maker = world.verifier, world.maker
    view = verifier.follow(maker.trail)
    maker.search("more of it", kit.LATER)
    assert verifier.follow(maker.trail) is view
    assert kit.LATER.url.rstrip("/") in view.listed
    again = verifier.follow(maker.trail.rewind(2))
    assert again is not view
    assert kit.LATER.url.rstrip("/") not in again.listed


def test_oracle_codes_are_those_of_the_advisor_checks(world: Any) -> None:
    from ideatrail.verifier.check import CHECKS
    from ideatrail.verifier.means import Means

    made = [maker(Means()) for maker in CHECKS]
    charged = set().union(*(c.codes for c in made if "advisor" in c.needs))
    assert charged == ORACLE_CODES
