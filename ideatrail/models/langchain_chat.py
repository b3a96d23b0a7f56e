"""Any `BaseChatModel` of LangChain as a model: `langchain:package.module:attribute`.

The attribute is a chat model, or a function without arguments that makes one. Sampling, keys and
addresses are that object's own; limits, budget, cache, retries and the ledger are ours as for every
endpoint.
"""

from __future__ import annotations

import importlib
from typing import Any, Final

import orjson
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from ideatrail.models.adapter import model_told
from ideatrail.models.chat_wire import FINISHES
from ideatrail.models.endings import EndingError, EndingName, by_status
from ideatrail.models.options import EndpointOptions, SchemaMode
from ideatrail.models.protocol import (
    Answer,
    CallPart,
    Finish,
    Message,
    Part,
    ReasoningPart,
    Request,
    TextPart,
    Usage,
)
from ideatrail.models.refused import ModelSettingsError
from ideatrail.models.structured import instruction, schema_name, unwrap

VERSION: Final = 1
"""Raised when what is sent or how answers are read changes: cached answers are then stale."""


def load(target: str) -> BaseChatModel:
    """The chat model that `package.module:attribute` names. Raises ModelSettingsError."""
    name = f"langchain:{target}"
    module, _, attribute = target.partition(":")
    if not module or not attribute:
        raise ModelSettingsError(f"{name}: give langchain:package.module:attribute")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except ImportError as error:
        raise ModelSettingsError(f"{name}: {error}") from error
    except AttributeError as error:
        raise ModelSettingsError(f"{name}: {module} holds no {attribute}") from error
    model = found if isinstance(found, BaseChatModel) or not callable(found) else found()
    if not isinstance(model, BaseChatModel):
        raise ModelSettingsError(f"{name}: {type(model).__name__} is no LangChain chat model")
    return model


class LangChainChat:
    """Requests as LangChain messages, and answers back."""

    def __init__(self, target: str, options: EndpointOptions) -> None:
        self._model = load(target)
        self._name = target
        self._parallel = options.parallel_tool_calls
        self.schema_mode: SchemaMode = options.schema_mode or "prompt"
        self.version = f"langchain-{VERSION}"

    async def send(self, request: Request, output: int) -> Answer:
        """One request, one answer; its length is the chat model's own matter. Raises EndingError,
        with the usage where one was told."""
        messages = [_to_langchain(m) for m in request.messages]
        tools, choice = list(request.tools), None
        if request.answer_schema is not None:
            if self.schema_mode == "tool":
                choice = schema_name(request.answer_schema)
                function = {"name": choice, "description": "Give the answer."}
                parameters = {"parameters": request.answer_schema}
                tools = [{"type": "function", "function": function | parameters}]
            else:
                messages.append(HumanMessage(instruction(request.answer_schema)))
        try:
            bound = self._model.bind_tools(tools, tool_choice=choice) if tools else self._model
            told = await bound.ainvoke(messages)
        except Exception as error:  # another's object: it may raise anything
            raise _refused(error) from error
        answer = self._read(told)
        if request.answer_schema is not None:
            answer = unwrap(answer, request.answer_schema, self.schema_mode)
        return answer

    async def aclose(self) -> None:
        """Nothing of ours is open."""

    def _read(self, told: BaseMessage) -> Answer:
        usage = _usage(told)
        known = None if usage == Usage() else usage
        parts = _parts(told)
        if not parts:
            raise EndingError(
                "empty_answer",
                "neither text nor calls nor reasoning",
                usage=known,
                unmetered=known is None,
            )
        about = told.response_metadata
        reason = about.get("finish_reason") or about.get("stop_reason") or about.get("done_reason")
        calls = any(isinstance(part, CallPart) for part in parts)
        finish: Finish = FINISHES.get(str(reason or ""), "tool_calls" if calls else "stop")
        model = about.get("model_name") or about.get("model")
        return Answer(
            parts=parts,
            usage=usage,
            finish="tool_calls" if calls and finish == "stop" else finish,
            model=model_told(model if isinstance(model, str) else None, self._name),
            provider_id=told.id,
            stop_reason=None if reason is None else str(reason),
        )


def _to_langchain(message: Message) -> BaseMessage:
    match message.role:
        case "system":
            return SystemMessage(message.text)
        case "user":
            return HumanMessage(message.text)
        case "tool":
            return ToolMessage(message.text, tool_call_id=message.tool_call_id, name=message.name)
    calls = [
        {"name": call.name, "args": orjson.loads(call.arguments or "{}"), "id": call.id}
        for call in message.calls
    ]
    thoughts = [part for part in message.parts if isinstance(part, ReasoningPart)]
    items = [part.item for part in thoughts if part.item]
    if items:  # blocks with signatures go back as they came
        return AIMessage(content=orjson.loads(items[0]), tool_calls=calls)
    extra = {"reasoning_content": message.reasoning} if thoughts else {}
    return AIMessage(content=message.text, tool_calls=calls, additional_kwargs=extra)


def _parts(told: BaseMessage) -> tuple[Part, ...]:
    """Reasoning, text and calls. Content that is a list is kept whole beside the reasoning."""
    reasoning = told.additional_kwargs.get("reasoning_content")
    if not isinstance(reasoning, str) or not reasoning:
        blocks = [block for block in told.content_blocks if block["type"] == "reasoning"]
        reasoning = "\n".join(str(t) for b in blocks if (t := b.get("reasoning")))
    parts: list[Part] = []
    kept = orjson.dumps(told.content).decode() if _has_reasoning(told.content) else None
    if reasoning or kept:
        parts.append(ReasoningPart(reasoning, item=kept))
    if told.text:
        parts.append(TextPart(str(told.text)))
    if isinstance(told, AIMessage):
        for call in told.tool_calls:
            arguments = orjson.dumps(call["args"]).decode()
            parts.append(CallPart(call["id"] or "", call["name"], arguments))
        for broken in told.invalid_tool_calls:
            parts.append(CallPart(broken["id"] or "", broken["name"] or "", broken["args"] or ""))
    return tuple(parts)


def _has_reasoning(content: Any) -> bool:
    kinds = ("thinking", "redacted_thinking", "reasoning")
    return isinstance(content, list) and any(
        isinstance(block, dict) and block.get("type") in kinds for block in content
    )


def _usage(told: BaseMessage) -> Usage:
    usage = told.usage_metadata if isinstance(told, AIMessage) else None
    if usage is None:
        return Usage()
    inputs = usage.get("input_token_details") or {}
    outputs = usage.get("output_token_details") or {}
    return Usage(
        input=usage["input_tokens"],
        cached=inputs.get("cache_read"),
        output=usage["output_tokens"],
        reasoning=outputs.get("reasoning"),
        cache_write=inputs.get("cache_creation"),
    )


def _refused(error: Exception) -> EndingError:
    """The ending that another's exception comes to: by its HTTP status, where it carries one."""
    status = getattr(error, "status_code", None)
    detail = f"{type(error).__name__}: {error}"
    name: EndingName = "bad_request"
    if isinstance(status, int):
        name = by_status(status, getattr(error, "body", None))
    elif isinstance(error, TimeoutError):
        name = "timed_out"
    elif isinstance(error, OSError):
        name = "connection_lost"
    unmetered = name in ("timed_out", "connection_lost")
    return EndingError(name, detail, unmetered=unmetered)
