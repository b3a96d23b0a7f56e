"""The nodes of the state machine, one a file. A node reads its projection and names its exits."""
