"""The parts of a contract as the text of a specification."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SchemaPart, ToolContract
from mcp_contracts.formatting.regeneration import new_grid
from mcp_contracts.formatting.specs import format_spec
from mcp_contracts.importing.parts import EFFECTS, LINES, Parts, record_text
from mcp_contracts.migration.tools import MISSING, NO_PARAMETERS
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.schema.simple import properties_of
from mcp_contracts.sections import SECTION_TITLES
from mcp_contracts.writing.json_text import json_fence
from mcp_contracts.writing.tables import table_lines

FIRST_VERSION = "0.1.0"
_MISSING = {**MISSING, 6: "{{idempotency: write yes, no or conditional, and say what repeating a call changes}}"}
SAMPLED = (
    "{{examples: this call is sampled from the schema; add real calls, a result and a failure, and delete this line}}"
)
"""Marks a sampled example."""
PLACEHOLDER = re.compile(r"\{\{[a-z]+: [^{}\n]+\}\}")
"""A paragraph of the template that the author fills in."""
_LEAD_OF = {"call": "**Call**:", "arguments": "**Arguments**:", "result": "**Result**:", "data": "**Data**:"}
LEADS = frozenset(_LEAD_OF.values())
"""The text before an example."""
_LONGEST_PROSE = 50_000  # characters: longer text is kept in a code block, since it is parsed nine times
_BACKTICKS = re.compile(r"`+")
_AROUND_DESCRIPTION = """\
## Tool: `a.b`

**Version**: 0.1.0

### 1. Tool Purpose and Description

{}

### 2. Invocation Name

`a.b`

### 3. Input Schema (Parameters)

This tool takes no parameters.

```json
{{"type": "object"}}
```
"""


def tool_text(contract: ToolContract, parts: Parts, digests: Mapping[str, str], sampled: JsonValue) -> str:
    """Return the text of a tool, from its heading; missing parts become placeholders or are left out."""
    lines = [f"**Version**: {parts.get('version', FIRST_VERSION)}"]
    lines += [property_line(name, parts) for name in ("status", "effects", *LINES[2:]) if line_value(name, parts)]
    blocks = [f"## Tool: `{contract.name}`", "\n".join(lines), record_text(digests)]
    for number, title in SECTION_TITLES.items():
        written = [*section_blocks(number, contract, parts, sampled)]
        blocks += [f"### {number}. {title}", *written] if written else []
    return "\n\n".join(blocks) + "\n"


def property_line(name: str, parts: Parts) -> str:
    """Return a bold line below the heading."""
    value = line_value(name, parts)
    return f"**{name.capitalize()}**: {f'`{value}`' if name == 'source name' else value}"


def line_value(name: str, parts: Parts) -> str:
    """Return the value of a bold line; empty if it is not stated."""
    if name == "effects":
        return ", ".join(str(parts[one]) for one in EFFECTS if one in parts)
    value = parts.get(name, "")
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def section_blocks(number: int, contract: ToolContract, parts: Parts, sampled: JsonValue) -> Iterator[str]:
    """Yield the blocks of a section. `sampled` is the call to use without examples."""
    match number:
        case 1:
            yield description_text(str(parts["description"])) if "description" in parts else _MISSING[1]
        case 2:
            yield f"`{contract.name}`"
        case 3 | 4:
            part = contract.input if number == 3 else contract.output
            is_stated = ("input" if number == 3 else "output") in parts
            yield from schema_blocks(number, part if is_stated else None)
        case 5 if "errors" in parts:
            yield "\n".join(f"- `{error.name}`: {error.when}".rstrip(": ") for error in contract.errors)
        case 6 if "idempotency" in parts:
            yield f"**Idempotent**: {parts['idempotency']}"
        case 7:
            yield from _example_blocks(contract, parts, sampled)
        case 8 if "security" in parts:
            yield str(parts["security"])
        case 9:
            yield from (f"**From {note.since}**: {note.text}" for note in contract.migrations)
        case _:
            yield _MISSING[number]


def schema_blocks(number: int, part: SchemaPart | None) -> Iterator[str]:
    """Yield the table and the schema of section 3 or 4."""
    if part is None:
        yield MISSING[number]
        # Without a schema, the output is any value, and the input any object.
        yield json_fence({"type": "object"} if number == 3 else {})
        return
    if number == 3 and takes_nothing(part):
        yield NO_PARAMETERS
    rows = new_grid(part).rows if properties_of(part.value) else []
    if len(rows) > 1:
        yield "\n".join(table_lines(rows))
    yield json_fence(part.value)


def takes_nothing(part: SchemaPart) -> bool:
    """Whether a schema describes a tool without parameters."""
    schema = part.value
    if not isinstance(schema, dict) or schema.get("type") != "object" or not schema.keys() <= _OF_NO_PARAMETERS:
        return False
    return not schema.get("properties") and not schema.get("additionalProperties")


_OF_NO_PARAMETERS = frozenset(("type", "properties", "required", "additionalProperties", "$schema", "title"))


def description_text(description: str) -> str:
    """Return section 1: the description as prose if that preserves it, else in a code block."""
    if _reads_back(description):
        return description
    longest = max((len(run) for run in _BACKTICKS.findall(description)), default=0)
    marks = "`" * max(3, longest + 1)
    return f"{marks}text\n{description}\n{marks}"


def _reads_back(description: str) -> bool:
    """Whether prose preserves a description: it is parsed unchanged, adds nothing else, and survives formatting."""
    if len(description) > _LONGEST_PROSE:
        return False
    text = _AROUND_DESCRIPTION.format(description)
    spec = read_spec("", text)
    if len(spec.tools) != 1 or spec.placeholders or spec.comments or spec.faults:
        return False
    [tool] = spec.tools
    contract = tool.contract
    is_alone = [section.number for section in tool.sections] == [1, 2, 3] and not (tool.faults or contract.placeholders)
    is_read = contract.description == description and tool.invocation_name == "a.b"
    return is_alone and is_read and format_spec("", text).text == text


def _example_blocks(contract: ToolContract, parts: Parts, sampled: JsonValue) -> Iterator[str]:
    if "examples" in parts:
        for example in contract.examples:
            yield _LEAD_OF[example.kind]
            yield json_fence(example.value)
    elif sampled is None:
        yield MISSING[7]
    else:
        yield SAMPLED
        yield _LEAD_OF["call"]
        yield json_fence(sampled)
