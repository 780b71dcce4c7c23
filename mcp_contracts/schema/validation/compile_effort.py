"""How much work a schema asks of jsonschema-rs while it is compiled, where that multiplies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.applicable import EVERY, Keywords, in_place
from mcp_contracts.schema.vocabulary import UNEVALUATED
from mcp_contracts.schema.walk import SchemaNode

# Measured: for each `unevaluatedProperties` and `unevaluatedItems` jsonschema-rs compiles all branches that apply in
# place once more, references written out and the same one again and again: 1,000,000 of them take 5 s and 2 GB. In a
# thread of half a megabyte 300 levels overflow the stack, which ends the process.
MOST_BRANCHES = 50_000
"""How many branches all `unevaluated…` of a schema may have, with references written out."""
MOST_LEVELS = 100
"""How deep branches may nest in each other below an `unevaluated…`, with references written out."""

_MEASURED = ("contains", *UNEVALUATED)
_FOLLOWED: Keywords = {name: holding for name, holding in EVERY.items() if name != "dependencies"}


class _TooManyError(Exception):
    pass


def is_too_large_to_compile(nodes: tuple[SchemaNode, ...], targets: Mapping[int, JsonValue]) -> bool:
    """Whether the `unevaluated…` of a schema have too many branches to compile them.

    `targets` holds what each subschema's reference leads to, by the subschema's identity. A branch counts once for each
    way that leads to it, as it is compiled once for each.
    """
    count = 0

    def visit(node: JsonValue, way: tuple[int, ...]) -> None:
        nonlocal count
        if not isinstance(node, dict) or id(node) in way:
            return
        count += 1
        if count > MOST_BRANCHES or len(way) > MOST_LEVELS:
            raise _TooManyError
        below = (*way, id(node))
        for branch in _branches(node, targets):
            visit(branch, below)

    try:
        for node in nodes:
            if any(isinstance(node.value.get(keyword), dict | bool) for keyword in UNEVALUATED):
                visit(node.value, ())
    except _TooManyError:
        return True
    return False


def _branches(node: Mapping[str, JsonValue], targets: Mapping[int, JsonValue]) -> Iterator[JsonValue]:
    yield targets.get(id(node))
    for branch in in_place(node, _FOLLOWED, idle=True):
        yield branch.schema
    for keyword in _MEASURED:
        yield node.get(keyword)
