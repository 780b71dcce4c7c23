"""The measured files, all generated from a seed: specifications, their schemas, tool lists and Python."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.corpus import make_schema, write_corpus

_FENCE = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_RULES = """rules:
  property-described:
    given: $.properties[*]
    severity: warn
    then: {field: description, function: truthy}
"""
SERVER = """
import json, sys

tools = json.load(open(sys.argv[1]))["tools"]
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] == "initialize":
        version = message["params"]["protocolVersion"]
        info = {"name": "many", "version": "1"}
        answer["result"] = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
    elif message["method"] == "tools/list":
        answer["result"] = {"tools": tools}
    else:
        answer["error"] = {"code": -32601, "message": "not found"}
    print(json.dumps(answer), flush=True)
"""
"""An MCP server over stdio that lists the tools of a file, and needs no package."""


def write_specs(folder: Path, count: int) -> list[Path]:
    """Write specifications without faults, so that every tool reads all of them."""
    return write_corpus(folder, count, faulty=0)


def write_schemas(specs: Sequence[Path], folder: Path) -> list[Path]:
    """Write each schema of some specifications into a file, with a ruleset for Spectral next to them."""
    folder.mkdir()
    paths: list[Path] = []
    for spec in specs:
        for text in _FENCE.findall(spec.read_text(encoding="utf-8")):
            if "properties" in json.loads(text):
                path = folder / f"{len(paths):05d}.schema.json"
                path.write_text(text, encoding="utf-8")
                paths.append(path)
    (folder / "rules.yaml").write_text(_RULES, encoding="utf-8")
    return paths


def write_python(specs: Sequence[Path], folder: Path) -> None:
    """Write a Python module for each specification, with about as many lines."""
    folder.mkdir()
    for number, spec in enumerate(specs):
        lines = spec.read_text(encoding="utf-8").count("\n")
        functions = [
            f'def step_{index}(value: int, *, limit: int = {index}) -> int:\n    """Return the lesser."""\n'
            f"    if value > limit:\n        return limit\n    return value\n"
            for index in range(lines // 7)
        ]
        (folder / f"module_{number:05d}.py").write_text("\n\n".join(functions), encoding="utf-8")


def write_pair(folder: Path, count: int, changes: int) -> tuple[Path, Path]:
    """Write two tool lists. Some tools of the second have one change each: of a type, a limit or a name, in turn."""
    folder.mkdir()
    chance = random.Random("tools")
    old: list[dict[str, Any]] = [
        {
            "name": f"tool_{number}",
            "description": f"Tool number {number} of a large server.",
            "inputSchema": make_schema(chance, chance.randint(2, 6), is_input=True),
            "outputSchema": make_schema(chance, chance.randint(3, 6), is_input=False),
        }
        for number in range(count)
    ]
    new = copy.deepcopy(old)
    for change in range(changes):
        schema = new[change * count // changes]["inputSchema"]
        name = next(iter(schema["properties"]))
        member = schema["properties"][name]
        if change % 3 == 0:
            schema["properties"][name] = {"type": "null", "description": member["description"]}
        elif change % 3 == 1:
            schema["properties"]["added"] = {"type": "string", "description": "Required now."}
            schema["required"] = [*schema["required"], "added"]
        else:
            schema["properties"] = {
                f"{name}_id" if key == name else key: one for key, one in schema["properties"].items()
            }
            schema["required"] = [f"{name}_id" if key == name else key for key in schema["required"]]
    paths = folder / "old.json", folder / "new.json"
    for path, tools in zip(paths, (old, new), strict=True):
        path.write_text(json.dumps({"tools": tools}, indent=1), encoding="utf-8")
    (folder / "server.py").write_text(SERVER, encoding="utf-8")
    return paths
