"""The border of a tree of files that others may have written: where it ends, and how a file inside is opened.

A pull request decides what its tree holds, links included. So a path that lies in a tree must still lie in it once its
links are resolved, and nothing in a folder `.git` is part of the tree: it may hold the tokens of a checkout.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

_GIT = ".git"
# To pass through a folder takes no right to read it, where the system knows that difference.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_PASSING = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | _NO_LINK
# O_NONBLOCK: opening a pipe for reading waits for a writer otherwise, for ever.
_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_CAN_PASS = os.open in os.supports_dir_fd


class OutsideError(OSError):
    """A path leads out of its tree by a link."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(f"`{path}` leads outside the tree through a symbolic link")


class IrregularError(OSError):
    """A path names a folder (`is_folder`), or a pipe, a socket or a device."""

    def __init__(self, path: str | Path, *, is_folder: bool) -> None:
        super().__init__(f"`{path}` is not a regular file")
        self.is_folder = is_folder


def tree_root(path: str | Path) -> str | None:
    """The tree that a path lies in by its name: the repository, else the working folder; None outside of both."""
    absolute = os.path.abspath(path)
    working = os.getcwd()
    return repository_of(absolute) or (working if _is_below(absolute, working) else None)


def search_root(folder: str | Path) -> str:
    """The tree that a search of a folder stays in: its repository, else the folder itself."""
    absolute = os.path.abspath(folder)
    return repository_of(absolute) or absolute


def repository_of(path: str | Path) -> str | None:
    """The root of the repository that a path lies in by its name, or None.

    One that is only reached by a link of another one does not count, or the link could choose the tree.
    """
    found = None
    for here in _prefixes(os.path.abspath(path)):
        if found is not None and os.path.islink(here):
            break
        if os.path.lexists(os.path.join(here, _GIT)):
            found = here
    return found


def is_inside(path: str | Path, root: str) -> bool:
    """Whether a path lies in a tree once all links are resolved; what does not exist yet can do so too."""
    return _relative(path, root) is not None


def is_in_git_folder(path: str | Path) -> bool:
    """Whether a path, links resolved, lies in a folder `.git`."""
    return _GIT in _lowered_parts(os.path.realpath(path))


def open_regular(path: str | Path, root: str | None) -> int:
    """A descriptor of a regular file, inside of a tree where one is given. The caller closes it.

    Each folder on the way is opened by itself and no link is followed, so that none can be put there meanwhile.
    Raises OSError, `OutsideError` and `IrregularError` among them. A pipe or a device is never waited for.
    """
    descriptor = _opened(path, root, _READING)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise IrregularError(path, is_folder=stat.S_ISDIR(mode))
    return descriptor


def open_folder(path: str | Path, root: str | None) -> int | None:
    """A descriptor of a folder, to name files in it by; inside of a tree where one is given. The caller closes it.

    None where the system cannot name files so. Raises OSError.
    """
    if not _CAN_PASS:
        if root is not None and not is_inside(path, root):
            raise OutsideError(path)
        return None
    return _opened(path, root, _PASSING if root is not None else _PASSING & ~_NO_LINK)


def _opened(path: str | Path, root: str | None, flags: int) -> int:
    relative = _relative(path, root) if root is not None else None
    if root is not None and relative is None:
        raise OutsideError(path)
    if root is None or relative is None or not _CAN_PASS:
        return os.open(path, flags)
    parts = relative.split(os.sep)
    folder = os.open(_real_root(root), _PASSING)
    try:
        for part in parts[:-1]:
            inner = os.open(part, _PASSING, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(parts[-1], flags | _NO_LINK, dir_fd=folder)
    finally:
        os.close(folder)


def _relative(path: str | Path, root: str) -> str | None:
    """A path with its links resolved as seen from a tree's root, or None where it does not lie inside."""
    real = os.path.realpath(path)
    base = _real_root(root)
    if not _is_below(real, base):
        return None
    relative = os.path.relpath(real, base)
    if _GIT in _lowered_parts(relative):
        named = os.path.relpath(os.path.abspath(path), os.path.abspath(root))
        if _GIT not in _lowered_parts(named):  # who says `.git` means it, and a link says it to nobody
            return None
    return relative


@lru_cache(maxsize=16)
def _real_root(root: str) -> str:
    return os.path.realpath(root)  # what lies above a tree is nobody's to exchange


def _lowered_parts(path: str) -> list[str]:
    return path.lower().split(os.sep)


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _prefixes(path: str) -> Iterator[str]:
    """All folders above an absolute path from the top down, and the path itself."""
    parents = [path]
    while (parent := os.path.dirname(parents[-1])) != parents[-1]:
        parents.append(parent)
    return reversed(parents)
