"""The grammar engine of llama.cpp as a second judge of GBNF: whether a text is rejected, incomplete or complete.

`python -m tests.llama_engine.build SDIST LIBRARY` builds it from the sources of `llama-cpp-python` in a minute, and
`MCP_CONTRACTS_LLAMA_ENGINE` names the library. It reads the grammar as `llama-server --grammar-file` does.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache

LIBRARY = os.environ.get("MCP_CONTRACTS_LLAMA_ENGINE")

_COMPLETE = 2


class LlamaGrammar:
    """A grammar as llama.cpp reads it."""

    def __init__(self, text: str) -> None:
        self._engine = _load_engine()
        self._opened = self._engine.engine_open(text.encode())
        assert self._opened, "llama.cpp refuses the grammar"

    def __del__(self) -> None:
        if getattr(self, "_opened", None):
            self._engine.engine_close(self._opened)

    def takes(self, text: str | bytes) -> bool:
        """Whether the grammar permits a text."""
        return self._read(text) == _COMPLETE

    def begins(self, text: str) -> bool:
        """Whether a text is the beginning of a text that the grammar permits, but not a complete one."""
        return self._read(text) == 1

    def _read(self, text: str | bytes) -> int:
        written = text.encode() if isinstance(text, str) else text
        return int(self._engine.engine_read(self._opened, written, len(written)))


@cache
def _load_engine() -> ctypes.CDLL:
    assert LIBRARY
    engine = ctypes.CDLL(LIBRARY)
    engine.engine_open.restype = ctypes.c_void_p
    engine.engine_open.argtypes = [ctypes.c_char_p]
    engine.engine_close.argtypes = [ctypes.c_void_p]
    engine.engine_read.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    return engine
