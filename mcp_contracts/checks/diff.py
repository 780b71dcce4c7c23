"""Compare two sets of contracts: the changes of each tool, their verdicts, and whether the versions announce the
changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import get_args

from mcp_contracts.change import (
    LEVELS,
    Change,
    DiffReport,
    Policy,
    ToolDiff,
    ToolState,
    UnknownPolicy,
    Verdict,
    level_of,
)
from mcp_contracts.changes.absent import SchemaDirection, as_arguments
from mcp_contracts.changes.base import ToolPair
from mcp_contracts.changes.matching import pair_tools
from mcp_contracts.changes.policies import SchemaComparison, check_policy
from mcp_contracts.changes.questions import LEAST_STEPS
from mcp_contracts.changes.registry import TOOL_RULES
from mcp_contracts.changes.schemas import compare_schemas
from mcp_contracts.changes.tools import tool_unreadable
from mcp_contracts.changes.versions import module_diffs, with_coverage
from mcp_contracts.checks.acceptance import Acceptance, SinceRelease, apply_accepted
from mcp_contracts.checks.lint import finish
from mcp_contracts.checks.releases import release_diagnostics
from mcp_contracts.config import Config
from mcp_contracts.config.accepted import AcceptedChange
from mcp_contracts.contract import Contracts, JsonValue, SchemaPart, ToolContract
from mcp_contracts.diagnostics import Diagnostic, Finding, Place, Related, Severity
from mcp_contracts.errors import ContractError, UsageError
from mcp_contracts.files.hashing import sha256
from mcp_contracts.masking.mask import SecretMask
from mcp_contracts.records import dataclass, field, replace
from mcp_contracts.rules.across_files import duplicate_tool_name
from mcp_contracts.rules.base import RuleOptions
from mcp_contracts.rules.running.engine import run_rules
from mcp_contracts.rules.suppressions import SUPPRESSION_RULES
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.json_equality import same_json

UNREADABLE = frozenset(("MC001", "MC002", "MC003", "MC008", "MC013", "MC029", "MC304", "MC306", "MC316", "MC324"))
"""The lint rules for a side, or a part of it, that could not be read. A comparison may miss the changes that it hides.
"""


RUN_STEPS = 100_000
"""The steps that all schema comparisons of a run may take, plus STEPS_PER_COMPARISON for each."""
STEPS_PER_COMPARISON = 350
"""The steps that each comparison adds: enough for two schemas with a few ordinary changes."""
MOST_RUN_STEPS = 220_000
"""The maximum number of steps of a run, regardless of its number of comparisons."""
CHARACTERS_PER_STEP = 40
"""The characters of changed tools that are read per step; comparisons do not get these steps."""
_OLD_FAULT = (
    "this error is in the old version: compare with a later version, or accept the changes that it hides with "
    "`mcp-contracts diff --unknown error --accept`"
)
_OF_SUPPRESSIONS = frozenset(rule.code for rule in SUPPRESSION_RULES)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A complete comparison: the report, the effect of accepted changes, and our witnesses that were not confirmed.

    `tools` are those of the report before secrets were masked, for digests only; they must not be printed.
    """

    report: DiffReport
    tools: tuple[ToolDiff, ...]
    acceptance: Acceptance
    troubles: tuple[str, ...] = ()
    releases: Callable[[], tuple[SinceRelease, ...]] = field(default=tuple, compare=False)
    """The comparison with the last releases of tools that break here, or that accepted changes mention."""


def diff(
    old: Contracts,
    new: Contracts,
    *,
    policy: Policy = "declared",
    unknown: UnknownPolicy = "warn",
    accepted: Sequence[AcceptedChange] = (),
    today: date | None = None,
) -> DiffReport:
    """Compare two sets of contracts.

    `policy` says how schemas are read (`docs/changes.md`), `unknown` how an undecided change counts. `accepted` are the
    changes that a project has accepted; `today` decides whether an acceptance has expired.
    """
    return compare(old, new, policy=policy, unknown=unknown, accepted=accepted, today=today).report


def compare(
    old: Contracts,
    new: Contracts,
    *,
    policy: Policy = "declared",
    unknown: UnknownPolicy = "warn",
    accepted: Sequence[AcceptedChange] = (),
    today: date | None = None,
    config: Config | None = None,
    is_whole: bool = False,
    releases: Callable[[], Sequence[Contracts]] = tuple,
) -> Comparison:
    """Like `diff`, with everything that a command needs in addition to the report.

    `config` sets the levels of changes, and the rules of the diagnostics and their severities; `is_whole` means that
    all tools of a project are compared, so that accepted changes that occur nowhere are stale. `releases` load the
    contracts of the last releases; breaks since then remain accepted until the next release.
    """
    for contracts in (old, new):
        if not isinstance(contracts, Contracts):
            raise ContractError("`diff` expects contracts", hint="load them first: `diff(load(old), load(new))`")
    check_policy(policy)
    if unknown not in get_args(UnknownPolicy):
        raise UsageError(f"invalid value for `unknown`: `{unknown}`", hint="choose `warn`, `error` or `ignore`")
    troubles: list[str] = []
    config = config or Config(None, Path())
    pairs = pair_tools(old, new)
    run = _compare_pairs(pairs, policy, characters=sum(len(file.text) for side in (old, new) for file in side.files))
    tools = [_with_levels(_tool_diff(pair, policy, troubles, run, new), config, unknown) for pair in pairs]
    named = {tool.tool for tool in tools if tool.verdict is not Verdict.COMPATIBLE} | {one.tool for one in accepted}

    @cache
    def since_releases() -> tuple[SinceRelease, ...]:
        budget = Budget(MOST_RUN_STEPS)
        return tuple(SinceRelease(held, _diff_named_tools(held, new, policy, named, budget)) for held in releases())

    mask = SecretMask(file.text for contracts in (old, new) for file in contracts.files)
    acceptance = apply_accepted(
        tools, accepted, old, new, today=today, mask=mask, is_whole=is_whole, releases=since_releases
    )
    modules = module_diffs(acceptance.tools, old, new)
    covered = with_coverage(acceptance.tools, modules)
    diagnostics = [
        *_old_faults(old, acceptance.tools),
        *_reading_faults(new),
        *_duplicates(old, "old"),
        *_duplicates(new, "new"),
        *acceptance.diagnostics,
        *release_diagnostics(covered, modules, old, new, unknown=unknown),
    ]
    finished = finish(dict.fromkeys(diagnostics), new.files, config, None, today=today, looked_for=())
    ours = tuple(one for one in finished if one.code not in _OF_SUPPRESSIONS)
    report = DiffReport(policy, modules, covered, ours)
    return Comparison(mask.everything(report), covered, acceptance, mask.everything(tuple(troubles)), since_releases)


def _diff_named_tools(
    old: Contracts, new: Contracts, policy: Policy, named: Collection[str], budget: Budget
) -> tuple[ToolDiff, ...]:
    pairs = [pair for pair in pair_tools(old, new) if pair.name in named]
    run = _compare_pairs(pairs, policy, budget)
    return tuple(_tool_diff(pair, policy, [], run, new) for pair in pairs)


@dataclass(slots=True)
class _Run:
    """The budget for all comparisons of a run, the number of remaining ones, and the minimum for each.

    `differing` are the schemas of each pair that are not the same on both sides, by the pair's name.
    """

    budget: Budget
    comparisons: int
    least: int
    differing: Mapping[str, Sequence[_Sides]]

    def next(self) -> Budget:
        """Return the budget of the next comparison."""
        share = self.budget.share(self.comparisons, self.least)
        self.comparisons -= 1
        return self.budget.part(share)


def run_steps(comparisons: int, characters: float) -> float:
    """Return the number of steps for all comparisons of a run, given the characters of the tools that changed."""
    most = min(MOST_RUN_STEPS, RUN_STEPS + comparisons * STEPS_PER_COMPARISON)
    return max(RUN_STEPS, most - characters / CHARACTERS_PER_STEP)


def _compare_pairs(
    pairs: Collection[ToolPair], policy: Policy, budget: Budget | None = None, *, characters: int = 0
) -> _Run:
    differing = {
        pair.name: [sides for sides in _schemas(*pair.both) if not same_json(*sides[1:])]
        for pair in pairs
        if pair.both is not None
    }
    count = sum(map(len, differing.values()))
    read = characters * sum(map(bool, differing.values())) / max(1, len(pairs))
    least = LEAST_STEPS * (2 if policy == "strict" else 1)
    return _Run(Budget(run_steps(count, read)) if budget is None else budget, count, least, differing)


_Sides = tuple[SchemaDirection, JsonValue, JsonValue]


def _schemas(old: ToolContract, new: ToolContract) -> Iterator[_Sides]:
    """Yield both schemas of each direction; None if a side does not state it."""
    yield "input", old.input_schema, new.input_schema
    yield "output", old.output_schema, new.output_schema


def _with_levels(tool: ToolDiff, config: Config, unknown: UnknownPolicy) -> ToolDiff:
    """Return the tool with the level of each change. An undecided change never counts more than a break would."""
    if not tool.changes:
        return tool
    changes = []
    for change in tool.changes:
        level = level_of(change, unknown)
        if level is not None:
            change = replace(change, level=max(level, config.diff.level(change.code), key=LEVELS.index))
        changes.append(change)
    return replace(tool, changes=tuple(changes))


def _tool_diff(pair: ToolPair, policy: Policy, troubles: list[str], run: _Run, new: Contracts) -> ToolDiff:
    changes = tuple(_with_fingerprints(_changes(pair, policy, troubles, run), pair.name))
    contract = pair.new or pair.old
    assert contract is not None  # a pair has at least one side
    verdicts = {change.verdict for change in changes}
    verdict = next((one for one in (Verdict.BREAKING, Verdict.UNKNOWN) if one in verdicts), Verdict.COMPATIBLE)
    state = ToolState.CHANGED if changes else ToolState.UNCHANGED
    if pair.old is None:
        state = ToolState.ADDED
    elif pair.new is None:
        state = ToolState.REMOVED
        changes = tuple(
            replace(change, place=_current_place(change.place or contract.place, new)) for change in changes
        )
    return ToolDiff(
        tool=pair.name,
        state=state,
        verdict=verdict,
        changes=changes,
        module=contract.module or contract.name.rpartition(".")[0] or None,
        renamed_to=pair.renamed_to,
        old_version=pair.old.version if pair.old is not None else None,
        new_version=pair.new.version if pair.new is not None else None,
        place=contract.place if pair.new is not None else _current_place(contract.place, new),
    )


def _current_place(place: Place, new: Contracts) -> Place:
    """Convert a place in a git revision to the head of the file that still exists, for removals."""
    _, colon, path = place.path.partition(":")
    held = next((file.path for file in new.files if colon and f"/{path}".endswith(f"/{file.path}")), None)
    return place if held is None else Place(held, 1, 1, 1, 1)


def _changes(pair: ToolPair, policy: Policy, troubles: list[str], run: _Run) -> Iterator[Change]:
    for rule in TOOL_RULES:
        yield from rule.changes(pair)
    if pair.both is None:
        return
    old, new = pair.both
    for direction, was, now in run.differing[pair.name]:
        if direction in pair.unreadable_parts:
            continue
        if direction == "input":
            was, now = as_arguments(was), as_arguments(now)
        before, after = (contract.input if direction == "input" else contract.output for contract in (old, new))
        compared: SchemaComparison = compare_schemas(
            was,
            now,
            direction=direction,
            policy=policy,
            budget=run.next(),
        )
        troubles.extend(f"{new.name}: {trouble}" for trouble in compared.troubles)
        for change in compared.changes:
            yield replace(change, place=_place(change, before, after, new))


def _place(change: Change, before: SchemaPart | None, after: SchemaPart | None, tool: ToolContract) -> Place:
    """Return the place of a change: in the new text, or in the old text if the new one has no such schema."""
    if after is not None:
        # A pointer that no longer exists leads to its former container.
        pointer = change.new_pointer if change.new_pointer is not None else change.old_pointer or ""
        return after.locator.place(pointer, on_key=change.new_pointer is not None)
    if before is not None and change.old_pointer is not None:
        return before.locator.place(change.old_pointer, on_key=True)
    return tool.place


def _with_fingerprints(changes: Iterable[Change], tool: str) -> Iterator[Change]:
    """Yield each change with a fingerprint of code, tool, direction, pointer and ordinal."""
    seen: Counter[str] = Counter()
    for change in changes:
        pointer = change.new_pointer if change.new_pointer is not None else change.old_pointer or ""
        key = "\0".join((change.code, tool, change.direction, pointer))
        digest = sha256(f"{key}\0{seen[key]}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
        seen[key] += 1
        yield replace(change, fingerprint=digest)


def _old_faults(contracts: Contracts, tools: Iterable[ToolDiff]) -> Iterator[Diagnostic]:
    """Yield the faults of the old side, which cannot be fixed. They are errors until the changes that they hide are
    accepted."""
    undecided = [change for tool in tools for change in tool.changes if change.code == tool_unreadable.info.code]
    is_accepted = bool(undecided) and all(change.accepted is not None for change in undecided)
    for fault in _reading_faults(contracts):
        severity = Severity.NOTE if is_accepted else fault.severity
        yield replace(fault, severity=severity, hint=_OLD_FAULT)


def _duplicates(contracts: Contracts, side: str) -> Iterator[Diagnostic]:
    """Yield the tools of one side that repeat a name: only the first tool of a name is compared."""
    first_by_name: dict[str, ToolContract] = {}
    for tool in contracts:
        first = first_by_name.setdefault(tool.name, tool)
        if first is not tool:
            finding = Finding(
                f"`{show(tool.name)}` is defined twice on the {side} side, and only the first is compared",
                "rename one of them, or compare fewer sources",
                related=(Related(first.place_of("name"), "the first tool with this name"),),
            )
            yield Diagnostic.of(duplicate_tool_name.info, finding, tool.place_of("name"), tool.name)


def _reading_faults(contracts: Contracts) -> Iterator[Diagnostic]:
    if not contracts.faults:  # these rules only report faults
        return
    from mcp_contracts.rules.registry import LINT_RULES  # slow to import

    rules = [rule for rule in LINT_RULES if rule.info.code in UNREADABLE]
    yield from run_rules(contracts, rules, RuleOptions())
