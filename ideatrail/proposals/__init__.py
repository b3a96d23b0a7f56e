"""From a file that people really have to a seed: only what stands there, never filled in."""
