"""Fill in the module template for one tool."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.parsing.discovery import SPEC_NAME
from mcp_contracts.schema.outline import root_of
from mcp_contracts.writing.json_text import json_fence
from mcp_contracts.writing.new_tool import NewField, NewTool
from mcp_contracts.writing.tables import table_cell, table_lines
from mcp_contracts.writing.types import type_cell
from mcp_contracts.writing.yaml_text import yaml_word

_TOOL_HEADING = re.compile(r"^## Tool:", re.MULTILINE)
_SECTION = re.compile(r"^### (\d)\. .*$", re.MULTILINE)


def template_text() -> str:
    """Return the template, which is next to the package in a checkout and inside it in a wheel."""
    package = Path(__file__).parent.parent
    inside = package / "module_template" / SPEC_NAME
    path = inside if inside.is_file() else package.parent / "module_template" / SPEC_NAME
    return path.read_text(encoding="utf-8")


def new_file(tool: NewTool) -> str:
    """Return a new specification with one tool."""
    return file_head(tool.module) + tool_block(tool)


def file_head(module: str) -> str:
    """Return the text before the first tool."""
    text = template_text()
    stated, _, rest = text[: _tool_start(text)].partition("module_name")
    head = f"{stated}{yaml_word(module)}{rest.replace('module_name', module)}"
    return re.sub(r"\{\{module:.*?\}\}", f"The tools of the `{module}` module.", head)


def tool_block(tool: NewTool) -> str:
    """Return the text of one tool, from its heading. Parts that the options do not state remain placeholders."""
    text = template_text().replace("module_name.tool_name", tool.name).replace("module_name", tool.module)
    text = text[_tool_start(text) :]
    head, *pieces = _SECTION.split(text)
    starts = [match[0] for match in _SECTION.finditer(text)]
    bodies = dict(zip(pieces[::2], pieces[1::2], strict=True))
    if tool.effects is not None:
        head = re.sub(r"^\*\*Effects\*\*:.*$", f"**Effects**: {tool.effects}", head, flags=re.MULTILINE)
        head = re.sub(r"^\{\{effects:.*\}\}\n\n", "", head, flags=re.MULTILINE)
    if tool.description is not None:
        bodies["1"] = _body(tool.description)
    if tool.parameters:
        bodies["3"] = _body(_table("Parameter", tool.parameters), json_fence(_schema(tool.parameters, is_closed=True)))
    if tool.returns:
        bodies["4"] = _body(_table("Field", tool.returns), json_fence(_schema(tool.returns, is_closed=False)))
    if tool.errors:
        bodies["5"] = _body("\n".join(f"- `{name}`: {when}" for name, when in tool.errors))
    if tool.idempotent is not None:
        bodies["6"] = _body(f"**Idempotent**: {tool.idempotent}")
    elif tool.effects is not None and "read-only" in tool.effects:
        bodies["6"] = bodies["6"].replace("**Idempotent**: no", "**Idempotent**: yes")
    bodies["7"] = _examples(tool, bodies["7"])
    if tool.security is not None:
        bodies["8"] = _body(tool.security)
    sections = "".join(start + bodies[number] for start, number in zip(starts, pieces[::2], strict=True))
    return f"{head}{sections}".rstrip() + "\n"


def _tool_start(text: str) -> int:
    match = _TOOL_HEADING.search(text)
    if match is None:
        raise ValueError("the template contains no tool")
    return match.start()


def _body(*blocks: str) -> str:
    return "\n\n" + "\n\n".join(blocks) + "\n\n"


def _table(title: str, fields: Sequence[NewField]) -> str:
    rows = [[title, "Type", "Required", "Description", "Example"]]
    for field in fields:
        example = table_cell(json.dumps(sample(field.schema), ensure_ascii=False))
        required = "yes" if field.is_required else "no"
        rows.append([f"`{field.name}`", _type(field), required, table_cell(_description(field)), f"`{example}`"])
    return "\n".join(table_lines(rows))


def _type(field: NewField) -> str:
    """Return the type in the format's notation."""
    return table_cell(type_cell(field.type, field.schema, root_of(field.schema)))


def _description(field: NewField) -> str:
    """Return a field's description, or a placeholder that is the same in table and schema, so that it counts once."""
    return field.description or "{{" + f"{field.name}: say what it means, its unit and its limits" + "}}"


def _schema(fields: Sequence[NewField], *, is_closed: bool) -> dict[str, JsonValue]:
    properties: dict[str, JsonValue] = {
        field.name: {**field.schema, "description": _description(field)} for field in fields
    }
    schema: dict[str, JsonValue] = {"type": "object", "properties": properties}
    required: list[JsonValue] = [field.name for field in fields if field.is_required]
    if required:
        schema["required"] = required
    if is_closed:
        schema["additionalProperties"] = False
    return schema


def _examples(tool: NewTool, template: str) -> str:
    """Return section 7 for the tool's fields, without its placeholder if the options described both sides."""
    fences = iter([match[1] for match in re.finditer(r"```json\n(.*?)\n```", template, re.DOTALL)])
    call, result, failure = (json.loads(text) for text in fences)
    if tool.parameters:
        call["arguments"] = {field.name: sample(field.schema) for field in tool.parameters}
    if tool.returns:
        result["data"] = {field.name: sample(field.schema) for field in tool.returns}
    first = tool.parameters[0].name if tool.parameters else next(iter(call["arguments"]), "")
    failure["error"]["error_details"] = {"pointer": f"/{first}"}
    if tool.errors:
        name, when = tool.errors[0]
        failure["error"] = {"error_type": name, "error_message": when, "error_details": None}
    blocks = [
        "**Call**:",
        json_fence(call),
        "**Result**:",
        json_fence(result),
        "**Failure**:",
        json_fence(failure),
    ]
    placeholder = re.search(r"^\{\{examples:.*\}\}$", template, re.MULTILINE)
    if placeholder and not (tool.parameters and tool.returns):
        blocks.insert(0, placeholder[0])
    return _body(*blocks)


_SAMPLES: dict[str, JsonValue] = {
    "string": "example",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "null": None,
    "object": {},
}
_FORMATS: dict[str, JsonValue] = {
    "date-time": "2026-01-31T12:00:00Z",
    "date": "2026-01-31",
    "time": "12:00:00Z",
    "uri": "https://example.org/",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "email": "someone@example.org",
}


def sample(schema: dict[str, JsonValue]) -> JsonValue:
    """Return a value for a schema of `read_type`, which contains only types, enums, items, unions and formats."""
    values = schema.get("enum")
    if isinstance(values, list) and values:
        return values[0]
    branches = schema.get("anyOf")
    if isinstance(branches, list) and isinstance(branches[0], dict):
        return sample(branches[0])
    stated = schema.get("type", "string")
    kind = stated[0] if isinstance(stated, list) else stated
    if kind == "array":
        items = schema.get("items")
        return [sample(items)] if isinstance(items, dict) else []
    form = schema.get("format")
    if isinstance(form, str) and form in _FORMATS:
        return _FORMATS[form]
    if schema.get("contentEncoding") == "base64":
        return "ZXhhbXBsZQ=="
    return _SAMPLES.get(str(kind))
