"""Globs in the configured `paths`: the files and folders that they match, now and at a git revision."""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import iglob
from itertools import islice
from pathlib import Path

from mcp_contracts.config import Config
from mcp_contracts.config.files import shown_path
from mcp_contracts.errors import ConfigurationError
from mcp_contracts.files.globs import GlobError, read_globs
from mcp_contracts.parsing.discovery import is_found_name
from mcp_contracts.sources.paths import Paths
from mcp_contracts.sources.source import MAX_FILES
from mcp_contracts.sources.table import source_of

_SIGNS = "*?["
_SUFFIXES = (".json", ".md", ".py")
_NEVER = frozenset(("node_modules", ".venv", ".tox", ".nox", "__pycache__"))


def is_glob(source: str, root: Path) -> bool:
    """Whether a source of the configuration is a glob; an existing file with that name is not one."""
    has_signs = any(sign in source for sign in _SIGNS)
    return has_signs and isinstance(source_of(source), Paths) and not os.path.lexists(root / source)


def matches(pattern: str, index: int, config: Config, ref: str | None = None) -> tuple[str, ...]:
    """Return the paths that a glob matches, sorted and relative to the configuration's folder.

    Excluded files are left out, and so are files that are neither specifications nor named by their suffix. With a
    revision, its matches are included, because they may have been removed since. Raises ConfigurationError if nothing
    matches, or too many files.
    """
    where = f"{shown_path(config.path or config.root)}: `paths[{index}]`"
    found = set(islice(_now(pattern, config), MAX_FILES + 1))
    if ref is not None:
        found.update(_list_files_at_revision(pattern, config, ref, where))
    if len(found) > MAX_FILES:
        raise ConfigurationError(f"{where} matches more than {MAX_FILES:,} files and folders", hint="narrow the glob")
    if not found:
        hint = "globs are relative to the folder of the configuration; `**` matches any folders"
        raise ConfigurationError(f"{where} matches nothing: `{pattern}`", hint=hint)
    return tuple(sorted(found))


def _now(pattern: str, config: Config) -> Iterator[str]:
    for found in iglob(pattern, root_dir=config.root, recursive=True):
        path = os.path.normpath(found)
        is_wanted = os.path.isdir(config.root / path) or _is_meant(path, pattern)
        if is_wanted and _NEVER.isdisjoint(Path(path).parts) and not config.is_excluded(config.root / path):
            yield path.replace(os.sep, "/")


def _list_files_at_revision(pattern: str, config: Config, ref: str, where: str) -> Iterator[str]:
    """Yield the files of a revision at matching paths and in matching folders."""
    from mcp_contracts.sources.git import files_at  # starts processes

    try:
        globs = read_globs([f"/{pattern}"])
    except GlobError as error:
        raise ConfigurationError(f"{where} is not a glob: `{pattern}`: {error}") from error
    for path in files_at(ref, config.root):
        is_read = is_found_name(path.rpartition("/")[2]) or _is_meant(path, pattern)
        if is_read and globs.cover(path) and not config.is_excluded(config.root / path):
            yield path


def _is_meant(path: str, pattern: str) -> bool:
    """Whether a glob names a file that it matches: by its full name, or by a suffix."""
    suffix = os.path.splitext(path)[1].lower()
    return is_found_name(os.path.basename(path)) or (suffix in _SUFFIXES and pattern.lower().endswith(suffix))
