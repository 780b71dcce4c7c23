"""Marks in a model's text outside JSON: brackets, fences, and tags for thinking, calls and results."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from mcp_contracts import lazy_re as re
from mcp_contracts.records import dataclass


class MarkKind(StrEnum):
    """The kind of a mark."""

    OPEN = "open"  # a bracket that may begin a value
    CLOSE = "close"
    FENCE = "fence"
    CALL = "call"  # a call follows
    CALL_END = "call-end"
    THINKING = "thinking"  # the text up to its end contains no calls
    THINKING_END = "thinking-end"
    QUOTE = "quote"  # a tool list or a result that the model repeats, without calls
    QUOTE_END = "quote-end"


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark and its place. `name` is the tool's name if the mark contains it; `end_pattern` finds the end."""

    kind: MarkKind
    start: int
    end: int
    name: str | None = None
    end_pattern: re.Pattern[str] | None = None


_THINKING = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|scratch_pad|seed:think|inner_monologue"
_CALLS = (
    "tool_calls?|tool_code|toolcalls?|tool_use|tool|function_calls?|functioncalls?|invoke|minimax:tool_call"
    "|seed:tool_call|steptml:function_call|action"
)
_QUOTES = (
    "tools|available_tools|tool_response|tool_responses|tool_result|tool_results|tool_output|tool_outputs"
    "|function_response|function_result|function_results"
)
_TOKENS = "python_tag|tool_call|toolcall|tool_call_begin|tool_call_start|tool▁call▁begin|START_ACTION"
_NAME = r"[\w.\-]{1,128}"
_RECIPIENT = r"[\w.\-]{1,140}"

# Special tokens usually have ASCII bars; DeepSeek uses full-width bars and `▁`.
_MARK = re.compile(
    rf"""
    (?P<fence>^[ \t]{{0,20}}(?:```|~~~))
  | (?P<mistral>\[TOOL_CALLS\]
      (?:\s{{0,20}}(?P<mistral_name>{_NAME})(?:\[CALL_ID\]{_NAME})?\s{{0,20}}(?:\[ARGS\]|(?=\{{)))?)
  | \[(?P<square_end>/?)(?:(?P<square_thinking>THINK)|(?P<square_quote>TOOL_RESULTS|AVAILABLE_TOOLS))\]
  | (?P<open>[{{\[])
  | (?P<close>[}}\]])
  | <function=(?P<function_name>[^<>\s]{{1,128}})>
  | <(?P<end>/?)(?:(?P<thinking>{_THINKING})|(?P<call>{_CALLS}|function)|(?P<quote>{_QUOTES}))(?:\s[^<>]{{0,200}})?>
  | (?:to=(?P<recipient>{_RECIPIENT})\s{{0,20}})?
      <\|channel\|>(?P<channel>\w{{1,40}})(?P<header>[^<>{{}}]{{0,200}}(?:<\|constrain\|>[^<>{{}}]{{0,40}})?)(?:<\|message\|>)?
  | <[|｜]tool▁call▁begin[|｜]>\s{{0,20}}
      (?:function<[|｜]tool▁sep[|｜]>(?P<typed_name>{_NAME})(?=\s)|(?P<token_name>{_NAME})<[|｜]tool▁sep[|｜]>)
  | <\|tool_call_begin\|>\s{{0,20}}(?P<numbered_name>{_NAME}):\d{{1,6}}\s{{0,20}}<\|tool_call_argument_begin\|>
  | <[|｜](?P<token_end>/?)(?:{_TOKENS})[|｜]>
  | <[|｜](?P<token_thinking>begin_of_thought|START_THINKING)[|｜]>
  | (?P<token_thinking_end><[|｜](?:end_of_thought|END_THINKING)[|｜]>)
  | ◁(?P<kimi_end>/?)(?P<kimi>think)▷
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)

_TO = re.compile(rf"\bto=({_RECIPIENT})")
_NAMES = ("mistral_name", "function_name", "typed_name", "token_name", "numbered_name")
_END_OF_CHANNEL = re.compile(r"<\|(?:end|start|channel|call|return)\|>")
_END_OF_TOKEN_THINKING = re.compile(r"<[|｜](?:end_of_thought|END_THINKING)[|｜]>", re.IGNORECASE)
_END_OF_KIMI_THINKING = re.compile(r"◁/think▷")
_PLAIN = {kind.value: kind for kind in (MarkKind.OPEN, MarkKind.CLOSE, MarkKind.FENCE)}
_SPOKEN_CHANNELS = ("final", "commentary")
_PEOPLE = ("assistant", "user")
_NAMESPACE = "functions."


def next_mark(text: str, position: int) -> Mark | None:
    """Return the next mark at or after `position`.

    A tag in backticks is mentioned rather than used, and is not a mark.
    """
    while (match := _MARK.search(text, position)) is not None:
        kind = _PLAIN.get(match.lastgroup or "")
        if kind is not None:
            return Mark(kind, match.start(), match.end())
        if not _is_mentioned(text, match) and (mark := _mark(match)) is not None:
            return mark
        position = match.end()
    return None


def _is_mentioned(text: str, match: re.Match[str]) -> bool:
    return text[match.start() - 1 : match.start()] == "`" and text[match.end() : match.end() + 1] == "`"


def _mark(match: re.Match[str]) -> Mark | None:
    start, end = match.span()
    found = match.groupdict()

    def mark(kind: MarkKind, *, name: str | None = None, end_pattern: re.Pattern[str] | None = None) -> Mark:
        return Mark(kind, start, end, name, end_pattern)

    name = next((name for key in _NAMES if (name := found[key]) is not None), None)
    if name is not None or found["mistral"] is not None:
        return mark(MarkKind.CALL, name=None if name is None else _without_namespace(name))
    if found["channel"] is not None:
        recipient = found["recipient"] or next(iter(_TO.findall(found["header"] or "")), None)
        is_spoken = found["channel"].lower() in _SPOKEN_CHANNELS
        # In its thinking GPT-OSS calls its own tools, and `to=assistant` is the result of a tool.
        if recipient and recipient not in _PEOPLE and (is_spoken or recipient.startswith(_NAMESPACE)):
            return mark(MarkKind.CALL, name=_without_namespace(recipient))
        if is_spoken:
            return None
        return mark(MarkKind.THINKING, end_pattern=_END_OF_CHANNEL)
    if found["token_thinking_end"] is not None:
        return mark(MarkKind.THINKING_END)
    if found["token_thinking"] is not None:
        return mark(MarkKind.THINKING, end_pattern=_END_OF_TOKEN_THINKING)
    if found["kimi"] is not None:
        kind = MarkKind.THINKING_END if found["kimi_end"] else MarkKind.THINKING
        return mark(kind, end_pattern=_END_OF_KIMI_THINKING)
    return mark(_paired_kind(found), end_pattern=_end_pattern(found))


def _without_namespace(name: str) -> str:
    """Remove the prefix `functions.`, which GPT-OSS and Kimi write before a tool's name."""
    return name.removeprefix(_NAMESPACE)


def _paired_kind(found: dict[str, str | None]) -> MarkKind:
    """Return the kind of a mark that has a separate end mark; the end mark has a slash."""
    is_end = bool(found["end"] or found["square_end"] or found["token_end"])
    if found["thinking"] is not None or found["square_thinking"] is not None:
        return MarkKind.THINKING_END if is_end else MarkKind.THINKING
    if found["quote"] is not None or found["square_quote"] is not None:
        return MarkKind.QUOTE_END if is_end else MarkKind.QUOTE
    return MarkKind.CALL_END if is_end else MarkKind.CALL


def _end_pattern(found: dict[str, str | None]) -> re.Pattern[str] | None:
    square = found["square_thinking"] or found["square_quote"]
    if square is not None:
        return re.compile(rf"\[/{re.escape(square)}\]", re.IGNORECASE)
    tag = found["thinking"] or found["quote"]
    return None if tag is None else re.compile(rf"</{re.escape(tag)}\s{{0,20}}>", re.IGNORECASE)


def is_alone(text: str, start: int, end: int) -> bool:
    """Whether only whitespace, or the opening line of a fence, is between two offsets."""
    return re.fullmatch(r"\s*(?:```\w{0,20}\s*)?", text[start:end]) is not None


def line_starts(text: str) -> Iterator[int]:
    """Yield the offsets of the beginnings of lines, which end at LF, CR or CRLF."""
    yield 0
    for match in re.finditer(r"\r\n?|\n", text):
        yield match.end()
