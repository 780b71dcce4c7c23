"""Accept common values in one or two microseconds; `validators` takes ten to decide every value."""

from __future__ import annotations

import marshal
from collections.abc import Callable

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema import effort
from mcp_contracts.schema.validation.closed import close_schema
from mcp_contracts.schema.validation.compiled import CompiledSchema
from mcp_contracts.schema.validation.validators import ROOM, compile_schema

_CLOSED_LEVELS = 22  # of a closed schema, including its `enum` values
_SMALL = 4_000  # bytes, which leaves no space for a number that is too long to be written


def quick_check(compiled: CompiledSchema, room: int = ROOM, levels: int = 100) -> Callable[[JsonValue], bool]:
    """Return a function that decides in a few microseconds whether a schema definitely accepts an object of plain JSON.

    False proves nothing: `instance_errors` decides. True also guarantees that every JSON reader and writer can
    represent the value: no number beyond a double, no lone surrogate, at most `levels` levels, and at most `room`
    values and characters in total.
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

    # The time of a pattern depends on the length of the text, which is unknown when the closed schema is evaluated.
    strict = None if compiled.states else close_schema(compiled.schema)
    by_strict = None if strict is None else compile_schema(strict.schema).validator
    if strict is None or by_strict is None or levels < _CLOSED_LEVELS:
        return surely_accepts
    is_surely_valid, arrays, most = by_strict.is_valid, strict.arrays, min(room, _SMALL)

    def looks_at_all(value: JsonValue) -> bool:
        # The closed schema checks everything except tuples instead of arrays, lone surrogates, and the size of a value.
        # The last two show in its bytes, which outnumber its values and characters; a number may look like a surrogate.
        if type(value) is dict:
            for name in arrays:
                if type(value.get(name, _LIST)) is not list:
                    return surely_accepts(value)
            try:
                if is_surely_valid(value):
                    content = marshal.dumps(value, 2)
                    if len(content) <= most and b"\xed" not in content:
                        return True
            except ValueError:  # not only plain types
                pass
        return surely_accepts(value)

    return looks_at_all


_LIST: list[JsonValue] = []


def _unsure(value: JsonValue) -> bool:
    return False
