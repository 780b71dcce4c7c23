"""Decide without compiling, for most schemas and examples, that a schema compiles and that it accepts a value.

Compiling takes half a millisecond, as long as reading a tool. `validators` decides everything that is not certain here.
"""

from __future__ import annotations

import marshal

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.dialects import dialect_of
from mcp_contracts.schema.effort import is_plain, patterns_in, states_of
from mcp_contracts.schema.identity import cached_by_identity
from mcp_contracts.schema.references import ReferenceState, shared_references
from mcp_contracts.schema.validation.meta import is_surely_valid
from mcp_contracts.schema.validation.plain_validator import UnclearError, plainly_accepts
from mcp_contracts.schema.walk import shared_subschemas

_LONGEST = 50_000  # bytes of a schema
_ROOM = 1_000  # values and characters of a value
_LEVELS = 20
_STATES = 4_000  # states of all patterns of a schema, which leaves time for all characters of a value
_ELSEWHERE = (
    b"$id",
    b"$anchor",
    b"$dynamic",
    b"$recursive",
    b"$vocabulary",
    b"nevaluated",
    b"content",
    b"patternProp",
    b"\xed",
)
"""Parts that may prevent a valid schema from compiling: other bases, costly keywords, and lone surrogates."""
_INFINITE = (b"\xf0\x7f", b"\xf0\xff", b"\xf8\x7f", b"\xf8\xff")
"""The last bytes of a double that is infinite or not a number."""


@cached_by_identity(64)
def surely_compiles(schema: JsonValue) -> bool:
    """Whether `compile_shared` is known to compile a schema, which must never be modified; cached by identity."""
    if not isinstance(schema, dict):
        return False
    try:
        key = marshal.dumps(schema, 2)
    except ValueError:
        return False
    if len(key) > _LONGEST or key.count(b"$schema") != ("$schema" in schema):
        return False
    if any(map(key.__contains__, _ELSEWHERE)) or (b"g" in key and any(map(key.__contains__, _INFINITE))):
        return False
    if not (is_surely_valid(schema) and dialect_of(schema)):
        from mcp_contracts.schema.validation.validators import is_valid_under_meta_schema  # most are known to be valid

        if not is_valid_under_meta_schema(schema):
            return False
    if b"$ref" in key and any(
        one.state is not ReferenceState.LOCAL or not one.text.startswith("#") for one in shared_references(schema)
    ):
        return False
    if b"pattern" not in key:
        return True
    from mcp_contracts.schema.validation.validators import compiles_pattern  # as above

    patterns = {one.text for one in patterns_in(shared_subschemas(schema))}
    return sum(states_of(text)[1] for text in patterns) <= _STATES and all(map(compiles_pattern, patterns))


def compiles(schema: JsonValue) -> bool:
    """Whether a schema, which must never be modified, compiles."""
    if surely_compiles(schema):
        return True
    from mcp_contracts.schema.validation.validators import compile_shared  # as above

    return compile_shared(schema).refusal is None


def surely_accepts(schema: JsonValue, value: JsonValue) -> bool:
    """Whether the validator of a schema, which must never be modified, is known to accept an object or array."""
    return (
        isinstance(value, dict | list)
        and is_plain(value, _ROOM, _LEVELS, needs_ascii=True)
        and surely_compiles(schema)
        and plainly_accepts(schema, value, matches=_matches) is True
    )


def _matches(pattern: str, text: str) -> bool:
    from mcp_contracts.schema.validation.validators import accepts, compile_schema  # as above

    is_match = accepts(compile_schema({"pattern": pattern}), text)
    if is_match is None:
        raise UnclearError
    return is_match
