"""Read calls whose arguments are elements: `<parameter=city>Paris</parameter>` and similar forms."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.free_text.json_spans import read_span
from mcp_contracts.adapters.free_text.notations import TOOL_NAME, NotationMatch, WrittenCall
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass

_MOST_SHOWN = 60
_SPACE = (" ", "\t", "\r", "\n")


@dataclass(frozen=True, slots=True)
class Elements:
    """A family's elements: `opening` has the groups `key` and `is_text`, `closing` ends a value, `end` ends the call.

    `stray` matches text that no value contains, because it begins or ends another element. `is_text` is `true` or
    `string` if the value is text, another word if it is JSON, and empty or absent if only the contract states it.
    """

    opening: re.Pattern[str]
    closing: re.Pattern[str]
    end: re.Pattern[str]
    stray: re.Pattern[str]


_DSML = r"(?:[|｜]\s?DSML\s?[|｜]|steptml:|antml:|xai:)?"
PARAMETERS = Elements(
    re.compile(
        rf"""\s*<{_DSML}parameter(?:=(?P<bare>[\w.\-]{{1,128}})
        |\s+name=(?P<quote>["'])(?P<key>[^"'<>]{{1,128}})(?P=quote)(?:\s+string="(?P<is_text>\w{{1,9}})")?)\s*>""",
        re.VERBOSE,
    ),
    re.compile(rf"</{_DSML}parameter>"),
    re.compile(rf"</{_DSML}(?:function|function_call|invoke)>"),
    re.compile(rf"</?{_DSML}(?:parameter|function|function_call|invoke|tool_call|function_calls)[\s=>]"),
)
ARGUMENT_PAIRS = Elements(  # GLM
    re.compile(r"\s*<arg_key>\s*(?P<key>[^<>]{1,128}?)\s*</arg_key>\s*<arg_value>"),
    re.compile(r"</arg_value>"),
    re.compile(r"</tool_call>"),
    re.compile(r"</?(?:arg_key|arg_value|tool_call)>"),
)
CHANNELS = Elements(  # Kimi K3
    re.compile(r'\s*<\|open\|>argument\s+key="(?P<key>[^"<>]{1,128})"(?:\s+type="(?P<is_text>\w{1,9})")?\s*<\|sep\|>'),
    re.compile(r"<\|close\|>argument<\|sep\|>"),
    re.compile(r"<\|close\|>call<\|sep\|>"),
    re.compile(r"<\|(?:open|close)\|>"),
)
_PAIRED_NAME = re.compile(rf"\s*({TOOL_NAME})\s*(?=<arg_key>|</tool_call>)")


def read_pairs(text: str, position: int) -> NotationMatch | None:
    """Read `NAME<arg_key>…` after `<tool_call>`, or return None if it does not follow."""
    name = _PAIRED_NAME.match(text, position)
    return None if name is None else read_elements(text, name.start(1), name.end(), name[1], ARGUMENT_PAIRS)


def read_elements(text: str, start: int, position: int, name: str, elements: Elements) -> NotationMatch:
    """Read the arguments of a call that begins at `start`, from `position` to the end of the call.

    Repeated arguments, values that contain elements of the same kind, and text between elements are faults.
    """
    arguments: dict[str, JsonValue] = {}
    texts: dict[str, str] = {}

    def broken(words: str, hint: str, at: int, *, is_cut_off: bool = False) -> NotationMatch:
        end = elements.end.search(text, at)
        return NotationMatch(start, len(text) if end is None else end.end(), (), words, hint, at, is_cut_off)

    while (opening := elements.opening.match(text, position)) is not None:
        found = opening.groupdict()
        key = found.get("bare") or found["key"] or ""
        closing = elements.closing.search(text, opening.end())
        if closing is None:
            return NotationMatch(
                start, len(text), (), "an element that is never closed", "close it", opening.start(), is_cut_off=True
            )
        stray = elements.stray.search(text, opening.end(), closing.start())
        if stray is not None:
            return broken("an element inside another", "close the first, or send JSON", stray.start())
        if key in arguments or key in texts:
            return broken(f"the repeated argument `{key[:_MOST_SHOWN]}`", "keep one of them", opening.start())
        value = text[opening.end() : closing.start()]
        kind = found.get("is_text")
        position = closing.end()
        if kind in ("true", "string"):
            arguments[key] = value
        elif kind is None:
            texts[key] = _without_margins(value)
        else:
            read = json_of(value)
            if read is None:
                return broken(f"the value of `{key[:_MOST_SHOWN]}` is not JSON", "write JSON", opening.end())
            arguments[key] = read[0]
    while text[position : position + 1] in _SPACE:
        position += 1
    end = elements.end.match(text, position)
    if end is None:
        is_cut_off = position == len(text)
        words = "a call that is never closed" if is_cut_off else "text between the elements of a call"
        return broken(words, "write only the elements", position, is_cut_off=is_cut_off)
    return NotationMatch(start, end.end(), (WrittenCall(name, start, end.end(), arguments, texts),))


def _without_margins(value: str) -> str:
    """Remove one line break at each end, which models write around a value."""
    for margin in ("\r\n", "\n"):
        if value.startswith(margin):
            value = value.removeprefix(margin)
            break
    return value.removesuffix("\n").removesuffix("\r")


def json_of(text: str) -> tuple[JsonValue] | None:
    """Parse whole text as strict JSON; return the value in a tuple, or None."""
    wrapped = f"[{text}]"
    span = read_span(wrapped, 0)
    if span.broken is not None or span.end != len(wrapped) or span.duplicates:
        return None
    return (span.value[0],) if isinstance(span.value, list) and len(span.value) == 1 else None
