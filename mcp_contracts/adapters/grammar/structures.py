"""Arrays and objects as sequences of tokens, of the items and properties that may be absent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mcp_contracts.adapters.grammar.model import (
    EMPTY,
    NOTHING,
    Expression,
    Text,
    choice,
    optional,
    repetition,
    sequence,
)
from mcp_contracts.adapters.grammar.values import SPACE, enclosed, following, repeated


def object_of(
    members: Sequence[tuple[Expression, bool]], named: Callable[[Expression], Expression], *, may_be_empty: bool
) -> Expression:
    """An object of members in order, each with whether it is required.

    `named` makes a rule of an expression that is needed more than once: what follows a property does so whichever
    property comes first.
    """
    if not members:
        return sequence(Text("{"), SPACE, Text("}")) if may_be_empty else NOTHING
    first = next((number for number, (_, is_required) in enumerate(members) if is_required), len(members) - 1)
    tails: list[Expression] = [EMPTY] * (len(members) + 1)
    for number in reversed(range(1, len(members))):
        expression, is_required = members[number]
        more = following(expression)
        tail = sequence(more if is_required else optional(more), tails[number + 1])
        tails[number] = named(tail) if 1 < number <= first and number + 1 < len(members) else tail
    options = [sequence(members[number][0], tails[number + 1]) for number in range(first + 1)]
    is_optional = may_be_empty and not any(is_required for _, is_required in members)
    return enclosed("{", choice(*(option for option in options if option != NOTHING)), "}", may_be_empty=is_optional)


def array_of(heads: list[Expression], item: Expression, low: int, high: int | None) -> Expression:
    """An array whose first items are `heads` and whose others are each `item`, from `low` to `high` items long."""
    if item == NOTHING:
        high = len(heads) if high is None else min(high, len(heads))
    if high is not None:
        heads = heads[:high]
    if high is not None and high < low:
        return NOTHING
    if not heads:
        if high == 0:
            return sequence(Text("["), SPACE, Text("]"))
        return enclosed("[", repeated(item, low, high), "]", may_be_empty=low == 0)
    count = len(heads)
    tail = repetition(following(item), max(low - count, 0), None if high is None else high - count)
    for number in reversed(range(1, count)):
        more = sequence(following(heads[number]), tail)
        tail = more if number < low else optional(more)
    return enclosed("[", sequence(heads[0], tail), "]", may_be_empty=low == 0)
