"""Check a live server against its contracts, with a report like that of a lint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from mcp_contracts.change import Change
from mcp_contracts.checks.diff import UNREADABLE, compare
from mcp_contracts.checks.lint import finish, rule_options
from mcp_contracts.checks.verification.cases import Case
from mcp_contracts.checks.verification.fuzzing import Fuzz, codes_of, failures
from mcp_contracts.checks.verification.plan import CallPolicy, PlannedCall, is_accepted, may_call, planned_calls
from mcp_contracts.config import Config
from mcp_contracts.contract import Contracts, SourceFile, ToolContract, ToolListFile
from mcp_contracts.diagnostics import Diagnostic, Report, RuleSelection
from mcp_contracts.masking.mask import SecretMask
from mcp_contracts.records import dataclass, field, replace
from mcp_contracts.rules.live.engine import run_live_rules
from mcp_contracts.rules.live.observed import LiveContracts, LiveTool, Matches, ObservedCall, match
from mcp_contracts.rules.registry import LINT_RULES, LIVE_RULES
from mcp_contracts.rules.running.engine import run_rules
from mcp_contracts.sources.servers.access import Server, ServerAccess

if TYPE_CHECKING:
    from mcp_contracts.checks.verification.probing import Caller, Listing  # the SDK, which is an extra

_MAX_LIST = 20_000_000  # bytes
_OF_THE_LIST = UNREADABLE | {"MC104"}
"""The lint rules for the server's list: faults that hide a tool from the comparison, including a duplicate name."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The report, the text that it quotes, and the calls that were and were not made."""

    report: Report
    texts: Mapping[str, str] = field(default_factory=dict)
    calls: int = 0
    called: int = 0
    not_called: int = 0
    found: tuple[Case, ...] = ()
    """The smallest calls that fuzzing found."""


def verify(
    contracts: Contracts,
    server: Server,
    access: ServerAccess,
    config: Config,
    *,
    selection: RuleSelection | None = None,
    policy: CallPolicy = "safe",
    fuzz: Fuzz | None = None,
    cases: Sequence[Case] = (),
    today: date | None = None,
) -> Verification:
    """Check a server against contracts. `cases` are calls that failed once, and are made again.

    Raises SourceError if the server cannot be reached, and UsageError without the SDK.
    """
    from mcp_contracts.runtime.remote.sessions import require_mcp

    require_mcp()
    from mcp_contracts.checks.verification.probing import Caller, probe

    listing = probe(server, access)
    caller = Caller(server, access)
    live, uncalled = _observe(contracts, listing, caller, policy, config, cases)
    found: tuple[Case, ...] = ()
    if fuzz is not None:
        live, found = _fuzz(live, caller, policy, fuzz)
    report = report_of(live, config, selection=selection, today=today)
    texts = {file.path: file.text for file in (*contracts.files, *live.listed.files)}
    return Verification(report, texts, calls=caller.count, called=len(caller.tools), not_called=uncalled, found=found)


def report_of(
    live: LiveContracts, config: Config, *, selection: RuleSelection | None = None, today: date | None = None
) -> Report:
    """Return the diagnostics of the rules about an observed server."""
    options = rule_options(config, selection)
    files: tuple[SourceFile, ...] = (*live.contracts.files, *live.listed.files)
    unreadable = [rule for rule in LINT_RULES if rule.info.code in UNREADABLE]
    of_the_list = [rule for rule in LINT_RULES if rule.info.code in _OF_THE_LIST]
    found: list[Diagnostic] = [
        *run_rules(live.contracts, unreadable, options),
        *run_rules(live.listed, of_the_list, options),
        *run_live_rules(live, LIVE_RULES, options),
    ]
    looked_for = [rule.info.code for rule in LIVE_RULES]
    diagnostics = finish(found, files, config, selection, today=today, looked_for=looked_for)
    report = Report(diagnostics, files=len(live.contracts.files), tools=len(live.contracts))
    return SecretMask(file.text for file in files).everything(report)


def _observe(
    contracts: Contracts,
    listing: Listing,
    caller: Caller,
    policy: CallPolicy,
    config: Config,
    cases: Sequence[Case],
) -> tuple[LiveContracts, int]:
    """Return the observations of a server, and the number of tools that were not called."""
    file = listing.server.read(limit=_MAX_LIST)
    matches = match(contracts, file.contracts)
    changes = _changes(matches, file, config)
    pairs = matches.pairs
    planned = [
        (*planned_calls(contract, listed), *_replay(contract, cases)) if may_call(contract, policy) else ()
        for contract, listed in pairs
    ]
    names = [listed.name for (_, listed), calls in zip(pairs, planned, strict=True) for _ in calls]
    flat = [call for calls in planned for call in calls]
    answers = iter(caller.answers((name, call.arguments) for name, call in zip(names, flat, strict=True)))
    tools = tuple(
        LiveTool(
            contract,
            listed,
            changes.get(id(contract), ()),
            tuple(ObservedCall(call.arguments, next(answers), call.purpose, call.is_valid) for call in calls),
        )
        for (contract, listed), calls in zip(pairs, planned, strict=True)
    )
    live = LiveContracts(
        contracts,
        Contracts((file,)),
        listing.server.shown,
        tools=tools,
        missing=matches.missing,
        extra=matches.extra,
        first_list=listing.first_list,
        second_list=listing.second_list,
        unknown_tool=listing.unknown_tool,
        stray_line=listing.server.stray_line,
    )
    return live, sum(not may_call(contract, policy) for contract, _ in pairs)


def _replay(contract: ToolContract, cases: Iterable[Case]) -> tuple[PlannedCall, ...]:
    """Return the cases of a tool that can still be checked."""
    known = [(case, is_accepted(contract, case.arguments)) for case in cases if case.tool == contract.name]
    return tuple(PlannedCall(case.arguments, "case", is_valid=valid) for case, valid in known if valid is not None)


def _fuzz(
    live: LiveContracts, caller: Caller, policy: CallPolicy, fuzz: Fuzz
) -> tuple[LiveContracts, tuple[Case, ...]]:
    """Return the observations with the failing calls that sampling found, and these calls as cases."""
    callable_tools = [tool for tool in live.tools if may_call(tool.contract, policy)]
    by_tool = dict(zip(map(id, callable_tools), failures(callable_tools, caller, fuzz), strict=True))
    tools: list[LiveTool] = []
    cases: list[Case] = []
    for tool in live.tools:
        found = by_tool.get(id(tool), ())
        known = {code for call in tool.calls for code in codes_of(tool, call)}
        new = [one for one in found if one.code not in known]  # one call for each rule is enough
        cases += [Case(tool.contract.name, one.call.arguments, one.code) for one in new]
        tools.append(replace(tool, calls=(*tool.calls, *(one.call for one in new))))
    return replace(live, tools=tuple(tools)), tuple(cases)


def _changes(matches: Matches, file: ToolListFile, config: Config) -> dict[int, tuple[Change, ...]]:
    """Return the changes from each contract to the tool that is listed for it, by the identity of the contract."""
    pairs = {contract.name: (contract, listed) for contract, listed in reversed(matches.pairs)}
    old = _side([contract for contract, _ in pairs.values()], pairs, file)
    new = _side([listed for _, listed in pairs.values()], pairs, file)
    report = compare(old, new, policy=config.diff.policy, unknown="ignore").report
    by_name = {tool.tool: tool.changes for tool in report.tools}
    return {id(contract): by_name.get(name, ()) for name, (contract, _) in pairs.items()}


def _side(tools: Sequence[ToolContract], names: Iterable[str], file: ToolListFile) -> Contracts:
    renamed = (replace(tool, name=name, module="live") for tool, name in zip(tools, names, strict=True))
    return Contracts((ToolListFile(file.path, "", contracts=tuple(renamed)),))
