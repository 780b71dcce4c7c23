"""`mcp-contracts rules`: list all rules, one line for each."""

from __future__ import annotations

from typing import Annotated, Literal

from mcp_contracts.checks.catalog import CATALOG_FAMILIES, catalog
from mcp_contracts.cli.command_line.parameters import Option, command_app
from mcp_contracts.cli.options import Color, deliver, has_colors, terminal_width
from mcp_contracts.reporting.rules.listing import rule_list_markdown, rule_list_terminal, rule_list_text, rule_values
from mcp_contracts.reporting.visible import json_text


@command_app(
    "List all rules: rules",
    "List all rules for a script: rules --format json",
)
def app(
    format_name: Annotated[
        Literal["text", "json", "markdown"], Option("--format -f", "The format of the list.")
    ] = "text",
    color: Annotated[Color, Option("--color", "Color the text output.")] = "auto",
) -> int:
    """List the rules of `lint`, and the kinds of changes that `diff` reports."""
    rules = catalog()
    if format_name == "json":
        deliver(json_text([rule_values(rule) for rule in rules]), None)
    elif format_name == "text" and has_colors(color):
        deliver(rule_list_terminal(rules, CATALOG_FAMILIES, terminal_width()), None)
    else:
        listed = rule_list_markdown if format_name == "markdown" else rule_list_text
        deliver(listed(rules, CATALOG_FAMILIES), None)
    return 0
