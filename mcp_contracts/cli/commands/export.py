"""`mcp-contracts export`: write contracts as a document for a provider or a program."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from mcp_contracts.adapters.base import Loss, NotPortableError
from mcp_contracts.adapters.grammar.forms import FORM_NAMES
from mcp_contracts.adapters.mcp_schemas import Era
from mcp_contracts.adapters.openai import Interface
from mcp_contracts.adapters.table import ADAPTERS, ExportOptions
from mcp_contracts.checks.exporting.export import Export, choose_tools, export
from mcp_contracts.checks.exporting.formats import FORMAT_NAMES, formats_with, option_help
from mcp_contracts.checks.exporting.staleness import Staleness, staleness
from mcp_contracts.cli import options
from mcp_contracts.cli.command_line.parameters import Argument, Option, command_app
from mcp_contracts.cli.output import EXIT_FINDINGS, complain, say
from mcp_contracts.cli.reports import MaxWarnings
from mcp_contracts.cli.servers import ServerOptions
from mcp_contracts.diagnostics import Report, Severity
from mcp_contracts.errors import UsageError
from mcp_contracts.files.trees import open_regular, tree_root
from mcp_contracts.parsing.discovery import SPEC_NAME
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.lint_document import lint_document
from mcp_contracts.reporting.render import render
from mcp_contracts.reporting.visible import json_text, visible

_MOST_CHARACTERS = 50_000  # lines of each kind on standard error
_NAMED = 5
_MOST_BYTES = 100_000_000
"""The maximum number of bytes read of a compared file; a longer file always differs."""


if TYPE_CHECKING:
    ExportFormat = str
    CallFormName = str
else:
    CallFormName = Literal[FORM_NAMES]
    ExportFormat = Literal[FORMAT_NAMES]  # type checkers do not evaluate a table

_TOOLS = "Which tools"
_FORM = "Form of the document"


@command_app(
    "Write the tool list of an MCP server: export specs/ --to mcp --output tools.json",
    "Write strict tools for OpenAI, and the mapping of their names: export specs/ --to openai-strict -o openai.json "
    "--names names.json",
    "Fail in CI if the committed file is out of date: export --to mcp -o tools.json --check",
    "Describe the tools of a module in a prompt of at most 4,000 characters: export --to prompt --budget 4000 --tool "
    '"weather.*"',
)
def app(
    *,
    format_name: Annotated[ExportFormat, Option("--to", "The format to write.", show_default=False)],
    sources: Annotated[
        list[str] | None,
        Argument(
            "[SOURCE]...",
            f"What to export: {options.SOURCE_FORMS}. Default: the `paths` in the configuration, "
            "or the working directory.",
        ),
    ] = None,
    output: Annotated[Path | None, Option("--output -o FILE", "Write the document to a file.")] = None,
    check: Annotated[bool, Option("--check", "Write nothing; fail if the --output file is out of date.")] = False,
    names: Annotated[
        Path | None, Option("--names FILE", "Write the mapping from exported names to tool names.")
    ] = None,
    quiet: Annotated[bool, Option("--quiet -q", "Print only errors, not warnings or losses.")] = False,
    tools: Annotated[
        list[str] | None, Option("--tool NAME", "Export only these tools (names, patterns).", _TOOLS)
    ] = None,
    exclude: Annotated[
        list[str] | None, Option("--exclude NAME", "Exclude these tools (names, patterns).", _TOOLS)
    ] = None,
    categories: Annotated[
        list[str] | None, Option("--category NAME", "Export only the tools in these categories.", _TOOLS)
    ] = None,
    era: Annotated[Era | None, Option("--era", option_help("era"), _FORM)] = None,
    api: Annotated[Interface | None, Option("--api", option_help("api"), _FORM)] = None,
    complete: Annotated[bool, Option("--complete", option_help("complete"), _FORM)] = False,
    plain_where_refused: Annotated[
        bool, Option("--plain-where-refused", option_help("plain-where-refused"), _FORM)
    ] = False,
    whitespace: Annotated[bool, Option("--whitespace", option_help("whitespace"), _FORM)] = False,
    call_form: Annotated[CallFormName | None, Option("--call-form", option_help("call-form"), _FORM)] = None,
    lossy: Annotated[bool, Option("--lossy", option_help("lossy"), _FORM)] = False,
    strict: Annotated[bool, Option("--strict", option_help("strict"), _FORM)] = False,
    skip_refused: Annotated[
        bool,
        Option(
            "--skip-refused", "Skip tools that have errors or that the format cannot express, and export the others."
        ),
    ] = False,
    budget: Annotated[int | None, Option("--budget N", option_help("budget"), _FORM, min=1)] = None,
    ignore: options.IgnoredRules = None,
    servers: ServerOptions,
    max_warnings: MaxWarnings = None,
    config_file: options.ConfigFile = None,
) -> int:
    """Export contracts for a provider, or as a grammar or a prompt.

    Anything that a format cannot represent is reported on standard error, with its tool and place. If the provider
    would reject a tool, nothing is written.
    """
    stated = {
        "era": ("era", era),
        "api": ("interface", api),
        "complete": ("is_complete", complete),
        "plain-where-refused": ("plain_where_refused", plain_where_refused),
        "whitespace": ("has_whitespace", whitespace),
        "call-form": ("call_form", call_form),
        "lossy": ("is_lossy", lossy),
        "strict": ("is_strict", strict),
        "budget": ("budget", budget),
    }
    given: dict[str, Any] = {}
    for option, (field, value) in stated.items():
        if value:
            _check_option(option, format_name, formats_with(option))
            given[field] = value
    if names is not None:
        _check_option("names", format_name, [row.name for row in ADAPTERS])
    if check and output is None:
        raise UsageError("`--check` has no file to compare with", hint="pass one with `--output FILE`")
    if names is not None and output is not None and os.path.realpath(names) == os.path.realpath(output):
        raise UsageError("`--names` and `--output` are the same file", hint="use two different files")
    sources = sources or []
    selection = options.read_selection(ignore=ignore or ())
    config = options.read_config(options.common_folder(sources), config_file)
    named = options.configured_sources(sources, config)
    lack = f"nothing to export: no `{SPEC_NAME}` in {', '.join(f'`{name}`' for name in named)}"
    read = options.read_contracts(named, config, servers.access(named), lack=lack, hint=options.NO_SPEC)
    contracts = choose_tools(read, tools=tools or (), without=exclude or (), categories=categories or ())
    chosen = ExportOptions(**given)
    try:
        exported = export(
            contracts, format_name, options=chosen, config=config, selection=selection, skip_refused=skip_refused
        )
    except NotPortableError as error:
        return _refuse(error, format_name, has_skipped=skip_refused)
    _tell(exported.report, quiet=quiet)
    text = exported.text
    if text is None:
        return _refuse_errors(exported.report, len(contracts), has_skipped=skip_refused)
    if exported.skipped:
        _tell_lines([f"refused: {_loss_line(loss)}" for loss in exported.refusals], "refusals")
        say(f"warning: {visible(_list_names(exported.skipped, 'is', 'are'))} left out because of errors")
    if not quiet:
        _tell_lines([f"lost: {line}" for line in _loss_lines(exported.losses)], "losses")
    warnings = exported.report.count(Severity.WARNING)
    limit = max_warnings if max_warnings is not None else config.max_warnings
    if limit is not None and warnings > limit:
        options.complain_of_warnings(warnings, limit)
        return EXIT_FINDINGS
    text = text.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate, which no file can contain
    files: list[tuple[Path | None, str, str]] = [(output, text, format_name)]
    files += [(names, json_text(dict(exported.names)), "names")] if names is not None else []
    if check:
        return max(_check(path, fresh, name, exported) for path, fresh, name in files if path is not None)
    for path, fresh, _ in files:
        options.deliver(fresh, path)
    return 0


def _check_option(option: str, format_name: str, formats: Sequence[str]) -> None:
    if format_name not in formats:
        listed = " and ".join(filter(None, (", ".join(f"`{name}`" for name in formats[:-1]), f"`{formats[-1]}`")))
        raise UsageError(f"`--{option}` does not apply to `{format_name}`", hint=f"it applies to {listed}")


# Messages on standard error


def _tell(report: Report, *, quiet: bool) -> None:
    if any(one.severity is Severity.ERROR or not quiet for one in report.shown()):
        text = render("concise", lint_document(report), RenderContext(quiet=quiet))
        _tell_lines(text.splitlines(), "lines of the report; run `mcp-contracts lint` to see them")


def _tell_lines(lines: Sequence[str], what: str) -> None:
    """Print the first lines, and the number of those left out."""
    left = _MOST_CHARACTERS
    for number, line in enumerate(lines):
        left -= len(line)
        if left < 0:
            say(f"note: {len(lines) - number:,} more {what}")
            return
        say(line)


def _refuse(error: NotPortableError, format_name: str, *, has_skipped: bool) -> int:
    _tell_lines([f"refused: {_loss_line(loss)}" for loss in error.losses], "refusals")
    tools = list(dict.fromkeys(loss.tool for loss in error.losses))
    schemas, them = ("schema", "the tool") if len(tools) == 1 else ("schemas", "the tools")
    ways = [f"fix the {schemas}"]
    if not has_skipped:  # otherwise no tool is left
        ways.append(f"leave {them} out with `--skip-refused` or `--exclude`")
    if format_name in formats_with("lossy"):
        ways.append("permit losses with `--lossy`")
    if format_name in formats_with("plain-where-refused"):
        ways.append(f"send {them} in non-strict mode with `--plain-where-refused`")
    shown = _list_names(tools, "has", "have")
    return _complain(f"{shown} no equivalent in `{format_name}`, so nothing is exported", _joined(ways))


def _refuse_errors(report: Report, tools: int, *, has_skipped: bool) -> int:
    found = [one.tool for one in report.shown() if one.severity is Severity.ERROR]
    named = sorted({tool for tool in found if tool is not None})
    left = 0 if has_skipped or None in found else tools - len(named)
    ways = ["fix them", "ignore a rule with `--ignore CODE`"]
    if left > 0:
        ways.append(f"write the other {'tool' if left == 1 else f'{left:,} tools'} with `--skip-refused`")
    shown = f"{_list_names(named, 'has', 'have')} errors" if named else "the contracts have errors"
    return _complain(f"nothing is exported: {shown}", _joined(ways))


def _joined(ways: Sequence[str]) -> str:
    return ", or ".join(filter(None, (", ".join(ways[:-1]), ways[-1])))


def _complain(message: str, hint: str | None) -> int:
    complain(message, hint)
    return EXIT_FINDINGS


def _loss_lines(losses: Iterable[Loss]) -> list[str]:
    """Return a line for each loss; losses of whole tools and shared losses are one line with a count."""
    folded: dict[tuple[str, str], list[Loss]] = {}
    for index, loss in enumerate(losses):
        alone = "" if loss.part != "input" and not loss.pointer else str(index)
        folded.setdefault((f"{loss.part} {loss.keyword} {loss.message}", alone), []).append(loss)
    return [_loss_line(same[0], others=len({loss.tool for loss in same}) - 1) for same in folded.values()]


def _loss_line(loss: Loss, *, others: int = 0) -> str:
    tools = loss.tool if not others else f"{loss.tool} and {others} more tool{'' if others == 1 else 's'}"
    at = f" {loss.part} {loss.pointer}" if loss.pointer else ""
    return visible(f"{tools}{at}: {loss.message}")


# Checking


def _check(path: Path, text: str, format_name: str, exported: Export) -> int:
    """Compare a file with the text that would be written; return 1 if it is out of date."""
    hint = "run the same command without `--check`, and commit the file"
    try:
        with open(open_regular(path, tree_root(path)), "rb") as file:
            committed = file.read(_MOST_BYTES).decode("utf-8", "replace")
    except FileNotFoundError:
        return _complain(f"`{path}` is missing", hint)
    except OSError as error:
        raise UsageError(f"`{path}` cannot be read: {(error.strerror or str(error)).lower()}") from error
    stale = staleness(committed, text, format_name=format_name, names=exported.names)
    return 0 if stale is None else _complain(f"`{path}` is out of date: {_stale_words(stale)}", hint)


def _stale_words(stale: Staleness) -> str:
    parts = (
        _list_names(stale.changed, "changed", "changed"),
        _list_names(stale.missing, "is not in it", "are not in it"),
        _list_names(stale.extra, "no longer exists", "no longer exist"),
    )
    return ", ".join(filter(None, parts)) or f"it differs starting at line {stale.line}"


def _list_names(names: Sequence[str], one: str, many: str) -> str:
    if not names:
        return ""
    shown = ", ".join(f"`{name}`" for name in names[:_NAMED])
    rest = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{shown}{rest} {one if len(names) == 1 else many}"
