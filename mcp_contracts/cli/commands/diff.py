"""`mcp-contracts diff`: compare two sets of contracts, and report what changed and what breaks."""

# Annotations are evaluated here, where they are compiled, and not when a command line is read.
import gc
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import cache, partial
from pathlib import Path
from typing import Annotated

from mcp_contracts.change import Policy, UnknownPolicy
from mcp_contracts.changes.registry import change_rule_infos
from mcp_contracts.checks.diff import compare
from mcp_contracts.checks.remembered_contracts import ContractMemory
from mcp_contracts.cli import options, reports
from mcp_contracts.cli.cache_folder import cache_folder
from mcp_contracts.cli.command_line.parameters import REPORT, Argument, Option, command_app
from mcp_contracts.cli.output import say
from mcp_contracts.cli.repeatable import FinishedRun, looks_of
from mcp_contracts.cli.revisions import existing_paths, read_releases, read_revision
from mcp_contracts.cli.servers import ServerOptions
from mcp_contracts.config import Config
from mcp_contracts.config.accepted import AcceptedChange, accepted_bytes, accepted_path, read_accepted
from mcp_contracts.config.files import ACCEPTED_FILE
from mcp_contracts.contract import Contracts
from mcp_contracts.errors import SourceError, UsageError
from mcp_contracts.files.looking import SearchRecord
from mcp_contracts.files.trees import is_inside, repository_of
from mcp_contracts.masking.mask import holds_secrets
from mcp_contracts.parsing.discovery import Skipped
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.diff.document import diff_document
from mcp_contracts.reporting.visible import visible
from mcp_contracts.rules.listing import all_rule_infos
from mcp_contracts.sources.load import find_all
from mcp_contracts.sources.servers.access import ServerAccess
from mcp_contracts.sources.source import Found
from mcp_contracts.sources.table import source_of

_COMPARISON = "Comparison"
_ACCEPTANCE = "Accepted changes"


@command_app(
    "Compare the project's contracts with those of a branch: diff --against origin/main",
    "Compare two tool lists: diff old.json new.json",
    "Compare two releases: diff git:v1.2.0:specs/ git:v1.3.0:specs/",
    "Write a comment for a pull request: diff --against origin/main --format markdown",
    "Write the release notes for callers: diff --against v1.2.0 --format markdown --changelog",
    "Accept the breaking changes, with a reason, in a file to commit: diff --against origin/main --accept --reason "
    '"no callers yet"',
)
def app(
    *,
    sources: Annotated[
        list[str] | None,
        Argument(
            "[OLD NEW | PATH...]",
            f"OLD and NEW are sources: {options.SOURCE_FORMS}. With --against, paths are compared with their "
            "content at REF (default: `paths` in the configuration, or the working directory).",
        ),
    ] = None,
    against: Annotated[
        str | None,
        Option(
            "--against REF",
            "Compare the paths with this git revision, such as `origin/main` (default: `against` in the "
            "configuration).",
            _COMPARISON,
        ),
    ] = None,
    policy: Annotated[
        Policy | None,
        Option(
            "--policy",
            "How to read schemas: as callers use them (`declared`, the default), as plain `sets` of values, or "
            "both (`strict`).",
            _COMPARISON,
        ),
    ] = None,
    unknown: Annotated[UnknownPolicy, Option("--unknown", "How to treat unknown changes.", _COMPARISON)] = "warn",
    report: reports.ReportOptions,
    changelog: Annotated[
        bool, Option("--changelog", "With --format markdown: write release notes instead of a comment.", REPORT)
    ] = False,
    show_all: Annotated[
        bool, Option("--all", "List compatible changes instead of counting them, and show unchanged tools.", REPORT)
    ] = False,
    verbose: Annotated[
        bool,
        Option("--verbose -v", "Also list skipped files, and witnesses that the validators did not confirm.", REPORT),
    ] = False,
    accept: Annotated[
        bool,
        Option(
            "--accept",
            "Accept all breaking changes that no version bump covers, and record them in a file to commit.",
            _ACCEPTANCE,
        ),
    ] = False,
    reason: Annotated[
        str | None,
        Option(
            "--reason TEXT",
            "With --accept: the reason. Without new breaking changes, it replaces the reason of the existing entries.",
            _ACCEPTANCE,
        ),
    ] = None,
    until: Annotated[
        str | None,
        Option(
            "--until DAY",
            "With --accept: the last day on which the changes are accepted, such as 2027-03-01.",
            _ACCEPTANCE,
        ),
    ] = None,
    accepted_file: Annotated[
        Path | None,
        Option(
            "--accepted FILE",
            f"The file of accepted changes (default: `{ACCEPTED_FILE}`, next to the configuration or at the repository "
            "root).",
            _ACCEPTANCE,
        ),
    ] = None,
    servers: ServerOptions,
    exits: reports.ExitOptions,
    config_file: options.ConfigFile = None,
    isolated: options.Isolated = False,
    cache_dir: options.CacheFolder = None,
    no_cache: options.NoCache = False,
) -> int | FinishedRun:
    """Compare two versions, and prove which changes break callers.

    Each breaking change is shown with a call that worked before and fails now, or with a result that was impossible
    before. The command fails unless the version bump covers the change or you have accepted it. Set `policy`,
    `against` and the `levels` of changes in `[tool.mcp-contracts.diff]`.
    """
    gc.set_threshold(100_000)  # like `lint`, it allocates many objects and frees few
    sources = sources or []
    report.read_copies()  # errors in them are reported first
    _check_options(report.format_name, changelog=changelog, accept=accept, reason=reason, until=until)
    is_pair = against is None and len(sources) == 2
    config = options.read_config(
        options.common_folder(sources[-1:] if is_pair else sources), config_file, isolated=isolated
    )
    if not is_pair and against is None:
        against = config.diff.against
    _check_sources(sources, against)
    path = accepted_file or accepted_path(config)
    if accept and accepted_file is None:
        _check_ownership(path, sources)
    if accepted_file is not None and not accept and not accepted_file.exists():
        raise UsageError(f"`{accepted_file}`: no such file or directory", hint="check the spelling, or add `--accept`")
    before = accepted_bytes(path)
    accepted = read_accepted(path)
    memory = ContractMemory(cache_folder(cache_dir, is_off=no_cache), config.limits.max_file_size)
    releases: Callable[[], Sequence[Contracts]] = tuple
    looked = SearchRecord()
    found: list[list[Found]] = []
    if against is not None:
        paths = options.configured_sources(sources, config, against)
        old_name, new_name = f"git:{against}", " ".join(paths)
        old, new = _read_both(against, paths, config, memory, is_verbose=verbose)
        releases = cache(partial(read_releases, paths, config, memory))
    else:
        old_name, new_name = sources
        access = servers.access(sources)
        files = (_find([source], config, looked, is_verbose=verbose, servers=access) for source in sources)
        found = list(files)
        old, new = (Contracts(tuple(memory.read(side))) for side in found)
    _check_content(old, new, old_name, new_name, is_history=against is not None)
    compared = partial(
        compare,
        old,
        new,
        policy=policy or config.diff.policy,
        unknown=unknown,
        today=date.today(),
        is_whole=against is not None and not sources,
        config=config,
        releases=releases,
    )
    comparison = compared(accepted=accepted)
    if accept:
        from mcp_contracts.checks.accepting import newly_accepted  # few comparisons need it

        entries = newly_accepted(
            comparison.tools,
            comparison.acceptance,
            accepted,
            old,
            new,
            reason=reason,
            until=None if until is None else _day(until),
            is_unknown_included=unknown == "error",
            releases=comparison.releases,
        )
        _write_accepted(path, entries, accepted, before)
        comparison = compared(accepted=read_accepted(path))
    memory.save()
    if verbose:
        for trouble in comparison.troubles:
            say(f"note: internal error: {visible(trouble)}")
    document = diff_document(comparison.report, old_name, new_name, unknown=unknown)
    context = RenderContext(rules=(*all_rule_infos(), *change_rule_infos()), show_all=show_all, changelog=changelog)
    code, printed = reports.print_report(document, context, report, exits, config)
    is_plain = not (accept or verbose or servers.headers or servers.token_variable or against)
    if printed is None or memory.folder is None or not is_plain or any(map(_holds_secrets, (old, new))):
        return code
    looks = looks_of(sources, [*found[0], *found[1]], looked, config, (path, config_file))
    return FinishedRun(code, printed, looks, memory.folder)


def _holds_secrets(contracts: Contracts) -> bool:
    return any(holds_secrets(file.text) for file in contracts.files)


def _read_both(
    ref: str, paths: Sequence[str], config: Config, memory: ContractMemory, *, is_verbose: bool
) -> tuple[Contracts, Contracts]:
    """Return the contracts of paths at a git revision and now. A removed path has none."""
    revision = read_revision(ref, paths, config, memory)
    here = existing_paths(paths, revision)
    if not here:
        return revision.contracts, Contracts()
    found = _find(here, config, None, is_verbose=is_verbose, without=revision.submodules)
    return revision.contracts, Contracts(tuple(memory.read(found)))


def _find(
    sources: Sequence[str],
    config: Config,
    looked: SearchRecord | None,
    *,
    is_verbose: bool,
    without: Sequence[str] = (),
    servers: ServerAccess | None = None,
) -> list[Found]:
    """Return the files of some sources, except files in some folders."""
    size = config.limits.max_file_size
    folders = tuple(f"{os.path.abspath(folder)}{os.sep}" for folder in without)

    def is_excluded(path: Path) -> bool:
        return config.is_excluded(path) or f"{os.path.abspath(path)}{os.sep}".startswith(folders)

    exclusion = is_excluded if folders else config.is_excluded
    found = list(find_all(sources, is_excluded=exclusion, max_file_size=size, servers=servers, looked=looked))
    options.tell_skipped([item for item in found if isinstance(item, Skipped)], is_verbose=is_verbose)
    return found


def _check_sources(sources: Sequence[str], against: str | None) -> None:
    if against is None and len(sources) != 2:
        given = {0: "no source", 1: "one source"}.get(len(sources), f"{len(sources)} sources")
        raise UsageError(
            f"`diff` compares two sources, but {given} {'is' if len(sources) < 2 else 'are'} given",
            hint="write `diff OLD NEW`, or `diff --against origin/main` for what changed in the working directory; "
            "`against` in `[tool.mcp-contracts.diff]` sets the revision permanently",
        )
    if against is None and all(source_of(source).is_read_once for source in sources):
        raise UsageError("standard input can only be one of the two sources", hint="save the other one as a file")


def _check_options(format_name: str, *, changelog: bool, accept: bool, reason: str | None, until: str | None) -> None:
    if changelog and format_name != "markdown":
        raise UsageError("`--changelog` requires Markdown", hint="add `--format markdown`")
    for option, value in (("--reason", reason), ("--until", until)):
        if value is not None and not accept:
            raise UsageError(f"`{option}` requires `--accept`", hint="add `--accept`")
    if until is not None:
        _day(until)


def _day(text: str) -> date:
    try:
        day = datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError as error:
        raise UsageError(f"`--until {text}` is not a date", hint="write it as 2027-03-01") from error
    if day < date.today():
        raise UsageError(f"`--until {text}` is in the past", hint="give the last day on which the change is accepted")
    return day


def _check_ownership(path: Path, sources: Sequence[str]) -> None:
    """Refuse to write above the working directory and the sources if no repository contains both."""
    if repository_of(path) is None and not any(
        is_inside(path, str(one)) for one in (Path.cwd(), options.common_folder(sources))
    ):
        raise UsageError(
            f"`--accept` would write `{os.path.relpath(path)}`, which is in a parent folder",
            hint="pass the file to write with `--accepted FILE`",
        )


def _check_content(old: Contracts, new: Contracts, old_name: str, new_name: str, *, is_history: bool) -> None:
    """Reject a comparison with nothing: without new tools every change breaks, and without old ones none does."""
    if old.files or (is_history and new.files):
        return
    no_old = f"`{old_name}` contains no specification"
    named = no_old if new.files else f"neither `{old_name}` nor `{new_name}` contains one"
    raise SourceError(
        f"nothing to compare with: {named}",
        hint="pass a specification, a folder that contains one, or a JSON tool list",
    )


def _write_accepted(
    path: Path, entries: Sequence[AcceptedChange], accepted: Sequence[AcceptedChange], before: bytes | None
) -> None:
    """Write the accepted changes if they differ from the file, and report what happened to each entry."""
    if accepted_bytes(path) != before:
        raise UsageError(
            f"`{visible(str(path))}` changed in the meantime, so nothing was written", hint="run the command again"
        )
    if set(entries) != set(accepted):
        from mcp_contracts.writing.accepted import write_accepted  # as above

        write_accepted(path, entries)
    said = ", ".join(_describe_entries(entries, accepted))
    commit = f"{said}; commit `{visible(os.path.relpath(path))}`"
    say(commit if said else "nothing to accept")


def _describe_entries(entries: Iterable[AcceptedChange], accepted: Iterable[AcceptedChange]) -> Iterator[str]:
    after, before = ({entry.key: entry for entry in some} for some in (entries, accepted))
    if count := len(after.keys() - before.keys()):
        yield f"accepted {count} change{'' if count == 1 else 's'}"
    for key in [key for key in before if key in after]:
        for name, words in (("reason", "reason"), ("until", "last day")):
            if getattr(after[key], name) != getattr(before[key], name):
                yield f"changed the {words} of `{after[key].code}` of `{visible(after[key].tool)}`"
    if count := len(before.keys() - after.keys()):
        yield f"removed {count} {'entry' if count == 1 else 'entries'} whose change was released or reverted"
