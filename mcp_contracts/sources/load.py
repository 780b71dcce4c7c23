"""The grammar of sources: from what a person names to `Contracts`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from mcp_contracts.contract import Contracts, SourceFile, SpecFile, ToolListFile
from mcp_contracts.errors import SourceError, UsageError
from mcp_contracts.parsing.discovery import (
    MAX_FILE_SIZE,
    SPEC_NAME,
    Skipped,
    Unreadable,
    decode,
    find_specs,
    outside,
    read_text,
    show,
    unreadable,
)
from mcp_contracts.trees import is_inside, tree_root

STANDARD_INPUT = "-"
MAX_TOTAL_SIZE = 100_000_000
"""How many bytes one run reads, in all files together: more than ten thousand specifications of a usual size."""
MAX_FILES = 20_000
"""How many files one run reads."""
REVISION = "git:"
"""How a source at a git revision begins."""
_OTHER_KINDS = {
    "stdio:": ("a live server", "save its `tools/list` answer as JSON and name that file"),
    "http://": ("a live server", "save its `tools/list` answer as JSON and name that file"),
    "https://": ("a live server", "save its `tools/list` answer as JSON and name that file"),
    "python:": ("Python functions", "write their specification, or save their `tools/list` answer as JSON"),
}


@dataclass(frozen=True, slots=True)
class Blob:
    """A file that is not in the working folder but in a git revision. `path` is as git names it: `main:specs/a.md`.

    `folder` is the name of the folder that it has in a checkout, as seen from the working folder.
    """

    path: str
    folder: str | None
    text: str


def load(source: str | Path | Iterable[str | Path], *, max_file_size: int = MAX_FILE_SIZE) -> Contracts:
    """The contracts of one or more sources.

    A source is a spec file, a folder searched for `MCP_TOOL_SPECIFICATION.md`, a JSON tool list, `git:REF[:PATH]` for
    any of these at a git revision (`git:v1.2.0` searches the whole repository, `git:main:specs/` a folder, as seen from
    the working folder), or `-` for standard input. What an author wrote wrong is in `.faults` of the result. Raises
    `UsageError` for a source that does not exist or is of a kind that cannot be read, and `SourceError` for a revision
    that cannot be had, or where there is nothing to read at all.
    """
    sources = [source] if isinstance(source, str | Path) else list(source)
    files = tuple(read_files(find_all(sources, max_file_size=max_file_size), max_file_size=max_file_size))
    if not files:
        names = ", ".join(f"`{name}`" for name in sources) or "no source"
        raise SourceError(f"no specification below {names}", hint=f"name a `{SPEC_NAME}`, a folder or a JSON tool list")
    return Contracts(files)


def read_files(
    found: Iterable[Path | Blob | Unreadable | Skipped], *, max_file_size: int = MAX_FILE_SIZE
) -> Iterator[SourceFile]:
    """The files that `find_all` found, read one by one; a file found twice is read once."""
    seen = set()
    for item in found:
        if isinstance(item, Skipped):
            continue
        identity = _identity(item)
        if identity not in seen:
            seen.add(identity)
            if isinstance(item, Unreadable):
                yield unreadable_file(item)
            else:
                yield read_blob(item) if isinstance(item, Blob) else read_file(item, limit=max_file_size)


def _identity(found: Path | Blob | Unreadable) -> str:
    """What tells a file from others; names that are not UTF-8 may be shown alike."""
    if isinstance(found, Unreadable):
        return found.fault.place.path
    if isinstance(found, Blob):
        return f"{REVISION}{found.path}"
    return STANDARD_INPUT if str(found) == STANDARD_INPUT else os.path.abspath(found)


def find_all(
    sources: Iterable[str | Path],
    *,
    is_excluded: Callable[[Path], bool] | None = None,
    max_file_size: int = MAX_FILE_SIZE,
) -> Iterator[Path | Blob | Unreadable | Skipped]:
    """The files that some sources name, folders searched and git revisions read, and what a search left out.

    Raises `UsageError` or `SourceError` before the first file of the working folder is read.
    """
    yield from _bounded(_found(sources, is_excluded, max_file_size), max_file_size)


def _found(
    sources: Iterable[str | Path], is_excluded: Callable[[Path], bool] | None, max_file_size: int
) -> Iterator[Path | Blob | Unreadable | Skipped]:
    named = [str(source) for source in sources]
    revisions = [source for source in named if source.startswith(REVISION)]
    if not revisions:
        yield from find_files(named, is_excluded=is_excluded)
        return
    for source in named:
        if source not in revisions:
            _checked(source)
    from mcp_contracts.sources.git import find_named  # starts processes, and most runs name no revision

    held = find_named(revisions, max_file_size=max_file_size, is_excluded=is_excluded)
    for source in named:
        yield from held[source] if source in held else find_files([source], is_excluded=is_excluded)


def _bounded(
    found: Iterable[Path | Blob | Unreadable | Skipped], max_file_size: int
) -> Iterator[Path | Blob | Unreadable | Skipped]:
    """What was found, up to the file with which a run would read more than `MAX_FILES` or `MAX_TOTAL_SIZE`."""
    total = files = 0
    for item in found:
        size = _size(item)
        total += size if size <= max_file_size else 0  # what is larger is not read at all
        files += not isinstance(item, Skipped)
        if not isinstance(item, Skipped) and (total > MAX_TOTAL_SIZE or files > MAX_FILES):
            yield too_many(_shown(item))
            return
        yield item


def _shown(item: Path | Blob | Unreadable) -> str:
    if isinstance(item, Unreadable):
        return item.fault.place.path
    return str(item.path if isinstance(item, Blob) else item)


def _size(item: Path | Blob | Unreadable | Skipped) -> int:
    if isinstance(item, Blob):
        return len(item.text)
    try:
        return os.stat(item).st_size if isinstance(item, Path) else 0
    except OSError:  # reading it says why
        return 0


def too_many(path: str) -> Unreadable:
    """The first of the files that a run does not read, since there are too many of them or of their bytes."""
    hint = "name fewer files or folders at once"
    bound = f"a run reads at most {MAX_FILES:,} files and {MAX_TOTAL_SIZE:,} bytes"
    return unreadable(path, f"neither this file nor any after it is read: {bound}", hint)


def find_files(
    sources: Iterable[str | Path], *, is_excluded: Callable[[Path], bool] | None = None
) -> Iterator[Path | Unreadable | Skipped]:
    """The files that some paths name, folders searched. Raises `UsageError` before the first is read."""
    paths = [_checked(source) for source in sources]
    for path in paths:
        if str(path) != STANDARD_INPUT and os.path.isdir(path):
            root = tree_root(path)
            if root is not None and not is_inside(path, root):
                yield outside(path)
            else:
                yield from find_specs(path, is_excluded=is_excluded, tracked_in=_tracked_in)
        else:
            yield path


def _tracked_in(repository: str) -> Collection[str] | None:
    """The specification files that a repository tracks, or None where git cannot tell."""
    from mcp_contracts.sources.git_objects import tracked_files  # starts a process, and many searches skip nothing

    return tracked_files(repository)


def _checked(named: str | Path) -> Path:
    """The path that a source names, which is there. `-` is standard input, `./-` a file of that name."""
    source = str(named)
    if source.startswith(REVISION):
        raise UsageError(
            f"`{show(source)}` names a git revision, which is not read here",
            hint="check the revision out and name its folder",
        )
    for prefix, (what, way_out) in _OTHER_KINDS.items():
        if source.startswith(prefix):
            raise UsageError(f"`{source}` names {what}, which this version cannot read", hint=way_out)
    if not source:
        raise UsageError("a source is empty", hint="name a file or a folder; `.` is the working folder")
    if "\0" in source:
        raise UsageError("a path cannot hold a null character")
    if source != STANDARD_INPUT:
        try:
            Path(source).lstat()
        except OSError as error:
            reason = (error.strerror or "it cannot be reached").lower()
            raise UsageError(f"`{show(source)}`: {reason}", hint="check the spelling of the path") from error
    path = Path(source)
    return path.absolute() if source != STANDARD_INPUT and str(path) == STANDARD_INPUT else path


def read_file(path: Path, *, limit: int = MAX_FILE_SIZE) -> SourceFile:
    """One file, or standard input for `-`: a tool list where it is JSON, a spec otherwise. Never raises."""
    if str(path) == STANDARD_INPUT:
        if sys.stdin is None:
            raise SourceError("standard input is closed", hint="name a file or a folder")
        content = sys.stdin.buffer.read(limit + 1)
        if not content.strip():
            raise SourceError("standard input is empty", hint="check the command whose output it should be")
        text = decode(content, path, limit=limit)
    else:
        text = read_text(path, limit=limit)
    if isinstance(text, Unreadable):
        return unreadable_file(text)
    return read_source(show(path), text)


def read_blob(blob: Blob) -> SourceFile:
    """A file of a git revision, read as if it lay in the working folder: its folder names the module there."""
    file = read_source(show(blob.path), blob.text)
    if not isinstance(file, SpecFile):
        return file
    stated = file.front_matter.values.get("module") if file.front_matter is not None else None
    if isinstance(stated, str) and stated.strip():
        return file
    tools = (replace(tool, contract=replace(tool.contract, module=blob.folder)) for tool in file.tools)
    return replace(file, module=blob.folder, tools=tuple(tools))


def read_source(path: str, text: str) -> SourceFile:
    """The content of a file: JSON by its name, or by its first character where the name says nothing."""
    lowered = path.lower()
    is_json = lowered.endswith(".json")
    if not is_json and not lowered.endswith((".md", ".markdown")):
        is_json = text.removeprefix("\ufeff").lstrip()[:1] in ("{", "[")
    if is_json:
        from mcp_contracts.sources.tool_lists import read_tool_list

        return read_tool_list(path, text)
    from mcp_contracts.parsing.spec import read_spec  # markdown-it-py is slow to import

    return read_spec(path, text)


def unreadable_file(unreadable: Unreadable) -> SourceFile:
    """A file that could not be read, as a file with that one fault."""
    fault = unreadable.fault
    if fault.place.path.lower().endswith(".json"):
        return ToolListFile(fault.place.path, "", faults=(fault,))
    return SpecFile(fault.place.path, "", faults=(fault,))
