"""OpenTelemetry spans of model calls, by the GenAI semantic conventions; off unless configured.

On where the program that uses us has set a tracer provider, or where the usual OTEL_* variables
name a place for traces and the extra `otel` is there. Spans tell sizes and endings, no texts.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import urlsplit

from ideatrail.models.endings import EndingError
from ideatrail.models.protocol import Answer, Request

if TYPE_CHECKING:
    from opentelemetry.trace import Span

_SCOPE: Final = "ideatrail"
_PLACES: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_API: Final = "opentelemetry.trace"


class Traced(Protocol):
    """What a span tells of a model."""

    @property
    def name(self) -> str:
        """`provider:name`."""
        ...

    @property
    def base_url(self) -> str:
        """Its endpoint's address."""
        ...


def wanted() -> bool:
    """Whether somebody collects spans."""
    if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    if any(os.environ.get(name) for name in _PLACES):
        return True
    # Other libraries load the interface too; only a program that listens sets a provider.
    api = sys.modules.get(_API)
    return api is not None and not isinstance(api.get_tracer_provider(), api.ProxyTracerProvider)


async def traced(model: Traced, request: Request, answer: Awaitable[Answer]) -> Answer:
    """Await `answer` inside a span, where somebody collects spans."""
    if not wanted() or not _ready():
        return await answer
    from opentelemetry.trace import SpanKind, Status, StatusCode, get_tracer

    provider, _, name = model.name.partition(":")
    with get_tracer(_SCOPE).start_as_current_span(
        f"chat {name}",
        kind=SpanKind.CLIENT,
        attributes=_asked(model, provider, name, request),
        record_exception=False,  # its message may hold a model's text
        set_status_on_exception=False,
    ) as span:
        try:
            given = await answer
        except EndingError as error:
            span.set_attribute("error.type", error.ending)
            span.set_status(Status(StatusCode.ERROR, error.ending))
            if error.spent is not None:
                _told(span, error.spent)
            raise
        _told(span, given)
        return given


def _asked(model: Traced, provider: str, name: str, request: Request) -> dict[str, Any]:
    place = urlsplit(model.base_url)
    values = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": name,
        "gen_ai.request.seed": request.seed,
        "gen_ai.output.type": "json" if request.answer_schema is not None else "text",
        "server.address": place.hostname or "",
        "server.port": place.port or (443 if place.scheme == "https" else 80),
    }
    if request.max_tokens is not None:
        values["gen_ai.request.max_tokens"] = request.max_tokens
    return values


def _told(span: Span, answer: Answer) -> None:
    usage = answer.usage
    values = {
        "gen_ai.response.model": answer.model or None,
        "gen_ai.response.id": answer.provider_id,
        "gen_ai.usage.input_tokens": usage.input,
        "gen_ai.usage.output_tokens": usage.output,
        "gen_ai.usage.cache_read.input_tokens": usage.cached,
        "gen_ai.usage.cache_creation.input_tokens": usage.cache_write,
        "ideatrail.attempts": answer.attempts,
        "ideatrail.cost_usd": answer.cost,
    }
    for key, value in values.items():
        if value is not None:
            span.set_attribute(key, value)
    if answer.parts:
        span.set_attribute("gen_ai.response.finish_reasons", [answer.finish])


@cache
def _ready() -> bool:
    """Make sure that spans have a place to go. False where the packages are not there."""
    try:
        from opentelemetry import trace
    except ImportError:
        return False
    if not any(os.environ.get(name) for name in _PLACES):
        return True  # the program's own provider, if it has set one
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        return True
    if isinstance(trace.get_tracer_provider(), TracerProvider):
        return True  # the program has set one up
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    return True
