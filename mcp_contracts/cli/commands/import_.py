"""`mcp-contracts import`: specifications from the contracts of another source."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

from mcp_contracts import lazy_re as re
from mcp_contracts.checks.exporting.export import choose_tools
from mcp_contracts.checks.lint import lint
from mcp_contracts.cli.command_line.parameters import Argument, Option, command_app
from mcp_contracts.cli.options import SOURCE_FORMS, ConfigFile, common_folder, read_config, read_contracts
from mcp_contracts.cli.output import EXIT_FINDINGS, EXIT_USAGE, complain, say
from mcp_contracts.cli.rewriting import Check, Diff, count_files, patch, print_patch
from mcp_contracts.cli.servers import ServerOptions
from mcp_contracts.config import Config
from mcp_contracts.contract import Contracts, ToolContract
from mcp_contracts.diagnostics import RuleSelection, Severity
from mcp_contracts.errors import ContractError, SourceError, UsageError
from mcp_contracts.importing.parts import SECTIONS
from mcp_contracts.importing.specs import ImportedSpec, Outcome, by_module, import_module
from mcp_contracts.parsing.discovery import Unreadable, read_text, show
from mcp_contracts.records import dataclass, field
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.lint_document import lint_document
from mcp_contracts.reporting.render import render
from mcp_contracts.reporting.visible import visible
from mcp_contracts.tool_names import fit_name
from mcp_contracts.writing.files import make_folder, replace_file, write_atomically
from mcp_contracts.writing.specs import spec_path

_OF_THE_SOURCE = RuleSelection(select=("MC001", "MC002", "MC008", "MC018", "MC019", "MC104", "MC304", "MC306", "MC324"))
"""The rules that prevent the import of a source or a part of it."""
_MODULE = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)*")


@command_app(
    "Write specs/weather/MCP_TOOL_SPECIFICATION.md for a tool list: import tools.json --into specs --module weather",
    "Import the tools of a Python package: import python:weather.tools --into specs",
    "Show what a newer list would change in the specifications: import tools.json --into specs --diff",
    "Fail in CI if the specifications are out of date: import tools.json --into specs --check",
)
def app(
    *,
    source: Annotated[str, Argument("SOURCE", f"What to import: {SOURCE_FORMS}.")],
    into: Annotated[Path, Option("--into DIR", "The folder with one subfolder for each module.", show_default=False)],
    module: Annotated[
        str | None,
        Option("--module NAME", "The module of tools whose names have none (default: the server's name, or `tools`)."),
    ] = None,
    tools: Annotated[list[str] | None, Option("--tool NAME", "Import only these tools (names, patterns).")] = None,
    exclude: Annotated[list[str] | None, Option("--exclude NAME", "Exclude these tools (names, patterns).")] = None,
    prune: Annotated[bool, Option("--prune", "Remove imported tools that are missing from the source.")] = False,
    check: Check = False,
    diff: Diff = False,
    servers: ServerOptions,
    config_file: ConfigFile = None,
) -> int:
    """Write specifications for the tools of another source, or update existing ones.

    Each tool goes into DIR/MODULE/MCP_TOOL_SPECIFICATION.md. Parts that the source does not provide become
    placeholders. A later import applies what changed in the source, and keeps everything else.
    """
    if module is not None and not _MODULE.fullmatch(module):
        hint = f"write `{fit_name(module)}`"
        raise UsageError(f"`--module {module}` is not a module name: lowercase letters, digits and `_`", hint=hint)
    config = read_config(common_folder([source]), config_file)
    if prune and (tools or exclude):
        hint = "omit `--prune`, or import all tools"
        raise UsageError("`--prune` cannot be combined with `--tool` or `--exclude`", hint=hint)
    hint = "pass a tool list, a bundle, Python functions, or a specification"
    access = servers.access([source])
    contracts = read_contracts([source], config, access, lack=f"nothing to import in `{source}`", hint=hint)
    has_errors = _tell_faults(contracts)
    chosen = choose_tools(contracts, tools=tools or (), without=exclude or ())
    is_whole = not (has_errors or tools or exclude)
    if prune and not is_whole:
        say("note: nothing is pruned, because part of the source could not be read")
    importing = _Import(into, config, is_dry=check or diff, is_diff=diff, is_pruning=prune, is_whole=is_whole)
    for name, members in by_module(_first_of_each(chosen), module=module).items():
        importing.import_module(name, members)
    importing.summarize()
    if importing.unwritten:
        return EXIT_USAGE
    is_stale = importing.changed and (check or diff)
    return EXIT_FINDINGS if has_errors or importing.tools["refused"] or is_stale else 0


def _first_of_each(tools: Iterable[ToolContract]) -> list[ToolContract]:
    """Leave out the tools that MC104 reports: those with the module, name and version of an earlier one."""
    found: dict[tuple[str | None, str, str | None], ToolContract] = {}
    for tool in tools:
        found.setdefault((tool.module, tool.name, tool.version), tool)
    return [*found.values()]


def _tell_faults(contracts: Contracts) -> bool:
    """Report the faults of the source itself, and return whether any is an error."""
    report = lint(contracts, Config(None, Path()), selection=_OF_THE_SOURCE)
    for line in (
        render("concise", lint_document(report), RenderContext(quiet=True)).splitlines() if report.shown() else ()
    ):
        say(line)
    has_errors = report.count(Severity.ERROR) > 0
    if not len(contracts):
        where = contracts.files[0].path
        hint = "fix the errors above" if has_errors else "pass a source that contains at least one tool"
        raise SourceError(f"no tools to import in `{where}`", hint=hint)
    return has_errors


@dataclass(slots=True)
class _Import:
    """The import of a source, module by module, with counts of the results for files and tools."""

    into: Path
    config: Config
    is_dry: bool
    is_diff: bool
    is_pruning: bool
    is_whole: bool
    changed: int = 0
    unwritten: int = 0
    tools: Counter[str] = field(default_factory=Counter)

    def import_module(self, module: str, contracts: Sequence[ToolContract]) -> None:
        """Import the tools of one module, and report the outcome of each."""
        path = spec_path(self.into, module)
        try:
            old = self._old(path)
            imported = import_module(
                show(path), module, old, contracts, is_pruning=self.is_pruning, is_whole=self.is_whole
            )
            is_changed = imported.text != (old or "")
            if is_changed and not self.is_dry:
                _write(path, old, imported.text)
        except ContractError as error:
            complain(error.message, error.hint)
            self.unwritten += 1
            return
        self.changed += is_changed
        self.tools.update(outcome.state for outcome in imported.outcomes)
        if is_changed and self.is_diff:
            print_patch(patch(show(path), old or "", imported.text, is_new=old is None))
        for line in _lines(show(path), imported, would="would be " if self.is_dry else "", is_changed=is_changed):
            say(visible(line))

    def summarize(self) -> None:
        """Report the number of files and tools of each kind."""
        would = "would be " if self.is_dry else ""
        said = [f"{count_files(self.changed)} {would}written"] if self.changed else []
        said += [f"{count_files(self.unwritten)} not written"] if self.unwritten else []
        known = ("added", "updated", "removed", "unchanged", "missing", "refused")
        said += [f"{self.tools[state]} {state}" for state in known if self.tools[state]]
        say(", ".join(said))

    def _old(self, path: Path) -> str | None:
        """Return the text of an existing specification. Raises UsageError if it cannot be read."""
        if not os.path.lexists(path):
            return None
        text = read_text(path, limit=self.config.limits.max_file_size)
        if isinstance(text, Unreadable):
            raise UsageError(f"{text.shown}: {text.fault.message}", hint=text.fault.hint)
        return text


def _write(path: Path, old: str | None, new: str) -> None:
    if old is not None:
        replace_file(path, old, new)
        return
    make_folder(path.parent)
    if os.path.lexists(path):
        raise UsageError(f"`{show(path)}` was created in the meantime", hint="run the command again")
    write_atomically(path, new)


_WORDS = {name: f"the {name}" for name in SECTIONS} | {"input": "the input schema", "output": "the output schema"}


def _lines(path: str, imported: ImportedSpec, *, would: str, is_changed: bool) -> Iterator[str]:
    """Report the outcome for the tools of one specification."""
    tool_lines = [line for outcome in imported.outcomes for line in _tool_lines(outcome)]
    if is_changed or tool_lines:
        yield f"{would}imported: {path}" if is_changed else f"unchanged: {path}"
    yield from tool_lines
    if is_changed and imported.missing:
        count = sum(imported.missing.values())
        listed = ", ".join(f"{name} ({number})" for name, number in imported.missing.items())
        yield f"  {count} placeholder{'s' if count > 1 else ''} to fill in: {listed}"


def _tool_lines(outcome: Outcome) -> Iterator[str]:
    """Report the outcome for a tool; nothing for an unchanged one."""
    decision, tool = outcome.decision, f"`{outcome.name}`"
    match outcome.state:
        case "updated":
            parts = [_words(decision.taken)] if decision.taken else []
            parts += [f"removed {_words(decision.removed)}"] if decision.removed else []
            yield f"  updated {tool}: {'; '.join(parts)}"
        case "refused":
            yield f"  not updated {tool}: {outcome.reason}"
        case "missing":
            yield f"  missing {tool}: the source does not contain it; `--prune` removes it"
        case "added" | "removed":
            yield f"  {outcome.state} {tool}"
    if decision.replaced:
        yield f"    replaced manual edits: {_words(decision.replaced)}"
    if decision.kept:
        yield f"  kept in {tool}: {_words(decision.kept)}"
    if outcome.lost:
        yield f"  left out of {tool}, because a specification cannot represent it: {_words(outcome.lost)}"


def _words(names: Sequence[str]) -> str:
    return ", ".join(_WORDS.get(name, f"the {name}") for name in names)
