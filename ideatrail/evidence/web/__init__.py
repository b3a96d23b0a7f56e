"""Answers from the web, fetched so that no server can do harm with them."""
