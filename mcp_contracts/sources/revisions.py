"""Git revisions as sources: the content of a commit, `git:REF[:PATH]`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mcp_contracts.errors import UsageError
from mcp_contracts.parsing.discovery import Unreadable, show
from mcp_contracts.sources.documents import Blob
from mcp_contracts.sources.source import Form, Search, Source

_PREFIX = "git:"


class GitRevisions(Source):
    """The specifications and tool lists of a commit, read without a checkout."""

    forms = (Form("any of the files above at a git revision", "git:v1.2.0", "git:main:specs/"),)

    def recognizes(self, named: str) -> bool:
        return named.startswith(_PREFIX)

    def find(self, named: Sequence[str], search: Search) -> Mapping[str, Iterable[Blob | Unreadable]]:
        """Return the files of each revision. A revision that is named twice is opened once."""
        from mcp_contracts.sources.git import find_named  # starts processes, and most runs name no revision

        return find_named(
            {one: one.removeprefix(_PREFIX) for one in named},
            max_file_size=search.max_file_size,
            is_excluded=search.is_excluded,
        )

    def past_path(self, named: str) -> str:
        hint = "pass the file or folder, or compare two sources with `diff OLD NEW`"
        raise UsageError(f"`{show(named)}` is not a path that can exist in a git revision", hint=hint)
