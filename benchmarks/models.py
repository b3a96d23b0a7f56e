"""Requests a second and CPU a call of chat clients, side by side, against one local server.

The server answers after a fixed latency. Ours has all its wrapping on: limiter, budget, prices,
ledger. Every client runs in a fresh process, in turns, so that a busy machine hurts all alike.

    python benchmarks/models.py
    python benchmarks/models.py --python inspect-ai=/path/to/venv/bin/python

Clients that are not installed are left out, and said so.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

CALLS = 1_000
IN_FLIGHT = 100
LATENCY = 0.1
ROUNDS = 3
TARGET_SHARE, TARGET_CPU_MS, TARGET_OTHERS = 0.5, 2.0, 3.0

SYSTEM = "You are a research assistant. " * 70  # about 2 kB, as a brief is
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": f"tool_{n}",
            "description": "Does one thing.",
            "parameters": {"type": "object", "properties": {"a": {"type": "string"}}},
        },
    }
    for n in range(7)
]
ANSWER = orjson.dumps(
    {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": "Hello.",
                    "reasoning_content": "They greet me.",
                },
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }
)

One = Callable[[int], Awaitable[None]]


async def serve() -> None:
    """Serve until the parent goes; the first line of output is the port."""
    from aiohttp import web

    async def handle(request: web.Request) -> web.Response:
        await request.read()
        await asyncio.sleep(LATENCY)
        return web.Response(body=ANSWER, content_type="application/json")

    app = web.Application()
    app.router.add_post("/v1/chat/completions", handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


def _messages(n: int) -> list[dict[str, str]]:
    return [{"role": "system", "content": SYSTEM}, {"role": "user", "content": f"Question {n}?"}]


@contextlib.asynccontextmanager
async def bare_aiohttp(url: str) -> AsyncIterator[One]:
    import aiohttp

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def one(n: int) -> None:
            body = orjson.dumps({"model": "m", "messages": _messages(n), "tools": TOOLS})
            head = {"content-type": "application/json"}
            async with session.post(f"{url}/chat/completions", data=body, headers=head) as got:
                orjson.loads(await got.read())["choices"]

        yield one


@contextlib.asynccontextmanager
async def ideatrail(url: str) -> AsyncIterator[One]:
    from ideatrail.models.budget import Budget
    from ideatrail.models.endpoints import Endpoints
    from ideatrail.models.ledger import UsageLedger
    from ideatrail.models.options import EndpointOptions, Limits
    from ideatrail.models.prices import Price, Prices
    from ideatrail.models.protocol import Request, message

    limits = Limits(
        requests_per_minute=10_000_000, tokens_per_minute=10_000_000_000, concurrency=IN_FLIGHT
    )
    endpoints = Endpoints(
        options={"openai:m": EndpointOptions(base_url=url, limits=limits)},
        budget=Budget(max_cost=1e6, max_tokens=10**12),
        prices=Prices({}, {"openai:m": Price(input=1, output=2, cached_input=0.1)}),
    )
    model, ledger, tools = endpoints.model("openai:m"), UsageLedger(), tuple(TOOLS)
    system = message("system", SYSTEM)

    async def one(n: int) -> None:
        request = Request((system, message("user", f"Question {n}?")), tools=tools, seed=n)
        ledger.add_answer("generator", await model.answer(request))

    yield one
    assert ledger.total("input") == 10 * ledger.roles["generator"].calls
    await endpoints.aclose()


@contextlib.asynccontextmanager
async def openai_sdk(url: str) -> AsyncIterator[One]:
    from openai import AsyncOpenAI

    async with AsyncOpenAI(api_key="none", base_url=url, max_retries=0) as client:

        async def one(n: int) -> None:
            await client.chat.completions.create(model="m", messages=_messages(n), tools=TOOLS)  # type: ignore[call-overload]

        yield one


@contextlib.asynccontextmanager
async def langchain_openai(url: str) -> AsyncIterator[One]:
    from langchain_openai import ChatOpenAI

    made = ChatOpenAI(model="m", api_key="none", base_url=url, max_retries=0)
    bound = made.bind_tools(TOOLS)

    async def one(n: int) -> None:
        await bound.ainvoke([(m["role"], m["content"]) for m in _messages(n)])

    yield one


@contextlib.asynccontextmanager
async def inspect_ai(url: str) -> AsyncIterator[One]:
    from inspect_ai.model import (
        ChatMessageSystem,
        ChatMessageUser,
        GenerateConfig,
        get_model,
    )
    from inspect_ai.tool import ToolInfo, ToolParams

    config = GenerateConfig(max_connections=IN_FLIGHT)
    model = get_model("openai/m", base_url=url, api_key="none", config=config, responses_api=False)
    tools = [ToolInfo(name=f"tool_{n}", description="x", parameters=ToolParams()) for n in range(7)]

    async def one(n: int) -> None:
        asked = [ChatMessageSystem(content=SYSTEM), ChatMessageUser(content=f"Question {n}?")]
        await model.generate(asked, tools=tools)

    yield one


@contextlib.asynccontextmanager
async def distilabel(url: str) -> AsyncIterator[One]:
    from distilabel.models import OpenAILLM

    model = OpenAILLM(model="m", base_url=url, api_key="none", max_retries=0)
    model.load()

    async def one(n: int) -> None:
        await model.agenerate(input=_messages(n))

    yield one


@contextlib.asynccontextmanager
async def curator(url: str) -> AsyncIterator[One]:
    """It takes rows, not calls, and brings its own loop: the first call asks for all of them."""
    os.environ.update(CURATOR_QUIET)
    os.environ["CURATOR_CACHE_DIR"] = tempfile.mkdtemp()
    litellm = importlib.util.find_spec("litellm")
    if litellm is not None and litellm.submodule_search_locations:
        ranks = Path(litellm.submodule_search_locations[0]) / "litellm_core_utils" / "tokenizers"
        os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(ranks))
    from bespokelabs import curator as library

    class Ask(library.LLM):  # type: ignore[misc]
        def prompt(self, row: dict[str, int]) -> list[dict[str, str]]:
            return _messages(row["n"])

        def parse(self, row: dict[str, int], response: object) -> dict[str, str]:
            return {"answer": str(response)}

    limits = {
        "base_url": url,
        "max_concurrent_requests": IN_FLIGHT,
        "max_requests_per_minute": 10_000_000,
        "max_tokens_per_minute": 10_000_000_000,
    }
    model = Ask(model_name="gpt-4o-mini", backend="openai", backend_params=limits)

    async def one(n: int) -> None:
        if n == 0:
            await asyncio.to_thread(model, [{"n": row} for row in range(CALLS)])

    yield one


CURATOR_QUIET = {
    "CURATOR_DISABLE_CACHE": "1",
    "CURATOR_DISABLE_RICH_DISPLAY": "1",
    "CURATOR_VIEWER": "0",
    "TELEMETRY_ENABLED": "0",
    "HF_HUB_OFFLINE": "1",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "OPENAI_API_KEY": "none",
}
"""Nothing that asks the network, and no display, which would cost it time."""

CLIENTS: Mapping[str, Callable[[str], contextlib.AbstractAsyncContextManager[One]]] = {
    "aiohttp": bare_aiohttp,
    "ideatrail": ideatrail,
    "openai": openai_sdk,
    "langchain-openai": langchain_openai,
    "inspect-ai": inspect_ai,
    "distilabel": distilabel,
    "curator": curator,
}
OTHERS = ("inspect-ai", "distilabel", "curator")
"""Whole systems that make data, as ours is; the rest are clients."""


async def measure(name: str, url: str) -> dict[str, float]:
    """Run one client; wall and CPU seconds of all calls."""
    gate = asyncio.Semaphore(IN_FLIGHT)
    async with CLIENTS[name](url) as one:

        async def gated(n: int) -> None:
            async with gate:
                await one(n)

        if name != "curator":
            await asyncio.gather(*(gated(n) for n in range(5)))
        wall, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*(gated(n) for n in range(CALLS)))
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {"per_second": CALLS / wall, "cpu_ms": cpu / CALLS * 1000}


def run_client(name: str, url: str, python: str) -> dict[str, float] | None:
    """One client in a process of its own; None where it is not installed."""
    command = [python, __file__, "--client", name, "--url", url]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        if "ModuleNotFoundError" in done.stderr or "ImportError" in done.stderr:
            return None
        raise SystemExit(f"{name} failed:\n{done.stderr[-2000:]}")
    found: dict[str, float] = orjson.loads(done.stdout.splitlines()[-1])
    return found


def compare(pythons: Mapping[str, str]) -> int:
    """All clients, in turns; prints the table and whether the targets are met."""
    command = [sys.executable, __file__, "--serve"]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    found: dict[str, list[dict[str, float]]] = {}
    try:
        assert server.stdout is not None
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
        for turn in range(ROUNDS):
            for name in CLIENTS:
                if turn and name not in found:
                    continue
                got = run_client(name, url, pythons.get(name, sys.executable))
                if got is None:
                    print(f"{name}: not installed, left out")
                    continue
                found.setdefault(name, []).append(got)
    finally:
        server.terminate()
        server.wait()
    return report(found)


def report(found: Mapping[str, list[dict[str, float]]]) -> int:
    """Print medians and ratios; 1 where a target is missed."""

    def middle(name: str, key: str) -> float:
        return statistics.median(one[key] for one in found[name])

    base, ours = middle("aiohttp", "per_second"), middle("ideatrail", "per_second")
    cores = os.cpu_count()
    print(f"\n{CALLS} calls, {IN_FLIGHT} in flight, {LATENCY * 1000:.0f} ms latency, {cores} cores")
    print(f"{'client':<18}{'a second':>10}{'of aiohttp':>12}{'CPU ms':>9}")
    for name in found:
        speed, cpu = middle(name, "per_second"), middle(name, "cpu_ms")
        print(f"{name:<18}{speed:>10.0f}{speed / base:>12.2f}{cpu:>9.2f}")
    checks = [
        (f"at least {TARGET_SHARE} of aiohttp", ours / base >= TARGET_SHARE),
        (
            f"at most {TARGET_CPU_MS} ms of CPU a call",
            middle("ideatrail", "cpu_ms") <= TARGET_CPU_MS,
        ),
    ]
    others = [middle(name, "per_second") for name in OTHERS if name in found]
    if others:
        checks.append(
            (f"{TARGET_OTHERS:g} times the best other", ours >= TARGET_OTHERS * max(others))
        )
    if others and base < TARGET_OTHERS * max(others):
        times = base / max(others)
        print(f"note    no client can be: bare aiohttp is itself {times:.1f} times the best other")
    for what, met in checks:
        print(f"{'met   ' if met else 'MISSED'}  {what}")
    return 0 if all(met for _, met in checks) else 1


def main() -> int:
    """Parse arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--client", choices=CLIENTS, help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    parser.add_argument(
        "--python",
        action="append",
        default=[],
        metavar="CLIENT=PATH",
        help="run a client with another interpreter",
    )
    given: Any = parser.parse_args()
    if given.serve:
        asyncio.run(serve())
        return 0
    if given.client:
        print(orjson.dumps(asyncio.run(measure(given.client, given.url))).decode())
        return 0
    return compare(dict(item.split("=", 1) for item in given.python))


if __name__ == "__main__":
    sys.exit(main())
