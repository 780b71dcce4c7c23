"""The syntax of regular expressions: the regular part of ECMA-262 with the flag `u`, parsed into a small tree.

Patterns outside that subset (back-references, word boundaries, flags, scripts), and constructs that engines interpret
differently, are rejected with a reason, so that conclusions about a tree hold for the pattern.
https://tc39.es/ecma262/#sec-patterns
"""

from __future__ import annotations

from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.patterns.characters import (
    CLASSES,
    LAST,
    NEWLINES,
    SURROGATES,
    Ranges,
    complement,
    property_members,
    unite,
)
from mcp_contracts.records import dataclass, field
from mcp_contracts.schema.effort import PATTERN_CHARACTERS

NESTING = 50
"""Maximum nesting depth of groups."""


class UnsafeError(Exception):
    """Raised for a pattern outside the subset; the message says why."""


@dataclass(frozen=True, slots=True)
class Characters:
    """One character of a set."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Chain:
    """A sequence of expressions."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several expressions."""

    options: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """An expression repeated `low` to `high` times; unbounded if `high` is None."""

    item: Node
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Edge:
    """The start or the end of the text."""

    is_start: bool


@dataclass(frozen=True, slots=True)
class Look:
    """A look-ahead or look-behind, positive or negative."""

    item: Node
    is_ahead: bool
    is_negative: bool


Node = Characters | Chain | Choice | Repeat | Edge | Look


@lru_cache(maxsize=512)
def read_expression(pattern: str) -> Node:
    """Parse a pattern. Raises UnsafeError outside the subset.

    Of Annex B, only constructs with the same meaning in all engines are accepted: escaped punctuation (`\\-`), a bare
    `]`, `}` or `{`, and a class next to a dash (`[\\w-.]`).
    """
    if len(pattern) > PATTERN_CHARACTERS:
        raise UnsafeError(f"it has more than {PATTERN_CHARACTERS:,} characters")
    if any(SURROGATES[0] <= ord(character) <= SURROGATES[1] for character in pattern):
        raise UnsafeError("it contains a lone surrogate, which is not valid text")
    reader = _Reader(pattern)
    node = reader.choice()
    if reader.position < len(pattern):
        raise UnsafeError("it has an unmatched closing parenthesis")
    if reader.is_lenient and (reader.is_unicode or any(ord(character) > 0xFFFF for character in pattern)):
        raise UnsafeError("it is not valid with the flag `u`, and means something else without it")
    return node


def width_of(node: Node) -> int | None:
    """Return the length of every match of an expression, or None if matches differ in length."""
    match node:
        case Characters():
            return 1
        case Edge() | Look():
            return 0
        case Chain(items):
            widths = [width_of(item) for item in items]
            return None if None in widths else sum(width or 0 for width in widths)
        case Choice(options):
            distinct = {width_of(option) for option in options}
            return distinct.pop() if len(distinct) == 1 else None
        case Repeat(item, low, high):
            width = width_of(item)
            return width * low if width is not None and (low == high or width == 0) else None


def has_look(node: Node) -> bool:
    """Whether an expression contains a lookaround."""
    match node:
        case Look():
            return True
        case Chain(parts) | Choice(parts):
            return any(has_look(part) for part in parts)
        case Repeat(item):
            return has_look(item)
        case _:
            return False


# Reading


_COUNT = r"\{([0-9]+)(?:(,)([0-9]*))?\}"
_CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_SYNTAX = frozenset("^$\\.*+?()[]{}|/")
_PUNCTUATION = frozenset(" !\"#%&',-:;=@_`~")  # not `<` and `>`, which some engines read as word edges


@dataclass(slots=True)
class _Reader:
    text: str
    position: int = 0
    depth: int = 0
    is_lenient: bool = False  # contains something that the flag `u` rejects
    is_unicode: bool = False  # contains something with another meaning without the flag
    names: set[str] = field(default_factory=set)

    def peek(self, length: int = 1) -> str:
        return self.text[self.position : self.position + length]

    def take(self, expression: str) -> re.Match[str] | None:
        """Advance past a match of our own regular expression at this position."""
        match = re.compile(expression).match(self.text, self.position)
        if match is not None:
            self.position = match.end()
        return match

    def choice(self) -> Node:
        options = [self.chain()]
        while self.peek() == "|":
            self.position += 1
            options.append(self.chain())
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def chain(self) -> Node:
        items: list[Node] = []
        while self.peek() not in ("", "|", ")"):
            item = self.read_repetition(self.atom())
            items.extend(item.items if isinstance(item, Chain) else (item,))
        return items[0] if len(items) == 1 else Chain(tuple(items))

    def read_repetition(self, item: Node) -> Node:
        before = self.position
        match = self.take(rf"(?:([*+?])|{_COUNT})\??") if self.peek() in ("*", "+", "?", "{") else None
        if match is None:
            return item
        if isinstance(item, Look) or (isinstance(item, Edge) and self.text[before - 1] != ")"):
            raise UnsafeError("it repeats an anchor or a lookaround")
        if match[1]:
            return Repeat(item, int(match[1] == "+"), 1 if match[1] == "?" else None)
        if max(len(match[2]), len(match[4] or "")) > 9:
            raise UnsafeError("it has a repetition count of more than nine digits")
        low = int(match[2])
        high = low if not match[3] else int(match[4]) if match[4] else None
        if high is not None and high < low:
            raise UnsafeError("the bounds of a quantifier are out of order")
        return Repeat(item, low, high)

    def atom(self) -> Node:
        character = self.peek()
        self.position += 1
        match character:
            case ".":
                return Characters(complement(NEWLINES))
            case "^" | "$":
                return Edge(character == "^")
            case "(":
                return self.group()
            case "[":
                return Characters(self.members())
            case "\\":
                return _characters(self.read_escape(in_class=False))
            case "*" | "+" | "?":
                raise UnsafeError("it has a quantifier with nothing to repeat")
            case "{" if re.compile(_COUNT).match(self.text, self.position - 1):
                raise UnsafeError("it has a quantifier with nothing to repeat")
            case "{" if re.compile(r"\{,[0-9]*\}").match(self.text, self.position - 1):
                raise UnsafeError("it has a quantifier without a lower bound, which engines read differently")
            case "{" | "]" | "}":
                self.is_lenient = True
        return _characters(ord(character))

    def group(self) -> Node:
        self.depth += 1
        if self.depth > NESTING:
            raise UnsafeError("its groups are nested too deeply")
        look = self.take(r"\?(<?)([=!])")
        if look is None and self.peek() == "?":
            match = self.take(r"\?(?::|<([A-Za-z_$][A-Za-z0-9_$]*)>)")
            if match is None:
                raise UnsafeError("it has a group that sets flags, or an unsupported group")
            if match[1] and match[1] in self.names:
                raise UnsafeError("it uses a group name twice")
            self.names.add(match[1] or "")
        item = self.choice()
        if self.peek() != ")":
            raise UnsafeError("it has an unclosed group")
        self.position += 1
        self.depth -= 1
        return item if look is None else Look(item, not look[1], look[2] == "!")

    def members(self) -> Ranges:
        is_negated = self.take(r"\^") is not None
        ranges: list[tuple[int, int]] = []
        while self.peek() != "]":
            low = self.member()
            if self.peek() == "-" and self.peek(2) not in ("-", "-]"):
                self.position += 1
                high = self.member()
                if isinstance(low, int) and isinstance(high, int):
                    if high < low:
                        raise UnsafeError("the bounds of a range are out of order")
                    ranges.append((low, high))
                    continue
                self.is_lenient = True
                ranges += [*_ranges(low), *_ranges(ord("-")), *_ranges(high)]
            else:
                ranges += _ranges(low)
        self.position += 1
        return complement(unite(ranges)) if is_negated else unite(ranges)

    def member(self) -> int | Ranges:
        character = self.peek()
        if not character:
            raise UnsafeError("it has an unclosed character class")
        self.position += 1
        return self.read_escape(in_class=True) if character == "\\" else ord(character)

    def read_escape(self, *, in_class: bool) -> int | Ranges:
        """Return the code point or class of an escape, after its backslash."""
        character = self.peek()
        self.position += 1
        if character in CLASSES:
            return CLASSES[character]
        if character in _CONTROLS:
            return _CONTROLS[character]
        if character in _SYNTAX or (in_class and character == "-"):
            return ord(character)
        if character in _PUNCTUATION:
            self.is_lenient = True
            return ord(character)
        if in_class and character == "b":
            return 8
        if character == "0" and not self.peek().isdigit():
            return 0
        if character == "c" and (letter := self.take(r"[A-Za-z]")):
            return ord(letter[0]) % 32
        if character == "x" and (digits := self.take(r"[0-9A-Fa-f]{2}")):
            return int(digits[0], 16)
        if character in ("p", "P") and (name := self.take(r"\{([A-Za-z_=]+)\}")):
            self.is_unicode = True
            ranges = property_members(name[1])
            if ranges is None:
                raise UnsafeError(f"`\\p{{{name[1]}}}` is not supported")
            return ranges if character == "p" else complement(ranges)
        if character == "u":
            return self.code_point()
        if character in ("b", "B"):
            raise UnsafeError("it has a word boundary, which engines treat differently")
        if character.isdigit() or character == "k":
            raise UnsafeError("it has a back-reference, or an octal escape")
        raise UnsafeError(f"it has the escape `\\{character}`, which engines read differently")

    def code_point(self) -> int:
        """Return the code point of a `\\u…`; a surrogate pair is one code point."""
        if match := self.take(r"\{([0-9A-Fa-f]{1,9})\}"):
            self.is_unicode = True
            code = int(match[1], 16)
        elif match := self.take(r"([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})"):
            self.is_unicode = True
            code = 0x10000 + ((int(match[1], 16) - 0xD800) << 10) + int(match[2], 16) - 0xDC00
        elif match := self.take(r"([0-9A-Fa-f]{4})"):
            code = int(match[1], 16)
            self.is_unicode = self.is_unicode or SURROGATES[0] <= code <= SURROGATES[1]
        else:
            raise UnsafeError("it has a `\\u` without a code point")
        if code > LAST:
            raise UnsafeError("it contains a code point that does not exist in Unicode")
        return code


def _characters(found: int | Ranges) -> Characters:
    return Characters(unite(_ranges(found)))


def _ranges(found: int | Ranges) -> Ranges:
    return ((found, found),) if isinstance(found, int) else found
