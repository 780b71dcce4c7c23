"""The shared part of commands that rewrite specifications: the files, the writing, the messages and the exit code."""

from __future__ import annotations

import difflib
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

from mcp_contracts.cli import options
from mcp_contracts.cli.command_line.parameters import Argument, Option
from mcp_contracts.cli.output import EXIT_FINDINGS, EXIT_USAGE, complain, say
from mcp_contracts.config import Config
from mcp_contracts.errors import ContractError, SourceError, UsageError
from mcp_contracts.parsing.discovery import SPEC_NAME, Skipped, Unreadable, read_text, show
from mcp_contracts.records import dataclass, field
from mcp_contracts.reporting.visible import visible
from mcp_contracts.sources.load import find_all
from mcp_contracts.sources.paths import NamedFile, Paths
from mcp_contracts.sources.standard_input import INPUT, Input
from mcp_contracts.sources.table import source_of
from mcp_contracts.writing.files import make_folder, replace_file, write_atomically

PathsToRewrite = Annotated[
    list[str] | None,
    Argument(
        "[PATH]...",
        "A specification, a folder searched for specifications, or `-` for standard input. Default: the "
        "`paths` in the configuration, or the working directory.",
    ),
]
Check = Annotated[bool, Option("--check", "Write nothing, and exit with 1 if a file would change.")]
Diff = Annotated[
    bool, Option("--diff", "Write nothing, print the changes as a patch, and exit with 1 if there are any.")
]


@dataclass(frozen=True, slots=True)
class RewrittenFile:
    """A file's new text, with notes of one line each.

    `done` is the word for the change, if it differs from the command's.
    """

    text: str
    notes: tuple[str, ...] = ()
    done: str | None = None


@dataclass(frozen=True, slots=True)
class RewriteSettings:
    """How a command rewrites: the function that changes text, given its displayed path, and the word for the change.

    `is_check` writes nothing and fails for files that would change; `is_diff` also prints the changes. `into` is the
    folder that all files are written to, changed or not, instead of changing them in place. `input_name` is the file
    that standard input represents; `is_exclude_forced` says that named files may be excluded as well.
    """

    change: Callable[[str, str], RewrittenFile]
    done: str
    is_check: bool
    is_diff: bool
    into: Path | None = None
    input_name: str | None = None
    is_exclude_forced: bool = False


_COPIED = "copied"


@dataclass(slots=True)
class _Counts:
    changed: Counter[str] = field(default_factory=Counter)
    unchanged: int = 0
    failed: int = 0
    unwritten: int = 0


def rewrite(paths: Sequence[str], rewriting: RewriteSettings) -> int:
    """Rewrite the files of a command line, report what was done on standard error, and return the exit code."""
    options.check_input_name(rewriting.input_name, paths)
    named = (rewriting.input_name,) if rewriting.input_name is not None else paths
    config = options.read_config(options.common_folder(named), None)
    if INPUT in paths:
        if len(paths) > 1:
            raise UsageError("`-` cannot be combined with other paths", hint="pass only `-`")
        if rewriting.into is not None:
            raise UsageError("`-` cannot be combined with `--into`", hint="redirect standard output instead")
        return _rewrite_input(rewriting, config)
    counts = _Counts()
    for path in _files(paths, config, is_exclude_forced=rewriting.is_exclude_forced):
        if isinstance(path, Unreadable):
            _complain(path)
            counts.failed += 1
        else:
            _rewrite_file(path, rewriting, config, counts, paths)
    _summarize(counts, rewriting)
    if counts.unwritten:
        return EXIT_USAGE
    is_stale = counts.changed.total() and (rewriting.is_check or rewriting.is_diff)
    return EXIT_FINDINGS if counts.failed or is_stale else 0


def _files(paths: Sequence[str], config: Config, *, is_exclude_forced: bool) -> Iterator[Path | Unreadable]:
    """Yield the named specifications, each once; for the sources of the configuration, only the files."""
    sources = options.configured_sources(paths, config)
    for source in sources:
        if paths and not isinstance(source_of(source), Paths):
            hint = f"pass an `{SPEC_NAME}` or a folder"
            raise UsageError(f"`{source}` cannot be rewritten: it is not a file or a folder", hint=hint)
    named = [source for source in sources if isinstance(source_of(source), Paths)]
    named = [source for source in named if paths or not source.lower().endswith(".json")]
    found = list(find_all(named, is_excluded=config.is_excluded, max_file_size=config.limits.max_file_size))
    if is_exclude_forced:
        found = list(options.without_excluded(found, config))
    skipped = [item for item in found if isinstance(item, Skipped)]
    options.tell_skipped(skipped, is_verbose=False)
    explicit = {os.path.abspath(source) for source in paths}
    seen = set()
    for item in found:
        if isinstance(item, Skipped) or item.identity in seen:
            continue
        seen.add(item.identity)
        if isinstance(item, Unreadable):
            yield item
        elif isinstance(item, NamedFile):
            if item.path.suffix.lower() == ".json":
                if item.identity not in explicit:
                    continue  # a search finds tool lists as well
                hint = f"pass an `{SPEC_NAME}` or a folder"
                raise UsageError(f"`{show(item.path)}` is a tool list, not a specification", hint=hint)
            yield item.path
    hint = f"pass an `{SPEC_NAME}` or a folder that contains one"
    if not seen and not (is_exclude_forced and skipped):
        if not named:
            raise SourceError("the configuration does not name a specification", hint=hint)
        raise options.no_files_error("no specification found", named, skipped, config, hint=hint)


def _rewrite_file(
    path: Path, rewriting: RewriteSettings, config: Config, counts: _Counts, named: Sequence[str]
) -> None:
    old = read_text(path, limit=config.limits.max_file_size)
    if isinstance(old, Unreadable):
        _complain(old)
        counts.failed += 1
        return
    shown = show(path)
    new = rewriting.change(shown, old)
    is_changed = new.text != old
    done = (new.done or rewriting.done) if is_changed else _COPIED
    if not is_changed and (rewriting.into is None or rewriting.is_check or rewriting.is_diff):
        counts.unchanged += 1
    elif rewriting.is_check or rewriting.is_diff:
        counts.changed[done] += 1
        if rewriting.is_diff:
            print_patch(patch(shown, old, new.text))
        else:
            say(f"would be {done}: {visible(shown)}")
    else:
        try:
            _save(path, old, new.text, rewriting.into, named)
        except ContractError as error:
            complain(error.message, error.hint)
            counts.unwritten += 1
            return
        counts.changed[done] += 1
        say(f"{done}: {visible(shown)}")
    for note in new.notes:
        say(f"  {visible(note)}")


def _save(path: Path, old: str, new: str, into: Path | None, named: Sequence[str]) -> None:
    """Write a changed text to its file, or to a new file of the same name below `into`."""
    if into is None:
        replace_file(path, old, new)
        return
    target = into / _inner(path, named)
    if os.path.lexists(target):
        raise UsageError(f"`{show(target)}` exists and is not overwritten", hint="pass an empty folder")
    make_folder(target.parent)
    write_atomically(target, new)


def _inner(path: Path, named: Sequence[str]) -> Path:
    """Return the path of a file below the folder that a command line names, with the folder that names its module."""
    whole = Path(os.path.abspath(path))
    folders = [Path(os.path.abspath(one)) for one in named or (".",)]
    below = next((folder for folder in folders if folder in whole.parents and folder.is_dir()), whole.parent)
    inner = whole.relative_to(below)
    return inner if len(inner.parts) > 1 else Path(whole.parent.name) / inner


def _rewrite_input(rewriting: RewriteSettings, config: Config) -> int:
    """Rewrite standard input to standard output."""
    name = rewriting.input_name or INPUT
    shown = show(name)
    old = Input(name).text(limit=config.limits.max_file_size)
    if isinstance(old, Unreadable):
        _complain(old)
        return EXIT_FINDINGS
    is_excluded = rewriting.is_exclude_forced and name != INPUT and config.is_excluded(name)
    new = RewrittenFile(old) if is_excluded else rewriting.change(shown, old)
    for note in new.notes:
        say(visible(note))
    if rewriting.is_check or rewriting.is_diff:
        if rewriting.is_diff:
            print_patch(patch(shown, old, new.text))
        return EXIT_FINDINGS if new.text != old else 0
    options.deliver(new.text, None)
    return 0


def patch(path: str, old: str, new: str, *, is_new: bool = False) -> str:
    """Return the change as a patch for `git apply` and `patch`."""
    before = "/dev/null" if is_new else f"a/{path}"
    lines = difflib.unified_diff(_lines(old), _lines(new), before, f"b/{path}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """Split text into lines like a patch: only LF ends a line."""
    return [f"{line}\n" for line in text.split("\n")[:-1]] + [last for last in text.split("\n")[-1:] if last]


def print_patch(text: str) -> None:
    """Print a patch: unchanged for a program, with hidden characters escaped on a terminal."""
    is_watched = sys.stdout is not None and sys.stdout.isatty()
    options.deliver("\n".join(map(visible, text.split("\n"))) if is_watched else text, None)


def _summarize(counts: _Counts, rewriting: RewriteSettings) -> None:
    would = "would be " if rewriting.is_check or rewriting.is_diff else ""
    said = [f"{count_files(number)} {would}{done}" for done, number in sorted(counts.changed.items(), reverse=True)]
    said += [f"{count_files(counts.unchanged)} unchanged"] if counts.unchanged else []
    said += [f"{count_files(counts.failed)} not read"] if counts.failed else []
    said += [f"{count_files(counts.unwritten)} not written"] if counts.unwritten else []
    say(", ".join(said))


def count_files(number: int) -> str:
    return f"{number} file{'s' if number != 1 else ''}"


def _complain(unreadable: Unreadable) -> None:
    complain(f"{unreadable.shown}: {unreadable.fault.message}", unreadable.fault.hint)
