"""`ideatrail schemas`: the JSON Schemas of records and structured answers, from the models."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import orjson
import typer
from pydantic import BaseModel

from ideatrail.records.schema import Record
from ideatrail.roles import Card
from ideatrail.settings import Settings
from ideatrail.trail.answers import StructuredAnswer
from ideatrail.trail.oracle import Anchor, Milestone, Oracle, Seed

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
NAMED: Final[Mapping[str, type[BaseModel]]] = {
    "record": Record,
    "seed": Seed,
    "oracle": Oracle,
    "anchor": Anchor,
    "milestone": Milestone,
    "settings": Settings,
    "role_card": Card,
}
"""File stem → model; every StructuredAnswer is added under its own name."""

app = typer.Typer(add_completion=False)


def models() -> dict[str, type[BaseModel]]:
    """File stem → model, in order of name."""
    answers = {
        re.sub(r"(?<!^)(?=[A-Z])", "_", answer.__name__).lower(): answer
        for answer in StructuredAnswer.__subclasses__()
        if answer.__module__ == StructuredAnswer.__module__
    }
    return dict(sorted({**NAMED, **answers}.items()))


def render(model: type[BaseModel]) -> bytes:
    """The schema file of `model`: the dialect first, then what pydantic makes, indented."""
    schema: dict[str, Any] = {"$schema": DIALECT, **model.model_json_schema(by_alias=True)}
    return orjson.dumps(schema, option=orjson.OPT_INDENT_2) + b"\n"


@app.command()
def schemas(
    out: Annotated[
        Path | None, typer.Option(help="Folder to write one <name>.json a schema into.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Print this schema alone.")] = None,
) -> None:
    """List the JSON Schemas, print one (`--name record`), or write all (`--out schemas`)."""
    known = models()
    if name is not None:
        if name not in known:
            raise typer.BadParameter(f"no schema {name!r}; there are {', '.join(known)}")
        typer.echo(render(known[name]).decode(), nl=False)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        for stem, model in known.items():
            (out / f"{stem}.json").write_bytes(render(model))
        typer.echo(f"{len(known)} schemas written to {out}", err=True)
    if name is None and out is None:
        for stem, model in known.items():
            first = (model.__doc__ or "").strip().splitlines()
            typer.echo(f"{stem:24}{first[0] if first else ''}")
