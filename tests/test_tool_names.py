"""The dotted names of tools in messages."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts import ToolRegistry, parse_tool_calls
from mcp_contracts.contract import ToolContract
from mcp_contracts.diagnostics import Place
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import TOOL_NAME_PATTERN
from mcp_contracts.sources.load import load
from mcp_contracts.tool_names import contracts_of, fit_name, nearest_names, qualified_name, qualify
from tests.tables import each

CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")


def tool(name: str, module: str | None = None, *, version: str | None = None, line: int = 1) -> ToolContract:
    """Return a contract with only a name."""
    return ToolContract(name, Place("tools.json", line, 1, line, 2), module=module, version=version)


@each(
    ("name", "module", "expected"),
    [
        ("weather.get_forecast", "other", "weather.get_forecast"),
        ("a.b.c", None, "a.b.c"),
        ("get_forecast", "weather", "weather.get_forecast"),
        ("get_forecast", None, "tools.get_forecast"),
        ("get_forecast", "", "tools.get_forecast"),
        ("Weather.Get", "other", "weather.get"),
        ("list-issues", "github-mcp-server", "github_mcp_server.list_issues"),
        ("getForecast", "weather", "weather.getforecast"),
        ("read", "servers/file system", "servers_file_system.read"),
        ("read", "acme.files", "acme.files.read"),
        ("read", "./specs/..", "_._specs_._._.read"),
        ("", "weather", "weather._"),
        (".", "weather", "_._"),
        ("get.", None, "get._"),
        ("天気", "weather", "weather.__"),
        ("get\n", "weather", "weather.get_"),
        ("weather.get\n", None, "weather.get_"),
        ("x" * 300, "m", "m." + "x" * 128),
    ],
)
def test_a_contract_is_called_by_its_own_name_or_by_one_made_to_fit(
    name: str, module: str | None, expected: str
) -> None:
    assert qualified_name(tool(name, module)) == expected


def test_a_dotted_name_is_never_cut_however_long() -> None:
    name = "weather." + "x" * 300

    assert qualified_name(tool(name)) == name


@given(st.text(max_size=300), st.none() | st.text(max_size=300))
def test_every_name_is_one_of_the_protocol(name: str, module: str | None) -> None:
    found = qualified_name(tool(name, module))

    assert re.fullmatch(TOOL_NAME_PATTERN, found)
    assert qualified_name(tool(found, module)) == found


@given(st.text(max_size=300) | st.text(alphabet="aB.İ_-", max_size=300))
def test_fitting_twice_changes_nothing(text: str) -> None:
    once = fit_name(text)

    assert fit_name(once) == once
    assert re.fullmatch(r"[a-z0-9_]+(\.[a-z0-9_]+)*", once)
    assert len(once) <= 128


def test_contracts_keep_what_they_were_called_before() -> None:
    plain, dotted = qualify([tool("list-issues", "github"), tool("weather.get")])

    assert (plain.name, plain.source_name) == ("github.list_issues", "list-issues")
    assert (dotted.name, dotted.source_name) == ("weather.get", None)
    assert qualify([plain, dotted]) == (plain, dotted)


def test_one_contract_or_tool_represents_a_list_of_it() -> None:
    one = tool("notes.find")
    app = ToolRegistry([one])

    assert contracts_of(one) == contracts_of([one]) == contracts_of(app) == contracts_of(app["notes.find"]) == (one,)
    assert parse_tool_calls('{"name": "notes.find", "arguments": {}}', one).is_clean


def test_the_first_name_of_all_is_kept() -> None:
    contract = ToolContract("get", Place("a", 1, 1, 1, 2), module="weather", source_name="Get!")

    assert qualify([contract])[0].source_name == "Get!"


@pytest.mark.parametrize(
    ("first", "second", "shown"),
    [
        (tool("get-x", "m", line=3), tool("get_x", "m", line=9), ("m.get-x", "m.get_x")),
        (tool("Weather.Get", line=3), tool("weather.get", line=9), ("Weather.Get", "weather.get")),
        (tool("get", "a-b", line=3), tool("get", "a_b", line=9), ("a-b.get", "a_b.get")),
        (tool("get-x", "m", version="1.0.0", line=3), tool("get_x", "m", version="2.0.0", line=9), ("get-x", "get_x")),
        (tool("a.b", line=3), tool("a.b", line=9), ("`a.b` is described twice",)),
        (tool("a.b", version="1.0.0", line=3), tool("a.b", version="1.0.0", line=9), ("twice in version 1.0.0",)),
    ],
)
def test_two_tools_of_one_name_are_refused_with_both_names_and_places(
    first: ToolContract, second: ToolContract, shown: tuple[str, ...]
) -> None:
    with pytest.raises(UsageError) as caught:
        qualify([first, second])

    assert all(text in caught.value.message for text in (*shown, "tools.json:3", "tools.json:9"))
    assert caught.value.hint is not None


def test_versions_of_one_tool_do_not_collide() -> None:
    found = qualify([tool("weather.get", version="1.0.0"), tool("get", "weather", version="2.0.0")])

    assert [contract.name for contract in found] == ["weather.get", "weather.get"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("weather.get_forcast", ("weather.get_forecast",)),
        ("Weather.Get_Forecast", ("weather.get_forecast",)),
        ("get_forecast", ("weather.get_forecast",)),
        ("close", ("issues.close",)),
        ("B", ("a.b",)),
        ("issues.list", ("issues.list_all", "issues.close")),
        ("zzz", ()),
        ("", ()),
    ],
)
def test_the_names_most_alike_are_found(name: str, expected: tuple[str, ...]) -> None:
    names = ["weather.get_forecast", "issues.list_all", "issues.close", "a.b"]

    assert nearest_names(name, names) == expected


def test_the_nearest_of_thousands_is_found() -> None:
    names = [f"module_{number}.tool_{number % 7}" for number in range(4_000)]

    assert nearest_names("modul_3999.tool_2", names, limit=1) == ("module_3999.tool_2",)


@pytest.mark.parametrize("name", ["a" * 1_000_000, "a.b" * 100_000, "\udcff\x00" * 50, "ab" * 32])
def test_a_hostile_name_among_thousands_ends_soon(name: str) -> None:
    names = ["".join("ab"[(number >> bit) & 1] for bit in range(64)) for number in range(5_000)]

    started = time.process_time()
    found = nearest_names(name, names)

    assert len(found) <= 3
    assert time.process_time() - started < 10


@pytest.mark.skipif(not CORPUS, reason="MCP_CONTRACTS_CORPUS does not say where the servers are")
def test_every_tool_of_real_servers_gets_its_own_name() -> None:
    paths = sorted((Path(CORPUS or "") / "corpus" / "servers").glob("*/*.json"))

    for path in paths:
        contracts = load(path.as_posix())
        found = qualify(contracts)
        assert found, path
        assert all(re.fullmatch(TOOL_NAME_PATTERN, contract.name) for contract in found), path
        assert [contract.source_name or contract.name for contract in found] == [tool.name for tool in contracts]
