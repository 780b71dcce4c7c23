"""The faults of a source itself, rather than of a tool that it describes."""

from __future__ import annotations

from enum import StrEnum

from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.records import dataclass


class FaultKind(StrEnum):
    """The kinds of faults in a source itself, rather than in a tool that it describes."""

    UNREADABLE = "unreadable"  # no permission, not UTF-8, not a regular file
    OVERSIZED = "oversized"
    FRONT_MATTER = "front-matter"
    INVALID_JSON = "invalid-json"
    OUTER_JSON = "outer-json"  # invalid, and not in a tool's section
    INVALID_CODE = "invalid-code"  # in a Python example
    DUPLICATE_KEY = "duplicate-key"
    TOO_DEEP = "too-deep"
    INVALID_TOOL_LIST = "invalid-tool-list"
    INCOMPLETE = "incomplete"  # a page of a tool list that is followed by others
    UNKNOWN_HINT = "unknown-hint"  # an annotation of a tool list that resembles one of MCP
    EXAMPLE_FOR_SCHEMA = "example-for-schema"
    UNCLOSED = "unclosed"  # a fence or comment that hides the headings after it
    UNUSABLE_FUNCTION = "unusable-function"  # a Python function that is marked as a tool but states no contract
    UNREAD_CODE = "unread-code"  # a part of a Python function whose result is only known by running it
    PARTLY_READ = "partly-read"  # an example that is too long, or parameters in an unsupported form
    BROKEN_MARKUP = "broken-markup"  # a line that Markdown renders differently than its author meant
    MISSHAPEN_ROW = "misshapen-row"  # a table row with too few or too many cells, or split in two


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a source itself. `part` is the affected schema or example of a tool, if any."""

    kind: FaultKind
    message: str
    place: Place
    hint: str | None = None
    part: Part | None = None
    pointer: str | None = None
