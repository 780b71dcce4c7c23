"""The options of `lint`."""

# Annotations are evaluated here, where they are compiled, and not when a command line is read.
from pathlib import Path
from typing import Annotated

from mcp_contracts.cli import options
from mcp_contracts.cli.cache_folder import cache_folder
from mcp_contracts.cli.command_line.parameters import CONFIGURATION, REPORT, RULES, Argument, Option
from mcp_contracts.cli.reports import ExitOptions, ReportOptions
from mcp_contracts.cli.servers import ServerOptions
from mcp_contracts.diagnostics import RuleSelection
from mcp_contracts.errors import UsageError
from mcp_contracts.records import dataclass

_CHECKS = "Additional checks"
_KNOWN = "Known findings"
_FIXES = "Fixes"


@dataclass(frozen=True, slots=True)
class LintOptions:
    """The sources and options of one lint; None or empty if they are not given.

    `against` is the revision to compare versions with and, with `is_only_new`, findings. `input_name` is the file that
    standard input represents.
    """

    sources: Annotated[
        list[str] | None,
        Argument(
            "[SOURCE]...",
            f"What to check: {options.SOURCE_FORMS}. "
            "Default: the `paths` in the configuration, or the working directory.",
        ),
    ] = None
    against: Annotated[
        str | None,
        Option(
            "--against REF", "Check that versions match the changes since a git revision (MC207 to MC214).", _CHECKS
        ),
    ] = None
    is_only_new: Annotated[
        bool,
        Option(
            "--only-new",
            "Hide the findings that exist at the --against revision, and print their number (default: "
            "`diff.against` in the configuration).",
            _KNOWN,
        ),
    ] = False
    baseline: Annotated[
        Path | None,
        Option(
            "--baseline FILE",
            "Hide the findings that this file records, and print their number (default: `baseline` in the "
            "configuration).",
            _KNOWN,
        ),
    ] = None
    written_baseline: Annotated[
        Path | None,
        Option(
            "--write-baseline FILE", "Record the current findings in this file, and drop those that are fixed.", _KNOWN
        ),
    ] = None
    implementation: Annotated[
        list[str] | None,
        Option(
            "--implementation MODULE",
            "Check the functions of a Python module or package against the contracts, without running them (MC7).",
            _CHECKS,
        ),
    ] = None
    targets: Annotated[
        list[str] | None,
        Option("--target TARGETS", lambda: f"Check tools against provider limits (MC6): {target_names()}.", _CHECKS),
    ] = None
    select: Annotated[
        list[str] | None, Option("--select CODES", "Run only these rules (codes, prefixes, names).", RULES)
    ] = None
    ignore: options.IgnoredRules = None
    extend_select: Annotated[list[str] | None, Option("--extend-select CODES", "Also run these rules.", RULES)] = None
    severity: options.Severities = None
    is_fix: Annotated[bool, Option("--fix", "Fix what can be fixed safely, then report the rest.", _FIXES)] = False
    has_unsafe: Annotated[
        bool, Option("--unsafe-fixes", "Also apply fixes that may not be what the author meant.", _FIXES)
    ] = False
    is_diff: Annotated[
        bool, Option("--diff", "Write nothing, print the fixes as a patch, and exit with 1 if there are any.", _FIXES)
    ] = False
    is_watching: Annotated[
        bool,
        Option(
            "--watch", "Lint again whenever a file changes, until Ctrl-C (requires `mcp-contracts[watch]`).", _CHECKS
        ),
    ] = False
    report: ReportOptions = ReportOptions()
    has_statistics: Annotated[bool, Option("--statistics", "Print the number of findings of each rule.", REPORT)] = (
        False
    )
    has_no_groups: Annotated[
        bool, Option("--no-group", "Show each diagnostic separately instead of grouping similar ones (text).", REPORT)
    ] = False
    shows_suppressed: Annotated[
        bool, Option("--show-suppressed", "Show suppressed diagnostics, with the reason.", REPORT)
    ] = False
    is_verbose: Annotated[bool, Option("--verbose -v", "List the files and folders that were skipped.", REPORT)] = False
    servers: ServerOptions = ServerOptions()
    exits: ExitOptions = ExitOptions()
    config_file: options.ConfigFile = None
    is_isolated: options.Isolated = False
    input_name: options.InputName = None
    is_exclude_forced: options.ForceExclude = False
    jobs: Annotated[
        int | None,
        Option(
            "--jobs -j N",
            "Check files in at most N processes (default: one per CPU if there are many files).",
            CONFIGURATION,
            min=1,
        ),
    ] = None
    cache_dir: options.CacheFolder = None
    no_cache: options.NoCache = False
    shows_settings: Annotated[
        bool, Option("--show-settings", "Print the settings that apply, as JSON, and check nothing.", CONFIGURATION)
    ] = False

    @property
    def selection(self) -> RuleSelection:
        """The rules to run. Raises UsageError for an unknown one."""
        return options.read_selection(
            self.select or (), self.extend_select or (), self.ignore or (), self.severity or ()
        )

    def read_targets(self) -> tuple[str, ...]:
        """Return the named targets, separated by commas or in several options. Raises UsageError if none is named."""
        named = tuple(target for word in self.targets or () for target in word.replace(",", " ").split())
        if self.targets and not named:
            raise UsageError("`--target` is empty", hint=f"the targets are {target_names()}")
        return named

    @property
    def cache_folder(self) -> str | None:
        """The folder in which findings are cached, if it is set."""
        return cache_folder(self.cache_dir, is_off=self.no_cache)


def target_names() -> str:
    """Return the names of all targets."""
    from mcp_contracts.providers.limits.table import TARGET_NAMES  # the limits of all providers

    return ", ".join(TARGET_NAMES)
