"""The parts of a tool in an older dialect that were read so far, before they are interpreted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mcp_contracts.contract import Effects, ErrorType, SchemaPart, Table, TableRow
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.faults import Fault
from mcp_contracts.parsing.markdown.blocks import Block, Fence, is_content
from mcp_contracts.parsing.parameters.typed_signatures import Signature
from mcp_contracts.parsing.raw import RawTool
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.records import dataclass, field

INTRO, DESCRIPTION, INPUT, OUTPUT, ERRORS, IDEMPOTENCY, EXAMPLES, SECURITY = 0, 1, 3, 4, 5, 6, 7, 8
OTHER = -1


@dataclass(slots=True)
class OpenSection:
    """A heading or label inside the tool, and the content read below it."""

    title: str
    place: Place
    about: int | None
    text: list[str] = field(default_factory=list)
    is_empty: bool = True


@dataclass(slots=True)
class Reading:
    """The parts of a tool read so far. `topic` is the topic of the last heading or label (`is_labeled`).

    `is_aside` says that a label about something else follows the parameters, so that only certain parameters count.
    `is_below_heading` says that the last section begins with a heading rather than a label.
    `untyped` are the items of a list below the description without types: parameters if a signature has them. `last` is
    the paragraph directly before the current block. `effects` are those of a tool object. `unread` is the first block
    that looks like parameters and is not read, with its place. `has_prose_parameters` states that a sentence names
    parameters, `has_unread_prose` that one does so in unsupported words, `is_open` that more parameters may exist than
    were read, and `is_defined` that a definition in JSON has a description.
    """

    source: SourceText
    raw: RawTool
    topic: int = INTRO
    is_schema_section: bool = False
    is_labeled: bool = False
    is_aside: bool = False
    is_below_heading: bool = False
    lead: str = ""
    last: str = ""
    description: list[str] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)
    rows: list[TableRow] = field(default_factory=list)
    output_rows: list[TableRow] = field(default_factory=list)
    states_no_parameters: bool = False
    input: SchemaPart | None = None
    output: SchemaPart | None = None
    tables: dict[str, Table] = field(default_factory=dict)
    sections: list[OpenSection] = field(default_factory=list)
    errors: list[ErrorType] = field(default_factory=list)
    fences: list[tuple[Fence, str, bool]] = field(default_factory=list)
    named: tuple[str, Place] | None = None
    signature: Signature | None = None
    untyped: list[TableRow] = field(default_factory=list)
    effects: Effects | None = None
    is_partly_read: bool = False
    has_prose_parameters: bool = False
    has_unread_prose: bool = False
    is_open: bool = False
    is_defined: bool = False
    unread: tuple[str, Place] | None = None
    faults: list[Fault] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)

    def begin(self, title: str, place: Place, number: int | None) -> None:
        """Open a section with a heading or a label."""
        self.is_below_heading = False
        title = re.sub(r"^[^\w(`]+", "", title)  # a symbol before the words
        if number in (INPUT, OUTPUT) and self.sections and self.sections[-1].about == EXAMPLES:
            self.sections[-1].is_empty = False  # its parts follow
        self.sections.append(OpenSection(title, place, number))

    def fill(self, text: str, *, is_header: bool = False) -> None:
        """Record that the last section has content, or only the header of a table."""
        if self.sections:
            self.sections[-1].is_empty = self.sections[-1].is_empty and is_header
            self.sections[-1].text.append(text)

    def note_content(self, *, is_certain: bool) -> None:
        """Record that the last section is not empty, if what follows is certainly its content."""
        if is_certain and self.sections:
            self.sections[-1].is_empty = False

    def note_blocks(self, heading: Place, blocks: Sequence[Block]) -> None:
        """Record that the section of a heading has content, if one of its blocks is content."""
        if any(map(is_content, blocks)):
            next(one for one in self.sections if one.place == heading).is_empty = False

    def note_unread(self, what: str, row: int) -> None:
        """Record that something that looks like parameters is not read; the first one is reported."""
        if self.topic == INPUT:
            self.unread = self.unread or (what, self.source.place(row))

    def describe(self, lines: Sequence[Line]) -> None:
        """Add lines to the description, unless a definition has its own."""
        text = "\n".join(line.text for line in lines).strip()
        if text and not self.is_defined:
            self.description.append(text)
            self.places.setdefault("description", self.source.place_in(lines[0]))

    def define(self, description: str, place: Place) -> None:
        """Set the description of a definition in JSON, which clients are sent; other text is about the tool."""
        self.is_defined = True
        self.description = [description.strip()] if description.strip() else []
        self.places["description"] = place

    def take(self, part: Part, schema: SchemaPart | None) -> None:
        """Set the schema of the input or of the result, unless it is already set."""
        if part == "input" and self.input is None:
            self.input = schema
        elif part == "output" and self.output is None:
            self.output = schema
