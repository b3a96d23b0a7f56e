"""Workers on a Ray cluster: the same rows, the same writer, on as many machines as there are.

One actor a worker, with its own loop; one call a row, since a call costs a millisecond and a turn
costs less. The batch's folder has to lie where all machines reach it: that is where a row's log is,
and from there another worker goes on with it.
"""

from __future__ import annotations

import importlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Final

from ideatrail.batch.local import DEATHS, GRACE, Done, Worker
from ideatrail.batch.result import RowResult
from ideatrail.batch.rows import Row

_TICK: Final = 1.0


class RayMissingError(ImportError):
    """Ray is not installed: one clear line."""


class _Actor:
    """What a Ray worker process does."""

    def __init__(self, maker: str, options: Any, count: int) -> None:
        module, _, name = maker.partition(":")
        self._worker: Worker = getattr(importlib.import_module(module), name)(options, count)

    async def do(self, row: Row) -> Done:
        return await self._worker.do(row)

    async def look(self) -> dict[str, Any]:
        return dict(self._worker.look())

    async def aclose(self) -> None:
        await self._worker.aclose()


class RayPool:
    """Runs rows on a Ray cluster. The same face as `LocalPool`."""

    def __init__(
        self,
        maker: str,
        options: Any,
        *,
        workers: int,
        concurrency: int,
        address: str | None = None,
        grace: float = GRACE,
    ) -> None:
        """`address` is the cluster's, `auto` for one that runs here; None starts one.

        Raises RayMissingError.
        """
        try:
            ray: Any = importlib.import_module("ray")
        except ImportError as error:
            raise RayMissingError(
                "--engine ray: ray is not installed: pip install 'ideatrail[ray]'"
            ) from error
        self._ray = ray
        self._maker = maker
        self._options = options
        self._count = max(1, min(workers, concurrency))
        self._each = max(1, concurrency // self._count)
        self._grace = grace
        self._deaths: dict[str, int] = {}
        self._stopped = threading.Event()
        self._own = not ray.is_initialized()
        if self._own:
            ray.init(address=address, logging_level="ERROR", log_to_driver=False)
        self._make = ray.remote(num_cpus=1, max_concurrency=self._each + 2)(_Actor)

    def stop(self) -> None:
        """Hand out nothing more. Safe in a signal handler."""
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
        """Do all rows; see `LocalPool.run`."""
        owed = deque(rows)
        if not owed:
            return
        actors = [self._start() for _ in range(self._count)]
        calls: dict[Any, tuple[int, Row]] = {}
        looks: dict[Any, int] = {}
        seen: list[Mapping[str, Any]] = [{} for _ in actors]
        heard = time.monotonic()
        try:
            while not self._stopped.is_set():
                self._hand_out(owed, actors, calls)
                if not owed and not calls:
                    break
                ready, _ = self._ray.wait([*calls, *looks], num_returns=1, timeout=_TICK)
                for reference in ready:
                    if reference in looks:
                        place = looks.pop(reference)
                        with suppress(self._ray.exceptions.RayError):
                            seen[place] = self._ray.get(reference)
                    else:
                        self._take(reference, calls, owed, actors, put)
                if time.monotonic() - heard >= _TICK:
                    heard = time.monotonic()
                    told(seen)
                    for place, actor in enumerate(actors):
                        if place not in looks.values():
                            looks[actor.look.remote()] = place
        finally:
            self._leave(actors, calls, put)

    def _start(self) -> Any:
        return self._make.remote(self._maker, self._options, self._count)

    def _hand_out(
        self, owed: deque[Row], actors: list[Any], calls: dict[Any, tuple[int, Row]]
    ) -> None:
        for place, actor in enumerate(actors):
            busy = sum(where == place for where, _ in calls.values())
            while owed and busy < self._each:
                row = owed.popleft()
                calls[actor.do.remote(row)] = (place, row)
                busy += 1

    def _take(
        self,
        reference: Any,
        calls: dict[Any, tuple[int, Row]],
        owed: deque[Row],
        actors: list[Any],
        put: Callable[[RowResult, bytes | None], None],
    ) -> None:
        """One row's end; or the end of its worker, whose rows are owed again."""
        place, row = calls.pop(reference)
        try:
            result, record = self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            lost = [row, *(r for where, r in calls.values() if where == place)]
            for other in [ref for ref, (where, _) in calls.items() if where == place]:
                del calls[other]
            actors[place] = self._start()
            for one in lost:
                self._deaths[one.key] = self._deaths.get(one.key, 0) + 1
                if self._deaths[one.key] < DEATHS:
                    owed.appendleft(one)
                else:
                    why = f"{DEATHS} workers died with it in hand: {error}".split("\n", 1)[0]
                    put(
                        RowResult(one.key, one.line, one.name, "failed", "", "killed", why=why),
                        None,
                    )
            return
        put(result, record)

    def _leave(
        self,
        actors: list[Any],
        calls: dict[Any, tuple[int, Row]],
        put: Callable[[RowResult, bytes | None], None],
    ) -> None:
        """Cancel what is in hand, so that it can be gone on with, and let the workers go."""
        for reference in calls:
            with suppress(self._ray.exceptions.RayError, ValueError, TypeError):
                self._ray.cancel(reference)
        if calls:
            self._ray.wait(list(calls), num_returns=len(calls), timeout=self._grace)
        with suppress(self._ray.exceptions.RayError):
            self._ray.get([actor.aclose.remote() for actor in actors], timeout=self._grace)
        for actor in actors:
            self._ray.kill(actor)
        if self._own:
            self._ray.shutdown()
