"""A git revision as a source: the specifications and tool lists of a commit, `git:REF[:PATH]` and `--against`.

A PATH is relative to the working directory, as `./` is in git's own `REF:./PATH`, so that one command line names the
same files in both; it may be absolute if it is inside the repository. Without a PATH, the whole repository is searched,
regardless of the working directory. A ref cannot contain a `:`, so the first one ends it.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path, PurePosixPath

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Contracts
from mcp_contracts.errors import SourceError, UsageError
from mcp_contracts.faults import FaultKind
from mcp_contracts.parsing.discovery import (
    MAX_FILE_SIZE,
    SPEC_NAME,
    Unreadable,
    decode,
    is_found_name,
    report_oversized,
    show,
    specs_among,
    unreadable,
)
from mcp_contracts.records import dataclass, field
from mcp_contracts.rule_names import nearest
from mcp_contracts.sources.documents import Blob
from mcp_contracts.sources.git_objects import (
    LINK,
    SUBMODULE,
    Tree,
    check_ref,
    contents,
    open_tree,
    renames,
    sizes,
    top_folder,
)
from mcp_contracts.sources.source import MAX_FILES, MAX_TOTAL_SIZE, Reader, read_found, too_many

_MAX_LINKS = 8
_MANY_PATHS = 2000
_LONGEST_PATH = 4096
_OTHER_SOURCE = re.compile(r"-$|[a-z]{2,}:")  # a file with that name is written `./-`
_NO_TEXT = (FaultKind.UNREADABLE, FaultKind.OVERSIZED)
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"


@dataclass(frozen=True, slots=True)
class Revision:
    """The content of some paths at a revision.

    `ref` is the revision as named, and `commit` its full id. `missing` are the paths that did not exist then, as in
    reports: everything there was added later. `renamed` are the files that had another name then, as old and new path
    from the repository's root. `submodules` are the submodules below the paths, also from the root: their files belong
    to another repository and are not read. `paths` maps the path of each file in reports to its path from the root.
    `prefix` is the working directory, relative to the root. `blobs` are the files that contain text.
    """

    contracts: Contracts
    ref: str
    commit: str
    missing: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    submodules: tuple[str, ...] = ()
    paths: Mapping[str, str] = field(default_factory=dict)
    prefix: str = ""
    blobs: tuple[Blob, ...] = ()


def load_revision(
    ref: str,
    paths: Sequence[str | Path] = (),
    *,
    max_file_size: int = MAX_FILE_SIZE,
    is_excluded: Callable[[Path], bool] | None = None,
    read: Reader | None = None,
) -> Revision:
    """Return the contracts of files and folders at a git revision, without reading the working directory.

    A file that had another name then is found if git knows the rename, which must be staged or committed. Excluded
    paths are given relative to the working directory. `read` reads the files, or recalls them. Raises `UsageError` for
    a path outside the repository and for an invalid revision, and `SourceError` for a revision that is not available.
    """
    tree = open_tree(ref)
    named = {show(path): _inside(tree, path) for path in paths or (".",)}
    then = {shown: _files(tree, here, is_excluded) for shown, here in named.items()}
    # A path that was not a file then may be a renamed file, or a folder that files have moved into.
    asked = [shown for shown, here in named.items() if here and here not in tree.entries]
    old_names = renames(tree.ref, tree.commit) if asked else {}
    now = {shown: _find_renamed_files(tree, named[shown], old_names, is_excluded) for shown in asked}
    renamed = {old_names[new]: new for found in now.values() for new in found}
    files = dict.fromkeys((*(path for found in then.values() for path in found or ()), *renamed))
    found = list(_read(tree, list(files), max_file_size))
    held = tuple((read or read_found)(found))
    texts = {file.path for file in held if not any(fault.kind in _NO_TEXT for fault in file.faults)}
    return Revision(
        Contracts(held),
        ref,
        tree.commit,
        tuple(shown for shown, found in then.items() if found is None and not now.get(shown)),
        tuple((show(old), show(new)) for old, new in renamed.items()),
        tuple(show(_here(tree, path)) for path in _submodules(tree, tuple(named.values()))),
        {show(f"{tree.ref}:{path}"): path for path in files},
        tree.prefix or "",
        tuple(one for one in found if isinstance(one, Blob) and show(one.path) in texts),
    )


def files_at(ref: str, folder: Path) -> list[str]:
    """Return the paths of all files in a folder at a revision, relative to it. Raises the errors of `load_revision`."""
    tree = open_tree(ref)
    start = _inside(tree, folder)
    lead = f"{start}/" if start else ""
    return [path.removeprefix(lead) for path in tree.entries if path.startswith(lead)]


def current_paths(revision: Revision) -> dict[str, str]:
    """Return the current path of each file of a revision, relative to the working directory, by its path in reports."""
    new_names = {old: new for new, old in renames(revision.ref, revision.commit).items()}
    return {
        shown: show(_relative(revision.prefix, new_names.get(path, path))) for shown, path in revision.paths.items()
    }


def find_named(
    sources: Mapping[str, str], *, max_file_size: int, is_excluded: Callable[[Path], bool] | None = None
) -> dict[str, list[Blob | Unreadable]]:
    """Return the files of each source, by its name, with its `REF[:PATH]`.

    Raises `UsageError` for a path that does not exist at the revision.
    """
    parsed = {source: _parse(written) for source, written in sources.items()}
    trees = {ref: open_tree(ref) for ref, _ in parsed.values()}
    return {
        source: list(_read(trees[ref], _file_names(trees[ref], path, is_excluded), max_file_size))
        for source, (ref, path) in parsed.items()
    }


def _parse(written: str) -> tuple[str, str | None]:
    """Return the ref and the path of a source; without a path, the whole repository is meant."""
    ref, _, path = written.partition(":")
    check_ref(ref)
    return ref, path or None


def _file_names(tree: Tree, path: str | None, is_excluded: Callable[[Path], bool] | None) -> list[str]:
    found = _files(tree, "" if path is None else _inside(tree, path), is_excluded)
    if found is None:
        raise _missing_path_error(tree, path or "")
    if path is not None and path.endswith(".py"):
        hint = "check out the revision (`git worktree add`), and pass the file there"
        raise UsageError(f"`{show(path)}` is Python code, which cannot be read from a git revision", hint=hint)
    return found


def _inside(tree: Tree, named: str | Path) -> str:
    """Return a path of the file system relative to the repository's root; "" for the root itself."""
    path = str(named)
    if not path or "\0" in path:
        what = "cannot contain a null character" if path else "is empty"
        raise UsageError(f"a path of a git revision {what}", hint="`.` is the working directory")
    if _OTHER_SOURCE.match(path):
        hint = "pass the file or folder, or compare two sources with `diff OLD NEW`"
        raise UsageError(f"`{show(path)}` is not a path that can exist in a git revision", hint=hint)
    inside = None
    if tree.prefix is not None:
        inside = _below(os.path.join(tree.prefix, os.path.relpath(path)))
    if inside is None:  # resolve links from the top: the working directory may be a link, or elsewhere
        top = top_folder()
        if top is None:
            inside = _below(path)  # a bare repository has no working directory to be relative to
        else:
            absolute = os.path.abspath(path)
            real = os.path.join(os.path.realpath(os.path.dirname(absolute)), os.path.basename(absolute))
            inside = _below(os.path.relpath(real, os.path.realpath(top)))
    if inside is None:
        raise UsageError(
            f"`{show(path)}` is outside the repository",
            hint="pass a path inside the repository, or run the command in the other repository",
        )
    return inside


def _below(path: str) -> str | None:
    """Return a path in normal form, "" for the root; None if it leads out of the repository."""
    normal = os.path.normpath(path).replace(os.sep, "/")
    if os.path.isabs(path) or normal == ".." or normal.startswith("../"):
        return None
    return "" if normal == "." else normal


def _here(tree: Tree, path: str) -> str:
    """Return a path of the repository relative to the working directory."""
    return _relative(tree.prefix or "", path)


def _relative(prefix: str, path: str) -> str:
    return os.path.relpath(path, prefix) if prefix else path or "."


def _files(tree: Tree, path: str, is_excluded: Callable[[Path], bool] | None) -> list[str] | None:
    """Return the file, or the files that a search of the folder finds; None if the revision has neither."""
    parts = path.split("/")
    for end in range(1, len(parts) + 1):
        submodule = "/".join(parts[:end])
        if submodule in tree.entries and tree.entries[submodule].mode == SUBMODULE:
            raise SourceError(
                f"`{show(path)}` is in a submodule, whose files `{show(tree.ref)}` does not contain",
                hint=f"run the command inside the submodule: `cd {show(_here(tree, submodule))}`",
            )
    real = _resolve_links(tree, path)
    if real is None or real in tree.entries:
        return [path]
    if not any(name.startswith(f"{real}/") for name in tree.entries) and real:
        return None
    files = [name for name, entry in tree.entries.items() if entry.mode != SUBMODULE]
    return list(specs_among(files, real, is_excluded=_path_filter(tree, is_excluded)))


def _path_filter(tree: Tree, is_excluded: Callable[[Path], bool] | None) -> Callable[[str], bool] | None:
    return None if is_excluded is None else lambda path: is_excluded(Path(_here(tree, path)))


def _find_renamed_files(
    tree: Tree, path: str, old_names: Mapping[str, str], is_excluded: Callable[[Path], bool] | None
) -> list[str]:
    """Return the file at a path, or the files that a search of the folder finds, if they had another name then."""
    if path in old_names:
        return [path]
    return list(specs_among(list(old_names), path, is_excluded=_path_filter(tree, is_excluded)))


def _submodules(tree: Tree, folders: tuple[str, ...]) -> Iterator[str]:
    starts = tuple(f"{folder}/" if folder else "" for folder in folders)
    return (name for name, entry in tree.entries.items() if entry.mode == SUBMODULE and name.startswith(starts))


def _resolve_links(tree: Tree, path: str) -> str | None:
    """Return a path with symbolic links resolved in the revision; None if a link leads out of it or forms a cycle."""
    for _ in range(_MAX_LINKS):
        parts = path.split("/")
        heads = ("/".join(parts[:end]) for end in range(1, len(parts) + 1)) if tree.has_links else ()
        link = next((head for head in heads if head in tree.entries and tree.entries[head].mode == LINK), None)
        if link is None:
            return path
        if link not in tree.links:
            return None
        joined = _below(posixpath.join(posixpath.dirname(link), tree.links[link], path.removeprefix(link).lstrip("/")))
        if joined is None:
            return None
        path = joined
    return None


def _read(tree: Tree, paths: Sequence[str], limit: int) -> Iterator[Blob | Unreadable]:
    """Yield the files at some paths of a revision in order, up to the limit for files that are read together."""
    read = paths[:MAX_FILES]
    followed = {path: _resolve_links(tree, path) for path in read if len(path) <= _LONGEST_PATH}
    objects = {
        path: tree.entries[real].object_id
        for path, real in followed.items()
        if real is not None and real in tree.entries and tree.entries[real].mode != SUBMODULE
    }
    size_of = sizes(tree, objects.values())
    readable = _within_total({path: size_of[one] for path, one in objects.items() if size_of[one] <= limit})
    content_of = _Contents(tree, [objects[path] for path in readable])
    for path in read:
        shown = f"{tree.ref}:{path}"
        size = size_of.get(objects.get(path, ""), 0)
        if len(path) > _LONGEST_PATH:
            yield unreadable(shown, f"its path has more than {_LONGEST_PATH:,} characters", "shorten the folder names")
        elif path not in objects:
            hint = "link to a file of the same repository, or put the file itself there"
            yield unreadable(shown, "the file is a symbolic link whose target is not in the revision", hint)
        elif size > limit:
            yield report_oversized(shown, size, limit)
        elif path not in readable:
            yield too_many(shown)
            return
        else:
            object_id = objects[path]
            folder = PurePosixPath(show(os.path.abspath(_here(tree, path)))).parent.name
            content = partial(_text, content_of, object_id, shown, limit)
            yield Blob(shown, folder or None, content, object_id, size, partial(content_of.skip, object_id))
    if len(paths) > MAX_FILES:
        yield too_many(f"{tree.ref}:{paths[MAX_FILES]}")


class _Contents:
    """The contents of some objects, read together when the first one is needed, except for skipped ones."""

    def __init__(self, tree: Tree, objects: Iterable[str]) -> None:
        self._tree, self._left = tree, dict.fromkeys(objects)
        self._read: dict[str, bytes] = {}

    def skip(self, object_id: str) -> None:
        self._left.pop(object_id, None)

    def __getitem__(self, object_id: str) -> bytes:
        if object_id not in self._read:
            asked = [*self._left, *(() if object_id in self._left else (object_id,))]
            self._read.update(contents(self._tree, asked, limit=MAX_TOTAL_SIZE))
            self._left.clear()
        return self._read[object_id]


def _text(content_of: _Contents, object_id: str, shown: str, limit: int) -> str | Unreadable:
    content = content_of[object_id]
    if content.startswith(_LFS_POINTER):
        hint = "keep specifications and tool lists out of Git LFS: `git lfs untrack` it, and commit the file itself"
        return unreadable(shown, "the file is a Git LFS pointer, and its content is stored elsewhere", hint)
    return decode(content, Path(shown), limit=limit)


def _within_total(size_of: Mapping[str, int]) -> list[str]:
    """Return the first files, up to the limit for files that are read together."""
    totals = accumulate(size_of.values())
    return [path for path, total in zip(size_of, totals, strict=True) if total <= MAX_TOTAL_SIZE]


def _missing_path_error(tree: Tree, named: str) -> UsageError:
    """Explain why a revision has nothing at a path, and suggest what may have been meant."""
    files = [name for name in tree.entries if is_found_name(posixpath.basename(name)) or name.lower().endswith(".json")]
    near = nearest(_inside(tree, named), {*files[:_MANY_PATHS], *map(posixpath.dirname, files[:_MANY_PATHS])} - {""})
    if near is not None:
        hint = f"did you mean `git:{show(tree.ref)}:{show(_here(tree, near))}`?"
    elif os.path.lexists(named):
        hint = f"it was added later: pass `{show(named)}` to read the current version"
    else:
        hint = f"without a path, `git:{show(tree.ref)}` reads every `{SPEC_NAME}` of the repository"
    return UsageError(f"`{show(tree.ref)}` does not contain `{show(named)}`", hint=hint)
