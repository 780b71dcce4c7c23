"""One `oneOf`: whether its alternatives overlap, and values that are rejected because two accept them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from mcp_contracts.comparison.dialects import with_dialect
from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.decision import counterexample
from mcp_contracts.records import dataclass
from mcp_contracts.rules.base import ToolSchema
from mcp_contracts.rules.schemas.required import owner_of
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.references import follow, replace_at, shared_references, standalone
from mcp_contracts.schema.simple import as_list
from mcp_contracts.schema.walk import SchemaNode, subschemas
from mcp_contracts.witnesses.confirm import Judgment, confirm, quickly_judge
from mcp_contracts.witnesses.counterexamples import make_readable
from mcp_contracts.witnesses.sampling import NoSampleError, sample

_QUESTION_STEPS = 200
_SHAPING_STEPS = 100
_TAKEN_OUT_PER_STEP = 20  # subschemas visited to extract one of them
_SCALARS: JsonValue = {"type": ["string", "number", "boolean", "null"]}
_STATING = frozenset(("type", "enum", "const"))


@dataclass(frozen=True, slots=True)
class Choice:
    """One `oneOf`: its alternatives, and the whole schema that applies to the value.

    `loose` is the whole schema with `anyOf` instead, so a value that only `strict` rejects matches two alternatives.
    """

    branches: Sequence[JsonValue]
    are_stating: Sequence[bool]  # whether an alternative states types or values
    strict: JsonValue
    loose: JsonValue
    scalars: JsonValue
    budget: Budget

    @classmethod
    def of(cls, schema: ToolSchema, node: SchemaNode, budget: Budget) -> Choice:
        """Extract the alternatives of a `oneOf` from a schema. The work is charged to a budget."""
        is_draft_7 = schema.dialect is Dialect.DRAFT_7
        branches = as_list(node.value["oneOf"])
        budget.pay(len(schema.nodes) * (len(branches) + 2), per_step=_TAKEN_OUT_PER_STEP)

        def alone(root: JsonValue, pointer: str) -> JsonValue:
            taken = standalone(root, pointer, is_draft_7=is_draft_7) if pointer else root
            return with_dialect(taken, is_draft_7=is_draft_7)

        nodes = {one.pointer: one for one in schema.nodes}
        whole = node.pointer
        while whole in nodes and (owner := owner_of(nodes[whole])) is not None:
            whole = owner
        pointers = [f"{node.pointer}/oneOf/{number}" for number in range(len(branches))]
        targets = {one.pointer: one.target for one in shared_references(schema.value)}
        stated = [(follow(schema.value, pointer), targets.get(f"{pointer}/$ref")) for pointer in pointers]
        either: JsonValue = {"anyOf": branches}
        rest: dict[str, JsonValue] = {name: value for name, value in node.value.items() if name != "oneOf"}
        rest["allOf"] = [*as_list(rest.get("allOf")), either]
        return cls(
            [alone(schema.value, pointer) for pointer in pointers],
            [any(isinstance(one, dict) and not _STATING.isdisjoint(one) for one in both) for both in stated],
            alone(schema.value, whole),
            alone(replace_at(schema.value, node.pointer, rest), whole),
            with_dialect(_SCALARS, is_draft_7=is_draft_7),
            budget,
        )

    def overlap(self, pair: Sequence[int], *others: JsonValue) -> tuple[JsonValue] | None:
        """Return a value that some alternatives and other schemas accept, or None if none is found."""
        asked = [*(self.branches[number] for number in pair), *others]
        found = counterexample(asked, (), self.budget.part(_QUESTION_STEPS))
        return (found.witness,) if found.answer == "no" else None

    def includes(self, others: Sequence[int], number: int) -> bool:
        """Whether every value of an alternative is surely one of others, even where a format is checked."""
        accepting = [self.branches[other] for other in others]
        if any(_has_format(branch) for branch in accepting):
            return False
        found = counterexample((self.branches[number],), accepting, self.budget.part(_QUESTION_STEPS))
        return found.answer == "yes"

    def value_of(self, number: int) -> tuple[JsonValue] | None:
        """Return a readable value of an alternative that is rejected because others accept it too."""
        branch = self.branches[number]
        if _has_format(branch):
            try:
                return self._confirmed(sample(branch, Random(0)), number)
            except NoSampleError:
                return None
        found = self.overlap([number], self.loose)
        return None if found is None else self._confirmed(found[0], number)

    def scalar(self, *pair: int) -> tuple[JsonValue] | None:
        """Return a text, number, boolean or null that two alternatives accept and that is therefore rejected."""
        if not all(self.are_stating[number] for number in pair):
            return None
        found = self.overlap(pair, self.loose, self.scalars)
        value = None if found is None else self._confirmed(found[0], *pair)
        is_doubtful = value is not None and isinstance(value[0], str)
        return None if is_doubtful and any(_has_format(self.branches[number]) for number in pair) else value

    def _confirmed(self, value: JsonValue, *numbers: int) -> tuple[JsonValue] | None:
        def is_accepted(shaped: JsonValue) -> bool:
            return all(quickly_judge(self.branches[number], shaped) is Judgment.VALID for number in numbers)

        paying = self.budget.part(_SHAPING_STEPS)
        readable = make_readable(value, self.loose, self.strict, keeps=is_accepted, budget=paying)
        for one in (readable, value):
            if is_accepted(one) and confirm(self.loose, self.strict, one, self.budget).is_confirmed:
                return (one,)
        return None


def _has_format(schema: JsonValue) -> bool:
    return any("format" in node.value for node in subschemas(schema))
