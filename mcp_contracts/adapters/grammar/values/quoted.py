"""JSON inside a JSON string, as OpenAI's interface has arguments: each character as the string writes it."""

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
from mcp_contracts.adapters.grammar.values.strings import QUOTE, written, written_character


def quoted(body: Expression) -> Expression:
    """Return a string that contains the JSON of an expression, whose rules are those of `quoted_rule`."""
    return sequence(QUOTE, _escaped(body), QUOTE)


def quoted_rule(rule: Rule) -> Rule:
    """Return a rule as a string contains it; whitespace stays outside of strings."""
    return rule if rule.name == SPACE_RULE.name else Rule(rule.name, _escaped(rule.body), rule.is_token)


def _escaped(body: Expression) -> Expression:
    match body:
        case Text(value):
            return Text(written(value)[1:-1])
        case CharacterSet(ranges):
            return written_character(ranges)
        case Reference(name):
            return EMPTY if name == SPACE_RULE.name else body
        case Sequence(items):
            return sequence(*map(_escaped, items))
        case Choice(options):
            return choice(*map(_escaped, options))
        case Repetition(item, low, high):
            return repetition(_escaped(item), low, high)
