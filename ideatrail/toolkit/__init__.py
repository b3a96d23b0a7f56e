"""The seven tools over a workspace and the evidence world: everything the Generator can do.

A tool that will not do what it is asked says so in its result; only the machine's own failures
(a full disk, a folder that cannot be written) are exceptions.
"""
