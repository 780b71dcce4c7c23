"""Every subschema of a JSON Schema, with its pointer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal

from mcp_contracts.contract import JsonValue
from mcp_contracts.records import NamedTuple
from mcp_contracts.schema.identity import Same
from mcp_contracts.schema.vocabulary import Effect, Keyword, rows

Role = Literal["root", "property", "items", "definition", "branch", "other"]


class SchemaNode(NamedTuple):
    """A subschema that is an object, with its pointer from the root; `name` is the name of the property or definition.

    `role` is `root`, `property` (a value of `properties`), `items` (a schema of array items), `definition` (a value of
    `$defs` or `definitions`), `branch` (of `allOf`, `anyOf`, `oneOf`, `not`, `if`, `then`, `else`), or `other`.
    """

    pointer: str
    value: dict[str, JsonValue]
    role: Role
    name: str | None = None


def _role(row: Keyword) -> Role:
    if row.effect is Effect.NAMES:
        return "definition"
    if row.effect is Effect.INSIDE:
        return "property" if row.name == "properties" else "items" if "array" in row.types else "other"
    return "other" if "map" in row.holds else "branch"


_ROWS = tuple(row for row in rows(Effect.NAMES, Effect.IN_PLACE, Effect.INSIDE) if row.holds)

MAPS: Mapping[str, Role] = {row.name: _role(row) for row in _ROWS if "map" in row.holds}
"""Keywords that contain subschemas by name, with their role."""

LISTS: Mapping[str, Role] = {row.name: _role(row) for row in _ROWS if row.holds == ("list",)}
"""Keywords that contain a list of subschemas."""

SINGLE: Mapping[str, Role] = {row.name: _role(row) for row in _ROWS if "one" in row.holds}
"""Keywords that contain one subschema; in draft-07 `items` may be a list, and each may be a boolean."""

_HOLDING = frozenset((*MAPS, *LISTS, *SINGLE))


def subschemas(schema: JsonValue) -> tuple[SchemaNode, ...]:
    """Return all subschemas that are objects, the root first, in document order.

    Values of `enum`, `const`, `default` and `examples` are data and are not searched. The walk is iterative, so that
    deep nesting cannot exhaust the stack.
    """
    if not isinstance(schema, dict):
        return ()
    found = []
    stack = [SchemaNode("", schema, "root")]
    while stack:
        node = stack.pop()
        found.append(node)
        if not _HOLDING.isdisjoint(node.value):
            children = list(_children(node))
            children.reverse()
            stack += children
    return tuple(found)


@lru_cache(maxsize=16)
def _of_same(schema: Same[JsonValue]) -> tuple[SchemaNode, ...]:
    return subschemas(schema.thing)


def shared_subschemas(schema: JsonValue) -> tuple[SchemaNode, ...]:
    """Like `subschemas`, but cached by identity, for a schema that is never modified, such as a contract's."""
    return _of_same(Same(schema))


def is_within(pointer: str, outer: str) -> bool:
    """Whether a JSON pointer equals another one or leads into it."""
    return pointer == outer or pointer.startswith(f"{outer}/")


def _children(node: SchemaNode) -> Iterator[SchemaNode]:
    pointer = node.pointer
    for keyword, value in node.value.items():
        if keyword not in _HOLDING:
            continue
        if isinstance(value, dict):
            if keyword in MAPS:
                role = MAPS[keyword]
                base = f"{pointer}/{keyword}"
                for name, child in value.items():
                    if isinstance(child, dict):
                        yield SchemaNode(f"{base}/{escape(name)}", child, role, name)
            elif keyword in SINGLE:
                yield SchemaNode(f"{pointer}/{keyword}", value, SINGLE[keyword])
        elif isinstance(value, list) and (keyword in LISTS or keyword == "items"):
            for index, child in enumerate(value):
                if isinstance(child, dict):
                    yield SchemaNode(f"{pointer}/{keyword}/{index}", child, LISTS.get(keyword, "items"))


def escape(token: str) -> str:
    """Escape a key as a token of a JSON pointer (RFC 6901)."""
    return token.replace("~", "~0").replace("/", "~1") if "~" in token or "/" in token else token
