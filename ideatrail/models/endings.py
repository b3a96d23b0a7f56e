"""How a call can end: every failure has a name, and the name says what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from ideatrail.models.protocol import Answer, ModelError, Usage
from ideatrail.models.secrets import scrub

EndingName = Literal[
    "rate_limited",
    "overloaded",
    "server_error",
    "timed_out",
    "connection_failed",
    "connection_lost",
    "stream_cut_short",
    "body_truncated",
    "body_not_json",
    "wrong_content_type",
    "malformed_answer",
    "empty_answer",
    "answer_too_large",
    "bad_request",
    "unauthorized",
    "forbidden",
    "not_found",
    "redirected",
    "quota_exhausted",
    "content_filtered",
    "context_overflow",
    "never_fits",
    "budget_reached",
    "not_recorded",
]
"""Ends of a request that gave no answer."""

AnswerEnding = Literal["complete", "calls", "cut_off", "spent_on_reasoning", "refused"]
"""Ends of a request that gave one."""


@dataclass(frozen=True)
class Policy:
    """What a failure means for the call and for the run."""

    retried: bool
    resumable: bool
    hint: str = ""
    """What the reader can do, where there is something."""
    attempts: int | None = None
    """How often it may be met before patience would be wasted: some servers give one seed one
    answer. None: as often as patience allows."""


POLICIES: Final[Mapping[EndingName, Policy]] = {
    "rate_limited": Policy(True, True),
    "overloaded": Policy(True, True),
    "server_error": Policy(True, True),
    "timed_out": Policy(True, True),
    "connection_failed": Policy(True, True, "is the server up, and the base URL right?"),
    "connection_lost": Policy(True, True),
    "stream_cut_short": Policy(True, True),
    "body_truncated": Policy(True, True),
    "body_not_json": Policy(True, True),
    "wrong_content_type": Policy(True, True, "does the base URL lead to an API?"),
    "malformed_answer": Policy(True, True),
    "empty_answer": Policy(True, True, attempts=3),
    # Sampling again may give a shorter one, but what was paid for each is large.
    "answer_too_large": Policy(False, True),
    "bad_request": Policy(False, False),
    "unauthorized": Policy(False, True, "set the right key in the environment"),
    "forbidden": Policy(False, True),
    "not_found": Policy(False, True, "check the model's name and the base URL"),
    "redirected": Policy(False, True, "give the address it leads to as the base URL"),
    "quota_exhausted": Policy(False, True, "the account has no credit left"),
    "content_filtered": Policy(False, False),
    "context_overflow": Policy(False, False, "take a model with a larger window, or fewer turns"),
    "never_fits": Policy(False, False, "raise the limit on tokens a minute"),
    "budget_reached": Policy(False, True, "raise the budget"),
    "not_recorded": Policy(False, False, "record the exchanges again"),
}


class EndingError(ModelError):
    """A request ended without an answer; `ending` is its name."""

    def __init__(
        self,
        ending: EndingName,
        detail: str,
        *,
        retry_after: float | None = None,
        usage: Usage | None = None,
        unmetered: bool = False,
        partial: bytes = b"",
    ) -> None:
        policy = POLICIES[ending]
        self.ending: EndingName = ending
        self.detail = scrub(" ".join(detail.split()))[:600]
        self.retried = policy.retried
        self.attempts = policy.attempts
        self.retry_after = retry_after
        """Seconds that the server asks us to wait; None where it does not say."""
        self.usage = usage
        """What the endpoint said this request used all the same; None where it told nothing."""
        self.unmetered = unmetered
        """Whether tokens may have been made (and charged) that no usage told of."""
        self.partial = partial
        """What had arrived before the answer broke off."""
        super().__init__(self.line(), resumable=policy.resumable)

    def line(self) -> str:
        """The ending in one line."""
        hint = POLICIES[self.ending].hint
        return f"{self.ending.replace('_', ' ')}: {self.detail}" + (f" ({hint})" if hint else "")


def ending_of(answer: Answer) -> AnswerEnding:
    """The name of how an answer ended; tells truncated output from thought without an answer."""
    if answer.finish == "refusal":
        return "refused"
    if answer.finish == "length":
        shown = answer.text.strip() or answer.calls
        return "cut_off" if shown else "spent_on_reasoning"
    return "calls" if answer.calls else "complete"


_OVERFLOW: Final = (
    "context_length_exceeded",
    "maximum context length",
    "context length",
    "context window",
    "context size",  # llama.cpp: "exceeds the available context size"
    "prompt is too long",
    "input is too long",
    "too many tokens",
    "request_too_large",
    "exceed_context_size_error",
)
_QUOTA: Final = ("insufficient_quota", "insufficient balance", "credit balance", "billing")
_FILTER: Final = ("content_filter", "content_policy", "responsibleaipolicy")
_BY_TYPE: Final[Mapping[str, EndingName]] = {
    "overloaded_error": "overloaded",
    "rate_limit_error": "rate_limited",
    "rate_limit_exceeded": "rate_limited",
    "api_error": "server_error",
    "server_error": "server_error",
    "timeout_error": "timed_out",
    "invalid_request_error": "bad_request",
    "authentication_error": "unauthorized",
    "permission_error": "forbidden",
    "not_found_error": "not_found",
    "billing_error": "quota_exhausted",
}
"""Error types that arrive inside a stream or a 200 answer, where no status tells."""


def error_text(body: Any) -> str:
    """The message of an error body, whatever its shape: OpenAI's, Anthropic's, FastAPI's, text."""
    if isinstance(body, Mapping):
        error = body.get("error", body)
        if isinstance(error, Mapping):
            for key in ("message", "detail", "msg"):
                if error.get(key):
                    return str(error[key])
        elif error:
            return str(error)
        return str(dict(body))
    return str(body or "")


def _marks(body: Any) -> str:
    """All words of an error body that classify it, in lower case."""
    found = [error_text(body)]
    if isinstance(body, Mapping):
        error = body.get("error", body)
        if isinstance(error, Mapping):
            found += [str(error.get(key) or "") for key in ("code", "type", "status")]
    return " ".join(found).lower()


def by_status(status: int, body: Any) -> EndingName:
    """The ending of an HTTP status that is no success."""
    marks = _marks(body)
    if status in (400, 413, 422) and any(mark in marks for mark in _OVERFLOW):
        return "context_overflow"
    if status in (400, 403) and any(mark in marks for mark in _FILTER):
        return "content_filtered"
    if status == 402 or (status in (400, 403, 429) and any(mark in marks for mark in _QUOTA)):
        return "quota_exhausted"
    if status == 500 and any(mark in marks for mark in _OVERFLOW):
        return "context_overflow"  # some servers answer 500 for a prompt that is too long
    fixed: Mapping[int, EndingName] = {
        401: "unauthorized",
        403: "forbidden",
        404: "not_found",
        405: "not_found",
        408: "timed_out",
        409: "server_error",
        413: "context_overflow",
        425: "overloaded",
        429: "rate_limited",
        503: "overloaded",
        504: "timed_out",
        529: "overloaded",
    }
    if status in fixed:
        return fixed[status]
    if 300 <= status < 400:
        return "redirected"
    return "server_error" if status >= 500 else "bad_request"


def by_error_body(body: Any) -> EndingName:
    """The ending of an error that came with status 200: in a stream, or in place of an answer."""
    error = body.get("error", body) if isinstance(body, Mapping) else None
    if isinstance(error, Mapping):
        code = error.get("code", error.get("status"))
        if isinstance(code, int) and 300 <= code < 600:
            return by_status(code, body)
        if isinstance(code, str) and code.isdigit():
            return by_status(int(code), body)
        for key in ("type", "code"):
            name = _BY_TYPE.get(str(error.get(key)))
            if name == "bad_request":
                return by_status(400, body)
            if name is not None:
                return name
    return "server_error"
