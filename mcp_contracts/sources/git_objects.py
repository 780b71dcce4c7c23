"""The content of a commit, read as git objects, and the reasons why a revision is not available.

Nothing here touches the checkout, the index or a ref. A repository may be built to stall its readers, so files are
counted while they are listed, and sizes are checked before contents are read.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.errors import SourceError, UsageError
from mcp_contracts.parsing.discovery import LIST_SUFFIX, SPEC_NAME, show
from mcp_contracts.records import NamedTuple, dataclass, field, replace
from mcp_contracts.rule_names import nearest
from mcp_contracts.sources.git_process import GitProcess

LINK = "120000"
SUBMODULE = "160000"
FULL_HISTORY = "`git fetch --unshallow`, or `fetch-depth: 0` for actions/checkout"

_MOST_FILES = 500_000
_MOST_LISTED = 128_000_000
_MOST_BYTES = 64_000_000
_MOST_LINKS = 10_000
_LONGEST_PATH = 4096
_LONGEST_REF = 1_000  # git itself crashes for `HEAD` followed by 50,000 `^`
_HEADER = 100  # more than `cat-file --batch` writes around each content
_RENAME_LIMIT = 3000
_MANY_REFS = 10_000
_OBJECT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_UNFIT = re.compile("[\x00-\x1f\x7f\ud800-\udc7f\udd00-\udfff]")  # surrogates that do not represent a byte of a name
_SUFFIX = re.compile(r"[~^]|@\{")
_DEFAULT_BRANCHES = ("main", "master", "trunk", "develop")


class Entry(NamedTuple):
    """A file of a tree: its mode in git's notation, and its object."""

    mode: str
    object_id: str


@dataclass(frozen=True, slots=True)
class Tree:
    """All files of a commit. `ref` is its name as given; paths are relative to the repository's root, with `/`.

    `prefix` is the working directory relative to the root ("" for the root itself), None outside a checkout. `links`
    has the targets of the symbolic links that were read.
    """

    ref: str
    commit: str
    prefix: str | None
    entries: Mapping[str, Entry]
    has_links: bool = False
    links: Mapping[str, str] = field(default_factory=dict)


def check_ref(ref: str) -> None:
    """Raise `UsageError` if text cannot name a commit in any repository."""
    if not ref:
        raise UsageError("the git revision is empty", hint="pass `HEAD`, a branch, a tag or a commit")
    if len(ref) > _LONGEST_REF:
        raise UsageError(
            f"a git revision has at most {_LONGEST_REF:,} characters, and this one has {len(ref):,}",
            hint="pass a branch, a tag or a commit",
        )
    if _UNFIT.search(ref):
        raise UsageError("a git revision cannot contain control characters", hint="pass a branch, a tag or a commit")
    shown = show(ref)
    if ref.startswith(("-", "^")):
        raise UsageError(
            f"`{shown}` is not a git revision: a revision cannot begin with `{ref[0]}`",
            hint="pass a branch, a tag or a commit",
        )
    if ":" in ref:
        raise UsageError(
            f"`{shown}` is not a git revision: a revision cannot contain `:`",
            hint="pass the path as a separate argument",
        )
    if ".." in ref and "{" not in ref:
        raise UsageError(
            f"`{shown}` is a range of commits, not a single commit",
            hint=f"pass one: `{shown.split('..')[0] or 'HEAD'}`",
        )


def open_tree(ref: str) -> Tree:
    """Return the files of a revision of the working directory's repository.

    Raises `UsageError` for an invalid revision, and `SourceError` if git, the repository or the revision is not
    available.
    """
    check_ref(ref)
    where = _run("rev-parse", "--is-inside-work-tree", "--is-shallow-repository", "--show-prefix")
    if where.returncode:
        raise _no_repository(where)
    is_inside, is_shallow, prefix = (*_text(where.stdout).split("\n", 2), "", "")[:3]
    resolved = _run("rev-parse", "--verify", "--end-of-options", f"{ref}^{{commit}}")
    commit = _text(resolved.stdout).strip()
    if resolved.returncode or not _OBJECT.fullmatch(commit):
        raise _absent(ref, _sentence(resolved), is_shallow=is_shallow == "true")
    folder = prefix.removesuffix("\n").removesuffix("/") if is_inside == "true" else None
    tree = Tree(ref, commit, folder, _entries(ref, commit))
    links = {path: entry.object_id for path, entry in tree.entries.items() if entry.mode == LINK}
    return replace(tree, has_links=bool(links), links=_targets(tree, links)) if links else tree


def _entries(ref: str, commit: str) -> dict[str, Entry]:
    """Return the files of a commit, counted while git lists them: a few trees can represent any number of files.

    Folders are listed and counted as well, because git reports nothing for empty ones.
    """
    entries: dict[str, Entry] = {}
    size = folders = 0
    with GitProcess("ls-tree", "-r", "-t", "-z", "--full-tree", commit) as process:
        rest = b""
        for chunk in process.chunks():
            size += len(chunk)
            *lines, rest = (rest + chunk).split(b"\0")
            for line in lines:
                facts, _, path = _text(line).partition("\t")
                mode, kind, object_id = facts.split(" ")
                if kind == "tree":
                    folders += 1
                else:
                    entries[path] = Entry(sys.intern(mode), object_id)
            if max(len(entries), folders) > _MOST_FILES or size > _MOST_LISTED:
                raise SourceError(
                    f"`{show(ref)}` contains more than {_MOST_FILES:,} files, the maximum for a revision",
                    hint="check out the part that you need, and pass that folder",
                )
        listing = process.finish(b"")
    if listing.returncode:
        raise _unavailable(ref, listing)
    return entries


def _targets(tree: Tree, links: Mapping[str, str]) -> dict[str, str]:
    """Return the targets of a commit's symbolic links that are short enough to be paths, or none if it has too many
    links.
    """
    if len(links) > _MOST_LINKS:
        return {}
    size_of = sizes(tree, list(links.values()))
    content_of = contents(tree, [one for one, size in size_of.items() if size <= _LONGEST_PATH])
    return {path: _text(content_of[one]) for path, one in links.items() if one in content_of}


def top_folder() -> str | None:
    """Return the root of the checkout, as an absolute path; None in a bare repository."""
    shown = _run("rev-parse", "--show-toplevel")
    return _text(shown.stdout).removesuffix("\n") if not shown.returncode else None


def merged_tags() -> list[str]:
    """Return the tags that the working directory's commit descends from, the newest first; none without a commit."""
    return _lines("tag", "--list", "--merged", "HEAD", "--sort=-creatordate")[:_MANY_REFS]


def sizes(tree: Tree, objects: Iterable[str]) -> dict[str, int]:
    """Return the size of each object in bytes, without reading it."""
    asked = list(dict.fromkeys(objects))
    if not asked:
        return {}
    answer = _run("cat-file", "--batch-check=%(objectsize)", stdin=_lines_of(asked))
    found = _text(answer.stdout).split()
    if answer.returncode or len(found) != len(asked) or not all(map(str.isdecimal, found)):
        raise _unavailable(tree.ref, answer)
    return dict(zip(asked, map(int, found), strict=True))


def contents(tree: Tree, objects: Iterable[str], *, limit: int = _MOST_BYTES) -> dict[str, bytes]:
    """Return the raw content of each object as it was committed, without filters or conversions of line endings.

    A single process reads each object once. Check `sizes` first: a SourceError is raised for more than `limit` bytes in
    total.
    """
    asked = list(dict.fromkeys(objects))
    if not asked:
        return {}
    answer = _run("cat-file", "--batch", stdin=_lines_of(asked), limit=limit + _HEADER * len(asked))
    found = list(_batch(answer.stdout))
    if answer.returncode or len(found) != len(asked):
        raise _unavailable(tree.ref, answer)
    return dict(zip(asked, found, strict=True))


def _batch(answer: bytes) -> Iterator[bytes]:
    """Yield the contents in the output of `cat-file --batch`, up to the first incomplete one."""
    at = 0
    while (end := answer.find(b"\n", at)) >= 0:
        size = answer[at:end].rpartition(b" ")[2]
        at = end + 1
        if not size.isdigit() or at + int(size) >= len(answer):
            return
        yield answer[at : at + int(size)]
        at += int(size) + 1


def _lines_of(objects: Sequence[str]) -> bytes:
    return "".join(f"{one}\n" for one in objects).encode()


def tracked_files(repository: str) -> list[str] | None:
    """Return the specifications and tool lists in the index of a checkout, relative to its root; None if git fails."""
    names = (SPEC_NAME, f"*{LIST_SUFFIX}")
    try:
        listed = _run("ls-files", "-z", "--", *(f":(top,icase,glob)**/{name}" for name in names), repository=repository)
    except SourceError:
        return None
    return None if listed.returncode else list(dict.fromkeys(_text(listed.stdout).split("\0")[:-1]))


def renames(ref: str, commit: str) -> dict[str, str]:
    """Return the old path of each renamed file by its new one, if git detects the rename and it is staged. The index is
    compared instead of the checkout, so that git neither reads files of the checkout nor runs filters on them.
    """
    compared = _renames(commit)
    if compared.returncode:
        raise _unavailable(ref, compared)
    return _old_names(compared)


def renames_after(file: str, repository: str) -> dict[str, str]:
    """Return the old path of each file that was renamed since a commit last changed `file`, by its new one.

    Paths are relative to the repository's root. The result is empty if git cannot determine them, such as in a shallow
    clone.
    """
    try:
        changed = _run("rev-list", "-1", "HEAD", "--", f":(top,literal){file}", repository=repository)
        compared = _renames(_text(changed.stdout).strip() or "HEAD", repository)
    except SourceError:
        return {}
    return {} if changed.returncode or compared.returncode else _old_names(compared)


def _renames(commit: str, repository: str | None = None) -> subprocess.CompletedProcess[bytes]:
    return _run(
        "diff-index", "--cached", "--find-renames", f"-l{_RENAME_LIMIT}", "--diff-filter=R", "--name-status", "-z",
        commit, repository=repository,
    )  # fmt: skip


def _old_names(compared: subprocess.CompletedProcess[bytes]) -> dict[str, str]:
    fields = _text(compared.stdout).split("\0")[:-1]
    return dict(zip(fields[2::3], fields[1::3], strict=True))


def _run(
    *arguments: str, stdin: bytes | None = None, limit: int = _MOST_BYTES, repository: str | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Return git's output regardless of its exit code. Raises `SourceError` if git cannot run or returns too much."""
    with GitProcess(*arguments, stdin=stdin, repository=repository) as process:
        answer = bytearray()
        for chunk in process.chunks():
            answer += chunk
            if len(answer) > limit:
                raise SourceError(
                    f"`git {arguments[0]}` returned more than {limit:,} bytes", hint="pass fewer files at once"
                )
        return process.finish(bytes(answer))


def _text(answer: bytes) -> str:
    """Decode the output of git, in which names of files may be any bytes."""
    return answer.decode("utf-8", "surrogateescape")


def _sentence(ran: subprocess.CompletedProcess[bytes]) -> str:
    """Return git's own error message, or ""."""
    lines = ran.stderr.decode("utf-8", "replace").splitlines()
    said = next((line for line in lines if line.startswith(("fatal: ", "error: "))), "")
    return "".join(character if character.isprintable() else "\ufffd" for character in said.partition(": ")[2].strip())


def _no_repository(ran: subprocess.CompletedProcess[bytes]) -> SourceError:
    said = _sentence(ran)
    if said.startswith("not a git repository (or any"):
        hint = "run it inside the repository, or pass files and folders instead of a revision"
        return SourceError("the working directory is not in a git repository", hint=hint)
    if "dubious ownership" in said:
        advice = re.search(r"git config --global --add safe\.directory \S.*", ran.stderr.decode("utf-8", "replace"))
        hint = f"if you trust it, run `{advice[0].strip()}`" if advice else "see `safe.directory` in `git help config`"
        return SourceError(f"git rejects the repository: {said}", hint=hint)
    return SourceError(
        f"git cannot use the repository: {said or 'it gave no reason'}", hint="run `git status` to see what is wrong"
    )


def _unavailable(ref: str, ran: subprocess.CompletedProcess[bytes]) -> SourceError:
    """Explain why an existing commit cannot be read."""
    said = _sentence(ran)
    if "promisor remote" in said or "lazy fetching disabled" in ran.stderr.decode("utf-8", "replace"):
        hint = "fetch the rest with `git fetch --refetch --no-filter`, or clone without `--filter`"
        return SourceError(f"the clone is partial, and does not contain all files of `{show(ref)}`", hint=hint)
    reason = said or "its output is incomplete"
    return SourceError(f"git cannot read `{show(ref)}`: {reason}", hint="`git fsck` shows what is damaged")


def _absent(ref: str, said: str, *, is_shallow: bool) -> SourceError:
    """Explain why the revision does not exist, and what to do about it."""
    shown = show(ref)
    names = _lines("for-each-ref", f"--count={_MANY_REFS}", "--format=%(refname:lstrip=2)")
    if not names and not _exists("HEAD"):
        return SourceError(
            f"unknown revision `{shown}`: the repository has no commits yet",
            hint="commit something first, so that there is a revision to compare with",
        )
    base = _SUFFIX.split(ref, maxsplit=1)[0]
    if said and "single revision" not in said:  # git gives a more precise reason: no upstream, a tree, …
        return SourceError(f"unknown revision `{shown}`: {said}", hint="`git rev-parse` shows what a name refers to")
    shallow = f"the clone is shallow: fetch the rest with {FULL_HISTORY}" if is_shallow else None
    if base != ref and _exists(base or "HEAD"):
        hint = shallow or f"`git log {show(base or 'HEAD')}` lists the available commits"
        return SourceError(f"unknown revision `{shown}`: `{show(base or 'HEAD')}` does not go back that far", hint=hint)
    hints = (*_suggest(base, names), *((shallow,) if shallow else ()))
    hint = ", or ".join(hints).replace("?, or", "? or") or "`git branch --all` and `git tag` list the available names"
    return SourceError(f"unknown revision `{shown}` in this repository", hint=hint)


def _suggest(name: str, names: Sequence[str]) -> Iterator[str]:
    """Suggest what an unknown revision may refer to, and how to get it."""
    remotes = _lines("remote")
    remote, _, branch = name.partition("/")
    if remote not in remotes or not branch:
        remote, branch = ("origin" if "origin" in remotes else "".join(remotes[:1])), name
    default = _default_branch(remote, names)
    on_remote = f"{remote}/{branch}"
    near = on_remote if on_remote in names else nearest(name, (one for one in names if not one.endswith("/HEAD")))
    if branch in _DEFAULT_BRANCHES and default and default.removeprefix(f"{remote}/") != branch:
        yield f"the default branch of this repository is `{show(default)}`"
    elif near is not None:
        yield f"did you mean `{show(near)}`?"
    if remote and near != on_remote:
        if _OBJECT.fullmatch(name):
            yield f"fetch it with `git fetch {remote} {name}`"
        elif re.match(r"v?[0-9]", branch):
            yield f"fetch the tags with `git fetch {remote} --tags`"
        elif name == on_remote or near is None:
            yield f"fetch it with `git fetch {remote} {show(branch)}:refs/remotes/{show(on_remote)}`" + (
                "" if name == on_remote else f", and name `{show(on_remote)}`"
            )


def _default_branch(remote: str, names: Sequence[str]) -> str | None:
    """Return the default branch of a repository, if its clone knows it."""
    if remote and (head := _lines("symbolic-ref", "--short", "--quiet", f"refs/remotes/{remote}/HEAD")):
        return head[0]
    common = [name for name in _DEFAULT_BRANCHES if name in names]
    return common[0] if len(common) == 1 else names[0] if len(names) == 1 else None


def _exists(ref: str) -> bool:
    return not _run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}").returncode


def _lines(*arguments: str) -> list[str]:
    """Return the lines of git's output; none if it fails."""
    ran = _run(*arguments)
    return [] if ran.returncode else [line for line in _text(ran.stdout).split("\n") if line]
