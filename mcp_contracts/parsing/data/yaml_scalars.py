"""Plain YAML scalars as YAML 1.2's core schema reads them."""

from __future__ import annotations

from mcp_contracts import lazy_re as re

_INTEGER = re.compile(r"[-+]?[0-9]{1,300}")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?")


def core_scalar(text: str) -> bool | int | float | str | None:
    """Return an unquoted scalar's value; `yes`, `2026-01-01` and numbers that JSON cannot represent are strings."""
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE"):
        return True
    if text in ("false", "False", "FALSE"):
        return False
    if _INTEGER.fullmatch(text):
        return int(text)
    if len(text) <= 300 and _NUMBER.fullmatch(text):
        number = float(text)
        return text if number in (float("inf"), float("-inf")) else number
    return text
