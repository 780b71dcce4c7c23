"""Values of other people that no message can hold, as text."""

from __future__ import annotations

import json


def as_text(value: object) -> str:
    """A value as text that any message can hold: text as it is, anything else as JSON as far as that goes."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    try:
        return json.dumps(value, default=str)
    except (ValueError, RecursionError):
        return "a value that cannot be written"
