"""Lint: the rules run over contracts, selected, weighed and suppressed into one report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_contracts.checks.suppressions import LintedFile, apply_suppressions
from mcp_contracts.config import Config, layered
from mcp_contracts.contract import Contracts, ToolContract
from mcp_contracts.diagnostics import Diagnostic, Report, RuleSelection
from mcp_contracts.errors import ContractError
from mcp_contracts.rules.base import RuleOptions
from mcp_contracts.rules.engine import fingerprinted, run_rules
from mcp_contracts.rules.precedence import Found
from mcp_contracts.rules.registry import IMPLEMENTATION_RULES, LINT_RULES, known_rules
from mcp_contracts.rules.releases import RELEASE_RULES

if TYPE_CHECKING:
    from mcp_contracts.implementation import Implementation, ImplementedContracts  # few lints are given one


def lint(
    contracts: Contracts,
    config: Config | None = None,
    *,
    selection: RuleSelection | None = None,
    today: date | None = None,
    found_in: Sequence[Sequence[Found]] | None = None,
    released: Sequence[Diagnostic] | None = None,
    is_whole: bool = False,
    implementation: Implementation | None = None,
) -> Report:
    """Check contracts against all rules.

    `config` is a project's configuration and `selection` what goes on top of it, such as a command line's options.
    `today` is the day on which a suppression `until` a date is judged; without it none counts as expired. `found_in`
    is what `checks.many` has already found in each file, `released` what a comparison with an earlier version says of
    the versions (MC207 to MC214), None where there was none. `is_whole` says that these are all files of the project,
    so that a suppression in its configuration that silences nothing is unused. `implementation` is what
    `read_implementation` read of the functions behind the contracts (MC701 to MC714), None where nobody asks.
    """
    if not isinstance(contracts, Contracts):
        raise ContractError("`lint` takes contracts", hint="load them first: `lint(load(source))`")
    config = config or Config(None, Path())
    files = contracts.files
    selections = Selections(config, selection or RuleSelection())
    implemented = None
    if implementation is not None:
        from mcp_contracts.implementation import matched  # few lints are given one

        implemented = matched(contracts, implementation)
    found = run_rules(
        contracts,
        LINT_RULES,
        rule_options(config),
        is_selected=lambda path, code: code in selections.codes(path),
        found_in=found_in,
        implemented=implemented,
    )
    linted = (*files, *(_code_files(implemented) if implemented is not None else ()))
    chosen = (one for one in released or () if one.code in selections.codes(one.place.path))
    judged = apply_suppressions(
        [*found, *chosen],
        linted,
        config.suppressions,
        today=today,
        ran=_ran(linted, selections, is_released=released is not None, is_implemented=implementation is not None),
        known=known_rules(),
        is_whole=is_whole,
    )
    diagnostics = sorted(selections.chosen(judged), key=lambda one: (one.place, one.code, one.message))
    return Report(tuple(fingerprinted(diagnostics)), files=len(files), tools=len(contracts))


@dataclass(frozen=True, slots=True)
class _CodeFile:
    """A Python file that diagnostics may stand in, with the contracts that its functions implement."""

    path: str
    contracts: tuple[ToolContract, ...]


def _code_files(implemented: ImplementedContracts) -> Iterator[_CodeFile]:
    of_path: dict[str, list[ToolContract]] = {module.path: [] for module in implemented.implementation.modules}
    for tool in implemented.tools:
        of_path[tool.function.place.path].append(tool.contract)
    return (_CodeFile(path, tuple(contracts)) for path, contracts in of_path.items())


def _ran(
    files: Iterable[LintedFile], selections: Selections, *, is_released: bool, is_implemented: bool
) -> Mapping[str, frozenset[str]]:
    """The codes that were looked for in each file."""
    releases = frozenset(info.code for info in RELEASE_RULES)
    implementations = frozenset(rule.info.code for rule in IMPLEMENTATION_RULES)
    unasked = (frozenset() if is_released else releases) | (frozenset() if is_implemented else implementations)
    return {
        file.path: selections.codes(file.path) & implementations
        if isinstance(file, _CodeFile)
        else selections.codes(file.path) - unasked
        for file in files
    }


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
