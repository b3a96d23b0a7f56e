"""Lists are read whole before anything is done, and what is wrong is told by line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ideatrail.batch.rows import ListError, Row, read_list

COLUMNS = ("cutoff", "seed", "topic")


def made(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_csv(tmp_path: Path) -> None:
    text = 'input,cutoff,seed\r\na.md,2020-01-01,\r\n"b, c.md",,3\r\n\r\n10.1/x,,\r\n'
    found = read_list(made(tmp_path, "l.csv", text), COLUMNS)
    assert [(r.line, r.name, dict(r.values)) for r in found.rows] == [
        (2, "a.md", {"cutoff": "2020-01-01"}),
        (3, "b, c.md", {"seed": "3"}),
        (5, "10.1/x", {}),
    ]
    assert not found.bad


def test_json_lines_and_plain(tmp_path: Path) -> None:
    text = '{"input": "a.md", "seed": 2}\n# no\n\n{"input": "b\u2028c"}\n'
    assert [r.name for r in read_list(made(tmp_path, "l.jsonl", text), COLUMNS).rows] == [
        "a.md",
        "b\u2028c",
    ]
    plain = read_list(made(tmp_path, "l.txt", "# list\n a.md \n\n2001.01234\n"), COLUMNS)
    assert [(r.line, r.name) for r in plain.rows] == [(2, "a.md"), (4, "2001.01234")]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("l.csv", "input,cutof\na,b\n", "unknown column 'cutof'"),
        ("l.csv", "cutoff\n2020\n", "no column 'input'"),
        ("l.csv", "input,input\na,b\n", "twice"),
        ("l.txt", "\n# nothing\n", "no row"),
        ("l.csv", "", "no row"),
        ("l.txt", b"\xff\xfe\x00", "UTF-8"),
    ],
)
def test_a_list_that_cannot_be_used(tmp_path, name, text, told) -> None:
    with pytest.raises(ListError, match=told):
        read_list(made(tmp_path, name, text), COLUMNS)


def test_bad_rows_are_told_by_line(tmp_path: Path) -> None:
    text = (
        '{"input": "a"}\n{"input": "a"}\n[1]\n{bad\n{"seed": 1}\n{"input": "b", "sed": 1}\n'
        '{"input": "a", "seed": 1}\n'
    )
    found = read_list(made(tmp_path, "l.jsonl", text), COLUMNS)
    assert [r.line for r in found.rows] == [1, 7]
    assert [b.line for b in found.bad] == [2, 3, 4, 5, 6]
    told = found.told()
    assert "line 2: the same as line 1" in told
    assert "line 6: unknown key 'sed'" in told
    csv = read_list(made(tmp_path, "l.csv", "input,seed\na,1,2\nb,1\n"), COLUMNS)
    assert [(b.line, b.why) for b in csv.bad] == [(2, "3 values for 2 columns")]
    assert [r.name for r in csv.rows] == ["b"]


def test_no_such_list(tmp_path: Path) -> None:
    with pytest.raises(ListError, match="No such file"):
        read_list(tmp_path / "none.txt", COLUMNS)


@given(st.lists(st.text(st.characters(exclude_characters="\n\r"), min_size=1), max_size=8))
def test_a_plain_list_holds_what_was_put_in(tmp_path_factory, names: list[str]) -> None:
    names = [n for n in names if n.strip() and not n.strip().startswith("#")]
    path = tmp_path_factory.mktemp("l") / "l.txt"
    path.write_bytes("\n".join(["x", *names]).encode("utf-8", "surrogatepass"))
    try:
        found = read_list(path, ())
    except ListError:
        return
    kept = list(dict.fromkeys(n.strip() for n in ["x", *names]))
    assert [r.name for r in found.rows] == kept


def test_the_key_of_a_row_is_its_content() -> None:
    one = Row(1, "a", {"seed": 1, "cutoff": "2020"})
    assert one.key == Row(9, "a", {"cutoff": "2020", "seed": 1}).key
    assert one.key != Row(1, "a", {"seed": 2, "cutoff": "2020"}).key
