"""Choose the reader for what follows a mark: elements, Python, Gemma's notation, or ReAct's input."""

from __future__ import annotations

from typing import Final

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.free_text.json_spans import read_span
from mcp_contracts.adapters.free_text.literals import first_callee, read_gemma, read_python
from mcp_contracts.adapters.free_text.marks import Form, Mark, MarkKind
from mcp_contracts.adapters.free_text.notations import CODE_FENCES, TOOL_NAME, NotationMatch, WrittenCall
from mcp_contracts.adapters.free_text.tagged import CHANNELS, PARAMETERS, read_elements, read_pairs
from mcp_contracts.records import replace

_NOTATION = re.compile(rf"\s*\[?\s*{TOOL_NAME}(?:\(|[:\s<])")
_SPACE = re.compile(r"\s*")
_JSON_START = re.compile(r"\s*(?:```\w{0,20}\s*)?[{\[]")
_INPUT = re.compile(r"[ \t]*([^\r\n]*?)[ \t]*(?=\r?\n|\Z)")
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
        fault = "an input that is not JSON and may be incomplete" if is_last else "a multi-line input"
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
