"""Python functions as a source: what is read of them, and what is said where reading is not enough."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_contracts import load
from mcp_contracts.contract import ToolContract
from mcp_contracts.runtime.functions.python_tools import python_tool
from mcp_contracts.runtime.registered import RegisteredTool

CASES = Path(__file__).parent / "cases" / "python_functions"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str, text: str) -> None:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


# --- read and run ---


def live_contracts(path: Path, names: set[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[ToolContract]:
    """The contracts that the runtime makes of some functions of a module, which is run for it."""
    specification = importlib.util.spec_from_file_location(path.stem, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    monkeypatch.setitem(sys.modules, path.stem, module)  # where classes look their names up
    specification.loader.exec_module(module)
    classes = [vars(one).values() for one in vars(module).values() if isinstance(one, type)]
    methods = [value.__func__ for values in classes for value in values if isinstance(value, staticmethod)]
    for value in (*vars(module).values(), *methods):
        if isinstance(value, RegisteredTool):
            yield value.contract
        elif inspect.isfunction(value) and f"{value.__module__}.{value.__name__}" in names:
            yield python_tool(value).contract


def said(contract: ToolContract) -> dict[str, object]:
    """What a contract says, without where that stands and what the tool is called elsewhere."""
    left_out = ("place", "places", "source_name", "input", "output", "errors")
    fields = {name: getattr(contract, name) for name in contract.__slots__ if name not in left_out}
    errors = [(error.name, error.when) for error in contract.errors]
    return {**fields, "input": contract.input_schema, "output": contract.output_schema, "errors": errors}


@pytest.mark.parametrize("path", sorted(CASES.glob("*.py")), ids=lambda path: path.stem)
def test_the_contract_of_a_function_is_the_same_read_and_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contracts = load(f"python:{path}")
    names = {contract.name for contract in contracts}
    live = {contract.name: said(contract) for contract in live_contracts(path, names, monkeypatch)}

    assert contracts.faults == ()
    assert contracts
    assert {contract.name: said(contract) for contract in contracts} == live
