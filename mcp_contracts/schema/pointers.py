"""JSON pointers."""

from __future__ import annotations


def escape(token: str) -> str:
    """Escape a key as a token of a JSON pointer (RFC 6901)."""
    return token.replace("~", "~0").replace("/", "~1") if "~" in token or "/" in token else token
