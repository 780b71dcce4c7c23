"""Compile a schema without its invalid parts, so that one mistake does not prevent the validation of values."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape, unescape
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.effort import patterns_in
from mcp_contracts.schema.identity import Same
from mcp_contracts.schema.references import ReferenceState, follow, references, standalone
from mcp_contracts.schema.validation.compiled import CompiledSchema, RefusalKind
from mcp_contracts.schema.validation.validators import (
    compile_schema,
    compile_shared,
    schema_errors,
    uncheckable_patterns,
)
from mcp_contracts.schema.vocabulary import REFERENCES
from mcp_contracts.schema.walk import LISTS, MAPS, SINGLE, subschemas

_MOST_ROUNDS = 6
"""Each round removes all faults found; a reference to a removed schema is found in the next round."""

_DRAFT = re.compile(r"https?://json-schema\.org/")
_DRAFT_7 = "http://json-schema.org/draft-07/schema#"
_BESIDE_A_REFERENCE = frozenset(("$ref", "$schema", "$defs", "definitions"))

_NEIGHBORS = {
    "properties": ("additionalProperties",),
    "patternProperties": ("additionalProperties",),
    "prefixItems": ("items",),
    "items": ("additionalItems",),
    "minContains": ("contains", "maxContains"),
}
"""Keywords that reject more values if another one is removed."""


def compile_lenient(schema: JsonValue, pointer: str = "") -> CompiledSchema:
    """Compile a schema, or its subschema at `pointer`, without the keywords that prevent compilation.

    The result accepts every value that the whole schema would accept: a keyword that cannot be read is removed, and
    with it keywords that would reject more without it. Other drafts of JSON Schema are read as draft-07, whose keywords
    they share; other dialects are rejected.
    """
    whole = compile_schema(schema, pointer) if pointer else compile_shared(schema)
    if whole.refusal is None or whole.refusal.kind is RefusalKind.TOO_LARGE:
        return whole
    return _compile_rest(Same(schema), pointer)


@lru_cache(maxsize=64)
def _compile_rest(same: Same[JsonValue], pointer: str) -> CompiledSchema:
    schema = same.thing
    if isinstance(schema, dict) and _DRAFT.match(str(schema.get("$schema"))) and dialect_of(schema) is None:
        schema = {**schema, "$schema": _DRAFT_7}
    if dialect_of(schema) is None:
        return compile_schema(schema)
    if pointer:
        schema = standalone(schema, pointer, is_draft_7=dialect_of(schema) is Dialect.DRAFT_7)
    rest = copy.deepcopy(schema) if isinstance(schema, dict | bool) else True
    for _ in range(_MOST_ROUNDS):
        compiled = compile_schema(rest)
        if compiled.refusal is None or not isinstance(rest, dict):
            return compiled
        pointers = list(_faults(rest))
        if not pointers:
            return compiled
        _take_out(rest, pointers)
    return compile_schema(rest)


def _faults(schema: dict[str, JsonValue]) -> Iterator[str]:
    """Yield pointers to the parts that prevent a schema from compiling."""
    yield from (error.pointer for error in schema_errors(schema))
    nodes = subschemas(schema)
    yield from (found.pointer for found in references(schema, nodes) if found.state is not ReferenceState.LOCAL)
    yield from (pattern.pointer for pattern in uncheckable_patterns(patterns_in(nodes)))


def _take_out(schema: dict[str, JsonValue], pointers: Iterable[str]) -> None:
    is_structural = False
    if dialect_of(schema) is Dialect.DRAFT_7:
        for node in subschemas(schema):
            if "$ref" in node.value:  # it hides its sibling keywords, and must do so when it is removed
                for keyword in node.value.keys() - _BESIDE_A_REFERENCE:
                    del node.value[keyword]
    for pointer in pointers:
        is_structural |= _take_out_one(schema, pointer.split("/")[1:])
    for node in subschemas(schema):
        if is_structural:  # unevaluated keywords depend on all the others
            node.value.pop("unevaluatedProperties", None)
            node.value.pop("unevaluatedItems", None)
        # A weakened schema may be referenced below a keyword that reverses it, where weaker becomes stronger.
        for keyword in [keyword for keyword in node.value if _reverses(node.value, keyword)]:
            if _refers(node.value[keyword]):
                _loosen(node.value, keyword)


def _take_out_one(schema: dict[str, JsonValue], tokens: list[str]) -> bool:
    """Remove the keyword that a pointer leads to or into, and return whether others may depend on it."""
    node = schema
    while tokens:
        keyword, *rest = map(unescape, tokens)
        if keyword not in node:
            return False  # removed with another one
        child, depth = _child(node[keyword], keyword, rest)
        if not isinstance(child, dict) or len(tokens) <= depth or not _holds_subschema(node[keyword], keyword):
            return _remove_keyword(node, keyword, rest)
        if _reverses(node, keyword):
            _loosen(node, keyword)
            return True
        node, tokens = child, tokens[depth:]
    return False


def _holds_subschema(value: JsonValue, keyword: str) -> bool:
    return (
        (keyword in MAPS and isinstance(value, dict))
        or (keyword in (*LISTS, "items") and isinstance(value, list))
        or (keyword in SINGLE and isinstance(value, dict))
    )


def _child(value: JsonValue, keyword: str, rest: list[str]) -> tuple[JsonValue, int]:
    """Return the subschema of a keyword that a pointer leads into, and the number of tokens that lead there."""
    if keyword in SINGLE and isinstance(value, dict):
        return value, 1
    return (follow(value, f"/{escape(rest[0])}"), 2) if rest else (None, 1)


def _remove_keyword(node: dict[str, JsonValue], keyword: str, rest: list[str]) -> bool:
    held = node[keyword]
    if rest and keyword == "properties" and isinstance(held, dict) and rest[0] in held:
        held[rest[0]] = True  # keep the name declared
        return False
    del node[keyword]
    for neighbor in _NEIGHBORS.get(keyword, ()):
        node.pop(neighbor, None)
    return keyword in MAPS or keyword in LISTS or keyword in SINGLE or keyword in REFERENCES


def _reverses(node: dict[str, JsonValue], keyword: str) -> bool:
    """Whether a keyword rejects more values if its subschema rejects fewer."""
    return keyword in ("not", "if", "oneOf") or (keyword == "contains" and "maxContains" in node)


def _refers(value: JsonValue) -> bool:
    return any(references(item) for item in (value if isinstance(value, list) else (value,)))


def _loosen(node: dict[str, JsonValue], keyword: str) -> None:
    """Weaken a keyword whose subschemas were weakened, so that it does not reject more values than before."""
    if keyword == "oneOf" and "anyOf" not in node:
        node["anyOf"] = node.pop("oneOf")
    elif keyword == "contains":
        del node["maxContains"]
    else:
        del node[keyword]
