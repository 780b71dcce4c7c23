"""Lint: the rules run over contracts, selected, weighed and suppressed into one report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date

from mcp_contracts.checks.suppressions import apply_suppressions
from mcp_contracts.config import Config, layered
from mcp_contracts.contract import Contracts
from mcp_contracts.diagnostics import Diagnostic, Report, RuleSelection
from mcp_contracts.rules.base import RuleOptions
from mcp_contracts.rules.engine import fingerprinted, run_rules
from mcp_contracts.rules.registry import LINT_RULES, known_rules


def lint(
    contracts: Contracts,
    config: Config | None = None,
    *,
    selection: RuleSelection | None = None,
    today: date | None = None,
) -> Report:
    """Check contracts against all rules.

    `config` is a project's configuration and `selection` what goes on top of it, such as a command line's options.
    `today` is the day on which a suppression `until` a date is judged; without it none counts as expired.
    """
    options = RuleOptions()
    if config is not None:
        options = RuleOptions(config.name_pattern, config.limits.description_length)
    selections = _selections(contracts, config, selection)
    found = _chosen(run_rules(contracts, LINT_RULES, options), selections)
    known = known_rules()
    judged = apply_suppressions(
        list(found),
        contracts.files,
        config.suppressions if config is not None else (),
        today=today,
        ran={path: frozenset(code for code in known if of.includes(code)) for path, of in selections.items()},
        known=known,
    )
    diagnostics = sorted(_chosen(judged, selections), key=lambda one: (one.place, one.code, one.message))
    return Report(tuple(fingerprinted(diagnostics)), files=len(contracts.files), tools=len(contracts))


def _selections(
    contracts: Contracts, config: Config | None, selection: RuleSelection | None
) -> Mapping[str, RuleSelection]:
    """What holds for each file: its configuration with the command line on top."""
    chosen = {}
    for file in contracts.files:
        base = config.selection_for(file.path) if config is not None else RuleSelection()
        chosen[file.path] = layered(base, selection) if selection is not None else base
    return chosen


def _chosen(diagnostics: Iterable[Diagnostic], selections: Mapping[str, RuleSelection]) -> Iterator[Diagnostic]:
    """The diagnostics whose rule is selected for their file, as severe as their file wants them."""
    for diagnostic in diagnostics:
        selection = selections.get(diagnostic.place.path, RuleSelection())
        if selection.includes(diagnostic.code):
            level = selection.level(diagnostic.code, diagnostic.severity)
            yield diagnostic if level is diagnostic.severity else replace(diagnostic, severity=level)
