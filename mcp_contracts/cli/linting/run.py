"""One lint from the command line: check sources, print a report, and return an exit code for CI."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

from mcp_contracts.checks.lint import lint, rule_options
from mcp_contracts.checks.many import read_and_check
from mcp_contracts.checks.remembering import CheckedFile, mask_of
from mcp_contracts.cli.linting.options import LintOptions
from mcp_contracts.cli.options import (
    check_input_name,
    common_folder,
    configured_sources,
    no_files_error,
    read_config,
    tell_skipped,
    with_input_name,
    without_excluded,
)
from mcp_contracts.cli.repeatable import FinishedRun, looks_of
from mcp_contracts.cli.reports import print_report
from mcp_contracts.cli.revisions import existing_paths, read_releases, read_revision
from mcp_contracts.config import Config, combine_selections
from mcp_contracts.contract import Contracts
from mcp_contracts.diagnostics import Diagnostic, Report
from mcp_contracts.errors import UsageError
from mcp_contracts.files.cache import Cache
from mcp_contracts.files.looking import SearchRecord
from mcp_contracts.parsing.discovery import LIST_SUFFIX, SPEC_NAME, Skipped, show
from mcp_contracts.records import replace
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.lint_document import lint_document
from mcp_contracts.reporting.visible import json_text
from mcp_contracts.rules.listing import all_rule_infos, release_codes
from mcp_contracts.sources.load import find_all
from mcp_contracts.sources.source import Found, Readable
from mcp_contracts.sources.standard_input import INPUT, Input

if TYPE_CHECKING:
    from mcp_contracts.checks.remembered_contracts import ContractMemory
    from mcp_contracts.cli.linting.known import KnownFindings
    from mcp_contracts.implementation import Implementation
    from mcp_contracts.sources.git import Revision

_MANY_FILES = 100


def settings(options: LintOptions) -> str:
    """Return the settings of a lint as JSON."""
    config = read_lint_config(options)
    rules = combine_selections(config.rules, options.selection)
    settings: dict[str, Any] = {
        "configuration": None if config.path is None else show(config.path),
        "paths": list(configured_sources(options.sources or (), config)),
        "exclude": list(config.exclude),
        "select": list(rules.select),
        "extend_select": list(rules.extend_select),
        "ignore": list(rules.ignore),
        "severity": dict(rules.severity),
        "overrides": [
            {
                "paths": list(one.paths),
                "select": list(one.rules.select),
                "ignore": list(one.rules.ignore),
                "severity": dict(one.rules.severity),
            }
            for one in config.overrides
        ],
        "name_pattern": config.name_pattern,
        "targets": list(config.targets),
        "limits": {
            "max_file_size": config.limits.max_file_size,
            "description_length": config.limits.description_length,
        },
        "max_warnings": config.max_warnings,
        "fail_on": config.fail_on,
        "baseline": config.baseline,
        "diff": {
            "policy": config.diff.policy,
            "against": config.diff.against,
            "levels": dict(config.diff.levels),
        },
    }
    return json_text(settings)


def run_lint(options: LintOptions) -> FinishedRun:
    """Lint, print the report or write it to a file, and return how the run ended."""
    config = read_lint_config(options)
    options = _with_revision(options, config)
    known = _read_known_findings(options, config)
    named = configured_sources(options.sources or (), config, options.against)
    gc.set_threshold(100_000)  # a lint frees few objects, but the errors of a hostile file contain cycles
    memory = revision = None
    if options.against is not None:
        from mcp_contracts.checks.remembered_contracts import ContractMemory  # not needed by a plain lint

        memory = ContractMemory(options.cache_folder, config.limits.max_file_size)
        revision = read_revision(options.against, named, config, memory)
    here = named if revision is None else existing_paths(named, revision)
    functions = _implementation(options.implementation, config) if options.implementation else None
    access = options.servers.access(here)
    size = config.limits.max_file_size
    looked = SearchRecord()
    files = find_all(here, is_excluded=config.is_excluded, max_file_size=size, servers=access, looked=looked)
    files = with_input_name(files, options.input_name)
    found = list(without_excluded(files, config) if options.is_exclude_forced else files)
    skipped = [item for item in found if isinstance(item, Skipped)]
    tell_skipped(skipped, is_verbose=options.is_verbose)
    if options.is_fix or options.is_diff or options.has_unsafe:
        found, code = _fix(found, config, options)
        if options.is_diff:
            return FinishedRun(code)
    readable = [item for item in found if not isinstance(item, Skipped)]
    checked = tuple(_read(readable, config, options))
    is_left_out = options.is_exclude_forced and bool(skipped)
    if not checked and not is_left_out and (revision is None or not revision.contracts.files):
        hint = (
            f"pass a file of any name, or a folder that contains an `{SPEC_NAME}` or a `*{LIST_SUFFIX}`; "
            "`mcp-contracts new MODULE.TOOL` creates a specification"
        )
        raise no_files_error("nothing to check", named, skipped, config, hint=hint)
    contracts = Contracts(tuple(one.file for one in checked))
    is_whole = not options.sources
    texts = _texts(contracts, functions)
    mask = mask_of(checked, () if functions is None else [module.text for module in functions.modules])
    linted = lint(
        contracts,
        config,
        selection=options.selection,
        today=date.today(),
        found_in=[one.found for one in checked],
        released=None
        if revision is None or memory is None
        else _check_releases(revision, named, contracts, config, memory, is_whole=is_whole),
        is_whole=is_whole,
        implementation=functions,
        mask=mask,
    )
    if known is not None:
        linted = mask.everything(known.compare(linted, contracts, named, functions, revision))
    spoken_of = {one.place.path for one in linted.diagnostics}
    if not mask.knows_secrets:  # because messages from the cache may repeat it
        spoken_of -= {one.file.path for one in checked if one.is_remembered}
    shown = {path: mask.text(text) if path in spoken_of else text for path, text in texts.items()}
    code, output = _print(replace(linted, skipped=linted.skipped + len(skipped)), shown, options, config)
    if output is None or options.cache_folder is None or known is not None or mask.knows_secrets:
        return FinishedRun(code)
    has_globs = not options.sources and bool(config.paths)
    is_more = options.is_fix or options.is_verbose or options.implementation or options.against or has_globs
    if is_more or options.servers.headers or options.servers.token_variable:
        return FinishedRun(code)
    return FinishedRun(
        code, output, looks_of(named, found, looked, config, (options.config_file,)), options.cache_folder
    )


def read_lint_config(options: LintOptions) -> Config:
    """Return the configuration that applies to a lint."""
    sources, targets = options.sources or (), options.read_targets()
    options.report.read_copies()  # errors in them are reported first
    check_input_name(options.input_name, sources)
    named = (options.input_name if one == INPUT and options.input_name else one for one in sources)
    config = read_config(common_folder(tuple(named)), options.config_file, isolated=options.is_isolated)
    return replace(config, targets=targets) if targets else config


def _with_revision(options: LintOptions, config: Config) -> LintOptions:
    """Return the options with the revision of the configuration, if `--only-new` needs one."""
    if not options.is_only_new or options.against is not None:
        return options
    if config.diff.against is None:
        hint = "add `--against origin/main`, or set `diff.against` in the configuration"
        raise UsageError("`--only-new` requires a git revision to compare with", hint=hint)
    return replace(options, against=config.diff.against)


def _read_known_findings(options: LintOptions, config: Config) -> KnownFindings | None:
    """Return the known findings, if a baseline or a revision is given."""
    if not options.is_only_new and not any((options.baseline, options.written_baseline, config.baseline)):
        return None
    from mcp_contracts.cli.linting.known import KnownFindings  # few lints have one

    return KnownFindings(options, config)


def _print(linted: Report, shown: Mapping[str, str], options: LintOptions, config: Config) -> tuple[int, str | None]:
    context = RenderContext(
        rules=all_rule_infos(),
        show_all=options.shows_suppressed,
        statistics=options.has_statistics,
        is_grouped=not options.has_no_groups,
    )
    is_piped = options.is_fix and INPUT in (options.sources or ())  # standard output contains its fixed text
    document = lint_document(linted, shown)
    return print_report(document, context, options.report, options.exits, config, is_beside_output=is_piped)


def _fix(found: Sequence[Found], config: Config, options: LintOptions) -> tuple[list[Found], int]:
    """Fix the files, or print the changes; return the sources to lint afterwards, and the exit code."""
    from mcp_contracts.cli.linting.fixing import check_options, fix_files, fix_input  # a plain lint writes nothing

    check_options(options)
    files = [item for item in found if not isinstance(item, Skipped)]
    if any(isinstance(item, Input) for item in files):
        fixed, code = fix_input(files, config, options)
        return [fixed], code
    return list(found), fix_files(files, config, options)


def _implementation(named: Sequence[str], config: Config) -> Implementation:
    """Return the functions of some modules."""
    from mcp_contracts.sources.python.functions import read_implementation  # griffe, which a plain lint does not need

    return read_implementation(named, max_file_size=config.limits.max_file_size)


def _texts(contracts: Contracts, functions: Implementation | None) -> dict[str, str]:
    """Return the text of every file that a diagnostic may show."""
    code = {} if functions is None else {module.path: module.text for module in functions.modules}
    return {**code, **{file.path: file.text for file in contracts.files}}


def _check_releases(
    revision: Revision,
    paths: Sequence[str],
    contracts: Contracts,
    config: Config,
    memory: ContractMemory,
    *,
    is_whole: bool,
) -> tuple[Diagnostic, ...]:
    """Compare versions with the changes since a git revision."""
    from mcp_contracts.checks.diff import compare  # the engine, which a plain lint does not need
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
        releases=partial(read_releases, paths, config, memory),
    )
    memory.save()
    return tuple(one for one in compared.report.diagnostics if one.code in release_codes())


def _read(found: Sequence[Readable], config: Config, options: LintOptions) -> Iterator[CheckedFile]:
    """Return the files and their findings; show a progress bar for many files on a terminal."""
    read = read_and_check(
        found,
        rule_options(config, options.selection),
        max_file_size=config.limits.max_file_size,
        cache=None if options.cache_folder is None else Cache(options.cache_folder),
        is_whole=options.against is not None or bool(options.implementation),
        jobs=options.jobs,
    )
    if len(found) < _MANY_FILES or not sys.stderr.isatty():
        yield from read
        return
    from mcp_contracts.cli.progress import show_progress  # Rich, only for a terminal

    yield from show_progress(read, len(found), "linting")
