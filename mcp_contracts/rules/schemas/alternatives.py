"""The rule about values that are rejected because two alternatives of a `oneOf` accept them (MC341)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from mcp_contracts.contract import JsonValue
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.rules.base import ToolSchema, rule
from mcp_contracts.rules.schemas.names import within
from mcp_contracts.rules.schemas.required import below_branches
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.walk import SchemaNode
from mcp_contracts.schema.wording import shown_value

if TYPE_CHECKING:
    from mcp_contracts.rules.schemas.choices import Choice

_MOST_ALTERNATIVES = 8
_STEPS = 4_000  # for one schema


@rule("MC341", Severity.WARNING, since="0.2.0", needs=["oneOf"])
def overlapping_alternatives(schema: ToolSchema) -> Iterator[Finding]:
    """Two alternatives of a `oneOf` accept the same value, which is therefore rejected.

    `oneOf` accepts a value that matches exactly one alternative. An integer is also a number, so a `oneOf` with both
    types rejects all integers. Usually, `anyOf` was meant. The rule reports an alternative if the others accept all its
    values, and two alternatives that accept the same string, number, boolean or null. It does not report objects and
    arrays that match two alternatives, because some schemas use `oneOf` to require exactly one of several properties.
    """
    if schema.dialect is None:
        return
    negated = below_branches(schema, "/not", "/if")
    budget = Budget(_STEPS)
    for node in schema.having("oneOf"):
        branches = node.value["oneOf"]
        if not isinstance(branches, list) or not 2 <= len(branches) <= _MOST_ALTERNATIVES or budget.is_spent:
            continue
        is_ignored = schema.dialect is Dialect.DRAFT_7 and "$ref" in node.value
        if not is_ignored and not f"{node.pointer}/".startswith(negated):
            from mcp_contracts.rules.schemas.choices import Choice  # slow, and few schemas have a `oneOf`

            yield from _overlaps(schema, node, Choice.of(schema, node, budget))


def _overlaps(schema: ToolSchema, node: SchemaNode, choice: Choice) -> Iterator[Finding]:
    place = f"`oneOf`{within(node.pointer)}"
    pairs = [pair for pair in combinations(range(len(choice.branches)), 2) if choice.overlap(pair) is not None]
    useless = dict(_useless_alternatives(choice, pairs))
    for number, (others, value) in useless.items():
        pointer = f"{node.pointer}/oneOf/{number}"
        other = others[0]
        example = f"such as {shown_value(value)}"
        if len(others) == 1 and other in useless and useless[other][0] == [number]:
            if other < number:
                message = f"alternatives {other + 1} and {number + 1} of {place} accept the same values, {example}"
                yield schema.finding(f"{message}, so all of them are rejected", "remove one of them", pointer)
            continue
        accept, them = ("the others accept", "the others") if len(others) > 1 else _named(other)
        message = f"alternative {number + 1} of {place} can never be used: {accept} all its values, {example}"
        yield schema.finding(message, f"write `anyOf`, or exclude these values from {them}", pointer)
    for first, second in pairs if not useless else ():
        scalar = choice.scalar(first, second)
        if scalar is not None:
            message = f"{shown_value(scalar[0])} matches alternatives {first + 1} and {second + 1} of {place}"
            hint = "write `anyOf`, or accept it in only one of them"
            yield schema.finding(f"{message}, so it is rejected", hint, f"{node.pointer}/oneOf/{second}")
            return


def _named(number: int) -> tuple[str, str]:
    return f"alternative {number + 1} accepts", f"alternative {number + 1}"


def _useless_alternatives(
    choice: Choice, pairs: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, tuple[Sequence[int], JsonValue]]]:
    """Yield the alternatives of which others accept all values, with those others and one of the values."""
    for number in range(len(choice.branches)):
        if not choice.are_stating[number]:
            continue  # `{}` beside a branch that only requires properties forbids them
        others = [one for pair in pairs if number in pair for one in pair if one != number]
        for accepting in (*([other] for other in others), *([others] if len(others) > 1 else ())):
            if choice.includes(accepting, number):
                value = choice.value_of(number)
                if value is not None:
                    yield number, (accepting, value[0])
                break
