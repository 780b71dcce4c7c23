"""The boundary of a file tree with untrusted content: where it ends, and how to open a file inside it safely.

A pull request decides what its tree contains, including links. A path in a tree must therefore still be in it after
resolving links, and a `.git` folder is never part of the tree, because it may contain the tokens of a checkout.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

_GIT = ".git"
# Passing through a folder does not require permission to read it, on systems that distinguish the two.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_PASSING = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | _NO_LINK
# Without O_NONBLOCK, opening a pipe for reading waits for a writer forever.
_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_CAN_PASS = os.open in os.supports_dir_fd


class OutsideError(OSError):
    """A path leads out of its tree through a link."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(f"`{path}` leads outside the tree through a symbolic link")


class IrregularError(OSError):
    """A path names a folder (`is_folder`), or a pipe, a socket or a device."""

    def __init__(self, path: str | Path, *, is_folder: bool) -> None:
        super().__init__(f"`{path}` is not a regular file")
        self.is_folder = is_folder


def tree_root(path: str | Path) -> str | None:
    """Return the tree that the name of a path is in: the repository, else the working directory; None outside both."""
    absolute = os.path.abspath(path)
    working = os.getcwd()
    return repository_of(absolute) or (working if _is_below(absolute, working) else None)


def search_root(folder: str | Path) -> str:
    """Return the tree that limits a search of a folder: its repository, else the folder itself."""
    absolute = os.path.abspath(folder)
    return repository_of(absolute) or absolute


def repository_of(path: str | Path) -> str | None:
    """Return the root of the repository that the name of a path is in, or None.

    A repository that is only reached through a link in another one is ignored, because the link could otherwise choose
    the tree.
    """
    found = None
    for here in _prefixes(os.path.abspath(path)):
        if found is not None and os.path.islink(here):
            break
        if os.path.lexists(os.path.join(here, _GIT)):
            found = here
    return found


def is_inside(path: str | Path, root: str) -> bool:
    """Whether a path is in a tree after resolving all links; the path need not exist."""
    return _relative(path, root) is not None


def is_in_git_folder(path: str | Path) -> bool:
    """Whether a path, with links resolved, is in a `.git` folder."""
    return _GIT in _lower_case_parts(os.path.realpath(path))


def open_regular(path: str | Path, root: str | None) -> int:
    """Return a descriptor of a regular file, inside a tree if one is given. The caller closes it.

    Opens each folder on the way separately without following links, so that none can be inserted in between. Raises
    OSError, including `OutsideError` and `IrregularError`. Never waits for a pipe or a device.
    """
    descriptor = _open(path, root, _READING)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise IrregularError(path, is_folder=stat.S_ISDIR(mode))
    return descriptor


def open_folder(path: str | Path, root: str | None) -> int | None:
    """Return a descriptor of a folder for opening files relative to it, inside a tree if one is given.

    The caller closes it. Returns None if the system does not support that. Raises OSError.
    """
    if not _CAN_PASS:
        if root is not None and not is_inside(path, root):
            raise OutsideError(path)
        return None
    return _open(path, root, _PASSING if root is not None else _PASSING & ~_NO_LINK)


def _open(path: str | Path, root: str | None, flags: int) -> int:
    if root is not None and _CAN_PASS and ".." not in str(path).split(os.sep):
        absolute = os.path.abspath(path)
        if _is_below(absolute, root) and absolute != root:
            try:  # usually the path contains no link: then it is the real path
                return _open_below(root, absolute[len(root.rstrip(os.sep)) + 1 :], flags)
            except OSError:
                pass
    relative = _relative(path, root) if root is not None else None
    if root is not None and relative is None:
        raise OutsideError(path)
    if root is None or relative is None or not _CAN_PASS:
        return os.open(path, flags)
    return _open_below(root, relative, flags)


def _open_below(root: str, relative: str, flags: int) -> int:
    """Open a path below a tree's root without following a link."""
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
    """Return a path relative to a tree's root, with links resolved, or None if it is not inside."""
    real = os.path.realpath(path)
    base = _real_root(root)
    if not _is_below(real, base):
        return None
    relative = os.path.relpath(real, base)
    if _GIT in _lower_case_parts(relative):
        named = os.path.relpath(os.path.abspath(path), os.path.abspath(root))
        if _GIT not in _lower_case_parts(named):  # an explicit `.git` is intended, a link to it is not
            return None
    return relative


@lru_cache(maxsize=16)
def _real_root(root: str) -> str:
    return os.path.realpath(root)  # folders above a tree are trusted


def _lower_case_parts(path: str) -> list[str]:
    return path.lower().split(os.sep)


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _prefixes(path: str) -> Iterator[str]:
    """Return all folders above an absolute path from the top down, and the path itself."""
    parents = [path]
    while (parent := os.path.dirname(parents[-1])) != parents[-1]:
        parents.append(parent)
    return reversed(parents)
