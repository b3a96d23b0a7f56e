"""The offline model: an engine behind the same protocol as any other, one policy a role.

It sees the request and nothing else: the same request in a fresh process gives the same answer.
"""

from __future__ import annotations

from dataclasses import replace

from ideatrail.models.offline.advisor import advise
from ideatrail.models.offline.generator import generate
from ideatrail.models.protocol import Answer, Request


class OfflineModel:
    """Answers by rules: structured answers as the Advisor side, messages as the Generator.

    It has no tokens of its own, so its usage stays unknown; it costs nothing.
    """

    name = "offline"

    async def answer(self, request: Request) -> Answer:
        """Answer at once; nothing is awaited and nothing is remembered."""
        answer = advise(request) if request.answer_schema is not None else generate(request)
        return replace(answer, cost=0.0)
