"""A project's configuration, and the rules that it selects for a path."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_contracts.diagnostics import Place, RuleSelection, Severity
from mcp_contracts.records import dataclass, field

if TYPE_CHECKING:
    from mcp_contracts.change import Level, Policy  # for `diff`
    from mcp_contracts.files.globs import Globs


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits: `max_file_size` in bytes, `description_length` in characters."""

    max_file_size: int = 2_000_000
    description_length: int = 1024


@dataclass(frozen=True, slots=True)
class Override:
    """Rule settings for some paths, which are gitignore-style globs."""

    paths: tuple[str, ...]
    rules: RuleSelection


@dataclass(frozen=True, slots=True)
class ConfiguredSuppression:
    """A diagnostic that the configuration silences: `code` is a code or a code prefix.

    `tool` is a tool's name, `pointer` a JSON pointer as reports show it (which covers the values below), `path` a
    gitignore-style glob, and `until` the last day on which it is valid; None means no restriction. `place` is where the
    entry is, `root` the folder that the glob is relative to.
    """

    code: str
    reason: str
    place: Place
    root: str
    tool: str | None = None
    pointer: str | None = None
    path: str | None = None
    until: date | None = None

    def covers_path(self, path: str) -> bool:
        """Whether it applies to a file."""
        return self.path is None or _is_matched((self.path,), self.root, path)


@dataclass(frozen=True, slots=True)
class DiffOptions:
    """Defaults for the options of `diff`.

    `policy` says how schemas are read, `against` is the git revision to compare with, and `levels` set the levels of
    breaking and undecided changes, by code or code prefix.
    """

    policy: Policy = "declared"
    against: str | None = None
    levels: tuple[tuple[str, Level], ...] = ()

    def level(self, code: str) -> Level:
        """Return the level of a break. The longest matching prefix wins, or the later one of equally long prefixes."""
        matching = [(len(prefix), index) for index, (prefix, _) in enumerate(self.levels) if code.startswith(prefix)]
        return self.levels[max(matching)[1]][1] if matching else "error"


@dataclass(frozen=True, slots=True)
class Config:
    """A project's configuration. `path` is the file, or None; `root` is its folder.

    Sources in `paths`, globs and the path of the `baseline` are relative to `root`.
    """

    path: Path | None
    root: Path
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    rules: RuleSelection = field(default_factory=RuleSelection)
    overrides: tuple[Override, ...] = ()
    name_pattern: str | None = None
    targets: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    max_warnings: int | None = None
    fail_on: Severity = Severity.ERROR
    suppressions: tuple[ConfiguredSuppression, ...] = ()
    baseline: str | None = None
    diff: DiffOptions = field(default_factory=DiffOptions)

    def selection_for(self, path: str) -> RuleSelection:
        """Return the rules for a file and their severities; later overrides take precedence."""
        selection = self.rules
        for override in self.overrides:
            if _is_matched(override.paths, str(self.root), path):
                selection = combine_selections(selection, override.rules)
        return selection

    def is_excluded(self, path: str | Path) -> bool:
        """Whether `exclude` matches a file or folder, or a folder above it."""
        return _is_matched(self.exclude, str(self.root), path)


def combine_selections(base: RuleSelection, over: RuleSelection) -> RuleSelection:
    """Combine two selections: `over` decides about every rule that it mentions.

    Its `select` replaces the other's and restores rules that the other ignores, and its `ignore` overrides the other.
    """
    chosen = (*over.select, *over.extend_select)
    named = tuple(code for code, _ in over.severity)
    select = over.select or base.select
    extend_select = over.extend_select if over.select else (*base.extend_select, *over.extend_select)
    return RuleSelection(
        select=select,
        extend_select=extend_select,
        ignore=(
            *(code for code in base.ignore if not is_covered(code, chosen)),
            *over.ignore,
            # The longest prefix wins, so rules that were selected by a longer prefix are ignored by that prefix.
            *(code for code in (*base.select, *base.extend_select) if is_covered(code, over.ignore)),
        ),
        severity=(*(item for item in base.severity if not is_covered(item[0], named)), *over.severity),
    )


def is_covered(code: str, prefixes: Iterable[str]) -> bool:
    """Whether one of the prefixes is a prefix of a code."""
    return any(code.startswith(prefix) for prefix in prefixes)


def _is_matched(patterns: tuple[str, ...], root: str, path: str | Path) -> bool:
    """Whether gitignore-style globs, relative to `root`, match a file or folder; never outside `root`."""
    if not patterns:
        return False
    try:
        relative = os.path.relpath(path, root).replace(os.sep, "/")
    except ValueError:  # another drive
        return False
    if relative == ".." or relative.startswith("../"):
        return False
    return compile_globs(patterns).cover(relative)


@lru_cache(maxsize=256)
def compile_globs(patterns: tuple[str, ...]) -> Globs:
    """Return compiled gitignore-style globs. Raises GlobError if one can match nothing."""
    from mcp_contracts.files.globs import read_globs  # many projects have none

    return read_globs(patterns)
