"""The independent auditor passes a sound trail, and each of its rules fails on a planted fault."""

from __future__ import annotations

import ast
import copy
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from handmade import FOLDER, SENTENCES, URLS, final_files, good, mark, search_text
from independent import audit, audit_record
from independent_reading import canonical, hits, horizon, latest


def assistant(record: dict[str, Any], number: int) -> dict[str, Any]:
    """The assistant message of a turn, from 0."""
    found: dict[str, Any] = record["messages"][record["_trail"]["turns"][number]["message"]]
    return found


def rewrite(record: dict[str, Any], tool: str, change: Callable[[dict[str, Any]], bool]) -> None:
    """Change the arguments of the first call of `tool` that `change` says it changed."""
    for message in record["messages"]:
        for call in message.get("tool_calls", []):
            if call["function"]["name"] == tool:
                arguments = json.loads(call["function"]["arguments"])
                if change(arguments):
                    call["function"]["arguments"] = json.dumps(arguments)
                    return
    raise AssertionError("nothing was changed")


def reword(record: dict[str, Any], tool: str, old: str, new: str) -> None:
    """Change the first result of `tool` that holds `old`, and its hash with it."""
    for message in record["messages"]:
        if message.get("name") == tool and old in message["content"]:
            message["content"] = message["content"].replace(old, new)
            record["_trail"]["results"][message["tool_call_id"]] = mark(message["content"])
            return
    raise AssertionError("nothing was changed")


def in_edits(record: dict[str, Any], old: str, new: str) -> None:
    def change(arguments: dict[str, Any]) -> bool:
        hit = old in arguments["new_string"]
        arguments["new_string"] = arguments["new_string"].replace(old, new)
        return hit

    rewrite(record, "Edit", change)


Fault = Callable[[dict[str, Any]], Any]


def drop_message(number: int) -> Fault:
    return lambda r: r["messages"].pop(number)


def set_at(path: str, value: Any) -> Fault:
    """Set a value by a path such as `_trail/endpoint`."""

    def plant(record: dict[str, Any]) -> None:
        *way, last = path.split("/")
        place: Any = record
        for key in way:
            place = place[int(key) if isinstance(place, list) else key]
        place[int(last) if isinstance(place, list) else last] = value

    return plant


def unseen_scrape(record: dict[str, Any]) -> None:
    rewrite(record, "Scraper", lambda a: a.update(url="https://example.org/never") is None)


def scrape_in_search_batch(record: dict[str, Any]) -> None:
    first, second = assistant(record, 0), assistant(record, 1)
    reword(record, "WebSearch", URLS[0], "https://example.org/other")
    assert first is not second


def one_block(record: dict[str, Any]) -> None:
    files = final_files(record)
    path = f"{FOLDER}/synthesis.md"
    whole = files[path]
    rewrite(record, "Write", lambda a: a["file_path"] == path and a.update(content=whole) is None)
    for message in record["messages"]:
        for call in message.get("tool_calls", []):
            arguments = json.loads(call["function"]["arguments"])
            if call["function"]["name"] == "Edit" and arguments["file_path"] == path:
                arguments.update(old_string=whole, new_string=whole)
                call["function"]["arguments"] = json.dumps(arguments)


def out_of_order(record: dict[str, Any]) -> None:
    for message in record["messages"]:
        for call in message.get("tool_calls", []):
            text = call["function"]["arguments"]
            text = text.replace("/claim_audit.md", "/x.md").replace(
                "/synthesis.md", "/claim_audit.md"
            )
            call["function"]["arguments"] = text.replace("/x.md", "/synthesis.md")


def swap_results(record: dict[str, Any]) -> None:
    record["messages"][3], record["messages"][4] = record["messages"][4], record["messages"][3]


def later_answer(record: dict[str, Any]) -> None:
    """The first batch's result moves behind the second batch."""
    second = record["_trail"]["turns"][1]["message"]
    moved = record["messages"].pop(3)
    record["messages"].insert(second, moved)
    record["_trail"]["turns"][1]["message"] -= 1
    record["_trail"]["stages"][0]["from_message"] = record["_trail"]["turns"][0]["message"]


def same_id(record: dict[str, Any]) -> None:
    for message in record["messages"]:
        for call in message.get("tool_calls", []):
            if call["id"] == "call_9":
                call["id"] = "call_1"
        if message.get("tool_call_id") == "call_9":
            message["tool_call_id"] = "call_1"


def say(number: int, text: str) -> Fault:
    return lambda r: assistant(r, number).update(reasoning_content=text)


FAULTS: list[tuple[str, str, Fault]] = [
    ("scraped url", "never seen", unseen_scrape),
    ("scraped url", "taken out of the search result", scrape_in_search_batch),
    ("quote", "altered", lambda r: in_edits(r, "Rooms of kind 2", "Halls of kind 2")),
    ("quote", "of another source", lambda r: in_edits(r, SENTENCES[1], SENTENCES[2])),
    ("source", "never observed", lambda r: in_edits(r, URLS[1], "https://example.org/p99")),
    ("source", "another title", lambda r: in_edits(r, "Echo study 2 (", "Echo studies 2 (")),
    ("source", "another year", lambda r: in_edits(r, "2020) " + URLS[1], "2019) " + URLS[1])),
    ("claims", "only four", lambda r: in_edits(r, "- source: Echo study 5", "- src: 5")),
    ("candidates", "only two", lambda r: in_edits(r, "## I3. Horns", "### Horns")),
    ("decisions", "two chosen", lambda r: in_edits(r, "rejected, because [C1]", "selected [C1]")),
    ("decisions", "no reason", lambda r: in_edits(r, "because [C2]", "since it is bad")),
    ("date", "in a hit", lambda r: reword(r, "WebSearch", "| 2020-03", "| 2021-07")),
    ("date", "a bare year", lambda r: reword(r, "WebSearch", "| 2020-03", "| 2021")),
    ("date", "a missing one", lambda r: reword(r, "WebSearch", "| 2020-03", "| ")),
    ("date", "in a page", lambda r: reword(r, "Scraper", "Date: 2020-04", "Date: 2021-07-01")),
    ("date", "in our notes", set_at("_trail/results/call_1/date_latest", "2021-07-01T12:00:01Z")),
    ("results", "no entry", lambda r: r["_trail"]["results"].pop("call_1")),
    ("results", "another hash", set_at("_trail/results/call_1/sha256", "0" * 64)),
    ("results", "another status", set_at("_trail/results/call_1/status", "refused")),
    ("cutoff", "another in the prompt", set_at("messages/0/content", "Until 2020-01-01.")),
    ("locked term", "in reasoning", say(4, "Perhaps a Resonant-Lattice would do.")),
    (
        "locked term",
        "in a query",
        lambda r: rewrite(r, "WebSearch", lambda a: a.update(query="resonant lattices") is None),
    ),
    ("locked term", "in a file", lambda r: in_edits(r, "Mirrors", "Resonant lattice")),
    ("locked term", "before it is observed", say(0, "I recall the Echo study.")),
    ("pipeline language", "the Advisor", say(5, "The Advisor would want more.")),
    ("pipeline language", "the oracle", say(5, "This fits the oracle.")),
    ("pipeline language", "the stage line", say(5, "Turn 5 of 40, so I write.")),
    ("host path", "a home folder", say(5, "It stands in /home/ann/trails/x.md now.")),
    ("growth", "written in one block", one_block),
    (
        "growth",
        "left open",
        lambda r: in_edits(r, "Method\nA resonant", "Method\n- status: open\nA resonant"),
    ),
    ("artifacts", "out of order", out_of_order),
    (
        "artifacts",
        "one missing",
        lambda r: [
            c["function"].update(
                arguments=c["function"]["arguments"].replace("/synthesis", "/notes")
            )
            for m in r["messages"]
            for c in m.get("tool_calls", [])
        ],
    ),
    (
        "artifacts",
        "a proposal in an idea trail",
        lambda r: [
            r["_trail"].update(endpoint="idea"),
            r.pop("_proposal_synth"),
            r.pop("_proposal_path"),
        ],
    ),
    (
        "replay",
        "an edit of what is not there",
        lambda r: rewrite(r, "Edit", lambda a: a.update(old_string="nowhere") is None),
    ),
    ("linkage", "result of an older batch", later_answer),
    ("linkage", "unknown id", set_at("messages/3/tool_call_id", "call_77")),
    ("linkage", "no result", drop_message(4)),
    ("linkage", "another name", set_at("messages/3/name", "Grep")),
    ("order", "results swapped", swap_results),
    ("ids", "used twice", same_id),
    ("tools", "unknown", set_at("messages/2/tool_calls/0/function/name", "Bash")),
    ("tools", "nameless", set_at("messages/2/tool_calls/0/function/name", "")),
    ("arguments", "not JSON", set_at("messages/2/tool_calls/0/function/arguments", "{")),
    ("reasoning", "blank", say(3, " \n")),
    ("tier", "none", lambda r: assistant(r, 3).pop("value_tier")),
    ("ends", "with a tool message", lambda r: r["messages"].pop()),
    ("roles", "a second user", set_at("messages/3/role", "user")),
    ("turns", "one left out", lambda r: r["_trail"]["turns"].pop(2)),
    ("stages", "go back", set_at("_trail/turns/2/stage", "audit")),
    ("stages", "begin elsewhere", set_at("_trail/stages/1/from_message", 5)),
    ("endpoint", "no mark", lambda r: r.pop("_proposal_synth")),
    ("endpoint", "a host path", set_at("_proposal_path", "/home/x/p.md")),
    ("endpoint", "none", set_at("_trail/endpoint", None)),
    ("roles", "no parallel calls", set_at("parallel_tool_calls", None)),
]


@pytest.mark.parametrize("endpoint", ["idea", "proposal"])
def test_auditor_passes_a_trail_without_faults(endpoint: str) -> None:
    assert audit_record(*good(endpoint)) == []


@pytest.mark.parametrize(
    ("rule", "plant"), [(r, p) for r, _, p in FAULTS], ids=[f"{r}: {w}" for r, w, _ in FAULTS]
)
def test_auditor_finds_a_planted_fault(rule: str, plant: Fault) -> None:
    record, oracle, _ = good()
    before = copy.deepcopy(record)
    plant(record)
    assert record != before
    assert rule in {p.rule for p in audit_record(record, oracle, None)}


def test_auditor_finds_a_workspace_that_edits_do_not_make() -> None:
    record, oracle, files = good()
    files[f"{FOLDER}/synthesis.md"] += "!"
    assert [p.rule for p in audit_record(record, oracle, files)] == ["workspace"]


def test_auditor_reads_a_run_folder(tmp_path: Path) -> None:
    record, oracle, files = good()
    folder = tmp_path / "t1"
    (folder / "advisor").mkdir(parents=True)
    (folder / "trajectory.jsonl").write_bytes(orjson.dumps(record) + b"\n")
    (folder / "advisor" / "oracle.json").write_bytes(orjson.dumps(oracle))
    for path, text in files.items():
        place = folder / "workspace" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    assert audit(folder) == []
    other = folder.rename(tmp_path / "t2")
    assert [p.rule for p in audit(other)] == ["file"]
    (other / "trajectory.jsonl").write_bytes(orjson.dumps(record) + b"\n{")
    assert [p.rule for p in audit(other)] == ["file"]


@pytest.mark.parametrize(("claim", "rules"), [(1, ["growth"]), (5, [])])
def test_only_an_open_claim_that_is_cited_is_left_open(claim: int, rules: list[str]) -> None:
    record, oracle, _ = good()
    quoted = f'"{SENTENCES[claim - 1]}"\n- support: abstract\n- status: '
    in_edits(record, f"{quoted}supported", f"{quoted}open")
    assert [p.rule for p in audit_record(record, oracle, None)] == rules


def test_innocent_words_and_observed_ones_are_no_pipeline_language() -> None:
    record, oracle, _ = good()
    say(5, "Anchor text helps, and oracle summaries bound the score.")(record)
    reword(record, "WebSearch", "Snippet 3", "A verifier checks each answer")
    say(6, "A verifier may help here too.")(record)
    assert audit_record(record, oracle, None) == []


def test_auditor_shares_no_code_with_the_package() -> None:
    for path in Path(__file__).parent.glob("independent*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        roots = {
            ((node.module or "") if isinstance(node, ast.ImportFrom) else name.name).split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in node.names
        }
        own = {"orjson", "independent_reading", "independent_shape"}
        assert roots <= sys.stdlib_module_names | own, path


@pytest.mark.parametrize(
    ("shown", "day"),
    [
        ("2020", "2020-12-31"),
        ("2020-01-01", "2020-12-31"),
        ("2020-02", "2020-02-29"),
        ("2020-02-03", "2020-02-03"),
    ],
)
def test_auditor_takes_the_latest_meaning_of_a_date(shown: str, day: str) -> None:
    assert latest(shown) == horizon(day)


def test_auditor_takes_one_page_for_one() -> None:
    forms = [
        "https://arxiv.org/abs/2001.00001v2",
        "http://www.arxiv.org/pdf/2001.00001v1.pdf",
        "https://arxiv.org/html/2001.00001/",
    ]
    assert len({canonical(form) for form in forms}) == 1


def test_hits_are_read_from_a_search_result() -> None:
    found = list(hits(search_text()))
    assert [hit["url"] for hit in found] == URLS
    assert found[2]["date"] == "2020-03"
