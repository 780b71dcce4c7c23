"""Paths as sources: a specification, a JSON tool list, or a folder that is searched for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from mcp_contracts.contract import SourceFile
from mcp_contracts.errors import UsageError
from mcp_contracts.files.looking import SearchRecord
from mcp_contracts.files.trees import is_inside, tree_root
from mcp_contracts.parsing.discovery import SPEC_NAME, Skipped, Unreadable, find_specs, outside, read_text, show
from mcp_contracts.records import dataclass
from mcp_contracts.sources.documents import read_source
from mcp_contracts.sources.source import Form, Search, Source, size_of


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file of the file system, which is read on demand."""

    path: Path

    @property
    def shown(self) -> str:
        return str(self.path)

    @property
    def identity(self) -> str:
        return os.path.abspath(self.path)

    @property
    def size(self) -> int:
        return size_of(self.path)

    def read(self, *, limit: int) -> SourceFile:
        text = read_text(self.path, limit=limit)
        return text.read(limit=limit) if isinstance(text, Unreadable) else read_source(show(self.path), text)


class Paths(Source):
    """Files and folders. A name that no other kind recognizes is a path."""

    forms = (
        Form("a specification", f"specs/weather/{SPEC_NAME}"),
        Form("a folder searched for specifications and `*.tools.json`", "specs/"),
        Form("a JSON tool list or bundle", "tools.json"),
    )

    def recognizes(self, named: str) -> bool:
        """Recognize everything: this is the last row of the table."""
        return True

    def find(self, named: Sequence[str], search: Search) -> Mapping[str, Iterable[NamedFile | Unreadable | Skipped]]:
        """Return the named files, and those that a search of the folders finds."""
        checked = {one: _require_existing(one) for one in named}
        return {one: _search(path, search.is_excluded, search.looked) for one, path in checked.items()}

    def folder(self, named: str) -> str | None:
        """Return the folder itself, or the file's folder."""
        return os.path.abspath(named if os.path.isdir(named) else Path(named).parent)

    def in_project(self, named: str, root: Path) -> tuple[str, Path | None]:
        """Return the path below the configuration's folder."""
        if "\0" in named:  # `find` refuses it
            return named, None
        return os.path.relpath(root / named), root / named

    def past_path(self, named: str) -> str:
        return named


def _require_existing(named: str) -> Path:
    if not named:
        raise UsageError("a source is empty", hint="pass a file or a folder; `.` is the working directory")
    if "\0" in named:
        raise UsageError("a path cannot contain a null character")
    path = Path(named)
    try:
        path.lstat()
    except OSError as error:
        reason = (error.strerror or "it cannot be reached").lower()
        raise UsageError(f"`{show(named)}`: {reason}", hint="check the spelling of the path") from error
    return path.absolute() if str(path) == "-" else path  # `./-` is a file with that name, and shown as such


def _search(
    path: Path, is_excluded: Callable[[Path], bool] | None, looked: SearchRecord | None
) -> Iterator[NamedFile | Unreadable | Skipped]:
    if not os.path.isdir(path):
        yield NamedFile(path)
        return
    root = tree_root(path)
    if root is not None and not is_inside(path, root):
        yield outside(path)
        return
    for item in find_specs(path, is_excluded=is_excluded, tracked_in=_list_tracked_files, looked=looked):
        yield NamedFile(item) if isinstance(item, Path) else item


def _list_tracked_files(repository: str) -> Collection[str] | None:
    """Return the specifications and tool lists that a repository tracks, or None if git cannot determine them."""
    from mcp_contracts.sources.git_objects import tracked_files  # starts a process, and most searches skip nothing

    return tracked_files(repository)
