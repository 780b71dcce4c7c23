"""`lint --watch`: lint again whenever a file changes, until the user stops it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from mcp_contracts.cli.linting.options import LintOptions
from mcp_contracts.cli.linting.run import read_lint_config, run_lint
from mcp_contracts.cli.options import configured_sources
from mcp_contracts.cli.output import complain, say
from mcp_contracts.config import Config
from mcp_contracts.config.files import FILE_NAMES
from mcp_contracts.errors import ContractError, UsageError, require_package
from mcp_contracts.parsing.discovery import show
from mcp_contracts.reporting.visible import visible
from mcp_contracts.sources.table import source_of

_SUFFIXES = (".md", ".json", ".yaml", ".yml", ".toml", ".py", ".gitignore")
_NEVER = frozenset((".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", ".tox", ".nox"))
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
_TICK = 200  # milliseconds between checks of files outside the watched folders
_MOST_NAMES = 3

_Stamps = dict[str, int]


def watch_lint(options: LintOptions) -> int:
    """Lint, and lint again after each change. Ctrl-C ends it normally, with exit code 0.

    An error in the command line ends it at once; a later error, such as in a configuration that is being edited, is
    reported, and watching continues.
    """
    watchfiles = require_package("watchfiles", "`--watch` requires", extra="watch")
    _check_options(options)
    config = read_lint_config(options)
    places = _places(configured_sources(options.sources or (), config))
    if not places or not all(map(os.path.exists, places)):
        return run_lint(options).code  # the lint reports what is wrong with them
    is_recursive = any(map(os.path.isdir, places))
    folders = sorted({place if os.path.isdir(place) else os.path.dirname(place) for place in places})
    outside = _outside(options, config)
    is_meant = _filter(options)
    try:
        changes = watchfiles.watch(
            *folders, watch_filter=is_meant, rust_timeout=_TICK, yield_on_timeout=True, recursive=is_recursive
        )
        next(changes)  # from here on, no change is missed
        stamps = _modification_times(outside)
        run_lint(options)
        _tell_watching(folders)
        for found in changes:
            names = {path for _, path in found} | {
                path for path, stamp in _modification_times(outside).items() if stamps[path] != stamp
            }
            stamps = _modification_times(outside)
            if names:
                _lint_again(options, names)
                _tell_watching(folders)
    except KeyboardInterrupt:
        say("stopped")
    return 0


def _check_options(options: LintOptions) -> None:
    if any(source_of(one).is_read_once for one in options.sources or ()):
        raise UsageError("standard input cannot be watched", hint="pass files or folders")
    if options.written_baseline is not None:
        raise UsageError(
            "`--write-baseline` cannot be combined with `--watch`", hint="write the baseline in a separate run"
        )


def _places(sources: Sequence[str]) -> list[str]:
    """Return the absolute paths of the files and folders among some sources, and of the folders of others."""
    places = []
    for one in sources:
        folder = source_of(one).folder(one)
        path = os.path.abspath(one)
        if os.path.isfile(path) or (folder is not None and not os.path.isdir(folder)):
            places.append(path)
        elif folder is not None:
            places.append(folder)
    return places


def _outside(options: LintOptions, config: Config) -> tuple[str, ...]:
    """Return the files that may be outside the watched folders: configurations and the baseline."""
    configured = None if config.baseline is None else config.root / config.baseline
    folders = (config.root, *config.root.parents)
    configurations = (folder / name for folder in folders for name in FILE_NAMES)
    named = (*configurations, options.config_file, options.baseline, configured)
    return tuple(os.path.abspath(one) for one in named if one is not None)


def _modification_times(paths: Iterable[str]) -> _Stamps:
    """Return the modification time of each file; 0 if it does not exist."""

    def stamp(path: str) -> int:
        try:
            return os.stat(path).st_mtime_ns
        except OSError:
            return 0

    return {path: stamp(path) for path in paths}


def _filter(options: LintOptions) -> Callable[[object, str], bool]:
    """Whether a change may matter to the lint. Its own files do not."""
    output = None if options.report.output is None else os.path.abspath(options.report.output)

    def is_meant(change: object, path: str) -> bool:
        # A new folder may contain files that were written before it was watched.
        is_of_kind = path.endswith(_SUFFIXES) or os.path.isdir(path)
        return is_of_kind and path != output and _NEVER.isdisjoint(Path(path).parts)

    return is_meant


def _lint_again(options: LintOptions, names: Iterable[str]) -> None:
    if options.report.output is None and sys.stdout is not None and sys.stdout.isatty():
        sys.stdout.write(_CLEAR)
        sys.stdout.flush()
    say(f"changed: {', '.join(_list_names(sorted(names)))}")
    try:
        run_lint(options)
    except ContractError as error:
        complain(error.message, error.hint)


def _list_names(names: Sequence[str]) -> Iterator[str]:
    yield from (visible(show(name)) for name in names[:_MOST_NAMES])
    if len(names) > _MOST_NAMES:
        yield f"and {len(names) - _MOST_NAMES:,} more"


def _tell_watching(folders: Sequence[str]) -> None:
    say(f"watching {', '.join(f'`{visible(show(folder))}`' for folder in folders)}; press Ctrl-C to stop")
