"""Glob patterns over workspace paths."""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ideatrail.toolkit.outcome import RefusedError

PATTERN_CHARS: Final = 500
_CHOICES: Final = 64
"""How many patterns `{a,b}` may multiply to."""
_BRACES: Final = re.compile(r"\{([^{}]*)\}")


@lru_cache(maxsize=512)
def _name(pattern: str) -> re.Pattern[str]:
    # The standard library's translation has no nested backtracking, so names match fast.
    return re.compile(fnmatch.translate(pattern))


@dataclass(frozen=True)
class PathPattern:
    """A pattern with `*`, `?`, `[…]`, `{a,b}` inside a name and `**` over any number of folders."""

    choices: tuple[tuple[str, ...], ...]
    """The patterns that braces stand for, each in parts."""

    @classmethod
    def parse(cls, pattern: str) -> PathPattern:
        """Raises RefusedError for a pattern that is empty, too large, or points elsewhere."""
        if not pattern.strip():
            raise RefusedError("the pattern is empty.")
        if len(pattern) > PATTERN_CHARS:
            raise RefusedError(f"the pattern is longer than {PATTERN_CHARS} characters.")
        if pattern.startswith(("/", "~")) or "\\" in pattern or re.match("[A-Za-z]:", pattern):
            raise RefusedError("the pattern must be relative, with '/' between folders.")
        choices = []
        for choice in _expand(pattern):
            parts = tuple(part for part in choice.split("/") if part not in ("", "."))
            if ".." in parts:
                raise RefusedError("the pattern leaves the workspace: '..' is not allowed.")
            choices.append(parts)
        return cls(tuple(choices))

    def matches(self, path: str) -> bool:
        """True where one of the choices matches all of `path`, a relative path with slashes."""
        names = path.split("/")
        return any(_matches(parts, names) for parts in self.choices)

    @property
    def one_name(self) -> bool:
        """True where the pattern is about a single name and not about a path."""
        return all(len(parts) == 1 and parts[0] != "**" for parts in self.choices)


def _expand(pattern: str) -> list[str]:
    """`pattern` without braces, innermost first; a brace without its partner stands for itself."""
    done: list[str] = []
    todo = [pattern]
    while todo:
        head = todo.pop(0)
        match = _BRACES.search(head)
        if match is None:
            done.append(head)
        else:
            before, after = head[: match.start()], head[match.end() :]
            todo += [before + choice + after for choice in match.group(1).split(",")]
        if len(done) + len(todo) > _CHOICES:
            raise RefusedError(f"the braces in the pattern give more than {_CHOICES} choices.")
    return done


def _matches(parts: tuple[str, ...], names: list[str]) -> bool:
    """Whether `parts` match `names`, in time len(parts) times len(names)."""
    # reached[j]: the parts so far match the first j names.
    reached = [True] + [False] * len(names)
    for part in parts:
        if part == "**":
            for j in range(1, len(names) + 1):
                reached[j] = reached[j] or reached[j - 1]
        else:
            name = _name(part)
            reached = [False] + [
                reached[j] and name.match(names[j]) is not None for j in range(len(names))
            ]
    return reached[-1]
