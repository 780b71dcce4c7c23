"""Arrays and objects as sequences of tokens, with optional items and properties."""

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
from mcp_contracts.adapters.grammar.values.json_values import SPACE, add_comma, enclose, repeat


def object_of(
    members: Sequence[tuple[Expression, bool]], named: Callable[[Expression], Expression], *, may_be_empty: bool
) -> Expression:
    """Return an object of members in order, each with whether it is required.

    `named` creates a rule for an expression that is needed more than once: the members after a property are the same,
    regardless of which property comes first.
    """
    if not members:
        return sequence(Text("{"), SPACE, Text("}")) if may_be_empty else NOTHING
    required = [number for number, (_, is_required) in enumerate(members) if is_required]
    if required:
        first = required[0]
        before = (optional(sequence(expression, SPACE, Text(","), SPACE)) for expression, _ in members[:first])
        behind = (_behind(*each) for each in members[first + 1 :])
        return enclose("{", sequence(*before, members[first][0], *behind), "}", may_be_empty=False)
    # One member comes first, and any later ones may follow.
    tail: Expression = EMPTY
    options: list[Expression] = []
    for number, (expression, _) in reversed(list(enumerate(members))):
        options.append(sequence(expression, tail))
        tail = sequence(optional(add_comma(expression)), tail)
        if 0 < number < len(members) - 1:
            tail = named(tail)
    return enclose("{", choice(*reversed(options)), "}", may_be_empty=may_be_empty)


def _behind(expression: Expression, is_required: bool) -> Expression:
    return add_comma(expression) if is_required else optional(add_comma(expression))


def array_of(heads: list[Expression], item: Expression, low: int, high: int | None) -> Expression:
    """Return an array of `low` to `high` items, which starts with `heads` and continues with `item`."""
    if item == NOTHING:
        high = len(heads) if high is None else min(high, len(heads))
    if high is not None:
        heads = heads[:high]
    if high is not None and high < low:
        return NOTHING
    if not heads:
        if high == 0:
            return sequence(Text("["), SPACE, Text("]"))
        return enclose("[", repeat(item, low, high), "]", may_be_empty=low == 0)
    count = len(heads)
    tail = repetition(add_comma(item), max(low - count, 0), None if high is None else high - count)
    for number in reversed(range(1, count)):
        more = sequence(add_comma(heads[number]), tail)
        tail = more if number < low else optional(more)
    return enclose("[", sequence(heads[0], tail), "]", may_be_empty=low == 0)
