"""The options of `lint`."""

from __future__ import annotations

from pathlib import Path

from mcp_contracts.cli.reports import ReportOptions
from mcp_contracts.diagnostics import RuleSelection
from mcp_contracts.records import dataclass
from mcp_contracts.sources.servers.access import DEFAULT_TIMEOUT


@dataclass(frozen=True, slots=True)
class LintOptions:
    """The sources and options of one lint; None or empty if they are not given.

    `against` is the revision that versions are compared with, and with `is_only_new` the findings as well. `baseline`
    is the file of known findings, `written_baseline` the one to write. `headers`, `token_variable`, `timeout`, in
    seconds, and `capabilities` are for live servers. `input_name` is the file that standard input represents. Findings
    are cached in `cache_folder`, if it is set. `jobs` is the number of processes; None derives it from the number of
    files.
    """

    sources: tuple[str, ...]
    selection: RuleSelection
    report: ReportOptions
    against: str | None = None
    is_only_new: bool = False
    baseline: Path | None = None
    written_baseline: Path | None = None
    implementation: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    is_fix: bool = False
    has_unsafe: bool = False
    is_diff: bool = False
    shows_suppressed: bool = False
    has_statistics: bool = False
    is_grouped: bool = True
    is_verbose: bool = False
    headers: tuple[str, ...] = ()
    token_variable: str | None = None
    timeout: float = DEFAULT_TIMEOUT
    capabilities: str | None = None
    config_file: Path | None = None
    is_isolated: bool = False
    input_name: str | None = None
    is_exclude_forced: bool = False
    cache_folder: str | None = None
    jobs: int | None = None
