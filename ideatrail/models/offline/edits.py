"""Edits of an own file: from the text as it stands to the text as it should be."""

from __future__ import annotations

from difflib import SequenceMatcher

Pair = tuple[str, str]
"""`old_string`, `new_string`."""


NEAR = 1500
"""Characters of unchanged text that one edit may carry along sooner than become two."""


def edits_between(before: str, after: str, most: int = 2) -> list[Pair]:
    """At most `most` replacements that turn `before` into `after`, applied in order.

    Each old string stands exactly once in the text it is applied to; hunks are merged where there
    would be more. Equal texts give none.
    """
    if before == after:
        return []
    a, b = before.split("\n"), after.split("\n")
    hunks = [
        (i1, i2, j1, j2)
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
        if tag != "equal"
    ]
    while len(hunks) > 1:
        gaps = [
            sum(len(line) + 1 for line in a[hunks[k][1] : hunks[k + 1][0]])
            for k in range(len(hunks) - 1)
        ]
        k = gaps.index(min(gaps))
        if len(hunks) <= most and gaps[k] > NEAR:
            break
        hunks[k : k + 2] = [(hunks[k][0], hunks[k + 1][1], hunks[k][2], hunks[k + 1][3])]
    out: list[Pair] = []
    text = before
    shift = 0
    for i1, i2, j1, j2 in hunks:
        lines = text.split("\n")
        start, end = i1 + shift, i2 + shift
        new = b[j1:j2]
        old_lines, lead, tail = lines[start:end], 0, 0
        # Widen until the old string is there and unique: an insertion has none of its own.
        while True:
            old = "\n".join(lines[start - lead : end + tail])
            # A deletion keeps a neighbour, or the line break beside it would be left behind.
            alone = old.strip() and text.find(old) == text.rfind(old) == at(lines, start - lead)
            if alone and (new or lead or tail):
                break
            if start - lead > 0:
                lead += 1
            elif end + tail < len(lines):
                tail += 1
            else:
                break
        fresh = "\n".join([*lines[start - lead : start], *new, *lines[end : end + tail]])
        out.append((old, fresh))
        text = text.replace(old, fresh, 1)
        shift += len(new) - len(old_lines)
    return out


def at(lines: list[str], number: int) -> int:
    """Offset of line `number`, from 0, in the text of `lines`."""
    return sum(len(line) + 1 for line in lines[:number])
