"""The limits on the work for the tools of a file, and for the files of a run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts import load
from mcp_contracts.checks import remembered_contracts
from mcp_contracts.checks.fixing import fix_spec
from mcp_contracts.checks.remembered_contracts import ContractMemory, _file_bytes
from mcp_contracts.config import Config
from mcp_contracts.diagnostics import RuleSelection
from mcp_contracts.faults import FaultKind
from mcp_contracts.schema.work import tool_steps
from mcp_contracts.sources import limits
from mcp_contracts.sources.documents import read_source
from mcp_contracts.sources.load import find_all
from tests.hostile import DRAFT_7, multiplied, recursive, resources
from tests.tables import each

HEAVY: dict[str, Any] = {"type": "object", "properties": {"a": {"pattern": r"^\p{L}{1,190}$"}}}


def tool_list(count: int, schema: Any) -> str:
    return json.dumps({"tools": [{"name": f"a.t{i}", "inputSchema": schema} for i in range(count)]})


def specification(count: int, schema: Any) -> str:
    block = f"### 3. Input Schema (Parameters)\n\n```json\n{json.dumps(schema)}\n```\n"
    return "".join(f"## Tool: `a.t{i}`\n\n{block}\n" for i in range(count))


@pytest.mark.parametrize(("path", "write"), [("tools.json", tool_list), ("a.md", specification)])
def test_tools_beyond_the_work_of_a_file_are_not_read(path: str, write: Callable[[int, Any], str]) -> None:
    file = read_source(path, write(60, HEAVY))

    [fault] = [one for one in file.faults if one.kind is FaultKind.OVERSIZED]
    kept = len(file.contracts)
    assert 20 < kept < 50
    assert f"contains 60 tools, and only the first {kept} are read" in fault.message
    assert f"a.t{kept}" in write(60, HEAVY).splitlines()[fault.place.line - 1][fault.place.column - 1 :]
    assert not any(one.kind is FaultKind.OVERSIZED for one in read_source(path, write(kept, HEAVY)).faults)


def test_many_ordinary_tools_are_all_read() -> None:
    schema = {"type": "object", "properties": {f"p{i}": {"type": "string", "pattern": "^[a-z]+$"} for i in range(9)}}

    assert len(read_source("tools.json", tool_list(1_500, schema)).contracts) == 1_500


def test_one_schema_of_any_size_is_read() -> None:
    wide = {"type": "object", "properties": {f"p{i}": {} for i in range(8_000)}}

    assert len(read_source("tools.json", tool_list(2, wide)).contracts) == 2


@each(
    ("schema", "least"),
    [
        (HEAVY, 2_000),
        (multiplied("anyOf"), 10_000),
        (recursive("allOf"), 200),
        (resources(10), 1_000),
        ({"type": "object", "properties": {"a": {"pattern": "^(?!x)"}}}, 80),
        ({"type": "object", "properties": {f"p{i}": {} for i in range(1_000)}}, 10_000),
        ({"type": "object", "patternProperties": {r"\p{L}{1,99}": {}}}, 1_000),
        ({"$schema": DRAFT_7, **multiplied("items")}, 10_000),
    ],
)
def test_what_multiplies_is_estimated_in_proportion(schema: Any, least: int) -> None:
    [contract] = read_source("tools.json", tool_list(1, schema)).contracts

    assert tool_steps(contract) >= least


@each(
    "schema",
    [
        {"type": "object"},
        {"type": "object", "properties": {f"p{i}": {"$ref": "#/$defs/d"} for i in range(30)}, "$defs": {"d": {}}},
        {"type": "object", "properties": {"child": {"$ref": "#"}, "next": {"$ref": "#"}}},
        True,
    ],
)
def test_ordinary_references_cost_little(schema: Any) -> None:
    [contract] = read_source("tools.json", tool_list(1, schema)).contracts

    assert tool_steps(contract) < 80


@pytest.mark.parametrize("is_remembered", [False, True])
def test_files_beyond_the_work_of_a_run_are_not_read(
    is_remembered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RUN_STEPS", 5_000)
    for number in range(4):
        (tmp_path / f"{number}.tools.json").write_text(tool_list(1, HEAVY), encoding="utf-8")

    if is_remembered:
        files = tuple(ContractMemory(str(tmp_path / "cache"), 2_000_000).read(find_all([tmp_path])))
    else:
        files = load(tmp_path).files

    assert [len(file.contracts) for file in files] == [1, 1, 0]
    [fault] = files[-1].faults
    assert fault.kind is FaultKind.UNREADABLE
    assert "this file and all later files are not read" in fault.message
    assert fault.place.path.endswith("2.tools.json")


def test_fixes_read_as_many_tools_as_lint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FILE_STEPS", 5)
    text = specification(3, {"type": "object"})

    fixed = fix_spec("a.md", text, Config(None, Path()), RuleSelection(select=("MC002",)), has_unsafe=False)

    assert fixed.text == text


@pytest.mark.parametrize(("count", "is_kept"), [(70, True), (90, False)])
def test_the_places_of_very_many_values_are_not_cached(
    count: int, is_kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered_contracts, "_MOST_VALUES_OF_A_FILE", 10_000)
    schema = {"type": "object", "properties": {"a": {"enum": list(range(120))}}}
    file = read_source("a.tools.json", tool_list(count, schema))

    assert len(file.contracts) == count
    assert (_file_bytes(file) is not None) is is_kept
