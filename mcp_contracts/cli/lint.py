"""`mcp-contracts lint`: sources in, a report out, and an exit code that a CI can gate on."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcp_contracts.checks.lint import lint, rule_options
from mcp_contracts.checks.many import Checked, read_and_check
from mcp_contracts.checks.masking import SecretMask
from mcp_contracts.cli.options import (
    SOURCE_FORMS,
    common_folder,
    configured_sources,
    read_config,
    read_selection,
    tell_skipped,
)
from mcp_contracts.cli.reports import ReportOptions, print_report, report_options
from mcp_contracts.config import Config
from mcp_contracts.contract import Contracts
from mcp_contracts.diagnostics import Diagnostic
from mcp_contracts.errors import SourceError, UsageError
from mcp_contracts.parsing.discovery import SPEC_NAME, Skipped
from mcp_contracts.providers.limits.table import TARGET_NAMES
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.lint_document import lint_document
from mcp_contracts.rules.base import RuleOptions
from mcp_contracts.rules.registry import all_rule_infos
from mcp_contracts.rules.releases import RELEASE_RULES
from mcp_contracts.sources.load import find_all
from mcp_contracts.sources.source import Readable

if TYPE_CHECKING:
    from mcp_contracts.implementation import Implementation
    from mcp_contracts.sources.git import Revision

_MANY_FILES = 100


@click.command(
    epilog=f"A SOURCE is {SOURCE_FORMS}. Without one, the `paths` of the configuration are linted, else the working "
    "folder."
)
@click.argument("sources", metavar="[SOURCE]...", nargs=-1)
@click.option("--against", metavar="REF", help="Check versions since a git revision (MC207 to MC214).")
@click.option(
    "--implementation",
    multiple=True,
    metavar="MODULE",
    help="Check the functions of a Python module or package against the contracts, without running them (MC7).",
)
@click.option(
    "--target",
    multiple=True,
    metavar="TARGETS",
    help=f"Check tools against provider limits (MC6): {', '.join(TARGET_NAMES)}.",
)
@report_options
@click.option("--select", multiple=True, metavar="CODES", help="Run only these rules (codes, prefixes, names).")
@click.option("--ignore", multiple=True, metavar="CODES", help="Do not run these rules.")
@click.option("--extend-select", multiple=True, metavar="CODES", help="Also run these rules.")
@click.option(
    "--severity", multiple=True, metavar="CODE=LEVEL", help="Set a rule's severity: error, warning, note or off."
)
@click.option("--statistics", is_flag=True, help="Print the number of findings of each rule.")
@click.option("--no-group", is_flag=True, help="Show every diagnostic separately instead of grouping (text).")
@click.option("--show-suppressed", is_flag=True, help="Show what was suppressed, with the reason.")
@click.option(
    "--config", "config_file", type=click.Path(path_type=Path), metavar="FILE", help="Use this configuration file."
)
@click.option("--verbose", "-v", is_flag=True, help="List the files and folders that were skipped.")
def command(
    sources: tuple[str, ...],
    against: str | None,
    implementation: tuple[str, ...],
    target: tuple[str, ...],
    report: ReportOptions,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    extend_select: tuple[str, ...],
    severity: tuple[str, ...],
    statistics: bool,
    no_group: bool,
    show_suppressed: bool,
    config_file: Path | None,
    verbose: bool,
) -> int:
    """Check specifications and tool lists."""
    selection = read_selection(select, extend_select, ignore, severity)
    config = read_config(common_folder(sources), config_file)
    if target:
        config = replace(config, targets=_targets(target))
    options = rule_options(config, selection)
    named = configured_sources(sources, config)
    functions = _implementation(implementation, config) if implementation else None
    gc.set_threshold(100_000)  # a lint allocates much and drops little, but the errors of a hostile file hold cycles
    revision = None if against is None else _revision(against, named, config)
    here = named if revision is None else _still_there(named, revision)
    found = list(find_all(here, is_excluded=config.is_excluded, max_file_size=config.limits.max_file_size))
    skipped = [item for item in found if isinstance(item, Skipped)]
    tell_skipped(skipped, is_verbose=verbose)
    checked = tuple(_read([item for item in found if not isinstance(item, Skipped)], config, options))
    if not checked and (revision is None or not revision.contracts.files):
        raise SourceError(
            f"there is nothing to check: no `{SPEC_NAME}` in {', '.join(f'`{name}`' for name in named)}"
            + (f", and {len(skipped)} skipped" if skipped else ""),
            hint="name a specification, a folder that holds one, or a JSON tool list"
            + ("; `--verbose` shows what was skipped" if skipped and not verbose else ""),
        )
    contracts = Contracts(tuple(one.file for one in checked))
    found_in = [one.found for one in checked]
    released = None if revision is None else _released(revision, named, contracts, config, is_whole=not sources)
    texts = _texts(contracts, functions)
    mask = SecretMask(texts.values())
    linted = lint(
        contracts,
        config,
        selection=selection,
        today=date.today(),
        found_in=found_in,
        released=released,
        is_whole=not sources,
        implementation=functions,
        mask=mask,
    )
    spoken_of = {one.place.path for one in linted.diagnostics}
    shown = {path: mask.text(text) if path in spoken_of else text for path, text in texts.items()}
    document = lint_document(replace(linted, skipped=len(skipped)), shown)
    context = RenderContext(
        rules=all_rule_infos(), show_all=show_suppressed, statistics=statistics, is_grouped=not no_group
    )
    return print_report(document, context, report, config)


def _targets(words: Sequence[str]) -> tuple[str, ...]:
    """The targets that a command line names, in lists with commas or in several options."""
    named = tuple(target for word in words for target in word.replace(",", " ").split())
    if not named:
        raise UsageError("`--target` names no target", hint=f"the targets are {', '.join(TARGET_NAMES)}")
    return named


def _implementation(named: Sequence[str], config: Config) -> Implementation:
    """The functions of some modules."""
    from mcp_contracts.sources.python.functions import read_implementation  # griffe, which a plain lint does not need

    return read_implementation(named, max_file_size=config.limits.max_file_size)


def _texts(contracts: Contracts, functions: Implementation | None) -> dict[str, str]:
    """The text of every file that a diagnostic may show."""
    code = {} if functions is None else {module.path: module.text for module in functions.modules}
    return {**code, **{file.path: file.text for file in contracts.files}}


def _revision(ref: str, sources: Sequence[str], config: Config) -> Revision:
    """What the sources held at a git revision."""
    from mcp_contracts.cli.diff import read_revision  # the engine and git, which a plain lint needs none of

    return read_revision(ref, sources, config)


def _still_there(sources: Sequence[str], revision: Revision) -> tuple[str, ...]:
    from mcp_contracts.cli.diff import still_there  # see _revision

    return still_there(sources, revision)


def _released(
    revision: Revision, paths: Sequence[str], contracts: Contracts, config: Config, *, is_whole: bool
) -> tuple[Diagnostic, ...]:
    """What the versions should say of what changed since a git revision."""
    from mcp_contracts.checks.diff import compare  # see _revision
    from mcp_contracts.cli.diff import read_releases
    from mcp_contracts.config.accepted import accepted_path, read_accepted

    accepted = read_accepted(accepted_path(config))
    old = revision.contracts
    compared = compare(
        old,
        contracts,
        policy=config.diff.policy,
        accepted=accepted,
        today=date.today(),
        config=config,
        is_whole=is_whole,
        releases=partial(read_releases, paths, config),
    )
    released = {info.code for info in RELEASE_RULES}
    return tuple(one for one in compared.report.diagnostics if one.code in released)


def _read(found: Sequence[Readable], config: Config, options: RuleOptions) -> Iterator[Checked]:
    """The files and what was found in each, with a progress bar where they are many and a person watches."""
    read = read_and_check(found, options, max_file_size=config.limits.max_file_size)
    if len(found) < _MANY_FILES or not sys.stderr.isatty():
        yield from read
        return
    with click.progressbar(read, length=len(found), label="linting", file=sys.stderr) as watched:
        yield from watched
