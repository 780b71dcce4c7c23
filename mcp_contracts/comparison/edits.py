"""Applies a single difference to the old schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import quote

from mcp_contracts.comparison.fact import Fact, FactKind
from mcp_contracts.comparison.notation import ANNOTATIONS, BRANCH_LISTS, NAMING
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import unescape
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.json_equality import depth_and_references, same_json
from mcp_contracts.schema.references import Reference, ReferenceState, follow, replace_at, shared_references
from mcp_contracts.schema.simple import strings
from mcp_contracts.schema.walk import LISTS, MAPS, SINGLE, subschemas

_MAXIMUM_DEPTH = 500
_MAXIMUM_EMBEDDED = 500
_WORDS = ANNOTATIONS | {"$comment"}
_MAPS = ("patternProperties", "dependentSchemas", "dependentRequired", "dependencies")


class _CannotApplyError(Exception):
    """A difference that cannot be applied on its own."""


class Edits:
    """The differences between two schemas, each of which can be applied separately; both schemas are read only once."""

    def __init__(self, old: JsonValue, new: JsonValue) -> None:
        self._old, self._new = old, new
        dialect = dialect_of(old)
        self._is_draft_7 = dialect is Dialect.DRAFT_7
        nestings = [depth_and_references(schema, _MAXIMUM_DEPTH) for schema in (old, new)]
        self._can_apply = (
            dialect is not None
            and dialect is dialect_of(new)
            and isinstance(old, dict | bool)
            and all(depth <= _MAXIMUM_DEPTH for depth, _ in nestings)
        )
        self._refers = any(refers for _, refers in nestings)
        is_followed = self._can_apply and nestings[1][1]
        self._found = {found.pointer: found for found in shared_references(new)} if is_followed else {}

    def isolate(self, fact: Fact) -> JsonValue | None:
        """Return the old schema with only the edit of one fact applied, or None if that is not possible.

        The result is complete: definitions that the edit needs are added under new names. If the fact is in a
        definition, the definition is edited. The result shares its unchanged parts with both schemas, so do not modify
        it.
        """
        if not self._can_apply or not fact.kind:
            return None
        parts = _Parts(self._old, self._new, self._found, is_draft_7=self._is_draft_7)
        try:
            edited = parts.add_definitions(replace_at(self._old, fact.old_owner, _apply(parts, fact)), fact.old_owner)
        except (_CannotApplyError, LookupError):
            return None
        if self._refers and any(found.state is ReferenceState.UNRESOLVED for found in shared_references(edited)):
            return None
        return edited


def differ_only_in_words(one: JsonValue, other: JsonValue) -> bool:
    """Whether two schemas are equal except for annotations, and no reference leads into an annotation."""
    stack = [(one, other)]
    while stack:
        first, second = ({} if schema is True else schema for schema in stack.pop())
        if first is second:
            continue
        if not isinstance(first, dict) or not isinstance(second, dict):
            if not same_json(first, second):
                return False
            continue
        keywords = first.keys() - _WORDS
        if keywords != second.keys() - _WORDS:
            return False
        for keyword in keywords:
            left, right = first[keyword], second[keyword]
            if keyword in MAPS and isinstance(left, dict) and isinstance(right, dict) and left.keys() == right.keys():
                stack.extend((left[name], right[name]) for name in left)
            elif keyword in LISTS and isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
                stack.extend(zip(left, right, strict=True))
            elif keyword in SINGLE:
                stack.append((left, right))
            elif not same_json(left, right):
                return False
    return True


def refers_to_words(schema: JsonValue) -> bool:
    """Whether a reference may lead into an annotation, or to no schema."""
    found = shared_references(schema)
    return bool(found) and not {one.target_pointer for one in found} <= {node.pointer for node in subschemas(schema)}


def _apply(parts: _Parts, fact: Fact) -> JsonValue:
    """Return the subschema that contains the difference, edited."""
    before, after = follow(parts.old, fact.old_owner), follow(parts.new, fact.new_owner)
    if fact.kind is FactKind.PROPERTY_MOVED and fact.new_pointer is not None:
        raise _CannotApplyError
    if not fact.keywords and fact.kind in (FactKind.SCHEMA_CHANGED, FactKind.SCHEMA_REMOVED):
        return parts.take_subschema(fact.new_owner)
    if not isinstance(before, dict) or not isinstance(after, dict):
        raise _CannotApplyError
    if fact.name is not None and set(fact.keywords) <= {"properties", "required"}:
        return _with_property(parts, fact, before)
    if fact.kind is FactKind.TYPE_CHANGED and not {"anyOf", "oneOf"}.isdisjoint(fact.keywords):
        wrapped = _with_null(fact, before, after)
        if wrapped is not None:
            return wrapped
    if len(fact.keywords) == 1:
        keyword = fact.keywords[0]
        if fact.kind is FactKind.BRANCHES_CHANGED and _is_entry(fact, keyword) and keyword in BRANCH_LISTS:
            return _with_branch(parts, fact, before, keyword)
        if keyword in _MAPS and _is_entry(fact, keyword):
            return _with_entry(parts, fact, before, keyword)
    result = {keyword: value for keyword, value in before.items() if keyword not in fact.keywords}
    for keyword in fact.keywords:
        if keyword in after:
            take_subschema, held = parts.take_keyword(fact.new_owner, keyword), before.get(keyword)
            if keyword in ("prefixItems", "items") and isinstance(take_subschema, list) and isinstance(held, list):
                take_subschema = [
                    *held[: len(take_subschema)],
                    *take_subschema[len(held) :],
                ]  # another fact covers the entries of both sides
            result[keyword] = take_subschema
    return result


def _with_property(parts: _Parts, fact: Fact, before: dict[str, JsonValue]) -> JsonValue:
    """Return a schema with one property added, removed, required or made optional."""
    result = dict(before)
    name = fact.name or ""
    properties = before.get("properties")
    entries = dict(properties) if isinstance(properties, dict) else {}
    required = [item for item in strings(before.get("required")) if item != name]
    if "properties" in fact.keywords:
        if fact.new_pointer is not None:
            entries[name] = parts.take_subschema(fact.new_pointer)
        else:
            entries.pop(name, None)
        result["properties"] = entries
    if "required" in fact.keywords:
        if fact.kind is FactKind.PROPERTY_REQUIRED:
            required.append(name)
        result["required"] = list[JsonValue](required)
    return result


def _with_null(fact: Fact, before: dict[str, JsonValue], after: dict[str, JsonValue]) -> JsonValue | None:
    """Return a schema with null added or removed; None if null is not the difference."""
    for keyword in ("anyOf", "oneOf"):
        if keyword not in fact.keywords:
            continue
        if keyword in before and _without_null(before[keyword]) is not None and keyword not in after:
            result = {name: value for name, value in before.items() if name != keyword}
            result["allOf"] = [_without_null(before[keyword])]
            return result if "allOf" not in before else None
        if keyword in after and _without_null(after[keyword]) is not None and keyword not in before:
            kept = {name: value for name, value in before.items() if name in ANNOTATIONS or name in NAMING}
            inner = {name: value for name, value in before.items() if name not in kept}
            return {**kept, "anyOf": [inner, {"type": "null"}]}
    return None


def _without_null(branches: JsonValue) -> JsonValue:
    """Return the only branch besides null, or None."""
    if not isinstance(branches, list) or len(branches) != 2:
        return None
    kept = [branch for branch in branches if not (isinstance(branch, dict) and _is_null(branch))]
    return kept[0] if len(kept) == 1 else None


def _is_null(branch: dict[str, JsonValue]) -> bool:
    return (
        branch.get("type") in ("null", ["null"])
        or ("const" in branch and branch["const"] is None)
        or branch.get("enum") == [None]
    )


def _with_branch(parts: _Parts, fact: Fact, before: dict[str, JsonValue], keyword: str) -> JsonValue:
    """Return a schema with one branch added or removed."""
    held = before.get(keyword)
    if not isinstance(held, list):
        raise _CannotApplyError
    if fact.new_pointer is not None:
        index = int(fact.new_pointer.rpartition("/")[2])
        return {**before, keyword: [*held[:index], parts.take_subschema(fact.new_pointer), *held[index:]]}
    index = int((fact.old_pointer or "").rpartition("/")[2])
    rest = [*held[:index], *held[index + 1 :]]
    if rest:
        return {**before, keyword: rest}
    if keyword != "allOf":
        raise _CannotApplyError
    return {name: value for name, value in before.items() if name != keyword}


def _with_entry(parts: _Parts, fact: Fact, before: dict[str, JsonValue], keyword: str) -> JsonValue:
    """Return a schema with one entry of a keyword taken from the new schema."""
    held = before.get(keyword)
    entries = dict(held) if isinstance(held, dict) else {}
    name = unescape((fact.new_pointer or fact.old_pointer or "").rpartition("/")[2])
    if fact.new_pointer is not None:
        entries[name] = parts.take_subschema(fact.new_pointer)
    else:
        entries.pop(name, None)
    return {**before, keyword: entries}


def _is_entry(fact: Fact, keyword: str) -> bool:
    """Whether the fact is about one entry of a keyword rather than all of it."""
    pointers = ((fact.old_pointer, fact.old_owner), (fact.new_pointer, fact.new_owner))
    return any(pointer is not None and pointer.startswith(f"{owner}/{keyword}/") for pointer, owner in pointers)


class _Parts:
    """The part that is copied from the new schema, with the definitions that it needs."""

    def __init__(self, old: JsonValue, new: JsonValue, found: Mapping[str, Reference], *, is_draft_7: bool) -> None:
        self.old = old
        self.new = new
        self._is_draft_7 = is_draft_7
        self._holder = "definitions" if is_draft_7 else "$defs"
        self._taken = {name for name, _ in _definitions(old, self._holder)}
        self._keys: dict[str, str] = {}
        self._pending: list[str] = []
        self._found = found

    def take_subschema(self, pointer: str) -> JsonValue:
        """Return the new schema's value at a pointer, with its references adjusted to their new places."""
        return self._rewrite(follow(self.new, pointer), pointer)

    def take_keyword(self, owner: str, keyword: str) -> JsonValue:
        """Return the value of one keyword of a subschema of the new schema."""
        held = follow(self.new, owner)
        node = {keyword: held[keyword]} if isinstance(held, dict) else {}
        rewritten = self._rewrite(node, owner)
        if not isinstance(rewritten, dict) or keyword not in rewritten:
            raise _CannotApplyError
        return rewritten[keyword]

    def add_definitions(self, schema: JsonValue, place: str) -> JsonValue:
        """Return the edited schema with the definitions that it needs."""
        embedded: dict[str, JsonValue] = {}
        while self._pending:
            pointer = self._pending.pop()
            if len(embedded) >= _MAXIMUM_EMBEDDED:
                raise _CannotApplyError
            embedded[self._keys[pointer]] = self.take_subschema(pointer)
        if embedded:
            if not isinstance(schema, dict) or any(_identifiers(self.old, place)):
                raise _CannotApplyError
            schema = {**schema, self._holder: {**dict(_definitions(schema, self._holder)), **embedded}}
        return schema

    def _rewrite(self, value: JsonValue, pointer: str) -> JsonValue:
        if isinstance(value, list):
            nodes: JsonValue = {"prefixItems": value}  # a list of schemas, such as that of a keyword
            rewritten = self._rewrite(nodes, pointer) if not strings(value) else nodes
            return rewritten["prefixItems"] if isinstance(rewritten, dict) else value
        for node in subschemas(value):
            standing = follow(value, node.pointer)
            if not isinstance(standing, dict):
                continue  # below something that was dropped
            changed = self._rewrite_node(standing, pointer + node.pointer)
            if changed is not standing:
                value = replace_at(value, node.pointer, changed)
        return value

    def _rewrite_node(self, node: dict[str, JsonValue], pointer: str) -> dict[str, JsonValue]:
        if "$dynamicRef" in node and not self._is_draft_7:
            raise _CannotApplyError
        if "$ref" not in node:
            dropped = [name for name in NAMING if name in node and name != "$comment"]
            return {name: value for name, value in node.items() if name not in dropped} if dropped else node
        found = self._found.get(f"{pointer}/$ref")
        if found is None or found.state is not ReferenceState.LOCAL:
            raise _CannotApplyError
        if found.target_pointer is None:  # a meta-schema
            return node
        led = f"#/{self._holder}/{quote(self._key(found.target_pointer))}"
        if self._is_draft_7:
            return {"$ref": led}
        return {name: led if name == "$ref" else value for name, value in node.items() if name not in NAMING}

    def _key(self, pointer: str) -> str:
        if pointer not in self._keys:
            number = len(self._keys) + 1
            while f"new-{number}" in self._taken:
                number += 1
            self._keys[pointer] = f"new-{number}"
            self._taken.add(f"new-{number}")
            self._pending.append(pointer)
        return self._keys[pointer]


def _definitions(schema: JsonValue, holder: str) -> Iterator[tuple[str, JsonValue]]:
    held = schema.get(holder) if isinstance(schema, dict) else None
    if isinstance(held, dict):
        yield from held.items()


def _identifiers(schema: JsonValue, place: str) -> Iterator[str]:
    """Yield the `$id`s between the root and a place, which would change the base of plain pointers there."""
    tokens = place.split("/")
    for count in range(2, len(tokens) + 1):
        node = follow(schema, "/".join(tokens[:count]))
        if isinstance(node, dict) and isinstance(node.get("$id"), str):
            yield str(node["$id"])
