"""Convert the root of an input schema to the form that providers require: an object without combinators.

OpenAI and Anthropic reject a request if the root of one tool has `anyOf`, `oneOf` or `allOf` (OpenAI also `enum` and
`not`), and OpenAI rejects one without `properties` (langchain-ai/langchainjs#9804, anthropics/claude-code#40075).
"""

from __future__ import annotations

import copy
import json
from collections.abc import Collection, Iterator, Mapping

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.text import MAXIMUM_DEPTH
from mcp_contracts.json_values.types import find_misfit
from mcp_contracts.messages import json_value
from mcp_contracts.providers.changes import ChangeKind, SubsetChange, SubsetForm
from mcp_contracts.providers.merging import Schema, dropped_annotations, merge
from mcp_contracts.records import dataclass, field
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.references import Reference, ReferenceState, references
from mcp_contracts.schema.simple import as_list, as_object, one_or_more, properties_of
from mcp_contracts.schema.validation.validators import schema_errors
from mcp_contracts.schema.walk import subschemas

COMBINATORS = ("allOf", "anyOf", "oneOf", "not", "enum", "const")
"""Keywords that are rejected at a root, in the order in which they are removed."""

_IDENTITY = ("$schema", "$id")
_MAXIMUM_STEPS = 100
_LONGEST_QUOTE = 600


def plain_root(schema: JsonValue, *, refused: Collection[str] = COMBINATORS) -> SubsetForm:
    """Convert an input schema so that its root is an object with `properties` and none of the `refused` keywords.

    The result is equivalent if possible. An alternative (`anyOf`, `oneOf`) becomes an object with the properties of all
    branches and a sentence that says which properties belong together. This widens the schema, so it is recorded as a
    change. `$schema` and `$id` are removed. References are kept, but references that point outside the schema, and
    schemas that cannot be read, are refused. The argument is not modified.
    """
    if schema is None or schema is True:
        kind = ChangeKind.FORM
        message = "a tool without an input schema is sent as one without parameters"
        return SubsetForm({"type": "object", "properties": {}}, (SubsetChange("", "type", message, kind),))
    if not isinstance(schema, dict):
        return SubsetForm(None, (SubsetChange("", "", "the schema accepts nothing", ChangeKind.REFUSED),))
    faults = tuple(unreadable(schema))
    if faults:
        return SubsetForm(None, faults)
    root = _Root(schema, frozenset(refused))
    found = root.plain()
    return SubsetForm(found, tuple(root.changes))


def unreadable(schema: JsonValue) -> Iterator[SubsetChange]:
    """Yield why a schema cannot be read, if at all: its dialect, its depth, or an error in it."""
    misfit = find_misfit(schema)
    if misfit is not None:
        message = f"the schema has {misfit.what}, {misfit.why}"
        yield SubsetChange(misfit.pointer, "", message, ChangeKind.REFUSED)
        return
    try:
        json_value(schema)
    except (ValueError, RecursionError):
        message = f"the schema cannot be written as JSON, or is nested more than {MAXIMUM_DEPTH} levels deep"
        yield SubsetChange("", "", message, ChangeKind.REFUSED)
        return
    if not isinstance(schema, dict):
        return
    if dialect_of(schema) is None:
        yield SubsetChange("/$schema", "$schema", "the schema's dialect is not known", ChangeKind.REFUSED)
        return
    for error in schema_errors(schema)[:1]:
        keyword = error.pointer.rpartition("/")[2]
        yield SubsetChange(error.pointer, keyword, f"the schema is not valid: {error.message}", ChangeKind.REFUSED)


def foreign_references(schema: JsonValue) -> tuple[SubsetChange, ...]:
    """Return a refusal for each reference that points outside a schema or is unresolved."""
    reasons = {
        ReferenceState.REMOTE: "points outside the schema, and providers do not fetch schemas",
        ReferenceState.UNRESOLVED: "does not resolve",
    }
    return tuple(
        SubsetChange(found.pointer, found.pointer.rpartition("/")[2], f"the reference {reasons[found.state]}", _REFUSED)
        for found in references(schema)
        if found.state in reasons
    )


_REFUSED = ChangeKind.REFUSED


def quote(value: JsonValue) -> str:
    """Write a subschema as JSON for a description, shortened if it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 1]}…"


def add_note(description: JsonValue, note: str) -> str:
    """Append a sentence to a description."""
    return f"{description.rstrip()} {note}" if isinstance(description, str) and description.strip() else note


@dataclass(slots=True)
class _Root:
    """Removes keywords that providers reject from a root, and lists the changes."""

    original: Schema
    refused: frozenset[str]
    changes: list[SubsetChange] = field(default_factory=list)
    steps: int = 0

    def plain(self) -> Schema | None:
        self.changes.extend(foreign_references(self.original))
        if self.changes:
            return None
        for keyword in _IDENTITY:
            if keyword in self.original:
                self._change(keyword, f"`{keyword}` is left out: providers ignore it", ChangeKind.NOTE)
        current = self._current()
        node: Schema = {key: value for key, value in current.items() if key not in _IDENTITY}
        definitions: Schema = {key: node.pop(key) for key in ("$defs", "definitions") if key in node}
        found = self._without_combinators(node)
        if found is None:
            if not any(change.is_refusal for change in self.changes):
                self._change("", "the root cannot be expressed as one plain object", _REFUSED)
            return None
        found = self._state_type(found)
        if found is None:
            return None
        if not isinstance(found.get("properties"), dict):
            self._change("properties", "the root has no `properties` and gets an empty map", ChangeKind.FORM)
        ordered: Schema = {"type": "object"}
        ordered.update((key, value) for key, value in found.items() if key != "type")
        ordered.setdefault("properties", {})
        return {**ordered, **definitions}

    def _current(self) -> Schema:
        """Convert draft-07 tuples in `items` to the keywords of 2020-12."""
        tuples = [node.pointer for node in subschemas(self.original) if isinstance(node.value.get("items"), list)]
        if not tuples or dialect_of(self.original) is not Dialect.DRAFT_7:
            return self.original
        copied = copy.deepcopy(self.original)
        for node in subschemas(copied):
            if isinstance(node.value.get("items"), list):
                node.value["prefixItems"] = node.value.pop("items")
                if "additionalItems" in node.value:
                    node.value["items"] = node.value.pop("additionalItems")
        for pointer in tuples:
            change = SubsetChange(f"{pointer}/items", "items", "the tuple becomes `prefixItems`", ChangeKind.FORM)
            self.changes.append(change)
        return copied

    def _change(self, keyword: str, message: str, kind: ChangeKind) -> None:
        self.changes.append(SubsetChange(f"/{keyword}" if keyword in self.original else "", keyword, message, kind))

    def _list_dropped_annotations(self, keyword: str, first: Schema, second: Schema) -> None:
        """List the annotations that are dropped because the merged schemas have different ones."""
        pointer = f"/{keyword}" if keyword in self.original else ""
        for key in dropped_annotations(first, second):
            message = f"`{key}` below `{keyword}` is left out, because the root defines it differently"
            self.changes.append(SubsetChange(pointer, key, message, ChangeKind.NOTE))

    def _state_type(self, node: Schema) -> Schema | None:
        stated = node.get("type")
        if stated == "object":
            return node
        if stated is None or (isinstance(stated, list) and "object" in stated):
            self._change("type", "arguments are an object, so the root gets that type", ChangeKind.FORM)
            return {**node, "type": "object"}
        self._change("type", "the root is not an object, but arguments always are", _REFUSED)
        return None

    def _without_combinators(self, node: Schema) -> Schema | None:
        """Return a node without references and rejected keywords, or None."""
        self.steps += 1
        if self.steps > _MAXIMUM_STEPS:
            return None
        if "$ref" in node:
            return self._follow(node)
        if "allOf" in node and "allOf" in self.refused:
            return self._merge_all(node)
        for keyword in ("anyOf", "oneOf"):
            if keyword in node and keyword in self.refused:
                return self._widen(node, keyword)
        for keyword in ("not", "enum", "const"):
            if keyword in node and keyword in self.refused:
                words = {"not": "Must not match", "enum": "Must be one of", "const": "Must be"}[keyword]
                note = f"{words}: {quote(node[keyword])}."
                self._change(keyword, f"`{keyword}` of the root moves into the description", ChangeKind.WIDENED)
                node = {key: value for key, value in node.items() if key != keyword}
                node["description"] = add_note(node.get("description"), note)
        return node

    def _follow(self, node: Schema) -> Schema | None:
        target = self._target(node["$ref"])
        if not isinstance(target, dict):
            return {} if target is True else None
        rest: Schema = {key: value for key, value in node.items() if key != "$ref"}
        # In draft-07, keywords next to a reference have no effect.
        if dialect_of(self.original) is Dialect.DRAFT_7:
            rest = {}
        else:
            self._change("$ref", "the reference at the root is inlined", ChangeKind.FORM)
        target = {key: value for key, value in target.items() if key not in (*_IDENTITY, "$defs", "definitions")}
        mine, other = self._without_combinators(rest), self._without_combinators(target)
        if mine is None or other is None:
            return None
        self._list_dropped_annotations("$ref", mine, other)
        return self._both(mine, other)

    def _target(self, text: JsonValue) -> JsonValue:
        found: Mapping[str, Reference] = {reference.text: reference for reference in references(self.original)}
        return found[text].target if isinstance(text, str) and text in found else None

    def _both(self, one: Schema, two: Schema) -> Schema | None:
        together = merge(one, two)
        return None if together is None else self._without_combinators(together)

    def _merge_all(self, node: Schema) -> Schema | None:
        self._change("allOf", "the root's `allOf` is merged into the root", ChangeKind.FORM)
        result: Schema | None = {key: value for key, value in node.items() if key != "allOf"}
        for branch in as_list(node["allOf"]):
            if branch is True:
                continue
            plain = self._without_combinators(branch) if isinstance(branch, dict) else None
            if result is not None and plain is not None:
                self._list_dropped_annotations("allOf", result, plain)
            result = None if result is None or plain is None else merge(result, plain)
            if result is None:
                self._change("allOf", "the schemas of `allOf` cannot be merged into one", _REFUSED)
                return None
        return None if result is None else self._without_combinators(result)

    def _widen(self, node: Schema, keyword: str) -> Schema | None:
        """Return the root with all properties of its branches, and a sentence for their constraints."""
        rest: Schema = {key: value for key, value in node.items() if key != keyword}
        plain: list[Schema] = []
        for branch in as_list(node[keyword]):
            if branch is False or "object" not in one_or_more(as_object(branch).get("type", "object")):
                continue
            each = self._both(rest, branch) if isinstance(branch, dict) else rest
            if each is None:
                self._change(keyword, f"a branch of `{keyword}` cannot be merged with the root", _REFUSED)
                return None
            plain.append(each)
        if not plain:
            self._change(keyword, f"no branch of `{keyword}` is an object", _REFUSED)
            return None
        if len(plain) == 1:
            self._change(keyword, f"`{keyword}` has one branch for objects, which is merged in", ChangeKind.FORM)
            return self._without_combinators(plain[0])
        how = "at least" if keyword == "anyOf" else "exactly"
        note = f"Must match {how} one of: {quote(node[keyword])}."
        self._change(
            keyword, f"the root's `{keyword}` becomes one object with the properties of all branches, and the "
            "description says which belong together", ChangeKind.WIDENED,
        )  # fmt: skip
        if _one_is_silent(plain):
            message = f"a branch of `{keyword}` now rejects names that only another one declares"
            self._change(keyword, message, ChangeKind.NARROWED)
        wide = self._without_combinators(_wide(rest, plain))
        return None if wide is None else {**wide, "description": add_note(wide.get("description"), note)}


_OF_OBJECTS = frozenset(("properties", "required", "additionalProperties"))


def _wide(rest: Schema, branches: list[Schema]) -> Schema:
    """Return an object that accepts every branch; open branches take their missing properties from the others."""
    declared = [properties_of(branch) for branch in branches]
    names = list(dict.fromkeys([*properties_of(rest), *(name for properties in declared for name in properties)]))
    closed = all(branch.get("additionalProperties") is False for branch in branches)
    properties: Schema = {}
    for name in names:
        found = [some[name] for some in declared if name in some and some[name] is not False]
        distinct = {json.dumps(schema, sort_keys=True): schema for schema in found}
        if distinct:
            each = list(distinct.values())
            properties[name] = each[0] if len(each) == 1 else {"anyOf": each}
    required = [name for name in names if all(name in as_list(branch.get("required")) for branch in branches)]
    wide: Schema = {**{key: value for key, value in rest.items() if key not in _OF_OBJECTS}, "properties": properties}
    if required:
        wide["required"] = [*required]
    if closed:
        wide["additionalProperties"] = False
    elif "additionalProperties" in rest:
        wide["additionalProperties"] = rest["additionalProperties"]
    return wide


def _one_is_silent(branches: list[Schema]) -> bool:
    """Whether an open branch does not declare a constrained property of another one."""
    asked = {
        name for branch in branches for name, one in properties_of(branch).items() if isinstance(one, dict) and one
    }
    opened = [branch for branch in branches if branch.get("additionalProperties") is not False]
    return any(not asked <= properties_of(branch).keys() for branch in opened)
