"""The released record: its schema, how one is made, written and read (contract, "The record")."""

from ideatrail.records.reader import read

__all__ = ["read"]
