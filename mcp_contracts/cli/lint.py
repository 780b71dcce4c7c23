"""`mcp-contracts lint`: sources in, a report out, and an exit code that a CI can gate on."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from mcp_contracts.checks.lint import lint, rule_options
from mcp_contracts.checks.many import Checked, read_and_check
from mcp_contracts.checks.masking import SecretMask
from mcp_contracts.cli.help import CONFIGURATION, REPORT, RULES, CommandWithExamples, command_app, examples
from mcp_contracts.cli.options import (
    SOURCE_FORMS,
    ColorOption,
    ConfigFile,
    IgnoredRules,
    Isolated,
    NoColor,
    common_folder,
    configured_sources,
    deliver,
    read_config,
    read_selection,
    tell_skipped,
)
from mcp_contracts.cli.reports import (
    ExitZero,
    FailOn,
    MaxWarnings,
    Quiet,
    ReportFile,
    ReportFormat,
    ReportOptions,
    print_report,
)
from mcp_contracts.cli.servers import Headers, Timeout, TokenVariable, read_access
from mcp_contracts.cli.settings import settings_text
from mcp_contracts.config import Config
from mcp_contracts.contract import Contracts
from mcp_contracts.diagnostics import Diagnostic, RuleSelection
from mcp_contracts.errors import SourceError, UsageError
from mcp_contracts.parsing.discovery import SPEC_NAME, Skipped
from mcp_contracts.providers.limits.table import TARGET_NAMES
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.lint_document import lint_document
from mcp_contracts.rules.base import RuleOptions
from mcp_contracts.rules.registry import all_rule_infos
from mcp_contracts.rules.releases import RELEASE_RULES
from mcp_contracts.sources.load import find_all
from mcp_contracts.sources.servers.access import DEFAULT_TIMEOUT
from mcp_contracts.sources.source import Found, Readable

if TYPE_CHECKING:
    from mcp_contracts.implementation import Implementation
    from mcp_contracts.sources.git import Revision

_MANY_FILES = 100


_CHECKS = "Additional checks"
_FIXES = "Fixes"

app = command_app()


@app.command(
    cls=CommandWithExamples,
    epilog=examples(
        ("Check the `paths` of the configuration, or the working folder", "mcp-contracts lint"),
        ("Check a folder and a tool list", "mcp-contracts lint specs/ tools.json"),
        ("Check that versions follow from what changed since a branch", "mcp-contracts lint --against origin/main"),
        ("Check whether OpenAI and Gemini take the tools", "mcp-contracts lint --target openai,gemini specs/"),
        (
            "Annotate a pull request on GitHub, and fail on warnings",
            "mcp-contracts lint --format github --fail-on warning",
        ),
        ("Run only the rules on schemas and MC501", "mcp-contracts lint --select MC3,MC501"),
    ),
)
def command(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SOURCE]...",
            help=f"What to check: {SOURCE_FORMS}. Without one, the `paths` of the configuration are linted, else the "
            "working folder.",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="REF",
            help="Check versions since a git revision (MC207 to MC214).",
            rich_help_panel=_CHECKS,
        ),
    ] = None,
    implementation: Annotated[
        list[str] | None,
        typer.Option(
            "--implementation",
            metavar="MODULE",
            help="Check the functions of a Python module or package against the contracts, without running them (MC7).",
            rich_help_panel=_CHECKS,
        ),
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            metavar="TARGETS",
            help=f"Check tools against provider limits (MC6): {', '.join(TARGET_NAMES)}.",
            rich_help_panel=_CHECKS,
        ),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            "--select", metavar="CODES", help="Run only these rules (codes, prefixes, names).", rich_help_panel=RULES
        ),
    ] = None,
    ignore: IgnoredRules = None,
    extend_select: Annotated[
        list[str] | None,
        typer.Option("--extend-select", metavar="CODES", help="Also run these rules.", rich_help_panel=RULES),
    ] = None,
    severity: Annotated[
        list[str] | None,
        typer.Option(
            "--severity",
            metavar="CODE=LEVEL",
            help="Set a rule's severity: error, warning, note or off.",
            rich_help_panel=RULES,
        ),
    ] = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Fix what can be fixed safely, then report the rest.", rich_help_panel=_FIXES)
    ] = False,
    unsafe_fixes: Annotated[
        bool,
        typer.Option(
            "--unsafe-fixes", help="Also apply fixes that may not be what the author meant.", rich_help_panel=_FIXES
        ),
    ] = False,
    diff: Annotated[
        bool,
        typer.Option(
            "--diff",
            help="Write nothing, print the fixes as a patch, and exit with 1 if there are any.",
            rich_help_panel=_FIXES,
        ),
    ] = False,
    format_name: ReportFormat = "text",
    output: ReportFile = None,
    quiet: Quiet = False,
    color: ColorOption = "auto",
    no_color: NoColor = False,
    statistics: Annotated[
        bool,
        typer.Option("--statistics", help="Print the number of findings of each rule.", rich_help_panel=REPORT),
    ] = False,
    no_group: Annotated[
        bool,
        typer.Option(
            "--no-group", help="Show every diagnostic separately instead of grouping (text).", rich_help_panel=REPORT
        ),
    ] = False,
    show_suppressed: Annotated[
        bool,
        typer.Option("--show-suppressed", help="Show what was suppressed, with the reason.", rich_help_panel=REPORT),
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="List the files and folders that were skipped.", rich_help_panel=REPORT),
    ] = False,
    headers: Headers = None,
    token_variable: TokenVariable = None,
    timeout: Timeout = DEFAULT_TIMEOUT,
    max_warnings: MaxWarnings = None,
    fail_on: FailOn = None,
    exit_zero: ExitZero = False,
    config_file: ConfigFile = None,
    isolated: Isolated = False,
    show_settings: Annotated[
        bool,
        typer.Option(
            "--show-settings",
            help="Print the settings that apply, as JSON, and check nothing.",
            rich_help_panel=CONFIGURATION,
        ),
    ] = False,
) -> int:
    """Check specifications and tool lists."""
    sources = sources or []
    selection = read_selection(select or (), extend_select or (), ignore or (), severity or ())
    config = read_config(common_folder(sources), config_file, isolated=isolated)
    if target:
        config = replace(config, targets=_targets(target))
    named = configured_sources(sources, config)
    if show_settings:
        deliver(settings_text(config, selection, named), output)
        return 0
    functions = _implementation(implementation, config) if implementation else None
    gc.set_threshold(100_000)  # a lint allocates much and drops little, but the errors of a hostile file hold cycles
    revision = None if against is None else _revision(against, named, config)
    here = named if revision is None else _still_there(named, revision)
    access = read_access(here, headers, token_variable, timeout)
    size = config.limits.max_file_size
    found = list(find_all(here, is_excluded=config.is_excluded, max_file_size=size, servers=access))
    skipped = [item for item in found if isinstance(item, Skipped)]
    tell_skipped(skipped, is_verbose=verbose)
    if fix or diff or unsafe_fixes:
        code = _fixed(found, config, selection, is_fix=fix, has_unsafe=unsafe_fixes, is_diff=diff)
        if diff:
            return code
    checked = tuple(
        _read([item for item in found if not isinstance(item, Skipped)], config, rule_options(config, selection))
    )
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
    options = ReportOptions(
        format_name, output, max_warnings, fail_on, exit_zero, quiet, "never" if no_color else color
    )
    return print_report(document, context, options, config)


def _fixed(
    found: Sequence[Found],
    config: Config,
    selection: RuleSelection,
    *,
    is_fix: bool,
    has_unsafe: bool,
    is_diff: bool,
) -> int:
    """Fix the files of the lint, or print what would change."""
    from mcp_contracts.cli.fixing import check_options, fix_files  # a plain lint writes nothing

    check_options(is_fix=is_fix, has_unsafe=has_unsafe, is_diff=is_diff)
    files = [item for item in found if not isinstance(item, Skipped)]
    return fix_files(files, config, selection, has_unsafe=has_unsafe, is_diff=is_diff)


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
    from mcp_contracts.cli.progress import watched  # Rich, for a person who waits

    yield from watched(read, len(found), "linting")
