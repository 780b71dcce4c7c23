"""Bound the work that a schema causes in a validator, so that an untrusted schema cannot stall a run.

Patterns, references and sizes multiply: thirty definitions that each refer to the next one twice cause a billion steps,
and a single pattern can cause more. MCP requires bounds on depth, subschemas and time (2026-07-28, `$ref` resolution).
All bounds count steps rather than seconds, so that a verdict is the same on every machine.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import NamedTuple
from mcp_contracts.schema.applicable import EVERY, in_place, inside, stands_alone
from mcp_contracts.schema.option_effort import option_steps
from mcp_contracts.schema.walk import SchemaNode

# Measured: a pattern of 1,000 states takes about 30 µs per character in the linear engine when its cache thrashes, and
# compiling takes 1 µs and 260 bytes for each weighted state. With these limits, the worst value found takes 0.2 s, and
# the worst schema 0.6 s and 130 MB.
LINEAR_STEPS = 5_000_000
"""Maximum of states times characters in the linear engine for one value."""
BACKTRACKING_STEPS = 50_000_000
"""Maximum of states times squared characters in the backtracking engine for one value."""
BACKTRACKING_CHARACTERS = 1_000
"""Maximum length of a string for the backtracking engine: some patterns are quadratic even without backtracking."""
COMPILED_STATES = 500_000
"""Maximum number of states of all patterns of a schema together, weighted by the cost of their character classes."""
PATTERN_CHARACTERS = 5_000
"""Maximum length of one pattern."""
EVALUATIONS = 200_000
"""Maximum number of evaluations (pairs of subschema and value) if references multiply them."""
PLAIN_EVALUATIONS = 20_000_000
"""Maximum of subschemas times values if nothing multiplies them."""

# Measured: beyond 1,000 levels in a thread with 512 KiB of stack, jsonschema-rs overflows it and kills the process.
EVALUATION_DEPTH = 500
"""Maximum depth of nested evaluations through references."""
VALUE_DEPTH = 200
"""Maximum nesting depth of a value; JSON readers stop at 128."""

# Measured: for `uniqueItems`, jsonschema-rs compares every pair of integers beyond 64 bits, in 0.8 µs each.
LARGE_NUMBERS = 1_000
"""Maximum number of integers beyond 64 bits in a value if items must be unique."""
_VISITS = 500_000  # pairs visited while counting evaluations; each takes 1 µs and 200 bytes
_LOOP = 500  # evaluations: jsonschema-rs takes up to 1 ms to notice a reference that leads back to what it judges
_EXACT, _WORD = 2**53 - 1, 2**63
_MANY_ITEMS = 50


class Pattern(NamedTuple):
    """A regular expression in a schema, and the JSON pointer of its text (or of its key in `patternProperties`)."""

    text: str
    pointer: str


class Size(NamedTuple):
    """The size of a JSON value.

    `values` counts all values, `characters` those of all strings and keys, `large_numbers` the integers beyond 64 bits.
    """

    values: int
    characters: int
    is_ascii: bool
    depth: int = 1
    large_numbers: int = 0


class UnfitValueError(ValueError):
    """Raised for a value that JSON text cannot represent or that is nested too deeply; the message says why."""


def size_of(value: JsonValue) -> Size:
    """Compute the size of a value.

    Raises UnfitValueError if it is nested too deeply, or contains a lone surrogate, an infinite number or a value that
    cannot be represented as JSON.
    """
    values = characters = depth = large = 0
    is_ascii = True
    # By identity, with the number of occurrences: a value that we built may contain the same row 30,000 times.
    level: dict[int, tuple[JsonValue, int]] = {id(value): (value, 1)}
    while level:
        depth += 1
        if depth > VALUE_DEPTH:
            raise UnfitValueError(f"is nested more than {VALUE_DEPTH} levels deep")
        below: dict[int, tuple[JsonValue, int]] = {}
        for item, times in level.values():
            values += times
            members: Iterable[JsonValue] = ()
            if isinstance(item, str):
                characters += len(item) * times
                is_ascii = _is_ascii(item) and is_ascii
            elif isinstance(item, dict):
                for key in item:
                    is_ascii = _is_ascii(key) and is_ascii
                    characters += len(key) * times
                members = item.values()
            elif isinstance(item, list):
                members = item
                if len(item) >= _MANY_ITEMS:
                    for member, count in distinct_items(item):
                        before = below[id(member)][1] if id(member) in below else 0
                        below[id(member)] = (member, before + times * count)
                    members = ()
            elif isinstance(item, float):
                if not math.isfinite(item):
                    raise UnfitValueError("contains a number that JSON or a double cannot represent")
            elif isinstance(item, int):
                large += 0 if -_WORD <= item < _WORD else times
            elif item is not None:
                raise UnfitValueError(f"contains a `{type(item).__name__}`, which JSON cannot represent")
            for member in members:
                number = id(member)
                below[number] = (member, times + below[number][1] if number in below else times)
        level = below
    return Size(values, characters, is_ascii, depth, large)


def distinct_items(items: Sequence[JsonValue]) -> Iterable[tuple[JsonValue, int]]:
    """Return the distinct objects among the items with their numbers of occurrences, without a Python step per item."""
    if len(items) < _MANY_ITEMS:
        return ((item, 1) for item in items)
    by_identity = dict(zip(map(id, items), items, strict=True))
    return [(by_identity[number], count) for number, count in Counter(map(id, items)).items()]


def _is_ascii(text: object) -> bool:
    if not isinstance(text, str):
        raise UnfitValueError("has a key that is not a string")
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UnfitValueError("contains a lone surrogate, which is not valid text") from error
    return False


def is_plain(
    value: dict[str, JsonValue] | list[JsonValue], room: int, levels: int = 100, *, needs_ascii: bool = False
) -> bool:
    """Whether an object or array is plain JSON with at most `levels` levels and `room` values and characters in total.

    Plain JSON contains objects, arrays, text without lone surrogates, booleans, null, integers that a double represents
    exactly, and finite floats; with `needs_ascii`, all text is ASCII. Optimized for speed (one or two microseconds):
    returns False if in doubt.
    """
    texts: list[str] = []
    left = _room_left(value, texts, room, levels)
    if left < 0:
        return False
    try:
        text = "".join(texts)  # one join is faster than checking each text
        if len(text) > left:
            return False
        if not text.isascii():
            if needs_ascii:
                return False
            text.encode()
    except (TypeError, UnicodeEncodeError):  # a key that is not a string, or a lone surrogate
        return False
    return True


def _room_left(value: Any, texts: list[str], room: int, levels: int) -> int:
    """Return `room` minus one for each value; negative if it is exhausted or a value is not plain."""
    room -= len(value)
    if room < 0 or levels < 1:
        return -1
    if type(value) is dict:
        texts.extend(value)
        value = value.values()
    for item in value:
        kind = type(item)
        if kind is str:
            texts.append(item)
        elif kind is int:
            if not -_EXACT <= item <= _EXACT:
                return -1
        elif kind is dict or kind is list:
            room = _room_left(item, texts, room, levels - 1)
            if room < 0:
                return -1
        elif kind is float:
            if item - item != 0.0:  # True for NaN and infinity
                return -1
        elif item is not None and kind is not bool:
            return -1
    return room


def strings_in(value: JsonValue) -> Iterator[str]:
    """Yield every string and every key inside a value."""
    stack: list[JsonValue] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            yield from item
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


_HOLDING_PATTERNS = frozenset(("pattern", "patternProperties"))


def patterns_in(nodes: tuple[SchemaNode, ...]) -> Iterator[Pattern]:
    """Yield every regular expression of a schema: values of `pattern`, and keys of `patternProperties`."""
    for node in nodes:
        if _HOLDING_PATTERNS.isdisjoint(node.value):
            continue
        text = node.value.get("pattern")
        if isinstance(text, str):
            yield Pattern(text, f"{node.pointer}/pattern")
        named = node.value.get("patternProperties")
        if isinstance(named, dict):
            names = (name for name in named if isinstance(name, str))
            yield from (Pattern(name, f"{node.pointer}/patternProperties/{escape(name)}") for name in names)


def too_large_pattern(patterns: Sequence[Pattern]) -> Pattern | None:
    """Return the largest pattern if the patterns together are too large to compile, otherwise None."""
    for pattern in patterns:
        if len(pattern.text) > PATTERN_CHARACTERS:
            return pattern
    if weight_of(patterns) <= COMPILED_STATES:
        return None
    return max(patterns, key=lambda pattern: states_of(pattern.text)[1])


def weight_of(patterns: Iterable[Pattern]) -> int:
    """Return the number of states of all patterns together, weighted by the cost of compiling them."""
    return sum(states_of(pattern.text)[1] for pattern in patterns)


_TOKEN = (
    r"(?s)(?P<repeat>\{(?P<low>\d++)(?P<comma>,)?(?P<high>\d*+)\})"
    r"|(?P<wide>\\[pP]\{[^}]{0,200}\}|\\[DSW]|\[(?:\^|(?=(?:[^\]\\]|\\[^pPDSWdsw])*+\\[pPDSWdsw]))(?:\\.|[^\]\\])*+(?:\]|\Z)|\.)"
    r"|(?P<atom>\\.|\[(?:\\.|[^\]\\])*+(?:\]|\Z))"
    r"|(?P<open>\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?)|(?P<close>\))|(?P<mark>[*+?|^$])|(?P<other>.)"
)
_WIDE_CLASS, _UNICODE_CLASS = 8, 400


@lru_cache(maxsize=2_000)  # the patterns of two schemas are estimated for each edit of one of them
def states_of(pattern: str) -> tuple[int, int]:
    """Estimate the states of a pattern with its repetitions expanded: unweighted, and weighted by their cost.

    `x{3}` counts as three, `(?:ab){10}` as twenty. Invalid patterns get an estimate as well. A class with many
    characters, such as `[^/]` or `\\p{L}`, is expensive to compile.
    """
    if "{" not in pattern:
        weight = _UNICODE_CLASS if _holds_unicode(pattern) else _WIDE_CLASS
        return len(pattern) + 1, (len(pattern) + 1) * weight
    levels, last = [[0, 0]], (0, 0)
    for match in re.finditer(_TOKEN, pattern):
        kind, text = match.lastgroup, match[0]
        if match["repeat"]:
            low, high = int(match["low"][:9]), int(match["high"][:9] or 0)
            times = max(low, high, 1) - 1
            levels[-1][0] += last[0] * times
            levels[-1][1] += last[1] * times
            last = (last[0] * (times + 1), last[1] * (times + 1))
        elif kind == "open":
            levels.append([0, 0])
        elif kind == "close":
            if len(levels) > 1:
                plain, weighted = levels.pop()
                last = (plain, weighted)
                levels[-1][0] += plain
                levels[-1][1] += weighted
        elif kind != "mark":
            if kind == "wide":
                weight = _UNICODE_CLASS if _holds_unicode(text) else _WIDE_CLASS
            else:
                weight = 1 if text.isascii() else _WIDE_CLASS
            last = (1, weight)
            levels[-1][0] += 1
            levels[-1][1] += weight
    return sum(level[0] for level in levels) + 1, sum(level[1] for level in levels) + 1


def _holds_unicode(text: str) -> bool:
    """Whether a class may have hundreds of ranges; `\\w` has few, because our engines only use its ASCII meaning."""
    return "\\p" in text.lower() or ("\\W" in text and text != r"\W")


class _TooManyError(Exception):
    pass


def unrolled_size(schema: JsonValue, targets: Mapping[int, JsonValue]) -> int | None:
    """Count the subschemas of a schema with its references expanded; None if they are recursive or too many."""
    sizes: dict[int, int | None] = {}
    stack: list[tuple[JsonValue, bool]] = [(schema, False)]
    while stack:
        part, is_done = stack.pop()
        if not isinstance(part, dict | list):
            continue
        below = [targets[id(part)]] if id(part) in targets else []
        below += part.values() if isinstance(part, dict) else part
        if is_done:
            held = [sizes.get(id(one), 0) for one in below if isinstance(one, dict | list)]
            total = 1 + sum(one or 0 for one in held)
            sizes[id(part)] = None if None in held or total > EVALUATIONS else total
        elif id(part) not in sizes:
            sizes[id(part)] = None  # in progress: a reference back to it is recursive
            stack.append((part, True))
            stack.extend((one, False) for one in below)
    return sizes.get(id(schema), 1)


def evaluations(schema: JsonValue, value: JsonValue, targets: Mapping[int, JsonValue], limit: int) -> int | None:
    """Count the pairs of subschema and value that a validator evaluates at most.

    Returns None beyond `limit` or the depth limit. `targets` maps the identity of each subschema to the target of its
    reference. A pair counts once for every path that leads to it, because a validator without a cache evaluates it
    every time, but it is visited only once.
    """
    known: dict[tuple[int, int], tuple[int, int]] = {}
    own: dict[int, int] = {}
    visits = 0

    def count(node: JsonValue, item: JsonValue, depth: int) -> tuple[int, int]:
        """Return the number of evaluations for a pair, including itself, and their depth."""
        nonlocal visits
        visits += 1
        if visits > _VISITS:
            raise _TooManyError
        if not isinstance(node, dict):
            return 1, 1
        key = (id(node), id(item))
        if key in known:
            if depth + known[key][1] > EVALUATION_DEPTH:
                raise _TooManyError
            return known[key]
        if depth > EVALUATION_DEPTH:
            raise _TooManyError
        known[key] = (_LOOP, 0)  # the cost of a reference back to this pair
        if id(node) not in own:
            own[id(node)] = 1 + option_steps(node.get("enum"))
        total, height = own[id(node)], 0
        for child, part, times in evaluated_next(node, item, targets):
            more, below = count(child, part, depth + 1)
            height = max(height, below)
            total += more * times
            if total > limit:
                raise _TooManyError
        known[key] = (total, height + 1)
        return known[key]

    try:
        return count(schema, value, 0)[0]
    except (_TooManyError, RecursionError):
        return None


def evaluated_next(
    node: dict[str, JsonValue], item: JsonValue, targets: Mapping[int, JsonValue]
) -> Iterator[tuple[JsonValue, JsonValue, int]]:
    """Yield the subschemas that a validator evaluates next after `node`, each with its value and number of occurrences.

    A value that we built may contain one item 30,000 times: it is counted rather than repeated.
    """
    if not stands_alone(node):
        if id(node) in targets:
            yield targets[id(node)], item, 1
        for _, key, branch in in_place(node, EVERY, idle=True):
            if not isinstance(key, str) or (isinstance(item, dict) and key in item):
                yield branch, item, 1
    if isinstance(item, dict):
        properties = node.get("properties")
        if isinstance(properties, dict):
            for name in properties if len(properties) < len(item) else item:  # either may be large
                if name in properties and name in item:
                    yield properties[name], item[name], 1
        for _, _, part in inside(node, "object", without="properties"):
            for member in item.values():
                yield part, member, 1
        if "propertyNames" in node:
            for member in item.values():
                yield node["propertyNames"], member, 1
    elif isinstance(item, list):
        for _, key, part in inside(node, "array"):
            if key is None:
                for member, times in distinct_items(item):
                    yield part, member, times
            elif isinstance(key, int) and key < len(item):
                yield part, item[key], 1
