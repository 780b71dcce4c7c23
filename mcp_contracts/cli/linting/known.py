"""Known findings on the command line: `--baseline`, `--write-baseline` and `--only-new`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from mcp_contracts.checks.baseline import KnownIndex, LintedFiles, Scope, mark_known, recordable
from mcp_contracts.checks.lint import Selections, checked_codes, lint, rule_options
from mcp_contracts.checks.many import read_and_check
from mcp_contracts.checks.remembering import mask_of
from mcp_contracts.cli.linting.options import LintOptions
from mcp_contracts.cli.output import say
from mcp_contracts.config import Config
from mcp_contracts.config.baseline import MAXIMUM_SIZE, Baseline, read_baseline
from mcp_contracts.config.files import read_bytes, shown_path
from mcp_contracts.contract import Contracts
from mcp_contracts.diagnostics import Comparison, KnownFinding, Report
from mcp_contracts.errors import ConfigurationError, UsageError
from mcp_contracts.files.cache import Cache
from mcp_contracts.files.trees import is_in_git_folder, is_inside, repository_of, search_root
from mcp_contracts.parsing.discovery import show
from mcp_contracts.records import replace
from mcp_contracts.reporting.document import pluralize
from mcp_contracts.reporting.visible import visible
from mcp_contracts.sources.table import source_of
from mcp_contracts.version import __version__
from mcp_contracts.writing.baseline import write_baseline

if TYPE_CHECKING:
    from mcp_contracts.implementation import Implementation
    from mcp_contracts.sources.git import Revision

_MOST_STALE = 5
_MARK = b"mcp-contracts/baseline"


class KnownFindings:
    """The known findings of a lint: a baseline, a revision, or both. It is created before anything is linted.

    Raises UsageError for options that cannot be combined, and ConfigurationError for a baseline that cannot be read.
    """

    def __init__(self, options: LintOptions, config: Config) -> None:
        _check_options(options)
        self._options, self._config = options, config
        self._path = options.written_baseline or options.baseline or _find_configured_baseline(config)
        self._baseline = None
        if self._path is not None:
            self._baseline = read_baseline(self._path) if options.written_baseline is None else _reread(self._path)

    def compare(
        self,
        linted: Report,
        contracts: Contracts,
        named: Sequence[str],
        functions: Implementation | None,
        revision: Revision | None,
    ) -> Report:
        """Return the report with known findings marked; if the baseline is written, all findings."""
        code = () if functions is None else tuple(module.path for module in functions.modules)
        compared = Comparison()
        if self._baseline is not None:
            here = LintedFiles(contracts, str(self._baseline.path.parent), code)
            scope = self._scope(here, named, is_released=revision is not None)
            if self._options.written_baseline is None:
                linted, left = mark_known(linted, _by(self._baseline, self._baseline.findings, here), here)
                stale = tuple(one for one in left if scope.covers(one))
                compared = Comparison(self._baseline.name, stale=stale)
                if not self._options.report.quiet:
                    _tell_stale(self._baseline, stale)
            else:
                linted = _write_baseline(self._baseline, linted, here, scope, self._config)
                compared = Comparison(self._baseline.name)
        if self._options.is_only_new and revision is not None:
            linted, _ = mark_known(linted, self._in_revision(revision), LintedFiles(contracts, os.getcwd(), code))
            compared = replace(compared, revision=revision.ref)
        return replace(linted, compared=compared)

    def _scope(self, here: LintedFiles, named: Sequence[str], *, is_released: bool) -> Scope:
        is_whole = not self._options.sources
        codes = checked_codes(
            rule_options(self._config, self._options.selection),
            is_released=is_released,
            is_implemented=bool(self._options.implementation),
            is_whole=is_whole,
        )
        selections = Selections(self._config, self._options.selection)
        folders = tuple(folder for one in named if (folder := source_of(one).folder(one)) is not None)
        return Scope(here, codes, selections, folders, is_whole)

    def _in_revision(self, revision: Revision) -> KnownIndex:
        """Return the findings in the files of a revision, with the current paths and rules."""
        from mcp_contracts.sources.git import current_paths  # starts processes

        paths = current_paths(revision)
        files = [
            replace(blob, path=path, folder=PurePosixPath(os.path.abspath(path)).parent.name or None)
            for blob in revision.blobs
            if (path := paths.get(show(blob.path))) is not None
        ]
        size = self._config.limits.max_file_size
        folder = self._options.cache_folder
        checked = tuple(
            read_and_check(
                files,
                rule_options(self._config, self._options.selection),
                max_file_size=size,
                cache=None if folder is None else Cache(folder),
            )
        )
        contracts = Contracts(tuple(one.file for one in checked))
        old = lint(
            contracts,
            self._config,
            selection=self._options.selection,
            today=date.today(),
            found_in=[one.found for one in checked],
            is_whole=not self._options.sources,
            mask=mask_of(checked),
        )
        then = recordable(old.diagnostics, LintedFiles(contracts, os.getcwd()))
        return KnownIndex(then, "revision", f"already found at `{revision.ref}`")


def _check_options(options: LintOptions) -> None:
    """Raise UsageError for options that cannot be combined."""
    if options.is_only_new and options.implementation:
        hint = "record its findings with `--write-baseline FILE` instead"
        raise UsageError("`--only-new` cannot read the Python functions of a revision", hint=hint)
    if options.written_baseline is None:
        return
    if options.baseline is not None:
        hint = "omit `--baseline`: `--write-baseline` also reads the existing file"
        raise UsageError("`--write-baseline` and `--baseline` cannot be combined", hint=hint)
    if options.is_only_new:
        raise UsageError(
            "`--write-baseline` and `--only-new` cannot be combined",
            hint="omit `--only-new`: all findings are recorded",
        )
    if options.is_diff:
        raise UsageError("`--write-baseline` and `--diff` cannot be combined", hint="omit one of the two")


def _find_configured_baseline(config: Config) -> Path | None:
    """Return the baseline that the configuration names. It must be inside the project, because a pull request may have
    written it.
    """
    if config.baseline is None:
        return None
    path = config.root / config.baseline
    if is_in_git_folder(path) or not is_inside(path, search_root(config.root)):
        where = shown_path(config.path or config.root)
        raise ConfigurationError(
            f"{where}: `baseline` points outside the project",
            hint="name a file in the project; only the command line can name files outside it",
        )
    return path


def _reread(path: Path) -> Baseline:
    """Return the baseline to replace; an empty one if it does not exist or is damaged."""
    path = Path(os.path.abspath(path))
    empty = Baseline(path, __version__)
    if not os.path.lexists(path):
        return empty
    try:
        return read_baseline(path)
    except ConfigurationError as error:
        if not _is_baseline(path):
            hint = "choose another file; only baselines are overwritten"
            raise UsageError(f"`{shown_path(path)}` is not a baseline, and is not overwritten", hint=hint) from error
        say(f"note: {visible(error.message)}; it is replaced")
        return empty


def _is_baseline(path: Path) -> bool:
    """Whether a file begins like a baseline, even if it is damaged."""
    try:
        return _MARK in read_bytes(path, shown_path(path), limit=MAXIMUM_SIZE)[:1000]
    except ConfigurationError:
        return False


def _by(baseline: Baseline, findings: Sequence[KnownFinding], here: LintedFiles) -> KnownIndex:
    return KnownIndex(
        findings,
        "baseline",
        f"recorded in the baseline `{baseline.name}`",
        is_same_version=baseline.written_by == __version__,
        renamed=_find_renamed_files(baseline, here),
    )


def _find_renamed_files(baseline: Baseline, here: LintedFiles) -> dict[str, str]:
    """Return the new path of each file that was renamed since a baseline was committed, by its old one."""
    paths = {one.path for one in baseline.findings} - here.paths
    repository = repository_of(baseline.path)
    if repository is None or all(map(here.exists, paths)):
        return {}
    from mcp_contracts.sources.git_objects import renames_after  # starts processes

    inner = os.path.relpath(baseline.path, repository).replace(os.sep, "/")
    found = renames_after(inner, repository).items()
    return {
        here.relative(os.path.join(repository, old)): here.relative(os.path.join(repository, new)) for new, old in found
    }


def _write_baseline(baseline: Baseline, linted: Report, here: LintedFiles, scope: Scope, config: Config) -> Report:
    """Replace the entries of the baseline with the findings of a run; return the report with all of them marked as
    known."""
    marked, left = mark_known(linted, _by(baseline, baseline.findings, here), here)
    kept = [one for one in left if not scope.covers(one)]
    findings = [*kept, *recordable(marked.diagnostics, here)]
    written_by = baseline.written_by if kept else __version__
    if Counter(findings) != Counter(baseline.findings) or not os.path.lexists(baseline.path):
        write_baseline(baseline.path, findings, written_by=written_by)
    _tell_written(
        baseline, findings, added=len(recordable(linted.diagnostics, here)) - marked.known, gone=len(left) - len(kept)
    )
    if config.baseline is None or baseline.path != Path(os.path.abspath(config.root / config.baseline)):
        name = visible(baseline.name)
        say(f"  help: commit it, and set `baseline: {name}` in the configuration or pass `--baseline {name}`")
    return mark_known(linted, replace(_by(baseline, findings, here), is_same_version=True), here)[0]


def _tell_written(baseline: Baseline, findings: Sequence[KnownFinding], *, added: int, gone: int) -> None:
    files = len({one.path for one in findings})
    changes = ", ".join(f"{count:,} {what}" for count, what in ((added, "new"), (gone, "removed")) if count)
    what = f"{pluralize(len(findings), 'finding')} in {pluralize(files, 'file')}"
    say(f"`{visible(baseline.name)}` records {what}" + (f": {changes}" if changes else ", as before"))


def _tell_stale(baseline: Baseline, stale: Sequence[KnownFinding]) -> None:
    """Report on standard error which entries of a baseline match no finding."""
    if not stale:
        return
    name = visible(baseline.name)
    entries = "1 entry" if len(stale) == 1 else f"{len(stale):,} entries"
    matches = "matches" if len(stale) == 1 else "match"
    say(f"note: {entries} of the baseline `{name}` {matches} no finding:")
    for line in _list_stale(stale):
        say(f"  {visible(line)}")
    them = "it" if len(stale) == 1 else "them"
    say(f"  help: remove {them} with `mcp-contracts lint --write-baseline {name}`")


def _list_stale(stale: Sequence[KnownFinding]) -> Iterable[str]:
    for one in stale[:_MOST_STALE]:
        tool = "" if one.tool is None or one.tool in one.message else f" ({one.tool})"
        yield f"{one.path}: {one.code} {one.message}{tool}"
    if len(stale) > _MOST_STALE:
        yield f"and {len(stale) - _MOST_STALE:,} more"
