"""Finding specification files below a folder, and reading a file without trusting it."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_contracts.contract import Fault, FaultKind
from mcp_contracts.diagnostics import Place

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SPEC_NAME = "MCP_TOOL_SPECIFICATION.md"
MAX_FILE_SIZE = 2_000_000
"""How large a file may be, in bytes, unless the configuration says otherwise."""
MAX_IGNORE_SIZE = 1_000_000
"""How large a `.gitignore` may be, in bytes; one that is larger is passed over."""

_NEVER = frozenset((".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".tox", ".nox"))
_ENVIRONMENT = "pyvenv.cfg"
_MAX_DEPTH = 64
_BOMS = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file or folder that could not be read, and why."""

    fault: Fault


def find_specs(folder: Path, *, is_excluded: Callable[[Path], bool] | None = None) -> Iterator[Path | Unreadable]:
    """The specification files below a folder, in order of path; its name is recognised in any case.

    `.gitignore` files are honoured, those above the folder included. Links to folders are not followed, so that none
    can lead in a circle. A folder that cannot be read is yielded as `Unreadable`, and the search goes on.
    """
    ignores = _ignores_above(folder)
    if _is_ignored(folder, ignores, is_folder=True):
        ignores = ()  # whoever names an ignored folder means it
    yield from _search(folder, ignores, is_excluded or (lambda path: False), 0)


def _search(
    folder: Path, ignores: tuple[_Ignore, ...], is_excluded: Callable[[Path], bool], depth: int
) -> Iterator[Path | Unreadable]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        yield unreadable(folder, f"the folder cannot be read: {_reason(error)}")
        return
    if depth and any(entry.name == _ENVIRONMENT for entry in found):
        return  # a virtual environment holds other people's files, our own template among them
    own = next((entry for entry in found if entry.name == ".gitignore"), None)
    if own is not None and folder not in (ignore.root for ignore in ignores):
        ignores = (*ignores, *_read_ignore(folder))
    for entry in found:
        path = folder / entry.name
        try:
            is_folder = entry.is_dir(follow_symlinks=False)
        except OSError:
            is_folder = False
        if is_folder:
            if entry.name in _NEVER or _is_ignored(path, ignores, is_folder=True) or is_excluded(path):
                continue
            if depth >= _MAX_DEPTH:
                yield unreadable(path, f"folders nest deeper than {_MAX_DEPTH} levels")
                continue
            yield from _search(path, ignores, is_excluded, depth + 1)
        elif is_spec_name(entry.name) and not _is_ignored(path, ignores, is_folder=False) and not is_excluded(path):
            yield path


def is_spec_name(name: str) -> bool:
    """Whether a file of this name is found by a search."""
    return name.lower() == SPEC_NAME.lower()


def specs_among(
    paths: Collection[str],
    folder: str,
    *,
    ignore_files: Mapping[str, str],
    is_excluded: Callable[[str], bool] | None = None,
) -> Iterator[str]:
    """The paths that `find_specs` would find below `folder`, in its order, were these the files of a repository.

    Paths are relative to the repository's root, written with `/`; the root itself is "". `ignore_files` maps folders to
    the text of their `.gitignore`. What lies deeper than a search goes is left out.
    """
    root = Path(os.sep)

    def own(path: str) -> tuple[_Ignore, ...]:
        return _parsed_ignore(root / path, ignore_files[path]) if path in ignore_files else ()

    ignores = tuple(ignore for above in _folders_above(folder) for ignore in own(above))
    if folder and _is_ignored(root / folder, ignores, is_folder=True):
        ignores = ()
    environments = {path.rpartition("/")[0] for path in paths if path.rpartition("/")[2] == _ENVIRONMENT}
    searched: dict[str, tuple[_Ignore, ...] | None] = {folder: (*ignores, *own(folder))}
    start = f"{folder}/" if folder else ""
    specs = [path for path in paths if path.startswith(start) and is_spec_name(path.rpartition("/")[2])]
    for path in sorted(specs, key=lambda path: path.split("/")):
        between = [above for above in _folders_above(path) if len(above) > len(folder)]
        if len(between) > _MAX_DEPTH:
            continue
        here = searched[folder]
        for inner in between:
            if inner not in searched:
                is_left_out = (
                    here is None
                    or inner.rpartition("/")[2] in _NEVER
                    or inner in environments
                    or _is_ignored(root / inner, here, is_folder=True)
                    or (is_excluded is not None and is_excluded(inner))
                )
                searched[inner] = None if is_left_out or here is None else (*here, *own(inner))
            here = searched[inner]
        if here is None or _is_ignored(root / path, here, is_folder=False):
            continue
        if is_excluded is None or not is_excluded(path):
            yield path


def _folders_above(path: str) -> Iterator[str]:
    """The folders that a path lies in, the root `""` first."""
    yield ""
    yield from (path[:at] for at, character in enumerate(path) if character == "/")


@dataclass(frozen=True, slots=True)
class _Ignore:
    root: Path
    spec: GitIgnoreSpec


def _read_ignore(folder: Path) -> tuple[_Ignore, ...]:
    text = read_text(folder / ".gitignore", limit=MAX_IGNORE_SIZE)
    return () if isinstance(text, Unreadable) else _parsed_ignore(folder, text)


def _parsed_ignore(folder: Path, text: str) -> tuple[_Ignore, ...]:
    from pathspec import GitIgnoreSpec  # only needed where there is a .gitignore, and slow to import

    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    lines = [line for line in lines if line.strip() and not line.startswith("#")]
    try:
        return (_Ignore(folder, GitIgnoreSpec.from_lines(lines)),) if lines else ()
    except ValueError:
        return ()  # git itself passes over lines that it cannot read


def _ignores_above(folder: Path) -> tuple[_Ignore, ...]:
    """The `.gitignore` files from the repository's root down to the folder; none outside a repository."""
    chain = []
    here = folder.absolute()
    for parent in (here, *here.parents):
        chain.append(parent)
        if os.path.exists(parent / ".git"):  # unlike Path.exists, no error below a folder that may not be searched
            break
    else:
        return ()
    below = [parent for parent in reversed(chain) if os.path.isfile(parent / ".gitignore")]
    return tuple(ignore for parent in below if parent != here for ignore in _read_ignore(parent))


def _is_ignored(path: Path, ignores: tuple[_Ignore, ...], *, is_folder: bool) -> bool:
    """Whether git would ignore a path. The deepest `.gitignore` that has an opinion decides."""
    absolute = path.absolute()
    for ignore in reversed(ignores):
        relative = os.path.relpath(absolute, ignore.root.absolute()).replace(os.sep, "/")
        result = ignore.spec.check_file(relative + ("/" if is_folder else ""))
        if result.include is not None:
            return result.include
    return False


def read_text(path: Path, *, limit: int = MAX_FILE_SIZE) -> str | Unreadable:
    """The text of a regular UTF-8 file of at most `limit` bytes.

    A pipe or device is never waited for, and never more is read than the limit allows.
    """
    try:
        # O_NONBLOCK: opening a pipe for reading waits for a writer otherwise, for ever
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except OSError as error:
        return unreadable(path, f"the file cannot be read: {_reason(error)}")
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            return unreadable(path, "a folder has the name of a specification file")
        if not stat.S_ISREG(status.st_mode):
            hint = "pipe its content in and name `-` instead"
            return unreadable(path, "the file is a pipe or a device, not a regular file", hint)
        if status.st_size > limit:
            return oversized(path, status.st_size, limit)
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(limit + 1)
    except OSError as error:
        return unreadable(path, f"the file cannot be read: {_reason(error)}")
    finally:
        os.close(descriptor)
    return decode(content, path, limit=limit)


def decode(content: bytes, path: Path, *, limit: int = MAX_FILE_SIZE) -> str | Unreadable:
    """Bytes as UTF-8 text, or the fault with the line of the first byte that is none."""
    if len(content) > limit:
        return oversized(path, None, limit)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        encoding = next((name for mark, name in _BOMS if content.startswith(mark)), None)
        before = content[: error.start]
        row = len(re.findall(rb"\r\n?|\n", before)) + 1
        column = len(before[max(before.rfind(b"\n"), before.rfind(b"\r")) + 1 :].decode("utf-8", "replace")) + 1
        what = f"it looks like {encoding}" if encoding else f"byte 0x{content[error.start]:02x} on line {row}"
        place = Place(show(path), row, column, row, column)
        fault = Fault(FaultKind.UNREADABLE, f"the file is not UTF-8: {what}", place, "save it as UTF-8")
        return Unreadable(fault)


def show(path: Path | str) -> str:
    """A path as reports write it: relative to the working folder where it lies below it, with `/`."""
    text = str(path)
    if os.path.isabs(text):
        relative = os.path.relpath(text)
        if not relative.startswith(".."):
            text = relative
    text = os.path.normpath(text) if text not in ("-", "<stdin>") else "<stdin>"
    return text.replace(os.sep, "/").encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def unreadable(path: Path | str, message: str, hint: str | None = None) -> Unreadable:
    """A file or folder that cannot be read, for a reason."""
    return Unreadable(Fault(FaultKind.UNREADABLE, message, Place(show(path), 1, 1, 1, 1), hint))


def oversized(path: Path | str, size: int | None, limit: int) -> Unreadable:
    """A file of more bytes than the limit; how many, where that is known."""
    much = f"has {size:,} bytes, over" if size is not None else "has more bytes than"
    message = f"the file {much} the limit of {limit:,}"
    hint = "split it into one file a module, or raise `limits.max_file_size` in the configuration"
    return Unreadable(Fault(FaultKind.OVERSIZED, message, Place(show(path), 1, 1, 1, 1), hint))


def _reason(error: OSError) -> str:
    return (error.strerror or str(error) or type(error).__name__).lower()
