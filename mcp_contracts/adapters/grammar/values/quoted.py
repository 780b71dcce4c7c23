"""JSON inside a JSON string, the form of arguments in OpenAI's interface: each character is escaped."""

from __future__ import annotations

from mcp_contracts.adapters.grammar.model import (
    EMPTY,
    CharacterSet,
    Choice,
    Expression,
    Reference,
    Repetition,
    Rule,
    Sequence,
    Text,
    choice,
    repetition,
    sequence,
)
from mcp_contracts.adapters.grammar.values.json_values import SPACE_RULE
from mcp_contracts.adapters.grammar.values.strings import QUOTE, write_text, written_character


def quote(body: Expression) -> Expression:
    """Return a string that contains the JSON of an expression, whose rules are those of `quoted_rule`."""
    return sequence(QUOTE, _escape(body), QUOTE)


def quoted_rule(rule: Rule) -> Rule:
    """Return a rule as a string contains it; whitespace stays outside of strings."""
    return rule if rule.name == SPACE_RULE.name else Rule(rule.name, _escape(rule.body), rule.is_token)


def _escape(body: Expression) -> Expression:
    match body:
        case Text(value):
            return Text(write_text(value)[1:-1])
        case CharacterSet(ranges):
            return written_character(ranges)
        case Reference(name):
            return EMPTY if name == SPACE_RULE.name else body
        case Sequence(items):
            return sequence(*map(_escape, items))
        case Choice(options):
            return choice(*map(_escape, options))
        case Repetition(item, low, high):
            return repetition(_escape(item), low, high)
