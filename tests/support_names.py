"""Tools and files built by hand, for the tests of rules about more than a schema."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mcp_contracts.contract import (
    Contracts,
    FrontMatter,
    JsonValue,
    SchemaOrigin,
    SchemaPart,
    SpecFile,
    SpecTool,
    ToolContract,
    ToolListFile,
)
from mcp_contracts.diagnostics import Finding, Place
from mcp_contracts.rules.base import Rule, RuleOptions
from mcp_contracts.sections import SECTION_TITLES, Section
from mcp_contracts.sources.tool_lists import read_tool_list

PATH = "specs/weather/MCP_TOOL_SPECIFICATION.md"


def at(line: int, column: int = 1, *, path: str = PATH) -> Place:
    """Return a place of one character."""
    return Place(path, line, column, line, column + 1)


@dataclass(frozen=True, slots=True)
class FixedLocator:
    """A locator with the same place for every pointer."""

    where: Place

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        """The one place."""
        return self.where


def section(number: int | None, text: str = "Said.", *, title: str | None = None, line: int | None = None) -> Section:
    """Return a section at line 10 times its number, with its own title unless another is given."""
    name = title if title is not None else SECTION_TITLES[number or 1]
    return Section(number, name, at(line if line is not None else 10 * (number or 0)), not text, text)


def sections(texts: Mapping[int, str] | None = None, *, leave_out: Sequence[int] = ()) -> tuple[Section, ...]:
    """Return sections 1 to 8, with the given texts."""
    given = texts or {}
    return tuple(section(number, given.get(number, "Said.")) for number in range(1, 9) if number not in leave_out)


def contract(name: str = "weather.get_forecast", **fields: Any) -> ToolContract:
    """Return a contract without findings, except for the given fields."""
    values = {
        "module": "weather",
        "version": "1.0.0",
        "description": "The forecast of a place for some days.",
        "places": {key: at(number) for number, key in enumerate(("name", "version", "status", "effects"), 2)},
        **fields,
    }
    return ToolContract(name, at(1), **values)


def spec_tool(name: str = "weather.get_forecast", *, texts: Mapping[int, str] | None = None, **fields: Any) -> SpecTool:
    """Return a specification's tool with all sections; fields of `SpecTool` and of its contract can be given."""
    own = {key: fields.pop(key) for key in list(fields) if key in SpecTool.__slots__}
    return SpecTool(
        contract(name, **fields), lines=(1, 99), heading=f"Tool: `{name}`", **{"sections": sections(texts), **own}
    )


def spec(*tools: SpecTool, text: str = "# Weather\n", path: str = PATH, **fields: Any) -> SpecFile:
    """Return a specification file."""
    return SpecFile(path, text, tools=tools, **fields)


def front_matter(**values: JsonValue) -> FrontMatter:
    """Return front matter with one key on each line, from line 2."""
    return FrontMatter(values, {key: at(line) for line, key in enumerate(values, 2)}, at(1))


def input_schema(properties: Mapping[str, JsonValue]) -> SchemaPart:
    """Return an input schema with some properties."""
    value: JsonValue = {"type": "object", "properties": dict(properties)}
    return SchemaPart("input", value, SchemaOrigin.SCHEMA, FixedLocator(at(50)))


def listed(*tools: Mapping[str, JsonValue], path: str = "tools.json", indent: int | None = 1) -> ToolListFile:
    """Read JSON as a tool list."""
    members = [{"name": "get", "description": "Gets what there is.", **tool} for tool in tools]
    return read_tool_list(path, json.dumps({"tools": members}, ensure_ascii=False, indent=indent))


def renamed(tool: SpecTool, name: str, line: int) -> SpecTool:
    """Return the same tool with another name, which is on a line."""
    return replace(tool, contract=replace(tool.contract, name=name, places={"name": at(line)}))


def findings(rule: Rule, subject: object, options: RuleOptions | None = None) -> list[Finding]:
    """Return the findings of a rule."""
    return list(rule.run(subject, options or RuleOptions()))


def messages(rule: Rule, subject: object, options: RuleOptions | None = None) -> list[str]:
    """Return the messages of a rule's findings."""
    return [finding.message for finding in findings(rule, subject, options)]


def only(rule: Rule, subject: object, options: RuleOptions | None = None) -> Finding:
    """Return the only finding of a rule."""
    (finding,) = findings(rule, subject, options)
    return finding


def said(rule: Rule, subject: object, options: RuleOptions | None = None) -> tuple[str, str | None]:
    """Return the message and the hint of the only finding of a rule."""
    finding = only(rule, subject, options)
    return finding.message, finding.hint


def together(*files: SpecFile | ToolListFile) -> Contracts:
    """Return some files as one source."""
    return Contracts(files)
