"""`ideatrail models`: what the endpoints behind a run's models can do."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Final

import orjson
import typer

from ideatrail.cli.errors import ACCEPTED, OUTSIDE, boundary
from ideatrail.models.capabilities import Capabilities, find_out
from ideatrail.models.endpoint import EndpointModel
from ideatrail.models.endpoints import Endpoints
from ideatrail.models.prices import load_prices
from ideatrail.models.refused import ModelSettingsError
from ideatrail.settings import Settings, SettingsError, resolve

SLOTS: Final = ("generator", "advisor", "judge")
OFFLINE: Final = "offline"

app = typer.Typer(
    help="Look at the models a run would use.", no_args_is_help=True, add_completion=False
)


@app.callback()
def models() -> None:
    """Look at the models a run would use."""


@app.command("check")
def check_command(
    model: Annotated[
        str | None, typer.Option("--model", help="Generator's model, `provider:name`.")
    ] = None,
    advisor_model: Annotated[
        str | None, typer.Option("--advisor-model", help="Advisor's model.")
    ] = None,
    judge_model: Annotated[
        str | None, typer.Option("--judge-model", help="Judge's model; else the Advisor's.")
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option("--base-url", help="Address of an OpenAI-compatible server, with its /v1."),
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="TOML file of settings.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Send two tiny requests to each model and say what its endpoint can do.

    Keys are read from the provider's usual environment variables (OPENAI_API_KEY,
    ANTHROPIC_API_KEY, …). Exits with 5 where a model does not answer.
    """
    with boundary():
        options = {"model": model, "advisor_model": advisor_model, "judge_model": judge_model}
        given = {"proposal": "", "base_url": base_url, **options}
        settings = resolve(given, os.environ, config)
        slots = slot_models(settings)
        try:
            endpoints = Endpoints(
                options=settings.endpoints,
                base_url=settings.base_url,
                prices=load_prices(settings.prices),
            )
            made = {name: endpoints.model(name) for name in slots.values() if name != OFFLINE}
        except ModelSettingsError as error:
            raise SettingsError(str(error)) from error
        found = asyncio.run(_ask_all(endpoints, made))
    if as_json:
        sys.stdout.write(orjson.dumps(_report(slots, made, found)).decode() + "\n")
    else:
        for slot, name in slots.items():
            typer.echo("\n".join(_lines(slot, name, made.get(name), found.get(name))))
    silent = any(not capabilities.answers for capabilities in found.values())
    raise typer.Exit(OUTSIDE if silent else ACCEPTED)


def slot_models(settings: Settings) -> dict[str, str]:
    """Slot → the name of its model."""
    judge = settings.judge_model or settings.advisor_model
    return dict(zip(SLOTS, (settings.model, settings.advisor_model, judge), strict=True))


async def _ask_all(
    endpoints: Endpoints, made: Mapping[str, EndpointModel]
) -> dict[str, Capabilities]:
    try:
        found = await asyncio.gather(*(find_out(model) for model in made.values()))
    finally:
        await endpoints.aclose()
    return dict(zip(made, found, strict=True))


def _report(
    slots: Mapping[str, str],
    made: Mapping[str, EndpointModel],
    found: Mapping[str, Capabilities],
) -> dict[str, Any]:
    report: dict[str, Any] = {}
    for slot, name in slots.items():
        about: dict[str, Any] = {"name": name}
        if name in found:
            about |= {"base_url": made[name].base_url, **asdict(found[name])}
            about["price_known"] = made[name].price is not None
        else:
            about |= {"answers": True}
        report[slot] = about
    return report


def _lines(
    slot: str, name: str, model: EndpointModel | None, found: Capabilities | None
) -> list[str]:
    if model is None or found is None:
        return [f"{slot}: {name}, built in"]
    head = f"{slot}: {name} at {model.base_url}"
    if not found.answers:
        return [f"{head}: no answer", f"  {found.error}"]
    marks = [
        (found.tool_calls, "tool calls"),
        (found.parallel_tool_calls, "several calls at once"),
        (found.json_schema, f"JSON Schema answers ({model.adapter.schema_mode})"),
        (found.reasoning == "native", "reasoning returned"),
        (found.usage, "usage returned"),
        (model.price is not None, "price known"),
    ]
    lines = [f"{head}: answers in {found.seconds} s" if found.seconds else head]
    lines += [f"  {'yes' if mark else 'no ':<4}{what}" for mark, what in marks]
    if found.reasoning == "visible":
        lines.append("      reasoning is not returned; the text beside the calls is taken for it")
    if found.error:
        lines.append(f"  {found.error}")
    return lines
