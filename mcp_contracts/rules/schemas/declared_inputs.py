"""The declarations of an input schema: the possible and the required arguments of a call, with their pointers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from mcp_contracts.contract import JsonValue, SchemaPart
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import dataclass, field
from mcp_contracts.schema.applicable import POSSIBLE, Keywords, Located, Schema, applicable, in_place, stands_alone
from mcp_contracts.schema.identity import cached_by_identity
from mcp_contracts.schema.references import ReferenceState, shared_references
from mcp_contracts.schema.vocabulary import REFERENCES

MOST_NODES = 500
"""The maximum number of subschemas for the arguments that are read."""


@dataclass(slots=True)
class DeclaredInput:
    """The arguments of a tool.

    `pointers` has the declared names with the pointers of their schemas, `sole` the names with a single schema that
    applies to every call. `is_open` says that a pattern or a schema allows other names. `is_known` is False if the
    schema cannot be followed, so that it may declare more, and `is_cut` says that it is too large.
    """

    pointers: dict[str, list[str]] = field(default_factory=dict)
    sole: dict[str, str] = field(default_factory=dict)
    required: set[str] = field(default_factory=set)
    is_open: bool = False
    is_known: bool = True
    is_cut: bool = False


def declared_input(part: SchemaPart) -> DeclaredInput:
    """Return the declarations of a tool's input schema, with references and branches followed; do not modify the
    result.
    """
    return _declared_input(part.value)


@cached_by_identity(16)  # needed for each example, parameter and finding
def _declared_input(schema: JsonValue) -> DeclaredInput:
    found = DeclaredInput()
    branched: set[str] = set()
    for pointer, node, is_certain in _in_place(schema, found):
        properties = node.get("properties")
        for name in properties if isinstance(properties, dict) else ():
            found.pointers.setdefault(name, []).append(f"{pointer}/properties/{escape(name)}")
            if not is_certain:
                branched.add(name)
        required = node.get("required")
        if is_certain and isinstance(required, list):
            found.required.update(name for name in required if isinstance(name, str))
        if node.get("patternProperties") or isinstance(node.get("additionalProperties"), dict):
            found.is_open = True
    for name, pointers in found.pointers.items():
        if len(pointers) == 1 and name not in branched:
            found.sole[name] = pointers[0]
    return found


def _in_place(schema: JsonValue, found: DeclaredInput) -> Iterator[tuple[str, dict[str, JsonValue], bool]]:
    """Yield the subschemas that apply to the arguments themselves, and whether each applies to every call."""
    if not isinstance(schema, dict):
        found.is_known = False
        return
    if stands_alone(schema):
        yield "", schema, True
        return
    targets = {one.pointer: one if one.state is ReferenceState.LOCAL else None for one in shared_references(schema)}

    def referred(pointer: str, node: Schema) -> Iterator[Located]:
        for keyword in REFERENCES:
            if keyword in node:
                target = targets.get(f"{pointer}/{keyword}")
                if target is None or target.target_pointer is None:
                    found.is_known = False
                else:
                    yield target.target_pointer, target.target

    count = 0
    for one in applicable([("", schema)], referred, most=MOST_NODES + 1, branches=_in_place_of_arguments):
        if isinstance(one.schema, dict):
            count += 1
            if count > MOST_NODES:
                found.is_known, found.is_cut = False, True
                return
            yield one.pointer, one.schema, one.is_certain


_FOLLOWED: Keywords = {name: holding for name, holding in POSSIBLE.items() if name != "dependencies"}
_in_place_of_arguments = partial(in_place, keywords=_FOLLOWED, idle=True)
