"""Generate a corpus of any size: seeded canonical specifications with realistic proportions.

`python -m benchmarks.corpus FOLDER COUNT [SEED]`. A file only depends on seed and index, so that a corpus of 1,000 is
the beginning of one of 10,000. About one file in fifty has one planted fault.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

_AREAS = (
    "audio",
    "billing",
    "calendar",
    "data",
    "docs",
    "files",
    "git",
    "maps",
    "search",
    "tickets",
    "video",
    "weather",
)
_THINGS = ("branch", "chart", "comment", "event", "folder", "invoice", "label", "member", "note", "order", "photo",
           "place", "query", "report", "route", "schema", "task", "token", "user", "window")  # fmt: skip
_ACTIONS = (
    "add",
    "archive",
    "check",
    "copy",
    "create",
    "find",
    "get",
    "list",
    "merge",
    "move",
    "rename",
    "send",
    "update",
)
_WORDS = ("each", "result", "keeps", "its", "order", "so", "that", "two", "runs", "compare", "well", "and", "hold",
          "for", "every", "caller", "who", "may", "read", "the", "record", "by", "name", "or", "number")  # fmt: skip
_FAULTS = ("json", "type", "example", "version", "section", "reference")
FAULTY = 0.02
"""The share of specifications with a planted fault."""


def write_corpus(folder: Path, count: int, *, seed: int = 1, faulty: float = FAULTY) -> list[Path]:
    """Write `count` specifications below a folder, a share of them with a fault, and return their paths."""
    paths = []
    for index in range(count):
        module, text = make_spec(seed, index, faulty=faulty)
        path = folder / module / "MCP_TOOL_SPECIFICATION.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def make_spec(seed: int, index: int, *, faulty: float = FAULTY) -> tuple[str, str]:
    """Return the name of a module and the text of its specification."""
    chance = random.Random(f"{seed}/{index}")
    module = f"{chance.choice(_AREAS)}_{index:05d}"
    fault = chance.choice(_FAULTS) if chance.random() < faulty else None
    count = chance.choices((1, 2, 3, 5, 8), (52, 33, 9, 5, 1))[0]
    lines = ["---", f"module: {module}", "version: 1.4.0", "protocol: 1.0.0", "---", "", f"# {module}", ""]
    lines += [_sentence(chance, 20), "", "## General considerations", ""]
    lines += [f"- **{title}**: {_sentence(chance, 14)}" for title in ("Dependencies", "Set-up", "Errors")] + [""]
    for number in range(count):
        lines += _tool(chance, module, number, fault if number == 0 else None)
    lines += ["## Links", "", "- [Read me](README.md)", "- [Interface](API.md)", ""]
    return module, "\n".join(lines)


def _tool(chance: random.Random, module: str, number: int, fault: str | None) -> list[str]:
    name = f"{module}.{chance.choice(_ACTIONS)}_{chance.choice(_THINGS)}_{number}"
    input_schema = make_schema(chance, chance.randint(2, 6), is_input=True)
    output_schema = make_schema(chance, chance.randint(3, 6), is_input=False)
    arguments = _value(chance, input_schema, input_schema)
    data = _value(chance, output_schema, output_schema)
    tables = _table("Parameter", input_schema), _table("Field", output_schema)
    if fault == "type":
        next(iter(input_schema["properties"].values()))["type"] = "strnig"
    if fault == "reference":
        input_schema["properties"]["lost"] = {"$ref": "#/$defs/nothing", "description": "A reference to nothing."}
    if fault == "example":
        arguments["surplus"] = 1
    schema_fence = _fence(input_schema)
    if fault == "json":
        schema_fence[-2] = schema_fence[-2] + ",}"
    version = "v1.4" if fault == "version" else "1.4.0"
    sections = [
        ("1. Tool Purpose and Description", [_sentence(chance, 28)]),
        ("2. Invocation Name", [f"`{name}`"]),
        ("3. Input Schema (Parameters)", [*tables[0], "", *schema_fence]),
        ("4. Output Schema (Return Value)", [*tables[1], "", *_fence(output_schema)]),
        (
            "5. Error Handling",
            [f"- `{error}`: {_sentence(chance, 8)}" for error in ("ValidationError", "TimeoutError")],
        ),
        ("6. Idempotency", [f"**Idempotent**: {chance.choice(('yes', 'no'))}", "", _sentence(chance, 12)]),
        ("7. Usage Examples", _examples(name, arguments, data)),
        ("8. Security Considerations", [f"- **{title}**: {_sentence(chance, 10)}" for title in ("Input", "Rights")]),
    ]
    lines = [f"## Tool: `{name}`", "", f"**Version**: {version}", "**Status**: stable"]
    lines += ["**Effects**: additive, closed-world", ""]
    for title, body in sections:
        if not (fault == "section" and title.startswith("6")):
            lines += [f"### {title}", "", *body, ""]
    return lines


def _sentence(chance: random.Random, length: int) -> str:
    return " ".join(chance.choice(_WORDS) for _ in range(length)).capitalize() + "."


def _leaf(chance: random.Random) -> dict[str, Any]:
    leaf: dict[str, Any] = chance.choice(
        (
            {"type": "string", "minLength": 1},
            {"type": "string", "pattern": "^[a-z0-9_./-]+$"},
            {"type": "string"},
            {"type": "integer", "minimum": 0, "maximum": 1000},
            {"type": "number", "minimum": 0},
            {"type": "boolean", "default": False},
            {"type": "string", "enum": ["small", "middle", "large"]},
            {"type": "array", "items": {"type": "string"}, "maxItems": 50},
        )
    )
    return {**leaf, "description": _sentence(chance, 8)}


def make_schema(chance: random.Random, count: int, *, is_input: bool) -> dict[str, Any]:
    """Return a schema of some properties, at random."""
    names = chance.sample(_THINGS, count)
    properties: dict[str, Any] = {name: _leaf(chance) for name in names}
    for name in names[: max(1, count // 3)]:
        properties[name].pop("default", None)  # it is required, so its default would never apply
    schema: dict[str, Any] = {}
    if chance.random() < 0.5:
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema |= {"type": "object", "properties": properties, "required": names[: max(1, count // 3)]}
    if chance.random() < 0.4:
        properties[names[-1]] = {
            "type": "array",
            "items": {"$ref": "#/$defs/entry"},
            "description": _sentence(chance, 7),
        }
        inner = {name: _leaf(chance) for name in chance.sample(_THINGS, 3)}
        schema["$defs"] = {"entry": {"type": "object", "properties": inner, "required": list(inner)[:1]}}
        inner[next(iter(inner))].pop("default", None)
    if is_input:
        schema["additionalProperties"] = False
    return schema


def _value(chance: random.Random, schema: dict[str, Any], root: dict[str, Any]) -> Any:
    if "$ref" in schema:
        return _value(chance, root["$defs"]["entry"], root)
    if "enum" in schema:
        return chance.choice(schema["enum"])
    kind = schema["type"]
    if kind == "object":
        required = schema["required"]
        return {
            name: _value(chance, member, root)
            for name, member in schema["properties"].items()
            if name in required or chance.random() < 0.6
        }
    if kind == "array":
        return [_value(chance, schema["items"], root) for _ in range(chance.randint(1, 3))]
    samples: dict[str, Any] = {"string": "a_1", "integer": 7, "number": 2.5, "boolean": True}
    return samples[kind]


def _table(title: str, schema: dict[str, Any]) -> list[str]:
    rows = [f"| {title} | Type | Required | Description |", "|:---|:---|:---|:---|"]
    for name, member in schema["properties"].items():
        kind = member["type"]
        if "enum" in member:
            kind = "enum[" + ", ".join(json.dumps(value) for value in member["enum"]) + "]"
        if kind == "array":
            kind = "array[object]" if "$ref" in member["items"] else "array[string]"
        required = "yes" if name in schema["required"] else "no"
        rows.append(f"| `{name}` | {kind} | {required} | {member['description']} |")
    return rows


def _fence(value: Any) -> list[str]:
    return ["```json", *json.dumps(value, indent=2).split("\n"), "```"]


def _examples(name: str, arguments: Any, data: Any) -> list[str]:
    failure = {"error_type": "TimeoutError", "error_message": "It took too long."}
    return [
        "**Call**:", "", *_fence({"tool_name": name, "arguments": arguments}), "",
        "**Result**:", "", *_fence({"status": "success", "data": data}), "",
        "**Failure**:", "", *_fence({"status": "failure", "data": None, "error": failure}),
    ]  # fmt: skip


if __name__ == "__main__":
    written = write_corpus(Path(sys.argv[1]), int(sys.argv[2]), seed=int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    print(f"wrote {len(written)} specifications")
