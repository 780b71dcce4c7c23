"""The check that a Python value consists of the types of JSON."""

from __future__ import annotations

import math
import reprlib
from enum import Enum
from typing import NamedTuple

from mcp_contracts.errors import UsageError

MAXIMUM_DEPTH = 128
"""The maximum number of levels of a value that a file may contain as well."""

_MAXIMUM_BITS = 14_280  # Python refuses to write more than 4,300 digits, which take slightly more bits
_NOT_JSON = "which JSON cannot represent"
_PLAIN = "use the types of JSON: `None`, `bool`, `int`, `float`, `str`, `list` and `dict`"
_HINTS = {
    "bytes": "decode it to a string",
    "Decimal": "write it as a number or as a string",
    "complex": "write it as a string",
    **dict.fromkeys(("tuple", "set", "frozenset", "range"), "write it as a list"),
    **dict.fromkeys(("date", "datetime", "time"), "write it as a string, such as the result of `isoformat()`"),
}
_Path = tuple["_Path", str] | None


class Misfit(NamedTuple):
    """A part of a value that JSON does not have: its place, what it is, what is wrong with it, and what to do."""

    pointer: str
    what: str
    why: str
    hint: str


def check_json(value: object, name: str) -> None:
    """Raise UsageError, with the JSON pointer of the place, if a part of a value has no type of JSON.

    Values that are nested too deeply, or that contain themselves, are refused as well.
    """
    if _is_too_deep(value):
        message = f"{name} is nested more than {MAXIMUM_DEPTH} levels deep, or contains itself"
        raise UsageError(message, hint="use `$defs` and `$ref` for schemas that contain themselves")
    found = find_misfit(value)
    if found is not None:
        where = f"at `{found.pointer}`" if found.pointer else "at the root"
        raise UsageError(f"{name} has {found.what} {where}, {found.why}", hint=found.hint)


def find_misfit(value: object) -> Misfit | None:
    """Return the first part of a value that has no type of JSON, in the order of the text; None if there is none."""
    pending: list[tuple[object, _Path]] = [(value, None)]
    seen = set()
    while pending:
        item, path = pending.pop()
        if isinstance(item, dict | list):
            if id(item) in seen:
                continue
            seen.add(id(item))
        if isinstance(item, dict):
            for key in item:
                if not isinstance(key, str):
                    what = f"the key `{reprlib.repr(key)}`"
                    return Misfit(_pointer(path), what, "which is not a string", "JSON requires strings as keys")
            pending.extend((member, (path, key)) for key, member in reversed(item.items()))
        elif isinstance(item, list):
            pending.extend((item[index], (path, str(index))) for index in reversed(range(len(item))))
        elif isinstance(item, float):
            if not math.isfinite(item):
                what, hint = "a number that is not finite", "write a finite number, or leave it out"
                return Misfit(_pointer(path), what, _NOT_JSON, hint)
        elif isinstance(item, int):
            if item.bit_length() > _MAXIMUM_BITS:
                return Misfit(_pointer(path), "a number", "which has too many digits", "write a smaller number")
        elif not isinstance(item, str | None):
            kind = type(item).__name__
            what = f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} `{kind}`"
            return Misfit(_pointer(path), what, _NOT_JSON, _hint(item))
    return None


def _is_too_deep(value: object) -> bool:
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(MAXIMUM_DEPTH):
        distinct = {id(item): item for item in level}.values()
        members = (item.values() if isinstance(item, dict) else item for item in distinct)
        level = [member for group in members for member in group if isinstance(member, dict | list)]
        if not level:
            return False
    return True


def _hint(item: object) -> str:
    return "write its `value`" if isinstance(item, Enum) else _HINTS.get(type(item).__name__, _PLAIN)


def _pointer(path: _Path) -> str:
    tokens: list[str] = []
    while path is not None:
        path, token = path
        tokens.append(f"/{token.replace('~', '~0').replace('/', '~1')}")
    return "".join(reversed(tokens))
