"""What an endpoint can be told, and what is known of the endpoints that many people use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ideatrail.models.secrets import check_url

Provider = Literal["openai", "anthropic", "langchain"]
Echo = Literal["none", "reasoning_content", "reasoning", "reasoning_details"]
"""Under which name earlier reasoning goes back to a Chat Completions server."""
SchemaMode = Literal["native", "json_object", "tool", "prompt"]
"""How a structured answer is asked for: by JSON Schema, by JSON mode with the schema in the prompt,
by a tool whose arguments are the answer, or by the prompt alone."""

DEFAULT_URL: Final[Mapping[Provider, str]] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "langchain": "",  # the object knows its own
}


class Limits(BaseModel):
    """What an endpoint bears. One limiter holds all trails of the process to it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    requests_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)
    concurrency: int = Field(default=128, ge=1, le=4096)
    """Most requests in flight; fewer after each 429, more again as answers come."""


class Patience(BaseModel):
    """How long a call is tried."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    attempts: int = Field(default=8, ge=1)
    """Requests for one answer that may fail; waits that a 429 asks for do not count."""
    wait: float = Field(default=900, ge=0)
    """Most seconds that one answer may spend waiting for its next attempt."""
    first_wait: float = Field(default=0.5, gt=0)
    """Seconds before the second attempt; doubled each time, with jitter."""
    longest_wait: float = Field(default=60, gt=0)
    connect: float = Field(default=15, gt=0)
    """Seconds until a connection stands."""
    silence: float = Field(default=300, gt=0)
    """Most seconds without a byte: a server that thinks before a whole answer sends none."""
    total: float = Field(default=1800, gt=0)
    """Most seconds for one attempt."""


class EndpointOptions(BaseModel):
    """Everything an endpoint can be told. None: what is known of its host, else the default."""

    # A faulty value may be a key that was put in the wrong place: no error repeats it.
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    base_url: str | None = None
    api: Literal["chat", "responses"] = "chat"
    """For `openai:` models: Chat Completions, or the Responses API."""
    api_key_env: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    """Environment variable that holds the key, where it is not the provider's usual one."""
    stream: bool | None = None
    """None: Anthropic streams (long answers outlive idle connections), others do not."""
    echo: Echo | None = None
    reasoning: Literal["native", "visible"] | None = None
    """`visible`: it never comes back apart, so the prompt asks for thinking in the text."""
    schema_mode: SchemaMode | None = None
    send_seed: bool = True
    parallel_tool_calls: bool | None = True
    """None leaves the field out, for servers that refuse it."""
    max_output: int = Field(default=16_384, ge=1)
    """Most tokens of one answer, reasoning with them; also what a call in flight reserves."""
    max_output_field: Literal["max_tokens", "max_completion_tokens"] | None = None
    context_window: int | None = Field(default=None, ge=1)
    """Tokens that prompt and answer share; None: unknown."""
    temperature: float | None = Field(default=None, ge=0)
    reasoning_effort: str | None = None
    thinking: Literal["adaptive", "off"] | int | None = None
    """Anthropic: a budget in tokens, `adaptive`, or `off`; None: adaptive."""
    prompt_cache: bool = True
    """Anthropic: mark the stable prefix for the provider's cache."""
    extra_body: dict[str, Any] = Field(default_factory=dict)
    """Fields put into each request as they are."""
    largest_answer: int = Field(default=8_000_000, ge=1_000)
    """Bytes after which an answer is broken off."""
    limits: Limits = Limits()
    patience: Patience = Patience()

    @field_validator("base_url")
    @classmethod
    def _without_secret(cls, url: str | None) -> str | None:
        return None if url is None else check_url(url)

    def shaping(self) -> dict[str, Any]:
        """The options that shape an answer: not limits, patience and keys."""
        outside = {"limits", "patience", "api_key_env", "largest_answer"}
        return self.model_dump(mode="json", exclude=outside)


class Known(BaseModel):
    """What is known of a host."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    echo: Echo = "none"
    schema_mode: SchemaMode = "native"
    reasoning: Literal["native", "visible"] = "native"
    """How Chat Completions tells reasoning; a server that tells none is found out by asking."""
    max_output_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    needs_key: bool = True


KNOWN_HOSTS: Final[Mapping[str, Known]] = {
    # Chat Completions hides reasoning and takes none back; o-series models refuse `max_tokens`.
    "api.openai.com": Known(max_output_field="max_completion_tokens", reasoning="visible"),
    # Thinking with tools: a message with calls must carry its `reasoning_content`. No JSON Schema.
    "api.deepseek.com": Known(echo="reasoning_content", schema_mode="json_object"),
    # Details carry the signatures of the model behind; the plain text alone would lose them.
    "openrouter.ai": Known(echo="reasoning_details"),
    "api.moonshot.ai": Known(echo="reasoning_content"),
    "api.mistral.ai": Known(),
    "api.groq.com": Known(),
    "api.x.ai": Known(),
    "api.together.xyz": Known(),
    "api.fireworks.ai": Known(),
    "generativelanguage.googleapis.com": Known(),
    "dashscope.aliyuncs.com": Known(schema_mode="json_object"),
    "dashscope-intl.aliyuncs.com": Known(schema_mode="json_object"),
    "api.anthropic.com": Known(),
}

SELF_HOSTED: Final = Known(echo="reasoning_content", needs_key=False)
"""vLLM, SGLang, llama.cpp, Ollama: chat templates take `reasoning_content` or let it lie."""


def host_of(url: str) -> str:
    """The host of a base URL, without port."""
    return urlsplit(url).hostname or ""


def known(url: str) -> Known:
    """What is known of the endpoint at `url`."""
    return KNOWN_HOSTS.get(host_of(url), SELF_HOSTED)
