"""Lint: the rules run over contracts, selected, weighed and suppressed into one report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

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
    config = config or Config(None, Path())
    options = RuleOptions(config.name_pattern, config.limits.description_length)
    files = contracts.files
    selections = _Selections(config, selection or RuleSelection(), {})
    found = _chosen(run_rules(contracts, LINT_RULES, options), selections)
    known = known_rules()
    judged = apply_suppressions(
        list(found),
        files,
        config.suppressions,
        today=today,
        ran={file.path: frozenset(filter(selections.of(file.path).includes, known)) for file in files},
        known=known,
    )
    diagnostics = sorted(_chosen(judged, selections), key=lambda one: (one.place, one.code, one.message))
    return Report(tuple(fingerprinted(diagnostics)), files=len(files), tools=len(contracts))


@dataclass(frozen=True, slots=True)
class _Selections:
    """What holds for each path, a configuration file's own among them: the configuration, the command line on top."""

    config: Config
    over: RuleSelection
    known: dict[str, RuleSelection]

    def of(self, path: str) -> RuleSelection:
        if path not in self.known:
            self.known[path] = layered(self.config.selection_for(path), self.over)
        return self.known[path]


def _chosen(diagnostics: Iterable[Diagnostic], selections: _Selections) -> Iterator[Diagnostic]:
    """The diagnostics whose rule is selected for their file, as severe as their file wants them."""
    for diagnostic in diagnostics:
        selection = selections.of(diagnostic.place.path)
        if selection.includes(diagnostic.code):
            level = selection.level(diagnostic.code, diagnostic.severity)
            yield diagnostic if level is diagnostic.severity else replace(diagnostic, severity=level)
