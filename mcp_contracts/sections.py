"""The sections and property lines below a tool's heading, and mentions of tools that are not read."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_contracts.diagnostics import Place
from mcp_contracts.records import dataclass

SECTION_TITLES: Mapping[int, str] = {
    1: "Tool Purpose and Description",
    2: "Invocation Name",
    3: "Input Schema (Parameters)",
    4: "Output Schema (Return Value)",
    5: "Error Handling",
    6: "Idempotency",
    7: "Usage Examples",
    8: "Security Considerations",
    9: "Migration",
}
"""The numbered sections of a tool, in order. Section 9 is optional."""

PROPERTY_LINES = (
    *("version", "status", "effects", "category", "tags", "optional", "use when", "channels", "title", "source name"),
)
"""The names of the bold lines below a tool's heading, in lowercase and in order."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a tool. `number` is its number in `SECTION_TITLES`, or None for an author's own section.

    `about` is the number of the section that an author's own section corresponds to, if its title says so. `level` is
    the level of its heading.
    """

    number: int | None
    title: str
    place: Place
    is_empty: bool
    text: str
    about: int | None = None
    level: int = 3


@dataclass(frozen=True, slots=True)
class PropertyLine:
    """A bold line below a tool's heading: its name in lowercase, its value, and their places."""

    name: str
    value: str
    place: Place
    value_place: Place


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention of a tool in a form that is not read. `name` is "" if it has none; `others` counts other tools."""

    name: str
    place: Place
    others: int = 0
