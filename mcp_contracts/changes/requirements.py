"""Prove without a search that a requirement breaks, with the shortest value that reaches its place."""

from __future__ import annotations

from mcp_contracts.change import Witness
from mcp_contracts.comparison.compare import Fact, FactKind
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import replace
from mcp_contracts.witnesses.confirm import Judgment, quickly_judge


class Requirements:
    """The names that only one of two schemas requires."""

    def __init__(self, old: JsonValue, new: JsonValue, *, is_input: bool) -> None:
        self._is_input = is_input
        self._accepting, self._refusing = (old, new) if is_input else (new, old)
        self._least: dict[str, Witness | None] = {}  # the shortest value that reaches a place, if it is a proof

    def proof(self, fact: Fact) -> Witness | None:
        """Return a value that lacks a name that only one side requires, without a search."""
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
                value = {name.replace("~1", "/").replace("~0", "~"): value}
            is_proof = (
                quickly_judge(self._accepting, value) is Judgment.VALID
                and quickly_judge(self._refusing, value) is Judgment.INVALID
            )
            self._least[owner] = Witness(value, "") if is_proof else None
        found = self._least[owner]
        return None if found is None else replace(found, error=f'"{fact.name}" is a required property')
