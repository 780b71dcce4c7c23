"""Values of other people that no message can hold, as text."""

from __future__ import annotations

import json

_WHOLE = "the value "


def as_text(value: object) -> str:
    """A value as text that any message can hold: text as it is, anything else as JSON as far as that goes."""
    if isinstance(value, str):
        return writable(value)
    try:
        return json.dumps(value, default=str)
    except (ValueError, RecursionError):
        return "a value that cannot be written"


def writable(text: str) -> str:
    """Text that can be written: what UTF-8 cannot hold is escaped."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def json_fault(error: ValueError, what: str) -> str:
    """What `json_value` has against a value, said of `what` the value is (a noun in the singular)."""
    text = str(error)
    is_whole = text.startswith(_WHOLE)
    return f"{what} {text.removeprefix(_WHOLE)}" if is_whole else f"{what} cannot be written: {text}"
