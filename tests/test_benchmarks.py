"""The benchmarks: their inputs depend on a seed, and the page reports what was measured, met and missed."""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.speed.inputs import write_pair, write_schemas, write_specs
from benchmarks.speed.measuring import Command, FailedError, measure
from benchmarks.speed.page import render
from benchmarks.speed.plot import draw
from benchmarks.speed.profiling import label, profile, shares
from benchmarks.speed.table import Figure
from mcp_contracts.change import Verdict
from mcp_contracts.checks.diff import diff
from mcp_contracts.checks.lint import lint
from mcp_contracts.sources.load import load


def test_the_inputs_have_no_fault_and_the_requested_number_of_changes(tmp_path: Path) -> None:
    specs = write_specs(tmp_path / "specs", 2)
    schemas = write_schemas(specs, tmp_path / "schemas")
    old, new = write_pair(tmp_path / "pair", 20, 5)

    report = diff(load(old), load(new))

    assert not lint(load(tmp_path / "specs")).diagnostics
    assert len(schemas) >= 2 * len(specs)
    assert all("properties" in json.loads(path.read_text(encoding="utf-8")) for path in schemas)
    assert [tool.verdict for tool in report.tools if tool.changes] == [Verdict.BREAKING] * 5


def test_commands_are_measured_in_turn_and_a_failure_measures_nothing(tmp_path: Path) -> None:
    prepared: list[str] = []
    quick = Command("quick", [sys.executable, "-I", "-c", "pass"], lambda: prepared.append("quick"))
    failing = Command("failing", [sys.executable, "-I", "-c", "raise SystemExit(3)"])

    found = measure([quick], tmp_path, 2)

    assert len(found["quick"].samples) == 2
    assert len(prepared) == 3, "the warm-up is prepared as well"
    assert found["quick"].peak > 1
    with pytest.raises(FailedError, match="failing ended with 3"):
        measure([failing], tmp_path, 1)


def test_the_page_names_missed_goals_peers_that_did_not_run_and_a_shared_machine() -> None:
    figures = [
        Figure("fast", 1.2, 1.3, cpu=1.1, detail="12 ms / 10 ms"),
        Figure("slow", 5.0, 2.0, needed="It does too much."),
        Figure("slower", 6.0, 2.0, needed="It does too much."),
        Figure("peer", 4.0, 5.0, is_least=True),
    ]

    page = render(
        figures,
        {"ajv": "8.1.0"},
        ["spectral"],
        {"slow": {"imports": 0.6, "rich": 0.01}},
        today=date(2026, 1, 2),
        load=(999.0, 999.0),
        sizes=(1, 100),
    )

    assert "| fast | 1.20× | 1.10× | ≤ 1.3× | met | 12 ms / 10 ms |" in page
    assert "| slow | 5.00× |  | ≤ 2× | missed |  |" in page
    assert "| peer | 4.00× |  | ≥ 5× | missed |  |" in page
    assert "- **slow**: 5.00× (goal: ≤ 2×). Where the time goes: imports 60%. It does too much.\n" in page
    assert "- **slower**: 6.00× (goal: ≤ 2×). See above.\n" in page
    assert "Not run, because they are not installed: spectral" in page
    assert "the load average was 999.0" in page


def test_the_plot_is_well_formed_and_has_a_line_for_each_name() -> None:
    plot = draw({"ours & more": [(1, 0.1), (100, 2.0)], "floor": [(1, 0.01), (100, 0.4)]}, "files", "seconds")

    root = ElementTree.fromstring(plot)

    assert len(root.findall("{*}polyline")) == 2
    assert "ours & more" in [element.text for element in root.findall("{*}text")]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("<frozen importlib._bootstrap>", "imports"),
        ("/venv/lib/python3.11/site-packages/markdown_it/rules.py", "markdown_it"),
        ("/home/me/mcp_contracts/parsing/spec.py", "mcp_contracts.parsing"),
        ("/usr/lib/python3.11/json/decoder.py", "Python and its standard library"),
    ],
)
def test_a_profile_names_packages(path: str, expected: str) -> None:
    assert label(path) == expected


def test_a_script_that_exits_at_once_leaves_a_profile(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import os\nos._exit(0)\n", encoding="utf-8")

    assert shares(profile([str(script)], tmp_path))
