"""Whether the `.gitignore` files of a tree exclude a file or folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_contracts.files.looking import IGNORE_FILE
from mcp_contracts.files.trees import open_regular, search_root
from mcp_contracts.records import dataclass

if TYPE_CHECKING:
    from mcp_contracts.files.globs import Globs

MAX_IGNORE_SIZE = 1_000_000
"""The size limit of a `.gitignore`, in bytes; a larger one is not applied."""
MAX_COMPARISONS = 20_000_000
"""The maximum number of comparisons of a path with a pattern in one search. Past it, no path counts as ignored."""
# Measured: comparing a pattern with a star takes as long as comparing three names, and compiling it, 400.
_A_SPECIAL_ONE = 3
_COMPILATION = 400


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """The patterns of one `.gitignore`, and the folder that they are relative to."""

    folder: str
    globs: Globs


class Ignoring:
    """The `.gitignore` files of one search, with a count of the comparisons."""

    def __init__(self) -> None:
        self._comparisons = 0
        self._costs: dict[str, int] = {}  # the cost of comparing a path with the patterns of a folder

    @property
    def is_exhausted(self) -> bool:
        """Whether the patterns are too many for the folders of this search."""
        return self._comparisons > MAX_COMPARISONS

    def is_ignored(self, path: Path, files: tuple[IgnoreFile, ...], *, is_folder: bool) -> bool:
        """Whether git would ignore an untracked path. The deepest `.gitignore` that mentions it decides."""
        absolute = os.path.abspath(path)
        for file in reversed(files):
            if file.folder not in self._costs:
                special = file.globs.special
                self._costs[file.folder] = len(file.globs.patterns) + special * (_A_SPECIAL_ONE - 1)
                self._comparisons += special * _COMPILATION
            self._comparisons += self._costs[file.folder]
            if self.is_exhausted:
                return False
            relative = os.path.relpath(absolute, file.folder).replace(os.sep, "/")
            decision = file.globs.decide(relative, is_folder=is_folder)
            if decision is not None:
                return decision
        return False


def ignore_files_above(folder: Path) -> tuple[IgnoreFile, ...]:
    """Return the `.gitignore` files above a folder, from the repository's root down; none outside a repository."""
    return tuple(file for above in _folders_above(os.path.abspath(folder)) for file in read_ignore_files(Path(above)))


def read_ignore_files(folder: Path) -> tuple[IgnoreFile, ...]:
    """Return the `.gitignore` of a folder, if it exists and can be read. As in git, a link does not count."""
    path = folder / IGNORE_FILE
    if os.path.islink(path):
        return ()
    try:
        descriptor = open_regular(path, search_root(folder))
        with open(descriptor, "rb") as file:
            content = file.read(MAX_IGNORE_SIZE + 1)
    except OSError:
        return ()
    if len(content) > MAX_IGNORE_SIZE:
        return ()
    from mcp_contracts.files.globs import read_ignore_file  # not every tree has one

    return (IgnoreFile(os.path.abspath(folder), read_ignore_file(content.decode("utf-8", "surrogateescape"))),)


def _folders_above(folder: str) -> Iterator[str]:
    """Return the folders above a folder, from the repository's root down."""
    above: list[str] = []
    here = folder
    while not os.path.lexists(os.path.join(here, ".git")):
        parent = os.path.dirname(here)
        if parent == here:
            return iter(())
        above.append(parent)
        here = parent
    return reversed(above)
