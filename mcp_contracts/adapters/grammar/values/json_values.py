"""JSON values as tokens: arbitrary values, and the values of an `enum`."""

from __future__ import annotations

from decimal import Decimal

from mcp_contracts.adapters.grammar.model import (
    Expression,
    Reference,
    Repetition,
    Rule,
    Text,
    characters,
    choice,
    optional,
    repetition,
    sequence,
)
from mcp_contracts.adapters.grammar.values.numbers import LONGEST, Limits, decimals, integers
from mcp_contracts.adapters.grammar.values.strings import write_text
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
    """Return a property: its name and its value."""
    return sequence(key, SPACE, Text(":"), SPACE, value)


def separate_by_commas(first: Expression, *more: Expression) -> Expression:
    """Return expressions separated by commas."""
    return sequence(first, *(sequence(_COMMA, item) for item in more))


def add_comma(item: Expression) -> Expression:
    """Return a comma and an expression."""
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
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return write_text(value)
        case int():
            return str(value)
        case float():
            return _write_float(value)
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
