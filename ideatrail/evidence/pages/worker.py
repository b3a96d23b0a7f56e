"""The process in which pages are parsed: it may be killed at any time, and nothing is lost.

It reads requests from its input and writes answers to its output, each as four bytes of length and
so many bytes of JSON; a request's body follows its JSON. Nothing but that comes in, and it starts
without its parent's environment, so that a parser that is broken into finds no secrets there.
"""

from __future__ import annotations

import os
import struct
import sys
from typing import IO, Any, Final

import orjson

HEAD: Final = struct.Struct(">II")
"""Lengths of JSON and body."""


def main() -> None:
    """Answers until its input ends."""
    source = sys.stdin.buffer
    # What libraries print must not get between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - a descriptor is wanted
        os.dup2(nowhere.fileno(), 1)
    memory, seconds = int(sys.argv[1]), int(sys.argv[2])
    from ideatrail.evidence.pages.parse import parse_page

    limit(memory)
    while (request := take(source)) is not None:
        given, body = request
        limit_time(seconds)
        answer = parse_page(body, given["content_type"], given["url"])
        # What it once needed it does not give back: better a fresh one.
        answer["last"] = used() > memory // 3
        put(answers, answer, b"")


def take(source: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """The next message; None where the other side has gone, or sent half of one."""
    head = source.read(HEAD.size)
    if head is None or len(head) < HEAD.size:
        return None
    first, second = HEAD.unpack(head)
    text, body = source.read(first), source.read(second)
    if len(text) < first or len(body) < second:
        return None
    return orjson.loads(text), body


def put(target: IO[bytes], message: dict[str, Any], body: bytes) -> None:
    """Sends a message. Raises OSError where the other side has gone."""
    text = orjson.dumps(message)
    target.write(HEAD.pack(len(text), len(body)) + text)
    target.write(body)
    target.flush()


def used() -> int:
    """Bytes that this process has needed at most; 0 where that cannot be told.

    `getrusage` does not tell: its peak is that of the parent until the program was started, too.
    """
    try:
        with open("/proc/self/status") as status:  # noqa: PTH123 - no file but a window
            peak = next((line.split()[1] for line in status if line.startswith("VmHWM:")), "0")
    except OSError:
        return 0
    return int(peak) * 1024


def limit(memory: int) -> None:
    """No more memory than `memory` bytes, no files, no cores."""
    if sys.platform == "win32":
        return
    import resource

    for what, value in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        try:
            resource.setrlimit(what, (value, value))
        except (ValueError, OSError):
            continue  # a tighter limit stands already, or the system has none of this kind


def limit_time(seconds: int) -> None:
    """The process ends after so many more seconds of work, even if its parent has died."""
    if sys.platform == "win32":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    end = int(used.ru_utime + used.ru_stime) + seconds + 1
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (end, hard))


if __name__ == "__main__":
    main()
