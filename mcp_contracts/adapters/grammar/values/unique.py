"""Arrays of distinct items, if the items are a few scalars: the items so far decide which ones may follow."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from mcp_contracts.adapters.grammar import model
from mcp_contracts.adapters.grammar.model import Sequence as Chain
from mcp_contracts.adapters.grammar.values.json_values import SPACE, add_comma, enclose
from mcp_contracts.schema.json_equality import same_json

MOST_STATES = 2_000
"""Maximum number of sets of items that may already be written."""
_MOST_TEXTS = 100


def distinct_items(
    heads: Sequence[model.Expression],
    item: model.Expression,
    low: int,
    high: int | None,
    rules: Mapping[str, model.Rule],
    named: Callable[[model.Expression], model.Expression],
) -> model.Expression | None:
    """Return an array of `low` to `high` distinct items, which starts with `heads` and continues with `item`.

    `rules` are those of the schema; `named` creates a rule. Returns None unless the items are a few scalars, with so
    few sets of them that each can be a rule.
    """
    places = [*heads, item]
    texts = [texts_of(place, rules) for place in places]
    listed = [one for one in texts if one is not None]
    every = list(dict.fromkeys(text for one in listed for text in one))
    if len(listed) < len(places) or not _are_distinct(every):
        return None
    numbers = {text: number for number, text in enumerate(every)}
    most = len(every) if high is None else min(high, len(every))
    known: dict[tuple[int, int], model.Expression] = {}

    def after(used: int, count: int) -> model.Expression | None:
        """Return what follows `count` items, whose set is `used`; None if too many sets exist."""
        key = (used, min(count, len(heads)))
        if key not in known:
            if len(known) >= MOST_STATES:
                return None
            options = []
            for text in listed[key[1]] if count < most else ():
                mark = 1 << numbers[text]
                if not used & mark:
                    rest = after(used | mark, count + 1)
                    if rest is None:
                        return None
                    options.append(
                        model.sequence(model.Text(text), rest)
                        if count == 0
                        else add_comma(model.sequence(model.Text(text), rest))
                    )
            more = model.choice(*options)
            if count and isinstance(more, model.Choice) and more != model.NOTHING:
                more = named(more)
            known[key] = (
                model.optional(more) if count and count >= low else more if count < low or not count else model.EMPTY
            )
        return known[key]

    inner = after(0, 0)
    if inner is None:
        return None
    if inner == model.NOTHING:
        return model.sequence(model.Text("["), SPACE, model.Text("]")) if low == 0 else model.NOTHING
    return enclose("[", inner, "]", may_be_empty=low == 0)


def texts_of(expression: model.Expression, rules: Mapping[str, model.Rule]) -> list[str] | None:
    """Return all strings of an expression; None if it has many, or contains other rules than those given."""
    try:
        found = list(dict.fromkeys(_texts(expression, rules, frozenset())))
    except (_ManyError, KeyError):
        return None
    return found if len(found) <= _MOST_TEXTS else None


class _ManyError(Exception):
    """An expression has too many strings."""


def _texts(expression: model.Expression, rules: Mapping[str, model.Rule], around: frozenset[str]) -> Iterator[str]:
    match expression:
        case model.Text(value):
            yield value
        case model.CharacterSet(ranges):
            if sum(high - low + 1 for low, high in ranges) > _MOST_TEXTS:
                raise _ManyError
            yield from (chr(code) for low, high in ranges for code in range(low, high + 1))
        case model.Choice(options):
            found = [text for option in options for text in _texts(option, rules, around)]
            yield from _few(found)
        case Chain(items):
            found = [""]
            for item in items:
                found = _few([one + other for one, other in product(found, list(_texts(item, rules, around)))])
            yield from found
        case model.Repetition(item, low, high):
            if high is None or high > _MOST_TEXTS:
                raise _ManyError
            for count in range(low, high + 1):
                yield from _texts(Chain((item,) * count), rules, around)
        case model.Reference(name):
            if name in around:
                raise _ManyError
            yield from _texts(rules[name].body, rules, around | {name})


def _few(texts: list[str]) -> list[str]:
    if len(texts) > _MOST_TEXTS:
        raise _ManyError
    return texts


def _are_distinct(texts: list[str]) -> bool:
    """Whether strings are distinct scalars without a second form."""
    if len(texts) > _MOST_TEXTS:
        return False
    values = [json.loads(text) for text in texts]
    return not any(isinstance(value, dict | list) for value in values) and not any(
        same_json(one, other) for index, one in enumerate(values) for other in values[:index]
    )
