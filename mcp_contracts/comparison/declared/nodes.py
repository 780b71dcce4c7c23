"""The content of single subschemas, regardless of their place: names, objects, references, or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass
from mcp_contracts.schema import vocabulary
from mcp_contracts.schema.references import references
from mcp_contracts.schema.vocabulary import Effect
from mcp_contracts.schema.walk import SchemaNode

ANNOTATIONS = vocabulary.ANNOTATIONS - set(vocabulary.names(Effect.ANNOTATES, of="string"))


class TooLargeError(Exception):
    """A schema exceeds our bounds, or has a reference that cannot be followed; its meaning is unknown.

    The argument, if any, is the pointer to the reference.
    """


@dataclass(frozen=True, slots=True)
class DeclaredNames:
    """The names that the schemas at a place declare: listed names, names that patterns match, or `every` name.

    A schema for the remaining names declares every name, and so does a free-form map (`is_free`): an object that is
    explicitly open and lists no names.
    """

    names: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    every: bool = False
    is_free: bool = False


def is_anything(schema: JsonValue) -> bool:
    """Whether a schema does not constrain values: `true`, or only annotations."""
    if isinstance(schema, dict):
        return all(keyword in ANNOTATIONS or keyword.startswith("x-") for keyword in schema)
    return schema is True


def entries(node: dict[str, JsonValue], keyword: str) -> Iterable[tuple[str, JsonValue]]:
    """Return the members of a keyword by name, if its value is an object."""
    held = node.get(keyword)
    return held.items() if isinstance(held, dict) else ()


def names_under(node: Mapping[str, JsonValue], keyword: str) -> tuple[str, ...]:
    """Return the names of the members of a keyword."""
    held = node.get(keyword)
    return tuple(held) if isinstance(held, dict) else ()


def holds_object(value: JsonValue) -> bool:
    """Whether a value is an object, or an array that contains one."""
    return isinstance(value, dict) or (isinstance(value, list) and any(map(holds_object, value)))


def targets_of(schema: JsonValue, nodes: tuple[SchemaNode, ...]) -> dict[tuple[str, str], str | None]:
    """Return the pointer of each reference's target, by its schema and keyword; None if it is unknown.

    A target is unknown if it is outside the schema, in its meta-schema or missing, or if several subschemas have the
    same dynamic anchor, because a dynamic reference leads to the outermost one on the path. `nodes` are the schema's
    subschemas.
    """
    if not any("$ref" in node.value or "$dynamicRef" in node.value for node in nodes):
        return {}
    anchors = [node.value["$dynamicAnchor"] for node in nodes if isinstance(node.value.get("$dynamicAnchor"), str)]
    is_ambiguous = len(anchors) != len(set(map(str, anchors)))
    found = {}
    for reference in references(schema, nodes):
        holder, _, keyword = reference.pointer.rpartition("/")
        found[holder, keyword] = None if is_ambiguous and keyword == "$dynamicRef" else reference.target_pointer
    return found
