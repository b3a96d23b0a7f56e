"""Spans of model calls: the GenAI conventions, no texts, and nothing where nobody listens."""

from __future__ import annotations

import subprocess
import sys

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from ideatrail.models.endings import EndingError
from ideatrail.models.protocol import Request, message

ASK = Request((message("user", "A question that no span may hold?"),), seed=3, max_tokens=50)


@pytest.fixture(scope="module")
def exporter() -> InMemorySpanExporter:
    made = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(made))
    trace.set_tracer_provider(provider)
    return made


async def test_a_call_is_a_span_by_the_conventions(connect, server, exporter) -> None:
    exporter.clear()
    server.faults = ["status:500"]
    await connect("chat").answer(ASK)
    (span,) = exporter.get_finished_spans()
    told = dict(span.attributes)
    assert span.name == "chat m-1"
    assert span.kind.name == "CLIENT"
    assert told["gen_ai.operation.name"] == "chat"
    assert told["gen_ai.provider.name"] == "openai"
    assert (told["gen_ai.request.model"], told["gen_ai.response.model"]) == ("m-1", "m-1")
    assert (told["gen_ai.usage.input_tokens"], told["gen_ai.usage.output_tokens"]) == (40, 12)
    assert told["gen_ai.response.finish_reasons"] == ("stop",)
    assert told["server.address"] == "127.0.0.1"
    assert told["ideatrail.attempts"] == 2
    assert not [v for v in told.values() if "question" in str(v) or "Hello" in str(v)]


async def test_a_failure_is_a_span_with_its_name(connect, server, exporter) -> None:
    exporter.clear()
    server.faults = ["echo_key"]
    with pytest.raises(EndingError):
        await connect("messages").answer(ASK)
    (span,) = exporter.get_finished_spans()
    assert span.attributes["error.type"] == "unauthorized"
    assert span.status.status_code.name == "ERROR"
    assert not span.events
    assert "planted" not in span.to_json()


@pytest.mark.parametrize(
    ("set_up", "wanted"),
    [
        ("", False),
        ("import os; os.environ['OTEL_EXPORTER_OTLP_ENDPOINT'] = 'http://127.0.0.1:9'", True),
        ("import opentelemetry.trace", False),
        (
            "from opentelemetry import trace; from opentelemetry.sdk.trace import TracerProvider; "
            "trace.set_tracer_provider(TracerProvider())",
            True,
        ),
        ("import os, opentelemetry.trace; os.environ['OTEL_SDK_DISABLED'] = 'true'", False),
    ],
)
def test_it_is_off_unless_somebody_wants_it(set_up: str, wanted: bool) -> None:
    code = f"{set_up}\nfrom ideatrail.models.tracing import wanted; print(wanted())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(wanted)
