"""A trail made by hand, without a fault, and the parts that tests make others from."""

from __future__ import annotations

import hashlib
import json
from typing import Any

FOLDER = "research_topics/quiet_rooms"
URLS = [f"https://example.org/p{n}" for n in range(1, 7)]
SENTENCES = [f"Rooms of kind {n} hold a measured echo of {n}.5 seconds." for n in range(1, 7)]
TOOLS = ["WebSearch", "Scraper", "View", "Write", "Edit", "Glob", "Grep"]


class Maker:
    """Puts a record together, message by message."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = [
            {"role": "system", "content": f"Work in {FOLDER}/. Evidence up to 2021-06-30 counts."},
            {"role": "user", "content": "How do rooms of unlike kinds keep speech intelligible?"},
        ]
        self.turns: list[dict[str, Any]] = []
        self.results: dict[str, Any] = {}
        self.count = 0

    def turn(self, stage: str, reasoning: str, *calls: tuple[str, dict[str, Any], str]) -> None:
        at = len(self.messages)
        message: dict[str, Any] = {
            "role": "assistant",
            "content": "",
            "reasoning_content": reasoning,
            "value_tier": "normal",
        }
        tools = []
        if calls:
            message["tool_calls"] = []
        for name, arguments, content in calls:
            self.count += 1
            call = f"call_{self.count}"
            function = {"name": name, "arguments": json.dumps(arguments)}
            message["tool_calls"].append({"id": call, "type": "function", "function": function})
            tools.append({"role": "tool", "tool_call_id": call, "name": name, "content": content})
            self.results[call] = mark(content)
        self.messages += [message, *tools]
        self.turns.append({"message": at, "stage": stage, "retries": 0})

    def record(self, endpoint: str) -> dict[str, Any]:
        stages: list[dict[str, Any]] = []
        for turn in self.turns:
            if not stages or stages[-1]["stage"] != turn["stage"]:
                stages.append({"stage": turn["stage"], "from_message": turn["message"]})
        record: dict[str, Any] = {
            "sample_id": "t1",
            "messages": self.messages,
            "tools": [{"type": "function", "function": {"name": name}} for name in TOOLS],
            "parallel_tool_calls": True,
            "_src": "ideatrail-offline",
            "_trail": {
                "outcome": "accepted",
                "endpoint": endpoint,
                "cutoff": "2021-06-30",
                "stages": stages,
                "turns": self.turns,
                "results": self.results,
            },
        }
        if endpoint == "proposal":
            record["_proposal_synth"] = True
            record["_proposal_path"] = f"{FOLDER}/research_proposal.md"
        return record


def mark(content: str) -> dict[str, Any]:
    refused = content.startswith("Error: ")
    return {
        "status": "refused" if refused else "ok",
        "sha256": hashlib.sha256(content.encode()).hexdigest(),
        "date_latest": None if refused else "2021-05-31T12:00:00Z",
    }


def search_text() -> str:
    return "\n".join(
        f"{n}. Echo study {n}\n   A. Mori, B. Falk | Rooms | 2020-0{n}\n   {URLS[n - 1]}\n"
        f"   Snippet {n}"
        for n in range(1, 7)
    )


def page_text(n: int) -> str:
    return (
        f"Title: Echo study {n}\nAuthors: A. Mori, B. Falk\nVenue: Rooms\nDate: 2020-0{n}\n"
        f"URL: {URLS[n - 1]}\nSaved as: {FOLDER}/sources/mori{n}.md\n\n{SENTENCES[n - 1]}"
    )


def block(n: int, quote: str | None = None) -> str:
    return (
        f"- source: Echo study {n} (Mori et al., 2020) {URLS[n - 1]}\n"
        f'- quote: "{quote or SENTENCES[n - 1]}"\n- support: abstract\n- status: supported\n'
    )


def heads(letter: str, count: int) -> str:
    return "".join(f"## {letter}{n}. Point {n}\n- status: open\n\n" for n in range(1, count + 1))


def grow(maker: Maker, stage: str, name: str, skeleton: str, parts: list[tuple[str, str]]) -> None:
    path = f"{FOLDER}/{name}"
    maker.turn(
        stage,
        f"Now {name} gets its headings.",
        ("Write", {"file_path": path, "content": skeleton}, f"Wrote {path}."),
    )
    for number, (old, new) in enumerate(parts):
        arguments = {"file_path": path, "old_string": old, "new_string": new}
        maker.turn(stage, f"Part {number} of {name}.", ("Edit", arguments, f"Edited {path}."))


def audit_parts() -> list[tuple[str, str]]:
    return [
        (f"## C{n}. Point {n}\n- status: open\n", f"## C{n}. Point {n}\n{block(n)}")
        for n in range(1, 6)
    ]


def good(endpoint: str = "proposal") -> tuple[dict[str, Any], dict[str, Any], dict[str, str]]:
    """A record without a fault, an oracle, and the workspace that the record makes."""
    maker = Maker()
    maker.turn(
        "explore",
        "First I look for what is known.",
        ("WebSearch", {"query": "room echo"}, search_text()),
        ("Glob", {"pattern": "**/*.md"}, "No file matches."),
    )
    maker.turn(
        "explore",
        "Six pages look worth reading.",
        *[("Scraper", {"url": URLS[n - 1]}, page_text(n)) for n in range(1, 7)],
    )
    maker.turn(
        "explore",
        "One more look at the saved text.",
        ("View", {"file_path": f"{FOLDER}/sources/mori1.md"}, f"7\t{SENTENCES[0]}"),
        ("View", {"file_path": f"{FOLDER}/sources/mori9.md"}, "Error: no such file."),
    )
    grow(maker, "audit", "claim_audit.md", heads("C", 5), audit_parts())
    body = "Echo is the level that matters [C1].\n"
    grow(
        maker,
        "synthesize",
        "synthesis.md",
        "## Problem levels\n- status: open\n\n## Contradictions\n- status: open\n",
        [
            ("levels\n- status: open\n", f"levels\n{body}"),
            ("tions\n- status: open\n", "tions\n[C1] and [C2] disagree.\n"),
        ],
    )
    grow(
        maker,
        "ideate",
        "idea_candidates.md",
        heads("I", 3),
        [
            ("## I1. Point 1\n- status: open", "## I1. Damping\n- decision: selected"),
            (
                "## I2. Point 2\n- status: open",
                "## I2. Mirrors\n- decision: rejected, because [C1] speaks against it",
            ),
            (
                "## I3. Point 3\n- status: open",
                "## I3. Horns\n- decision: rejected, because [C2] speaks against it",
            ),
        ],
    )
    if endpoint == "proposal":
        grow(
            maker,
            "propose",
            "research_proposal.md",
            "## Thesis\n- status: open\n\n## Method\n- status: open\n",
            [
                ("Thesis\n- status: open\n", "Thesis\nDamped rooms keep speech clear [I1] [C1].\n"),
                ("Method\n- status: open\n", "Method\nA resonant lattice damps each room.\n"),
            ],
        )
    last = "propose" if endpoint == "proposal" else "ideate"
    maker.turn(last, "Everything that I set out to write is written.")
    record = maker.record(endpoint)
    oracle = {
        "atoms": [],
        "locks": [
            {"id": "L1", "atom": "A1", "forms": ["resonant lattice"], "opens_at": "propose"},
            {"id": "L2", "atom": "A2", "forms": ["Echo study"], "opens_at": "propose"},
        ],
    }
    return record, oracle, final_files(record)


def final_files(record: dict[str, Any]) -> dict[str, str]:
    files: dict[str, str] = {}
    for message in record["messages"]:
        for call in message.get("tool_calls", []):
            arguments = json.loads(call["function"]["arguments"])
            if call["function"]["name"] == "Write":
                files[arguments["file_path"]] = arguments["content"]
            elif call["function"]["name"] == "Edit":
                path = arguments["file_path"]
                files[path] = files[path].replace(arguments["old_string"], arguments["new_string"])
    return files
