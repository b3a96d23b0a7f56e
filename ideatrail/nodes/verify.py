"""verify: the draft is judged before anything runs (paper, sections 4.9 and 6.1).

A draft that is not taken is dropped; the turn is made again from the state before it, with the
verdict's code and pointer. Public verdicts cost nothing; what the oracle decides goes on the leak
ledger.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from ideatrail.nodes.act import artifacts_of
from ideatrail.nodes.rooms import AdvisorRoom
from ideatrail.state import Outcome, PublicVerdict, Reason, State
from ideatrail.trail.answers import LeakageAnswer
from ideatrail.trail.leakage import LeakLedger, draft_bits
from ideatrail.trail.turn import Draft
from ideatrail.trail.verdict import PART_ONLY, Finding, Layer, Pointer, Verdict, public

Exit = Literal["generate", "act", "finish", "label_tiers"]
PROMPT_VALUES: Final = ("hidden", "observed", "draft_text")
JUDGE: Final = "leakage/judge"
_HIDDEN: Final = 4
"""Atoms that a judge is shown at a time."""
_OBSERVED: Final = 12
"""Sentences of what was observed that a judge is shown."""


async def verify(state: State, runtime: Runtime[AdvisorRoom]) -> Command[Exit]:
    """Pass the draft on, ask for another, mend, or end the trail as rejected."""
    room = runtime.context
    draft = state["draft"]
    assert draft is not None
    trail, tally = state["trail"], state["tally"]
    room.verifier.follow(trail, state["oracle"])
    verdict = room.verifier.judge(draft, state["stage"])
    if verdict.ok:
        verdict = await _paraphrase(room, state, draft, verdict)
    ledger = _charge(state["ledger"], verdict)
    attempt = state["attempt"]
    _tell(room, state, verdict)
    if ledger.spent:
        return _reject("leak_cap", "ledger", ledger)
    if verdict.ok:
        return Command(update={"ledger": ledger, "verdict": None}, goto="act")

    finding = verdict.findings[0]
    code, pointer = public(finding, charged=verdict.charged)
    _keep(room, state, draft, verdict)
    retries = replace(tally, retries=tally.retries + 1)
    settings = room.settings
    if attempt < settings.turn_retries and tally.retries < settings.trail_retries:
        return Command(
            update={
                "ledger": ledger,
                "tally": retries,
                "verdict": PublicVerdict(code, pointer),
                "attempt": attempt + 1,
                "draft": None,
            },
            goto="generate",
        )

    # Which call is gone says where the fault stood; for a part-only code that must not be told.
    trimmed = (
        None if verdict.charged or code in PART_ONLY else _without_call(draft, finding.pointer.call)
    )
    if trimmed is not None:
        again = room.verifier.judge(trimmed, state["stage"])
        ledger = _charge(ledger, again)
        if ledger.spent:
            return _reject("leak_cap", "ledger", ledger)
        if again.ok:
            return Command(
                update={
                    "ledger": ledger,
                    "draft": trimmed,
                    "verdict": None,
                    "tally": replace(retries, dropped_calls=tally.dropped_calls + 1),
                },
                goto="act",
            )
    last = trail.turns[-1] if trail.turns else None
    if (
        last is not None
        and (state["stage"] == "propose") == (last.stage == "propose")
        and tally.rewinds == 0
        and tally.retries < settings.trail_retries
    ):
        shorter = trail.rewind(len(trail.turns) - 1)
        return Command(
            update={
                "ledger": ledger,
                "tally": replace(retries, rewinds=1),
                "trail": shorter,
                "artifacts": artifacts_of(shorter),
                "stage": last.stage,
                "turn": last.index,
                "verdict": None,
                "attempt": last.retries + 1,
                "draft": None,
            },
            goto="generate",
        )
    if state["stage"] == "propose":
        # The idea stood before this stage and passed every check: the trail is cut back to it.
        return Command(update={"ledger": ledger, "draft": None, "verdict": None}, goto="finish")
    return _reject(code, finding.layer, ledger)


async def _paraphrase(room: AdvisorRoom, state: State, draft: Draft, passed: Verdict) -> Verdict:
    """Ask a real judge about what no rule can settle: the last rung of the leakage ladder. It may
    fail what the rules passed, never the other way round; without an answer the run ends."""
    pen = room.pen
    if pen is None or not pen.real:
        return passed
    atoms = room.verifier.suspects(draft, state["stage"])[:_HIDDEN]
    rest = tuple(layer for layer in passed.layers if layer.name != JUDGE)
    if not atoms:
        return replace(passed, layers=(*rest, Layer(JUDGE, ran=True)))
    answer = await pen.ask(
        LeakageAnswer,
        turn=state["turn"],
        attempt=state["attempt"],
        hidden=[{"id": atom.id, "text": atom.text} for atom in atoms],
        observed=room.verifier.bearing_on([atom.text for atom in atoms], _OBSERVED),
        draft_text=_text(draft),
    )
    layers = (*rest, Layer(JUDGE, ran=True, hit=answer.leaks))
    if not answer.leaks:
        return replace(passed, layers=layers)
    finding = Finding("oracle_leakage", Pointer(answer.part), "judge", answer.why)
    return Verdict(
        ok=False,
        code=finding.code,
        pointer=finding.pointer,
        layers=layers,
        findings=(finding,),
        charged=True,
    )


def _text(draft: Draft) -> str:
    calls = [f"{call.name} {call.arguments}" for call in draft.calls]
    return "\n\n".join(part for part in (draft.reasoning, draft.content, *calls) if part)


def _charge(ledger: LeakLedger, verdict: Verdict) -> LeakLedger:
    """Charge what the oracle decided; a public verdict comes before the oracle was asked."""
    if verdict.ok:
        return ledger.charge(draft_bits(passed=True))
    return ledger.charge(draft_bits(passed=False)) if verdict.charged else ledger


def _reject(code: str, layer: str, ledger: LeakLedger) -> Command[Exit]:
    outcome = Outcome(accepted=False, reasons=(Reason(code, layer),))
    return Command(update={"ledger": ledger, "outcome": outcome, "draft": None}, goto="label_tiers")


def _without_call(draft: Draft, index: int | None) -> Draft | None:
    """The draft without the call at fault, where a call is at fault and others remain."""
    if index is None or len(draft.calls) < 2:
        return None
    kept = tuple(c for i, c in enumerate(draft.calls) if i != index)
    # Call ids stay as they were minted: a gap tells nothing, and results are paired by id.
    return replace(draft, calls=kept, faults=(), faulty_call=None)


def _tell(room: AdvisorRoom, state: State, verdict: Verdict) -> None:
    code, part = None, None
    if not verdict.ok:
        code, pointer = public(verdict.findings[0], charged=verdict.charged)
        part = pointer.part
    room.events.emit(
        "verdict",
        turn=state["turn"],
        ok=verdict.ok,
        code=code,
        part=part,
        retries=state["tally"].retries,
    )


def _keep(room: AdvisorRoom, state: State, draft: Draft, verdict: Verdict) -> None:
    if room.rejected is None:
        return
    values: dict[str, Any] = {
        "turn": state["turn"],
        "attempt": state["attempt"],
        "after": state["trail"].marks[-1],
        "stage": state["stage"],
        "reasoning": draft.reasoning,
        "content": draft.content,
        "calls": [{"name": c.name, "arguments": c.arguments} for c in draft.calls],
        "findings": [
            {
                "code": f.code,
                "layer": f.layer,
                "part": f.pointer.part,
                "call": f.pointer.call,
                "section": f.pointer.section,
                "detail": f.detail,
            }
            for f in verdict.findings
        ],
    }
    room.rejected.keep(values)
