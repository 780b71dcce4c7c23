"""Reading JSON text strictly: no repeated keys, no NaN or infinity, no numbers or levels that cannot be written."""

from __future__ import annotations

import json
import math
from typing import Any

MAXIMUM_DEPTH = 100
"""The maximum number of levels of a value. A whole message then has less than 128, the limit of many JSON readers."""
TOO_DEEP = f"the JSON is nested more than {MAXIMUM_DEPTH} levels deep"


def read_json(text: str | bytes) -> Any:
    """Parse JSON text, or its bytes in UTF-8.

    Raises ValueError if the text is not valid JSON, repeats a key, contains NaN, infinity or a number that is too
    large, or is nested too deeply.
    """
    try:
        text = text.decode("utf-8") if isinstance(text, bytes) else text
        return json.loads(
            text,
            object_pairs_hook=_object_of_distinct_keys,
            parse_float=_finite,
            parse_constant=_refuse_constant,
        )
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error
    except ValueError as error:
        if "set_int_max_str_digits" not in str(error):
            raise
        raise ValueError("a number is too long to be read") from error


def describe_fault(error: ValueError) -> str:
    """Return what is wrong with a text that `read_json` refuses, to follow "is" or "are"."""
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8"
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON: {error.msg.lower()} (line {error.lineno}, column {error.colno})"
    return f"unreadable: {error}"


def _object_of_distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError("a key appears twice in one object")  # the key may be a secret
        result[key] = value
    return result


def _finite(text: str) -> float:
    number = float(text)
    if math.isfinite(number):
        return number
    raise ValueError("a number is too large (the maximum is 1.8e308)")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"`{name}` is not valid JSON")
