"""`mcp-contracts rules`: all rules, a line each."""

from __future__ import annotations

import click

from mcp_contracts.checks.catalogue import CATALOGUE_FAMILIES, catalogue
from mcp_contracts.cli.options import deliver
from mcp_contracts.reporting.rule_list import rule_list_markdown, rule_list_text, rule_values
from mcp_contracts.reporting.visible import json_text


@click.command()
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    help="The format of the list.",
)
def command(format_name: str) -> int:
    """List the rules of `lint`, and the changes that `diff` finds."""
    rules = catalogue()
    if format_name == "json":
        deliver(json_text([rule_values(rule) for rule in rules]), None)
    else:
        listed = rule_list_markdown if format_name == "markdown" else rule_list_text
        deliver(listed(rules, CATALOGUE_FAMILIES), None)
    return 0
