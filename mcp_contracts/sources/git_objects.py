"""The `git` command: what a commit holds, read as objects, and why a revision cannot be had.

Nothing here touches the checkout, the index or a ref: each command only reads, none runs a hook, a filter or a pager,
and none reaches for a remote.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mcp_contracts.errors import SourceError, UsageError
from mcp_contracts.parsing.discovery import show
from mcp_contracts.rule_names import nearest

LINK = "120000"
SUBMODULE = "160000"
FULL_HISTORY = "`git fetch --unshallow`, or `fetch-depth: 0` for actions/checkout"

_TIMEOUT = 60.0
"""How many seconds one git command may take. A checkout of a million files is listed in two."""

_RENAME_LIMIT = 3000
_MANY_REFS = 10_000
_OBJECT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_UNFIT = re.compile("[\x00-\x1f\x7f\ud800-\udc7f\udd00-\udfff]")  # surrogates that stand for no byte of a name
_SUFFIX = re.compile(r"[~^]|@\{")
_DEFAULT_BRANCHES = ("main", "master", "trunk", "develop")


class Entry(NamedTuple):
    """A file of a tree: its mode as git writes it, and the object that holds it."""

    mode: str
    object_id: str


@dataclass(frozen=True, slots=True)
class Tree:
    """All files of a commit. `ref` is how a person named it; paths are relative to the repository's root, with `/`.

    `prefix` is the working folder as seen from the root, "" for the root; None where there is no checkout around it.
    """

    ref: str
    commit: str
    prefix: str | None
    entries: Mapping[str, Entry]


def check_ref(ref: str) -> None:
    """Raise `UsageError` where a text can name no commit, whatever the repository holds."""
    if not ref:
        raise UsageError("a git revision has no name", hint="name one: `HEAD`, a branch, a tag or a commit")
    if _UNFIT.search(ref):
        raise UsageError("a git revision cannot hold control characters", hint="name a branch, a tag or a commit")
    shown = show(ref)
    if ref.startswith(("-", "^")):
        raise UsageError(
            f"`{shown}` is no git revision: none begins with `{ref[0]}`", hint="name a branch, a tag or a commit"
        )
    if ":" in ref:
        raise UsageError(
            f"`{shown}` is no git revision: none holds a `:`", hint="name the path as an argument of its own"
        )
    if ".." in ref and "{" not in ref:
        raise UsageError(
            f"`{shown}` is a range of commits, not one", hint=f"name one: `{shown.split('..')[0] or 'HEAD'}`"
        )


def open_tree(ref: str) -> Tree:
    """What a revision holds, as the working folder's repository has it.

    Raises `UsageError` for what cannot be a revision, and `SourceError` where git, the repository or the revision
    cannot be had.
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
    listing = _run("ls-tree", "-r", "-z", "--full-tree", commit)
    if listing.returncode:
        raise _unavailable(ref, listing)
    folder = prefix.removesuffix("\n").removesuffix("/") if is_inside == "true" else None
    return Tree(ref, commit, folder, dict(_entries(listing.stdout)))


def _entries(listing: bytes) -> Iterator[tuple[str, Entry]]:
    for line in _text(listing).split("\0"):
        facts, _, path = line.partition("\t")
        if path:
            mode, _, object_id = facts.split(" ")
            yield path, Entry(mode, object_id)


def top_folder() -> str | None:
    """The root of the checkout, as an absolute path; None in a bare repository."""
    shown = _run("rev-parse", "--show-toplevel")
    return _text(shown.stdout).removesuffix("\n") if not shown.returncode else None


def sizes(tree: Tree, objects: Sequence[str]) -> list[int]:
    """How many bytes each object has, without reading any."""
    if not objects:
        return []
    answer = _run("cat-file", "--batch-check=%(objectsize)", stdin="".join(f"{one}\n" for one in objects).encode())
    found = _text(answer.stdout).split()
    if answer.returncode or len(found) != len(objects) or not all(map(str.isdecimal, found)):
        raise _unavailable(tree.ref, answer)
    return [int(size) for size in found]


def contents(tree: Tree, objects: Sequence[str]) -> list[bytes]:
    """The raw content of each object, as it was committed: no filter and no conversion of line ends is applied.

    One process answers for all. Nothing bounds what it holds: ask for `sizes` first.
    """
    if not objects:
        return []
    answer = _run("cat-file", "--batch", stdin="".join(f"{one}\n" for one in objects).encode())
    found = list(_batch(answer.stdout))
    if answer.returncode or len(found) != len(objects):
        raise _unavailable(tree.ref, answer)
    return found


def _batch(answer: bytes) -> Iterator[bytes]:
    """The contents in an answer of `cat-file --batch`, up to the first that is not whole."""
    at = 0
    while (end := answer.find(b"\n", at)) >= 0:
        size = answer[at:end].rpartition(b" ")[2]
        at = end + 1
        if not size.isdigit() or at + int(size) >= len(answer):
            return
        yield answer[at : at + int(size)]
        at += int(size) + 1


def renames(tree: Tree) -> dict[str, str]:
    """The old path of each file that was renamed since, by its new one: as git judges it, and as far as it was staged.

    The index is compared, not the checkout: so git neither reads files of the checkout nor runs filters on them.
    """
    compared = _run(
        "diff-index", "--cached", "--find-renames", f"-l{_RENAME_LIMIT}", "--diff-filter=R", "--name-status", "-z",
        tree.commit,
    )  # fmt: skip
    if compared.returncode:
        raise _unavailable(tree.ref, compared)
    fields = _text(compared.stdout).split("\0")[:-1]
    return dict(zip(fields[2::3], fields[1::3], strict=True))


def _run(*arguments: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    """What git answers, whatever its exit code. Raises `SourceError` where it gives no answer at all."""
    # Handed on whole, since git takes its bearings from the environment (GIT_DIR, GIT_WORK_TREE, HOME, PATH); on top of
    # that: no lock and no prompt, nothing fetched behind the user's back, and messages that we can read.
    environment = {
        **os.environ,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",  # what GIT_NO_LAZY_FETCH is to a git before 2.45
        "LC_ALL": "C",
    }
    command = ("git", "--no-pager", "-c", "core.fsmonitor=false", *arguments)
    try:
        # Without input it must not read ours, which may be a specification that is piped in.
        ran = subprocess.run(
            command,
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            env=environment,
            timeout=_TIMEOUT,
            check=False,
        )
    except FileNotFoundError as error:
        raise SourceError(
            "a git revision needs the `git` command, which is not there",
            hint="install git, or check the revision out elsewhere and name its folder",
        ) from error
    except subprocess.TimeoutExpired as error:
        raise SourceError(
            f"`git {arguments[0]}` gave no answer within {_TIMEOUT:g} seconds",
            hint=f"run `git {arguments[0]}` by hand to see what it waits for",
        ) from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SourceError(f"`git` cannot be run: {reason}", hint="check that `git --version` works here") from error
    if ran.returncode < 0:
        raise SourceError(f"`git {arguments[0]}` was ended by signal {-ran.returncode}", hint="run it again")
    return ran


def _text(answer: bytes) -> str:
    """What git writes: names of files are bytes to it, those that are not UTF-8 too."""
    return answer.decode("utf-8", "surrogateescape")


def _sentence(ran: subprocess.CompletedProcess[bytes]) -> str:
    """What git says is wrong, in its own words; "" where it says nothing."""
    lines = ran.stderr.decode("utf-8", "replace").splitlines()
    said = next((line for line in lines if line.startswith(("fatal: ", "error: "))), "")
    return "".join(character if character.isprintable() else "\ufffd" for character in said.partition(": ")[2].strip())


def _no_repository(ran: subprocess.CompletedProcess[bytes]) -> SourceError:
    said = _sentence(ran)
    if said.startswith("not a git repository (or any"):
        hint = "run it inside the repository, or name files and folders instead of a revision"
        return SourceError("the working folder is in no git repository", hint=hint)
    if "dubious ownership" in said:
        advice = re.search(r"git config --global --add safe\.directory \S.*", ran.stderr.decode("utf-8", "replace"))
        hint = f"if you trust it, run `{advice[0].strip()}`" if advice else "see `safe.directory` in `git help config`"
        return SourceError(f"git refuses the repository: {said}", hint=hint)
    return SourceError(
        f"git cannot use the repository: {said or 'it gives no reason'}", hint="run `git status` to see what is wrong"
    )


def _unavailable(ref: str, ran: subprocess.CompletedProcess[bytes]) -> SourceError:
    """Why a commit that is there cannot be read."""
    said = _sentence(ran)
    if "promisor remote" in said or "lazy fetching disabled" in ran.stderr.decode("utf-8", "replace"):
        hint = "fetch the rest with `git fetch --refetch --no-filter`, or clone without `--filter`"
        return SourceError(f"the clone is partial, and does not hold all files of `{show(ref)}`", hint=hint)
    reason = said or "its answer is not complete"
    return SourceError(f"git cannot read `{show(ref)}`: {reason}", hint="`git fsck` shows what is damaged")


def _absent(ref: str, said: str, *, is_shallow: bool) -> SourceError:
    """Why there is no such revision, and what to do about it."""
    shown = show(ref)
    names = _lines("for-each-ref", f"--count={_MANY_REFS}", "--format=%(refname:lstrip=2)")
    if not names and not _exists("HEAD"):
        return SourceError(
            f"there is no revision `{shown}`: the repository has no commits yet",
            hint="commit something first; until then there is nothing to compare with",
        )
    base = _SUFFIX.split(ref, maxsplit=1)[0]
    if said and "single revision" not in said:  # git knows better than that it is missing: no upstream, a tree, …
        return SourceError(
            f"there is no revision `{shown}`: {said}", hint="`git rev-parse` shows what a name stands for"
        )
    shallow = f"the clone is shallow: fetch the rest with {FULL_HISTORY}" if is_shallow else None
    if base != ref and _exists(base or "HEAD"):
        hint = shallow or f"`git log {show(base or 'HEAD')}` shows the commits that are there"
        return SourceError(f"there is no revision `{shown}`: `{show(base or 'HEAD')}` does not reach so far", hint=hint)
    hints = (*_meant(base, names), *((shallow,) if shallow else ()))
    hint = ", or ".join(hints).replace("?, or", "? or") or "`git branch --all` and `git tag` show what is there"
    return SourceError(f"there is no revision `{shown}` in this repository", hint=hint)


def _meant(name: str, names: Sequence[str]) -> Iterator[str]:
    """What a name that is no revision may stand for, and how it could be had."""
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
    """The branch that a repository's work goes to, as far as its clone knows."""
    if remote and (head := _lines("symbolic-ref", "--short", "--quiet", f"refs/remotes/{remote}/HEAD")):
        return head[0]
    common = [name for name in _DEFAULT_BRANCHES if name in names]
    return common[0] if len(common) == 1 else names[0] if len(names) == 1 else None


def _exists(ref: str) -> bool:
    return not _run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}").returncode


def _lines(*arguments: str) -> list[str]:
    """The lines that git answers; none where it fails."""
    ran = _run(*arguments)
    return [] if ran.returncode else [line for line in _text(ran.stdout).split("\n") if line]
