"""How much work a schema asks of a validator, so that an untrusted one cannot stall a run.

Patterns, references and sizes multiply: thirty definitions that each refer twice to the next one ask for a billion
steps, and one pattern can ask for more. MCP wants depth, subschemas and time bounded (2026-07-28, `$ref` resolution).
All bounds count steps and never seconds, so that a verdict is the same on every machine.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.applicable import EVERY, in_place, inside, stands_alone
from mcp_contracts.schema.option_effort import option_steps
from mcp_contracts.schema.walk import SchemaNode, escape

# Measured: a pattern of 1,000 states takes about 30 µs a character in the linear engine when its cache thrashes, and a
# compiled `\p{L}{1,255}` takes 50 ms. With these, the worst value found takes 0.2 s and the worst schema 2 s.
LINEAR_STEPS = 5_000_000
"""How many states times characters the linear engine may go through for one value."""
BACKTRACKING_STEPS = 50_000_000
"""How many states times squared characters the backtracking engine may go through for one value."""
BACKTRACKING_CHARACTERS = 1_000
"""How long a string the backtracking engine gets: some patterns are quadratic without ever backtracking."""
COMPILED_STATES = 200_000
"""How many states all patterns of a schema may have together, weighted by what their character classes cost."""
PATTERN_CHARACTERS = 5_000
"""How long one pattern may be."""
EVALUATIONS = 200_000
"""How many pairs of subschema and value may be judged where references multiply them."""
PLAIN_EVALUATIONS = 20_000_000
"""The same where nothing multiplies: a bound on subschemas times values."""


# Measured: jsonschema-rs overflows its stack, and ends the process, past 1,000 levels in a thread of half a megabyte.
EVALUATION_DEPTH = 500
"""How deep judgements may nest in each other where references make them nest."""
VALUE_DEPTH = 200
"""How deep a value may nest; readers of JSON stop at 128."""

# Measured: where items are to be unique, jsonschema-rs compares each two whole numbers past 64 bits, in 0.8 µs.
LARGE_NUMBERS = 1_000
"""How many whole numbers past 64 bits a value may hold where items are to be unique."""
_VISITS = 500_000  # pairs that are looked at in order to count, which takes 1 µs and 200 bytes each
_EXACT = 2**53 - 1
_WORD = 2**63
_MANY_ITEMS = 50


class Pattern(NamedTuple):
    """A regular expression of a schema, and the JSON pointer of its text (or of the property it names)."""

    text: str
    pointer: str


class Size(NamedTuple):
    """How much a JSON value holds: all values, all characters of its strings and keys, whether those are ASCII, how
    deep it nests, and how many of its whole numbers need more than 64 bits."""

    values: int
    characters: int
    is_ascii: bool
    depth: int = 1
    large_numbers: int = 0


class UnfitValueError(ValueError):
    """A value that no JSON text can hold, or no reader takes; the message says why."""


def size_of(value: JsonValue) -> Size:
    """The size of a value.

    Raises UnfitValueError if it is nested too deeply, or contains a lone surrogate, an infinite number or a value
    that is not JSON.
    """
    values = characters = depth = large = 0
    is_ascii = True
    # By identity, with how often each value stands there: a value that we built may hold the same row 30,000 times.
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
                raise UnfitValueError(f"contains a `{type(item).__name__}`, which is not JSON")
            for member in members:
                number = id(member)
                below[number] = (member, times + below[number][1] if number in below else times)
        level = below
    return Size(values, characters, is_ascii, depth, large)


def distinct_items(items: Sequence[JsonValue]) -> Iterable[tuple[JsonValue, int]]:
    """The items that are different objects, each with how often it stands there, without a step of Python for each."""
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
    """Whether an object or array is plain JSON of at most `levels` levels, and `room` values and characters together.

    Plain are objects and arrays, text without lone surrogates, booleans, null, whole numbers that a double holds
    exactly, and other finite numbers; where `needs_ascii`, text is ASCII. Made for speed, it takes a microsecond or
    two: of a doubt it says no.
    """
    texts: list[str] = []
    left = _room_left(value, texts, room, levels)
    if left < 0:
        return False
    try:
        text = "".join(texts)  # at once, which is faster than one by one
        if len(text) > left:
            return False
        if not text.isascii():
            if needs_ascii:
                return False
            text.encode()
    except (TypeError, UnicodeEncodeError):  # a key that is no text, or a lone surrogate
        return False
    return True


def _room_left(value: Any, texts: list[str], room: int, levels: int) -> int:
    """What is left of `room` after one for each value; negative where it is used up or something is not plain."""
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
            if item - item != 0.0:  # NaN for what is not finite
                return -1
        elif item is not None and kind is not bool:
            return -1
    return room


def strings_in(value: JsonValue) -> Iterator[str]:
    """Every string and every key inside a value."""
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


def patterns_in(nodes: tuple[SchemaNode, ...]) -> Iterator[Pattern]:
    """Every regular expression of a schema: values of `pattern`, names under `patternProperties`."""
    for node in nodes:
        text = node.value.get("pattern")
        if isinstance(text, str):
            yield Pattern(text, f"{node.pointer}/pattern")
        named = node.value.get("patternProperties")
        if isinstance(named, dict):
            for name in named:
                yield Pattern(name, f"{node.pointer}/patternProperties/{escape(name)}")


def too_large_pattern(patterns: Sequence[Pattern]) -> Pattern | None:
    """The largest of some patterns, if they are too large together to be compiled."""
    states = 0
    for pattern in patterns:
        if len(pattern.text) > PATTERN_CHARACTERS:
            return pattern
        states += states_of(pattern.text)[1]
    return max(patterns, key=lambda pattern: states_of(pattern.text)[1]) if states > COMPILED_STATES else None


_TOKEN = (
    r"(?s)(?P<repeat>\{(?P<low>\d+)(?P<comma>,)?(?P<high>\d*)\})"
    r"|(?P<wide>\\[pP]\{[^}]*\}|\\[DSW]|\[\^(?:\\.|[^\]\\])*+\]|\[(?:\\.|[^\]\\])*\\[pPDSWdsw](?:\\.|[^\]\\])*+\]|\.)"
    r"|(?P<atom>\\.|\[(?:\\.|[^\]\\])*+\])"
    r"|(?P<open>\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?)|(?P<close>\))|(?P<mark>[*+?|^$])|(?P<other>.)"
)
_WIDE_CLASS = 8
_UNICODE_CLASS = 64


def states_of(pattern: str) -> tuple[int, int]:
    """About how many states a pattern has with its repetitions written out: plain, and weighted by their cost.

    `x{3}` counts as three, `(?:ab){10}` as twenty. A class of many characters, such as `[^/]` or `\\p{L}`, is dear to
    compile. An estimate: patterns that are not valid get one as well.
    """
    if "{" not in pattern:
        weight = _UNICODE_CLASS if "\\p" in pattern.lower() or "\\w" in pattern.lower() else _WIDE_CLASS
        return len(pattern) + 1, (len(pattern) + 1) * weight
    levels = [[0, 0]]
    last = (0, 0)
    for match in re.finditer(_TOKEN, pattern):
        kind = match.lastgroup
        text = match[0]
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
            weight = 1
            if kind == "wide":
                weight = _UNICODE_CLASS if "\\p" in text.lower() or "\\w" in text.lower() else _WIDE_CLASS
            elif not text.isascii():
                weight = _WIDE_CLASS
            last = (1, weight)
            levels[-1][0] += 1
            levels[-1][1] += weight
    return sum(level[0] for level in levels) + 1, sum(level[1] for level in levels) + 1


class _TooManyError(Exception):
    pass


def unrolled_size(schema: JsonValue, targets: Mapping[int, JsonValue]) -> int | None:
    """How many subschemas a schema has with its references written out; None where they come back, or for too many."""
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
            sizes[id(part)] = None  # while it is on its way: a reference that comes back to it has no end
            stack.append((part, True))
            stack.extend((one, False) for one in below)
    return sizes.get(id(schema), 1)


def evaluations(schema: JsonValue, value: JsonValue, targets: Mapping[int, JsonValue], limit: int) -> int | None:
    """How many pairs of subschema and value a validator judges at most; None past `limit`, or where they nest too deep.

    `targets` holds what each subschema's reference leads to, by the subschema's identity. Equal pairs are counted once
    for each way that leads to them, as a validator without a memory judges them, but only once visited.
    """
    known: dict[tuple[int, int], tuple[int, int]] = {}
    visits = 0

    def count(node: JsonValue, item: JsonValue, depth: int) -> tuple[int, int]:
        """The pairs below a pair and itself, and how deep they nest."""
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
        known[key] = (0, 0)  # a reference that comes back to the same pair adds nothing
        total, height = 1 + option_steps(node.get("enum")), 0
        for child, part, times in judged(node, item, targets):
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


def judged(
    node: dict[str, JsonValue], item: JsonValue, targets: Mapping[int, JsonValue]
) -> Iterator[tuple[JsonValue, JsonValue, int]]:
    """What a validator goes on to when it judges `item` by `node`: subschemas, each with a value and how often.

    A value that we built may hold one item 30,000 times, which is counted and not repeated.
    """
    if not stands_alone(node):
        if id(node) in targets:
            yield targets[id(node)], item, 1
        for _, key, branch in in_place(node, EVERY, idle=True):
            if not isinstance(key, str) or (isinstance(item, dict) and key in item):
                yield branch, item, 1
    if isinstance(item, dict):
        for keyword, key, part in inside(node, "object"):
            if keyword == "properties":
                if key in item:
                    yield part, item[key], 1
            else:
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
