"""Regular expressions that no pattern can make slow.

Python's own matcher backtracks: `(a+)+$` on thirty letters takes minutes, and a time limit would
make the same call end differently on two machines. This one walks all alternatives at once and
remembers where they led (a lazy automaton), so time grows with the text alone, and what is too
much is counted in steps and not in seconds. The syntax is Python's; look-around and
back-references, which such a walk cannot do, are refused.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, Final

from ideatrail.toolkit.outcome import RefusedError

PATTERN_CHARS: Final = 500
NODES: Final = 2_000
"""Largest automaton: `(\\w{1,50}\\s){1,10}` has about a thousand nodes."""
STEPS: Final = 2_000_000
"""Work that one pattern may cost over all files, in visits of a node (about two seconds). Ordinary
patterns need a few thousand: a place in the text costs nothing once its like was seen."""
STATES: Final = 2_000
"""Remembered states; beyond, memory is dropped and built again."""

# The standard library's own parser, so that the syntax is `re`'s to the letter. It has no public
# name (`sre_parse` is deprecated), and its tree has been the same since Python 2.
_parser: Any = import_module("re._parser")

Test = Callable[[str], bool]
_START, _WORD, _OTHER = range(3)
"""What stands before a place: the line's beginning, a letter of a word, another character."""


class _Node:
    """One node: it takes a character (`test`), asks for a place (`at`), or only leads on."""

    __slots__ = ("at", "test", "to")

    def __init__(self, to: list[int], test: Test | None = None, at: str | None = None) -> None:
        self.to = to
        self.test = test
        self.at = at


class _State:
    """A set of nodes before a character, with what each next character led to."""

    __slots__ = ("before", "ends", "kernel", "moves")

    def __init__(self, kernel: frozenset[int], before: int) -> None:
        self.kernel = kernel
        self.before = before
        self.moves: dict[str, _State | None] = {}
        self.ends: bool | None = None


class LinePattern:
    """A compiled pattern, to be searched for in single lines."""

    def __init__(self, pattern: str) -> None:
        """Raises RefusedError for a pattern that is empty, malformed, or not to be matched."""
        if not pattern:
            raise RefusedError("the pattern is empty.")
        if len(pattern) > PATTERN_CHARS:
            raise RefusedError(f"the pattern is longer than {PATTERN_CHARS} characters.")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # future meanings of `[[` are no one's concern
                tree = _parser.parse(pattern)
            self._nodes: list[_Node] = [_Node([])]  # node 0 accepts
            self._start = self._sequence(tree, 0, tree.state.flags)
        except re.error as error:
            raise RefusedError(f"the pattern is not a regular expression: {error}.") from None
        except OverflowError:
            raise RefusedError("the pattern repeats something too often.") from None
        except RecursionError:
            raise RefusedError("the pattern is nested too deeply.") from None
        self._steps = 0
        self._states: dict[tuple[frozenset[int], int], _State] = {}

    def find(self, line: str) -> int | None:
        """Where the earliest match in `line` ends (0 to its length), or None without a match.

        Raises RefusedError where the pattern has cost too many steps over all lines.
        """
        state = self._state(frozenset((self._start,)), _START)
        for position, char in enumerate(line):
            try:
                following = state.moves[char]
            except KeyError:
                following = self._move(state, char)
            if following is None:
                return position
            state = following
        if state.ends is None:
            state.ends = self._reach(state, None) is None
        return len(line) if state.ends else None

    def _state(self, kernel: frozenset[int], before: int) -> _State:
        key = (kernel, before)
        state = self._states.get(key)
        if state is None:
            if len(self._states) >= STATES:
                self._states.clear()
            state = self._states[key] = _State(kernel, before)
        return state

    def _move(self, state: _State, char: str) -> _State | None:
        """The state after `char`; None where a match ends before it."""
        reached = self._reach(state, char)
        following = None
        if reached is not None:
            reached.add(self._start)  # a match may begin anywhere
            following = self._state(frozenset(reached), _WORD if _is_word(char) else _OTHER)
        state.moves[char] = following
        return following

    def _reach(self, state: _State, char: str | None) -> set[int] | None:
        """Nodes behind those that take `char` (None: the line's end); None where one accepts."""
        reached: set[int] = set()
        seen = set(state.kernel)
        todo = list(state.kernel)
        while todo:
            number = todo.pop()
            self._steps += 1
            if number == 0:
                return None
            node = self._nodes[number]
            if node.test is not None:
                if char is not None and node.test(char):
                    reached.update(node.to)
            elif node.at is None or _holds(node.at, state.before, char):
                new = [n for n in node.to if n not in seen]
                seen.update(new)
                todo += new
        if self._steps > STEPS:
            raise RefusedError("the pattern is too costly for these files. Make it simpler.")
        return reached

    # Building, from the end of the pattern backwards: each part is given the node that follows it.

    def _node(self, node: _Node) -> int:
        if len(self._nodes) >= NODES:
            raise RefusedError("the pattern is too large: it repeats too much too often.")
        self._nodes.append(node)
        return len(self._nodes) - 1

    def _sequence(self, items: Iterable[Any], then: int, flags: int) -> int:
        for operation, argument in reversed(list(items)):
            then = self._item(str(operation), argument, then, flags)
        return then

    def _item(self, operation: str, argument: Any, then: int, flags: int) -> int:
        if operation in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            return self._node(_Node([then], test=_test(operation, argument, flags)))
        if operation == "AT":
            return self._node(_Node([then], at=str(argument)))
        if operation == "BRANCH":
            return self._node(_Node([self._sequence(b, then, flags) for b in argument[1]]))
        if operation == "SUBPATTERN":
            _, added, removed, inner = argument
            return self._sequence(inner, then, (flags | added) & ~removed)
        if operation in ("MAX_REPEAT", "MIN_REPEAT"):
            least, most, inner = argument
            return self._repeat(least, most, inner, then, flags)
        raise RefusedError("look-around, back-references and possessive parts cannot be searched.")

    def _repeat(self, least: int, most: Any, inner: Any, then: int, flags: int) -> int:
        """`least` copies of `inner`, then a loop or as many optional copies as are allowed."""
        if most == _parser.MAXREPEAT:
            loop = self._node(_Node([then]))
            self._nodes[loop].to.append(self._sequence(inner, loop, flags))
            then = loop
        else:
            after = then
            for _ in range(most - least):
                entry = self._sequence(inner, then, flags)
                if entry == then:  # an empty group, however often: nothing to build
                    break
                then = self._node(_Node([entry, after]))
        for _ in range(least):
            entry = self._sequence(inner, then, flags)
            if entry == then:
                break
            then = entry
        return then


def _is_word(char: str | None) -> bool:
    return char is not None and (char.isalnum() or char == "_")


def _holds(at: str, before: int, char: str | None) -> bool:
    """Whether the place between what is before and `char` is what `at` asks for."""
    if at in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
        return before == _START
    if at in ("AT_END", "AT_END_STRING"):
        return char is None
    boundary = (before == _WORD) != _is_word(char)
    return boundary if at == "AT_BOUNDARY" else not boundary


_CATEGORIES: Final[dict[str, Test]] = {
    "CATEGORY_DIGIT": str.isdecimal,
    "CATEGORY_SPACE": str.isspace,
    "CATEGORY_WORD": _is_word,
}


def _test(operation: str, argument: Any, flags: int) -> Test:
    """The test of one character that a leaf of the parsed pattern stands for."""
    if operation == "ANY":
        return lambda char: True
    if operation == "LITERAL":
        members = [("LITERAL", argument)]
    elif operation == "NOT_LITERAL":
        members = [("NEGATE", None), ("LITERAL", argument)]
    else:
        members = [(str(kind), value) for kind, value in argument]
    negated = members[0][0] == "NEGATE"
    tests = [_member(kind, value, flags) for kind, value in members[negated:]]
    if flags & re.IGNORECASE:
        return lambda char: any(t(c) for c in _cases(char) for t in tests) != negated
    return lambda char: any(t(char) for t in tests) != negated


def _cases(char: str) -> set[str]:
    """`char` in both cases, where each is one character."""
    return {c for c in (char, char.lower(), char.upper()) if len(c) == 1}


def _member(kind: str, value: Any, flags: int) -> Test:
    if kind == "LITERAL":
        literal = chr(value)
        return lambda char: char == literal
    if kind == "RANGE":
        low, high = value
        return lambda char: low <= ord(char) <= high
    name = str(value)
    wanted = "_NOT_" not in name
    category = _CATEGORIES[name.replace("_NOT_", "_")]
    ascii_only = bool(flags & re.ASCII)
    return lambda char: (category(char) and (char.isascii() or not ascii_only)) == wanted
