"""The base of all subset builders: generates each subschema, up to a size limit, and lists the changes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence

from mcp_contracts.contract import JsonValue
from mcp_contracts.providers.changes import ChangeKind, SubsetChange
from mcp_contracts.providers.keywords import branches_exclude_each_other, infer_types, words_of_type
from mcp_contracts.providers.merging import Schema
from mcp_contracts.providers.roots import add_note
from mcp_contracts.records import dataclass
from mcp_contracts.schema.simple import one_or_more, strings
from mcp_contracts.schema.walk import subschemas


class NoFormError(Exception):
    """The subschema has no form in the subset; the reason is in the list of changes."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The maximum number of levels and schemas in a form, and the message if one is exceeded."""

    levels: int
    nodes: int
    message: str


class Skeleton(ABC):
    """Walks one schema, generates each subschema by its kind in a provider's subset, and lists the changes.

    The methods for a kind raise `NoFormError` if it has none. `pointer` leads to the original schema, and `level` is
    the nesting depth.
    """

    def __init__(
        self, root: Schema, original: JsonValue, bounds: Bounds, changes: Iterable[SubsetChange], *, is_draft_7: bool
    ) -> None:
        """`root` is the schema with a plain root; pointers lead into the `original`, whose parts it shares."""
        self.changes: list[SubsetChange] = [*changes]
        self._root = root
        self._is_draft_7 = is_draft_7
        self._bounds = bounds
        self._left = bounds.nodes
        self._pointers: dict[int, str] = {id(root): ""}
        for node in (*subschemas(original), *subschemas(root)):
            self._pointers.setdefault(id(node.value), node.pointer)
        self._kept: list[JsonValue] = [root, original]  # keep objects that are known by identity alive

    @abstractmethod
    def check(self, schema: JsonValue, pointer: str) -> Schema:
        """Refuse schemas without a form; return the others."""

    @abstractmethod
    def follow_reference(self, schema: Schema, pointer: str, level: int) -> Schema:
        """Return the form of a schema with `$ref`."""

    @abstractmethod
    def merge_all(self, schema: Schema, pointer: str, level: int) -> Schema:
        """Return the form of a schema with `allOf`."""

    @abstractmethod
    def join_branches(self, schema: Schema, keyword: str, pointer: str, level: int) -> Schema:
        """Return the form of a schema with `anyOf` or `oneOf`."""

    @abstractmethod
    def build_plain(self, schema: Schema, pointer: str, level: int) -> Schema:
        """Return the form of a schema without those keywords."""

    def change(self, pointer: str, keyword: str, message: str, kind: ChangeKind = ChangeKind.FORM) -> None:
        """Add a change to the list."""
        self.changes.append(SubsetChange(pointer, keyword, message, kind))

    def refuse(self, pointer: str, keyword: str, message: str) -> NoFormError:
        """Record why a subschema has no form, and return the error to raise."""
        self.change(pointer, keyword, message, ChangeKind.REFUSED)
        return NoFormError(message)

    def locate(self, schema: JsonValue, near: str) -> str:
        """Return the pointer of a subschema, or `near` if it is unknown."""
        return self._pointers.get(id(schema), near) if isinstance(schema, dict) else near

    def remember(self, schema: JsonValue, pointer: str) -> JsonValue:
        """Record the source pointer of a generated schema."""
        if isinstance(schema, dict):
            self._kept.append(schema)
            self._pointers.setdefault(id(schema), pointer)
        return schema

    def build(self, schema: JsonValue, near: str, level: int) -> Schema:
        """Return the form of a subschema; `near` is its pointer if it is unknown."""
        pointer = self.locate(schema, near)
        self._left -= 1
        if self._left < 0 or level > self._bounds.levels:
            raise self.refuse(pointer, "", self._bounds.message)
        known = self.check(schema, pointer)
        if "$ref" in known:
            return self.follow_reference(known, pointer, level)
        if "allOf" in known:
            return self.merge_all(known, pointer, level)
        for keyword in ("anyOf", "oneOf"):
            if keyword in known:
                return self.join_branches(known, keyword, pointer, level)
        return self.build_plain(known, pointer, level)

    def types(self, schema: Schema, pointer: str) -> list[str]:
        """Return the types that a schema states or implies; empty if unknown."""
        types = strings(one_or_more(schema.get("type")))
        if not types:
            types, is_exact = infer_types(schema)
            if types:
                kind = ChangeKind.FORM if is_exact else ChangeKind.NARROWED
                self.change(pointer, "type", f"the implied type is added: {words_of_type(types)}", kind)
        return types

    def open_choice(
        self, branches: Sequence[Schema], around: Schema, follow: Callable[[Schema], Schema], pointer: str
    ) -> None:
        """Record that a `oneOf` becomes `anyOf`. If branches overlap, the description `around` it states what is
        lost."""
        is_same = len(branches) < 2 or branches_exclude_each_other(branches, follow)
        kind = ChangeKind.FORM if is_same else ChangeKind.WIDENED
        self.change(f"{pointer}/oneOf", "oneOf", "`oneOf` becomes `anyOf`", kind)
        if not is_same:
            around["description"] = add_note(around.get("description"), "Must match exactly one alternative.")
