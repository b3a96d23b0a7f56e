"""The terminal: one command group a file."""
