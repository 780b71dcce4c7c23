"""The words and the unusual characters of text, which quickly show whether it must be searched."""

from __future__ import annotations

from functools import lru_cache

from mcp_contracts.records import dataclass

_ORDINARY = bytes(range(0x20, 0x7F)) + b"\t\n\f\r"
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
FOLDED = bytes(ord(chr(code).lower()) if code in _WORD else 0x20 for code in range(256))
"""A table for `bytes.translate`: words in lowercase, and spaces for everything else."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The facts that decide whether text must be searched. `words` are its distinct runs of ASCII letters, digits and
    underscores in lowercase; `unusual` are its control characters and those outside ASCII.
    """

    words: frozenset[bytes]
    unusual: str


@lru_cache(maxsize=2)
def summary(text: str) -> Summary:
    """Return the summary of text; cached, because three rules need it."""
    data = text.encode("utf-8", "surrogatepass")
    if b"\\" in data:
        data = data.replace(b"\\n", b"\n").replace(b"\\t", b"\t").replace(b"\\r", b"\r")
    return Summary(frozenset(data.translate(FOLDED).split()), unusual_characters(text))


def unusual_characters(text: str) -> str:
    """Return the control characters of text, and those outside ASCII."""
    return text.encode("utf-8", "surrogatepass").translate(None, _ORDINARY).decode("utf-8", "surrogatepass")
