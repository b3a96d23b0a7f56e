"""Any chat model of LangChain serves: the engine behind its interface, and langchain-openai over
HTTP."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson
import pytest
from fault_server import QUICK, Said
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool

from ideatrail.models.endings import EndingError
from ideatrail.models.endpoints import Endpoints
from ideatrail.models.offline.model import OfflineModel
from ideatrail.models.options import EndpointOptions
from ideatrail.models.protocol import (
    CallPart,
    Message,
    Part,
    ReasoningPart,
    Request,
    TextPart,
    message,
)
from ideatrail.models.refused import ModelSettingsError
from ideatrail.resources import folder
from ideatrail.run.job import run_trail
from ideatrail.settings import Settings

ASK = Request((message("system", "Be brief."), message("user", "Hello?")))
TOOL = {
    "type": "function",
    "function": {
        "name": "WebSearch",
        "description": "Searches.",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}},
    },
}
ROLES = {"human": "user", "ai": "assistant"}


def to_request(messages: list[BaseMessage], tools: list[dict[str, Any]]) -> Request:
    """What a server would make of the messages."""
    said: list[Message] = []
    for one in messages:
        parts: list[Part] = []
        if thought := one.additional_kwargs.get("reasoning_content"):
            parts.append(ReasoningPart(thought))
        if one.text:
            parts.append(TextPart(str(one.text)))
        for call in getattr(one, "tool_calls", ()):
            parts.append(CallPart(call["id"], call["name"], orjson.dumps(call["args"]).decode()))
        role: Any = ROLES.get(one.type, one.type)
        said.append(Message(role, tuple(parts), getattr(one, "tool_call_id", None), one.name))
    return Request(tuple(said), tuple(tools))


class EngineChat(BaseChatModel):
    """The offline engine behind LangChain's interface."""

    @property
    def _llm_type(self) -> str:
        return "engine"

    def bind_tools(self, tools: Any, *, tool_choice: str | None = None, **kwargs: Any) -> Any:
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools])

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        raise NotImplementedError

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        *,
        tools: list[dict[str, Any]] | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        answer = await OfflineModel().answer(to_request(messages, tools or []))
        calls = [
            {"name": c.name, "args": orjson.loads(c.arguments), "id": f"theirs-{n}"}
            for n, c in enumerate(answer.calls)
        ]
        said = AIMessage(
            content=answer.text,
            tool_calls=calls,
            additional_kwargs={"reasoning_content": answer.reasoning},
            usage_metadata={"input_tokens": 7, "output_tokens": 5, "total_tokens": 12},
        )
        return ChatResult(generations=[ChatGeneration(message=said)])


@pytest.fixture
def lab(server, monkeypatch) -> ModuleType:
    """A module such as a user would have."""
    from langchain_openai import ChatOpenAI

    module = ModuleType("a_users_lab")
    module.engine = EngineChat()  # type: ignore[attr-defined]
    module.chat = lambda: ChatOpenAI(  # type: ignore[attr-defined]
        model="m-1", base_url=server.base_url, api_key="none", max_retries=0
    )
    module.number = 7  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "a_users_lab", module)
    return module


def model_of(name: str, **options: Any):
    return Endpoints(options={name: EndpointOptions(patience=QUICK, **options)}).model(name)


@pytest.mark.slow
async def test_a_whole_trail_by_the_engine_behind_it(tmp_path: Path, lab) -> None:
    proposal = str(folder("data") / "proposals" / "source_aware_decoding.md")
    asked = Settings(
        proposal=proposal, model="langchain:a_users_lab:engine", turns=12, out=tmp_path
    )
    result = await run_trail(asked)
    assert result.exit_code in (0, 3)
    used = result.manifest["usage"]["generator"]
    assert used["input"] == 7 * used["calls"]
    held = result.folder / "trajectory.jsonl"
    if result.exit_code:
        held = result.folder / "advisor" / "rejected_trajectory.jsonl"
    said = [m for m in orjson.loads(held.read_bytes())["messages"] if m["role"] == "assistant"]
    assert len(said) >= 12
    assert all(m["reasoning_content"] for m in said)
    assert b"theirs-" not in held.read_bytes(), "call ids are ours"


async def test_langchain_openai_over_http(server, lab) -> None:
    answer = await model_of("langchain:a_users_lab:chat").answer(ASK)
    assert answer.text == "Hello."
    assert answer.usage.input == server.told["input"] > 0
    assert answer.usage.output == server.told["output"]
    assert server.requests[0]["messages"][0] == {"role": "system", "content": "Be brief."}


async def test_calls_come_back_and_go_again(server, lab) -> None:
    server.said = Said(
        calls=(("x1", "WebSearch", '{"query": "a"}'), ("x2", "WebSearch", "{broken"))
    )
    model = model_of("langchain:a_users_lab:chat")
    answer = await model.answer(Request(ASK.messages, tools=(TOOL,)))
    assert [c.arguments for c in answer.calls] == ['{"query":"a"}', "{broken"]
    assert answer.finish == "tool_calls"
    again = (*ASK.messages, Message("assistant", (answer.calls[0],)))
    result = Message("tool", (TextPart("Nothing."),), tool_call_id="x1", name="WebSearch")
    await model.answer(Request((*again, result), tools=(TOOL,)))
    sent = server.requests[-1]["messages"]
    assert sent[2]["tool_calls"][0]["id"] == sent[3]["tool_call_id"] == "x1"


@pytest.mark.parametrize(
    ("fault", "ending", "requests"),
    [("status:401", "unauthorized", 1), ("status:404", "not_found", 1), ("status:500", "", 2)],
)
async def test_failures_have_their_names(server, lab, fault, ending, requests) -> None:
    server.faults = [fault]
    model = model_of("langchain:a_users_lab:chat")
    if ending:
        with pytest.raises(EndingError) as caught:
            await model.answer(ASK)
        assert caught.value.ending == ending
    else:
        assert (await model.answer(ASK)).attempts == 2
    assert len(server.requests) == requests


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("langchain:nowhere", "package.module:attribute"),
        ("langchain:no_such_module_here:model", "No module named"),
        ("langchain:a_users_lab:missing", "holds no missing"),
        ("langchain:a_users_lab:number", "int is no LangChain chat model"),
    ],
)
def test_a_name_that_leads_nowhere_is_told_in_one_line(lab, name, told) -> None:
    with pytest.raises(ModelSettingsError, match=told) as caught:
        model_of(name)
    assert "\n" not in str(caught.value)
