"""Glob and Grep: what is there, what was skipped, and nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from ideatrail.toolkit.globs import PathPattern
from ideatrail.toolkit.kit import Toolkit
from ideatrail.toolkit.outcome import OUTPUT_CAP, Outcome, RefusedError

from .conftest import HOME

Do = Callable[..., Awaitable[Outcome]]


@pytest.fixture
def filled(kit: Toolkit, tmp_path: Path) -> Toolkit:
    put = kit.workspace.write
    put(f"{HOME}/b.md", b"beta\nalpha beta\n")
    put(f"{HOME}/a.md", b"alpha\n")
    put(f"{HOME}/deep/er/c.txt", b"gamma alpha\n")
    put(f"{HOME}/.hidden/d.md", b"alpha\n")
    put(f"{HOME}/blob.bin", b"alpha\0")
    put(f"{HOME}/large.md", b"alpha\n" * 400_000)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("alpha secret")
    (kit.workspace.root / HOME / "up").symlink_to(tmp_path / "outside")
    return kit


async def test_glob_lists_in_order_and_says_what_it_skipped(do: Do, filled: Toolkit) -> None:
    outcome = await do("Glob", pattern="**/*.{md,txt}")
    assert outcome.content == (
        f"{HOME}/a.md\n{HOME}/b.md\n{HOME}/deep/er/c.txt\n{HOME}/large.md\n"
        "(Skipped: 1 hidden entry, 1 symbolic link.)"
    )
    assert not outcome.observed
    listed = await do("Glob", pattern="*", path=HOME)
    assert f"{HOME}/deep/\n" in listed.content
    assert f"{HOME}/deep/er" not in listed.content


async def test_glob_over_hidden_paths_says_so(do: Do, filled: Toolkit) -> None:
    outcome = await do("Glob", pattern=f"{HOME}/.hidden/*")
    assert outcome.content.startswith("Nothing matches.")
    assert "1 hidden entry" in outcome.content
    assert outcome.status == "ok"


@pytest.mark.parametrize(
    "pattern", ["../../etc/*", "/etc/*", "~/*", "a/../../*", "{a,..}/*", "C:/*", "..\\*", "", " "]
)
async def test_glob_stays_inside(do: Do, filled: Toolkit, pattern: str) -> None:
    assert (await do("Glob", pattern=pattern)).content.startswith("Error: ")
    assert (await do("Grep", pattern="alpha", glob=pattern)).content.startswith("Error: ")


@pytest.mark.parametrize("path", ["..", "/etc", f"{HOME}/up", f"{HOME}/up/secret.md"])
async def test_no_path_leads_out(do: Do, filled: Toolkit, path: str) -> None:
    for outcome in (
        await do("Glob", pattern="*", path=path),
        await do("Grep", pattern="alpha", path=path),
    ):
        assert outcome.content.startswith("Error: ")
        assert "alpha secret" not in outcome.content


async def test_glob_is_capped(do: Do, kit: Toolkit) -> None:
    for n in range(205):
        kit.workspace.write(f"{HOME}/n{n:03}.md", b"")
    lines = (await do("Glob", pattern="**/*.md")).content.split("\n")
    assert len(lines) == 201
    assert lines[-1] == "(5 more. Narrow the pattern or the path.)"


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.md", "a.md", True),
        ("*.md", "x/a.md", False),
        ("**/*.md", "a.md", True),
        ("**/*.md", "x/y/a.md", True),
        ("x/**", "x/y/a.md", True),
        ("x/**/a.md", "x/a.md", True),
        ("./x//a.md", "x/a.md", True),
        ("?.md", "ab.md", False),
        ("[!a].md", "b.md", True),
        ("{a,b{c,d}}.md", "bd.md", True),
        ("{a,.md", "{a,.md", True),
        ("[", "[", True),
        ("A.md", "a.md", False),
        ("*a" * 60 + "b", "a" * 250, False),
        ("**/" * 60 + "b", "a/" * 100 + "c", False),
    ],
)
def test_patterns(pattern: str, path: str, matches: bool) -> None:
    assert PathPattern.parse(pattern).matches(path) is matches


@pytest.mark.parametrize("pattern", ["{a,b}" * 7, "x" * 501])
def test_patterns_that_would_multiply_are_refused(pattern: str) -> None:
    with pytest.raises(RefusedError):
        PathPattern.parse(pattern)


async def test_grep_prints_lines_and_says_what_it_skipped(do: Do, filled: Toolkit) -> None:
    outcome = await do("Grep", pattern=r"\balpha\b")
    assert outcome.content == (
        f"{HOME}/a.md:1:alpha\n{HOME}/b.md:2:alpha beta\n{HOME}/deep/er/c.txt:1:gamma alpha\n"
        "(Skipped: 1 hidden entry, 1 symbolic link, 1 binary file, 1 file that is too large.)"
    )
    files = await do("Grep", pattern="alpha", output_mode="files_with_matches", glob="*.md")
    assert files.content.startswith(f"{HOME}/a.md\n{HOME}/b.md\n(Skipped")
    counts = await do("Grep", pattern="beta", output_mode="count", path=f"{HOME}/b.md")
    assert counts.content == f"{HOME}/b.md:2"
    deep = await do("Grep", pattern="alpha", glob="deep/**", path=HOME, output_mode="count")
    assert deep.content.startswith(f"{HOME}/deep/er/c.txt:1\n")


async def test_grep_without_a_match_repeats_no_word_of_the_pattern(do: Do, kit: Toolkit) -> None:
    outcome = await do("Grep", pattern="invented phrase")
    assert (outcome.content, outcome.status, outcome.observed) == ("No line matches.", "ok", False)
    assert (await do("Grep", pattern="")).content == "Error: the pattern is empty."
    assert "does not exist" in (await do("Grep", pattern="x", path=f"{HOME}/none")).content
    assert "regular expression" in (await do("Grep", pattern="[a-")).content


async def test_grep_is_evidence_only_where_every_line_is(do: Do, kit: Toolkit) -> None:
    saved = await do("Scraper", url="https://example.org/papers/1")
    pure = await do("Grep", pattern="overconfident", path=f"{HOME}/sources")
    assert pure.observed
    assert (pure.source_file, pure.date_latest) == (saved.source_file, saved.date_latest)
    await do("Write", file_path=f"{HOME}/a.md", content="all are overconfident, I claim")
    assert not (await do("Grep", pattern="overconfident")).observed
    paths = await do("Grep", pattern="third", output_mode="files_with_matches")
    assert not paths.observed


async def test_grep_output_is_capped_and_long_lines_cut_around_the_match(
    do: Do, kit: Toolkit
) -> None:
    kit.workspace.write(f"{HOME}/a.md", b"some words here\n" * 5_000)
    capped = (await do("Grep", pattern="words")).content
    assert len(capped) <= OUTPUT_CAP + 100
    shown = capped.count("\n")
    assert f"({5_000 - shown:,} more. Narrow the pattern, path or glob.)" in capped
    kit.workspace.write(f"{HOME}/a.md", b"pad " * 5_000 + b"needle " + b"pad " * 5_000)
    [row] = (await do("Grep", pattern="needle")).content.split("\n")
    assert "needle" in row
    assert len(row) < 2_200
    assert row.endswith("pad …")
