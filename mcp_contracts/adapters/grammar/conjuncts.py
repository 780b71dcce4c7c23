"""The subschemas that apply together to one value, because of references and `allOf`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import dataclass, field
from mcp_contracts.schema.applicable import CERTAIN, Located, Schema, applicable, in_place
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.effort import PLAIN_EVALUATIONS
from mcp_contracts.schema.references import Reference, ReferenceState, references
from mcp_contracts.schema.simple import as_object, strings
from mcp_contracts.schema.validation.compiled import CompiledSchema
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from mcp_contracts.schema.vocabulary import ALTERNATIVES

_LEVELS = 50
_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Conjunct:
    """A subschema that applies at a place. `chosen` contains its disjunctions for which a branch has been chosen."""

    pointer: str
    schema: Mapping[str, JsonValue] = field(compare=False, hash=False)
    chosen: frozenset[str] = frozenset()

    def get(self, keyword: str) -> JsonValue:
        """Return the value of a keyword, or None if it is absent."""
        return self.schema.get(keyword)

    def without(self, keyword: str) -> Conjunct:
        """Return the same subschema with a disjunction resolved."""
        return Conjunct(self.pointer, self.schema, self.chosen | {keyword})


Applying = tuple[Conjunct, ...] | None
"""The subschemas that apply at a place, empty if every value is valid; None if no value is."""

Branch = tuple[str, JsonValue]
"""The pointer of a subschema, and the subschema."""


class UnreadableError(Exception):
    """A reference that cannot be resolved, or a value that is not a schema; `pointer` leads to it."""

    def __init__(self, pointer: str, keyword: str, message: str) -> None:
        super().__init__(message)
        self.pointer = pointer
        self.keyword = keyword


class Document:
    """A schema whose references are resolved only once."""

    def __init__(self, schema: JsonValue) -> None:
        self.schema = schema
        self.is_draft_7 = dialect_of(schema) is Dialect.DRAFT_7
        self._references: dict[str, Reference] = {found.pointer: found for found in references(schema)}
        self._compiled: dict[str, CompiledSchema] = {}
        self._left = PLAIN_EVALUATIONS  # for all values in total

    def applying(self, pointer: str, schema: JsonValue) -> Applying:
        """Return the subschemas that apply at the place of a subschema. Raises UnreadableError."""
        found: list[Conjunct] = []
        is_possible = True
        for one in applicable(
            [(pointer, schema)], self._resolve_reference, most=_MOST, branches=_certainly, is_draft_7=self.is_draft_7,
            targets_first=True,
        ):  # fmt: skip
            if isinstance(one.schema, bool):
                is_possible = is_possible and one.schema
                continue
            if not isinstance(one.schema, dict):
                raise UnreadableError(one.pointer, "", "it is not a schema")
            if one.depth >= _LEVELS or len(found) == _MOST - 1:
                raise UnreadableError(one.pointer, "allOf", "its references and `allOf` form too long a chain")
            if "$dynamicRef" in one.schema:
                raise UnreadableError(f"{one.pointer}/$dynamicRef", "$dynamicRef", "`$dynamicRef` is not supported")
            found.append(Conjunct(one.pointer, one.schema))
        return tuple(found) if is_possible else None

    def accepts(self, pointer: str, value: JsonValue) -> bool | None:
        """Whether the subschema at a pointer accepts a value; None if that is unknown."""
        compiled = self._compiled.get(pointer)
        if compiled is None and self._left >= 0:
            compiled = self._compiled[pointer] = compile_schema(self.schema, pointer)
            self._left -= compiled.length  # the whole schema is copied for each
        self._left -= 0 if compiled is None else compiled.effort
        return accepts(compiled, value) if compiled is not None and self._left >= 0 else None

    def _resolve_reference(self, pointer: str, node: Schema) -> Iterator[Located]:
        if "$ref" in node:
            target = self._target(f"{pointer}/$ref")
            yield str(target.target_pointer), target.target

    def _target(self, pointer: str) -> Reference:
        found = self._references.get(pointer)
        if found is None or found.state is not ReferenceState.LOCAL or found.target is None:
            text = "" if found is None else f" `{found.text}`"
            raise UnreadableError(pointer, "$ref", f"the reference{text} does not resolve in the schema")
        return found


_certainly = partial(in_place, keywords=CERTAIN)


def branches_of(conjunct: Conjunct, keyword: str) -> tuple[Branch, ...]:
    """Return the subschemas that a keyword lists."""
    listed = conjunct.get(keyword)
    if not isinstance(listed, list):
        return ()
    return tuple((f"{conjunct.pointer}/{keyword}/{index}", branch) for index, branch in enumerate(listed))


def disjunction_of(applying: tuple[Conjunct, ...]) -> tuple[Conjunct, str] | None:
    """Return the first unresolved disjunction and its keyword."""
    for conjunct in applying:
        for keyword in ALTERNATIVES:
            if keyword not in conjunct.chosen and isinstance(conjunct.get(keyword), list):
                return conjunct, keyword
    return None


def properties_of(applying: tuple[Conjunct, ...]) -> dict[str, list[Branch]]:
    """Return the properties that are declared or required at a place, in order, with the subschemas for each.

    A name that only `required` contains has none. `additionalProperties` also applies to properties that only another
    subschema declares.
    """
    found: dict[str, list[Branch]] = {}
    for conjunct in applying:
        for name, schema in as_object(conjunct.get("properties")).items():
            found.setdefault(name, []).append((f"{conjunct.pointer}/properties/{escape(name)}", schema))
    for name in list_required(applying):
        found.setdefault(name, [])
    for conjunct in applying:
        if "additionalProperties" in conjunct.schema:
            declared = as_object(conjunct.get("properties"))
            branch = (f"{conjunct.pointer}/additionalProperties", conjunct.get("additionalProperties"))
            for name, branches in found.items():
                if name not in declared:
                    branches.append(branch)
    return found


def list_required(applying: tuple[Conjunct, ...]) -> dict[str, None]:
    """Return the names that are required at a place, in order."""
    return dict.fromkeys(name for conjunct in applying for name in strings(conjunct.get("required")))


def is_map(applying: tuple[Conjunct, ...]) -> bool:
    """Whether an object at a place declares no names: all of its names are undeclared."""
    return not any(conjunct.get("properties") or conjunct.get("required") for conjunct in applying)


def items_of(applying: tuple[Conjunct, ...], *, is_draft_7: bool) -> tuple[list[list[Branch]], list[Branch]]:
    """Return the subschemas for each of the first items of an array, and those for all later items."""
    heads: list[tuple[list[Branch], list[Branch]]] = []
    for conjunct in applying:
        pointer, items = conjunct.pointer, conjunct.get("items")
        if is_draft_7 and isinstance(items, list):
            first, rest, keyword = branches_of(conjunct, "items"), conjunct.get("additionalItems"), "additionalItems"
        else:
            first, rest, keyword = () if is_draft_7 else branches_of(conjunct, "prefixItems"), items, "items"
        heads.append((list(first), [] if rest is None else [(f"{pointer}/{keyword}", rest)]))
    length = max((len(first) for first, _ in heads), default=0)
    prefix = [[branch for first, rest in heads for branch in (first[i : i + 1] or rest)] for i in range(length)]
    return prefix, [branch for _, rest in heads for branch in rest]
