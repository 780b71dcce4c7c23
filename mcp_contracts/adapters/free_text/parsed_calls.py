"""The result of `parse_tool_calls`: calls, failed attempts, and their places."""

from __future__ import annotations

from bisect import bisect_right

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.free_text.known_tools import CallError
from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import MCPErrorDetail, MCPToolCall
from mcp_contracts.records import dataclass, field


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A span of the text: offsets (the end is exclusive), and the line and column of its start, from 1.

    Offsets and columns count code points. Lines end at LF, CR or CRLF.
    """

    start: int
    end: int
    line: int
    column: int


@dataclass(slots=True)
class Lines:
    """Lines of text, which end at LF, CR or CRLF."""

    text: str
    _starts: list[int] = field(default_factory=list)

    def start(self, offset: int) -> int:
        """Return the offset of the beginning of a line."""
        return self._starts[self._number(offset) - 1]

    def end(self, offset: int) -> int:
        """Return the offset after the end of a line."""
        line = self._number(offset)
        return self._starts[line] if line < len(self._starts) else len(self.text)

    def place(self, start: int, end: int) -> TextPlace:
        """Return the place of a span."""
        line = self._number(start)
        return TextPlace(start, end, line, start - self._starts[line - 1] + 1)

    def _number(self, offset: int) -> int:
        if not self._starts:
            self._starts.extend((0, *(match.end() for match in re.finditer(r"\r\n?|\n", self.text))))
        return bisect_right(self._starts, offset)


@dataclass(frozen=True, slots=True)
class FoundCall:
    """A call in the text: the name as written, the arguments, the place of its object, and its errors.

    `call` is the message to run, with the dotted name; None if a message cannot contain the name. `errors` come from
    the contract, and are empty if the call can be run.
    """

    name: str
    arguments: dict[str, JsonValue]
    place: TextPlace
    call: MCPToolCall | None
    errors: tuple[CallError, ...] = ()

    @property
    def error(self) -> MCPErrorDetail | None:
        """The error to send to the model, or None if the call can be run."""
        if not self.errors:
            return None
        first = self.errors[0]
        rest = len(self.errors) - 1
        more = f", and {rest} more error{'' if rest == 1 else 's'}" if rest else ""
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
        """The error to send to the model."""
        at = self.fault_place
        message = f"the tool call on line {self.place.line} cannot be read: {self.fault}"
        details = {"line": at.line, "column": at.column, "hint": self.hint, "text": self.text}
        return MCPErrorDetail(error_type="ValidationError", error_message=message, error_details=details)


@dataclass(frozen=True, slots=True)
class ParsedCalls:
    """The calls in text, and what was meant as a call, both in order of appearance.

    `more_near` counts the near calls beyond the first 1,000. `steps` counts the characters visited, some of them twice.
    """

    calls: tuple[FoundCall, ...] = ()
    near: tuple[NearCall, ...] = ()
    more_near: int = 0
    steps: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether every call can be run, and nothing else was meant as a call."""
        return not self.near and not any(call.errors for call in self.calls)
