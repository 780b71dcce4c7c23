"""Which runs can be answered from the cache, and which files and folders each of them read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mcp_contracts.cli.repeating import run_key, to_bytes
from mcp_contracts.config import Config
from mcp_contracts.config.files import ACCEPTED_FILE, FILE_NAMES
from mcp_contracts.files.cache import Cache
from mcp_contracts.files.looking import FILE, FOLDER, IGNORE_FILE, KIND, REAL, SearchRecord, newest
from mcp_contracts.parsing.discovery import Skipped
from mcp_contracts.records import NamedTuple
from mcp_contracts.sources.paths import NamedFile, Paths
from mcp_contracts.sources.source import Found
from mcp_contracts.sources.table import source_of

LONGEST_RUN = 5_000_000
SETTLED = 2_000_000_000
"""The time before a run, in nanoseconds, in which no file that it read may have changed."""

_SETTINGS = (*FILE_NAMES, ACCEPTED_FILE, IGNORE_FILE)
"""The files that matter in the folders above a source."""


class FinishedRun(NamedTuple):
    """The end of a run: its exit code and, if it can be repeated, its output, what it read, and the cache."""

    code: int
    output: str = ""
    looks: tuple[str, ...] = ()
    cache_folder: str = ""


def looks_of(
    sources: Sequence[str], found: Iterable[Found], looked: SearchRecord, config: Config, files: Iterable[Path | None]
) -> tuple[str, ...]:
    """Return everything that a run read from the file system; None if not all of it is known.

    `files` are other files that the run read.
    """
    if os.name == "nt" or not looked.is_all or not all(isinstance(source_of(one), Paths) for one in sources):
        return ()
    looks = [f"{FOLDER}{folder}" for folder in looked.folders]
    for item in found:
        if isinstance(item, NamedFile):
            looks.append(f"{FILE}{item.path}")
        elif not isinstance(item, Skipped) or not item.is_tracking_known:
            return ()
    looks += (f"{FILE}{file}" for file in files if file is not None)
    ignoring = (os.path.join(folder, IGNORE_FILE) for folder in looked.folders)
    looks += (f"{FILE}{file}" for file in ignoring if os.path.lexists(file))
    for repository in looked.repositories:
        if not os.path.isdir(os.path.join(repository, ".git")):
            return ()
        looks.append(f"{FILE}{os.path.join(repository, '.git', 'index')}")
    return tuple(dict.fromkeys((*looks, *_above(sources, config))))


def _above(sources: Sequence[str], config: Config) -> Iterator[str]:
    """Return the files that matter in the folders above some sources: the boundary of their tree, and its settings."""
    paths = [os.path.abspath(one) for one in (*sources, ".", str(config.root))]
    yield from (f"{REAL}{path}" for path in paths)
    folders = set()
    for path in paths:
        while path not in folders:
            folders.add(path)
            path = os.path.dirname(path)
    for folder in sorted(folders):
        yield f"{KIND}{folder}"
        yield f"{KIND}{os.path.join(folder, '.git')}"
        yield from (f"{FILE}{os.path.join(folder, name)}" for name in _SETTINGS)


def remember_run(arguments: Sequence[str], ended: FinishedRun, started: int) -> None:
    """Cache the output of a run, unless something that it read may have changed since it started."""
    if not ended.looks:
        return
    try:
        value = to_bytes(ended.code, ended.output.encode("utf-8", "replace"), ended.looks)
        if newest(ended.looks) > started - SETTLED:
            return
        cache = Cache(ended.cache_folder)
        cache.add(run_key(arguments), value, LONGEST_RUN)
        cache.save()
    except (OSError, ValueError):  # something can no longer be read
        pass
