"""JSON values as tokens: arbitrary and enumerated ones, arrays and objects, and JSON inside a string."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from decimal import Decimal

from mcp_contracts.adapters.grammar.model import (
    EMPTY,
    NOTHING,
    CharacterSet,
    Expression,
    Reference,
    Repetition,
    Rule,
    Text,
    characters,
    choice,
    optional,
    rebuild,
    repetition,
    sequence,
)
from mcp_contracts.adapters.grammar.values.numbers import LONGEST, Limits, decimals, integers
from mcp_contracts.adapters.grammar.values.strings import QUOTE, write_text, written_character
from mcp_contracts.contract import JsonValue

SPACE = Repetition(Reference("space"), 0, 1)
"""Optional whitespace; empty in a grammar without the rule `space`."""
_COMMA = sequence(SPACE, Text(","), SPACE)

SPACE_RULE = Rule(
    "space",
    choice(Text(" "), sequence(optional(Text("\r")), Text("\n"), repetition(characters(" \t"), 0, 40))),
    is_token=True,
)
"""One space, or one new line with indentation: bounded, so that a model cannot write whitespace endlessly."""


def member(key: Expression, value: Expression) -> Expression:
    """Return an expression for a property: its name and its value."""
    return sequence(key, SPACE, Text(":"), SPACE, value)


def separate_by_commas(first: Expression, *more: Expression) -> Expression:
    """Return expressions separated by commas."""
    return sequence(first, *(sequence(_COMMA, item) for item in more))


def add_comma(item: Expression) -> Expression:
    """Return an expression for a comma and an item."""
    return sequence(_COMMA, item)


def enclose(opening: str, inner: Expression, closing: str, *, may_be_empty: bool) -> Expression:
    """Return an expression in brackets, optional if they may be empty."""
    filled = sequence(inner, SPACE)
    return sequence(Text(opening), SPACE, optional(filled) if may_be_empty else filled, Text(closing))


def repeat(item: Expression, low: int, high: int | None) -> Expression:
    """Return an expression repeated `low` to `high` times, at least once, separated by commas."""
    return sequence(item, repetition(add_comma(item), max(low, 1) - 1, None if high is None else high - 1))


_VALUE = Reference("value")
_ENTRY = member(Reference("string"), _VALUE)
RULES = (
    Rule(
        "value",
        choice(
            Reference("object"), Reference("array"), Reference("string"), Reference("number"),
            Text("true"), Text("false"), Text("null"),
        ),
    ),
    Rule("object", enclose("{", repeat(_ENTRY, 0, None), "}", may_be_empty=True)),
    Rule("array", enclose("[", repeat(_VALUE, 0, None), "]", may_be_empty=True)),
    Rule("number", decimals(Limits()), is_token=True),
    Rule("integer", integers(Limits()), is_token=True),
)  # fmt: skip
"""The rules for any value, number and integer."""


def write_value(value: JsonValue) -> Expression:
    """Return the only permitted form of a value."""
    if isinstance(value, dict):
        members = [member(Text(write_text(name)), write_value(item)) for name, item in value.items()]
        return enclose("{", separate_by_commas(*members), "}", may_be_empty=False) if members else _empty("{", "}")
    if isinstance(value, list):
        items = [write_value(item) for item in value]
        return enclose("[", separate_by_commas(*items), "]", may_be_empty=False) if items else _empty("[", "]")
    return Text(write_scalar(value))


def write_scalar(value: JsonValue) -> str:
    """Write a scalar as JSON; numbers without an exponent if they are short enough."""
    if isinstance(value, str):
        return write_text(value)
    if isinstance(value, float):
        return _write_float(value)
    if value is None or isinstance(value, bool | int):
        return json.dumps(value)
    raise TypeError(f"`{type(value).__name__}` is not a JSON scalar")


def _write_float(value: float) -> str:
    if value == 0:
        return "0"
    if value.is_integer() and abs(value) < 10 ** (LONGEST - 1):
        return str(int(value))
    plain = format(Decimal(repr(value)), "f")
    fraction = plain.partition(".")[2]
    return plain if len(fraction) <= LONGEST and len(plain) <= 2 * LONGEST and fraction else repr(value)


def _empty(opening: str, closing: str) -> Expression:
    return sequence(Text(opening), SPACE, Text(closing))


# Arrays and objects with optional items and properties


def object_of(
    members: Sequence[tuple[Expression, bool]], named: Callable[[Expression], Expression], *, may_be_empty: bool
) -> Expression:
    """Return an object of members in order, each with whether it is required.

    `named` creates a rule for an expression that is needed more than once: the members after a property are the same,
    regardless of which property comes first.
    """
    if not members:
        return _empty("{", "}") if may_be_empty else NOTHING
    required = [number for number, (_, is_required) in enumerate(members) if is_required]
    if required:
        first = required[0]
        before = (optional(sequence(expression, SPACE, Text(","), SPACE)) for expression, _ in members[:first])
        behind = (
            add_comma(expression) if is_required else optional(add_comma(expression))
            for expression, is_required in members[first + 1 :]
        )
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
            return _empty("[", "]")
        return enclose("[", repeat(item, low, high), "]", may_be_empty=low == 0)
    count = len(heads)
    tail = repetition(add_comma(item), max(low - count, 0), None if high is None else high - count)
    for number in reversed(range(1, count)):
        more = sequence(add_comma(heads[number]), tail)
        tail = more if number < low else optional(more)
    return enclose("[", sequence(heads[0], tail), "]", may_be_empty=low == 0)


# JSON inside a JSON string, the form of arguments in OpenAI's interface: each character is escaped


def quote(body: Expression) -> Expression:
    """Return a string that contains the JSON of an expression, whose rules are those of `quoted_rule`."""
    return sequence(QUOTE, _escape(body), QUOTE)


def quoted_rule(rule: Rule) -> Rule:
    """Return a rule in the form that it has inside a string; whitespace stays outside strings."""
    return rule if rule.name == SPACE_RULE.name else Rule(rule.name, _escape(rule.body), rule.is_token)


def _escape(body: Expression) -> Expression:
    match body:
        case Text(value):
            return Text(write_text(value)[1:-1])
        case CharacterSet(ranges):
            return written_character(ranges)
        case Reference(name):
            return EMPTY if name == SPACE_RULE.name else body
        case _:
            return rebuild(body, _escape)
