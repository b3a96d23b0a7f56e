"""The distribution: every root folder arrives, and the installed command works anywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from ideatrail.resources import FOLDERS

CHECKOUT = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.packaging


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist, built with what is installed: no download."""
    folder = tmp_path_factory.mktemp("dist")
    built = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(CHECKOUT)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    """The wheel; `build` makes it from the sdist, so that one is whole, too."""
    (found,) = dist.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of a new virtual environment that holds the wheel.

    The dependencies are those of this environment, by a .pth file: the test needs no network.
    """
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, with_pip=False)
    paths = sysconfig.get_paths(vars={"base": str(home), "platbase": str(home)})
    site = Path(paths["purelib"])
    site.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"),
            *("--prefix", str(home), "--ignore-installed", str(wheel)),
        ],
        check=True,
        timeout=300,
    )
    dependencies = {sysconfig.get_paths()["purelib"], sysconfig.get_paths()["platlib"]}
    # Plain paths, added after the wheel's own: editable installs' .pth files there stay unread.
    (site / "dependencies.pth").write_text("\n".join(sorted(dependencies)), "utf-8")
    return Path(paths["scripts"])


def _members(folder: str, names: list[str]) -> list[str]:
    return [n for n in names if n.startswith(folder + "/") and not n.endswith("/")]


def _sources(folder: str) -> set[str]:
    """Files of a root folder of the checkout, by path below it."""
    root = CHECKOUT / folder
    return {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()}


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_wheel_holds_every_file_of_a_root_folder(wheel: Path, folder: str) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = _members(f"ideatrail/_resources/{folder}", archive.namelist())
    assert held
    assert {n.split(f"_resources/{folder}/", 1)[1] for n in held} == _sources(folder)


@pytest.mark.parametrize("folder", [*FOLDERS, "ideatrail", "tests", "notebooks"])
def test_the_sdist_holds_a_root_folder(dist: Path, folder: str) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = [n.split("/", 1)[1] for n in archive.getnames() if "/" in n]
    assert _members(folder, names)


def test_the_wheel_claims_no_import_name_but_its_own(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/", 1)[0] for name in archive.namelist()}
    assert {t for t in tops if not t.endswith(".dist-info")} == {"ideatrail"}


def test_the_installed_command_makes_a_trail_in_an_empty_folder(
    installed: Path, tmp_path: Path
) -> None:
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("IDEATRAIL_", "PYTHON"))}
    where = subprocess.run(
        [installed / "python", "-c", "import ideatrail.resources as r; print(r.root())"],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )
    root = Path(where.stdout.strip())
    assert root.is_relative_to(installed.parent), "the checkout was imported, not the wheel"
    proposal = sorted((root / "data" / "proposals").glob("*.md"))[0]
    # pip wrote its own interpreter into the script's first line: name the new one.
    command = [installed / "python", installed / "ideatrail", "run"]
    done = subprocess.run(
        [*command, "--proposal", proposal, "--json", "--quiet"],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["outcome"] == "accepted"
    assert [p.name for p in tmp_path.iterdir()] == ["trails"]
    assert (tmp_path / told["record"]).is_file()
