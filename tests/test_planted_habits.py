"""Faults in tools of many styles are found inside the tool, and the unchanged tools have no findings."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.diagnostics import Diagnostic, Severity
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.sources.tool_lists import read_tool_list
from tests.planted_habits import PLANTED
from tests.said import as_specification
from tests.sweeps import share, sweep
from tests.tables import each

HABITS = Path(__file__).parent / "cases" / "habits"
FILES = sorted(path.name for path in HABITS.iterdir())
_HABIT_ITSELF = "MC006"


def contracts_of(name: str, text: str) -> Contracts:
    return Contracts(
        (read_tool_list(name, text) if name.endswith(".json") else read_spec(name, as_specification(text)),)
    )


def diagnostics(name: str, text: str) -> tuple[Diagnostic, ...]:
    return lint(contracts_of(name, text)).shown()


@cache
def known(name: str) -> Counter[tuple[str, str]]:
    found = diagnostics(name, (HABITS / name).read_text("utf-8"))
    return Counter((item.code, item.message) for item in found)


@sweep
@pytest.mark.parametrize(("name", "code", "old", "new"), share(PLANTED, 2), ids=lambda value: str(value)[:30])
def test_a_fault_planted_into_a_habit_is_found_inside_its_tool(name: str, code: str, old: str, new: str) -> None:
    text = (HABITS / name).read_text("utf-8")
    line = text.count("\n", 0, text.index(old)) + 1
    changed = text.replace(old, new, 1)

    before = known(name)
    contracts = contracts_of(name, changed)
    found = [item for item in lint(contracts).shown() if not before[item.code, item.message]]

    assert code in {item.code for item in found}
    extents = [contract.place_of("extent") for contract in contracts]
    (own,) = [extent for extent in extents if extent.line <= line <= extent.end_line]
    assert any(own.line <= item.place.line <= own.end_line for item in found if item.code == code)


@each("name", FILES)
def test_a_tool_in_a_habit_has_no_faults_but_the_habit_itself(name: str) -> None:
    text = (HABITS / name).read_text("utf-8")

    found = [item for item in diagnostics(name, text) if item.code != _HABIT_ITSELF]

    assert [item.message for item in found if item.severity is not Severity.NOTE] == QUIET.get(name, [])


QUIET = {"mixed.md": ["the tool does not say what it returns"]}
"""Findings that are true for the unchanged tools."""


@pytest.mark.parametrize(
    ("code", "old", "new"),
    [
        ("MC404", 'sort_order="oldest"', 'sorting="oldest"'),
        ("MC404", '"parcel": "A1", ', ""),
        ("MC404", '"copies": 2', '"copies": "two"'),
        ("MC403", '"parcel_label", {', '"parcel_lable", {'),
        ("MC337", 'sort_order="oldest"', 'sort_order="cheapest"'),
    ],
)
def test_a_call_in_code_after_all_tools_is_checked(code: str, old: str, new: str) -> None:
    text = (HABITS / "gathered.md").read_text("utf-8")
    outside = text.index("## Usage")
    changed = text[:outside] + text[outside:].replace(old, new, 1)

    found = [item for item in diagnostics("gathered.md", changed) if not known("gathered.md")[item.code, item.message]]

    assert [item.code for item in found] == [code]
    assert found[0].place.line > changed.count("\n", 0, outside)


@pytest.mark.parametrize(
    ("code", "old", "new"),
    [
        ("MC020", "vier Werkzeuge", "drei Werkzeuge"),
        ("MC020", "**five** tools", "**six** tools"),
        ("MC021", "(#saw)", "(#sawing)"),
        ("MC022", "[`saw`]", "[`cut`]"),
        ("MC022", "- `glue_parts`:", "- `glue_boards`:"),
        ("MC022", "`glue_parts` and `bench_note`", "`glue_parts` and `bench_label`"),
        ("MC022", "glue_parts, bench_note]", "glue_parts, bench_mark]"),
    ],
)
def test_what_a_file_says_of_its_tools_before_them_is_checked(code: str, old: str, new: str) -> None:
    name = next(name for name in ("mixed.md", "foreign.md") if old in (HABITS / name).read_text("utf-8"))
    changed = (HABITS / name).read_text("utf-8").replace(old, new, 1)

    assert [item.code for item in diagnostics(name, changed) if not known(name)[item.code, item.message]] == [code]


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("The module exposes two tools.", True),
        ("Two MCP tools for parcels.", True),
        ("There are two tools in this module.", True),
        ("A set of two tools for parcels.", True),
        ("It provides thirteen tools.", True),
        ("MCP surface — two tools, found automatically.", True),
        ("There are two tools for labels and one for routes.", False),
        ("All three tools return a dictionary.", False),
        ("It has three tools in all and provides two tools of other modules.", False),
        ("It is one of the ~300 tools.", False),
        ("It offers two read-only tools and one write tool.", False),
        ("```\nexposes 7 tools\n```", False),
    ],
)
def test_the_number_of_tools_that_a_text_states_is_checked(text: str, is_found: bool) -> None:
    whole = (HABITS / "gathered.md").read_text("utf-8")
    changed = whole.replace("All three tools return a dictionary with at least a `status`.", text)

    assert ("MC020" in {item.code for item in diagnostics("gathered.md", changed)}) is is_found
