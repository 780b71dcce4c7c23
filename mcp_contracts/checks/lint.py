"""Lint: run the rules over contracts, with selection, severities and suppressions, and create one report."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_contracts.checks.suppressions.applying import LintedFile, apply_suppressions
from mcp_contracts.config import Config, combine_selections
from mcp_contracts.contract import Contracts, ToolContract
from mcp_contracts.diagnostics import Diagnostic, Report, RuleSelection
from mcp_contracts.errors import ContractError
from mcp_contracts.masking.mask import SecretMask
from mcp_contracts.records import dataclass, replace
from mcp_contracts.rules.across_files import ACROSS_FILES
from mcp_contracts.rules.base import IMPLEMENTATION_SCOPES, LIVE_SCOPES, Found, RuleOptions
from mcp_contracts.rules.listing import (
    PORTABILITY,
    codes_of,
    known_rules,
    portability_on_demand,
    portability_targets,
    release_codes,
)
from mcp_contracts.rules.running.engine import add_fingerprints, run_rules
from mcp_contracts.schema.identity import cached_method

if TYPE_CHECKING:
    from mcp_contracts.implementation import (
        Implementation,
        ImplementedContracts,
    )  # few lints are given an implementation
    from mcp_contracts.providers.limits.provider import Target
    from mcp_contracts.rules.base import Rule


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

    `config` is a project's configuration, which `selection` overrides, such as the options of a command line. `targets`
    are the providers of the tools (`openai`, `mcp-2025-11-25`, `all`, …), and override those of the configuration; the
    portability rules (MC6) run for them. Raises UsageError for an unknown target. `today` decides whether suppressions
    with `until` have expired; without it, none have. `found_in` contains the findings of `checks.many` in each file,
    and `released` the findings about versions from a comparison with an earlier version (MC207 to MC214), or None
    without a comparison. `is_whole` means that these are all files of the project, so that a suppression in its
    configuration without effect is unused. `implementation` is the result of `read_implementation` for the functions of
    the contracts (MC701 to MC714), or None. `mask` masks secrets in the report; without one, the secrets of the files
    are masked.
    """
    if not isinstance(contracts, Contracts):
        raise ContractError("`lint` expects contracts", hint="load them first: `lint(load(source))`")
    config = config or Config(None, Path())
    if targets is not None:
        config = replace(config, targets=tuple(targets))
    files = contracts.files
    implemented = None
    if implementation is not None:
        from mcp_contracts.implementation import match_functions  # few lints are given an implementation

        implemented = match_functions(contracts, implementation)
    options = rule_options(config, selection)
    found = run_rules(
        contracts,
        ACROSS_FILES if found_in is not None and implemented is None else _all_rules(),
        options,
        found_in=found_in,
        implemented=implemented,
    )
    linted = (*files, *(_code_files(implemented) if implemented is not None else ()))
    looked_for = checked_codes(
        options, is_released=released is not None, is_implemented=implementation is not None, is_whole=is_whole
    )
    diagnostics = finish(
        [*found, *(released or ())], linted, config, selection, today=today, looked_for=looked_for, is_whole=is_whole
    )
    mask = mask or SecretMask(file.text for file in files)
    refused = {item.place.path for item in found if item.code == NOT_CHECKED}
    left_out = refused - {item.place.path for item in diagnostics if item.code == NOT_CHECKED}
    tools = sum(len(file.contracts) for file in files if file.path not in left_out)
    return mask.everything(Report(diagnostics, files=len(files) - len(left_out), tools=tools, skipped=len(left_out)))


NOT_CHECKED = "MC027"
"""The code of files that are not checked. If it is not selected, they count as skipped."""


def finish(
    found: Iterable[Diagnostic],
    files: Sequence[LintedFile],
    config: Config,
    selection: RuleSelection | None,
    *,
    today: date | None,
    looked_for: Collection[str],
    is_whole: bool = False,
) -> tuple[Diagnostic, ...]:
    """Return findings, sorted by place, with suppressions, selection, severities and fingerprints.

    For the other parameters, see `apply_suppressions`.
    """
    judged = apply_suppressions(
        found,
        files,
        config.suppressions,
        today=today,
        known=known_rules(),
        looked_for=frozenset(looked_for),
        is_whole=is_whole,
    )
    return tuple(add_fingerprints(Selections(config, selection or RuleSelection()).apply(judged)))


def _all_rules() -> Sequence[Rule]:
    from mcp_contracts.rules.registry import LINT_RULES  # slow to import, and needed where files are checked

    return LINT_RULES


@dataclass(frozen=True, slots=True)
class _CodeFile:
    """A Python file that diagnostics may be in, with the contracts that its functions implement."""

    path: str
    contracts: tuple[ToolContract, ...]


def _code_files(implemented: ImplementedContracts) -> Iterator[_CodeFile]:
    of_path: dict[str, list[ToolContract]] = {module.path: [] for module in implemented.implementation.modules}
    for tool in implemented.tools:
        of_path[tool.function.place.path].append(tool.contract)
    return (_CodeFile(path, tuple(contracts)) for path, contracts in of_path.items())


def checked_codes(options: RuleOptions, *, is_released: bool, is_implemented: bool, is_whole: bool) -> frozenset[str]:
    """Return the codes whose findings in the files are complete.

    Rules that compare all tools of a project need all of its files, rules about releases need an earlier version, and
    rules about an implementation need its functions.
    """
    missed = options.unrequested_codes | codes_of(LIVE_SCOPES)
    if not is_whole:
        missed |= codes_of(("Contracts",))
    if not is_released:
        missed |= release_codes()
    if not is_implemented:
        missed |= codes_of(IMPLEMENTATION_SCOPES)
    return frozenset(known_rules().keys() - missed)


def rule_options(config: Config, selection: RuleSelection | None = None) -> RuleOptions:
    """Return the options that a configuration sets for the rules, overridden by a selection."""
    chosen = Selections(config, selection or RuleSelection())
    return RuleOptions(
        config.name_pattern, config.limits.description_length, _targets(config.targets), chosen.unrequested_codes()
    )


def _targets(names: Sequence[str]) -> tuple[Target, ...]:
    if not names:
        return ()
    from mcp_contracts.providers.limits.table import read_targets  # the limits of all providers, which few runs need

    return read_targets(names)


class Selections:
    """The selections for all paths: the configuration with its overrides, overridden by the command line."""

    def __init__(self, config: Config, over: RuleSelection) -> None:
        self._config, self._over = config, over
        self._layered = cache(lambda base: combine_selections(base, over))
        self._targets = frozenset(target.name for target in _targets(config.targets))

    def of(self, path: str) -> RuleSelection:
        """Return the selection for a path."""
        return self._layered(self._config.selection_for(path))

    def codes(self, path: str) -> frozenset[str]:
        """Return the codes that are selected for a path."""
        return self._codes(self.of(path))

    @cached_method
    def _codes(self, selection: RuleSelection) -> frozenset[str]:
        return frozenset(filter(selection.includes, known_rules())) - self._unselected_codes(selection)

    def unrequested_codes(self) -> frozenset[str]:
        """Return the codes of portability rules that do not run.

        With targets, these are the rules that concern none of them. Without targets, these are all on-demand rules
        unless some path selects one; then all of them run, because a finding may depend on findings that are not shown.
        """
        if self._targets:
            return frozenset(code for code, about in portability_targets().items() if self._targets.isdisjoint(about))
        paths = (self._config.rules, *(override.rules for override in self._config.overrides))
        is_asked = any(_portability_prefixes(combine_selections(rules, self._over)) for rules in paths)
        return frozenset() if is_asked else portability_on_demand()

    def _unselected_codes(self, selection: RuleSelection) -> frozenset[str]:
        """Return the codes that a selection omits because it neither has their target nor names them."""
        if self._targets:
            return self.unrequested_codes()
        asked = _portability_prefixes(selection)
        return frozenset(code for code in portability_on_demand() if not code.startswith(asked))

    def apply(self, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """Yield the diagnostics whose rule is selected for their file, with the severity for that file."""
        for diagnostic in diagnostics:
            if diagnostic.code in self.codes(diagnostic.place.path):
                level = self.of(diagnostic.place.path).level(diagnostic.code, diagnostic.severity)
                yield diagnostic if level is diagnostic.severity else replace(diagnostic, severity=level)


def _portability_prefixes(selection: RuleSelection) -> tuple[str, ...]:
    """Return the codes and code prefixes in a selection that request portability rules."""
    return tuple(word for word in (*selection.select, *selection.extend_select) if word.startswith(PORTABILITY))
