"""The imports of a registry with a bundle: production imports nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.runtime_tools import ROOT, bundled, closed, write_bundle

_HEAVY = (
    *("click", "typer", "rich", "markdown_it", "mcp", "griffe", "limits", "redis", "opentelemetry", "openai"),
    *("jsonschema", "referencing", "regress", "yaml", "pathspec", "jinja2", "pygls", "watchfiles", "llguidance"),
)


def _imported(code: str, *arguments: str) -> set[str]:
    """Return the packages outside the standard library that code imports, in a separate process."""
    telling = f"""
{code}
print()
print(*sorted({{name.partition('.')[0] for name in sys.modules}} - sys.stdlib_module_names))
"""
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"import sys\n{telling}", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return {name for name in ran.stdout.splitlines()[-1].split() if not name.startswith("_")}


def test_importing_the_package_imports_nothing_else() -> None:
    assert not _imported("import mcp_contracts") & {*_HEAVY, "pydantic", "jsonschema_rs", "semver"}


def test_importing_the_registry_imports_only_pydantic() -> None:
    found = _imported("from mcp_contracts import CallContext, MCPToolCall, RateLimits, RemoteTool, ToolRegistry")

    assert not found & {*_HEAVY, "jsonschema_rs", "semver"}


def test_a_registry_on_a_bundle_imports_nothing_heavy(tmp_path: Path) -> None:
    schema = closed(text={"type": "string", "pattern": "^[a-z]*$"})
    tools = bundled(version="1.2.0", input_schema=schema), bundled("notes.find", input_schema=schema)
    bundle = write_bundle(tmp_path / "bundle.json", *tools)

    found = _imported(
        """
import asyncio
from mcp_contracts import CallContext, MCPToolCall, ToolRegistry, load

registry = ToolRegistry(load(sys.argv[1]))

@registry.implement("notes.add")
async def add(text: str = "") -> dict[str, str]:
    return {"added": text}

@registry.implement("notes.find")
def find(text: str = "") -> list[str]:
    raise ValueError("nothing")

registry.subscribe(lambda event: None)
call = {"tool_name": "notes.add", "arguments": {"text": "milk"}}
assert asyncio.run(registry.acall(call, version="^1", context=CallContext(deadline=5))).data == {"added": "milk"}
assert registry.call(MCPToolCall(**call)).data == {"added": "milk"}
assert registry["notes.add"](text=5).error is not None
assert registry.call({"tool_name": "notes.find", "arguments": {}}).error is not None
assert registry.call({"tool_name": "notes.fnd", "arguments": {}}).error is not None
assert registry.start(call).result(5).data == {"added": "milk"}
""",
        str(bundle),
    )

    assert not found & set(_HEAVY)


def test_a_tool_of_a_function_needs_nothing_of_the_command_line() -> None:
    found = _imported(
        """
from mcp_contracts import ToolRegistry

registry = ToolRegistry()

@registry.tool(name="notes.add")
def add(text: str) -> dict[str, str]:
    '''Add a note.'''
    return {"added": text}

assert add.call(text="milk").data == {"added": "milk"}
"""
    )

    assert not found & (set(_HEAVY) - {"griffe"})
