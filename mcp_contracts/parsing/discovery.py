"""Find specifications and tool lists below a folder, and read untrusted files."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator
from itertools import takewhile
from pathlib import Path

from mcp_contracts.contract import SourceFile, SpecFile, ToolListFile
from mcp_contracts.diagnostics import Place
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.files.looking import ENVIRONMENT, IGNORE_FILE, SearchRecord
from mcp_contracts.files.looking import LIST_SUFFIX as LIST_SUFFIX
from mcp_contracts.files.looking import SPEC_NAME as SPEC_NAME
from mcp_contracts.files.looking import is_found_name as is_found_name
from mcp_contracts.files.trees import (
    IrregularError,
    OutsideError,
    is_inside,
    open_regular,
    repository_of,
    search_root,
    tree_root,
)
from mcp_contracts.parsing.ignoring import (
    MAX_COMPARISONS,
    IgnoreFile,
    Ignoring,
    ignore_files_above,
    read_ignore_files,
)
from mcp_contracts.records import dataclass

EXCLUDED = "excluded by the configuration"
"""The reason for a path that the project itself excludes."""

MAX_FILE_SIZE = 2_000_000
"""The default size limit of a file, in bytes."""

_UNCOUNTED = frozenset((".git", ".hg", ".svn", "__pycache__"))
"""Private folders of tools, which contain no specifications."""

_NEVER = frozenset(("node_modules", ".venv", ".tox", ".nox"))
_SYSTEM = frozenset(("proc", "sys", "dev"))
"""Folders at the root of a system that contain no files: processes, devices, and the state of the kernel."""

_MAX_DEPTH = 64
MAX_FOLDERS = 100_000
"""The maximum number of folders that a run searches."""

_BOMS = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file or folder that could not be read, with the reason."""

    fault: Fault

    @property
    def shown(self) -> str:
        return self.fault.place.path

    @property
    def identity(self) -> str:
        return self.fault.place.path

    @property
    def size(self) -> int:
        return 0

    def read(self, *, limit: int) -> SourceFile:
        path = self.fault.place.path
        kind = ToolListFile if path.lower().endswith(".json") else SpecFile
        return kind(path, "", faults=(self.fault,))


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that a search skipped, and the reason.

    `is_tracking_known` is False if it is unknown which of its files the repository tracks.
    """

    path: Path
    reason: str
    is_folder: bool
    is_tracking_known: bool = True


def find_specs(
    folder: Path,
    *,
    is_excluded: Callable[[Path], bool] | None = None,
    tracked_in: Callable[[str], Collection[str] | None] | None = None,
    looked: SearchRecord | None = None,
) -> Iterator[Path | Unreadable | Skipped]:
    """Yield the specifications and tool lists below a folder, sorted by path; the case of their names is ignored.

    `.gitignore` files are respected, including those above the folder, and virtual environments are skipped. Files that
    git tracks are always found, because they are shared; `tracked_in` returns the tracked files of a repository,
    relative to its root, or None if they cannot be determined. Skipped files are yielded as `Skipped`. Links to folders
    are not followed, and a link to a file must stay inside the tree. A file that cannot be read is yielded as
    `Unreadable`, and the search continues. `looked` records what the search reads.
    """
    search = _Search(
        search_root(folder),
        is_excluded or (lambda path: False),
        tracked_in or (lambda root: None),
        looked or SearchRecord(),
    )
    ignores = ignore_files_above(folder)
    if search.ignoring.is_ignored(folder, ignores, is_folder=True):
        ignores = ()  # a folder that is named explicitly is searched even if it is ignored
    yield from search.below(folder, ignores, repository_of(folder), 0)
    if search.ignoring.is_exhausted:
        hint = f"use fewer patterns: a search makes at most {MAX_COMPARISONS:,} comparisons"
        yield unreadable(folder, "the `.gitignore` files contain too many patterns, and were only partly applied", hint)


class _Search:
    """One search. The tracked files of the repository are read once, and only if something would be skipped."""

    def __init__(
        self,
        root: str,
        is_excluded: Callable[[Path], bool],
        tracked_in: Callable[[str], Collection[str] | None],
        looked: SearchRecord,
    ) -> None:
        self.ignoring, self._looked = Ignoring(), looked
        self._root, self._is_excluded, self._ask = root, is_excluded, tracked_in
        self._tracked: dict[str, list[str] | None] = {}
        self._is_cut = False

    def below(
        self, folder: Path, ignores: tuple[IgnoreFile, ...], repository: str | None, depth: int
    ) -> Iterator[Path | Unreadable | Skipped]:
        if len(self._looked.folders) >= MAX_FOLDERS:
            if not self._is_cut:
                hint = "name the folders that contain the specifications"
                yield unreadable(folder, f"{MAX_FOLDERS:,} folders were searched, the maximum for one run", hint)
            self._is_cut = True
            return
        try:
            with os.scandir(folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            yield unreadable(folder, f"the folder cannot be read: {_reason(error)}")
            return
        self._looked.folders.append(str(folder))
        names = {entry.name for entry in found}
        if depth and ".git" in names:
            repository = os.path.abspath(folder)
        if depth and ENVIRONMENT in names:  # it contains third-party files, and our own template
            yield from self._skip(folder, "a virtual environment", repository, is_folder=True)
            return
        if IGNORE_FILE in names:
            ignores = (*ignores, *read_ignore_files(folder))
        for entry in found:
            path = folder / entry.name
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
            except OSError:
                is_folder = False
            if is_folder and entry.name not in _UNCOUNTED:
                reason = self._reason_to_skip(path, entry.name, ignores, is_folder=True)
                if reason is not None:
                    yield from self._skip(path, reason, repository, is_folder=True)
                elif depth >= _MAX_DEPTH:
                    yield unreadable(path, f"folders are nested more than {_MAX_DEPTH} levels deep")
                else:
                    yield from self.below(path, ignores, repository, depth + 1)
            elif not is_folder and is_found_name(entry.name):
                reason = self._reason_to_skip(path, entry.name, ignores, is_folder=False)
                if reason is not None:
                    yield from self._skip(path, reason, repository, is_folder=False)
                else:
                    yield self._check_path(path, is_link=entry.is_symlink())

    def _reason_to_skip(self, path: Path, name: str, ignores: tuple[IgnoreFile, ...], *, is_folder: bool) -> str | None:
        if is_folder and name in _NEVER:
            return "a folder of third-party files"
        if name in _SYSTEM and os.path.dirname(os.path.abspath(path)) == os.sep:
            return "a folder of the operating system"
        if self._is_excluded(path):
            return EXCLUDED
        return "ignored by git" if self.ignoring.is_ignored(path, ignores, is_folder=is_folder) else None

    def _skip(
        self, path: Path, reason: str, repository: str | None, *, is_folder: bool
    ) -> Iterator[Path | Unreadable | Skipped]:
        """Skip a file or folder, except for tracked files in it that the project does not exclude."""
        if reason == EXCLUDED or repository is None:
            yield Skipped(path, reason, is_folder=is_folder)
            return
        if repository not in self._tracked:
            self._looked.repositories.append(repository)
            listed = self._ask(repository)
            self._tracked[repository] = None if listed is None else sorted(listed)
        tracked = self._tracked[repository]
        inner = os.path.relpath(os.path.abspath(path), repository).replace(os.sep, "/")
        kept = _below(tracked or [], inner) if is_folder else [inner] if inner in (tracked or ()) else []
        if kept:
            self._looked.is_all = False
        for name in kept:
            file = path / name[len(inner) + 1 :] if is_folder else path
            if os.path.lexists(file) and not any(map(self._is_excluded, _list_folders_between(path, file))):
                yield self._check_path(file, is_link=True)
        if is_folder or not kept:
            yield Skipped(path, reason, is_folder=is_folder, is_tracking_known=tracked is not None)

    def _check_path(self, path: Path, *, is_link: bool) -> Path | Unreadable:
        return path if not is_link or is_inside(path, self._root) else outside(path)


def _below(paths: list[str], folder: str) -> list[str]:
    """Return the sorted paths below a folder, in the order of a search."""
    start = bisect_left(paths, f"{folder}/")
    return sorted(takewhile(lambda path: path.startswith(f"{folder}/"), paths[start:]), key=_by_folder)


def _list_folders_between(folder: Path, file: Path) -> Iterator[Path]:
    """Yield a file and the folders that contain it below another folder."""
    yield file
    yield from (above for above in file.parents if folder in above.parents)


def _by_folder(path: str) -> list[str]:
    return path.split("/")


def specs_among(
    paths: Collection[str], folder: str, *, is_excluded: Callable[[str], bool] | None = None
) -> Iterator[str]:
    """Yield the paths that `find_specs` would find below `folder`, in its order, if git tracked these files.

    Paths are relative to the root of the repository, written with `/`; the root itself is "".
    """
    start = f"{folder}/" if folder else ""
    specs = [path for path in paths if path.startswith(start) and is_found_name(path.rpartition("/")[2])]
    judged: dict[str, bool] = {}
    for path in sorted(specs, key=_by_folder):
        above = [path[:at] for at in range(len(start), len(path)) if path[at] == "/"]
        for inner in (*above, path) if is_excluded is not None else ():
            if inner not in judged:
                judged[inner] = is_excluded is not None and is_excluded(inner)
            if judged[inner]:
                break
        else:
            yield path


def read_text(path: Path, *, limit: int = MAX_FILE_SIZE) -> str | Unreadable:
    """Return the text of a regular UTF-8 file of at most `limit` bytes.

    Pipes and devices are rejected without waiting, and at most `limit` bytes are read. A path inside a tree may not
    leave it through a link.
    """
    try:
        with open(open_regular(path, tree_root(path)), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > limit:
                return report_oversized(path, size, limit)
            content = file.read(limit + 1)
    except OutsideError:
        return outside(path)
    except IrregularError as error:
        if error.is_folder:
            return unreadable(path, "a folder has the name of a specification file")
        hint = "pipe its content to standard input and pass `-` instead"
        return unreadable(path, "the file is a pipe or a device, not a regular file", hint)
    except OSError as error:
        return unreadable(path, f"the file cannot be read: {_reason(error)}")
    return decode(content, path, limit=limit)


def decode(content: bytes, path: Path, *, limit: int = MAX_FILE_SIZE) -> str | Unreadable:
    """Return bytes as UTF-8 text, or the fault with the line of the first invalid byte."""
    if len(content) > limit:
        return report_oversized(path, None, limit)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        encoding = next((name for mark, name in _BOMS if content.startswith(mark)), None)
        before = content[: error.start]
        row = len(re.findall(rb"\r\n?|\n", before)) + 1
        column = len(before[max(before.rfind(b"\n"), before.rfind(b"\r")) + 1 :].decode("utf-8", "replace")) + 1
        what = f"it looks like {encoding}" if encoding else f"byte 0x{content[error.start]:02x} on line {row}"
        place = Place(show(path), row, column, row, column)
        fault = Fault(FaultKind.UNREADABLE, f"the file is not UTF-8: {what}", place, "save it as UTF-8")
        return Unreadable(fault)


def show(path: Path | str) -> str:
    """Return a path as reports write it: relative to the working directory if it is inside, with `/`."""
    text = str(path)
    if os.path.isabs(text):
        relative = os.path.relpath(text)
        if not relative.startswith(".."):
            text = relative
    text = os.path.normpath(text) if text not in ("-", "<stdin>") else "<stdin>"
    return text.replace(os.sep, "/").encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def unreadable(path: Path | str, message: str, hint: str | None = None) -> Unreadable:
    """Return a file or folder that cannot be read, with the reason."""
    return Unreadable(Fault(FaultKind.UNREADABLE, message, Place(show(path), 1, 1, 1, 1), hint))


def outside(path: Path | str) -> Unreadable:
    """Return the fault of a file behind a link that leaves its tree."""
    hint = "put the file itself there, or pass the target of the link on the command line"
    return unreadable(path, "the path leads outside the tree through a symbolic link, and is not read", hint)


def report_oversized(path: Path | str, size: int | None, limit: int) -> Unreadable:
    """Return the fault of a file that exceeds the limit, with its size if known."""
    much = f"has {size:,} bytes, over" if size is not None else "has more bytes than"
    message = f"the file {much} the limit of {limit:,}"
    hint = "split it into one file for each module, or raise `limits.max_file_size` in the configuration"
    return Unreadable(Fault(FaultKind.OVERSIZED, message, Place(show(path), 1, 1, 1, 1), hint))


def _reason(error: OSError) -> str:
    return (error.strerror or str(error) or type(error).__name__).lower()
