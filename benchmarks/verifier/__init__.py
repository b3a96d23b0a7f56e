"""How far the verifier can be trusted: every fault, put into clean trails one at a time."""
