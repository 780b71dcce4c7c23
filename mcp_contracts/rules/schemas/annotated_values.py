"""Compares annotations with schemas: finds and confirms values that only one of the two allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts.comparison.declared.policy import as_callers_send
from mcp_contracts.comparison.dialects import with_dialect
from mcp_contracts.comparison.notation import APPLICATORS
from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.decision import counterexample
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.references import follow, standalone
from mcp_contracts.schema.walk import subschemas
from mcp_contracts.witnesses.confirm import confirm
from mcp_contracts.witnesses.counterexamples import make_readable, sample_witness

_BUDGET = 2_000
_OF_ITEMS = frozenset(("items", "prefixItems"))
_STATING = APPLICATORS | {"type", "enum", "const"}


def unfit_value(schema: JsonValue, pointer: str, annotation: JsonValue) -> tuple[JsonValue] | None:
    """Return a small value that the subschema at `pointer` accepts and the annotation does not, or None.

    Both validators agree on it. Only explicit statements of the schema are compared with the annotation: objects have
    only declared names, and a missing type or missing items do not count as permission. The value is in a tuple,
    because it may be null.
    """
    dialect = dialect_of(schema)
    if dialect is None:
        return None
    is_draft_7 = dialect is Dialect.DRAFT_7
    node = follow(schema, pointer)
    if not isinstance(node, dict) or _STATING.isdisjoint(node):
        return None
    alone = with_dialect(standalone(schema, pointer, is_draft_7=is_draft_7), is_draft_7=is_draft_7)
    if not any(_OF_ITEMS & one.value.keys() for one in subschemas(alone)):
        annotation = _without_items(annotation)
    accepting = as_callers_send(alone).schema
    refusing = with_dialect(annotation, is_draft_7=is_draft_7)
    for value in _candidates(accepting, refusing):
        short = make_readable(value, accepting, refusing)
        for one in (short, value):
            if confirm(accepting, refusing, one).is_confirmed:
                return (one,)
    return None


def _candidates(accepting: JsonValue, refusing: JsonValue) -> Iterator[JsonValue]:
    found = counterexample((accepting,), (refusing,), Budget(_BUDGET))
    if found.answer == "yes":
        return
    sampled = sample_witness(accepting, refusing, budget=Budget(_BUDGET))
    if sampled is not None:
        yield sampled
    if found.has_witness:
        yield found.witness
    yield None


def _without_items(annotation: JsonValue) -> JsonValue:
    """Return an annotation that does not constrain the items of lists."""
    if isinstance(annotation, list):
        return [_without_items(one) for one in annotation]
    if isinstance(annotation, dict):
        return {keyword: _without_items(value) for keyword, value in annotation.items() if keyword != "items"}
    return annotation


def is_never_allowed(output: JsonValue, returned: Sequence[JsonValue]) -> bool:
    """Whether an output schema provably rejects the data of every kind of value that a function may return."""
    dialect = dialect_of(output)
    if dialect is None:
        return False
    is_draft_7 = dialect is Dialect.DRAFT_7
    any_object = with_dialect({"type": "object"}, is_draft_7=is_draft_7)
    if counterexample((any_object, output), (), Budget(_BUDGET)).answer == "yes":
        return False  # nothing satisfies the schema, so the schema is wrong
    return all(
        counterexample((with_dialect(data, is_draft_7=is_draft_7), output), (), Budget(_BUDGET)).answer == "yes"
        for one in returned
        for data in _data(one)
    )


def _data(returned: JsonValue) -> Iterator[JsonValue]:
    """Yield schemas of the data for a value: the value itself if it is an object, else under `result`."""
    wrapped: JsonValue = {
        "type": "object",
        "properties": {"result": {"allOf": [returned, {"not": {"type": "object"}}]}},
        "required": ["result"],
        "additionalProperties": False,
    }
    is_object = isinstance(returned, dict) and returned.get("type") == "object"
    if not is_object:
        yield wrapped
    if is_object or not (isinstance(returned, dict) and "type" in returned):
        yield {"allOf": [returned, {"type": "object"}]}
