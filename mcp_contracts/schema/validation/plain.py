"""Decide without compiling what most schemas and examples need: that a schema compiles, and that it accepts a value.

Compiling takes half a millisecond, as long as reading a tool. `validators` decides whatever is not certain here.
"""

from __future__ import annotations

import marshal
from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.effort import is_plain, patterns_in, states_of
from mcp_contracts.schema.identity import Same
from mcp_contracts.schema.references import ReferenceState, pointed_at, shared_references
from mcp_contracts.schema.simple import DECIDED, WITHOUT_EFFECT, is_refused
from mcp_contracts.schema.validation.validators import (
    accepts,
    compile_schema,
    compiles_pattern,
    is_valid_under_meta_schema,
)
from mcp_contracts.schema.walk import shared_subschemas

_LONGEST = 50_000  # bytes of a schema
_ROOM = 1_000  # values and characters of a value
_LEVELS = 20
_STATES = 4_000  # of all patterns of a schema, which leaves time for all characters of a value
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
"""What may keep a valid schema from compiling: other bases, costly keywords, and lone surrogates."""
_INFINITE = (b"\xf0\x7f", b"\xf0\xff", b"\xf8\x7f", b"\xf8\xff")
"""How the bytes of a double end that is infinite or none."""


def surely_compiles(schema: JsonValue) -> bool:
    """Whether `compile_shared` certainly compiles a schema, which must never be modified; cached by identity."""
    return _surely_compiles(Same(schema))


@lru_cache(maxsize=64)
def _surely_compiles(same: Same[JsonValue]) -> bool:
    schema = same.thing
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
    if not is_valid_under_meta_schema(schema):
        return False
    if b"$ref" in key and any(
        one.state is not ReferenceState.LOCAL or not one.text.startswith("#") for one in shared_references(schema)
    ):
        return False
    patterns = {one.text for one in patterns_in(shared_subschemas(schema))} if b"pattern" in key else ()
    return sum(states_of(text)[1] for text in patterns) <= _STATES and all(map(compiles_pattern, patterns))


def surely_accepts(schema: JsonValue, value: JsonValue) -> bool:
    """Whether the validator of a schema, which must never be modified, certainly accepts an object or array."""
    return (
        isinstance(value, dict | list)
        and is_plain(value, _ROOM, _LEVELS, needs_ascii=True)
        and surely_compiles(schema)
        and _accepts(schema, value, schema, _LEVELS)
    )


def _accepts(schema: JsonValue, value: JsonValue, root: JsonValue, levels: int) -> bool:
    if schema is True:
        return True
    if not isinstance(schema, dict) or levels < 0:
        return False
    for keyword, asked in schema.items():
        if keyword in DECIDED:
            if is_refused(value, keyword, asked):
                return False
        elif keyword in ("properties", "required", "additionalProperties"):
            if isinstance(value, dict) and not _accepts_members(keyword, asked, schema, value, root, levels):
                return False
        elif keyword == "items":
            if isinstance(value, list) and not all(_accepts(asked, item, root, levels - 1) for item in value):
                return False
        elif keyword == "pattern":
            if isinstance(value, str) and accepts(compile_schema({"pattern": asked}), value) is not True:
                return False
        elif keyword == "$ref":
            target = pointed_at(root, asked[1:]) if isinstance(asked, str) and _PLAIN.fullmatch(asked) else None
            if target is None or not _accepts(target, value, root, levels - 1):
                return False
        elif keyword == "anyOf":
            if not isinstance(asked, list) or not any(_accepts(one, value, root, levels - 1) for one in asked):
                return False
        elif keyword not in WITHOUT_EFFECT and keyword != "$schema":
            return False
    return True


_PLAIN = re.compile(r"#(?:/[\w$.-]+)*", re.ASCII)


def _accepts_members(
    keyword: str,
    asked: JsonValue,
    schema: dict[str, JsonValue],
    value: dict[str, JsonValue],
    root: JsonValue,
    levels: int,
) -> bool:
    """Whether one keyword about the members of an object accepts them; what is no list or object was refused before."""
    if keyword == "required":
        return isinstance(asked, list) and all(name in value for name in asked)
    declared = schema.get("properties", {})
    if not isinstance(declared, dict):
        return False
    if keyword == "properties":
        return all(_accepts(declared[name], item, root, levels - 1) for name, item in value.items() if name in declared)
    return all(_accepts(asked, item, root, levels - 1) for name, item in value.items() if name not in declared)
