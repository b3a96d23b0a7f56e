"""Worker processes that parse pages, and are killed when a page takes too much.

Parsers of PDF and HTML are large programs in C that strangers feed. A thread in which one of them
hangs or eats memory cannot be stopped; a process can.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from ideatrail.evidence.pages.worker import put, take

MEMORY: Final = 1024 * 2**20
"""Bytes of address space a worker may have. A paper takes some 200 MB of it."""
SECONDS: Final = 30.0
"""For one page; a paper takes less than one."""
WORKERS: Final = 2
_MODULE: Final = "ideatrail.evidence.pages.worker"
_PAGES: Final = 500
"""After so many pages a worker makes room for a fresh one: libraries in C leak."""


class Job:
    """A page that is being read."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cancelled = False
        self._worker: Worker | None = None

    def cancel(self) -> None:
        """Nobody waits for it any more: its worker is killed, or it is never begun."""
        with self._lock:
            self._cancelled = True
            if self._worker is not None:
                self._worker.kill()

    def begin(self, worker: Worker) -> bool:
        """Whether the job is still wanted; if so, `cancel` reaches its worker from now on."""
        with self._lock:
            self._worker = None if self._cancelled else worker
            return not self._cancelled

    def end(self) -> None:
        """Its worker is another's from now on."""
        with self._lock:
            self._worker = None


@dataclass(slots=True)
class Worker:
    """One process. Used by one thread at a time."""

    memory: int = MEMORY
    seconds: float = SECONDS
    pages: int = 0
    killed: bool = False
    process: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", _MODULE, str(self.memory), str(max(1, round(self.seconds)))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            start_new_session=True,  # a Ctrl-C at the terminal is the parent's to handle
        )

    @property
    def spent(self) -> bool:
        """Whether it can serve no longer."""
        return self.killed or self.pages >= _PAGES or self.process.poll() is not None

    def read(self, body: bytes, content_type: str | None, url: str) -> dict[str, Any]:
        """The answer of `parse_page`, or an ending of the same form if the process died over it."""
        late = threading.Event()

        def stop() -> None:
            late.set()
            self.kill()

        timer = threading.Timer(self.seconds, stop)
        timer.daemon = True
        timer.start()
        self.pages += 1
        answer: dict[str, Any] | None = None
        try:
            stdin, stdout = self.process.stdin, self.process.stdout
            assert stdin is not None
            assert stdout is not None
            put(stdin, {"content_type": content_type, "url": url}, body)
            message = take(stdout)
            answer = message[0] if message else None
        except (OSError, orjson.JSONDecodeError):
            answer = None  # it died while it was written to, or wrote what is no answer
        finally:
            timer.cancel()
        if answer is not None:
            if answer.pop("last", False):
                self.kill()
            return answer
        self.kill()
        why = f"more than {self.seconds:.0f} seconds" if late.is_set() else "more than it may take"
        return {"ending": "refused", "detail": f"the parser was ended over {url}: {why}"}

    def kill(self) -> None:
        """Ends the process at once. Safe from any thread, and twice."""
        self.killed = True
        with contextlib.suppress(OSError):
            self.process.kill()

    def close(self) -> None:
        """Ends the process and forgets it."""
        self.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        self.process.wait()


class Workers:
    """A few processes, started when they are needed and kept for the next page."""

    def __init__(
        self, number: int = WORKERS, *, memory: int = MEMORY, seconds: float = SECONDS
    ) -> None:
        self.executor = ThreadPoolExecutor(number, thread_name_prefix="pages")
        self._memory = memory
        self._seconds = seconds
        self._idle: list[Worker] = []
        self._lock = threading.Lock()

    def read(self, job: Job, body: bytes, content_type: str | None, url: str) -> dict[str, Any]:
        """What `Worker.read` gives, from any worker. Blocks; runs in `executor`."""
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        if worker is not None and worker.spent:
            worker.close()
            worker = None
        worker = worker or Worker(self._memory, self._seconds)
        try:
            if not job.begin(worker):
                return {"ending": "partial", "detail": "nobody waits"}
            answer = worker.read(body, content_type, url)
            job.end()
        finally:
            if worker.spent:
                worker.close()
            else:
                with self._lock:
                    self._idle.append(worker)
        return answer

    def close(self) -> None:
        """Ends all processes that wait."""
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.close()
        self.executor.shutdown(wait=False)


_shared: Workers | None = None
_lock = threading.Lock()


def shared() -> Workers:
    """The workers of this process, whichever loop asks."""
    global _shared
    with _lock:
        if _shared is None:
            _shared = Workers()
        return _shared


def _close() -> None:
    if _shared is not None:
        _shared.close()


def _forget() -> None:
    """A forked child must not talk to its parent's workers."""
    global _shared, _lock
    _shared, _lock = None, threading.Lock()


def _environment() -> dict[str, str]:
    """Nothing of the parent's but where its modules lie: keys and tokens are in environments."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG") if name in os.environ}
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)  # noqa: PTH109
    return {**kept, "PYTHONPATH": path, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}


atexit.register(_close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
