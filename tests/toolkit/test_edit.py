"""Edit and Write change what they are asked to, byte for byte, in files that are known."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ideatrail.toolkit.document import Document
from ideatrail.toolkit.edit import replace_text
from ideatrail.toolkit.kit import Toolkit
from ideatrail.toolkit.outcome import Outcome, RefusedError
from ideatrail.toolkit.workspace import Skipped

from .conftest import HOME, call

Do = Callable[..., Awaitable[Outcome]]
FILE = f"{HOME}/claim_audit.md"


def edited(data: bytes, old: str, new: str, **more: Any) -> bytes:
    document = Document.decode(data)
    assert document is not None
    return replace_text(document, old, new, **more)[0].encode()


def reason(data: bytes, old: str, new: str, **more: Any) -> str:
    with pytest.raises(RefusedError) as refusal:
        edited(data, old, new, **more)
    return str(refusal.value)


def test_an_ambiguous_passage_is_refused_with_its_lines() -> None:
    told = reason(b"debug = True\nx\ndebug = True\n", "debug = True", "debug = False")
    assert "2 times" in told
    assert "lines 1 and 3" in told
    assert edited(b"a\nx\na\n", "a", "b", replace_all=True) == b"b\nx\nb\n"


def test_overlapping_places_are_ambiguous() -> None:
    assert "2 times" in reason(b"aaa", "aa", "b")
    assert edited(b"aaa", "aa", "b", replace_all=True) == b"ba"


@pytest.mark.parametrize("everywhere", [False, True])
def test_an_empty_passage_is_refused(everywhere: bool) -> None:
    assert "empty" in reason(b"abcd", "", "X", replace_all=everywhere)


def test_a_space_is_no_tab() -> None:
    assert "does not stand in the file" in reason(b"a\tb\n", " ", "_")


def test_quotation_marks_are_not_the_same() -> None:
    told = reason("x\nprint(‘%s’)\n".encode(), "print('%s')", "y")
    assert "Line 2 comes close" in told


def test_identical_strings_are_refused() -> None:
    assert "the same" in reason(b"abc", "b", "b")
    assert "the same" in reason(b"a\r\nb\r\n", "a\n", "a\r\n")


def test_a_passage_with_its_line_number_is_refused_with_a_hint() -> None:
    assert "Leave out the line number" in reason(b"one\ntwo\n", "2\ttwo", "x")


def test_lf_matches_crlf_in_a_file_that_is_crlf_throughout() -> None:
    data = b"\tone\r\n\ttwo\r\n\tthree\r\n"
    assert edited(data, "\tone\n\ttwo", "\t1\n\t2\n\t2b") == (b"\t1\r\n\t2\r\n\t2b\r\n\tthree\r\n")
    assert edited(data, "one", "1\n2") == b"\t1\r\n2\r\n\ttwo\r\n\tthree\r\n"
    assert edited(data, "one\r\n", "") == b"\t\ttwo\r\n\tthree\r\n"


def test_mixed_line_ends_match_byte_for_byte() -> None:
    data = b"a\r\nb\nc\r\n"
    assert "mixes line ends" in reason(data, "a\nb", "x")
    assert edited(data, "a\r\nb", "x") == b"x\nc\r\n"
    assert edited(data, "b\nc", "x\ny") == b"a\r\nx\ny\r\n"


def test_line_numbers_count_crlf_and_cr_as_one_end() -> None:
    document = Document("a\r\nb\rc\nd")
    assert [document.line_at(p) for p in range(8)] == [1, 1, 1, 2, 2, 3, 3, 4]
    assert document.lines == ["a", "b", "c", "d"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_an_encoding_and_its_mark_are_kept(encoding: str) -> None:
    data = "mööse and elk\n".encode(encoding)
    document = Document.decode(data)
    assert document is not None
    assert document.text == "mööse and elk\n"
    after = edited(data, "elk", "bär")
    assert after.decode(encoding) == "mööse and bär\n"
    assert after[:4] == data[:4]


async def test_a_character_the_encoding_lacks_is_refused(do: Do, kit: Toolkit) -> None:
    kit.workspace.write(FILE, "mööse\n".encode("latin-1"))
    await do("View", file_path=FILE)
    outcome = await do("Edit", file_path=FILE, old_string="m", new_string="→")
    assert outcome.status == "refused"
    assert "U+2192" in outcome.content
    assert kit.workspace.read(FILE) == "mööse\n".encode("latin-1")


async def test_an_edit_that_would_read_back_as_other_text_is_refused(do: Do, kit: Toolkit) -> None:
    kit.workspace.write(FILE, "x mö".encode("latin-1"))
    await do("View", file_path=FILE)
    outcome = await do("Edit", file_path=FILE, old_string="mö", new_string="Ã¶")
    assert outcome.status == "refused"
    assert kit.workspace.read(FILE) == "x mö".encode("latin-1")


async def test_lone_surrogates_are_refused(do: Do, kit: Toolkit) -> None:
    outcome = await do("Write", file_path=FILE, content="a\ud800")
    assert outcome.content == (
        "Error: the file is in utf-8, which has no character U+D800. Nothing was changed."
    )
    assert kit.workspace.kind(FILE) == "absent"


async def test_write_over_a_file_never_viewed_is_refused(do: Do, kit: Toolkit) -> None:
    kit.workspace.write(FILE, b"not yours")
    outcome = await do("Write", file_path=FILE, content="mine")
    assert outcome.content.startswith("Error: ")
    assert "View" in outcome.content
    assert outcome.change is None
    assert kit.workspace.read(FILE) == b"not yours"
    assert (await do("Edit", file_path=FILE, old_string="not", new_string="x")).status == "refused"
    await do("View", file_path=FILE, limit=1)
    assert (await do("Write", file_path=FILE, content="mine")).status == "ok"


async def test_a_view_in_the_same_message_is_not_enough(kit: Toolkit) -> None:
    kit.workspace.write(FILE, b"text")
    batch = [
        call("View", file_path=FILE),
        call("Edit", file_path=FILE, old_string="text", new_string="more"),
    ]
    shown, refused = await kit.run(batch)
    assert (shown.status, refused.status) == ("ok", "refused")
    [outcome] = await kit.run(batch[1:])
    assert outcome.status == "ok"


async def test_a_file_changed_behind_the_view_is_unknown_again(do: Do, kit: Toolkit) -> None:
    await do("Write", file_path=FILE, content="mine")
    kit.workspace.write(FILE, b"changed")
    assert (await do("Edit", file_path=FILE, old_string="c", new_string="x")).status == "refused"


async def test_a_view_beside_a_write_does_not_unlearn_the_write(do: Do, kit: Toolkit) -> None:
    await do("Write", file_path=FILE, content="one")
    shown, written = await kit.run(
        [call("View", file_path=FILE), call("Write", file_path=FILE, content="two")]
    )
    assert (shown.content, written.status) == ("1\tone", "ok")
    outcome = await do("Edit", file_path=FILE, old_string="two", new_string="three")
    assert outcome.status == "ok"


async def test_two_edits_of_one_batch_apply_in_order(kit: Toolkit) -> None:
    first, second, third = await kit.run(
        [
            call("Write", file_path=FILE, content="one\n"),
            call("Edit", file_path=FILE, old_string="one", new_string="two"),
            call("Edit", file_path=FILE, old_string="two", new_string="three"),
        ]
    )
    assert first.change is not None
    assert second.change is not None
    assert third.change is not None
    assert first.change.before is None
    assert (second.change.before, second.change.after) == ("one\n", "two\n")
    assert (third.change.before, third.change.after) == ("two\n", "three\n")
    assert kit.workspace.read(FILE) == b"three\n"
    assert not any(outcome.observed for outcome in (first, second, third))


async def test_write_is_byte_exact(do: Do, kit: Toolkit) -> None:
    for content in ("", "no end", "a\r\nb\n\u2028c\t\n", "‘’é\U0001f9ea"):
        await do("Write", file_path=FILE, content=content)
        assert kit.workspace.read(FILE) == content.encode()
    assert "NUL" in (await do("Write", file_path=FILE, content="a\0")).content


@pytest.mark.parametrize(
    "path",
    [
        "claim_audit.md",
        "research_topics/other/claim_audit.md",
        HOME,
        f"{HOME}-2/a.md",
        f"{HOME}/sources/new.md",
        f"{HOME}/Sources/new.md",
        f"{HOME}/ＳＯＵＲＣＥＳ/new.md",
        f"{HOME}/sources",
        f"{HOME}/.hidden.md",
        f"{HOME}/../other/a.md",
    ],
)
async def test_only_the_topics_own_files_can_be_written(do: Do, kit: Toolkit, path: str) -> None:
    outcome = await do("Write", file_path=path, content="x")
    assert outcome.content.startswith("Error: ")
    assert [p for p, kind in kit.workspace.walk(".", Skipped()) if kind == "file"] == []


async def test_a_saved_page_is_read_only(do: Do, kit: Toolkit) -> None:
    saved = (await do("Scraper", url="https://example.org/papers/1")).source_file
    await do("View", file_path=saved)
    before = kit.workspace.read(saved or "")
    for outcome in (
        await do("Write", file_path=saved, content="x"),
        await do("Edit", file_path=saved, old_string="gap", new_string="x"),
    ):
        assert outcome.status == "refused"
    assert kit.workspace.read(saved or "") == before


async def test_an_absent_file_is_refused_with_its_neighbours(do: Do) -> None:
    await do("Write", file_path=FILE, content="x")
    outcome = await do("Edit", file_path=f"{HOME}/claim_audits.md", old_string="a", new_string="b")
    assert "claim_audit.md" in outcome.content


def test_a_replacement_that_would_swell_the_file_is_refused() -> None:
    assert "more than" in reason(b"a" * 10_000, "a", "b" * 10_000, replace_all=True)


_text = st.text(st.sampled_from("ab \t\n\r‘é\U0001f9ea"), max_size=40)


@given(head=_text, old=_text, tail=_text, new=_text)
def test_an_edit_touches_nothing_else_and_can_be_undone(
    head: str, old: str, tail: str, new: str
) -> None:
    data = (head + old + tail).encode()
    document = Document.decode(data)
    assert document is not None
    assume(old and old != new and document.text.count(old) == 1 and not document.all_crlf)
    try:
        after, lines = replace_text(document, old, new)
    except RefusedError:
        assume(False)  # overlapping places
    assert after.encode() == head.encode() + new.encode() + tail.encode()
    assert 1 <= lines[0] <= len(document.lines) + 1
    # The way back is open where the new text stands in one place, as every edit asks.
    places = [n for n in range(len(after.text)) if after.text.startswith(new, n)]
    if new and len(places) == 1 and not after.all_crlf:
        assert replace_text(after, new, old)[0].encode() == data


@given(
    lines=st.lists(st.text("abc \t", max_size=5), min_size=3, max_size=8),
    first=st.integers(0, 7),
    new=st.lists(st.text("xyz", min_size=1, max_size=3), min_size=1, max_size=3),
)
def test_crlf_files_stay_crlf_and_edits_can_be_undone(
    lines: list[str], first: int, new: list[str]
) -> None:
    data = "".join(f"{line}\r\n" for line in lines).encode()
    old = "\n".join(lines[first : first + 2])
    assume(old)
    document = Document.decode(data)
    assert document is not None
    try:
        after, _ = replace_text(document, old, "\n".join(new))
    except RefusedError:
        return
    assert after.all_crlf
    assert replace_text(after, "\n".join(new), old)[0].encode() == data


@given(st.binary(max_size=60))
def test_decoding_loses_no_byte(data: bytes) -> None:
    document = Document.decode(data)
    assert document is None or document.encode() == data


@pytest.mark.shared
def test_real_files_of_every_encoding_survive_an_edit_and_its_undoing(shared_data: Path) -> None:
    files = sorted((shared_data / "proposals").rglob("*.md"))
    assert files
    for file in files:
        data = file.read_bytes()
        document = Document.decode(data)
        assert document is not None, file.name
        assert document.encode() == data
        line = next(x for x in document.lines if document.text.count(x) == 1 and len(x) > 20)
        changed, _ = replace_text(document, line, "one line\nand another")
        assert changed.all_crlf == document.all_crlf
        assert replace_text(changed, "one line\nand another", line)[0].encode() == data
