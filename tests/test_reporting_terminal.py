"""Text for terminals with colors: tables, links and trees, with the same words as in plain text."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from mcp_contracts.checks.catalog import CATALOG_FAMILIES, catalog
from mcp_contracts.cli.progress import show_progress
from mcp_contracts.reporting.layout import Node, leaf
from mcp_contracts.reporting.rules.listing import rule_list_terminal
from mcp_contracts.reporting.terminal import tree_text
from tests import change_examples
from tests.reporting_examples import CONTEXT, REPORT, rendered

SEQUENCES = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\")


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_list_of_rules_is_a_table_that_fits_the_terminal(width: int) -> None:
    shown = SEQUENCES.sub("", rule_list_terminal(catalog(), CATALOG_FAMILIES, width))

    assert max(map(len, shown.splitlines())) <= width
    assert all(rule.code in shown for rule in catalog())


def test_statistics_are_a_table() -> None:
    painted = rendered("text", REPORT, replace(CONTEXT, color=True, statistics=True))

    lines = [line.split() for line in SEQUENCES.sub("", painted).splitlines()]
    assert ["count", "code", "rule", "severity"] in lines
    assert ["1", "MC302", "required-property-undefined", "error"] in lines


def test_files_are_links_where_their_folder_is_known() -> None:
    context = replace(CONTEXT, color=True, links_root=Path("/project one"))

    linted = rendered("text", REPORT, context)
    compared = change_examples.rendered("text", change_examples.REPORT, context)

    for shown in (linted, compared):
        assert "file:///project%20one/specs/weather/MCP_TOOL_SPECIFICATION.md\x1b\\" in shown
    plain = rendered("text", REPORT, CONTEXT)
    assert SEQUENCES.sub("", linted) == plain
    assert "file://" not in rendered("text", REPORT, replace(context, color=False))


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_tree_fits_the_terminal(width: int) -> None:
    shown = change_examples.rendered("text", change_examples.REPORT, replace(CONTEXT, color=True, width=width))

    trees = [line for line in SEQUENCES.sub("", shown).splitlines() if line.startswith(("├", "└", "│"))]
    assert trees
    assert max(map(len, trees)) <= width


def test_a_path_that_is_longer_than_a_line_is_not_broken_in_a_tree() -> None:
    path = "/a/rather/long/folder/of/servers/with/versions/2026.6.16.json"
    node = Node(
        (("BREAKING", "error"), ("BC202 input-property-removed", "strong"), (f"{path}:130", "dim")), (leaf("x"),)
    )

    shown = SEQUENCES.sub("", tree_text(node, 40))

    assert shown == f"BREAKING  BC202 input-property-removed\n    {path}:130\n└── x"


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_a_tree_with_colors_has_the_words_of_the_plain_one(width: int) -> None:
    plain, painted = (
        change_examples.rendered("text", change_examples.REPORT, replace(CONTEXT, color=color, width=width))
        for color in (False, True)
    )

    assert re.sub(r"[│├└─\s]+", " ", SEQUENCES.sub("", painted)) == re.sub(r"[│├└─\s]+", " ", plain)


def test_a_progress_bar_changes_no_item(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(show_progress(iter(range(250)), 250, "linting")) == list(range(250))

    assert capsys.readouterr().out == ""
