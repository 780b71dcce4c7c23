"""Export: check contracts against a format, and write them in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from mcp_contracts.adapters.base import Loss, NotPortableError
from mcp_contracts.adapters.table import ExportOptions
from mcp_contracts.checks.exporting.formats import FORMAT_NAMES, FORMATS
from mcp_contracts.checks.lint import Selections, lint
from mcp_contracts.config import Config
from mcp_contracts.contract import Contracts, Placeholder, SourceFile, SpecFile, ToolContract
from mcp_contracts.diagnostics import Diagnostic, Finding, Place, Report, RuleSelection, Severity
from mcp_contracts.errors import SourceError, UsageError
from mcp_contracts.masking.mask import mask_text
from mcp_contracts.providers.limits.provider import Target
from mcp_contracts.providers.limits.table import TOOL_COUNTS
from mcp_contracts.records import dataclass, field, replace
from mcp_contracts.rules.files import placeholder_left
from mcp_contracts.rules.portability.tools import describe_bases, too_many_tools
from mcp_contracts.tool_names import nearest_names, qualified_name

_FAMILIES = ("MC0", "MC1", "MC3", "MC507", "MC6")
"""The rules whose errors prevent an export: file and format, names, schemas, hidden characters, portability."""
_PORTABILITY = "MC6"
_LEFT_TO_ADAPTERS = frozenset(
    ("MC101", "MC601", "MC602", "MC603", "MC606", "MC607", "MC608", "MC609", "MC610", "MC612")
)
"""Faults that the adapters fix or reject themselves, each reported as a loss with its place."""
_SECTION = "section:"
_UNSENT = ("5", "7", "8", "9")
"""The sections that no provider has a field for: errors, examples, security, migration."""


@dataclass(frozen=True, slots=True)
class Export:
    """Contracts in a format. `text` is the document with a final newline, or None if the report contains an error.

    `names` maps each name in the document to the contract's dotted name. `report` contains the findings of the rules
    for that format, `losses` what the format does not carry. `skipped` are the dotted names of tools that were left out
    because of errors, and `refusals` the reasons of the format.
    """

    format: str
    text: str | None
    report: Report
    names: Mapping[str, str] = field(default_factory=dict)
    losses: tuple[Loss, ...] = ()
    skipped: tuple[str, ...] = ()
    refusals: tuple[Loss, ...] = ()


def export(
    contracts: Contracts,
    format_name: str,
    *,
    options: ExportOptions | None = None,
    config: Config | None = None,
    selection: RuleSelection | None = None,
    skip_refused: bool = False,
) -> Export:
    """Write contracts in a format, deterministically and in the order of the contracts.

    `config` and `selection` select the rules and their severities, as in lint. `skip_refused` leaves out tools that
    have errors or no form in the format, unless none is left; an error of a whole file still prevents the export.
    Raises UsageError for an unknown format, for two tools with the same name, and if a prompt cannot meet its budget;
    NotPortableError if tools have no form in the format; and SourceError if no tools are given.
    """
    found = next((one for one in FORMATS if one.name == format_name), None)
    if found is None:
        raise UsageError(f"unknown format `{format_name}`", hint=f"the formats are {', '.join(FORMAT_NAMES)}")
    options = options or ExportOptions()
    target = None if found.row is None else found.row.target(options)
    left = None if options.is_complete else target
    report = export_report(
        contracts, target, config=config, selection=selection, placeholders_for=left, has_output=found.has_output
    )
    everything = contracts
    if report.count(Severity.ERROR):
        faulty = {one.tool for one in report.shown() if one.severity is Severity.ERROR}
        contracts = contracts if None in faulty or not skip_refused else _without(contracts, faulty)
        if len(contracts) in (0, len(everything)):
            return Export(format_name, None, report)
    if not len(contracts):
        raise SourceError("no tools to export", hint="pass a source that contains at least one tool")
    refusals: tuple[Loss, ...] = ()
    try:
        written = found.write(contracts, options)
    except NotPortableError as error:
        kept = _without(contracts, {loss.tool for loss in error.losses})
        if not skip_refused or len(kept) in (0, len(contracts)):
            raise
        contracts, refusals = kept, error.losses
        written = found.write(contracts, options)
    left_in = {qualified_name(contract) for contract in contracts}
    skipped = tuple(name for name in map(qualified_name, everything) if name not in left_in)
    return Export(format_name, written.text, report, written.names, written.losses, skipped, refusals)


def _without(contracts: Contracts, names: Collection[str | None]) -> Contracts:
    """Return the contracts whose names are not listed; names from a report are masked."""

    def is_kept(contract: ToolContract) -> bool:
        own = (contract.name, qualified_name(contract))
        return not {*own, *map(mask_text, own)} & set(names)

    return Contracts(tuple(_with_chosen(file, is_kept) for file in contracts.files))


def choose_tools(
    contracts: Contracts, *, tools: Sequence[str] = (), without: Sequence[str] = (), categories: Sequence[str] = ()
) -> Contracts:
    """Return the contracts that match the filters; without filters, all contracts.

    `tools` and `without` are names or patterns (`weather.*`), as in the source or dotted; `categories` are matched in
    any case. Raises UsageError for a filter that matches nothing.
    """
    if not (tools or without or categories):
        return contracts
    for pattern in (*tools, *without):
        if not any(_matches(contract, pattern) for contract in contracts):
            near = nearest_names(pattern, (qualified_name(contract) for contract in contracts), limit=1)
            hint = f"did you mean `{near[0]}`?" if near else "use a name, or a pattern such as `weather.*`"
            raise UsageError(f"unknown tool `{pattern}`", hint=hint)
    known = {contract.category.casefold(): contract.category for contract in contracts if contract.category}
    for category in categories:
        if category.casefold() not in known:
            listed = ", ".join(f"`{name}`" for name in sorted(known.values())[:10])
            raise UsageError(
                f"no tool has the category `{category}`",
                hint=f"the categories are {listed}" if known else "none of the tools has a category",
            )
    wanted = {category.casefold() for category in categories}

    def is_chosen(contract: ToolContract) -> bool:
        if any(_matches(contract, pattern) for pattern in without):
            return False
        if wanted and (contract.category or "").casefold() not in wanted:
            return False
        return not tools or any(_matches(contract, pattern) for pattern in tools)

    return Contracts(tuple(_with_chosen(file, is_chosen) for file in contracts.files))


def _with_chosen(file: SourceFile, is_chosen: Callable[[ToolContract], bool]) -> SourceFile:
    if isinstance(file, SpecFile):
        return replace(file, tools=tuple(tool for tool in file.tools if is_chosen(tool.contract)))
    return replace(file, contracts=tuple(filter(is_chosen, file.contracts)))


def _matches(contract: ToolContract, pattern: str) -> bool:
    names = (contract.name, qualified_name(contract), contract.source_name)
    return any(name is not None and (name == pattern or fnmatchcase(name, pattern)) for name in names)


# The rules


def export_report(
    contracts: Contracts,
    target: Target | None,
    *,
    config: Config | None = None,
    selection: RuleSelection | None = None,
    placeholders_for: Target | None = None,
    has_output: bool = True,
) -> Report:
    """Return the errors that prevent an export of contracts, and the warnings for its target.

    With `placeholders_for`, only placeholders in text that is sent to that target count. Without `has_output`, the
    format carries no output schemas, so errors in them do not count. All lint rules run, with the configuration's
    selection, severities and suppressions, except portability rules whose faults the adapters fix or refuse themselves.
    """
    config = replace(config or Config(None, Path()), targets=() if target is None else (target.name,))
    found = lint(contracts, config, selection=selection)
    together = Selections(config, selection or RuleSelection()).apply(_too_many_together(contracts, target))
    left = {
        one.place
        for contract in contracts
        for one in contract.placeholders
        if placeholders_for is None or _is_sent(contract, one)
    }
    stopping = (_as_export_error(one, left) for one in found.shown())
    concerning = (one for one in stopping if _concerns(one, target) and (has_output or one.part != "output"))
    diagnostics = [*concerning, *together]
    return Report(tuple(diagnostics), files=found.files, tools=found.tools)


def _as_export_error(diagnostic: Diagnostic, left: Collection[Place]) -> Diagnostic:
    """Turn a placeholder in a specification's tool into an error, because a model would mistake it for a statement."""
    if diagnostic.code != placeholder_left.info.code:
        return diagnostic
    return replace(diagnostic, severity=Severity.ERROR) if diagnostic.place in left else diagnostic


def _is_sent(contract: ToolContract, placeholder: Placeholder) -> bool:
    """Whether a placeholder is in a part that providers receive; no provider has a field for the rest."""
    line = placeholder.place.line
    above = [(place.line, name) for name, place in contract.places.items() if name.startswith(_SECTION)]
    section = max((one for one in above if one[0] <= line), default=(0, ""))[1].removeprefix(_SECTION)
    if section == "4":
        return contract.output_schema not in (None, {}, True)
    if section == "6":
        return contract.idempotent is not None
    return section not in _UNSENT


def _concerns(diagnostic: Diagnostic, target: Target | None) -> bool:
    if diagnostic.code in _LEFT_TO_ADAPTERS:
        return False
    if diagnostic.code.startswith(_PORTABILITY):
        return target is not None
    return diagnostic.severity is Severity.ERROR and diagnostic.code.startswith(_FAMILIES)


def _too_many_together(contracts: Contracts, target: Target | None) -> Iterator[Diagnostic]:
    """Apply MC604, which checks one file, to several files that are exported together."""
    limits = [limit for limit in TOOL_COUNTS if target in limit.basis.targets and len(contracts) > limit.most]
    if limits and all(len(file.contracts) <= limit.most for limit in limits for file in contracts.files):
        most = min(limit.most for limit in limits)
        whose = describe_bases(limit.basis for limit in limits)
        finding = Finding(
            f"{len(contracts)} tools are over the limit of {most} {whose}",
            "export fewer tools at a time: select them with `--tool` or `--category`",
        )
        yield Diagnostic.of(too_many_tools.info, finding, Place(contracts.files[0].path, 1, 1, 1, 1))
