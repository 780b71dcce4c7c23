"""What the builders of all subsets share: which form a place asks for, within bounds, and the list of changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from mcp_contracts.contract import JsonValue
from mcp_contracts.providers.changes import ChangeKind, SubsetChange
from mcp_contracts.providers.keywords import branches_exclude_each_other, infer_types, words_of_type
from mcp_contracts.providers.merging import Schema
from mcp_contracts.providers.roots import add_note
from mcp_contracts.schema.simple import strings
from mcp_contracts.schema.walk import subschemas


class NoFormError(Exception):
    """The subschema at hand has no form in the subset; the reason is listed."""


class Subset(Protocol):
    """The form of each shape of schema in a provider's subset. A method raises `NoFormError` where there is none.

    `pointer` leads to the schema as its author wrote it, and `level` counts the schemas around it.
    """

    def check(self, schema: JsonValue, pointer: str) -> Schema:
        """Refuse what has no form whatever its shape; returns what is left."""

    def follow_reference(self, schema: Schema, pointer: str, level: int) -> Schema:
        """The form of a schema with `$ref`."""

    def merge_all(self, schema: Schema, pointer: str, level: int) -> Schema:
        """The form of a schema with `allOf`."""

    def join_branches(self, schema: Schema, keyword: str, pointer: str, level: int) -> Schema:
        """The form of a schema with `anyOf` or `oneOf`."""

    def build_plain(self, schema: Schema, pointer: str, level: int) -> Schema:
        """The form of a schema without any of those."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many levels and schemas a form may take, and the message where it takes more."""

    levels: int
    nodes: int
    message: str


class Skeleton:
    """Goes through one schema place by place and lists what changes."""

    def __init__(self, root: Schema, original: JsonValue, bounds: Bounds, changes: Iterable[SubsetChange] = ()) -> None:
        """`root` is the schema with a plain root; pointers lead into the `original`, of which it holds the parts."""
        self.changes: list[SubsetChange] = [*changes]
        self._bounds = bounds
        self._left = bounds.nodes
        self._pointers: dict[int, str] = {id(root): ""}
        for node in (*subschemas(original), *subschemas(root)):
            self._pointers.setdefault(id(node.value), node.pointer)
        self._kept: list[JsonValue] = [root, original]  # what is known by identity must not be collected

    def change(self, pointer: str, keyword: str, message: str, kind: ChangeKind = ChangeKind.FORM) -> None:
        """List one change."""
        self.changes.append(SubsetChange(pointer, keyword, message, kind))

    def refuse(self, pointer: str, keyword: str, message: str) -> NoFormError:
        """List why a place has no form; returns what to raise."""
        self.change(pointer, keyword, message, ChangeKind.REFUSED)
        return NoFormError(message)

    def locate(self, schema: JsonValue, near: str) -> str:
        """The pointer of a subschema, or `near` where it is not known by itself."""
        return self._pointers.get(id(schema), near) if isinstance(schema, dict) else near

    def remember(self, schema: JsonValue, pointer: str) -> JsonValue:
        """Note for a schema that was made what it was made of."""
        if isinstance(schema, dict):
            self._kept.append(schema)
            self._pointers.setdefault(id(schema), pointer)
        return schema

    def build(self, subset: Subset, schema: JsonValue, near: str, level: int) -> Schema:
        """The form of a subschema; `near` is its pointer where it is not known by itself."""
        pointer = self.locate(schema, near)
        self._left -= 1
        if self._left < 0 or level > self._bounds.levels:
            raise self.refuse(pointer, "", self._bounds.message)
        known = subset.check(schema, pointer)
        if "$ref" in known:
            return subset.follow_reference(known, pointer, level)
        if "allOf" in known:
            return subset.merge_all(known, pointer, level)
        for keyword in ("anyOf", "oneOf"):
            if keyword in known:
                return subset.join_branches(known, keyword, pointer, level)
        return subset.build_plain(known, pointer, level)

    def types(self, schema: Schema, pointer: str) -> list[str]:
        """The types that a schema states, or else implies; none where nobody can tell."""
        stated = schema.get("type")
        types = strings(stated) if isinstance(stated, list) else [stated] if isinstance(stated, str) else []
        if not types:
            types, is_exact = infer_types(schema)
            if types:
                kind = ChangeKind.FORM if is_exact else ChangeKind.NARROWED
                self.change(pointer, "type", f"the implied type is added: {words_of_type(types)}", kind)
        return types

    def open_choice(
        self, branches: Sequence[Schema], around: Schema, follow: Callable[[Schema], Schema], pointer: str
    ) -> None:
        """List that a `oneOf` becomes `anyOf`; where branches overlap, a description `around` it says what is lost."""
        is_same = len(branches) < 2 or branches_exclude_each_other(branches, follow)
        kind = ChangeKind.FORM if is_same else ChangeKind.WIDENED
        self.change(f"{pointer}/oneOf", "oneOf", "`oneOf` becomes `anyOf`", kind)
        if not is_same:
            around["description"] = add_note(around.get("description"), "Must match exactly one alternative.")
