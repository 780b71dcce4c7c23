"""Every subschema of a JSON Schema, with its pointer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.vocabulary import Effect, Keyword, rows

Role = Literal["root", "property", "items", "definition", "branch", "other"]


class SchemaNode(NamedTuple):
    """An object-valued subschema. `pointer` leads to it from the root; `name` is the property's or definition's name.

    `role`: the root itself, a value of `properties`, what arrays hold (`items`, `prefixItems`, …), a definition under
    `$defs` or `definitions`, a branch (`allOf`, `anyOf`, `oneOf`, `not`, `if`, `then`, `else`), or any other keyword's.
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
"""Keywords that hold subschemas by name, with their role."""

LISTS: Mapping[str, Role] = {row.name: _role(row) for row in _ROWS if row.holds == ("list",)}
"""Keywords that hold a list of subschemas."""

SINGLE: Mapping[str, Role] = {row.name: _role(row) for row in _ROWS if "one" in row.holds}
"""Keywords that hold one subschema; in draft-07 `items` may hold a list, and any of them a boolean."""

_HOLDING = frozenset((*MAPS, *LISTS, *SINGLE))


def subschemas(schema: JsonValue) -> tuple[SchemaNode, ...]:
    """All subschemas that are objects, the root first, in document order.

    Values of `enum`, `const`, `default` and `examples` are data and are not entered. Iterative, so that no depth of
    nesting can exhaust the stack.
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


def is_within(pointer: str, outer: str) -> bool:
    """Whether a JSON pointer leads to what another one does, or into it."""
    return pointer == outer or pointer.startswith(f"{outer}/")


def escape(token: str) -> str:
    """A key as a token of a JSON pointer (RFC 6901)."""
    return token.replace("~", "~0").replace("/", "~1") if "~" in token or "/" in token else token


def _children(node: SchemaNode) -> Iterator[SchemaNode]:
    for keyword, value in node.value.items():
        if isinstance(value, dict):
            if keyword in MAPS:
                role = MAPS[keyword]
                base = f"{node.pointer}/{keyword}"
                for name, child in value.items():
                    if isinstance(child, dict):
                        yield SchemaNode(f"{base}/{escape(name)}", child, role, name)
            elif keyword in SINGLE:
                yield SchemaNode(f"{node.pointer}/{keyword}", value, SINGLE[keyword])
        elif isinstance(value, list) and (keyword in LISTS or keyword == "items"):
            for index, child in enumerate(value):
                if isinstance(child, dict):
                    yield SchemaNode(f"{node.pointer}/{keyword}/{index}", child, LISTS.get(keyword, "items"))
