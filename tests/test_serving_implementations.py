"""The functions behind a specification: found by name or in a registry, and reloaded when a file changes."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_contracts.errors import UsageError
from mcp_contracts.serving.catalog import Catalog
from mcp_contracts.serving.implementations import ImplementedTools, forget_modules, load_tools
from mcp_contracts.serving.watching import reload_on_change
from mcp_contracts.sources.load import load
from tests.serving_servers import DEMO, NAMES

SPEC = 'ToolRegistry.from_specs("MCP_TOOL_SPECIFICATION.md")'
REGISTRY = f"""
from mcp_contracts import ToolRegistry
registry = {SPEC}

@registry.implement("demo.add")
def add(a: int, b: int) -> dict[str, object]:
    return {{"sum": a + b}}
"""
REST = """
@registry.implement("demo.wait")
def wait(seconds: float, tag: str = ""): return {"waited": seconds, "tag": tag}

@registry.implement("demo.lookup")
def lookup(word: str): return {"found": "no"}

@registry.implement("demo.channel", channel="sms")
def over_sms(): return {"channel": "sms", "caller": None}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    shutil.copy(DEMO / "MCP_TOOL_SPECIFICATION.md", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    forget_modules(tmp_path)


def tools_of(folder: Path, code: str, named: str = "app", *, has_spec: bool = True) -> ImplementedTools:
    (folder / "app.py").write_text(code, encoding="utf-8")
    return load_tools(load(folder) if has_spec else None, [named])


def test_functions_are_matched_by_name(folder: Path) -> None:
    shutil.copy(DEMO / "demo_tools.py", folder)

    tools = load_tools(load(folder), ["demo_tools.py"])

    assert [contract.name for contract in tools.registry.tools(implemented=True)] == NAMES
    assert [file.name for file in tools.files] == ["demo_tools.py"]


@pytest.mark.parametrize("named", ["app", "app.py", "app:registry", "app.py:registry"])
def test_the_registry_of_a_module_is_used(folder: Path, named: str) -> None:
    tools = tools_of(folder, REGISTRY + REST, named)

    assert tools.registry.call({"tool_name": "demo.add", "arguments": {"a": 1, "b": 2}}).data == {"sum": 3}


def test_a_function_may_build_the_registry(folder: Path) -> None:
    code = (
        "def build():\n" + "\n".join(f"    {line}" for line in (REGISTRY + REST).splitlines()) + "\n    return registry"
    )

    tools = tools_of(folder, code, "app:build", has_spec=False)

    assert len(tools.registry) == 4


def test_only_the_tools_of_the_specification_are_served(folder: Path) -> None:
    extra = '\n@registry.tool(name="demo.extra")\ndef extra(a: int) -> int:\n    """More."""\n    return a\n'

    tools = tools_of(folder, REGISTRY + REST + extra)

    shown = Catalog(tools.registry, only=tools.only)
    assert [contract.name for contract in shown.contracts()] == ["demo.add", "demo.lookup", "demo.wait"]
    assert [contract.name for contract in shown.contracts("sms")] == NAMES
    assert "demo.extra" in tools.registry


@pytest.mark.parametrize(
    ("code", "named", "words"),
    [
        (REGISTRY, "app", "no function implements `demo.channel`, `demo.lookup`, `demo.wait` in `app`"),
        ("def add(a: int, b: int): ...", "app", "no function implements `demo.channel`"),
        ("def add(a: int): ...", "app", "`add`"),
        ("import no_such_package", "app", "`app` cannot be imported: ModuleNotFoundError: No module named"),
        ("def broken(:", "app", "`app` cannot be imported: SyntaxError"),
        ("import sys; sys.exit(4)", "app", "`app` cannot be imported: SystemExit: 4"),
        ("", "ap", "no module named `ap`"),
        ("", "app:registry", "the module has no `registry`"),
        ("registry = 5", "app:registry", "is of type `int`"),
        ("def registry(): raise OSError('no')", "app:registry", "`app:registry` raised OSError: no"),
        (REGISTRY + REST + f"\nother = {SPEC}", "app", "`app` has more than one registry"),
    ],
)
def test_what_cannot_be_served_is_reported(folder: Path, code: str, named: str, words: str) -> None:
    with pytest.raises(UsageError) as raised:
        tools_of(folder, code, named)

    assert words in raised.value.message


def test_a_module_without_a_registry_requires_a_specification(folder: Path) -> None:
    with pytest.raises(UsageError, match="`app` has no registry"):
        tools_of(folder, "x = 1", has_spec=False)


def test_an_edit_of_the_same_size_and_time_is_loaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    tools_of(folder, REGISTRY + REST)
    code = folder / "app.py"
    time_of = code.stat().st_mtime_ns
    code.write_text((REGISTRY + REST).replace("a + b", "a - b"), encoding="utf-8")
    os.utime(code, ns=(time_of, time_of))

    forget_modules(folder)
    registry = load_tools(load(folder), ["app"]).registry

    assert registry.call({"tool_name": "demo.add", "arguments": {"a": 1, "b": 2}}).data == {"sum": -1}


def test_a_change_is_loaded_and_a_broken_file_is_not(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    pytest.importorskip("watchfiles", reason="needs pip install 'mcp-contracts[watch]'")
    code = folder / "app.py"
    tools = tools_of(folder, REGISTRY + REST)
    catalog = Catalog(tools.registry, only=tools.only)

    def reload() -> ImplementedTools:
        forget_modules(folder)
        return load_tools(load(folder), ["app"])

    def sum_() -> object:
        return catalog.registry.call({"tool_name": "demo.add", "arguments": {"a": 1, "b": 2}}).data

    async def until(holds: object) -> None:
        ends_at = time.monotonic() + 30
        while not holds():  # type: ignore[operator]
            assert time.monotonic() < ends_at
            await asyncio.sleep(0.02)

    async def edit() -> None:
        async with reload_on_change(catalog, [folder], reload):
            await asyncio.sleep(0.3)  # until the watch has begun, which is not announced
            code.write_text("def broken(:", encoding="utf-8")
            await until(lambda: "not reloaded" in caplog.text)
            assert sum_() == {"sum": 3}
            code.write_text((REGISTRY + REST).replace("a + b", "a - b"), encoding="utf-8")
            await until(lambda: sum_() == {"sum": -1})

    asyncio.run(edit())
