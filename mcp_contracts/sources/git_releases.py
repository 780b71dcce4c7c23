"""The last releases of a repository, by its tags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Contracts
from mcp_contracts.errors import SourceError
from mcp_contracts.sources.git import load_revision
from mcp_contracts.sources.git_objects import merged_tags
from mcp_contracts.sources.source import Reader
from mcp_contracts.version_ranges import read_version

_TAG = re.compile(r"(?P<line>.*?)v?(?P<version>(?<![0-9])[0-9]++(?:\.[0-9]++){0,2})")
_MOST_LINES = 8


def last_releases() -> tuple[str, ...]:
    """Return the tag of the last release of each line of versions, the newest lines first, at most eight.

    A tag names a release if it is a version after an optional prefix (`v1.2.0`, `weather-1.2.0`, `pkg/v2.0`); each
    prefix is a separate line of versions. Pre-releases do not count, and neither do tags that the working directory's
    commit does not descend from.
    """
    lines: dict[str, str] = {}
    for tag in merged_tags():
        match = _TAG.fullmatch(tag)
        if match is None or (version := read_version(match["version"])) is None:
            continue
        held = _TAG.fullmatch(lines.get(match["line"], ""))
        before = read_version(held["version"]) if held is not None else None
        if before is None or before < version:
            lines[match["line"]] = tag
    return tuple(lines.values())[:_MOST_LINES]


def load_releases(
    paths: Sequence[str | Path],
    *,
    max_file_size: int,
    is_excluded: Callable[[Path], bool] | None = None,
    read: Reader | None = None,
) -> tuple[Contracts, ...]:
    """Return the contents of paths at each of the last releases that can be read."""
    found = []
    for tag in last_releases():
        try:
            revision = load_revision(
                f"refs/tags/{tag}", paths, max_file_size=max_file_size, is_excluded=is_excluded, read=read
            )
        except SourceError:
            continue
        found.append(revision.contracts)
    return tuple(found)
