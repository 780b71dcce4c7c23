"""Choose the reader for what follows a mark: elements, Python, Gemma's notation, or ReAct's input."""

from __future__ import annotations

from typing import Final

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.free_text.json_spans import read_span
from mcp_contracts.adapters.free_text.literals import first_callee, read_gemma, read_python
from mcp_contracts.adapters.free_text.marks import Form, Mark, MarkKind
from mcp_contracts.adapters.free_text.notations import CODE_FENCES, TOOL_NAME, NotationMatch, WrittenCall
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass, replace

_MOST_SHOWN = 60
_BLANKS = (" ", "\t", "\r", "\n")


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
    re.compile(r"\s*<arg_key>\s*+(?P<key>[^<>\s](?:[^<>]{0,126}[^<>\s])?)\s*+</arg_key>\s*<arg_value>"),
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
                return broken(f"the value of `{key[:_MOST_SHOWN]}` is not valid JSON", "write JSON", opening.end())
            arguments[key] = read[0]
    while text[position : position + 1] in _BLANKS:
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


_NOTATION = re.compile(rf"\s*+(?:\[\s*+)?{TOOL_NAME}(?:\(|[:\s<])")
_SPACE = re.compile(r"\s*")
_JSON_START = re.compile(r"\s*(?:```\w{0,20}\s*)?[{\[]")
_INPUT = re.compile(r"[ \t]*+((?:[^ \t\r\n]++|[ \t]++(?=[^ \t\r\n]))*+)[ \t]*+(?=\r?\n|\Z)")
_AFTER_INPUT = re.compile(
    r"\s*(?:```|[*_]{0,3}(?:Observation|Thought|Action|Final Answer|Question)(?: \d{1,3})?[*_]{0,3}\s?:)",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^[ \t]{0,20}(?:```|~~~)", re.MULTILINE)
_FAMILIES: Final = {Form.ELEMENTS: PARAMETERS, Form.CHANNELS: CHANNELS}
_LABELED_ARGUMENTS = re.compile(
    r"\s{0,5}[*_>\-\s]{0,5}(?:(?:action[ _]input|input|args|arguments|parameters|params|tool[ _]input|with)"
    r"(?:[ ]\w{1,10})?[*_]{0,3}\s{0,3}[:=]?[*_]{0,3})?\s{0,5}(?:```\w{0,20}\s{0,5})?(?P<value>[({\[])?",
    re.IGNORECASE,
)


def read_after_mark(text: str, mark: Mark) -> NotationMatch | None:
    """Read the call after a mark in its own notation; None if JSON, or nothing readable, follows."""
    if mark.kind is MarkKind.FENCE:
        return _read_fence(text, mark)
    if mark.form in _FAMILIES and mark.name is not None:
        elements = _FAMILIES[mark.form]
        follows = elements.opening.match(text, mark.end) or elements.end.match(text, _skip(text, mark.end))
        return read_elements(text, mark.start, mark.end, mark.name, elements) if follows else None
    if mark.form is Form.REACT and mark.name is not None:
        return None if _JSON_START.match(text, mark.end) else _read_input(text, mark, mark.name)
    if mark.name is not None or mark.form is Form.KEYED:
        return None
    if _NOTATION.match(text, mark.end) is None:
        return None
    if first_callee(text, mark.end) is not None:
        written = read_python(text, mark.end, is_block=True)
        if "python_tag" in text[mark.start : mark.end]:  # Llama 3 calls a method of its own tools
            calls = (replace(call, name=call.name.removesuffix(".call")) for call in written.calls)
            return replace(written, calls=tuple(calls))
        return written
    return read_gemma(text, mark.end) or read_pairs(text, mark.end)


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return position if match is None else match.end()


def _read_fence(text: str, mark: Mark) -> NotationMatch | None:
    """Read the calls in a fence. Anything else in Gemma's `tool_code` is a program."""
    if mark.name not in CODE_FENCES:
        return None
    if first_callee(text, mark.end) is not None:
        return read_python(text, mark.end, is_block=True)
    if mark.name != CODE_FENCES[0] or _JSON_START.match(text, mark.end) is not None:
        return None
    closing = _FENCE.search(text, mark.end)
    end = len(text) if closing is None else closing.start()
    fault, hint = "a program instead of calls", "write only calls, one per line"
    return NotationMatch(mark.start, end, (), fault, hint, mark.end, closing is None)


def _read_input(text: str, mark: Mark, name: str) -> NotationMatch:
    """Read a ReAct input that is not a JSON object: one line of text."""
    line = _INPUT.match(text, mark.end)
    value = "" if line is None else line[1]
    end = mark.end if line is None else line.end()
    if not value:
        return NotationMatch(
            mark.start, end, (), "an action without an input", "write a JSON object", end, end == len(text)
        )
    is_quoted = value[0] == value[-1] == '"' and len(value) > 1
    is_last = not text[end : end + 1_000].strip()
    if _AFTER_INPUT.match(text, end) is None and not (is_quoted and is_last):
        # The text may have been cut off in this line.
        fault = "an input that is not valid JSON and may be incomplete" if is_last else "a multi-line input"
        return NotationMatch(mark.start, end, (), fault, "write a JSON object", end, is_last)
    return NotationMatch(mark.start, end, (WrittenCall(name, mark.start, end, text=value),))


def labeled_end(text: str, mark: Mark) -> tuple[int, bool]:
    """Return the end of a line such as `Tool: name` with the arguments after it, and whether there are any."""
    follows = _LABELED_ARGUMENTS.match(text, mark.end)
    if follows is None or follows.end() == mark.end:
        return mark.end, False
    if follows["value"] == "{":
        return read_span(text, follows.start("value")).end, True
    if follows["value"] is not None:
        return _end_of_paragraph(text, follows.end()), True
    return (_end_of_paragraph(text, mark.end), True) if follows[0].strip() else (mark.end, False)


def _end_of_paragraph(text: str, position: int) -> int:
    end = text.find("\n\n", position)
    return len(text) if end < 0 else end
