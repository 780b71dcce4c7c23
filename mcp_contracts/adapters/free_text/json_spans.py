"""Find the end of a JSON value in text, parse it strictly, and explain why it is not valid JSON."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from json.decoder import JSONDecodeError, JSONDecoder
from typing import Any, Final, NoReturn

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.free_text import json_reader
from mcp_contracts.contract import JsonValue
from mcp_contracts.parsing.data.json_causes import Cause, likely_cause
from mcp_contracts.records import dataclass, field

_DEEPEST_INDENT = 1_000


# Tokens that matter in a broken value. Tags and fences end it if they are outside its strings.
_TOKEN = re.compile(
    r"""[{\[]+|[}\]]+|['“]|//|/\*|\n[ \t]*(?:```|~~~)[ \t]*(?=\r|\n|\Z)|</?[A-Za-z_][\w:.-]{0,40}>
    |"(?:[^"\\]|\\[\s\S]|"(?![ \t\r\n]*+(?:[,:}\]]|\Z)))*+"?  # up to a quote after which JSON can continue""",
    re.VERBOSE,
)
_ENDS: Final[Mapping[str, re.Pattern[str]]] = {
    "'": re.compile(r"['\\]"),
    "“": re.compile(r"[“”\\]"),
}
_STOPPING_TAG = re.compile(
    r"</?(?:(?:tool|function)_?calls?|tool_use|think|thinking)>|</(?:tool|function|invoke|action)>", re.IGNORECASE
)
_FENCES = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class JsonSpan:
    """A JSON value in text, from `start` to `end`, or the reason why it is `broken` (see `fault_of`).

    `spans` maps the `id` of each array and object to its place. `duplicates` are keys that an object repeats, with the
    offset of the second. `is_cut_off` means that the text ends before the value does. `steps` is the number of
    characters visited.
    """

    start: int
    end: int
    steps: int
    value: JsonValue = None
    broken: json_reader.JsonFault | None = None
    is_cut_off: bool = False
    spans: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    duplicates: tuple[tuple[str, int], ...] = ()


def read_span(
    text: str, start: int, *, in_fence: bool = False, last_comment_end: int | None = None, with_places: bool = False
) -> JsonSpan:
    """Read the array or object that begins at `start`, in time linear in its length for any text.

    A broken value extends to its closing bracket (not counting brackets in anything that looks like a string), or else
    to a tag around calls, to the end of its fence (`in_fence`), or to the end of the text. Do not search that part
    again: a value inside a string would be mistaken for one of the text. `last_comment_end` is `text.rfind("*/")`,
    which callers compute once for all values in the text. `spans` are only filled in if `with_places` is true, or if a
    key is repeated.
    """
    read = None if with_places else _read_quickly(text, start)
    if isinstance(read, json_reader.JsonFault):
        broken = read
    elif read is not None:
        return JsonSpan(start, read[1], read[1] - start, read[0])
    else:
        reader = json_reader.Reader(text, start)
        try:
            value = reader.read()
        except json_reader.BrokenError as error:
            broken = error.broken
        else:
            end = reader.position
            return JsonSpan(start, end, end - start, value, spans=reader.spans, duplicates=tuple(reader.duplicates))
    if _begins_anew(text, start, broken) or _stops(text, broken, in_fence=in_fence):
        end, is_closed, steps = broken.at, False, 0
    else:
        last = text.rfind("*/") if last_comment_end is None else last_comment_end
        end, is_closed, steps = _extent(text, start, last, in_fence=in_fence)
    steps += max(broken.at, end) - start
    is_cut_off = not is_closed and end == len(text) and _ends_early(text, broken)
    return JsonSpan(start, end, steps, broken=broken, is_cut_off=is_cut_off)


def fault_of(text: str, span: JsonSpan) -> Cause | None:
    """Return why a span is not valid JSON, and the offset of the error in the text, or None if it is JSON."""
    broken = span.broken
    if broken is None or broken.cause is not None:
        return None if broken is None else broken.cause
    part = text[span.start : span.end]
    at = min(broken.at - span.start, len(part))
    found = likely_cause(part, at, broken.message)
    if part.startswith('\\"', at):  # a mistake that models make and authors do not
        found = Cause("an escaped quote outside a string", 'write `"` without the backslash', at)
    return found._replace(at=span.start + max(0, found.at))


def _refuse_constant(_: object) -> NoReturn:
    raise ValueError


def _unique(members: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    """Return an object without repeated keys."""
    read = dict(members)
    return read if len(read) == len(members) else _refuse_constant(members)


_DECODER = JSONDecoder(
    object_pairs_hook=_unique,
    parse_int=lambda text: int(text) if len(text) <= json_reader.MOST_DIGITS else _refuse_constant(text),
    parse_float=lambda text: json_reader.finite_number(text, ".", 0),
    parse_constant=_refuse_constant,
)
_SCAN = _DECODER.scan_once  # type: ignore[attr-defined]  # unknown to typeshed
_MOST_RECURSION = 5_000
_SHORT = 500
_IN_WORD = re.compile(r"(?<=\w)\w")
_LONGEST_TOKEN = 20  # may be cut off; strings and numbers may be longer, but their errors are at the end


def _read_quickly(text: str, start: int) -> tuple[Any, int] | json_reader.JsonFault | None:
    """Return a value and its end, or why it is broken, using Python's decoder; None if the decoder cannot tell.

    A decoder error takes time linear in the length of its text, so a short part is read first. The decoder recurses in
    C, so it is not used if the program has raised the recursion limit.
    """
    if sys.getrecursionlimit() > _MOST_RECURSION:
        return None
    length = _SHORT
    while True:
        part = text[start : start + length]
        value = None
        try:
            value, at = _SCAN(part, 0)
            message = ""
        except JSONDecodeError as error:
            message, at = error.msg, error.pos
        except StopIteration as error:
            message, at = "Expecting value", error.value
        except (ValueError, RecursionError, json_reader.BrokenError):
            return None
        if message.startswith("Unterminated") or (message and at >= length - _LONGEST_TOKEN):
            if len(part) < length:
                return None
            length *= 8
            continue
        is_deep = part.count("{", 0, at) + part.count("[", 0, at) > json_reader.MAXIMUM_NESTING and (
            message or _is_deep(value)
        )
        is_unclear = message and (not message.startswith("Expecting") or _IN_WORD.match(part, at) is not None)
        if is_deep or is_unclear:
            return None
        return json_reader.JsonFault(message, start + at) if message else (value, start + at)


def _is_deep(value: JsonValue) -> bool:
    level = [value]
    for _ in range(json_reader.MAXIMUM_NESTING):
        inner = (child for held in level for child in (held.values() if isinstance(held, dict) else held))  # type: ignore[union-attr]  # containers only
        level = [child for child in inner if isinstance(child, dict | list)]
        if not level:
            return False
    return True


# Broken values


def _ends_early(text: str, broken: json_reader.JsonFault) -> bool:
    """Whether the only error is that the text ends."""
    if broken.cause is not None:
        return False
    if broken.message.startswith("Unterminated string"):
        return True
    return json_reader.SPACE.fullmatch(text, broken.at) is not None


def _begins_anew(text: str, start: int, broken: json_reader.JsonFault) -> bool:
    """Whether the next value begins on its own line, not indented deeper than this unfinished one.

    The text before it is valid JSON so far, so it cannot be in a string.
    """
    if broken.message != "Expecting ',' delimiter" or text[broken.at : broken.at + 1] not in ("{", "["):
        return False
    line = max(text.rfind("\n", start, broken.at), text.rfind("\r", start, broken.at)) + 1
    if not line or text[line : broken.at].strip(" \t"):
        return False
    earliest = max(0, start - _DEEPEST_INDENT)
    own = max(text.rfind("\n", earliest, start), text.rfind("\r", earliest, start), earliest - 1) + 1
    if broken.at - line > start - own:
        return False
    # In an array, the next value may only lack a comma.
    if "[" not in text[start : broken.at]:
        return True
    reader = json_reader.Reader(text, start)
    try:
        reader.read()
    except json_reader.BrokenError:
        return reader.is_in_objects()
    return False


def _stops(text: str, broken: json_reader.JsonFault, *, in_fence: bool) -> bool:
    """Whether a tag or the end of the fence interrupts the JSON and cannot be in a string."""
    if not broken.message.startswith("Expecting"):
        return False
    if _STOPPING_TAG.match(text, broken.at) is not None:
        return True
    return in_fence and text.startswith(_FENCES, broken.at) and text[broken.at - 1] in " \t\r\n"


def _extent(text: str, start: int, last_comment_end: int, *, in_fence: bool) -> tuple[int, bool, int]:
    """Return the end of a broken value, whether a bracket closes it there, and the number of characters read twice."""
    depth = 0
    position = start
    while (match := _TOKEN.search(text, position)) is not None:
        token = match[0]
        position = match.end()
        if token[0] in "{[":
            depth += len(token)
        elif token[0] in "}]":
            if depth <= len(token):
                position = match.start() + max(1, depth)
                return position, True, position - start
            depth -= len(token)
        elif token[0] == '"':
            pass
        elif token in _ENDS:
            if token != "'" or _begins_value(text, match.start()):
                position = _string_end(text, position, token)
        elif token == "//":
            if text[match.start() - 1] in " \t\r\n,{[":
                found = text.find("\n", position)
                position = len(text) if found < 0 else found
        elif token == "/*":
            if last_comment_end >= position:  # otherwise every value would be searched to the end of the text again
                position = text.find("*/", position) + 2
        elif token.startswith("\n"):
            if in_fence:
                return match.start(), False, position - start
        elif _STOPPING_TAG.fullmatch(token):
            return match.start(), False, position - start
    return len(text), False, len(text) - start


def _begins_value(text: str, at: int) -> bool:
    """Whether a single quote begins a key or a value, rather than being an apostrophe."""
    at -= 1
    while at >= 0 and text[at] in " \t\r\n":
        at -= 1
    return at >= 0 and text[at] in "{[,:("


def _string_end(text: str, position: int, opening: str) -> int:
    """Return the end of an apparent string: a quote after which JSON can continue, to ignore inner quotes."""
    pattern = _ENDS[opening]
    while (match := pattern.search(text, position)) is not None:
        if match[0] == "\\":
            position = match.end() + 1
            continue
        position = match.end()
        space = json_reader.SPACE.match(text, position)
        after = position if space is None else space.end()
        if after >= len(text) or text[after] in ",:}]":
            return position
    return len(text)
