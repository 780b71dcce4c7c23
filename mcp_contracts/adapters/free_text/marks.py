"""Marks in a model's text: brackets, fences, names before a bracket, and tags for thinking, calls and results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.free_text.notations import TOOL_NAME
from mcp_contracts.records import NamedTuple


class MarkKind(StrEnum):
    """The kind of a mark."""

    OPEN = "open"  # a bracket that may begin a value
    FENCE = "fence"  # `name` is the language
    CALL = "call"  # a call follows
    CALL_END = "call-end"
    THINKING = "thinking"  # the text up to its end contains no calls
    THINKING_END = "thinking-end"
    QUOTE = "quote"  # a tool list or an example that the model repeats, without calls
    RESULT = "result"  # a result that the model repeats or writes itself, without calls
    TURN = "turn"  # a result that the model writes itself, up to its next turn
    OBSERVATION = "observation"  # the same, if an action of ReAct is before it
    NAME = "name"  # a name before `(`, or the name of an element
    PERSON = "person"  # a line such as `User:`, which ends the model's own turn
    INPUT = "input"  # the input of an action that cannot be read
    LABEL = "label"  # a line such as `Tool: name`


class Form(StrEnum):
    """How the call after a mark is written."""

    ANY = "any"  # JSON, or a notation that is recognized by its content
    ELEMENTS = "elements"
    CHANNELS = "channels"
    REACT = "react"
    KEYED = "keyed"  # objects whose only key is the name


class Mark(NamedTuple):
    """A mark and its place. `name` is the tool's name if the mark contains it; `end_pattern` finds the end."""

    kind: MarkKind
    start: int
    end: int
    name: str | None = None
    end_pattern: re.Pattern[str] | None = None
    form: Form = Form.ANY


_THINKING = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|scratch_pad|seed:think|inner_monologue"
_CALLS = (
    "tool_calls?|tool_code|toolcalls?|tool_use|tool|function_calls?|functioncalls?|invoke|minimax:tool_call"
    "|seed:tool_call|steptml:function_call|action|longcat_tool_call"
)
_QUOTES = "tools|available_tools|examples?"
_RESULTS = (
    "tool_responses?|tool_results?|tool_outputs?|function_response|function_results?|start_function_response"
    "|observation"
)
_TOKENS = (
    "python_tag|python_start|python_end|tool_call|toolcall|tool_call_begin|tool_call_start|tool_call_end"
    "|tool▁call▁begin|START_ACTION|action_start|plugin"
)
_RECIPIENT = r"[\w.\-]{1,140}"
_MARGIN = r"[*_ \t]{0,8}"
_QUOTED = r"[`\"'*_]{0,3}"
_NAMESPACED = r"(?:[|｜]\s?DSML\s?[|｜]|steptml:|antml:|xai:)?"
_LABELS = (
    "(?:tool|function)(?:[ _](?:name|call))?|action|call|calling|name|command|recipient|us(?:e|ing)[ _]tool|invoke"
    "|execute|run"
)

# Where a mark may begin. Each alternative begins with a different character, so that other text is skipped quickly.
_VALUE_START = r"""
    \{(?=\s*(?:["'“]|\\["']|//|/\*|\#|\w{1,64}\s{0,20}:|\Z))
  | \{(?:(?<=[\w`*:>]\{)|(?<=[\w`*:>]\s\{))(?=\s{0,20}\})
  | \[(?=\s*(?:["{\[\d-]|\\"|true\b|false\b|null\b|//|/\*|\#|\Z|[A-Za-z_][\w.\-]{0,127}\())
"""
_EMPTY = r"\{(?=\s*\})|\[(?=\s*\])"
_OTHER_START = r"""
    <(?=[A-Za-z/]|[|｜][A-Za-z\s/]) | \[(?=/?[A-Z]) | \((?<=\w\() | `(?=``) | ~(?=~~) | >(?=>>[A-Za-z_])
  | :(?<=[\w*]:)(?=[*_`"'\s]) | ◁(?=/?think) | ✿(?=[A-Z])
"""
_START = re.compile(rf"{_VALUE_START}|{_OTHER_START}", re.VERBOSE)
_START_OF_CALL = re.compile(rf"{_VALUE_START}|{_EMPTY}|{_OTHER_START}", re.VERBOSE)
_VALUE = re.compile(rf"{_VALUE_START}|{_EMPTY}", re.VERBOSE)

# Special tokens usually have ASCII bars; DeepSeek uses full-width bars and `▁`. The outermost group that matches names
# the row of `_MARKS`.
_ELEMENT = rf"""
    (?P<tag><(?P<end>/?){_NAMESPACED}
      (?:(?P<thinking>{_THINKING})|(?P<call>{_CALLS}|function)|(?P<quote>{_QUOTES})|(?P<result>{_RESULTS}))(?:(?!\sname=)\s[^<>]{{0,200}})?>)
  | (?P<invoke><{_NAMESPACED}(?:invoke|function|function_call|tool|tool_call|call|action)\s+
      name=(?P<mark>["'])(?P<invoke_name>{TOOL_NAME})(?P=mark)\s*>)
"""
_ANGLE_WORD = re.compile(
    rf"""{_ELEMENT}
  | (?P<named><tool_name>\s{{0,20}}(?P<tag_name>{TOOL_NAME})\s{{0,20}}</tool_name>)
  | (?P<function><function=(?P<function_name>[^<>\s]{{1,128}})>)
  | (?P<token><start_function_call>) | (?P<role><start_of_turn>user)
  | (?P<element><(?P<element_name>{TOOL_NAME})(?=[\s>/]))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ANGLE_BAR = re.compile(
    rf"""{_ELEMENT}
  | (?P<channel><\|channel\|>(?P<channel_name>\w{{1,40}})
      (?P<header>[^<>{{}}]{{0,200}}(?:<\|constrain\|>[^<>{{}}]{{0,40}})?)(?:<\|message\|>)?)
  | (?P<deepseek><[|｜]tool▁call▁begin[|｜]>\s{{0,20}}(?:function<[|｜]tool▁sep[|｜]>(?P<typed_name>{TOOL_NAME})(?=\s)
      |(?P<token_name>{TOOL_NAME})<[|｜]tool▁sep[|｜]>))
  | (?P<kimi><\|tool_call_begin\|>\s{{0,20}}(?P<numbered_name>{TOOL_NAME}):\d{{1,6}}\s{{0,20}}
      <\|tool_call_argument_begin\|>)
  | (?P<kimi_channel><\|open\|>call\s+tool="(?P<channel_tool>{TOOL_NAME})"[^<>|]{{0,100}}<\|sep\|>)
  | (?P<kimi_thinking><\|open\|>think<\|sep\|>) | (?P<kimi_thinking_end><\|close\|>think<\|sep\|>)
  | (?P<functionary><\|recipient\|>\s{{0,5}}(?P<recipient_name>{TOOL_NAME})\s{{0,5}}<\|content\|>)
  | (?P<heading><\|assistant\|>(?P<heading_name>{TOOL_NAME})[ \t]{{0,5}}\r?\n(?=\s{{0,5}}\{{))
  | (?P<keyed><\|tools_prefix\|>)
  | (?P<token><[|｜]/?(?:{_TOKENS})[|｜]?>)
  | (?P<role><\|im_start\|>(?:tool|user|system)\b|<\|observation\|>
      |<\|start_header_id\|>(?:ipython|tool|user|system)<\|end_header_id\|>
      |<[|｜]tool▁outputs?▁begin[|｜]>|<\|START_TOOL_RESULT\|>)
  | (?P<token_thinking><[|｜](?:begin_of_thought|START_THINKING)[|｜]>)
  | (?P<token_thinking_end><[|｜](?:end_of_thought|END_THINKING)[|｜]>)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_OTHER = re.compile(
    rf"""
    (?P<fence>(?:`{{3,}}|~{{3,}})[ \t]{{0,4}}(?P<language>[\w+\-]{{0,20}}))
  | (?P<mistral>\[TOOL_CALLS\]
      (?:\s{{0,20}}(?P<mistral_name>{TOOL_NAME})(?:\[CALL_ID\]{TOOL_NAME})?\s{{0,20}}(?:\[ARGS\]|(?=\{{)))?)
  | (?P<square>\[(?P<square_end>/?)(?:(?P<square_thinking>THINK)|(?P<square_quote>AVAILABLE_TOOLS)
      |(?P<square_result>TOOL_RESULTS))\])
  | (?P<open>[{{\[])
  | (?P<heading>>>>(?P<heading_name>{TOOL_NAME})[ \t]{{0,5}}\r?\n(?=\s{{0,5}}\{{))
  | (?P<flower>✿FUNCTION✿\s?:\s{{0,5}}(?P<flower_name>{TOOL_NAME})\s{{0,5}}✿ARGS✿\s?:)
  | (?P<role>✿RESULT✿)
  | ◁(?P<triangle_end>/?)(?P<triangle>think)▷
    """,
    re.VERBOSE | re.IGNORECASE,
)
_LINE = re.compile(  # a line whose first words end with a colon
    rf"""
    (?P<react>{_MARGIN}action(?:[ ]\d{{1,3}})?{_MARGIN}:{_MARGIN}{_QUOTED}(?P<action>{TOOL_NAME}){_QUOTED}[ \t]*
      \r?\n{_MARGIN}action[ _]input(?:[ ]\d{{1,3}})?{_MARGIN}:{_MARGIN})
  | (?P<input>{_MARGIN}action[ _]input(?:[ ]\d{{1,3}})?{_MARGIN}:{_MARGIN}\s{{0,5}}(?=\{{))
  | (?P<observation>{_MARGIN}observation(?:[ ]\d{{1,3}})?{_MARGIN}:)
  | (?P<person>{_MARGIN}(?:user|human){_MARGIN}:)
  | (?P<label>[>\- \t]{{0,8}}{_MARGIN}(?:{_LABELS})(?:[ ]\d{{1,3}})?{_MARGIN}:{_MARGIN}{_QUOTED}
      (?P<labeled>{TOOL_NAME})(?![\w.\-]){_QUOTED}
      [.,;]?[ \t]*(?=\r?\n|\Z|[({{\[]|(?:with|action|args|arguments|input|parameters)\b))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CALLEE = re.compile(rf"(?<![\w.\-]){TOOL_NAME}\Z")
_LONGEST_LABEL = 40
_LONGEST_NAME = 128
_DEEPEST_FENCE = 21

_TO = re.compile(rf"\bto=({_RECIPIENT})")
_END_OF_CHANNEL = re.compile(r"<\|(?:end|start|channel|call|return)\|>")
_END_OF_TOKEN_THINKING = re.compile(r"<[|｜](?:end_of_thought|END_THINKING)[|｜]>", re.IGNORECASE)
_END_OF_TRIANGLE = re.compile(r"◁/think▷")
_END_OF_CHANNEL_THINKING = re.compile(r"<\|close\|>think<\|sep\|>")
_END_OF_ROLE = re.compile(
    r"(?=<\|im_start\|>assistant|<\|assistant\|>|<\|start_header_id\|>assistant|<start_of_turn>model|✿FUNCTION✿)"
    r"|✿RETURN✿|<[|｜]tool▁outputs?▁end[|｜]>|<\|END_TOOL_RESULT\|>"
)
_END_OF_OBSERVATION = re.compile(
    r"(?=^[ \t]{0,8}[*_]{0,3}(?:Thought|Action|Final Answer|Question)(?: \d{1,3})?[*_]{0,3}\s?:)",
    re.MULTILINE | re.IGNORECASE,
)
_SPOKEN_CHANNELS = ("final", "commentary")
_PEOPLE = ("assistant", "user", "all", "text")
_NAMESPACE = "functions."


def next_mark(text: str, position: int, *, is_call_expected: bool = False, callee_ends: str = "") -> Mark | None:
    """Return the next mark at or after `position`.

    An empty object or array is a mark only if a call is expected; a name before `(`, or of an element, only if it ends
    with one of the characters in `callee_ends`. A tag in backticks is mentioned rather than used, and is not a mark.
    """
    first = position
    start = _START_OF_CALL if is_call_expected else _START
    while (candidate := start.search(text, position)) is not None:
        at = candidate.start()
        position = at + 1
        match candidate[0]:
            case "(":
                if text[at - 1].lower() not in callee_ends:
                    continue
                found = _CALLEE.search(text, max(first, at - _LONGEST_NAME), at)
                if found is not None:
                    return Mark(MarkKind.NAME, found.start(), at, found[0])
                continue
            case ":":
                line = _line_before(text, at, first, _LONGEST_LABEL)
                found = None if line is None else _LINE.match(text, line)
            case "<":
                found = (_ANGLE_BAR if text[at + 1] in "|｜" else _ANGLE_WORD).match(text, at)
                if (
                    found is not None
                    and found.lastgroup == "element"
                    and text[found.end() - 1].lower() not in callee_ends
                ):
                    continue
            case "[" | "{":
                found = _OTHER.match(text, at)
                if found is not None and found.lastgroup == "open" and _VALUE.match(text, at) is None:
                    continue
            case _:
                found = _OTHER.match(text, at)
                if candidate[0] in "`~>" and (line := _line_before(text, at, first, _DEEPEST_FENCE)) is None:
                    continue
                if candidate[0] in "`~>" and text[line:at].strip(" \t"):
                    continue
        if found is None:
            continue
        row = found.lastgroup or ""
        if (row in _UNMENTIONED or not _is_mentioned(text, found)) and (mark := _MARKS[row](found)) is not None:
            return mark
        position = max(position, found.end())
    return None


def _line_before(text: str, at: int, first: int, longest: int) -> int | None:
    """Return the start of the line of an offset, at least `first`; None if it is over `longest` characters back."""
    earliest = max(first, at - longest)
    line = max(text.rfind("\n", earliest, at), text.rfind("\r", earliest, at)) + 1
    if line:
        return line
    return earliest if earliest == first else None


def _is_mentioned(text: str, match: re.Match[str]) -> bool:
    return text[match.start() - 1 : match.start()] == "`" and text[match.end() : match.end() + 1] == "`"


def _mark(
    match: re.Match[str],
    kind: MarkKind,
    *,
    name: str | None = None,
    end_pattern: re.Pattern[str] | None = None,
    form: Form = Form.ANY,
) -> Mark:
    return Mark(kind, match.start(), match.end(), name, end_pattern, form)


def _plain(kind: MarkKind, name: str | None = None) -> Callable[[re.Match[str]], Mark]:
    return lambda match: _mark(match, kind, name=None if name is None else match[name])


def _call(*names: str, form: Form = Form.ANY) -> Callable[[re.Match[str]], Mark | None]:
    """Return a function that makes the mark of a call, whose name is in one of the groups `names`."""

    def make(match: re.Match[str]) -> Mark | None:
        name = next((found for key in names if (found := match[key]) is not None), None)
        if name in _PEOPLE:
            return None
        # GPT-OSS and Kimi write this prefix before a tool's name.
        return _mark(match, MarkKind.CALL, name=None if name is None else name.removeprefix(_NAMESPACE), form=form)

    return make


def _mark_thinking(end_pattern: re.Pattern[str]) -> Callable[[re.Match[str]], Mark]:
    return lambda match: _mark(match, MarkKind.THINKING, end_pattern=end_pattern)


def _mark_pair(match: re.Match[str]) -> Mark | None:
    """Return the mark of a tag that has a separate end tag."""
    prefix, brackets = "", (r"<(?:/|(?=end_))", r"\s{0,20}>")
    if match.lastgroup == "square":
        prefix, brackets = "square_", (r"\[/", r"\]")
    is_end = bool(match[f"{prefix}end"])
    for group, kind in _PAIRED.items():
        if (tag := match[prefix + group]) is not None:
            if is_end:
                return _mark(match, MarkKind.THINKING_END) if kind is MarkKind.THINKING else None
            tag = re.escape(tag).replace("start_function", "(?:start|end)_function")
            return _mark(match, kind, end_pattern=re.compile(f"{brackets[0]}{tag}{brackets[1]}", re.IGNORECASE))
    return _mark(match, MarkKind.CALL_END if is_end else MarkKind.CALL)


_PAIRED = {"thinking": MarkKind.THINKING, "quote": MarkKind.QUOTE, "result": MarkKind.RESULT}


def _token(match: re.Match[str]) -> Mark | None:
    is_end = match[0][2:3] == "/" or "_end" in match[0]
    return _mark(match, MarkKind.CALL_END if is_end else MarkKind.CALL)


def _triangle(match: re.Match[str]) -> Mark | None:
    kind = MarkKind.THINKING_END if match["triangle_end"] else MarkKind.THINKING
    return _mark(match, kind, end_pattern=_END_OF_TRIANGLE)


def _channel(match: re.Match[str]) -> Mark | None:
    before = match.string.rfind("to=", max(0, match.start() - 170), match.start())
    to = None if before < 0 else _TO.match(match.string, before, match.start())
    recipient = next(iter(_TO.findall(match["header"] or "")), None)
    if to is not None and not match.string[to.end() : match.start()].strip():
        recipient = to[1]
    is_spoken = match["channel_name"].lower() in _SPOKEN_CHANNELS
    # In its thinking GPT-OSS calls its own tools, and `to=assistant` is the result of a tool.
    if recipient and recipient not in _PEOPLE and (is_spoken or recipient.startswith(_NAMESPACE)):
        return _mark(match, MarkKind.CALL, name=recipient.removeprefix(_NAMESPACE))
    return None if is_spoken else _mark(match, MarkKind.THINKING, end_pattern=_END_OF_CHANNEL)


_MARKS: Final[Mapping[str, Callable[[re.Match[str]], Mark | None]]] = {
    "fence": _plain(MarkKind.FENCE, "language"),
    "mistral": _call("mistral_name"),
    "square": _mark_pair,
    "open": _plain(MarkKind.OPEN),
    "function": _call("function_name", form=Form.ELEMENTS),
    "invoke": _call("invoke_name", form=Form.ELEMENTS),
    "tag": _mark_pair,
    "channel": _channel,
    "deepseek": _call("typed_name", "token_name"),
    "kimi": _call("numbered_name"),
    "kimi_channel": _call("channel_tool", form=Form.CHANNELS),
    "kimi_thinking": _mark_thinking(_END_OF_CHANNEL_THINKING),
    "kimi_thinking_end": _plain(MarkKind.THINKING_END),
    "functionary": _call("recipient_name"),
    "heading": _call("heading_name"),
    "flower": _call("flower_name"),
    "keyed": _call(form=Form.KEYED),
    "token": _token,
    "role": lambda match: _mark(match, MarkKind.TURN, end_pattern=_END_OF_ROLE),
    "token_thinking": _mark_thinking(_END_OF_TOKEN_THINKING),
    "token_thinking_end": _plain(MarkKind.THINKING_END),
    "triangle": _triangle,
    "react": _call("action", form=Form.REACT),
    "observation": lambda match: _mark(match, MarkKind.OBSERVATION, end_pattern=_END_OF_OBSERVATION),
    "person": _plain(MarkKind.PERSON),
    "input": _plain(MarkKind.INPUT),
    "label": _plain(MarkKind.LABEL, "labeled"),
    "named": _plain(MarkKind.LABEL, "tag_name"),
    "element": _plain(MarkKind.NAME, "element_name"),
}
_UNMENTIONED = ("open", "fence", "react", "person", "input", "label", "observation")


def is_alone(text: str, start: int, end: int) -> bool:
    """Whether only whitespace, or the opening line of a fence, is between two offsets."""
    return re.fullmatch(r"\s*(?:```\w{0,20}\s*)?", text[start:end]) is not None
