"""A value that identifies the installation, and changes whenever the code of a run may differ."""

from __future__ import annotations

import os
import sys

_NO_MODULES = ("__pycache__", os.path.join("rules", "examples"))
_PACKAGES = ("site-packages", "dist-packages")

TYPE_CHECKING = False  # type checkers assume True; `collections.abc` is only imported for them
if TYPE_CHECKING:
    from collections.abc import Iterator

_found: list[tuple[tuple[str, int], ...]] = []
"""The cached result; importing `functools` for its cache takes as long as importing this module."""


def installation() -> tuple[tuple[str, int], ...]:
    """Return when the installed packages, and in a checkout our own modules, last changed."""
    if not _found:
        own = os.path.dirname(os.path.dirname(__file__))
        folders = [folder for folder in sys.path if folder.endswith(_PACKAGES) and os.path.isdir(folder)]
        stamps = [(folder, os.stat(folder).st_mtime_ns) for folder in folders]
        if os.path.exists(os.path.join(os.path.dirname(own), "pyproject.toml")):
            stamps.extend(_modules(own))
        _found.append(tuple(sorted(stamps)))
    return _found[0]


def _modules(folder: str) -> Iterator[tuple[str, int]]:
    """Yield the modules in a folder and its subfolders, with the time of their last change."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.path, entry.stat().st_mtime_ns
            elif not entry.path.endswith(_NO_MODULES) and entry.is_dir():
                yield from _modules(entry.path)
