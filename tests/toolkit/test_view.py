"""View shows numbered lines, as many as fit, and says how to go on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ideatrail.toolkit.kit import Toolkit
from ideatrail.toolkit.outcome import OUTPUT_CAP, Outcome

from .conftest import HOME

Do = Callable[..., Awaitable[Outcome]]
FILE = f"{HOME}/notes.md"


async def test_lines_are_numbered_and_ranges_kept(do: Do, kit: Toolkit) -> None:
    kit.workspace.write(FILE, b"one\r\n\r\n\tthree\nfour")
    assert (await do("View", file_path=FILE)).content == "1\tone\n2\t\n3\t\tthree\n4\tfour"
    part = await do("View", file_path=FILE, offset=2, limit=2)
    assert part.content == "2\t\n3\t\tthree\n(4 lines in all. Read on with offset 4.)"
    past = await do("View", file_path=FILE, offset=5)
    assert past.content == f"Error: {FILE} has 4 lines; there is no line 5."


async def test_ones_own_file_is_no_observation_and_a_saved_page_is(do: Do) -> None:
    await do("Write", file_path=FILE, content="mine")
    own = await do("View", file_path=FILE)
    assert (own.observed, own.source_file, own.date_latest) == (False, None, None)
    saved = await do("Scraper", url="https://example.org/papers/1")
    shown = await do("View", file_path=f"./{saved.source_file}")
    assert shown.observed
    assert (shown.source_file, shown.date_latest) == (saved.source_file, saved.date_latest)
    assert "12.5% of answers" in shown.content


async def test_a_file_beside_the_saved_pages_is_no_observation(do: Do, kit: Toolkit) -> None:
    kit.workspace.write(f"{HOME}/sources/planted.md", b"not from the evidence world")
    assert not (await do("View", file_path=f"{HOME}/sources/planted.md")).observed


async def test_long_files_are_read_in_parts_without_a_gap(do: Do, kit: Toolkit) -> None:
    lines = [f"line {n} " + "x" * 90 for n in range(1, 700)]
    kit.workspace.write(FILE, "\n".join(lines).encode())
    seen: list[str] = []
    offset = 1
    while offset <= len(lines):
        content = (await do("View", file_path=FILE, offset=offset)).content
        assert len(content) <= OUTPUT_CAP + 100
        rows = [row for row in content.split("\n") if "\t" in row]
        seen += [row.split("\t")[1] for row in rows]
        offset += len(rows)
        if offset <= len(lines):
            assert content.endswith(f"({len(lines)} lines in all. Read on with offset {offset}.)")
    assert seen == lines


async def test_a_line_longer_than_the_output_is_cut_and_says_so(do: Do, kit: Toolkit) -> None:
    kit.workspace.write(FILE, ("word " * 10_000 + "\nnext").encode())
    first, cut, more = (await do("View", file_path=FILE)).content.split("\n")
    assert len(first) <= OUTPUT_CAP
    assert cut.startswith("(Line 1 is cut")
    assert more == "(2 lines in all. Read on with offset 2.)"


async def test_what_cannot_be_shown_says_what_can(do: Do, kit: Toolkit) -> None:
    kit.workspace.write(FILE, b"")
    assert (await do("View", file_path=FILE)).content == "(The file is empty.)"
    kit.workspace.write(f"{HOME}/blob.bin", b"\x89PNG\0\0\0" * 9)
    kit.workspace.write(f"{HOME}/noise.txt", bytes(range(1, 32)))
    told = {
        HOME: "is a folder. Glob",
        f"{HOME}/blob.bin": "binary file (63 bytes)",
        f"{HOME}/noise.txt": "binary file",
        f"{HOME}/note.md": "does not exist. In its folder there is notes.md",
        f"{HOME}/nowhere/x.md": f"Nor does the folder {HOME}/nowhere",
    }
    for path, part in told.items():
        content = (await do("View", file_path=path)).content
        assert content.startswith("Error: ")
        assert part in content


async def test_latin_1_is_read(do: Do, kit: Toolkit) -> None:
    kit.workspace.write(FILE, "mööse".encode("latin-1"))
    assert (await do("View", file_path=FILE)).content == "1\tmööse"
