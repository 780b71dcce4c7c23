"""Says in a microsecond or two that a value is surely right, where `validators` takes ten to be sure of everything."""

from __future__ import annotations

import marshal
from collections.abc import Callable

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema import effort
from mcp_contracts.schema.validation.closed import closed
from mcp_contracts.schema.validation.compiled import Compiled
from mcp_contracts.schema.validation.validators import ROOM, compile_schema

_CLOSED_LEVELS = 22  # of a closed schema, and of what it lists
_SMALL = 4_000  # bytes, in which no number is too long to be written


def quick_check(compiled: Compiled, room: int = ROOM, levels: int = 100) -> Callable[[JsonValue], bool]:
    """A function that tells in a few microseconds whether a schema surely accepts a value, an object of plain JSON.

    False says nothing: `instance_errors` knows. True says as well that any reader and writer of JSON can hold the
    value: no number out of a double's reach, no lone surrogate, at most `levels` levels, and at most `room` values and
    characters together.
    """
    validator = compiled.validator
    if validator is None or compiled.room == 0:
        return _unsure
    is_valid, is_plain, room = validator.is_valid, effort.is_plain, min(room, compiled.room)
    needs_ascii = compiled.means_ascii

    def surely_accepts(value: JsonValue) -> bool:
        if type(value) is not dict or not is_plain(value, room, levels, needs_ascii=needs_ascii):
            return False
        try:
            return is_valid(value)
        except ValueError:
            return False

    # A pattern takes time by the length of a text, which is not known yet where the closed schema judges.
    strict = None if compiled.states else closed(compiled.schema)
    by_strict = None if strict is None else compile_schema(strict.schema).validator
    if strict is None or by_strict is None or levels < _CLOSED_LEVELS:
        return surely_accepts
    is_surely_valid, arrays, most = by_strict.is_valid, strict.arrays, min(room, _SMALL)

    def looks_at_all(value: JsonValue) -> bool:
        # Nothing hides from the closed schema but tuples for arrays, lone surrogates, and how large a value is. The
        # last two show in its bytes, which are more than its values and characters; a number may look like a surrogate.
        if type(value) is dict:
            for name in arrays:
                if type(value.get(name, _LIST)) is not list:
                    return surely_accepts(value)
            try:
                if is_surely_valid(value):
                    content = marshal.dumps(value, 2)
                    if len(content) <= most and b"\xed" not in content:
                        return True
            except ValueError:  # not of plain types
                pass
        return surely_accepts(value)

    return looks_at_all


_LIST: list[JsonValue] = []


def _unsure(value: JsonValue) -> bool:
    return False
