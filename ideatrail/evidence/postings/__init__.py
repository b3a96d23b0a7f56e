"""Large corpora: immutable segments of papers on disk, and postings in the order of admission."""
