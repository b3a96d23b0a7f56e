"""A model that answers through another one and keeps every request: for tests of the wall."""

from __future__ import annotations

from ideatrail.models.protocol import Answer, ChatModel, Request


class Recording:
    """Passes requests on and keeps them."""

    def __init__(self, inner: ChatModel) -> None:
        self.inner = inner
        self.name = inner.name
        self.requests: list[Request] = []

    async def answer(self, request: Request) -> Answer:
        self.requests.append(request)
        return await self.inner.answer(request)
