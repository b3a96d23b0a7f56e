"""Worker processes on this machine: each one asyncio loop with many jobs at once.

The parent alone hands out rows and writes. It knows which rows each worker has, so that a worker
that dies costs only its unfinished steps: its rows are handed out again and go on where they were.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from typing import Any, Final, Protocol

from ideatrail.batch.result import RowResult
from ideatrail.batch.rows import Row

GRACE: Final = 30.0
"""Seconds that workers are given to stop before they are ended."""
DEATHS: Final = 3
"""Workers that may die with a row in hand before it is given up."""
_TICK: Final = 1.0

Done = tuple[RowResult, bytes | None]


class Worker(Protocol):
    """Does rows; one a process, many rows at once."""

    async def do(self, row: Row) -> Done:
        """One row to its end, and its record. Whatever goes wrong is a result, not an exception;
        cancelled, it leaves the row so that it can be gone on with."""
        ...

    def look(self) -> Mapping[str, Any]:
        """Where its rows stand, in plain data: for people."""
        ...

    async def aclose(self) -> None:
        """Close what it holds open."""
        ...


WorkerMaker = Callable[[Any, int], Worker]
"""Makes a worker from (options, number of workers). Named as `module:function`, since each process
imports it for itself."""


@dataclass
class _Seat:
    """One worker process as the parent sees it."""

    number: int
    process: Any
    conn: Connection
    rows: dict[str, Row] = field(default_factory=dict)
    look: Mapping[str, Any] = field(default_factory=dict)


class LocalPool:
    """Runs rows in worker processes."""

    def __init__(
        self, maker: str, options: Any, *, workers: int, concurrency: int, grace: float = GRACE
    ) -> None:
        """`concurrency` rows are in hand at once, over all `workers`."""
        self._maker = maker
        self._options = options
        self._count = max(1, min(workers, concurrency))
        self._each = max(1, concurrency // self._count)
        self._grace = grace
        self._seats: list[_Seat] = []
        self._deaths: dict[str, int] = {}
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Hand out nothing more and let the workers leave their rows. Safe in a signal handler."""
        self._stopped.set()

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop."""
        return self._stopped.is_set()

    def run(
        self,
        rows: Iterable[Row],
        put: Callable[[RowResult, bytes | None], None],
        told: Callable[[list[Mapping[str, Any]]], None] = lambda looks: None,
    ) -> None:
        """Do all rows; `put` gets each end as it comes, `told` every second where all stand.

        What `put` raises ends the run: the workers leave their rows so that they can be gone on
        with, and the exception goes on.
        """
        owed = deque(rows)
        if not owed:
            return
        self._seats = [self._start(n) for n in range(self._count)]
        heard = time.monotonic()
        try:
            while not self._stopped.is_set():
                self._hand_out(owed)
                if not owed and not any(seat.rows for seat in self._seats):
                    break
                self._listen(owed, put)
                if time.monotonic() - heard >= _TICK:
                    heard = time.monotonic()
                    told([seat.look for seat in self._seats])
        finally:
            self._leave(put)

    def _start(self, number: int) -> _Seat:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=_serve,
            args=(theirs, self._maker, self._options, self._count),
            name=f"worker-{number}",
            daemon=True,
        )
        process.start()
        theirs.close()
        return _Seat(number, process, ours)

    def _hand_out(self, owed: deque[Row]) -> None:
        for seat in self._seats:
            while owed and len(seat.rows) < self._each:
                row = owed.popleft()
                seat.rows[row.key] = row
                try:
                    seat.conn.send(("row", row))
                except OSError:
                    break  # it has died; its rows come back when that is noticed

    def _listen(self, owed: deque[Row], put: Callable[[RowResult, bytes | None], None]) -> None:
        waiting = {seat.conn: seat for seat in self._seats}
        ready = connection.wait(list(waiting), timeout=_TICK)
        for one in ready:
            seat = waiting[one]  # type: ignore[index]
            try:
                kind, *rest = seat.conn.recv()
            except (EOFError, OSError):
                self._bury(seat, owed, put)
                continue
            self._heard(seat, kind, rest, put)

    def _heard(
        self,
        seat: _Seat,
        kind: str,
        rest: list[Any],
        put: Callable[[RowResult, bytes | None], None],
    ) -> None:
        if kind == "done":
            result, record = rest
            seat.rows.pop(result.key, None)
            put(result, record)
        elif kind == "look":
            seat.look = rest[0]
        elif kind == "broken":
            raise RuntimeError(f"worker {seat.number}: {rest[0]}")

    def _bury(
        self,
        seat: _Seat,
        owed: deque[Row],
        put: Callable[[RowResult, bytes | None], None],
    ) -> None:
        """A worker is gone: its rows are owed again, and another takes its place."""
        seat.process.join()
        code = seat.process.exitcode
        seat.conn.close()
        for row in seat.rows.values():
            self._deaths[row.key] = self._deaths.get(row.key, 0) + 1
            if self._deaths[row.key] < DEATHS:
                owed.appendleft(row)
            else:
                why = f"{DEATHS} workers died with it in hand (the last with exit code {code})"
                result = RowResult(row.key, row.line, row.name, "failed", cause="killed", why=why)
                put(result, None)
        place = self._seats.index(seat)
        self._seats[place] = self._start(seat.number)

    def _leave(self, put: Callable[[RowResult, bytes | None], None]) -> None:
        """Let the workers stop, taking what they finish meanwhile; then end them."""
        for seat in self._seats:
            with suppress(OSError):
                seat.conn.send(("stop",))
        until = time.monotonic() + self._grace
        open_seats = {seat.conn: seat for seat in self._seats}
        failed: Exception | None = None
        while open_seats and (left := until - time.monotonic()) > 0:
            for one in connection.wait(list(open_seats), timeout=min(left, _TICK)):
                seat = open_seats[one]  # type: ignore[index]
                try:
                    kind, *rest = seat.conn.recv()
                except (EOFError, OSError):
                    del open_seats[seat.conn]
                    continue
                if failed is None:
                    try:
                        self._heard(seat, kind, rest, put)
                    except (OSError, RuntimeError) as error:
                        failed = error
        for seat in self._seats:
            seat.process.join(timeout=1)
            if seat.process.is_alive():
                seat.process.kill()
                seat.process.join()
            seat.conn.close()
        if failed is not None:
            raise failed


def _serve(conn: Connection, maker: str, options: Any, count: int) -> None:
    """A worker process."""
    # The terminal sends an interrupt to all of them; the parent tells them what to do about it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        module, _, name = maker.partition(":")
        worker: Worker = getattr(importlib.import_module(module), name)(options, count)
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent has to hear of it
        conn.send(("broken", f"{type(error).__name__}: {error}"))
        return
    asyncio.run(_work(conn, worker))


async def _work(conn: Connection, worker: Worker) -> None:
    loop = asyncio.get_running_loop()
    inbox: asyncio.Queue[tuple[Any, ...]] = asyncio.Queue()
    sending = asyncio.Lock()
    tasks: set[asyncio.Task[None]] = set()

    def readable() -> None:
        try:
            while conn.poll():
                inbox.put_nowait(conn.recv())
        except (EOFError, OSError):
            loop.remove_reader(conn.fileno())
            inbox.put_nowait(("stop",))  # the parent is gone

    async def send(*message: Any) -> None:
        async with sending:
            await asyncio.to_thread(conn.send, message)

    async def one(row: Row) -> None:
        result, record = await worker.do(row)
        await send("done", result, record)

    async def tell() -> None:
        while True:
            await asyncio.sleep(_TICK)
            await send("look", dict(worker.look()))

    loop.add_reader(conn.fileno(), readable)
    telling = asyncio.create_task(tell())
    while True:
        message = await inbox.get()
        if message[0] == "stop":
            break
        task = asyncio.create_task(one(message[1]))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    telling.cancel()
    for task in list(tasks):
        task.cancel()
    await asyncio.gather(telling, *tasks, return_exceptions=True)
    await worker.aclose()
    loop.remove_reader(conn.fileno())
    conn.close()


def memory() -> int:
    """Resident bytes of this process; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
