"""Every subschema of a JSON Schema, with its pointer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, TypeVar

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import NamedTuple
from mcp_contracts.schema.identity import cached_by_identity
from mcp_contracts.schema.vocabulary import Effect, Keyword, rows

T = TypeVar("T", bound=Hashable)
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
        held = _HOLDING.intersection(node.value)
        if held:
            keywords = held if len(held) == 1 else [keyword for keyword in node.value if keyword in held]
            stack += reversed([child for keyword in keywords for child in _children(node, keyword)])
    return tuple(found)


_SHARED = 64

_shared = cached_by_identity(_SHARED)(subschemas)


def shared_subschemas(schema: JsonValue) -> tuple[SchemaNode, ...]:
    """Return the subschemas of a schema that is never modified, such as a contract's, cached by identity."""
    return _shared(schema)


@cached_by_identity(_SHARED)
def nodes_by_keyword(schema: JsonValue) -> Mapping[str, Sequence[SchemaNode]]:
    """Return the subschemas by keyword, in document order, for a schema that is never modified."""
    found: dict[str, list[SchemaNode]] = {}
    for node in shared_subschemas(schema):
        for keyword in node.value:
            if keyword in found:
                found[keyword].append(node)
            else:
                found[keyword] = [node]
    return found


def is_within(pointer: str, outer: str) -> bool:
    """Whether a JSON pointer equals another one or leads into it."""
    return pointer == outer or pointer.startswith(f"{outer}/")


def reach(starts: Iterable[T], step: Callable[[T], Iterable[T]]) -> Iterator[T]:
    """Yield some nodes of a graph and all nodes that are reachable from them, each once, depth first."""
    seen: set[T] = set()
    pending = list(starts)
    while pending:
        one = pending.pop()
        if one not in seen:
            seen.add(one)
            yield one
            pending.extend(step(one))


def _children(node: SchemaNode, keyword: str) -> Sequence[SchemaNode]:
    base = f"{node.pointer}/{keyword}"
    value = node.value[keyword]
    if isinstance(value, dict):
        if keyword in MAPS:
            role = MAPS[keyword]
            return [
                SchemaNode(f"{base}/{escape(name)}", child, role, name)
                for name, child in value.items()
                if isinstance(child, dict) and isinstance(name, str)
            ]
        return [SchemaNode(base, value, SINGLE[keyword])] if keyword in SINGLE else ()
    if isinstance(value, list) and (keyword in LISTS or keyword == "items"):
        role = LISTS.get(keyword, "items")
        return [
            SchemaNode(f"{base}/{index}", child, role) for index, child in enumerate(value) if isinstance(child, dict)
        ]
    return ()
