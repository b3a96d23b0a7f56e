"""Researcher portraits: what a researcher's earlier papers tell of how they work."""
