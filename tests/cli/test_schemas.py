"""The schemas at the root are what the models make."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from typer.testing import CliRunner

from ideatrail import resources
from ideatrail.cli.schemas import app, models, render
from ideatrail.trail import answers


def test_schemas_on_disk_are_what_the_models_make() -> None:
    folder = resources.folder("schemas")
    stored = {path.stem: path.read_bytes() for path in folder.glob("*.json")}
    # Stale? `ideatrail schemas --out schemas` writes them anew.
    assert stored == {name: render(model) for name, model in models().items()}


def test_schemas_cover_every_structured_answer() -> None:
    defined = {
        value
        for value in vars(answers).values()
        if isinstance(value, type)
        and issubclass(value, answers.StructuredAnswer)
        and value is not answers.StructuredAnswer
    }
    assert defined <= set(models().values())


@pytest.mark.parametrize("name", sorted(models()))
def test_schema_is_told_by_its_title_and_says_what_it_is(name: str) -> None:
    schema = orjson.loads(render(models()[name]))
    assert schema["title"] == models()[name].__name__
    assert schema["description"]
    assert schema["type"] == "object"


def test_required_keys_of_the_record_may_not_be_null() -> None:
    schema = orjson.loads(render(models()["record"]))
    for body in [schema, *schema["$defs"].values()]:
        for key in body.get("required", []):
            if key not in ("endpoint", "date_latest"):
                assert {"type": "null"} not in body["properties"][key].get("anyOf", []), key


def test_schemas_command_lists_prints_and_writes(tmp_path: Path) -> None:
    runner = CliRunner()
    listed = runner.invoke(app, [])
    assert [line.split()[0] for line in listed.output.splitlines()] == list(models())
    printed = runner.invoke(app, ["--name", "seed"])
    assert orjson.loads(printed.output)["title"] == "Seed"
    runner.invoke(app, ["--out", str(tmp_path / "new")])
    assert len(list((tmp_path / "new").glob("*.json"))) == len(models())
    assert runner.invoke(app, ["--name", "nothing"]).exit_code == 2
