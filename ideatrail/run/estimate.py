"""What a run may cost, said beforehand: a rehearsal with the offline model, priced.

The offline model makes this very trail, in a folder that is thrown away, while its requests and
answers are counted. A real model thinks more than it, is asked again where a draft is not taken,
and pays less for a prefix that its endpoint has cached: that is the range.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ideatrail.models.adapter import prompt_tokens
from ideatrail.models.endpoint import EndpointModel
from ideatrail.models.offline.model import OfflineModel
from ideatrail.models.prices import Price
from ideatrail.models.protocol import Answer, ChatModel, Request, Usage
from ideatrail.models.tokens import count
from ideatrail.run.inputs import read_inputs
from ideatrail.run.job import run_trail
from ideatrail.run.shared import Shared
from ideatrail.settings import SPENDING, Settings
from ideatrail.trail.answers import Slot

THOUGHT: Final = 4.0
"""A thinking model's tokens for an answer, to the offline engine's: the upper end of the range."""
AGAIN: Final = 1.5
"""Requests of a real run to those of the rehearsal, with drafts that are not taken: upper end."""


@dataclass
class Counted:
    """What one slot was asked and what it said."""

    calls: int = 0
    prompt: int = 0
    """Tokens of all prompts."""
    fresh: int = 0
    """The part of them that no earlier prompt began with: what a prefix cache would not hold."""
    output: int = 0


@dataclass
class Counting:
    """Passes requests to the offline model and counts them."""

    counted: Counted = field(default_factory=Counted)
    name: str = "offline"
    _last: Request | None = None

    async def answer(self, request: Request) -> Answer:
        """Answer as the offline model does."""
        answer = await OfflineModel().answer(request)
        counted, prompt = self.counted, prompt_tokens(request)
        counted.calls += 1
        counted.prompt += prompt
        counted.fresh += prompt - _common(self._last, request)
        counted.output += count(answer.text) + count(answer.reasoning)
        counted.output += sum(count(c.name) + count(c.arguments) for c in answer.calls)
        self._last = request
        return answer


@dataclass(frozen=True)
class SlotEstimate:
    """One slot's share."""

    model: str
    calls: int
    tokens: tuple[int, int]
    """From, to."""
    usd: tuple[float, float] | None
    """From, to; None: the price is unknown."""


@dataclass(frozen=True)
class Estimate:
    """What a run may cost."""

    slots: Mapping[Slot, SlotEstimate]
    endpoint: str | None
    """How the rehearsal ended."""

    @property
    def usd(self) -> tuple[float, float] | None:
        """From, to, over all slots; None where any is unknown."""
        known = [slot.usd for slot in self.slots.values() if slot.usd is not None]
        if len(known) < len(self.slots):
            return None
        return sum(low for low, _ in known), sum(high for _, high in known)

    @property
    def tokens(self) -> tuple[int, int]:
        """From, to, over all slots that an endpoint serves."""
        asked = [slot.tokens for slot in self.slots.values()]
        return sum(low for low, _ in asked), sum(high for _, high in asked)


async def rehearse(settings: Settings) -> Estimate:
    """Estimate a run. Raises what `run_trail` raises for input that is refused."""
    shared = Shared(sends=False)
    models = read_inputs(settings, shared).models
    counting: dict[Slot, Counting] = {slot: Counting() for slot in models}
    free: dict[str, object] = {"model": "offline", "advisor_model": "offline", "judge_model": None}
    free |= dict.fromkeys(SPENDING) | {"base_url": None, "endpoints": {}}
    with tempfile.TemporaryDirectory() as folder:
        rehearsal = settings.model_copy(update=free | {"out": Path(folder)})
        result = await run_trail(rehearsal, models=dict(counting), shared=shared)
    return Estimate(
        {slot: _slot(models[slot], counting[slot].counted) for slot in models}, result.endpoint
    )


def _slot(model: ChatModel, counted: Counted) -> SlotEstimate:
    if not isinstance(model, EndpointModel):
        return SlotEstimate(model.name, counted.calls, (0, 0), (0.0, 0.0))
    output = round(counted.output * THOUGHT)
    low = Usage(input=counted.prompt, cached=counted.prompt - counted.fresh, output=counted.output)
    high = Usage(input=round(counted.prompt * AGAIN), output=round(output * AGAIN))
    tokens = (counted.prompt + counted.output, (high.input or 0) + (high.output or 0))
    return SlotEstimate(model.name, counted.calls, tokens, _usd(model.price, low, high))


def _usd(price: Price | None, low: Usage, high: Usage) -> tuple[float, float] | None:
    if price is None:
        return None
    uncached = Usage(input=low.input, output=low.output)
    cost = price.cost(low) if price.cached_input is not None else price.cost(uncached)
    most = price.cost(high)
    return None if cost is None or most is None else (cost, most)


def _common(last: Request | None, request: Request) -> int:
    """Tokens of what two requests begin with alike."""
    if last is None or last.tools != request.tools or last.answer_schema != request.answer_schema:
        return 0
    same = 0
    for one, other in zip(last.messages, request.messages, strict=False):
        if one != other:
            break
        same += 1
    return prompt_tokens(Request(request.messages[:same], tools=request.tools)) if same else 0
