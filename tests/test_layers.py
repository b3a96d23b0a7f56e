"""The floors of the house: a room imports only from floors below it; nothing goes in circles."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "ideatrail"

FLOORS = {
    "cli": 7,
    "run": 6,
    "graph": 5,
    "nodes": 4,
    "state": 3,
    "viewer": 3,
    "problems": 3,
    "environments": 3,
    "inspect": 3,
    "portraits": 3,
    "drafting": 3,
    "verifier": 2,
    "records": 2,
    "batch": 2,
    "toolkit": 2,
    "roles": 2,
    "settings": 2,
    "trail": 1,
    "evidence": 1,
    "models": 1,
    "sandbox": 1,
    "proposals": 1,
    "embeddings": 1,
    "prompts": 1,
    "events": 1,
    "resources": 1,
}
"""Room (a folder or a file of the package) → floor."""

GROUND = frozenset({"trail", "events", "resources"})
"""Rooms of the first floor that know no other room at all, so that their own floor may use them:
the values every part speaks in, the event stream, and the finder of the root folders."""


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, Path]:
    paths = sorted(p for p in PACKAGE.rglob("*.py") if "_resources" not in p.parts)
    return {module_of(path): path for path in paths}


def room(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else None


def imports(module: str) -> Iterator[str]:
    """Modules of the package that `module` imports anywhere, also inside functions."""
    for node in ast.walk(ast.parse(modules()[module].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} uses a relative import"
            # `from ideatrail.trail import text` names a module, `... import Turn` a value of one.
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in modules() else str(node.module) for name in whole]
        else:
            continue
        yield from (n for n in names if n == "ideatrail" or n.startswith("ideatrail."))


def test_every_room_has_a_floor() -> None:
    assert {room(m) for m in modules()} - {None, "__init__", "__main__"} <= set(FLOORS)


@pytest.mark.parametrize("module", sorted(modules()))
def test_module_imports_only_from_floors_below(module: str) -> None:
    here = room(module)
    for other in imports(module):
        there = room(other)
        if there is None:
            continue  # the version, at the package's own root
        if here is None or there == here:
            assert here is not None, f"{module} must import nothing of the package, not {other}"
            continue
        below = FLOORS[there] < FLOORS[here]
        assert below or (there in GROUND and FLOORS[here] == FLOORS[there]), (
            f"{module} (floor {FLOORS[here]}) imports {other}"
        )


def test_the_ground_knows_no_other_room() -> None:
    for module in modules():
        if room(module) in GROUND:
            assert {room(other) for other in imports(module)} <= {room(module)}, module


def test_modules_do_not_import_in_circles() -> None:
    graph = {m: sorted({o for o in imports(m) if o in modules()} - {m}) for m in modules()}
    done: set[str] = set()

    def walk(module: str, way: tuple[str, ...]) -> None:
        assert module not in way, " → ".join([*way[way.index(module) :], module])
        if module in done:
            return
        for other in graph[module]:
            walk(other, (*way, module))
        done.add(module)

    for module in graph:
        walk(module, ())
