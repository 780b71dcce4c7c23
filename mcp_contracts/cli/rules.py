"""`mcp-contracts rules`: all rules, a line each."""

from __future__ import annotations

import json

import click

from mcp_contracts.cli.options import deliver
from mcp_contracts.rules.registry import FAMILIES, all_rule_infos


@click.command()
@click.option("--format", "format_name", type=click.Choice(["text", "json", "markdown"]), default="text")
def command(format_name: str) -> int:
    """List the lint rules."""
    rules = all_rule_infos()
    if format_name == "json":
        rows = [
            {
                "code": rule.code,
                "name": rule.name,
                "severity": rule.severity.value,
                "since": rule.since,
                "summary": rule.summary,
            }
            for rule in rules
        ]
        deliver(json.dumps(rows, indent=2, ensure_ascii=False) + "\n", None)
        return 0
    lines = []
    for family, title in FAMILIES.items():
        members = [rule for rule in rules if rule.code.startswith(family)]
        if format_name == "markdown":
            lines += [f"## {family}: {title}", "", "| code | name | severity | what it finds |", "|---|---|---|---|"]
            lines += [f"| {rule.code} | `{rule.name}` | {rule.severity} | {rule.summary} |" for rule in members]
        else:
            width = max(len(rule.name) for rule in rules)
            lines += [f"{family}: {title}"]
            lines += [f"  {rule.code}  {rule.severity:<7}  {rule.name:<{width}}  {rule.summary}" for rule in members]
        lines.append("")
    deliver("\n".join(lines).rstrip() + "\n", None)
    return 0
