"""Chat models behind one protocol: the offline engine and the adapters to real endpoints."""
