"""Resolve the references of a schema without fetching anything outside it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import cached_property
from urllib.parse import quote, unquote, urljoin, urlsplit

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import enclosing, escape, unescape
from mcp_contracts.records import dataclass
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.identity import cached_by_identity
from mcp_contracts.schema.vocabulary import REFERENCES
from mcp_contracts.schema.walk import SchemaNode, shared_subschemas, subschemas


class ReferenceState(StrEnum):
    """The kind of a reference's target."""

    LOCAL = "local"  # to a schema in the same document, or to its meta-schema, which every validator contains
    UNRESOLVED = "unresolved"  # into the document, but not to a schema
    REMOTE = "remote"  # outside the document


@dataclass(frozen=True, slots=True)
class Reference:
    """A `$ref` or `$dynamicRef` at `pointer`. A local reference has a `target` schema and a `target_pointer`.

    `near` is the probable intention of an unresolved reference.
    """

    pointer: str
    text: str
    state: ReferenceState
    target: JsonValue = None
    target_pointer: str | None = None
    near: str | None = None


_DRAFT_7 = "http://json-schema.org/draft-07/schema"
_DRAFT_2020_12 = ("https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2020-12/meta/")
_MAXIMUM_REFERENCES = 10_000
_REFERENCES = frozenset(REFERENCES)
_IN_DRAFT_7 = ("$ref",)  # validators ignore `$dynamicRef` there


def references(schema: JsonValue, nodes: tuple[SchemaNode, ...] | None = None) -> tuple[Reference, ...]:
    """Return every reference of a schema, in document order. `nodes` are its subschemas, if already known.

    The targets of references are searched as well.
    """
    if nodes is None:
        nodes = subschemas(schema)
    return tuple(reference for _, reference in _resolve_all(schema, nodes))


@cached_by_identity(64)
def shared_references(schema: JsonValue) -> tuple[Reference, ...]:
    """Return the same as `references`, cached by identity, for a schema that is never modified and often read."""
    return references(schema, shared_subschemas(schema))


def reference_targets(schema: JsonValue, nodes: tuple[SchemaNode, ...]) -> dict[int, JsonValue]:
    """Map the identity of each subschema to the target of its reference; local references only."""
    return {id(node.value): found.target for node, found in _resolve_all(schema, nodes) if found.target is not None}


def _resolve_all(schema: JsonValue, nodes: tuple[SchemaNode, ...]) -> Iterator[tuple[SchemaNode, Reference]]:
    resources: _Resources | None = None
    keywords = _IN_DRAFT_7 if dialect_of(schema) is Dialect.DRAFT_7 else REFERENCES
    referring = [node for node in nodes if not _REFERENCES.isdisjoint(node.value)]
    if not referring:
        return
    pending = list(reversed(referring))
    known = {node.pointer for node in nodes}
    count = 0
    while pending:
        node = pending.pop()
        for keyword in keywords:
            text = node.value.get(keyword)
            if not isinstance(text, str) or count >= _MAXIMUM_REFERENCES:
                continue
            if resources is None:
                resources = _Resources(schema, nodes)
            count += 1
            found = resources.resolve(text, node.pointer, keyword)
            yield node, found
            target = found.target_pointer
            if target is not None and target not in known and isinstance(found.target, dict):
                # A schema under an unknown keyword, such as `components`.
                for below in reversed(subschemas(found.target)):
                    pointer = target + below.pointer
                    if pointer not in known:
                        known.add(pointer)
                        pending.append(SchemaNode(pointer, below.value, "other"))


_ROOT_ID = "mcp-contracts://schema/root"  # with a path, so that a relative `$id` can be resolved against it


def standalone(schema: JsonValue, pointer: str, *, is_draft_7: bool) -> JsonValue:
    """Return a schema equivalent to the subschema at `pointer`, with the definitions that its references need."""
    node = follow(schema, pointer)
    if not isinstance(schema, dict) or not isinstance(node, dict):
        return node
    texts = [reference.text for reference in references(node)]
    if not texts:
        return node
    around = dict(node)
    around.update((name, schema[name]) for name in ("$defs", "definitions") if name in schema)
    found = subschemas(around)
    texts.extend(reference.text for reference in references(around, found))
    if all(text.startswith(_INTO_DEFINITIONS) for text in texts) and not any("$id" in part.value for part in found):
        return around
    # The whole schema is needed, as its own resource so that `#` still refers to it.
    root = dict(schema)
    identifier = root.get("$id")
    if not isinstance(identifier, str) or "#" in identifier:
        identifier = root["$id"] = _ROOT_ID
    definitions = "definitions" if is_draft_7 else "$defs"
    if is_draft_7 and "$ref" in root:  # it hides its sibling keywords, including `$id`
        root = {"$id": identifier, "allOf": [{"$ref": root["$ref"]}], definitions: root.get(definitions, {})}
    return {"$ref": f"{identifier}#{quote(pointer, safe='/~$')}", definitions: {"root": root}}


_INTO_DEFINITIONS = ("#/$defs/", "#/definitions/")


_NAMING = frozenset(("$id", "$anchor", "$dynamicAnchor"))


class _Resources:
    """The schemas of a document that a reference can name: by identifier, anchor or pointer."""

    def __init__(self, schema: JsonValue, nodes: tuple[SchemaNode, ...]) -> None:
        self._schema = schema
        stated = schema.get("$schema", "") if isinstance(schema, dict) else ""
        is_draft_7 = isinstance(stated, str) and stated.removesuffix("#").endswith("/draft-07/schema")
        self._meta_schemas = (_DRAFT_7,) if is_draft_7 else _DRAFT_2020_12
        # Identifiers of the document and of schemas inside it, with their pointers; and the base URIs that they set.
        self._identified: dict[str, str] = {"": ""}
        self._bases: dict[str, str] = {}
        self._anchors: dict[tuple[str, str], str] = {}
        naming = [node for node in nodes if not _NAMING.isdisjoint(node.value)]
        for node in naming:
            if not isinstance(node.value.get("$id"), str):
                continue
            identifier, _, anchor = str(node.value["$id"]).partition("#")
            if identifier or not anchor:
                base = _join_uri(self._base(node.pointer), identifier)
                self._bases[node.pointer] = base
                self._identified.setdefault(base, node.pointer)
            if anchor:  # the draft-07 form of an anchor
                self._anchors.setdefault((self._base(node.pointer), anchor), node.pointer)
        for node in naming:
            for keyword in ("$anchor", "$dynamicAnchor"):
                name = node.value.get(keyword)
                if isinstance(name, str):
                    self._anchors.setdefault((self._base(node.pointer), name), node.pointer)

    def resolve(self, text: str, holder: str, keyword: str) -> Reference:
        """Resolve the reference `text` of the subschema at `holder`."""
        pointer = f"{holder}/{keyword}"
        base = self._base(holder)
        resource, _, fragment = text.partition("#")
        identifier = _join_uri(base, resource) if resource else base
        root = self._identified.get(identifier)
        if root is None:
            if identifier.startswith(self._meta_schemas):
                return Reference(pointer, text, ReferenceState.LOCAL)
            return Reference(pointer, text, ReferenceState.REMOTE)
        found = self._in_resource(root, identifier, fragment, dynamic=keyword == "$dynamicRef")
        if found is None:
            near = self._suggest(fragment) if not resource else None
            return Reference(pointer, text, ReferenceState.UNRESOLVED, near=near)
        return Reference(pointer, text, ReferenceState.LOCAL, found[1], found[0])

    def _base(self, pointer: str) -> str:
        """Return the base URI at a pointer: the identifier of the closest enclosing schema that has one."""
        if not self._bases:
            return ""
        return self._bases.get(enclosing(pointer, self._bases), "")

    def _in_resource(self, root: str, identifier: str, fragment: str, *, dynamic: bool) -> tuple[str, JsonValue] | None:
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            anchored = self._anchors.get((identifier, fragment))
            if anchored is None and dynamic:
                anchored = self._anchors_anywhere.get(fragment)
            if anchored is None:
                return None
            root, fragment = anchored, ""
        pointer = root + fragment
        value = follow(self._schema, pointer)
        return (pointer, value) if isinstance(value, dict | bool) else None

    @cached_property
    def _anchors_anywhere(self) -> dict[str, str]:
        return {name: place for (_, name), place in reversed(self._anchors.items())}

    def _suggest(self, fragment: str) -> str | None:
        """Return the pointer that an unresolved pointer was probably meant to be."""
        name = unquote(fragment).rpartition("/")[2]
        return self._definitions.get(name, self._definitions.get(name.lower())) if name else None

    @cached_property
    def _definitions(self) -> dict[str, str]:
        """The pointers of the definitions by their names, and by their names in lowercase, if unique.

        An exact name takes precedence.
        """
        held = self._schema if isinstance(self._schema, dict) else {}
        places = [(place, held.get(place)) for place in ("$defs", "definitions")]
        found: dict[str, str] = {}
        names = [(key, f"#/{place}/{escape(key)}") for place, part in places if isinstance(part, dict) for key in part]
        for key, pointer in (*names, *((key.lower(), pointer) for key, pointer in names)):
            found.setdefault(key, pointer)
        return found


def follow(value: JsonValue, pointer: str) -> JsonValue:
    """Return the target of a JSON pointer inside a value, or None if it does not exist."""
    for token in pointer.split("/")[1:]:
        name = unescape(token)
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isascii() and name.isdigit() and int(name[:9]) < len(value):
            value = value[int(name[:9])]
        else:
            return None
    return value


def replace_at(value: JsonValue, pointer: str, replacement: JsonValue) -> JsonValue:
    """Return a value with the target of a pointer replaced; only the values on the way are copied.

    Raises LookupError if the pointer leads nowhere.
    """
    around: list[tuple[JsonValue, str]] = []
    for token in map(unescape, pointer.split("/")[1:]):
        around.append((value, token))
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and token.isdigit() and int(token) < len(value):
            value = value[int(token)]
        else:
            raise LookupError(pointer)
    for holder, token in reversed(around):
        if isinstance(holder, dict):
            replacement = {**holder, token: replacement}
        elif isinstance(holder, list):
            replacement = [*holder[: int(token)], replacement, *holder[int(token) + 1 :]]
    return replacement


def _join_uri(base: str, reference: str) -> str:
    if not reference:
        return base
    try:
        # urljoin only handles hierarchical schemes: it resolves `x` against `urn:a:b` to `x`, which is good enough.
        joined = urljoin(base, reference) if base and not urlsplit(reference).scheme else reference
    except ValueError:  # such as `http://[`
        return reference
    return joined.partition("#")[0]
