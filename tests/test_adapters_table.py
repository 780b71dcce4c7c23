"""The tables of providers and adapters: the claims of each row, which the help and the documents list."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.adapters import openai_strict
from mcp_contracts.adapters.base import ProviderCall, ToolSet
from mcp_contracts.adapters.table import ADAPTERS, AdapterRow, ExportOptions
from mcp_contracts.checks.exporting.formats import FORMATS, Format
from mcp_contracts.cli.app import run
from mcp_contracts.contract import Contracts
from mcp_contracts.messages import MCPErrorDetail, MCPToolCall, MCPToolResult, ResultStatus
from mcp_contracts.providers.limits.provider import Target
from mcp_contracts.providers.limits.table import PROVIDERS, TARGETS
from mcp_contracts.sources.load import load

ROOT = Path(__file__).parent.parent
OPTIONS = (ExportOptions(), ExportOptions(era="2026-07-28"))
ROWS = pytest.mark.parametrize("row", ADAPTERS, ids=lambda row: row.name)
ARGUMENTS = {"place": "Tromsø", "country": "NO", "days": 2, "units": "metric"}
RESULTS = (
    MCPToolResult(data={"days": [1, 2]}, explanation="two days"),
    MCPToolResult(
        status=ResultStatus.FAILURE, error=MCPErrorDetail(error_type="ResourceNotFound", error_message="no such place")
    ),
)


@pytest.fixture(scope="module")
def contracts() -> Contracts:
    return load(ROOT / "specs" / "weather")


def known(row: AdapterRow, contracts: Contracts, tools: ToolSet) -> Any:
    """Return what the adapter of a row needs to read and write calls."""
    return openai_strict.strict_tools(contracts) if row.adapter is openai_strict else tools.names


def rows_of(document: str) -> list[list[str]]:
    lines = (ROOT / document).read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("| ")]


def test_every_provider_has_an_adapter() -> None:
    adapted = {row.provider.name for row in ADAPTERS}

    assert sorted({provider.name for provider in PROVIDERS} - adapted) == [], "add a row to `ADAPTERS`"


def test_every_target_is_that_of_a_format() -> None:
    assert {row.target(options) for row in ADAPTERS for options in OPTIONS} == set(TARGETS)


@ROWS
def test_tools_come_back_under_their_names(row: AdapterRow, contracts: Contracts) -> None:
    tools = row.tools_out(contracts, ExportOptions())

    back = row.adapter.tools_in(row.document(tools), names=tools.names)

    assert [contract.name for contract in back] == [contract.name for contract in contracts]
    assert [contract.description for contract in back] == [contract.description for contract in contracts]


@ROWS
def test_a_call_comes_back_as_it_was(row: AdapterRow, contracts: Contracts) -> None:
    names = known(row, contracts, row.tools_out(contracts, ExportOptions()))
    call = ProviderCall("call-1", MCPToolCall(tool_name="weather.get_forecast", arguments=ARGUMENTS))

    assert row.adapter.call_in(row.adapter.call_out(call, names), names) == call


@ROWS
@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.status.value)
def test_a_result_comes_back_as_it_was(row: AdapterRow, result: MCPToolResult) -> None:
    wants_name = "tool_name" in inspect.signature(row.adapter.result_out).parameters
    others = {"tool_name": "weather.get_forecast"} if wants_name else {}

    assert row.adapter.result_in(row.adapter.result_out("call-1", result, **others)) == ("call-1", result)


@ROWS
def test_what_is_not_a_call_is_refused_and_never_raises(row: AdapterRow, contracts: Contracts) -> None:
    names = known(row, contracts, row.tools_out(contracts, ExportOptions()))

    values: list[object] = [None, 7, "text", [], {}, {"name": "weather.unknown"}]
    for value in values:
        assert not isinstance(row.adapter.call_in(value, names), ProviderCall)


# Help and documents


@ROWS
def test_every_adapter_is_in_the_documents(row: AdapterRow) -> None:
    module = row.adapter.__name__  # type: ignore[attr-defined]  # an adapter is a module

    has_row = f"`{module}`" in [cells[0] for cells in rows_of("docs/adapters.md")]
    assert has_row, f"docs/adapters.md lacks a row for `{module}`"


@pytest.mark.parametrize("written", FORMATS, ids=lambda written: written.name)
def test_every_format_and_its_options_are_in_the_documents(written: Format) -> None:
    found = [cells for cells in rows_of("docs/export.md") if f"`{written.name}`" in cells[0].split(", ")]

    assert len(found) == 1, f"docs/export.md needs one row for `{written.name}`"
    missing = [option for option in written.options if f"`--{option}" not in found[0][2]]
    assert missing == [], f"the row of `{written.name}` in docs/export.md does not name these options"


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_every_target_is_in_the_documents(target: Target) -> None:
    rows = rows_of("docs/portability.md")

    has_row = any(f"`{target.name}`" in cells[0].split(", ") and cells[1].startswith(target.meaning) for cells in rows)
    assert has_row, f"docs/portability.md lacks the row `| {target.name} | {target.meaning} |`"


def test_every_format_is_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    run(["export", "--help"])

    words = " ".join(capsys.readouterr().out.split())
    assert "|".join(written.name for written in FORMATS) in words.replace(" ", "")
    for written in FORMATS:
        assert all(use in words for use in written.options.values())
