"""The protocol of sources: a kind of source, the files that it yields, and the bounds of a run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from mcp_contracts.contract import SourceFile
from mcp_contracts.files.looking import SearchRecord
from mcp_contracts.parsing.discovery import MAX_FILE_SIZE, Skipped, Unreadable, unreadable
from mcp_contracts.records import dataclass, field
from mcp_contracts.sources.limits import limit_run
from mcp_contracts.sources.servers.access import ServerAccess

MAX_TOTAL_SIZE = 100_000_000
"""The maximum number of bytes that a run reads, in all files: more than ten thousand ordinary specifications."""
MAX_FILES = 20_000
"""The maximum number of files that a run reads."""


class Readable(Protocol):
    """A file of a source. Files with the same `identity` are the same file; `size` is in bytes."""

    @property
    def shown(self) -> str:
        """The path as reports write it."""

    @property
    def identity(self) -> str:
        """The key that identifies the file; names that are not UTF-8 may look alike in output."""

    @property
    def size(self) -> int:
        """The number of bytes to read."""

    def read(self, *, limit: int) -> SourceFile:
        """Return the file with its faults."""


Found = Readable | Skipped
"""An item of a source: a file to read, or one that a search skipped."""

Reader = Callable[[Iterable[Found]], Iterable[SourceFile]]
"""Reads the files that a search found, each once and in order."""


@dataclass(frozen=True, slots=True)
class Search:
    """How sources are searched: what the configuration excludes, how large a file may be, and how servers are reached.

    A search of folders records in `looked` what it reads."""

    is_excluded: Callable[[Path], bool] | None = None
    max_file_size: int = MAX_FILE_SIZE
    servers: ServerAccess = field(default_factory=ServerAccess)
    looked: SearchRecord | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """One way to name a source of a kind, with examples, for help and documentation."""

    what: str
    examples: tuple[str, ...]

    def __init__(self, what: str, *examples: str) -> None:
        object.__setattr__(self, "what", what)
        object.__setattr__(self, "examples", examples)


class Source(Protocol):
    """A kind of source. Every command takes every kind."""

    forms: Sequence[Form]
    """The ways to name a source of this kind."""
    is_read_once: bool = False
    """Whether a run can read such a source only once."""

    def recognizes(self, named: str) -> bool:
        """Whether a name denotes a source of this kind."""

    def find(self, named: Sequence[str], search: Search) -> Mapping[str, Iterable[Found]]:
        """Return the files of some sources of this kind.

        Raises `UsageError` for a source that does not exist, and `SourceError` for a source that is not available."""

    def folder(self, named: str) -> str | None:
        """Return the folder in which the search for a configuration begins, or None."""
        return None

    def in_project(self, named: str, root: Path) -> tuple[str, Path | None]:
        """Return a source of the configuration in `root` relative to the working directory, and its path, if any."""
        return named, None

    def past_path(self, named: str) -> str:
        """Return the path of the source in a git revision. Raises `UsageError` if no revision can contain it."""


def read_found(found: Iterable[Found], *, max_file_size: int = MAX_FILE_SIZE) -> Iterator[SourceFile]:
    """Yield the files that a search found, within the bounds of a run. A file that is found twice is read once."""
    return limit_run(read_each(found, max_file_size=max_file_size))


def read_each(found: Iterable[Found], *, max_file_size: int) -> Iterator[SourceFile]:
    """Yield the same, without the limit on the total work."""
    seen = set()
    for item in found:
        if not isinstance(item, Skipped) and item.identity not in seen:
            seen.add(item.identity)
            yield item.read(limit=max_file_size)


def limit_files(found: Iterable[Found], max_file_size: int) -> Iterator[Found]:
    """Return the found files, up to the one that would exceed `MAX_FILES` or `MAX_TOTAL_SIZE`."""
    total = files = 0
    for item in found:
        if not isinstance(item, Skipped):
            size = item.size
            total += size if size <= max_file_size else 0  # larger files are not read at all
            files += 1
            if total > MAX_TOTAL_SIZE or files > MAX_FILES:
                yield too_many(item.shown)
                return
        yield item


def too_many(path: str) -> Unreadable:
    """Return the first file that a run does not read, because there are too many files or bytes."""
    hint = "pass fewer files or folders at once"
    bound = f"a run reads at most {MAX_FILES:,} files and {MAX_TOTAL_SIZE:,} bytes"
    return unreadable(path, f"this file and all later files are not read: {bound}", hint)


def size_of(path: Path) -> int:
    """Return the size of a file, or 0 if it is not available, because reading it reports the reason."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
