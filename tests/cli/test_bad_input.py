"""Input that cannot be used: an exit code, one clear line, and nothing written or lost."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ideatrail import resources

CHECKOUT = Path(__file__).resolve().parents[2]
SHIPPED = CHECKOUT / "data" / "proposals" / "asking_before_answering.md"

IDEAS = {
    "Sealed forecasts": {
        "Problem": "Language models answer when they should abstain, and consistency is no signal.",
        "Proposed Method": "Ask for a forecast of consistency first and use the mismatch.",
    },
    "Borrowed tokens": {
        "Problem": "New subwords of a low-resource language start from poor embeddings.",
        "Proposed Method": "Tie each to its donors until it has been seen often enough.",
    },
}


def _write(path: Path, data: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def _ideas(folder: Path) -> Path:
    return _write(folder / "ideas.json", json.dumps(IDEAS))


def _fifo(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


def _option(name: str, value: str) -> Callable[[Path], list[object]]:
    return lambda folder: ["--proposal", SHIPPED, name, value]


def _proposal(make: Callable[[Path], object]) -> Callable[[Path], list[object]]:
    return lambda folder: ["--proposal", make(folder)]


def _config(text: str | bytes) -> Callable[[Path], list[object]]:
    return lambda folder: ["--proposal", SHIPPED, "--config", _write(folder / "c.toml", text)]


def _corpus(make: Callable[[Path], object]) -> Callable[[Path], list[object]]:
    return lambda folder: ["--proposal", SHIPPED, "--corpus", make(folder)]


def _small_index(folder: Path) -> Path:
    from ideatrail.evidence.corpus import build

    bibliography = CHECKOUT / "data" / "bibliography" / "factual_consistency.jsonl"
    build([bibliography], folder / "index")
    return folder / "index"


def _cut_index(folder: Path) -> Path:
    index = _small_index(folder)
    papers = index / "papers.jsonl.zst"
    papers.write_bytes(papers.read_bytes()[:1000])
    return index


def _index_without_papers(folder: Path) -> Path:
    index = _small_index(folder)
    (index / "papers.jsonl.zst").unlink()
    return index


def _newer_index(folder: Path) -> Path:
    index = _small_index(folder)
    about = json.loads((index / "corpus.json").read_text("utf-8"))
    _write(index / "corpus.json", json.dumps({**about, "format_version": 99}))
    return index


REFUSED: dict[str, tuple[Callable[[Path], list[object]], str]] = {
    "no proposal": (lambda folder: [], "--proposal"),
    "missing proposal": (_proposal(lambda f: f / "none.md"), "none.md"),
    "empty proposal": (_proposal(lambda f: _write(f / "empty.md", "")), "empty.md"),
    "blank proposal": (_proposal(lambda f: _write(f / "blank.md", " \n\n")), "blank.md"),
    "binary proposal": (_proposal(lambda f: _write(f / "b.md", bytes(range(256)) * 9)), "b.md"),
    "folder as proposal": (_proposal(lambda f: f), "folder"),
    "pipe as proposal": (_proposal(_fifo), "regular file"),
    "proposal without research": (
        _proposal(lambda f: _write(f / "shopping.md", "milk, eggs, two lemons\n")),
        "shopping.md",
    ),
    "proposal far too long": (_proposal(lambda f: _write(f / "l.md", "word " * 10**6)), "l.md"),
    "fragment of a running text": (_proposal(lambda f: f"{SHIPPED}#7"), "7"),
    "several ideas, none named": (_proposal(_ideas), "Borrowed tokens"),
    "an idea that is not there": (_proposal(lambda f: f"{_ideas(f)}#9"), "9"),
    "an idea file that is broken": (
        _proposal(lambda f: _write(f / "cut.json", '{"One": {"Problem": ')),
        "cut.json",
    ),
    "negative turns": (_option("--turns", "-5"), "--turns"),
    "turns in words": (_option("--turns", "many"), "--turns"),
    "far too many turns": (_option("--turns", "100000"), "--turns"),
    "negative seed": (_option("--seed", "-1"), "--seed"),
    "unknown model": (_option("--model", "oracle9000"), "oracle9000"),
    "unknown provider": (_option("--advisor-model", "nobody:model-1"), "nobody"),
    "no model": (_option("--model", ""), "--model"),
    "nonsense cutoff": (_option("--cutoff", "next Tuesday"), "next Tuesday"),
    "impossible cutoff": (_option("--cutoff", "2024-02-31"), "2024-02-31"),
    "empty cutoff": (_option("--cutoff", ""), "cutoff"),
    "cutoff before every paper": (_option("--cutoff", "1950-01-01"), "1950-01-01"),
    "missing index": (_corpus(lambda f: f / "nowhere"), "nowhere"),
    "a folder that is no index": (_corpus(lambda f: f), "corpus.json"),
    "an index cut short": (_corpus(_cut_index), "index"),
    "an index without papers": (_corpus(_index_without_papers), "papers.jsonl.zst"),
    "an index of a later format": (_corpus(_newer_index), "99"),
    "missing config": (lambda f: ["--proposal", SHIPPED, "--config", f / "n.toml"], "n.toml"),
    "config that is no TOML": (_config("turns = = 3"), "c.toml"),
    "config in another encoding": (_config("model = 'mödel'".encode("utf-16")), "c.toml"),
    "folder as config": (lambda f: ["--proposal", SHIPPED, "--config", f], "--config"),
    "config with an unknown key": (_config("trun = 20"), "did you mean 'turns'"),
    "config with a wrong type": (_config("turns = [20]"), "turns"),
    "missing portrait": (_option("--portrait", "none.toml"), "none.toml"),
    "missing target file": (_option("--target", "papers/none.json"), "papers/none.json"),
    "unknown option": (lambda f: ["--propsal", SHIPPED], "--proposal"),
    "something left over": (lambda f: ["--proposal", SHIPPED, "more"], "more"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_bad_input_is_refused_in_one_line_before_anything_is_written(
    kind: str, cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, named = REFUSED[kind]
    given = tmp_path / "given"
    given.mkdir()
    out = tmp_path / "out"
    monkeypatch.chdir(given)
    done = cli("run", *make(given), "--out", out)
    assert_refused(done, named, out)


def test_an_option_without_its_value_is_refused(cli: Callable[..., Any], tmp_path: Path) -> None:
    assert_refused(cli("run", "--proposal"), "--proposal", tmp_path / "trails")


def assert_refused(done: Any, named: str, out: Path, code: int = 2) -> None:
    """Exit code, one line that names what is wrong, nothing on stdout, nothing on disk."""
    lines = [line for line in done.err.splitlines() if "ideatrail: cutoff " not in line]
    assert (done.code, done.out) == (code, ""), done
    assert len(lines) == 1, done
    assert lines[0].startswith("ideatrail: ")
    assert named in lines[0]
    assert "Traceback" not in lines[0]
    assert not out.exists() or not any(out.iterdir()), sorted(out.rglob("*"))


@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("IDEATRAIL_TRUNS", "20", "IDEATRAIL_TURNS"),
        ("IDEATRAIL_TURNS", "lots", "--turns"),
        ("IDEATRAIL_GAMMA", "1.5", "gamma"),
    ],
)
def test_a_bad_environment_variable_is_refused(
    cli: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: str,
    named: str,
) -> None:
    monkeypatch.setenv(name, value)
    out = tmp_path / "out"
    assert_refused(cli("run", "--proposal", SHIPPED, "--out", out), named, out)


@pytest.mark.parametrize("inside", [False, True], ids=["a file", "inside a file"])
def test_an_out_that_cannot_be_a_folder_is_refused_and_left_alone(
    cli: Callable[..., Any], tmp_path: Path, inside: bool
) -> None:
    blocker = _write(tmp_path / "blocker", "mine")
    out = blocker / "trails" if inside else blocker
    done = cli("run", "--proposal", SHIPPED, "--out", out)
    assert done.code in (2, 5)
    assert len(done.err.splitlines()) <= 2
    assert "blocker" in done.err
    assert "Traceback" not in done.err
    assert blocker.read_text() == "mine"


@pytest.fixture
def own_resources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the root folders that a test may spoil, in place of the shipped ones."""
    root = tmp_path / "resources"
    for name in resources.FOLDERS:
        shutil.copytree(CHECKOUT / name, root / name)
    monkeypatch.setattr(resources, "root", lambda: root)
    return root


def _replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


SPOILT: dict[str, tuple[Callable[[Path], object], str]] = {
    "a card that is no TOML": (lambda r: _write(r / "agents/judge.toml", "name = ="), "judge.toml"),
    "a card with an unknown key": (
        lambda r: _replace(r / "agents/judge.toml", "name =", "nmae = 1\nname ="),
        "nmae",
    ),
    "a card that is missing": (lambda r: (r / "agents/judge.toml").unlink(), "judge"),
    "a Generator that sees the oracle": (
        lambda r: _replace(r / "agents/generator.toml", "sees = [", 'sees = ["oracle", '),
        "oracle",
    ),
    "a channel that there is none of": (
        lambda r: _replace(r / "agents/judge.toml", "sees = [", 'sees = ["rumours", '),
        "rumours",
    ),
    "a prompt with an unknown placeholder": (
        lambda r: next((r / "prompts/generator").glob("*.jinja")).open("a").write("{{ rumours }}"),
        "rumours",
    ),
    "a prompt that does not parse": (
        lambda r: next((r / "prompts/judge").glob("*.jinja")).write_text("{% if %}"),
        "prompts/judge",
    ),
    "a prompt that is missing": (lambda r: shutil.rmtree(r / "prompts/judge"), "prompts"),
    "a bibliography that is gone": (
        lambda r: shutil.rmtree(r / "data/bibliography"),
        "bibliography",
    ),
}


@pytest.mark.parametrize("kind", SPOILT)
def test_a_spoilt_root_folder_is_refused_by_name(
    kind: str, cli: Callable[..., Any], own_resources: Path, tmp_path: Path
) -> None:
    spoil, named = SPOILT[kind]
    spoil(own_resources)
    out = tmp_path / "out"
    assert_refused(cli("run", "--proposal", SHIPPED, "--out", out), named, out)
