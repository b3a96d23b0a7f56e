"""The offline model: an engine behind the chat-model protocol that needs no key and no network."""
