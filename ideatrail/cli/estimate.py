"""What a run may cost, in words or as one JSON object."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import orjson

from ideatrail.cli.progress import short
from ideatrail.models.tokens import exact

if TYPE_CHECKING:
    from ideatrail.run.estimate import Estimate


def as_json(told: Estimate) -> bytes:
    """The estimate as one line of JSON."""
    values = {
        "usd": told.usd,
        "tokens": told.tokens,
        "tokens_exact": exact(),
        "slots": {slot: asdict(share) for slot, share in told.slots.items()},
    }
    return orjson.dumps(values, option=orjson.OPT_APPEND_NEWLINE)


def as_text(told: Estimate) -> str:
    """The estimate as a few lines: the range, then each slot's share."""
    low, high = told.tokens
    lines = [f"estimate: {_money(told.usd)}, {short(low)} to {short(high)} tokens"]
    for slot, share in told.slots.items():
        spent = f"{short(share.tokens[0])} to {short(share.tokens[1])} tokens, {_money(share.usd)}"
        lines.append(f"  {slot:10}{share.model}: about {share.calls} calls, {spent}")
    lines.append(
        "  from a rehearsal with the offline model: the least is its own tokens with a cached "
        "prefix, the most a model that thinks and is asked again"
    )
    return "\n".join(lines)


def _money(usd: tuple[float, float] | None) -> str:
    if usd is None:
        return "cost unknown: no price is known for a model"
    return "cost 0" if usd == (0, 0) else f"${usd[0]:.2f} to ${usd[1]:.2f}"
