"""The files, folder listings and path types that a run reads, as values that show whether one has changed.

A look is a letter and a path. Looking never follows a link instead of a file, and never waits for a pipe.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False  # type checkers assume True; `collections.abc` is only imported for them
if TYPE_CHECKING:
    from collections.abc import Iterable

FILE, FOLDER, KIND, REAL = "FDKR"
"""The content of a file, the listing of a folder, whether a path is a file, a folder or a link, and its real path."""

SPEC_NAME = "MCP_TOOL_SPECIFICATION.md"
LIST_SUFFIX = ".tools.json"
"""The end of the name of a tool list that a search finds."""
IGNORE_FILE = ".gitignore"
ENVIRONMENT = "pyvenv.cfg"
"""The file that makes a folder a virtual environment."""

_SPECIAL = (".git", IGNORE_FILE, ENVIRONMENT)
_MOST_BYTES = 20_000_000
_READING = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NOTHING = (FileNotFoundError, NotADirectoryError)


class SearchRecord:
    """A record of a search: the folders that it listed, and the repositories whose tracked files it requested.

    `is_all` is False if it also looked at tracked files in folders that it did not list.
    """

    __slots__ = ("folders", "is_all", "repositories")

    def __init__(self) -> None:
        self.folders: list[str] = []
        self.repositories: list[str] = []
        self.is_all = True


def is_found_name(name: str) -> bool:
    """Whether a search finds a file with this name: a specification or a tool list."""
    lowered = name.lower()
    return lowered == SPEC_NAME.lower() or lowered.endswith(LIST_SUFFIX)


def look(one: str) -> bytes:
    """Return the current value of a look. Raises OSError if it cannot be read, and LookupError if it is not a look."""
    return _LOOKS[one[0]](one[1:])


def newest(looks: Iterable[str]) -> int:
    """Return when the newest of the files and folders changed, in nanoseconds. Raises OSError."""
    found = 0
    for one in looks:
        if one[0] in (FILE, FOLDER):
            try:
                status = os.lstat(one[1:])
            except _NOTHING:
                continue
            found = max(found, status.st_mtime_ns, status.st_ctime_ns)
    return found


def _content(path: str) -> bytes:
    try:
        descriptor = os.open(path, _READING)
    except _NOTHING:
        return b"-"
    try:
        status = os.fstat(descriptor)
        size = status.st_size
        if not stat.S_ISREG(status.st_mode) or size > _MOST_BYTES:
            raise OSError
        content = os.read(descriptor, size + 1)
        if len(content) != size:  # another process is writing it
            raise OSError
    finally:
        os.close(descriptor)
    return b"%d " % size + content


def _listing(path: str) -> bytes:
    names = []
    with os.scandir(path) as entries:
        for entry in entries:
            name = entry.name
            if entry.is_dir(follow_symlinks=False):
                names.append(name + "/")
            elif name in _SPECIAL or is_found_name(name):
                names.append(name + ("@" if entry.is_symlink() else "."))
    names.sort()
    return os.fsencode("\0".join(names))


def _kind(path: str) -> bytes:
    try:
        return b"%d" % stat.S_IFMT(os.lstat(path).st_mode)
    except _NOTHING:
        return b"-"


def _real_path(path: str) -> bytes:
    return os.fsencode(os.path.realpath(path))


_LOOKS = {FILE: _content, FOLDER: _listing, KIND: _kind, REAL: _real_path}
