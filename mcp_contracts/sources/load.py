"""Load contracts from named sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path

from mcp_contracts.contract import Contracts
from mcp_contracts.errors import SourceError
from mcp_contracts.files.looking import SearchRecord
from mcp_contracts.parsing.discovery import MAX_FILE_SIZE, SPEC_NAME
from mcp_contracts.sources.servers.access import ServerAccess
from mcp_contracts.sources.source import Found, Search, limit_files, read_found
from mcp_contracts.sources.table import SOURCES, source_of


def load(
    source: str | Path | Iterable[str | Path],
    *,
    max_file_size: int = MAX_FILE_SIZE,
    servers: ServerAccess | None = None,
) -> Contracts:
    """Return the contracts of one or more sources.

    A source is a spec file, a folder searched for `MCP_TOOL_SPECIFICATION.md` and `*.tools.json`, a JSON tool list,
    `python:package.module` for the functions of a module, `git:REF[:PATH]` for files at a git revision (`git:v1.2.0`
    searches the whole repository, `git:main:specs/` a folder, as seen from the working directory), `stdio:COMMAND` or
    the URL of a live MCP server, or `-` for standard input. `servers` contains headers and the deadline for live
    servers. Authors' mistakes are in `.faults` of the result. Raises `UsageError` for a source that does not exist or
    has an unsupported type, and `SourceError` if a revision or a server is not available, or the sources contain
    nothing to read.
    """
    sources = [source] if isinstance(source, str | Path) else list(source)
    files = tuple(
        read_found(find_all(sources, max_file_size=max_file_size, servers=servers), max_file_size=max_file_size)
    )
    if not files:
        names = ", ".join(f"`{name}`" for name in sources) or "no source"
        raise SourceError(
            f"no specification found in {names}", hint=f"pass an `{SPEC_NAME}`, a folder or a JSON tool list"
        )
    return Contracts(files)


def find_all(
    sources: Iterable[str | Path],
    *,
    is_excluded: Callable[[Path], bool] | None = None,
    max_file_size: int = MAX_FILE_SIZE,
    servers: ServerAccess | None = None,
    looked: SearchRecord | None = None,
) -> Iterator[Found]:
    """Return the files of some sources in order, and the files that a search skipped.

    `looked` records the folders that a search lists.

    Raises `UsageError` or `SourceError` before the first file of the working directory is read.
    """
    search = Search(is_excluded, max_file_size, servers or ServerAccess(), looked)
    yield from limit_files(_search(sources, search), max_file_size)


def _search(sources: Iterable[str | Path], search: Search) -> Iterator[Found]:
    named = [str(source) for source in sources]
    found: dict[str, Iterable[Found]] = {}
    # In reverse, so that a path that does not exist is reported before a process is started for a revision.
    ranked = sorted(named, key=lambda one: -SOURCES.index(source_of(one)))
    for source, group in groupby(ranked, source_of):
        found.update(source.find(list(group), search))
    for one in named:
        yield from found[one]
