"""Run the rules about a live server, and convert their findings to diagnostics with places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcp_contracts.contract import ToolContract
from mcp_contracts.diagnostics import Diagnostic, Finding
from mcp_contracts.rules.base import Rule, RuleOptions
from mcp_contracts.rules.live.observed import LiveContracts, LiveTool


def run_live_rules(live: LiveContracts, rules: Iterable[Rule], options: RuleOptions) -> Iterator[Diagnostic]:
    """Return every diagnostic of a server, unsorted. Selection, severities and suppressions are applied later."""
    missing = {contract.place: contract for contract in live.missing}
    for rule in rules:
        if rule.scope == "LiveContracts":
            for finding in rule.run(live, options):
                about = None if finding.place is None else missing.get(finding.place)
                place = finding.place or live.place
                yield Diagnostic.of(rule.info, finding, place, None if about is None else about.name)
    for tool in live.tools:
        yield from run_tool_rules(tool, rules, options)


def run_tool_rules(tool: LiveTool, rules: Iterable[Rule], options: RuleOptions) -> Iterator[Diagnostic]:
    """Return every diagnostic of one tool."""
    for rule in rules:
        if rule.scope == "LiveTool":
            for finding in rule.run(tool, options):
                yield _diagnostic(rule, finding, tool.contract)


def _diagnostic(rule: Rule, finding: Finding, contract: ToolContract) -> Diagnostic:
    place = finding.place
    schema = {"input": contract.input, "output": contract.output}.get(finding.part or "")
    if place is None and schema is not None:
        place = schema.locator.place(finding.pointer or "")
    return Diagnostic.of(rule.info, finding, place or contract.place, contract.name)
