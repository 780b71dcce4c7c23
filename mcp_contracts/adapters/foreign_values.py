"""Convert external values that no message can represent to text."""

from __future__ import annotations

import json

from mcp_contracts.schema.wording import writable

_WHOLE = "the value "


def as_text(value: object) -> str:
    """Convert a value to text for a message: text unchanged (escaped if needed), anything else as JSON if possible."""
    if isinstance(value, str):
        return writable(value)
    try:
        return json.dumps(value, default=str)
    except (ValueError, RecursionError):
        return "a value that cannot be written"


def json_fault(error: ValueError, what: str) -> str:
    """Rephrase an error of `json_value` for a message; `what` names the value (a singular noun)."""
    text = str(error)
    is_whole = text.startswith(_WHOLE)
    return f"{what} {text.removeprefix(_WHOLE)}" if is_whole else f"{what} cannot be written: {text}"
