"""The values every part of the system speaks in: stages, turns, artifacts, oracle, verdicts.

Nothing here reads a file, calls a model or knows where a value came from.
"""
