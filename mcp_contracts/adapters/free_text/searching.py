"""Search text for calls: read what follows each mark, and keep it as a call or as a failed attempt."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.free_text import mentions
from mcp_contracts.adapters.free_text.json_spans import JsonSpan, fault_of, read_span
from mcp_contracts.adapters.free_text.known_tools import KnownTools
from mcp_contracts.adapters.free_text.literals import first_callee, read_python
from mcp_contracts.adapters.free_text.mark_readers import labeled_end, read_after_mark
from mcp_contracts.adapters.free_text.marks import Form, Mark, MarkKind, is_alone, next_mark
from mcp_contracts.adapters.free_text.notations import TOOL_NAME, NotationMatch
from mcp_contracts.adapters.free_text.parsed_calls import FoundCall, Lines, NearCall
from mcp_contracts.adapters.free_text.shapes import (
    NO_CALL,
    Misfit,
    SpelledCall,
    has_key_of_call,
    is_no_tool,
    keyed_calls,
    nested_call,
    repeated_key,
    resembles_call,
    spelled_calls,
)
from mcp_contracts.adapters.free_text.values import complete_arguments
from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import MCPToolCall, json_value
from mcp_contracts.parsing.text import shorten
from mcp_contracts.records import dataclass, field

_MOST_NEAR = 1_000
_LONGEST_ELEMENT = 10_000
_AS_JSON = "write the call as a JSON object"
_MEMBER = re.compile(
    r'(?:"(?:arguments|args|parameters|input)"\s{0,20}:|\b(?:arguments|args|parameters|tool_input)\s?=)\Z'
)
_BEFORE_VALUE = (":", "=")
_STRING = re.compile(rf"[\"'“]({TOOL_NAME})[\"'”]")
_LABEL = re.compile(r"\W{0,16}(?:action|(?:tool|function)[ _]call|call(?:ing)?|invoke|use[ _]tool)\b", re.IGNORECASE)


@dataclass(slots=True)
class Search:
    """A search for calls. `steps` counts the characters visited, some of them twice."""

    text: str
    known: KnownTools
    lines: Lines
    calls: list[FoundCall] = field(default_factory=list)
    near: list[NearCall] = field(default_factory=list)
    more_near: int = 0
    steps: int = 0
    position: int = 0
    _is_in_fence: bool = False
    _tag: Mark | None = None  # announces a call that has not been found yet
    _has_acted: bool = False  # whether an action of ReAct was found
    _is_after_result: bool = False  # the model wrote the result of a call itself
    _brackets: dict[str, int] = field(default_factory=lambda: {"{": 0, "[": 0})  # open brackets in prose
    _counted: int = 0  # the brackets up to here are in `_brackets`, except for those in `_prose`
    _prose: list[tuple[int, int]] = field(default_factory=list)
    _passed: list[tuple[int, int]] = field(default_factory=list)  # values, thinking and quotations
    _last_comment_end: int = -1
    _first: int = 0  # the first offset that is not whitespace

    def run(self) -> None:
        self._first = len(self.text) - len(self.text.lstrip())
        self._last_comment_end = self.text.rfind("*/")
        ends = self.known.callee_ends
        while (
            mark := next_mark(self.text, self.position, is_call_expected=self._tag is not None, callee_ends=ends)
        ) is not None:
            self.steps += mark.end - self.position
            self.position = mark.end
            self._read(mark)
        self.steps += len(self.text) - self.position
        if self._tag is not None and self._has_clear_tag():
            self._report_tag(self._tag, len(self.text))
        self._search_names()
        if not self.calls and not self.near and (name := mentions.is_only_name(self.text, self.known)) is not None:
            self.report(0, len(self.text), f"only the name `{name}`", "write the call as a JSON object")

    def _read(self, mark: Mark) -> None:
        match mark.kind:
            case MarkKind.OPEN:
                self._open(mark.start)
            case MarkKind.FENCE:
                self._is_in_fence = not self._is_in_fence
                if self._is_in_fence and (written := read_after_mark(self.text, mark)) is not None:
                    self._take(written)
            case MarkKind.CALL:
                self._passed.append((mark.start, mark.end))
                self._has_acted = self._has_acted or mark.form is Form.REACT
                if mark.form is Form.REACT and is_no_tool(mark.name or "") and not self.known.is_name(mark.name or ""):
                    return
                self._tag = mark
                if (written := read_after_mark(self.text, mark)) is not None:
                    self._take(written)
            case MarkKind.CALL_END if self._tag is not None:
                self._report_tag(self._tag, mark.end)
            case MarkKind.NAME:
                self._read_name(mark, mark.name or "")
            case MarkKind.INPUT if self._tag is None:
                span = self._span(mark.end)
                self.steps += span.steps
                self._jump(mark.start, span.end)
                self.report(mark.start, span.end, "an input without the action before it", "write `Action: name` above")
            case MarkKind.LABEL if self.known.is_called((mark.name or "").rstrip(".-")):
                self._read_label(mark)
            case MarkKind.THINKING | MarkKind.QUOTE:
                self._pass(mark)
            case MarkKind.TURN | MarkKind.RESULT | MarkKind.PERSON:
                self._is_after_result = self._is_after_result or bool(self.calls)
                if mark.kind is not MarkKind.PERSON:  # it may also be a line of data, before a first call
                    self._pass(mark)
            case MarkKind.OBSERVATION if self._has_acted:
                self._is_after_result = True
                self._pass(mark)
            case MarkKind.THINKING_END:  # the opening tag was in the prompt: everything so far was thinking
                self.calls.clear()
                self.near.clear()
                self.more_near = 0
                self._tag = None
                self._has_acted = self._is_after_result = self._is_in_fence = False
                self._brackets = {"{": 0, "[": 0}
                self._prose.clear()
                self._counted = self.position
                self._passed = [(0, self.position)]

    def report(
        self, start: int, end: int, fault: str, hint: str | None, *, at: int | None = None, is_cut_off: bool = False
    ) -> None:
        if len(self.near) >= _MOST_NEAR:
            self.more_near += 1
            return
        at = start if at is None else at
        shown = shorten(self.text[start : min(end, start + 200)])
        place = self.lines.place(start, end)
        self.near.append(NearCall(place, shown, fault, self.lines.place(at, min(at + 1, end)), hint, is_cut_off))

    def _jump(self, start: int, end: int) -> None:
        """Continue at `end`, because the text from `start` is not prose."""
        self.steps += max(0, end - self.position)
        self._prose.append((self._counted, start))
        self._passed.append((start, end))
        self.position = max(self.position, end)
        self._counted = self.position

    def _open_in_prose(self, bracket: str) -> int:
        """Return the number of brackets that prose has opened so far."""
        for start, end in self._prose:
            for match in re.finditer(r"[{}\[\]]", self.text[start:end]):
                opening = {"}": "{", "]": "["}.get(match[0], match[0])
                change = 1 if match[0] == opening else -1
                self._brackets[opening] = max(0, self._brackets[opening] + change)
        self._prose.clear()
        return self._brackets[bracket]

    # Notations other than JSON

    def _take(self, written: NotationMatch) -> None:
        """Keep the calls that a notation declares, or report why they cannot be read."""
        self._tag = None
        self._jump(written.start, written.end)
        if written.fault is not None:
            self.report(
                written.start, written.end, written.fault, written.hint, at=written.at, is_cut_off=written.is_cut_off
            )
            return
        for call in written.calls:
            arguments = complete_arguments(call, self.known.schema_of(call.name))
            if isinstance(arguments, Misfit):
                self.report(call.start, call.end, arguments.words, arguments.hint)
            else:
                self._keep_call(call.name, arguments, call.start, call.end)

    def _read_name(self, mark: Mark, name: str) -> None:
        """Report a tool's name before `(`, or as an element: it was meant as a call."""
        is_element = self.text[mark.start] == "<"
        if self._has_clear_tag() or not (
            self.known.is_called(name)
            or mentions.is_called_word(self.text, mark, self.known, in_prose=not (is_element or self._is_in_fence))
        ):
            return
        if is_element:
            end = self.text.find(f"</{name}>", mark.end, mark.end + _LONGEST_ELEMENT)
            end = self.lines.end(mark.end) if end < 0 else end + len(name) + 3
            fault = "a call that is written as an element"
        elif mentions.is_mention(self.text, name, mark.end, self.known):
            return
        else:
            end = read_python(self.text, mark.start, is_block=False).end
            fault = "a Python call to an undeclared function"
        self._tag = None
        self._jump(mark.start, end)
        self.report(mark.start, end, fault, "write the call as a JSON object")

    def _search_names(self) -> None:
        """Report the names of tools in the position of a call, on the lines on which nothing was found."""
        if self.known.contracts is None or self.more_near:
            return
        places = [*(call.place for call in self.calls), *(near.place for near in self.near)]
        for start, end in mentions.names_of_calls(self.lines, places, self._passed, self.known):
            self.report(start, end, "a call that is not valid JSON", _AS_JSON)
        self.steps += max(0, len(self.text) - sum(end - start for start, end in self._passed))
        self.near.sort(key=lambda one: one.place.start)

    def _open_list(self, start: int) -> None:
        """Read a list of Python calls, which must be on its own line."""
        written = read_python(self.text, start, is_block=False)
        after = self.text[written.end : self.lines.end(written.end)].partition("<|")[0]
        line = self.text[self.lines.start(start) : start] + after
        if written.fault is None and (line.strip() or self._is_in_fence or self.known.contracts is None):
            fault, hint = "Python calls to undeclared functions", "write them on a separate line, or as JSON"
            written = NotationMatch(start, written.end, (), fault, hint, start)
        self._take(written)

    def _read_label(self, mark: Mark) -> None:
        """Report a line such as `Tool: name`, if arguments follow, or nothing."""
        end, has_arguments = labeled_end(self.text, mark)
        is_last = not self.text[mark.end : mark.end + 100].strip()
        is_element = self.text[mark.start] == "<"
        if has_arguments or is_last or is_element or _LABEL.match(self.text, mark.start) is not None:
            self._jump(mark.start, end)
            self.report(mark.start, end, "a call that is not valid JSON", "write the call as a JSON object")

    # JSON

    def _report_broken(self, span: JsonSpan) -> None:
        fault = fault_of(self.text, span)
        if fault is not None:
            end = span.start + len(self.text[span.start : span.end].rstrip())
            self.report(span.start, end, fault.words, fault.hint, at=fault.at, is_cut_off=span.is_cut_off)

    def _pass(self, mark: Mark) -> None:
        """Skip thinking and quotations. Without an end mark, skip the rest, because the end is unknown."""
        end = None if mark.end_pattern is None else mark.end_pattern.search(self.text, mark.end)
        if end is not None:
            self._jump(mark.start, end.end())
            return
        is_quote = mark.kind in (MarkKind.THINKING, MarkKind.QUOTE, MarkKind.RESULT)
        if is_quote and resembles_call(self.text[mark.end :], is_cut_off=False):
            fault = f"it follows `{shorten(self.text[mark.start : mark.end])}`, which is never closed"
            self.report(mark.start, len(self.text), fault, "close it before the call")
        self._jump(mark.start, len(self.text))
        self._tag = None

    def _has_clear_tag(self) -> bool:
        """Whether a tag announces a call, rather than being a word in a sentence."""
        tag = self._tag
        return tag is not None and is_alone(self.text, self.lines.start(tag.start), tag.start)

    def _report_tag(self, tag: Mark, end: int) -> None:
        self._tag = None
        name = shorten(self.text[tag.start : tag.end])
        is_cut_off = end == len(self.text) and not self.text[tag.end :].strip()
        fault = f"no JSON after `{name}`"
        self.report(tag.start, end, fault, "write the call as a JSON object", is_cut_off=is_cut_off)

    def _open(self, start: int) -> None:
        """Read the value that a bracket opens."""
        if self._tag is None and self.text[start] == "[" and (callee := first_callee(self.text, start)) is not None:
            if start == self._first or self.known.is_called(callee):
                self._open_list(start)
            return
        span = self._span(start)
        self.steps += span.steps - (span.end - start)
        tag, self._tag = self._tag, None
        before, self.position = self.position, start
        self._jump(start, span.end)
        self.position = max(before, self.position)
        part = self.text[start : span.end]
        if span.broken is not None:
            is_attempt = tag is not None or self._is_attempt(part, is_cut_off=span.is_cut_off)
            if is_attempt or mentions.announced_name(self.text, start, self.known):
                self._report_broken(span)
            return
        may_call = tag is not None or has_key_of_call(part)
        may_call = may_call or any(self.known.parameters(name) is not None for name in set(_STRING.findall(part)))
        found = list(self._read_calls(span, tag)) if may_call else []
        is_nested = may_call and not found and nested_call(span.value, self.known) is not None
        if is_nested or any(one.holder is not span.value for one in found):
            span = read_span(self.text, start, with_places=True)
            found = list(self._read_calls(span, tag))
        misfit = self._misfit(span, found)
        if misfit is not None:
            self.report(*misfit)
            self._jump(start, misfit[1])
            return
        if (
            not found
            and tag is None
            and (announced := mentions.announced_name(self.text, start, self.known)) is not None
        ):
            self._passed.append((self.text.rfind(announced, 0, start), start))
            if mentions.may_be_arguments(span.value, announced, self.known, is_adjacent=self.text[start - 1].isalnum()):
                found = self._read_call_below_name(span, announced)
        elif is_nested:
            inner = nested_call(span.value, self.known)
            found = [Misfit("a call inside other data", "write only the call", inner)]
        reason = mentions.quotation(self.text, start, span.end) if found and tag is None else None
        for one in found:
            if reason is not None and isinstance(one, SpelledCall):
                one = Misfit(reason, "write only the call", one.holder)
            self._keep(span, one)

    def _span(self, start: int) -> JsonSpan:
        return read_span(self.text, start, in_fence=self._is_in_fence, last_comment_end=self._last_comment_end)

    def _is_attempt(self, part: str, *, is_cut_off: bool) -> bool:
        """Whether invalid JSON was meant as a call: it has a call's keys, or the name of a tool as a string."""
        return resembles_call(part, is_cut_off=is_cut_off) or any(map(self.known.is_called, set(_STRING.findall(part))))

    def _read_call_below_name(self, span: JsonSpan, name: str) -> list[SpelledCall | Misfit]:
        """Return the call in text that begins with a name on its own line, or else a failed attempt."""
        heading = self.text[self._first : span.start] if span.start < self._first + len(name) + 20 else ""
        if heading.strip("\r\n\t `") == name and "\n" in heading and isinstance(span.value, dict) and span.value:
            return [SpelledCall(name, span.value, span.value)]
        return [Misfit(f"arguments after `{shorten(name)}`, which is not a call", _AS_JSON, span.value)]

    def _read_calls(self, span: JsonSpan, tag: Mark | None) -> Iterator[SpelledCall | Misfit]:
        if tag is not None and tag.name is not None:
            if not isinstance(span.value, dict):
                yield Misfit(f"the arguments of `{shorten(tag.name)}` are not an object", "write an object", span.value)
            elif not is_alone(self.text, tag.end, span.start):
                yield Misfit(f"unexpected text between `{shorten(tag.name)}` and its arguments", "remove it", None)
            else:
                yield SpelledCall(tag.name, span.value, span.value)
            return
        if tag is not None and tag.form is Form.KEYED:
            yield from keyed_calls(span.value)
            return
        yield from spelled_calls(span.value, is_declared=tag is not None, tools=self.known)

    def _misfit(self, span: JsonSpan, found: list[SpelledCall | Misfit]) -> tuple[int, int, str, str] | None:
        """Return why the text around valid JSON means that it is not a call: place, fault and hint."""
        text, start, end = self.text, span.start, span.end
        if not found:
            before = text[max(0, start - 60) : start].rstrip()
            if before[-1:] in _BEFORE_VALUE and _MEMBER.search(before) is not None:
                return start, end, "members without enclosing braces", "put `{` before and `}` after them"
            if span.duplicates and resembles_call(text[start:end], is_cut_off=False):
                return start, end, repeated_key(span), "keep one of them"
            return None
        if text[start - 1 : start] == "{" and start > 0:
            if text[end : end + 1] == "}":
                end += 1
            return start - 1, end, "double braces", "write single braces"
        after = end
        while after < len(text) and text[after] in " \t\r\n":
            after += 1
        self.steps += after - end
        closing = text[after : after + 1]
        if closing in ("}", "]") and not self._open_in_prose("{" if closing == "}" else "["):
            return start, after + 1, f"an unmatched `{closing}`", "remove it"
        places = (
            [span.spans[id(one.holder)] for one in found if isinstance(one, SpelledCall)] if span.duplicates else []
        )
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
                self.report(start, end, f"the repeated key `{shorten(key)}`", "keep one of them", at=at)
                return
        self._keep_call(one.name, one.arguments, start, end)

    def _keep_call(self, name: str, arguments: dict[str, JsonValue], start: int, end: int) -> None:
        if name == NO_CALL and not self.known.is_name(name):
            return
        if self._is_after_result:
            self.report(start, end, "it follows a result that the model wrote itself", "stop after the first call")
            return
        if mentions.is_block_quote(self.text, start):
            self.report(start, end, "it is in a block quote", "write only the call")
            return
        try:
            json_value(arguments)
        except ValueError as error:
            hint = "use only text that UTF-8 can encode"
            self.report(start, end, f"its arguments cannot be sent in a message: {error}", hint)
            return
        dotted, errors = self.known.judge(name, arguments)
        call = None if dotted is None else MCPToolCall.model_construct(tool_name=dotted, arguments=arguments)
        self.calls.append(FoundCall(name, arguments, self.lines.place(start, end), call, errors))
