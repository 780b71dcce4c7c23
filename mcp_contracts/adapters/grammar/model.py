"""A format-independent model of grammars: rules over characters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from mcp_contracts.patterns.characters import Ranges, unite
from mcp_contracts.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Text:
    """A literal text."""

    value: str


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """One character of a set."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Sequence:
    """A sequence of expressions."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several expressions; without options, it matches nothing."""

    options: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Repetition:
    """An expression repeated `low` to `high` times; unbounded if `high` is None.

    If unbounded, `item` never matches the empty text, because some readers would not terminate.
    """

    item: Expression
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to a rule."""

    name: str


Expression = Text | CharacterSet | Sequence | Choice | Repetition | Reference

EMPTY = Sequence(())
NOTHING = Choice(())


@dataclass(frozen=True, slots=True)
class Rule:
    """A named expression. A token is one string, number or run of whitespace, and only refers to tokens.

    Outside tokens, a grammar is a sequence of JSON tokens, so that a reader with a lexer correctly uses the longest
    token.
    """

    name: str
    body: Expression
    is_token: bool = False


@dataclass(frozen=True, slots=True)
class Grammar:
    """Rules by name, in order. `root` matches a whole call; names consist of `a-z`, `0-9` and `-`."""

    rules: Mapping[str, Rule]
    root: str = "root"


def sequence(*items: Expression) -> Expression:
    """Return a sequence of expressions without empty ones; NOTHING if one of them is NOTHING."""
    flat: list[Expression] = []
    for item in items:
        if item == NOTHING:
            return NOTHING
        flat.extend(item.items if isinstance(item, Sequence) else (item,))
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def choice(*options: Expression) -> Expression:
    """Return a choice without duplicates and without NOTHING; character sets are merged into one."""
    flat: dict[Expression, None] = {}
    ranges: list[tuple[int, int]] = []
    for option in options:
        for part in option.options if isinstance(option, Choice) else (option,):
            if isinstance(part, CharacterSet):
                ranges.extend(part.ranges)
            else:
                flat[part] = None
    found = (*([CharacterSet(unite(ranges))] if ranges else []), *flat)
    return found[0] if len(found) == 1 else Choice(found)


def repetition(item: Expression, low: int, high: int | None) -> Expression:
    """Return a repetition in its simplest form."""
    if high == 0 or item == EMPTY:
        return EMPTY
    if item == NOTHING:
        return EMPTY if low == 0 else NOTHING
    if (low, high) == (0, 1) and isinstance(item, Repetition) and item.low <= 1:
        return Repetition(item.item, 0, item.high)
    return item if low == high == 1 else Repetition(item, low, high)


def optional(item: Expression) -> Expression:
    """Return an expression that may be omitted."""
    return repetition(item, 0, 1)


def characters(text: str) -> CharacterSet:
    """Return the set of the characters in a string."""
    return CharacterSet(unite((ord(character), ord(character)) for character in text))


def span(first: str, last: str) -> CharacterSet:
    """Return a set of the characters between two, inclusive."""
    return CharacterSet(((ord(first), ord(last)),))


def rebuild(body: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """Return an expression with each of its parts changed; text, sets and references have no parts."""
    match body:
        case Sequence(items):
            return sequence(*map(change, items))
        case Choice(options):
            return choice(*map(change, options))
        case Repetition(item, low, high):
            return repetition(change(item), low, high)
        case _:
            return body


def size_of(body: Expression, sizes: Mapping[str, int] | None = None, *, is_expanded: bool = False) -> int:
    """Return the number of strings, sets and references in an expression; a reference counts as its given size, or 1.

    With `is_expanded`, a repeated part counts as often as it is repeated.
    """
    match body:
        case Sequence(items) | Choice(items):
            return sum(size_of(item, sizes, is_expanded=is_expanded) for item in items)
        case Repetition(item, low, high):
            times = max(low, high or 0, 1) if is_expanded else 1
            return size_of(item, sizes, is_expanded=is_expanded) * times
        case Reference(name):
            return 1 if sizes is None else sizes.get(name, 1)
        case _:
            return 1


def references(body: Expression) -> Iterable[str]:
    """Yield the names of the rules that an expression refers to."""
    match body:
        case Reference(name):
            yield name
        case Sequence(items) | Choice(items):
            for item in items:
                yield from references(item)
        case Repetition(item):
            yield from references(item)


def prune(grammar: Grammar) -> Grammar:
    """Remove expressions that can never be completed, and unreferenced rules.

    For example, a schema that requires itself inside itself can never be completed.
    """
    finished = _completable_rules(grammar.rules.values())
    kept: dict[str, Rule] = {}
    pending = [grammar.root]
    reached = {grammar.root}
    while pending:
        rule = grammar.rules[pending.pop()]
        body = _within(rule.body, finished)
        kept[rule.name] = replace(rule, body=body)
        for name in references(body):
            if name not in reached:
                reached.add(name)
                pending.append(name)
    return Grammar({name: kept[name] for name in grammar.rules if name in kept}, grammar.root)


def is_finite(grammar: Grammar) -> bool:
    """Whether a grammar matches at least one text, rather than only endless ones."""
    return grammar.root in _completable_rules(grammar.rules.values())


def _completable_rules(rules: Iterable[Rule]) -> set[str]:
    finished: set[str] = set()
    waiting: dict[str, dict[str, Rule]] = {}
    pending = list(rules)
    while pending:
        rule = pending.pop()
        if rule.name in finished:
            continue
        missing = _find_missing(rule.body, finished)
        if missing is None:
            finished.add(rule.name)
            pending += waiting.pop(rule.name, {}).values()
            continue
        for name in missing:
            waiting.setdefault(name, {})[rule.name] = rule
    return finished


def _find_missing(body: Expression, finished: set[str]) -> set[str] | None:
    """Return rules, at least one of which an expression needs; None if the known rules can complete it."""
    match body:
        case Reference(name):
            return None if name in finished else {name}
        case Sequence(items):
            return next((missing for item in items if (missing := _find_missing(item, finished)) is not None), None)
        case Choice(options):
            waits = [missing for option in options if (missing := _find_missing(option, finished)) is not None]
            return set().union(*waits) if len(waits) == len(options) else None
        case Repetition(item, low):
            return None if low == 0 else _find_missing(item, finished)
        case _:
            return None


def _within(body: Expression, finished: set[str]) -> Expression:
    if isinstance(body, Reference):
        return body if body.name in finished else NOTHING
    return rebuild(body, lambda part: _within(part, finished))


def endless_rule(grammar: Grammar) -> str | None:
    """Return the first left-recursive rule, on which a left-to-right reader would not terminate."""
    begins = {rule.name: _beginnings(rule.body)[0] for rule in grammar.rules.values()}
    done: set[str] = set()
    for start in begins:
        path: dict[str, list[str]] = {start: sorted(begins[start])}
        while path:
            name, pending = next(reversed(path.items()))
            if not pending or name in done:
                done.add(name)
                del path[name]
                continue
            following = pending.pop()
            if following in path:
                return following
            if following not in done:
                path[following] = sorted(begins.get(following, ()))
    return None


def _beginnings(body: Expression) -> tuple[set[str], bool]:
    """Return the rules that an expression may begin with, and whether it may be empty. Rules are never empty."""
    match body:
        case Reference(name):
            return {name}, False
        case Text(value):
            return set(), not value
        case Sequence(items):
            found: set[str] = set()
            for item in items:
                names, may_be_empty = _beginnings(item)
                found |= names
                if not may_be_empty:
                    return found, False
            return found, True
        case Choice(options):
            pairs = [_beginnings(option) for option in options]
            return set().union(*(names for names, _ in pairs)), any(may_be_empty for _, may_be_empty in pairs)
        case Repetition(item, low):
            names, may_be_empty = _beginnings(item)
            return names, may_be_empty or low == 0
        case _:
            return set(), False
