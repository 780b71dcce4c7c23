"""Lint: the rules run over contracts, selected, weighed and suppressed into one report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_contracts.checks.masking import SecretMask
from mcp_contracts.checks.suppressions import LintedFile, apply_suppressions
from mcp_contracts.config import Config, layered
from mcp_contracts.contract import Contracts, ToolContract
from mcp_contracts.diagnostics import Diagnostic, Report, RuleSelection
from mcp_contracts.errors import ContractError
from mcp_contracts.providers.limits import read_targets
from mcp_contracts.rules.base import RuleOptions
from mcp_contracts.rules.engine import fingerprinted, run_rules
from mcp_contracts.rules.precedence import Found
from mcp_contracts.rules.registry import (
    IMPLEMENTATION_RULES,
    LINT_RULES,
    PORTABILITY,
    PORTABILITY_ON_DEMAND,
    PORTABILITY_TARGETS,
    known_rules,
)
from mcp_contracts.rules.releases import RELEASE_RULES

if TYPE_CHECKING:
    from mcp_contracts.implementation import Implementation, ImplementedContracts  # few lints are given one


def lint(
    contracts: Contracts,
    config: Config | None = None,
    *,
    selection: RuleSelection | None = None,
    targets: Sequence[str] | None = None,
    today: date | None = None,
    found_in: Sequence[Sequence[Found]] | None = None,
    released: Sequence[Diagnostic] | None = None,
    is_whole: bool = False,
    implementation: Implementation | None = None,
    mask: SecretMask | None = None,
) -> Report:
    """Check contracts against all rules.

    `config` is a project's configuration and `selection` what goes on top of it, such as a command line's options.
    `targets` are what the tools are meant for (`openai`, `mcp-2025-11-25`, `all`, …), in place of the configuration's:
    with one, the rules about portability (MC6) run for it. Raises UsageError for a target that is not known.
    `today` is the day on which a suppression `until` a date is judged; without it none counts as expired. `found_in`
    is what `checks.many` has already found in each file, `released` what a comparison with an earlier version says of
    the versions (MC207 to MC214), None where there was none. `is_whole` says that these are all files of the project,
    so that a suppression in its configuration that silences nothing is unused. `implementation` is what
    `read_implementation` read of the functions behind the contracts (MC701 to MC714), None where nobody asks. `mask`
    hides secrets in what is reported; without one it knows those of the files.
    """
    if not isinstance(contracts, Contracts):
        raise ContractError("`lint` takes contracts", hint="load them first: `lint(load(source))`")
    config = config or Config(None, Path())
    if targets is not None:
        config = replace(config, targets=tuple(targets))
    files = contracts.files
    selections = Selections(config, selection or RuleSelection())
    implemented = None
    if implementation is not None:
        from mcp_contracts.implementation import matched  # few lints are given one

        implemented = matched(contracts, implementation)
    found = run_rules(
        contracts,
        LINT_RULES,
        rule_options(config, selection),
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
    mask = mask or SecretMask(file.text for file in files)
    return Report(tuple(map(mask.diagnostic, fingerprinted(diagnostics))), files=len(files), tools=len(contracts))


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


def rule_options(config: Config, selection: RuleSelection | None = None) -> RuleOptions:
    """What a configuration sets for the rules, with a selection on top of it."""
    chosen = Selections(config, selection or RuleSelection())
    return RuleOptions(
        config.name_pattern, config.limits.description_length, read_targets(config.targets), chosen.unasked()
    )


class Selections:
    """What holds for each path, a configuration file's own among them: the configuration, the command line on top."""

    def __init__(self, config: Config, over: RuleSelection) -> None:
        self._config, self._over = config, over
        self._layered: dict[RuleSelection, RuleSelection] = {}
        self._codes: dict[RuleSelection, frozenset[str]] = {}
        self._targets = frozenset(read_targets(config.targets))

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
            codes = frozenset(filter(selection.includes, known_rules()))
            self._codes[selection] = codes - self._unasked_by(selection)
        return self._codes[selection]

    def unasked(self) -> frozenset[str]:
        """The codes of rules about portability that nobody asks for, on whatever path."""
        paths = (self._config.rules, *(override.rules for override in self._config.overrides))
        return frozenset.intersection(*(self._unasked_by(layered(rules, self._over)) for rules in paths))

    def _unasked_by(self, selection: RuleSelection) -> frozenset[str]:
        """Those of them that speak of no target that is named; without one, those that the selection does not name."""
        if self._targets:
            return frozenset(code for code, about in PORTABILITY_TARGETS.items() if self._targets.isdisjoint(about))
        named = (*selection.select, *selection.extend_select)
        asked = tuple(word for word in named if word.startswith(PORTABILITY))
        return frozenset(code for code in PORTABILITY_ON_DEMAND if not code.startswith(asked))

    def chosen(self, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """The diagnostics whose rule is selected for their file, as severe as their file wants them."""
        for diagnostic in diagnostics:
            if diagnostic.code in self.codes(diagnostic.place.path):
                level = self.of(diagnostic.place.path).level(diagnostic.code, diagnostic.severity)
                yield diagnostic if level is diagnostic.severity else replace(diagnostic, severity=level)
