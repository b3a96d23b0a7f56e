"""`ideatrail run`: one proposal, one trail."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from ideatrail.cli import errors

if TYPE_CHECKING:
    from ideatrail.run.job import RunResult
    from ideatrail.settings import Settings

_INPUT = "What to start from"
_TRAIL = "How the trail is made"
_MODELS = "Models behind an endpoint"
_OUTPUT = "What comes out"


def run(
    proposal: Annotated[
        str | None,
        typer.Option(
            metavar="FILE[#N]",
            help="The proposal: Markdown, text, HTML, or a JSON or YAML file of ideas. Where it "
            "holds several, name one by its number or key: `ideas.json#2`.",
            rich_help_panel=_INPUT,
        ),
    ] = None,
    cutoff: Annotated[
        str | None,
        typer.Option(
            metavar="DATE",
            help="Nothing later is seen: 2024-05-31, or a timestamp. Default: the proposal's own "
            "date, else the day before the target's, else today.",
            rich_help_panel=_INPUT,
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            metavar="ID|TITLE|FILE",
            help="The paper behind the proposal, to be withheld whatever its date.",
            rich_help_panel=_INPUT,
        ),
    ] = None,
    portrait: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|auto",
            help="A research portrait that the trail's researcher is given; `auto` distils the "
            "first author of the target from what they had published by then.",
            rich_help_panel=_INPUT,
        ),
    ] = None,
    corpus: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Paper index made by `ideatrail corpus build`. Default: the one built in.",
            rich_help_panel=_INPUT,
        ),
    ] = None,
    sources: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME",
            help="Where evidence comes from: index (the corpus), arxiv, semantic_scholar, "
            "openalex, crossref, archive (web pages as they stood). Default: index, which needs "
            "no network.",
            rich_help_panel=_INPUT,
        ),
    ] = None,
    web_cache: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Keep raw answers from the web here, for other runs too.",
            rich_help_panel=_INPUT,
        ),
    ] = None,
    turns: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Turns until the idea must stand (6 to 400); a proposal has some on top. "
            "Default: 40.",
            rich_help_panel=_TRAIL,
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Equal seed, input and settings give equal bytes. Default: 0.",
            rich_help_panel=_TRAIL,
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="PROVIDER:NAME",
            help="The Generator's model. Default: offline, which needs no key and no network.",
            rich_help_panel=_TRAIL,
        ),
    ] = None,
    advisor_model: Annotated[
        str | None,
        typer.Option(
            metavar="PROVIDER:NAME",
            help="The Advisor side's model. Default: offline.",
            rich_help_panel=_TRAIL,
        ),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Address of an OpenAI-compatible server for `openai:` models, with its /v1. Keys "
            "are read from the environment alone: OPENAI_API_KEY, ANTHROPIC_API_KEY, …",
            rich_help_panel=_MODELS,
        ),
    ] = None,
    max_cost: Annotated[
        str | None,
        typer.Option(
            metavar="USD",
            help="Stop before more than this is spent; the same command goes on later.",
            rich_help_panel=_MODELS,
        ),
    ] = None,
    max_tokens: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Stop before more tokens than this are spent, prompts and answers.",
            rich_help_panel=_MODELS,
        ),
    ] = None,
    prices: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="TOML of prices that come before the shipped ones.",
            rich_help_panel=_MODELS,
        ),
    ] = None,
    cache: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Keep answers here, and ask no model twice for the same.",
            rich_help_panel=_MODELS,
        ),
    ] = None,
    record: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Record the exchanges with endpoints here, without any key.",
            rich_help_panel=_MODELS,
        ),
    ] = None,
    replay: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Answer from recorded exchanges; nothing is sent, no key is needed.",
            rich_help_panel=_MODELS,
        ),
    ] = None,
    embedding_model: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Sentence encoder (an ONNX or sentence-transformers folder), by which the "
            "verifier finds what is said in other words. Default: none.",
            rich_help_panel=_MODELS,
        ),
    ] = None,
    estimate: Annotated[
        bool,
        typer.Option(
            "--estimate",
            help="Say what the run may cost, from a rehearsal with the offline model, and leave.",
            rich_help_panel=_MODELS,
        ),
    ] = False,
    config: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="TOML with the same names as these options. An option beats an environment "
            "variable IDEATRAIL_<NAME>, and that beats the file.",
            rich_help_panel=_TRAIL,
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Trails go here, each into a folder of its own. Default: trails.",
            rich_help_panel=_OUTPUT,
        ),
    ] = None,
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help="Make the trail anew where it is there already.",
            rich_help_panel=_OUTPUT,
        ),
    ] = False,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="No progress on stderr.", rich_help_panel=_OUTPUT),
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="One JSON object on stdout, and nothing else there.",
            rich_help_panel=_OUTPUT,
        ),
    ] = False,
) -> None:
    """Make one trail from a proposal, and say how it went.

    The same command again goes on where an interrupted run stopped, or says that the trail is
    there. Exit codes: 0 accepted, 2 refused before anything was written, 3 rejected (the trail is
    kept, with its reasons), 4 budget reached, 5 failed for outside reasons, 130 interrupted.

    Example: ideatrail run --proposal my_idea.md --cutoff 2024-05-31
    """
    # Numbers arrive as text: settings.resolve checks options, environment and file alike.
    options: dict[str, Any] = {
        "proposal": proposal,
        "cutoff": cutoff,
        "target": target,
        "portrait": portrait,
        "corpus": corpus,
        "embedding_model": embedding_model,
        "sources": sources,
        "web_cache": web_cache,
        "turns": turns,
        "seed": seed,
        "model": model,
        "advisor_model": advisor_model,
        "base_url": base_url,
        "max_cost": max_cost,
        "max_tokens": max_tokens,
        "prices": prices,
        "cache": cache,
        "record": record,
        "replay": replay,
        "out": out,
    }
    from ideatrail.settings import resolve

    settings = resolve(options, os.environ, None if config is None else Path(config))
    if estimate:
        _estimate(settings, as_json=as_json)
    result = _make(settings, force=force, quiet=quiet)

    from ideatrail.cli import summary

    if as_json:
        sys.stdout.buffer.write(summary.as_json(result))
        sys.stdout.buffer.flush()
    else:
        typer.echo(summary.as_text(result))
    raise typer.Exit(result.exit_code)


def _estimate(settings: Settings, *, as_json: bool) -> NoReturn:
    """Say what the run may cost, and leave."""
    from ideatrail.cli import estimate
    from ideatrail.run.estimate import rehearse

    told = asyncio.run(rehearse(settings))
    if as_json:
        sys.stdout.buffer.write(estimate.as_json(told))
        sys.stdout.buffer.flush()
    else:
        typer.echo(estimate.as_text(told))
    raise typer.Exit(errors.ACCEPTED)


def _make(settings: Settings, *, force: bool, quiet: bool) -> RunResult:
    """Run the trail under the progress display."""
    from ideatrail.cli.progress import Progress
    from ideatrail.run.job import run_trail

    progress = Progress(quiet=quiet)
    with progress:
        try:
            return asyncio.run(run_trail(settings, force=force, listeners=(progress.listen,)))
        except KeyboardInterrupt:
            progress.close()
            again = errors.same_command()
            errors.say(f"interrupted; what was finished is kept. Go on with: {again}")
            raise typer.Exit(errors.INTERRUPTED) from None
