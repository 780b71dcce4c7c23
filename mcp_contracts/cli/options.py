"""Options that commands share, and where their output goes."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from mcp_contracts.cli.cache_folder import VARIABLE
from mcp_contracts.cli.command_line.parameters import CONFIGURATION, REPORT, RULES, Option
from mcp_contracts.cli.output import say, write_output
from mcp_contracts.config import Config, load_config
from mcp_contracts.contract import Contracts
from mcp_contracts.diagnostics import RuleInfo, RuleSelection, Severity
from mcp_contracts.errors import ConfigurationError, SourceError, UsageError
from mcp_contracts.files.trees import is_in_git_folder, is_inside, search_root
from mcp_contracts.parsing.discovery import EXCLUDED, Skipped, show
from mcp_contracts.records import replace
from mcp_contracts.reporting.visible import visible
from mcp_contracts.rule_names import rule_prefix, rule_suggestion
from mcp_contracts.rules.listing import known_rules
from mcp_contracts.sources.load import find_all
from mcp_contracts.sources.paths import NamedFile
from mcp_contracts.sources.servers.access import ServerAccess
from mcp_contracts.sources.source import Found, read_found
from mcp_contracts.sources.standard_input import INPUT, Input
from mcp_contracts.sources.table import forms, source_of

_CACHE = "Cache"

Color = Literal["auto", "always", "never"]
ColorOption = Annotated[Color, Option("--color", "Color the text output.", REPORT)]
ConfigFile = Annotated[Path | None, Option("--config FILE", "Use this configuration file.", CONFIGURATION)]
Isolated = Annotated[bool, Option("--isolated", "Ignore all configuration files.", CONFIGURATION)]
IgnoredRules = Annotated[list[str] | None, Option("--ignore CODES", "Do not run these rules.", RULES)]
Severities = Annotated[
    list[str] | None, Option("--severity CODE=LEVEL", "Set a rule's severity: error, warning, note or off.", RULES)
]


ForceExclude = Annotated[
    bool,
    Option(
        "--force-exclude",
        "Also apply `exclude` to files that are named on the command line (for pre-commit).",
        CONFIGURATION,
    ),
]
InputName = Annotated[
    str | None,
    Option(
        "--stdin-filename FILE",
        "With `-`: the path to use for standard input in reports and in the configuration.",
        CONFIGURATION,
    ),
]


CacheFolder = Annotated[
    str | None,
    Option(
        "--cache-dir DIR", f"Keep the cache in this folder (default: `{VARIABLE}`, or the user's cache folder).", _CACHE
    ),
]
NoCache = Annotated[bool, Option("--no-cache", "Read all files, and do not use the cache.", _CACHE)]


def read_selection(
    select: Sequence[str] = (),
    extend_select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    severity: Sequence[str] = (),
) -> RuleSelection:
    """Return the rules that a command line selects. Raises UsageError for an unknown one, with the closest match."""
    levels: list[tuple[str, Severity]] = []
    off: list[str] = []
    for item in severity:
        name, equals, level = item.partition("=")
        level = level.strip().lower()
        if not equals or level not in (*Severity, "off"):
            known = f"the levels are {', '.join(f'`{one}`' for one in Severity)} and `off`"
            raise UsageError(
                f"`--severity {item}` is not `CODE=LEVEL`",
                hint=known if equals else "write, for example, `--severity MC305=error`",
            )
        if level == "off":
            off.extend(_codes("--severity", name))
        else:
            levels.extend((code, Severity(level)) for code in _codes("--severity", name))
    return RuleSelection(
        select=tuple(code for item in select for code in _codes("--select", item)),
        extend_select=tuple(code for item in extend_select for code in _codes("--extend-select", item)),
        ignore=(*(code for item in ignore for code in _codes("--ignore", item)), *off),
        severity=tuple(levels),
    )


def _codes(option: str, text: str) -> list[str]:
    codes = []
    for word in text.replace(",", " ").split():
        code = rule_prefix(word, known_rules())
        if code is None:
            hint = rule_suggestion(word, known_rules())
            raise UsageError(f"`{option} {word}`: no such rule", hint=hint)
        codes.append(code)
    if not codes:
        raise UsageError(f"`{option}` is empty", hint="`mcp-contracts rules` lists them")
    return codes


*_FIRST, _LAST = (f"{form.what} ({', '.join(form.examples)})" for form in forms())
SOURCE_FORMS = f"{', '.join(_FIRST)}, or {_LAST}"
"""The ways to name a source, for the help of commands."""


def common_folder(sources: Sequence[str]) -> Path:
    """Return the folder in which the search for a configuration begins: the common folder of all sources."""
    folders = [folder for source in sources if (folder := source_of(source).folder(source)) is not None]
    return Path(os.path.commonpath(folders)) if folders else Path.cwd()


def read_config(folder: Path, file: Path | None, *, isolated: bool = False) -> Config:
    """Return the configuration that applies to a folder, a given configuration, or the defaults if files are
    ignored."""
    if isolated:
        if file is not None:
            raise UsageError("`--config` has no effect with `--isolated`", hint="omit one of the two")
        return Config(None, Path(os.path.abspath(folder)))
    return load_config(folder, known=known_rules(), changes=_change_rules, file=file)


def _change_rules() -> Sequence[RuleInfo]:
    from mcp_contracts.changes.registry import change_rule_infos  # the engine, only needed for levels of changes

    return change_rule_infos()


def configured_sources(sources: Sequence[str], config: Config, ref: str | None = None) -> tuple[str, ...]:
    """Return the given sources, else those of the configuration relative to the working directory, else the working
    directory.

    For a comparison with a git revision, globs of the configuration also match its files.
    """
    if sources:
        return tuple(sources)
    if not config.paths:
        return (".",)
    from mcp_contracts.cli.path_globs import is_glob, matches  # for `paths` in a configuration

    listed: dict[str, int] = {}
    for index, source in enumerate(config.paths):
        for one in matches(source, index, config, ref) if is_glob(source, config.root) else (source,):
            listed.setdefault(one, index)
    return tuple(_resolve_configured_source(source, index, config) for source, index in listed.items())


def _resolve_configured_source(source: str, index: int, config: Config) -> str:
    """Return a source of the configuration, relative to the working directory. It must be inside the project, because a
    pull request may have written it.
    """
    here, path = source_of(source).in_project(source, config.root)
    if path is not None and (is_in_git_folder(path) or not is_inside(path, search_root(config.root))):
        where = show(config.path or config.root)
        raise ConfigurationError(
            f"{where}: `paths[{index}]` points outside the project",
            hint="name a file or folder in the project; only the command line can name others outside it",
        )
    return here


def read_contracts(sources: Sequence[str], config: Config, servers: ServerAccess, *, lack: str, hint: str) -> Contracts:
    """Return the contracts of some sources. Raises SourceError if there are none, with `lack` as its message."""
    size = config.limits.max_file_size
    found = find_all(sources, is_excluded=config.is_excluded, max_file_size=size, servers=servers)
    contracts = Contracts(tuple(read_found(found, max_file_size=size)))
    if not contracts.files:
        raise SourceError(lack, hint=hint)
    return contracts


NO_SPEC = "pass a specification, a folder that contains one, or a JSON tool list"


def without_excluded(found: Iterable[Found], config: Config) -> Iterator[Found]:
    """Return the found files, with those that `exclude` matches skipped even if they are named."""
    for item in found:
        if isinstance(item, NamedFile | Input) and config.is_excluded(item.path):
            yield Skipped(Path(item.path), EXCLUDED, is_folder=False)
        else:
            yield item


def with_input_name(found: Iterable[Found], name: str | None) -> Iterator[Found]:
    """Return the found files, with standard input under the name of the file that it represents."""
    return (replace(item, path=name) if name is not None and isinstance(item, Input) else item for item in found)


def check_input_name(name: str | None, sources: Sequence[str]) -> None:
    """Raise UsageError if a name is given for standard input, but standard input is not read."""
    if name is not None and INPUT not in sources:
        raise UsageError("`--stdin-filename` names standard input, which is not read", hint="add `-` as the source")


def no_files_error(
    what: str, named: Sequence[str], skipped: Sequence[Skipped], config: Config, *, hint: str
) -> SourceError:
    """Return the error for a search that found no file, with what was skipped and why."""
    names = ", ".join(f"`{name}`" for name in named)
    if not skipped:
        return SourceError(f"{what} in {names}", hint=hint)
    if len(skipped) == 1:
        [one] = skipped
        why = f"`{show(one.path)}{'/' if one.is_folder else ''}` is {one.reason}"
    else:
        reasons = Counter(one.reason for one in skipped)
        listed = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
        why = f"{len(skipped):,} files and folders are skipped ({listed})"
    if any(one.reason == EXCLUDED for one in skipped) and config.path is not None:
        hint = f"`exclude` in `{show(config.path)}` lists what is skipped"
    return SourceError(f"{what} in {names}: {why}", hint=hint)


def tell_skipped(skipped: Sequence[Skipped], *, is_verbose: bool) -> None:
    """Report on standard error which files a search skipped, and whether tracked files may be among them."""
    for one in skipped if is_verbose else ():
        say(f"skipped: {visible(show(one.path))}{'/' if one.is_folder else ''}: {one.reason}")
    if any(not one.is_tracking_known for one in skipped):
        say(
            "note: git cannot list the files that the repository tracks, so some of them may have been skipped\n"
            "  help: run `git ls-files` to see why; `--verbose` names what was skipped"
        )


def has_colors(choice: str) -> bool:
    """Whether to color what goes to standard output (https://no-color.org; FORCE_COLOR as the counterpart)."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal() and os.environ.get("TERM") != "dumb"


def is_terminal() -> bool:
    """Whether standard output is a terminal; a closed one is None in Python."""
    return sys.stdout is not None and sys.stdout.isatty()


def complain_of_warnings(count: int, allowed: int) -> None:
    """Report on standard error that a run has too many warnings."""
    found = "1 warning is" if count == 1 else f"{count} warnings are"
    say(f"error: {found} more than the {allowed} allowed")


def terminal_width() -> int:
    """Return the maximum width of a line in cells: the terminal's, or 100 if the output is not a terminal."""
    if not is_terminal() and "COLUMNS" not in os.environ:
        return 100
    import shutil  # imports all compression modules

    return max(40, min(shutil.get_terminal_size((100, 24)).columns, 160))


def deliver(text: str, output: Path | None, *, is_error: bool = False) -> None:
    """Write to a file atomically, or to standard output as UTF-8 regardless of the locale.

    With `is_error`, write to standard error instead of standard output.
    """
    if output is not None:
        from mcp_contracts.writing.files import write_atomically

        write_atomically(output, text)
        return
    if is_error:
        say(text.removesuffix("\n"))
        return
    write_output(text.encode("utf-8", "replace"))
