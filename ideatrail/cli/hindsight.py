"""`ideatrail audit-hindsight`: whether a trail knew where it was going."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import orjson
import typer

from ideatrail.cli.errors import REFUSED, say

if TYPE_CHECKING:
    from ideatrail.inspect.hindsight import Curve, Hindsight

_BARS: Final = "▁▂▃▄▅▆▇█"

app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command()
def audit_hindsight(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A finished run's folder.")],
    control: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN",
            help="A trail to compare with. Default: one is made from the same first message with "
            "no Advisor.",
        ),
    ] = None,
    decoys: Annotated[
        int, typer.Option(metavar="N", min=1, help="Papers among which the target is ranked.")
    ] = 200,
    figure: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the two curves (.svg, .png, .pdf)."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Tell how well the target can be guessed from a trail, turn by turn, beside a control.

    The target's text is ranked among papers on the same question by all that was seen and said so
    far. The area between the two curves is the trail's hindsight: 0 where the Advisor taught it
    nothing. It is kept in the run's `advisor/hindsight.json`. A control with a paid model costs as
    much as the trail did.

    Example: ideatrail audit-hindsight trails/it_0123456789abcdef
    """
    from ideatrail.run.hindsight import HindsightError, audit

    try:
        told = asyncio.run(audit(run, control=control, decoys=decoys))
    except HindsightError as error:
        say(str(error))
        raise typer.Exit(REFUSED) from error
    if figure is not None:
        _draw(told, figure)
    if as_json:
        sys.stdout.buffer.write(orjson.dumps(_values(told), option=orjson.OPT_APPEND_NEWLINE))
        sys.stdout.buffer.flush()
        return
    typer.echo(f"hindsight {told.area:+.3f} (of 1; among {told.trail.decoys} decoys)")
    for name, curve in (("trail", told.trail), ("control", told.control)):
        typer.echo(f"  {name:<8} {_line(curve)}  rank {curve.ranks[0]} → {curve.ranks[-1]}")


def _values(told: Hindsight) -> dict[str, Any]:
    return {
        "hindsight": round(told.area, 4),
        "decoys": told.trail.decoys,
        "trail": told.trail.ranks,
        "control": told.control.ranks,
    }


def _line(curve: Curve) -> str:
    return "".join(_BARS[min(7, int(8 * guess))] for guess in curve.guesses)


def _draw(told: Hindsight, out: Path) -> None:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        say(f"--figure {out}: matplotlib is not installed: pip install matplotlib")
        raise typer.Exit(REFUSED) from error
    drawing = Figure(figsize=(7, 3.2), layout="constrained")
    axes = drawing.add_subplot()
    for name, curve, style in (("trail", told.trail, "-"), ("control", told.control, "--")):
        axes.plot(range(len(curve.guesses)), curve.guesses, style, label=name)
    axes.set(xlabel="turn", ylabel="how well the target can be guessed", ylim=(-0.02, 1.02))
    axes.set_title(f"hindsight {told.area:+.3f}")
    axes.legend(frameon=False)
    drawing.savefig(out)
