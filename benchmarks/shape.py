"""Prints the shape of finished trails beside the published figures of the real release.

    python benchmarks/shape.py trails/<sample_id> [more run folders or .jsonl files]

For each figure: its mean over the trails given, the least and the most, and what is published.
Nothing is forced towards the published figures; what we set out to reach is marked.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

# The auditor's own reading of a record: it shares no code with the package.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from independent import shape

PAPER = "paper, section 7"
SAMPLE = "61 sampled rows of the release"
CHARACTERS_PER_TOKEN = 4.16
"""Of the release: 383.5M characters of message text, 92.19M o200k_base tokens (section 7)."""


@dataclass(frozen=True)
class Row:
    """A figure and what is published of it."""

    key: str
    name: str
    published: str
    source: str
    least: float | None = None
    most: float | None = None
    """What we set out to reach."""
    percent: bool = False


ROWS = (
    Row("calls", "calls", "median 100 (50 to 189); mean 104", SAMPLE, 50, 190),
    Row("messages", "messages", "median 134 (60 to 270)", PAPER, 60, 270),
    Row("fan_out", "calls a calling message, mean", "3.27", PAPER, 2, 5),
    Row("fan_out_max", "calls a message, most", "13", PAPER),
    Row(
        "calls_before_write",
        "calls before the first write",
        "median 58 (23 to 102)",
        SAMPLE,
        23,
        102,
    ),
    Row("authoring", "Write and Edit", "9.5%", PAPER, 0.06, 0.16, True),
    Row("view", "View", "51.2%", PAPER, percent=True),
    Row("retrieval", "WebSearch and Scraper", "36.5%", PAPER, percent=True),
    Row("discovery", "Glob and Grep", "2.8%", PAPER, percent=True),
    Row("views_repeated", "Views of what was shown before", "not published", "", 0, 0.15, True),
    Row("tokens", "message-text tokens, ≈", "mean 78,795 (full record: median 110,815)", PAPER),
    Row("bytes", "bytes of the line", "not published", ""),
    Row("characters_observations", "characters: observations", "76.5%", PAPER, percent=True),
    Row("characters_reasoning", "characters: reasoning", "21.4%", PAPER, percent=True),
    Row("characters_visible", "characters: visible content", "0.1%", PAPER, percent=True),
    Row("tier_high", "turns labelled high", "34.0%", PAPER, percent=True),
    Row("tier_normal", "turns labelled normal", "45.8%", PAPER, percent=True),
    Row("tier_low", "turns labelled low", "16.1%", PAPER, percent=True),
    Row("skeletons", "distinct sentence skeletons", "not published", "", 40, None),
    Row("skeleton_max", "most uses of one skeleton", "not published", "", None, 8),
    Row("sentence_max", "most uses of one sentence", "not published", "", None, 2),
)


def records(paths: list[Path]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The records of run folders and JSONL files."""
    for path in paths:
        file = path / "trajectory.jsonl" if path.is_dir() else path
        for line in file.read_bytes().split(b"\n"):
            if line.strip():
                yield path, orjson.loads(line)


def shown(value: float, row: Row) -> str:
    """One number as the table prints it."""
    if row.percent:
        return f"{100 * value:.1f}%"
    return f"{value:,.0f}" if value == int(value) or value >= 1000 else f"{value:.2f}"


def main(arguments: list[str]) -> int:
    """Print the table; 2 where there is nothing to read."""
    if not arguments:
        sys.stderr.write((__doc__ or "") + "\n")
        return 2
    found = [(path, shape(record)) for path, record in records([Path(a) for a in arguments])]
    for _, figures in found:
        figures["tokens"] = round(figures["characters"] / CHARACTERS_PER_TOKEN)
    width = max(len(row.name) for row in ROWS)
    lines = [f"{len(found)} trail(s)", ""]
    lines.append(f"{'':{width}}  {'mean':>9} {'least':>9} {'most':>9}      published")
    for row in ROWS:
        values = [float(figures[row.key]) for _, figures in found]
        out = sum(
            (row.least is not None and v < row.least) or (row.most is not None and v > row.most)
            for v in values
        )
        aimed = row.least is not None or row.most is not None
        mark = f"{out}!" if out else ("ok" if aimed else "")
        numbers = [sum(values) / len(values), min(values), max(values)]
        lines.append(
            f"{row.name:{width}}  "
            + " ".join(f"{shown(v, row):>9}" for v in numbers)
            + f" {mark:>4} {row.published}{f' ({row.source})' if row.source else ''}"
        )
    lines += ["", "ok: all within what we set out to reach; N!: N trails are not."]
    for path, figures in found:
        if figures["skeleton_max"] > 8:
            lines.append(f"{path}: {figures['skeleton_max']} x {figures['skeleton_top']!r}")
        if figures["sentence_max"] > 2:
            lines.append(f"{path}: {figures['sentence_max']} x {figures['sentence_top']!r}")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
