"""The contract of a tool, and the files that contracts come from.

Every command works on `ToolContract`, regardless of the source. `SpecTool` adds how a person wrote it. `SpecFile`,
`ToolListFile` and `PythonFile` are the files, and `Contracts` is the sequence that `load` returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal, Protocol, Self, overload

from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.faults import Fault
from mcp_contracts.fixed_places import NOWHERE, FixedLocator
from mcp_contracts.json_values.types import check_json
from mcp_contracts.records import dataclass, field
from mcp_contracts.sections import Mention, PropertyLine, Section

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]
"""Any JSON value as a Python object."""


class Locator(Protocol):
    """Finds the place of a JSON pointer in the original text."""

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        """Return the place of the value at `pointer`, of its key, or of the closest enclosing value."""


class SchemaOrigin(StrEnum):
    """How a schema was given."""

    SCHEMA = "schema"  # as JSON Schema, in a fence or a tool list
    TABLE = "table"  # derived from a parameter table
    PROSE = "prose"  # derived from bullets, a signature, a property map or broken YAML


@dataclass(frozen=True, slots=True)
class SchemaPart:
    """A schema of a tool, with its origin and the locator of its text."""

    part: Part
    value: JsonValue
    origin: SchemaOrigin
    locator: Locator


@dataclass(frozen=True, slots=True)
class Status:
    """The life cycle of a tool: `state` is experimental, stable, deprecated, or other text of the author."""

    state: str
    since: str | None = None
    removed_in: str | None = None
    replacement: str | None = None


@dataclass(frozen=True, slots=True)
class Effects:
    """The side effects of a call. None if the author does not state them."""

    change: Literal["read-only", "additive", "destructive"] | None = None
    world: Literal["open-world", "closed-world"] | None = None
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ErrorType:
    """One documented error: its type, when it occurs, and its place."""

    name: str
    when: str
    place: Place


@dataclass(frozen=True, slots=True)
class Migration:
    """What a caller must change when migrating from `since` (such as `1.x`)."""

    since: str
    text: str


@dataclass(frozen=True, slots=True)
class Example:
    """An example of a tool, in JSON or in code. `kind` is what it represents; `value` is None if it cannot be read.

    `computed` contains the names of arguments that code computes; `is_whole` is False if more may exist.
    `arguments_key` is the key above the arguments of a call, as written; empty if there is none, as in most code.
    """

    kind: Literal["call", "result", "arguments", "data"]
    value: JsonValue
    locator: Locator
    computed: frozenset[str] = frozenset()
    is_whole: bool = True
    arguments_key: str = "arguments"


@dataclass(frozen=True, slots=True)
class Placeholder:
    """Placeholder text that the author must still replace, such as `TODO`; "" for an empty purpose."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class ToolContract:
    """A tool as callers see it.

    `name` is as written (dotted in a canonical specification). `module` comes from the front matter, the folder or the
    server. `input` and `output` are None if they are not stated. `task_support` says whether a tool may or must be
    called as a task of MCP; None if that is forbidden. `places` maps the names of fields (`name`, `version`,
    `description`, …) to their places; `extent` is the tool's whole text. With `placeholders`, the tool is not ready.
    """

    name: str
    place: Place
    module: str | None = None
    source_name: str | None = None
    title: str | None = None
    version: str | None = None
    description: str = ""
    status: Status | None = None
    effects: Effects | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    optional: bool | None = None
    use_when: str | None = None
    channels: tuple[str, ...] = ()
    input: SchemaPart | None = None
    output: SchemaPart | None = None
    errors: tuple[ErrorType, ...] = ()
    idempotent: Literal["yes", "no", "conditional"] | None = None
    task_support: Literal["optional", "required"] | None = None
    security: str | None = None
    examples: tuple[Example, ...] = ()
    migrations: tuple[Migration, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict)
    placeholders: tuple[Placeholder, ...] = ()

    @classmethod
    def from_schema(
        cls,
        name: str,
        description: str = "",
        *,
        input_schema: JsonValue = None,
        output_schema: JsonValue = None,
        **fields: Any,
    ) -> Self:
        """Create a contract from JSON Schemas and other fields. Raises UsageError for a schema that is not JSON."""
        parts: tuple[tuple[Part, JsonValue], ...] = (("input", input_schema), ("output", output_schema))
        for part, schema in parts:
            if schema is not None:
                check_json(schema, f"`{part}_schema` of `{name}`")
                fields[part] = SchemaPart(part, schema, SchemaOrigin.SCHEMA, FixedLocator())
        return cls(name, NOWHERE, description=description, **fields)

    @property
    def input_schema(self) -> JsonValue:
        """The JSON Schema of the arguments, or None if it is not stated."""
        return None if self.input is None else self.input.value

    @property
    def output_schema(self) -> JsonValue:
        """The JSON Schema of the result's data, or None if it is not stated."""
        return None if self.output is None else self.output.value

    def place_of(self, field_name: str) -> Place:
        """Return the place of a field, or of the tool."""
        return self.places.get(field_name, self.place)


@dataclass(frozen=True, slots=True)
class PlacedText:
    """Text as its author wrote it, and its place."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a parameter table. `type` is as written, `schema` its meaning; None if the author does not state it.

    `path` splits a dotted name (`issues[].line` is `("issues", "[]", "line")`). `required_text`, `default` and
    `example` are the content of those columns, or the equivalent in a bullet or a signature.
    """

    name: str
    path: tuple[str, ...]
    type: str | None
    schema: Mapping[str, JsonValue] | None
    required: bool | None
    description: str
    place: Place
    type_place: Place
    required_place: Place
    required_text: str = ""
    default: PlacedText | None = None
    example: PlacedText | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A parameter table, or its equivalent in other dialects."""

    rows: tuple[TableRow, ...]
    place: Place
    kind: Literal["table", "list", "code"] = "table"


LISTED_ONLY = "it is only listed and has no section of its own"
"""The deviation of a tool that only appears in an overview (a table or a list)."""


@dataclass(frozen=True, slots=True)
class SpecTool:
    """A tool as a person wrote it.

    `deviations` are the differences of an older dialect from the canonical form. `lines` are the tool's first and last
    line, `tables` all its tables of parameters and fields, `signature` the parameters of its function in code, and
    `unread_errors` the errors of section 5 without backticks.
    """

    contract: ToolContract
    lines: tuple[int, int]
    heading: str
    sections: tuple[Section, ...] = ()
    input_table: Table | None = None
    output_table: Table | None = None
    tables: tuple[Table, ...] = ()
    signature: tuple[TableRow, ...] = ()
    invocation_name: str | None = None
    idempotency_text: str | None = None
    property_lines: tuple[PropertyLine, ...] = ()
    unread_errors: tuple[ErrorType, ...] = ()
    deviations: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def is_legacy(self) -> bool:
        """Whether the tool is not written in the canonical form."""
        return bool(self.deviations)

    @property
    def is_listed_only(self) -> bool:
        """Whether the tool only appears in an overview, without a section of its own."""
        return LISTED_ONLY in self.deviations

    def section(self, number: int) -> Section | None:
        """Return the first section with this number."""
        return next((section for section in self.sections if section.number == number), None)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The YAML front matter of a specification. `keys` maps every key to its place."""

    values: Mapping[str, JsonValue]
    keys: Mapping[str, Place]
    place: Place


@dataclass(frozen=True, slots=True)
class Comment:
    """An HTML comment of a specification, and the lines of the block that follows it."""

    text: str
    place: Place
    next_block: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class SpecFile:
    """A specification file. `text` is its content without the byte order mark.

    If `plainly_has_none`, one sentence says that it has no tools. The text at `denial` only seems to, so `functions`
    are not read as tools. `unread_tools`, `unread_siblings` and `contract_part` look like tools in an unsupported form.
    """

    path: str
    text: str
    module: str | None = None
    module_version: str | None = None
    front_matter: FrontMatter | None = None
    states_no_tools: bool = False
    plainly_has_none: bool = False
    unread_tools: tuple[Mention, ...] = ()
    unread_siblings: tuple[Mention, ...] = ()
    contract_part: Place | None = None
    functions: tuple[Mention, ...] = ()
    denial: Place | None = None
    tools: tuple[SpecTool, ...] = ()
    comments: tuple[Comment, ...] = ()
    placeholders: tuple[Placeholder, ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def contracts(self) -> tuple[ToolContract, ...]:
        """The contracts of the file's tools, in order."""
        return tuple(tool.contract for tool in self.tools)

    @property
    def is_closed(self) -> bool:
        """Whether all tools of the file are known to be read, so that no other name is a tool's."""
        return bool(self.tools) and not self.unread_tools and not self.unread_siblings


@dataclass(frozen=True, slots=True)
class ToolListFile:
    """A JSON file that lists tools: `{"tools": […]}`, an array, a `tools/list` response, or a bundle."""

    path: str
    text: str
    module: str | None = None
    contracts: tuple[ToolContract, ...] = ()
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class PythonFile:
    """A Python module whose functions are tools. It is only parsed, never run."""

    path: str
    text: str
    module: str | None = None
    contracts: tuple[ToolContract, ...] = ()
    faults: tuple[Fault, ...] = ()


SourceFile = SpecFile | ToolListFile | PythonFile


@dataclass(frozen=True, slots=True)
class Contracts(Sequence[ToolContract]):
    """All contracts of a source, in order, by position or by name: `contracts["weather.get_forecast"]`."""

    files: tuple[SourceFile, ...] = ()

    @property
    def tools(self) -> tuple[ToolContract, ...]:
        """The contracts, sorted by file and place."""
        return tuple(contract for file in self.files for contract in file.contracts)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of the source itself: files and blocks that could not be read."""
        holders = ((file, *(file.tools if isinstance(file, SpecFile) else ())) for file in self.files)
        return tuple(fault for group in holders for holder in group for fault in holder.faults)

    def __len__(self) -> int:
        return sum(len(file.contracts) for file in self.files)

    @overload
    def __getitem__(self, key: int | str) -> ToolContract: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[ToolContract, ...]: ...
    def __getitem__(self, key: int | str | slice) -> ToolContract | tuple[ToolContract, ...]:
        if not isinstance(key, str):
            return self.tools[key]
        return {contract.name: contract for contract in reversed(self.tools)}[key]  # the first of a name

    def __iter__(self) -> Iterator[ToolContract]:
        return iter(self.tools)

    def __contains__(self, value: object) -> bool:
        return any(contract is value or contract.name == value for contract in self)
