"""`mcp-contracts lint`: check sources, print a report, and return an exit code for CI."""

# Annotations are evaluated here, where they are compiled, and not when a command line is read.
from pathlib import Path
from typing import Annotated

from mcp_contracts.cli import options, reports
from mcp_contracts.cli.cache_folder import cache_folder
from mcp_contracts.cli.command_line.parameters import (
    CONFIGURATION,
    REPORT,
    RULES,
    Argument,
    Option,
    command_app,
    examples,
)
from mcp_contracts.cli.linting.options import LintOptions
from mcp_contracts.cli.linting.run import run_lint, settings
from mcp_contracts.cli.repeatable import FinishedRun
from mcp_contracts.cli.servers import Capabilities, Headers, Timeout, TokenVariable
from mcp_contracts.config.files import SUGGESTED_BASELINE
from mcp_contracts.errors import UsageError
from mcp_contracts.sources.servers.access import DEFAULT_TIMEOUT

_CHECKS = "Additional checks"
_KNOWN = "Known findings"
_FIXES = "Fixes"

app = command_app()


@app.command(
    epilog=examples(
        ("Check the `paths` of the configuration, or the working folder", "mcp-contracts lint"),
        ("Check a folder and a tool list", "mcp-contracts lint specs/ tools.json"),
        ("Check that versions match the changes since a branch", "mcp-contracts lint --against origin/main"),
        ("Check whether OpenAI and Gemini accept the tools", "mcp-contracts lint --target openai,gemini specs/"),
        (
            "Annotate a pull request on GitHub, and fail on warnings",
            "mcp-contracts lint --format github --fail-on warning",
        ),
        ("Run only the rules on schemas and MC501", "mcp-contracts lint --select MC3,MC501"),
        (
            "Record existing findings, and fail only on new ones",
            f"mcp-contracts lint --write-baseline {SUGGESTED_BASELINE}",
        ),
    ),
)
def command(
    sources: Annotated[
        list[str] | None,
        Argument(
            metavar="[SOURCE]...",
            help=f"What to check: {options.SOURCE_FORMS}. Without one, the `paths` of the configuration are linted, "
            "else the working folder.",
        ),
    ] = None,
    against: Annotated[
        str | None,
        Option(
            "--against",
            metavar="REF",
            help="Check versions since a git revision (MC207 to MC214).",
            rich_help_panel=_CHECKS,
        ),
    ] = None,
    only_new: Annotated[
        bool,
        Option(
            "--only-new",
            help="Count and hide the findings that the revision of --against already has (default: `diff.against` of "
            "the configuration).",
            rich_help_panel=_KNOWN,
        ),
    ] = False,
    baseline: Annotated[
        Path | None,
        Option(
            "--baseline",
            metavar="FILE",
            help="Count and hide the findings that this file records (default: `baseline` of the configuration).",
            rich_help_panel=_KNOWN,
        ),
    ] = None,
    write_baseline: Annotated[
        Path | None,
        Option(
            "--write-baseline",
            metavar="FILE",
            help="Record the current findings in this file, and drop those that are fixed.",
            rich_help_panel=_KNOWN,
        ),
    ] = None,
    implementation: Annotated[
        list[str] | None,
        Option(
            "--implementation",
            metavar="MODULE",
            help="Check the functions of a Python module or package against the contracts, without running them (MC7).",
            rich_help_panel=_CHECKS,
        ),
    ] = None,
    target: Annotated[
        list[str] | None,
        Option(
            "--target",
            metavar="TARGETS",
            help=lambda: f"Check tools against provider limits (MC6): {_target_names()}.",
            rich_help_panel=_CHECKS,
        ),
    ] = None,
    select: Annotated[
        list[str] | None,
        Option(
            "--select", metavar="CODES", help="Run only these rules (codes, prefixes, names).", rich_help_panel=RULES
        ),
    ] = None,
    ignore: options.IgnoredRules = None,
    extend_select: Annotated[
        list[str] | None,
        Option("--extend-select", metavar="CODES", help="Also run these rules.", rich_help_panel=RULES),
    ] = None,
    severity: Annotated[
        list[str] | None,
        Option(
            "--severity",
            metavar="CODE=LEVEL",
            help="Set a rule's severity: error, warning, note or off.",
            rich_help_panel=RULES,
        ),
    ] = None,
    fix: Annotated[
        bool, Option("--fix", help="Fix what can be fixed safely, then report the rest.", rich_help_panel=_FIXES)
    ] = False,
    unsafe_fixes: Annotated[
        bool,
        Option(
            "--unsafe-fixes", help="Also apply fixes that may not be what the author meant.", rich_help_panel=_FIXES
        ),
    ] = False,
    diff: Annotated[
        bool,
        Option(
            "--diff",
            help="Write nothing, print the fixes as a patch, and exit with 1 if there are any.",
            rich_help_panel=_FIXES,
        ),
    ] = False,
    watch: Annotated[
        bool,
        Option(
            "--watch",
            help="Lint again whenever a file changes, until Ctrl-C (requires `mcp-contracts[watch]`).",
            rich_help_panel=_CHECKS,
        ),
    ] = False,
    format_name: reports.ReportFormat = "text",
    output: reports.ReportFile = None,
    report: reports.ReportCopies = None,
    quiet: reports.Quiet = False,
    color: options.ColorOption = "auto",
    no_color: options.NoColor = False,
    statistics: Annotated[
        bool,
        Option("--statistics", help="Print the number of findings of each rule.", rich_help_panel=REPORT),
    ] = False,
    no_group: Annotated[
        bool,
        Option(
            "--no-group", help="Show every diagnostic separately instead of grouping (text).", rich_help_panel=REPORT
        ),
    ] = False,
    show_suppressed: Annotated[
        bool,
        Option("--show-suppressed", help="Show what was suppressed, with the reason.", rich_help_panel=REPORT),
    ] = False,
    verbose: Annotated[
        bool,
        Option("--verbose", "-v", help="List the files and folders that were skipped.", rich_help_panel=REPORT),
    ] = False,
    headers: Headers = None,
    token_variable: TokenVariable = None,
    timeout: Timeout = DEFAULT_TIMEOUT,
    capabilities: Capabilities = None,
    max_warnings: reports.MaxWarnings = None,
    fail_on: reports.FailOn = None,
    exit_zero: reports.ExitZero = False,
    config_file: options.ConfigFile = None,
    isolated: options.Isolated = False,
    stdin_filename: options.InputName = None,
    force_exclude: options.ForceExclude = False,
    jobs: Annotated[
        int | None,
        Option(
            "--jobs",
            "-j",
            min=1,
            metavar="N",
            help="Check files in at most N processes (default: one for each processor if there are many files).",
            rich_help_panel=CONFIGURATION,
        ),
    ] = None,
    cache_dir: options.CacheFolder = None,
    no_cache: options.NoCache = False,
    show_settings: Annotated[
        bool,
        Option(
            "--show-settings",
            help="Print the settings that apply, as JSON, and check nothing.",
            rich_help_panel=CONFIGURATION,
        ),
    ] = False,
) -> int | FinishedRun:
    """Check specifications and tool lists."""
    color = "never" if no_color else color
    asked = LintOptions(
        sources=tuple(sources or ()),
        selection=options.read_selection(select or (), extend_select or (), ignore or (), severity or ()),
        report=reports.ReportOptions(
            format_name,
            output,
            max_warnings,
            fail_on,
            exit_zero,
            quiet,
            color,
            reports.read_copies(report or (), output),
        ),
        against=against,
        is_only_new=only_new,
        baseline=baseline,
        written_baseline=write_baseline,
        implementation=tuple(implementation or ()),
        targets=_targets(target) if target else (),
        is_fix=fix,
        has_unsafe=unsafe_fixes,
        is_diff=diff,
        shows_suppressed=show_suppressed,
        has_statistics=statistics,
        is_grouped=not no_group,
        is_verbose=verbose,
        headers=tuple(headers or ()),
        token_variable=token_variable,
        timeout=timeout,
        capabilities=capabilities,
        config_file=config_file,
        is_isolated=isolated,
        input_name=stdin_filename,
        is_exclude_forced=force_exclude,
        cache_folder=cache_folder(cache_dir, is_off=no_cache),
        jobs=jobs,
    )
    if show_settings:
        options.deliver(settings(asked), output)
        return 0
    if watch:
        from mcp_contracts.cli.linting.watching import watch_lint  # few lints are watched

        return watch_lint(asked)
    return run_lint(asked)


def _targets(words: list[str]) -> tuple[str, ...]:
    """The targets that a command line names, separated by commas or in several options."""
    named = tuple(target for word in words for target in word.replace(",", " ").split())
    if not named:
        raise UsageError("`--target` is empty", hint=f"the targets are {_target_names()}")
    return named


def _target_names() -> str:
    from mcp_contracts.providers.limits.table import TARGET_NAMES  # the limits of all providers

    return ", ".join(TARGET_NAMES)
