"""Nothing leaves the workspace, and nothing half-written is left in it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ideatrail.evidence.world import World
from ideatrail.toolkit.kit import Toolkit
from ideatrail.toolkit.outcome import RefusedError
from ideatrail.toolkit.paths import normal
from ideatrail.toolkit.workspace import Skipped, Workspace

from .conftest import HOME, SLUG, call

SECRET = "the secret outside"


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/etc/passwd",
        "../outside.md",
        "a/../../outside.md",
        "a/..",
        "~/x.md",
        "C:/x.md",
        "C:x.md",
        "a\\b.md",
        "..\\x.md",
        "\\\\host\\share",
        "a\0b.md",
        "a\nb.md",
        "notes:stream.md",
        "trailing./x.md",
        "trailing /x.md",
        "x" * 256,
        "é" * 128,
        "a/" * 600,
        "lone\ud800.md",
    ],
)
def test_paths_that_could_mean_another_place_are_refused(workspace: Workspace, path: str) -> None:
    for attempt in (workspace.kind, workspace.read, lambda p: workspace.write(p, b"x")):
        with pytest.raises(RefusedError):
            attempt(path)


def test_a_path_is_written_one_way() -> None:
    assert normal("./a//b/./c.md") == "a/b/c.md"
    assert normal(".") == normal("./") == "."


def _links(root: Path, outside: Path) -> None:
    (root / "folder").mkdir()
    (root / "link.md").symlink_to(outside / "secret.md")
    (root / "folder" / "up").symlink_to(outside)
    (root / "dangling.md").symlink_to(outside / "new.md")


def test_links_are_refused_wherever_they_stand(tmp_path: Path, workspace: Workspace) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text(SECRET)
    _links(workspace.root, outside)
    for path in (
        "link.md",
        "folder/up",
        "folder/up/secret.md",
        "folder/up/new/x.md",
        "dangling.md",
    ):
        for attempt in (workspace.kind, workspace.read, lambda p: workspace.write(p, b"x")):
            with pytest.raises(RefusedError, match="symbolic link"):
                attempt(path)
    skipped = Skipped()
    assert [path for path, _ in workspace.walk(".", skipped)] == ["folder"]
    assert skipped.links == 3
    assert sorted(p.name for p in outside.iterdir()) == ["secret.md"]


def test_a_link_made_after_the_first_use_is_found(tmp_path: Path, workspace: Workspace) -> None:
    workspace.write("notes/a.md", b"mine")
    assert workspace.read("notes/a.md") == b"mine"
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.md").write_text(SECRET)
    (workspace.root / "notes" / "a.md").unlink()
    (workspace.root / "notes").rmdir()
    (workspace.root / "notes").symlink_to(tmp_path / "outside")
    with pytest.raises(RefusedError):
        workspace.read("notes/a.md")
    with pytest.raises(RefusedError):
        workspace.write("notes/a.md", b"x")
    assert (tmp_path / "outside" / "a.md").read_text() == SECRET


def test_a_root_that_became_a_link_is_refused(tmp_path: Path, workspace: Workspace) -> None:
    workspace.root.rename(tmp_path / "moved")
    workspace.root.symlink_to(tmp_path / "moved")
    with pytest.raises(RefusedError):
        workspace.write("a.md", b"x")


def test_a_workspace_behind_a_link_is_the_users_own_affair(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "alias").symlink_to(tmp_path / "real")
    workspace = Workspace(tmp_path / "alias" / "workspace")
    workspace.write("a.md", b"x")
    assert (tmp_path / "real" / "workspace" / "a.md").read_bytes() == b"x"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_is_no_file(workspace: Workspace) -> None:
    os.mkfifo(workspace.root / "pipe")
    with pytest.raises(RefusedError, match="neither"):
        workspace.read("pipe")
    assert list(workspace.walk(".", Skipped())) == []


def test_a_file_is_no_folder(workspace: Workspace) -> None:
    workspace.write("a.md", b"x")
    with pytest.raises(RefusedError, match="not a folder"):
        workspace.write("a.md/b.md", b"x")
    workspace.make_folder("f")
    with pytest.raises(RefusedError, match="is a folder"):
        workspace.write("f", b"x")


def test_a_full_disk_is_raised_and_leaves_the_old_file(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.write("a.md", b"old")

    def full(self: Path, target: Path) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        workspace.write("a.md", b"new")
    assert [p.name for p in workspace.root.iterdir()] == ["a.md"]
    assert workspace.read("a.md") == b"old"


async def test_a_full_disk_passes_through_the_tools(
    kit: Toolkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        await kit.run([call("Write", file_path=f"{HOME}/a.md", content="x")])
    with pytest.raises(OSError, match="No space"):
        await kit.run([call("Scraper", url="https://example.org/papers/1")])


def test_clear_removes_links_and_not_what_they_name(tmp_path: Path, workspace: Workspace) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text(SECRET)
    workspace.write("topic/sub/a.md", b"x")
    (workspace.root / "topic" / "link").symlink_to(tmp_path / "outside")
    workspace.clear("topic")
    assert workspace.kind("topic") == "absent"
    assert (tmp_path / "outside" / "secret.md").read_text() == SECRET


_pieces = st.sampled_from(
    [
        *("..", ".", "/", "//", "\\", "C:", "~", "\0", "%2e%2e", "\u2025", "．．"),
        *("up", "link.md", "secret.md", "outside", "new.md", "*", "**", "{a,..}"),
        *("sources", "research_topics", HOME),
    ]
)
_paths = st.one_of(st.lists(_pieces, max_size=6).map("/".join), st.lists(_pieces).map("".join))


@settings(max_examples=150)
@given(path=st.one_of(_paths, st.text(max_size=30)))
async def test_no_call_with_any_path_touches_anything_outside(
    tmp_path_factory: pytest.TempPathFactory, world: World, path: str
) -> None:
    base = tmp_path_factory.mktemp("escape")
    outside = base / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text(SECRET)
    kit = Toolkit(world, Workspace(base / "workspace"), SLUG)
    _links(kit.workspace.root / HOME, outside)
    arguments = ({"file_path": p} for p in (path, f"{HOME}/{path}"))
    calls = [
        c
        for a in arguments
        for c in (
            call("View", **a),
            call("Write", content="x", **a),
            call("Edit", old_string="s", new_string="x", **a),
        )
    ]
    calls += [
        call("Glob", pattern=path or "*"),
        call("Glob", pattern="**", path=path),
        call("Grep", pattern="secret", path=path),
        call("Grep", pattern="secret", glob=path),
    ]
    for outcome in await kit.run(calls):
        assert SECRET not in outcome.content
        assert str(base) not in outcome.content
        outcome.content.encode()  # writable in a record
    assert sorted(p.name for p in base.iterdir()) == ["outside", "workspace"]
    assert [p.name for p in outside.iterdir()] == ["secret.md"]
    assert (outside / "secret.md").read_text() == SECRET
