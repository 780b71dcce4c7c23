"""The result of a reader for calls that are not written as JSON objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass, field

TOOL_NAME: Final = r"[A-Za-z_][\w.\-]{0,127}"
CODE_FENCES: Final = ("tool_code", "tool_call", "tool_calls", "function_call", "function_calls")

_END_OF_BLOCK = re.compile(r"\s*(?:\Z|</?[A-Za-z_:｜|]|```|~~~)")


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A call: its name, place and arguments.

    `texts` are arguments whose type the notation does not state; `positional` are those without a name. The contract
    decides about both.
    """

    name: str
    start: int
    end: int
    arguments: dict[str, JsonValue] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    positional: tuple[JsonValue, ...] = ()
    text: str | None = None  # the only argument, as text without a name


@dataclass(frozen=True, slots=True)
class NotationMatch:
    """The content from `start` to `end`: the calls, or the `fault`, its place and a hint."""

    start: int
    end: int
    calls: tuple[WrittenCall, ...] = ()
    fault: str | None = None
    hint: str | None = None
    at: int = 0
    is_cut_off: bool = False


def ends_block(text: str, position: int) -> bool:
    """Whether nothing but the end of a block follows: a tag, a fence, or the end of the text."""
    return _END_OF_BLOCK.match(text, position) is not None
