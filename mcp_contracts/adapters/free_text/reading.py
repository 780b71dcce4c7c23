"""Find the tool calls in a model's free text, with their places, and check them against their contracts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.free_text.json_spans import JsonSpan, fault_of, read_span
from mcp_contracts.adapters.free_text.known_tools import CallError, KnownTools
from mcp_contracts.adapters.free_text.marks import Mark, MarkKind, is_alone, line_starts, next_mark
from mcp_contracts.adapters.free_text.shapes import Misfit, SpelledCall, repeated_key, resembles_call, spelled_calls
from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import MCPErrorDetail, MCPToolCall, json_value
from mcp_contracts.parsing.text import shortened
from mcp_contracts.providers.names import NameMap
from mcp_contracts.records import dataclass, field
from mcp_contracts.tool_names import Tools

LONGEST_TEXT = 1_000_000
_MOST_NEAR = 1_000


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A span of the text: offsets (the end is exclusive), and the line and column of its start, from 1.

    Offsets and columns count code points. Lines end at LF, CR or CRLF.
    """

    start: int
    end: int
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class FoundCall:
    """A call in the text: the name as written, the arguments, the place of its object, and its errors.

    `call` is the message to run, with the dotted name; None if a message cannot carry the name. `errors` are those of
    the contract, empty if the call may be run.
    """

    name: str
    arguments: dict[str, JsonValue]
    place: TextPlace
    call: MCPToolCall | None
    errors: tuple[CallError, ...] = ()

    @property
    def error(self) -> MCPErrorDetail | None:
        """The error to answer the model, or None if the call may be run."""
        if not self.errors:
            return None
        first = self.errors[0]
        rest = len(self.errors) - 1
        more = f", and {rest} more fault{'' if rest == 1 else 's'}" if rest else ""
        faults = [{"pointer": error.pointer, "message": error.message, "hint": error.hint} for error in self.errors]
        return MCPErrorDetail(
            error_type=first.error_type, error_message=f"{first.message}{more}", error_details={"faults": faults}
        )


@dataclass(frozen=True, slots=True)
class NearCall:
    """Something meant as a call that is not one: its place and shortened text, the fault with its place, and a hint.

    `is_cut_off` means that the text ends before the call does.
    """

    place: TextPlace
    text: str
    fault: str
    fault_place: TextPlace
    hint: str | None = None
    is_cut_off: bool = False

    @property
    def error(self) -> MCPErrorDetail:
        """The error to answer the model."""
        at = self.fault_place
        message = f"the tool call in line {self.place.line} cannot be read: {self.fault}"
        details = {"line": at.line, "column": at.column, "hint": self.hint, "text": self.text}
        return MCPErrorDetail(error_type="ValidationError", error_message=message, error_details=details)


@dataclass(frozen=True, slots=True)
class ParsedCalls:
    """The calls of a text, and what was meant as a call, each in the order of the text.

    `more_near` counts the near calls beyond the first 1,000. `steps` counts the characters visited, some of them twice.
    """

    calls: tuple[FoundCall, ...] = ()
    near: tuple[NearCall, ...] = ()
    more_near: int = 0
    steps: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether every call may be run, and nothing else was meant as a call."""
        return not self.near and not any(call.errors for call in self.calls)


def parse_tool_calls(
    text: str,
    tools: Tools | None = None,
    *,
    names: NameMap | None = None,
    longest: int = LONGEST_TEXT,
) -> ParsedCalls:
    """Find the tool calls in a model's text: arrays, objects, fences, tags or JSON lines, surrounded by prose.

    With `tools`, each call is checked against the newest version of its contract; `names` are a provider's. Only strict
    JSON is a call: text that is nearly a call is reported in `near`, and never repaired. Thinking, and tool lists and
    results that the model repeats, contain no calls. Takes linear time and never raises for any text; a text of more
    than `longest` characters is reported without being read. Raises UsageError if two tools have the same name.
    """
    known = KnownTools.of(tools, names)
    search = _Search(text, known)
    if len(text) > longest:
        search.report(0, len(text), f"the text is longer than {longest:,} characters", "write less around the calls")
    else:
        search.run()
    return ParsedCalls(tuple(search.calls), tuple(search.near), search.more_near, search.steps)


@dataclass(slots=True)
class _Search:
    text: str
    known: KnownTools
    calls: list[FoundCall] = field(default_factory=list)
    near: list[NearCall] = field(default_factory=list)
    more_near: int = 0
    steps: int = 0
    position: int = 0
    _is_in_fence: bool = False
    _tag: Mark | None = None  # announces a call that has not been found yet
    _brackets: dict[str, int] = field(default_factory=lambda: {"{": 0, "[": 0})  # open brackets in prose
    _lines: list[int] = field(default_factory=list)
    _last_comment_end: int = -1

    def run(self) -> None:
        self._last_comment_end = self.text.rfind("*/")
        while (mark := next_mark(self.text, self.position)) is not None:
            self.steps += mark.end - self.position
            self.position = mark.end
            match mark.kind:
                case MarkKind.OPEN:
                    self._open(mark.start)
                case MarkKind.CLOSE:
                    opening = "{" if self.text[mark.start] == "}" else "["
                    self._brackets[opening] = max(0, self._brackets[opening] - 1)
                case MarkKind.FENCE:
                    self._is_in_fence = not self._is_in_fence
                case MarkKind.CALL:
                    self._tag = mark
                case MarkKind.CALL_END if self._tag is not None:
                    self._report_tag(self._tag, mark.end)
                case MarkKind.THINKING | MarkKind.QUOTE:
                    self._pass(mark)
                case MarkKind.THINKING_END:
                    # The opening tag was in the prompt: everything so far was thinking.
                    self.calls.clear()
                    self.near.clear()
                    self.more_near = 0
                    self._tag = None
                    self._is_in_fence = False
                    self._brackets = {"{": 0, "[": 0}
        self.steps += len(self.text) - self.position
        tag = self._tag
        if tag is not None and is_alone(self.text, self._line_start(tag.start), tag.start):
            self._report_tag(tag, len(self.text))

    def report(
        self, start: int, end: int, fault: str, hint: str | None, *, at: int | None = None, is_cut_off: bool = False
    ) -> None:
        if len(self.near) >= _MOST_NEAR:
            self.more_near += 1
            return
        at = start if at is None else at
        shown = shortened(self.text[start : min(end, start + 200)])
        place = self._place(start, end)
        self.near.append(NearCall(place, shown, fault, self._place(at, min(at + 1, end)), hint, is_cut_off))

    def _report_broken(self, span: JsonSpan) -> None:
        fault = fault_of(self.text, span)
        if fault is not None:
            end = span.start + len(self.text[span.start : span.end].rstrip())
            self.report(span.start, end, fault.words, fault.hint, at=fault.at, is_cut_off=span.is_cut_off)

    def _pass(self, mark: Mark) -> None:
        """Skip thinking. Without an end mark, skip the rest, because the end is unknown."""
        end = None if mark.end_pattern is None else mark.end_pattern.search(self.text, mark.end)
        if end is not None:
            self.steps += end.end() - self.position
            self.position = end.end()
            return
        rest = self.text[mark.end :]
        self.steps += len(rest)
        if resembles_call(rest, is_cut_off=False):
            fault = f"it follows `{shortened(self.text[mark.start : mark.end])}`, which is never closed"
            self.report(mark.start, len(self.text), fault, "close it before the call")
        self.position = len(self.text)
        self._tag = None

    def _report_tag(self, tag: Mark, end: int) -> None:
        self._tag = None
        name = shortened(self.text[tag.start : tag.end])
        is_cut_off = end == len(self.text) and not self.text[tag.end :].strip()
        fault = f"no JSON after `{name}`"
        self.report(tag.start, end, fault, "write the call as a JSON object", is_cut_off=is_cut_off)

    def _open(self, start: int) -> None:
        """Read the value that a bracket opens, or count the bracket as prose."""
        if _is_prose(self.text, start):
            self._brackets[self.text[start]] += 1
            return
        span = read_span(self.text, start, in_fence=self._is_in_fence, last_comment_end=self._last_comment_end)
        self.steps += span.steps
        self.position = span.end
        tag, self._tag = self._tag, None
        if span.broken is not None:
            part = self.text[start : span.end]
            if tag is not None or resembles_call(part, is_cut_off=span.is_cut_off):
                self._report_broken(span)
            return
        found = list(self._read_calls(span, tag))
        misfit = self._misfit(span, found)
        if misfit is not None:
            self.report(*misfit)
            self.position = max(self.position, misfit[1])
            return
        for one in found:
            self._keep(span, one)

    def _read_calls(self, span: JsonSpan, tag: Mark | None) -> Iterator[SpelledCall | Misfit]:
        if tag is not None and tag.name is not None:
            if not isinstance(span.value, dict):
                yield Misfit(
                    f"the arguments of `{shortened(tag.name)}` are not an object", "write an object", span.value
                )
            elif not is_alone(self.text, tag.end, span.start):
                yield Misfit(f"unexpected text between `{shortened(tag.name)}` and its arguments", "remove it", None)
            else:
                yield SpelledCall(tag.name, span.value, span.value)
            return
        yield from spelled_calls(span.value, is_declared=tag is not None, is_meant=self.known.is_meant)

    def _misfit(self, span: JsonSpan, found: list[SpelledCall | Misfit]) -> tuple[int, int, str, str] | None:
        """Return why valid JSON is not a call because of the text around it: place, fault and hint."""
        text, start, end = self.text, span.start, span.end
        if not found:
            if re.search(r'"(?:arguments|args|parameters|input)"\s{0,20}:\s{0,20}\Z', text[max(0, start - 60) : start]):
                return start, end, "members without enclosing braces", "put `{` before and `}` after them"
            if span.duplicates and resembles_call(text[start:end], is_cut_off=False):
                return start, end, repeated_key(span), "keep one of them"
            return None
        if text[start - 1 : start] == "{" and start > 0:
            if text[end : end + 1] == "}":
                end += 1
                self._brackets["{"] -= 1
            return start - 1, end, "double braces", "write single braces"
        after = end
        while after < len(text) and text[after] in " \t\r\n":
            after += 1
        self.steps += after - end
        closing = text[after : after + 1]
        if closing in ("}", "]") and not self._brackets["{" if closing == "}" else "["]:
            return start, after + 1, f"an unmatched `{closing}`", "remove it"
        places = [span.spans[id(one.holder)] for one in found if isinstance(one, SpelledCall)]
        if any(not any(first <= at < last for first, last in places) for _, at in span.duplicates):
            return start, end, repeated_key(span), "keep one of them"
        return None

    def _keep(self, span: JsonSpan, one: SpelledCall | Misfit) -> None:
        start, end = span.spans.get(id(one.holder), (span.start, span.end))
        if isinstance(one, Misfit):
            self.report(start, end, one.words, one.hint)
            return
        for key, at in span.duplicates:
            if start <= at < end:
                self.report(start, end, f"the key `{shortened(key)}` twice", "keep one of them", at=at)
                return
        try:
            json_value(one.arguments)
        except ValueError as error:
            self.report(
                start, end, f"its arguments cannot be sent in a message: {error}", "use only text that UTF-8 can encode"
            )
            return
        dotted, errors = self.known.judge(one.name, one.arguments)
        call = None if dotted is None else MCPToolCall.model_construct(tool_name=dotted, arguments=one.arguments)
        self.calls.append(FoundCall(one.name, one.arguments, self._place(start, end), call, errors))

    def _place(self, start: int, end: int) -> TextPlace:
        line = self._line(start)
        return TextPlace(start, end, line, start - self._lines[line - 1] + 1)

    def _line_start(self, offset: int) -> int:
        line = self._line(offset)
        return self._lines[line - 1]

    def _line(self, offset: int) -> int:
        if not self._lines:
            self._lines.extend(line_starts(self.text))
        return bisect_right(self._lines, offset)


_PROSE_AFTER = {
    # A key in any form, a comment, or the end of the text may follow a brace; a value may follow a bracket.
    "{": re.compile(r"\s*(?:[\"'“}]|\\[\"']|//|/\*|\#|\w{1,64}\s{0,20}:|\Z)"),
    "[": re.compile(r"\s*(?:[\"{\[\]\d-]|\\\"|true\b|false\b|null\b|//|/\*|\#|\Z)"),
}


def _is_prose(text: str, start: int) -> bool:
    """Whether the text after a bracket cannot be JSON."""
    return _PROSE_AFTER[text[start]].match(text, start + 1) is None
