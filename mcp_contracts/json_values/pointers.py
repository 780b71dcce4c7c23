"""JSON pointers (RFC 6901)."""

from __future__ import annotations

from collections.abc import Container


def escape(token: str) -> str:
    """Escape a key as a token of a JSON pointer (RFC 6901)."""
    return token.replace("~", "~0").replace("/", "~1") if "~" in token or "/" in token else token


def unescape(token: str) -> str:
    """Return the key that a token of a JSON pointer stands for."""
    return token.replace("~1", "/").replace("~0", "~")


def enclosing(pointer: str, known: Container[str]) -> str:
    """Return the closest of some JSON pointers that leads to a pointer, or that to the whole value."""
    while pointer and pointer not in known:
        pointer = pointer.rpartition("/")[0]
    return pointer
