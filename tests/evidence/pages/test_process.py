"""The processes that parse: bounded, replaced, alone."""

from __future__ import annotations

import asyncio
import os
import threading
import time

import maker
import pytest

from ideatrail.evidence.pages import read_page
from ideatrail.evidence.pages.process import Job, Worker, Workers, shared

PAGE = b"<html><body><p>" + b"A sentence that a reader would want to have. " * 9
URL = "https://x.example/page"


@pytest.fixture
def worker():
    made: list[Worker] = []

    def start(**limits: float) -> Worker:
        made.append(Worker(**limits))
        return made[-1]

    yield start
    for one in made:
        one.close()


def test_a_page_that_takes_too_long_is_ended(worker) -> None:
    slow = worker(seconds=0.05)
    began = time.monotonic()
    answer = slow.read(maker.pdf_paper(1, 300_000), None, URL)
    assert answer["ending"] == "refused"
    assert "seconds" in answer["detail"]
    assert time.monotonic() - began < 5
    assert slow.spent


def test_a_page_that_takes_too_much_memory_is_ended(worker) -> None:
    small = worker(memory=300 * 2**20)
    answer = small.read(PAGE + b"<i>x</i>" * 110_000, "text/html", URL)
    assert answer["ending"] == "refused"


def test_a_worker_that_dies_is_replaced() -> None:
    workers = Workers(1)
    try:
        assert "page" in workers.read(Job(), PAGE, "text/html", URL)
        (idle,) = workers._idle
        idle.process.kill()
        idle.process.wait()
        assert "page" in workers.read(Job(), PAGE, "text/html", URL)
        assert workers._idle != [idle]
    finally:
        workers.close()


def test_a_worker_serves_many_pages() -> None:
    workers = Workers(1)
    try:
        for _ in range(3):
            assert "page" in workers.read(Job(), PAGE, "text/html", URL)
        assert len(workers._idle) == 1
        assert workers._idle[0].pages == 3
    finally:
        workers.close()


def test_a_page_that_nobody_waits_for_any_more_is_ended() -> None:
    workers = Workers(1, seconds=60)
    job, body = Job(), maker.pdf_paper(1, 1_000_000)
    timer = threading.Timer(1.5, job.cancel)
    timer.start()
    try:
        began = time.monotonic()
        answer = workers.read(job, body, None, URL)
        assert answer["ending"] == "refused"
        assert time.monotonic() - began < 5
        assert workers.read(job, PAGE, None, URL)["detail"] == "nobody waits"
    finally:
        timer.cancel()
        workers.close()


async def test_waiting_can_be_given_up() -> None:
    task = asyncio.create_task(read_page(maker.pdf_paper(2, 1_000_000), None, URL))
    await asyncio.sleep(0.3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await read_page(PAGE, None, URL)).paragraphs


async def test_many_pages_at_once_and_the_loop_stays_free() -> None:
    gaps: list[float] = []

    async def tick() -> None:
        while True:
            began = time.monotonic()
            await asyncio.sleep(0.005)
            gaps.append(time.monotonic() - began)

    body = maker.pdf_paper(3)
    ticking = asyncio.create_task(tick())
    pages = await asyncio.gather(*(read_page(body, None, URL) for _ in range(6)))
    ticking.cancel()
    assert len(set(pages)) == 1
    assert len(shared()._idle) <= 2
    assert sorted(gaps)[len(gaps) // 2] < 0.05


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc")  # noqa: PTH112
def test_a_worker_has_no_secrets(monkeypatch, worker) -> None:
    monkeypatch.setenv("EXAMPLE_API_KEY", "sk-canary")
    one = worker()
    assert "page" in one.read(PAGE, None, URL)
    with open(f"/proc/{one.process.pid}/environ", "rb") as file:  # noqa: PTH123
        assert b"canary" not in file.read()
    with open(f"/proc/{one.process.pid}/limits") as file:  # noqa: PTH123
        limits = {line[:26].strip(): line[26:].split()[0] for line in file}
    assert limits["Max address space"] == str(one.memory)
    assert limits["Max file size"] == "0"
