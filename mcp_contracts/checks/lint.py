"""Lint: the rules run over contracts, selected, weighed and suppressed into one report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from mcp_contracts.checks.suppressions import apply_suppressions
from mcp_contracts.config import Config, layered
from mcp_contracts.contract import Contracts
from mcp_contracts.diagnostics import Diagnostic, Report, RuleSelection
from mcp_contracts.errors import ContractError
from mcp_contracts.rules.base import RuleOptions
from mcp_contracts.rules.engine import fingerprinted, run_rules
from mcp_contracts.rules.precedence import Found
from mcp_contracts.rules.registry import LINT_RULES, known_rules
from mcp_contracts.rules.releases import RELEASE_RULES


def lint(
    contracts: Contracts,
    config: Config | None = None,
    *,
    selection: RuleSelection | None = None,
    today: date | None = None,
    found_in: Sequence[Sequence[Found]] | None = None,
    released: Sequence[Diagnostic] | None = None,
    is_whole: bool = False,
) -> Report:
    """Check contracts against all rules.

    `config` is a project's configuration and `selection` what goes on top of it, such as a command line's options.
    `today` is the day on which a suppression `until` a date is judged; without it none counts as expired. `found_in`
    is what `checks.many` has already found in each file, `released` what a comparison with an earlier version says of
    the versions (MC207 to MC214), None where there was none. `is_whole` says that these are all files of the project,
    so that a suppression in its configuration that silences nothing is unused.
    """
    if not isinstance(contracts, Contracts):
        raise ContractError("`lint` takes contracts", hint="load them first: `lint(load(source))`")
    config = config or Config(None, Path())
    files = contracts.files
    selections = Selections(config, selection or RuleSelection())
    unasked = frozenset(info.code for info in RELEASE_RULES) if released is None else frozenset()
    found = run_rules(
        contracts,
        LINT_RULES,
        rule_options(config),
        is_selected=lambda path, code: code in selections.codes(path),
        found_in=found_in,
    )
    chosen = (one for one in released or () if one.code in selections.codes(one.place.path))
    judged = apply_suppressions(
        [*found, *chosen],
        files,
        config.suppressions,
        today=today,
        ran={file.path: selections.codes(file.path) - unasked for file in files},
        known=known_rules(),
        is_whole=is_whole,
    )
    diagnostics = sorted(selections.chosen(judged), key=lambda one: (one.place, one.code, one.message))
    return Report(tuple(fingerprinted(diagnostics)), files=len(files), tools=len(contracts))


def rule_options(config: Config) -> RuleOptions:
    """What a configuration sets for the rules."""
    return RuleOptions(config.name_pattern, config.limits.description_length)


class Selections:
    """What holds for each path, a configuration file's own among them: the configuration, the command line on top."""

    def __init__(self, config: Config, over: RuleSelection) -> None:
        self._config, self._over = config, over
        self._layered: dict[RuleSelection, RuleSelection] = {}
        self._codes: dict[RuleSelection, frozenset[str]] = {}

    def of(self, path: str) -> RuleSelection:
        """The selection for a path."""
        base = self._config.selection_for(path)
        if base not in self._layered:
            self._layered[base] = layered(base, self._over)
        return self._layered[base]

    def codes(self, path: str) -> frozenset[str]:
        """The codes that are selected for a path."""
        selection = self.of(path)
        if selection not in self._codes:
            self._codes[selection] = frozenset(filter(selection.includes, known_rules()))
        return self._codes[selection]

    def chosen(self, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """The diagnostics whose rule is selected for their file, as severe as their file wants them."""
        for diagnostic in diagnostics:
            if diagnostic.code in self.codes(diagnostic.place.path):
                level = self.of(diagnostic.place.path).level(diagnostic.code, diagnostic.severity)
                yield diagnostic if level is diagnostic.severity else replace(diagnostic, severity=level)
