"""The verifier: one check a file, deterministic rules first; tiers, grade and metrics beside it."""
