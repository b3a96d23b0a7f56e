"""The seven definitions: their parameters, and how calls are held to them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ideatrail.toolkit.definitions import TOOLS, check_arguments, definitions
from ideatrail.toolkit.outcome import RefusedError

PARAMETERS = {
    "WebSearch": (["query"], ["max_results"]),
    "Scraper": (["url"], []),
    "View": (["file_path"], ["offset", "limit"]),
    "Write": (["file_path", "content"], []),
    "Edit": (["file_path", "old_string", "new_string"], ["replace_all"]),
    "Glob": (["pattern"], ["path"]),
    "Grep": (["pattern"], ["path", "glob", "output_mode"]),
}


def test_seven_definitions_in_fixed_order_with_their_parameters() -> None:
    found = definitions()
    assert [d["function"]["name"] for d in found] == list(TOOLS) == list(PARAMETERS)
    for definition in found:
        assert set(definition) == {"type", "function"}
        assert set(definition["function"]) == {"name", "description", "parameters"}
        required, optional = PARAMETERS[definition["function"]["name"]]
        parameters = definition["function"]["parameters"]
        assert parameters["required"] == required
        assert list(parameters["properties"]) == required + optional


def test_definitions_tell_nothing_of_the_pipeline() -> None:
    told = " ".join(
        [d["function"]["description"] for d in definitions()]
        + [
            p["description"]
            for d in definitions()
            for p in d["function"]["parameters"]["properties"].values()
        ]
    )
    words = r"oracle|anchor|advisor|verif|verdict|milestone|lock|target|retry|cutoff|withheld|later"
    assert not re.findall(words, told, re.IGNORECASE)


def test_definitions_are_the_callers_own_copy() -> None:
    definitions()[0]["function"]["name"] = "Changed"
    assert definitions()[0]["function"]["name"] == "WebSearch"


def test_optional_null_counts_as_left_out() -> None:
    assert check_arguments("WebSearch", {"query": "x", "max_results": None}) == {"query": "x"}


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("View", {"path": "a.md"}, "Valid arguments: file_path (required), offset, limit"),
        ("View", {"file_path": "a", "offst": 1}, "Did you mean 'offset'"),
        ("View", {}, "needs the argument 'file_path'"),
        ("View", {"file_path": None}, "must be a text"),
        ("View", {"file_path": "a", "offset": 0}, "must be 1 or more"),
        ("View", {"file_path": "a", "offset": True}, "whole number"),
        ("View", {"file_path": "a", "offset": "2"}, "whole number"),
        ("View", {"file_path": "a", "limit": 1.5}, "whole number"),
        ("WebSearch", {"query": "a", "max_results": 21}, "must be 20 or less"),
        ("WebSearch", {"query": ["a"]}, "must be a text"),
        (
            "Edit",
            {"file_path": "a", "old_string": "a", "new_string": "b", "replace_all": 1},
            "true",
        ),
        ("Grep", {"pattern": "a", "output_mode": "lines"}, "content, files_with_matches, count"),
        ("", {}, "The tools are WebSearch, Scraper, View"),
        ("Bash", {"command": "ls"}, "there is no tool 'Bash'"),
    ],
)
def test_wrong_arguments_are_refused_by_name(
    tool: str, arguments: dict[str, Any], told: str
) -> None:
    with pytest.raises(RefusedError) as refusal:
        check_arguments(tool, arguments)
    assert told in str(refusal.value)
