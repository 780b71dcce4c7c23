"""Proves breaks without a search: names that only one schema requires, and values that only one lists."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from itertools import islice

from mcp_contracts.change import Witness
from mcp_contracts.comparison.fact import Fact, FactKind
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import unescape
from mcp_contracts.records import replace
from mcp_contracts.schema.references import follow
from mcp_contracts.schema.simple import as_list, as_object, value_key
from mcp_contracts.witnesses.candidates import build_variants
from mcp_contracts.witnesses.confirm import Judgment, confirm, quickly_judge
from mcp_contracts.witnesses.suggestions import outline_of

_MOST_TRIED = 3


class Proofs:
    """The breaks of two schemas that follow from one fact, for when a search takes too long or cannot decide."""

    def __init__(self, old: JsonValue, new: JsonValue, *, is_input: bool) -> None:
        self._is_input = is_input
        self._accepting, self._refusing = (old, new) if is_input else (new, old)
        self._least: dict[str, Witness | None] = {}  # the shortest value that reaches a place, if it is a proof

    def of(self, fact: Fact) -> Witness | None:
        """Return a value that the change of one fact breaks, without a search."""
        if fact.kind is FactKind.VALUES_CHANGED:
            return self._with_listed_value(fact)
        owner, pointer = (fact.new_owner, fact.new_pointer) if self._is_input else (fact.old_owner, fact.old_pointer)
        kind = FactKind.PROPERTY_REQUIRED if self._is_input else FactKind.PROPERTY_OPTIONAL
        if fact.kind is not kind or pointer is None or fact.name is None:
            return None
        steps = owner.split("/")[1:]
        if steps[::2] != ["properties"] * (len(steps) // 2) or len(steps) % 2:
            return None  # in other places it may be required only for some values
        if owner not in self._least:
            value: JsonValue = {}
            for name in reversed(steps[1::2]):
                value = {unescape(name): value}
            is_proof = (
                quickly_judge(self._accepting, value) is Judgment.VALID
                and quickly_judge(self._refusing, value) is Judgment.INVALID
            )
            self._least[owner] = Witness(value, "") if is_proof else None
        found = self._least[owner]
        return None if found is None else replace(found, error=f'"{fact.name}" is a required property')

    def _with_listed_value(self, fact: Fact) -> Witness | None:
        """Return a value with one that only the accepting schema lists, and whose names both list."""
        owners = (fact.old_owner, fact.new_owner) if self._is_input else (fact.new_owner, fact.old_owner)
        accepted, refused = (
            _listed_values(follow(schema, owner))
            for schema, owner in zip((self._accepting, self._refusing), owners, strict=True)
        )
        known = frozenset(map(value_key, refused))
        lost = (value for value in accepted if value_key(value) not in known)
        if not self._is_input:
            # Without the names that the old schema does not list, which consumers ignore, the value may be an old one.
            shapes = frozenset(map(_shape, refused))
            lost = (value for value in lost if _shape(value) in shapes)
        for value in islice(lost, _MOST_TRIED):
            whole = _embed(self._base, owners[0].split("/")[1:], value)
            if whole is None:
                return None
            confirmation = confirm(self._accepting, self._refusing, whole[0])
            if confirmation.is_confirmed:
                return Witness(whole[0], confirmation.error)
        return None

    @cached_property
    def _base(self) -> JsonValue:
        """A value that the accepting schema probably accepts."""
        return next(iter(build_variants(outline_of(self._accepting), (self._accepting,))), None)


def _listed_values(schema: JsonValue) -> Sequence[JsonValue]:
    node = as_object(schema)
    return [node["const"]] if "const" in node else as_list(node.get("enum"))


def _shape(value: JsonValue) -> Hashable:
    """Return the names in a value, with their places; None if it contains no object."""
    if isinstance(value, dict):
        return frozenset((name, _shape(member)) for name, member in value.items())
    inner = tuple(map(_shape, value)) if isinstance(value, list) else ()
    return inner if any(shape is not None for shape in inner) else None


def _embed(base: JsonValue, steps: Sequence[str], value: JsonValue) -> tuple[JsonValue] | None:
    """Return a base with a value at the place of a subschema, if that is a property or an item."""
    if not steps:
        return (value,)
    if steps[0] == "items":
        inner = _embed(None, steps[1:], value)
        return None if inner is None else ([inner[0]],)
    if steps[0] != "properties" or len(steps) < 2:
        return None
    name, around = unescape(steps[1]), as_object(base)
    inner = _embed(around.get(name), steps[2:], value)
    return None if inner is None else ({**around, name: inner[0]},)
