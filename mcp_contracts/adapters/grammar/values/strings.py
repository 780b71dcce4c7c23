"""JSON strings: characters and escapes, lengths in characters, and patterns with the search semantics of ECMA-262.

A string with a pattern, and an enumerated string, has only one form: characters are literal if JSON permits it. All
other strings allow every JSON escape except lone surrogates.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from mcp_contracts.adapters.grammar.model import (
    EMPTY,
    NOTHING,
    CharacterSet,
    Expression,
    Reference,
    Rule,
    Text,
    characters,
    choice,
    repetition,
    sequence,
    size_of,
    span,
)
from mcp_contracts.patterns import syntax
from mcp_contracts.patterns.characters import ANY, SURROGATES, Ranges, complement, unite
from mcp_contracts.patterns.languages import TooHardError, find_string
from mcp_contracts.records import dataclass, replace

LONGEST = 100_000
"""Maximum repetition count in a grammar."""
LONGEST_TEXT = 10_000_000
"""Maximum `minLength` and `maxLength` of a string without a pattern."""
_MAXIMUM_VARIANTS = 200
QUOTE = Text('"')
"""The mark around a string."""
_ESCAPED: dict[int, str] = {0x22: '"', 0x5C: "\\", 0x08: "b", 0x09: "t", 0x0A: "n", 0x0C: "f", 0x0D: "r"}
_SPECIAL = unite([(0, 0x1F), (0x22, 0x22), (0x5C, 0x5C)])
_PLAIN = complement(_SPECIAL)
_HEX = CharacterSet(unite([(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)]))


class InexpressibleError(Exception):
    """A constraint of a string that a grammar cannot express: the keyword, and why."""

    def __init__(self, keyword: str, message: str) -> None:
        super().__init__(message)
        self.keyword = keyword


CHARACTER = Rule("character", choice(CharacterSet(_PLAIN), sequence(Text("\\"), Reference("escape"))), is_token=True)
ESCAPE = Rule(
    "escape",
    choice(
        characters('"\\/bfnrt'),
        sequence(Text("u"), Reference("code-unit")),
        sequence(Text("u"), characters("dD"), characters("89abAB"), _HEX, _HEX, Text("\\u"), Reference("low-half")),
    ),
    is_token=True,
)
CODE_UNIT = Rule(
    "code-unit",
    choice(
        sequence(
            CharacterSet(unite([(0x30, 0x39), (0x41, 0x43), (0x45, 0x46), (0x61, 0x63), (0x65, 0x66)])),
            _HEX,
            _HEX,
            _HEX,
        ),
        sequence(characters("dD"), span("0", "7"), _HEX, _HEX),
    ),
    is_token=True,
)
LOW_HALF = Rule("low-half", sequence(characters("dD"), characters("cdefCDEF"), _HEX, _HEX), is_token=True)
STRING = Rule("string", sequence(QUOTE, repetition(Reference("character"), 0, None), QUOTE), is_token=True)
RULES = (STRING, CHARACTER, ESCAPE, CODE_UNIT, LOW_HALF)
"""The rules for any string, and for any character in JSON form."""


@dataclass(frozen=True, slots=True)
class StringLimits:
    """The constraints of a string: its length in characters, and the patterns that it must match."""

    minimum: int = 0
    maximum: int | None = None
    patterns: tuple[str, ...] = ()

    def without(self, keyword: str) -> StringLimits:
        """Return the limits of all keywords except one."""
        match keyword:
            case "minLength":
                return replace(self, minimum=0)
            case "maxLength":
                return replace(self, maximum=None)
            case _:
                return replace(self, patterns=())


def write_text(text: str) -> str:
    """Write a string as JSON, in the only form that a grammar permits for enumerated strings."""
    return '"' + "".join(_write_character(ord(character)) for character in text) + '"'


def strings(limits: StringLimits) -> Expression:
    """Return the strings within limits. Raises InexpressibleError if a grammar cannot express them."""
    if limits.maximum is not None and limits.maximum < limits.minimum:
        return NOTHING
    if not limits.patterns:
        if limits.minimum == 0 and limits.maximum is None:
            return Reference("string")
        _check_size(limits.minimum, "minLength", LONGEST_TEXT)
        _check_size(limits.maximum, "maxLength", LONGEST_TEXT)
        return sequence(QUOTE, repetition(Reference("character"), limits.minimum, limits.maximum), QUOTE)
    try:
        variants = [variant for node in _read(_strongest_pattern(limits.patterns)) for variant in _searches(node)]
    except (syntax.UnsafeError, TooHardError) as error:
        raise InexpressibleError("pattern", f"a grammar cannot express the pattern: {error}") from error
    found = [_expression(node) for variant in variants for node in _fit_length(variant, limits)]
    for node in found:
        if size_of(node, is_expanded=True) > LONGEST:
            raise InexpressibleError("pattern", f"the pattern repeats something more than {LONGEST:,} times")
    return sequence(QUOTE, choice(*found), QUOTE)


def _check_size(size: int | None, keyword: str, longest: int) -> None:
    if size is not None and size > longest:
        raise InexpressibleError(keyword, f"`{keyword}` is over {longest:,}, the highest count in a grammar")


def _strongest_pattern(patterns: tuple[str, ...]) -> str:
    for pattern in patterns:
        if all(pattern == other or find_string([pattern], [other]) is None for other in patterns):
            return pattern
    raise InexpressibleError("pattern", "several patterns apply to one string, and none of them implies the others")


# Searching: a pattern matches anywhere, so without an anchor any text may surround the match


_ANYTHING = syntax.Repeat(syntax.Characters(ANY), 0, None)


def _read(pattern: str) -> Iterator[syntax.Node]:
    node = syntax.read_expression(pattern)
    yield from node.options if isinstance(node, syntax.Choice) else (node,)


def _searches(node: syntax.Node) -> Iterator[syntax.Chain]:
    """Yield the chains, without anchors, that match a whole text in which an expression matches somewhere."""
    for items in _spread(node):
        start = next((index for index, item in enumerate(items) if item != syntax.Edge(True)), len(items))
        end = next((index for index in range(len(items), start, -1) if items[index - 1] != syntax.Edge(False)), start)
        inner = items[start:end]
        if any(_has_edge(item) for item in inner):
            raise syntax.UnsafeError("it has an anchor where a match may continue")
        before = () if start else (_ANYTHING,)
        behind = () if end < len(items) else (_ANYTHING,)
        yield syntax.Chain((*before, *inner, *behind))


def _spread(node: syntax.Node) -> Iterator[tuple[syntax.Node, ...]]:
    """Yield an expression as chains whose items contain no anchors, if the anchors are only in choices."""
    items = node.items if isinstance(node, syntax.Chain) else (node,)
    spread: list[list[tuple[syntax.Node, ...]]] = []
    count = 1
    for item in items:
        if isinstance(item, syntax.Choice) and _has_edge(item):
            spread.append([chain for option in item.options for chain in _spread(option)])
        elif isinstance(item, syntax.Chain):
            spread.append(list(_spread(item)))
        else:
            spread.append([(item,)])
        count *= len(spread[-1])
        if count > _MAXIMUM_VARIANTS:
            raise syntax.UnsafeError("it has too many anchors inside alternatives")
    for parts in product(*spread):
        yield tuple(item for part in parts for item in part)


def _has_edge(node: syntax.Node) -> bool:
    match node:
        case syntax.Edge() | syntax.Look():
            return True
        case syntax.Chain(parts) | syntax.Choice(parts):
            return any(_has_edge(part) for part in parts)
        case syntax.Repeat(item):
            return _has_edge(item)
        case _:
            return False


# Lengths


def _widths(node: syntax.Node) -> tuple[int, int | None]:
    """Return the minimum and maximum number of characters that an expression matches; None for no maximum."""
    match node:
        case syntax.Characters():
            return 1, 1
        case syntax.Chain(items):
            widths = [_widths(item) for item in items]
            high = None if any(most is None for _, most in widths) else sum(most or 0 for _, most in widths)
            return sum(least for least, _ in widths), high
        case syntax.Choice(options):
            widths = [_widths(option) for option in options] or [(1, 1)]
            high = None if any(most is None for _, most in widths) else max(most or 0 for _, most in widths)
            return min(least for least, _ in widths), high
        case syntax.Repeat(item, low, high_count):
            least, most = _widths(item)
            if most == 0:
                return 0, 0
            return least * low, None if high_count is None or most is None else most * high_count
        case _:
            return 0, 0


def _fit_length(chain: syntax.Chain, limits: StringLimits) -> Iterator[syntax.Node]:
    """Yield a chain without matches outside the limits. If only one part varies in length, it is restricted."""
    low, high = limits.minimum, limits.maximum
    least, most = _widths(chain)
    if (high is not None and least > high) or (most is not None and most < low):
        return
    if least >= low and (high is None or (most is not None and most <= high)):
        yield chain
        return
    varying = [index for index, item in enumerate(chain.items) if _widths(item)[0] != _widths(item)[1]]
    keyword = "minLength" if least < low else "maxLength"
    item = chain.items[varying[0]]
    if len(varying) != 1 or not isinstance(item, syntax.Repeat) or _widths(item.item) != (1, 1):
        raise InexpressibleError(keyword, f"a grammar cannot combine `{keyword}` with this pattern")
    fixed = least - item.low
    longest = item.high if high is None else high - fixed if item.high is None else min(item.high, high - fixed)
    for size in (low - fixed, longest):
        _check_size(size, keyword, LONGEST)
    cut = syntax.Repeat(item.item, max(item.low, low - fixed), longest)
    yield syntax.Chain((*chain.items[: varying[0]], cut, *chain.items[varying[0] + 1 :]))


# Expressions for characters in JSON form


def _expression(node: syntax.Node) -> Expression:
    match node:
        case syntax.Characters(ranges):
            return written_character(ranges)
        case syntax.Chain(items):
            return sequence(*map(_expression, items))
        case syntax.Choice(options):
            return choice(*map(_expression, options))
        case syntax.Repeat(item, low, high):
            if _widths(item)[0] == 0:
                item, low = _without_empty_match(item), 0
            return repetition(_expression(item), low, high)
        case _:
            return EMPTY


def _without_empty_match(node: syntax.Node) -> syntax.Node:
    if _widths(node)[0] > 0:
        return node
    match node:
        case syntax.Chain(items):
            options = [
                syntax.Chain((_without_empty_match(item), *items[index + 1 :]))
                for index, item in enumerate(items)
                if _widths(item)[1] != 0
            ]
            return syntax.Choice(tuple(options))
        case syntax.Choice(options):
            return syntax.Choice(tuple(_without_empty_match(option) for option in options))
        case syntax.Repeat(item, _, high):
            return (
                syntax.Repeat(_without_empty_match(item), 1, high)
                if _widths(item)[1] != 0 and high != 0
                else syntax.Choice(())
            )
        case _:
            return syntax.Choice(())


def written_character(ranges: Ranges) -> Expression:
    """Return one character of a set, escaped if JSON requires it."""
    plain = _intersection(ranges, _PLAIN)
    options: list[Expression] = [CharacterSet(plain)] if plain else []
    escaped = [code for low, high in _intersection(ranges, _SPECIAL) for code in range(low, high + 1)]
    short = [_ESCAPED[code] for code in escaped if code in _ESCAPED]
    if short:
        options.append(sequence(Text("\\"), characters("".join(short))))
    for head in ("0", "1"):
        last = [f"{code:02x}"[1] for code in escaped if code not in _ESCAPED and f"{code:02x}"[0] == head]
        if last:
            options.append(sequence(Text(f"\\u00{head}"), characters("".join(last))))
    return choice(*options)


def _intersection(one: Ranges, other: Ranges) -> Ranges:
    return complement(unite((*complement(one), *complement(other))))


def _write_character(code: int) -> str:
    if code in _ESCAPED:
        return "\\" + _ESCAPED[code]
    is_half = SURROGATES[0] <= code <= SURROGATES[1]  # UTF-8 cannot encode it
    return f"\\u{code:04x}" if code < 0x20 or is_half else chr(code)
