"""Run the rules over files, and convert their findings to diagnostics with places."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from mcp_contracts.contract import Contracts, SourceFile, SpecFile, SpecTool, ToolContract, ToolListFile
from mcp_contracts.diagnostics import Diagnostic, Finding, Place
from mcp_contracts.files.hashing import sha256
from mcp_contracts.records import replace
from mcp_contracts.rules.base import LEGACY, SCOPES, Found, Rule, RuleOptions, ToolSchema
from mcp_contracts.rules.informal import (
    CHECKED_IN_OTHERS,
    is_checked_in_informal,
    is_informal,
    is_specification,
    states_obligations,
    states_types,
)
from mcp_contracts.rules.running.precedence import without_consequences
from mcp_contracts.schema.identity import Same

if TYPE_CHECKING:
    from mcp_contracts.implementation import ImplementedContracts  # only needed with an implementation


def run_rules(
    contracts: Contracts,
    rules: Sequence[Rule],
    options: RuleOptions,
    *,
    found_in: Sequence[Sequence[Found]] | None = None,
    implemented: ImplementedContracts | None = None,
) -> list[Diagnostic]:
    """Return every diagnostic of some files, except consequences of others, in order of path and place.

    The caller applies selection, severities and suppressions afterwards: a consequence is left out even if its cause is
    not shown. `found_in` contains what `check_file` has already found in each file. `implemented` is the implementation
    to check; without one, the rules about implementations find nothing.
    """
    if found_in is None:
        found_in = [check_file(file, rules, options) for file in contracts.files]
    found = [replace(item, file=number) for number, items in enumerate(found_in) for item in items]
    found.extend(_across_files(contracts, rules, options))
    in_code: list[Found] = []
    if implemented is not None:
        for item in _of_implementation(implemented, rules, options):
            (in_code if item.file == _IN_CODE else found).append(item)
    legacy = {
        id(tool.contract): tool.is_listed_only
        for file in contracts.files
        if isinstance(file, SpecFile)
        for tool in file.tools
        if tool.is_legacy
    }
    diagnostics = [
        Diagnostic.of(item.rule, item.finding, item.place, None if item.tool is None else item.tool.name)
        for item in (*without_consequences(found, legacy), *in_code)
    ]
    diagnostics.sort(key=lambda diagnostic: (diagnostic.place, diagnostic.code, diagnostic.message))
    return diagnostics


def check_file(file: SourceFile, rules: Sequence[Rule], options: RuleOptions) -> list[Found]:
    """Return the findings of the rules that read a single file."""
    if not (is_checked := is_specification(file)):
        rules = [rule for rule in rules if rule.info.code in CHECKED_IN_OTHERS]
    by_scope = _by_scope(Same(rules), options.unrequested_codes)
    found: list[Found] = []
    counts = _Counts()
    extents = _Extents(file.contracts)
    marks = {fault.kind for fault in file.faults}.union(*map(_marks, file.tools if isinstance(file, SpecFile) else ()))
    of_spec = by_scope["SpecFile"].rules_for(marks) if isinstance(file, SpecFile) else ()
    for rule in (*by_scope["SourceFile"].rules_for(marks), *of_spec):
        findings = rule.run(file, options)
        if (first := next(findings, None)) is not None:  # most rules find nothing
            for finding in counts.kept(rule, file.path, chain((first,), findings)):
                place = finding.place or Place(file.path, 1, 1, 1, 1)
                found.append(Found(rule.info, finding, place, 0, extents.owner(finding, place)))

    def check(subject: object, scope: str, contract: ToolContract, marks: Collection[str] = ()) -> None:
        for rule in by_scope[scope].rules_for(marks):
            if counts.full and (file.path, rule.info.code) in counts.full:
                continue
            findings = rule.run(subject, options)
            if (first := next(findings, None)) is not None:
                for finding in counts.kept(rule, file.path, chain((first,), findings)):
                    found.append(Found(rule.info, finding, _place(contract, finding), 0, contract))  # noqa: PERF401

    if isinstance(file, SpecFile):
        for tool in file.tools:
            check(tool, "SpecTool", tool.contract, _marks(tool))
    for contract in file.contracts:
        check(contract, "ToolContract", contract)
        if by_scope["ToolSchema"].rules:
            from mcp_contracts.schema.walk import nodes_by_keyword  # needed where files are checked

            for schema in _schemas(contract, isinstance(file, ToolListFile)):
                check(schema, "ToolSchema", contract, nodes_by_keyword(schema.value))
    found.extend(counts.left_out())
    return _checked_parts(file, found) if is_checked and is_informal(file) else found


def _checked_parts(file: SourceFile, found: Iterable[Found]) -> list[Found]:
    """Return the findings in an informal file that do not depend on parameters, those in tools with types, and those
    about the descriptions of a list or table.

    If few tools have types, what a tool with types lacks is no finding, because the other tools lack it as well.
    """
    tools = file.tools if isinstance(file, SpecFile) else ()
    typed = {id(tool.contract) for tool in tools if states_types(tool)}
    listed = {id(tool.contract) for tool in tools if tool.is_listed_only}
    named = {id(tool.contract) for tool in tools if states_obligations(tool)}
    gaps = _OF_GAPS if len(typed) * _FEW <= len(tools) else ()
    return [
        item
        for item in found
        if is_checked_in_informal(item.rule.code)
        or (id(item.tool) in typed and item.rule.code not in gaps)
        or (item.rule.code in _OF_DESCRIPTIONS and id(item.tool) in listed)
        or (item.rule.code in _OF_CALLS and id(item.tool) in named)
    ]


_OF_DESCRIPTIONS = ("MC509", "MC514")
_OF_CALLS = ("MC404",)
_OF_GAPS = ("MC305", "MC335", "MC509")
_FEW = 4
"""If at most one of this number of tools has types, few tools have them."""


def _marks(tool: SpecTool) -> AbstractSet[str]:
    """Return the marks of a parsed tool, which its rules may need."""
    marks: set[str] = {fault.kind for fault in tool.faults}
    return marks | {LEGACY} if tool.is_legacy else marks


class _Scope:
    """The rules of one scope."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = rules
        self._needs = frozenset[str]().union(*(rule.needs for rule in rules))
        self._known: dict[frozenset[str], Sequence[Rule]] = {}

    def rules_for(self, marks: Iterable[str]) -> Sequence[Rule]:
        """Return the rules that run on a subject with some marks."""
        needed = self._needs.intersection(marks)
        found = self._known.get(needed)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = [rule for rule in self.rules if not rule.needs or not rule.needs.isdisjoint(needed)]
            self._known[needed] = found
        return found


_MOST_KNOWN = 500


@lru_cache(maxsize=4)
def _by_scope(rules: Same[Sequence[Rule]], unrequested_codes: frozenset[str]) -> Mapping[str, _Scope]:
    """Return the rules to run, by scope."""
    by_scope: dict[str, list[Rule]] = {scope: [] for scope in SCOPES}
    for rule in rules.thing:
        if rule.info.code not in unrequested_codes:
            by_scope[rule.scope].append(rule)
    return {scope: _Scope(found) for scope, found in by_scope.items()}


MOST_FINDINGS = 1_000
"""The maximum number of findings of one rule for one file; one more finding counts the rest."""
_MOST_COUNTED = 20_000  # findings of one rule in one file; the rule stops at this number


class _Counts:
    """The findings of each rule in each file, limited so that a hostile file fills neither memory nor report."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._rules: dict[str, Rule] = {}
        self.full: set[tuple[str, str]] = set()

    def kept(self, rule: Rule, path: str, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield the findings of a rule in a file, up to the limit."""
        if self._counts[path, rule.info.code] < _MOST_COUNTED:
            for finding in findings:
                if self.keeps(rule, path):
                    yield finding
                elif self._counts[path, rule.info.code] >= _MOST_COUNTED:
                    return

    def keeps(self, rule: Rule, path: str) -> bool:
        """Count a finding of a rule in a file, and return whether it is within the limit."""
        self._rules[rule.info.code] = rule
        self._counts[path, rule.info.code] += 1
        if self._counts[path, rule.info.code] >= _MOST_COUNTED:
            self.full.add((path, rule.info.code))
        return self._counts[path, rule.info.code] <= MOST_FINDINGS

    def left_out(self) -> Iterator[Found]:
        """Yield a finding for each rule and file with findings beyond the limit, of the same severity."""
        for (path, code), count in self._counts.items():
            more = count - MOST_FINDINGS
            if more > 0:
                number = f"{more:,} or more" if count >= _MOST_COUNTED else f"{more:,} more"
                message = f"{number} findings of this rule in this file are left out"
                place = Place(path, 1, 1, 1, 1)
                finding = Finding(message, f"fix the first {MOST_FINDINGS:,}, then lint again", place)
                yield Found(self._rules[code].info, finding, place, 0, None)


def _schemas(contract: ToolContract, is_listed: bool) -> Iterator[ToolSchema]:
    from mcp_contracts.schema.dialects import dialect_of  # needed where files are checked
    from mcp_contracts.schema.walk import shared_subschemas

    for part in (contract.input, contract.output):
        if part is not None:
            nodes = shared_subschemas(part.value)
            yield ToolSchema(
                contract, part.part, part.value, part.origin, nodes, dialect_of(part.value), is_listed=is_listed
            )


def _across_files(contracts: Contracts, rules: Iterable[Rule], options: RuleOptions) -> Iterator[Found]:
    extents: dict[int, _Extents | None] = {}
    numbers = {file.path: number for number, file in enumerate(contracts.files)}
    counts = _Counts()
    for rule in (rule for rule in rules if rule.scope == "Contracts"):
        for finding in rule.run(contracts, options):
            if finding.place is None:
                raise ValueError(f"rule {rule.info.code} is about all files and must place its findings")
            if not counts.keeps(rule, finding.place.path):
                continue
            number = numbers[finding.place.path]
            if number not in extents:
                file = contracts.files[number]
                extents[number] = _Extents(file.contracts) if is_specification(file) else None
            if (extent := extents[number]) is not None:
                yield Found(rule.info, finding, finding.place, number, extent.owner(finding, finding.place))
    yield from (replace(item, file=numbers[item.place.path]) for item in counts.left_out())


_IN_CODE = -1
"""The number of a file that contains functions rather than contracts."""


def _of_implementation(
    implemented: ImplementedContracts, rules: Iterable[Rule], options: RuleOptions
) -> Iterator[Found]:
    """Yield the findings of the rules about an implementation, in the code and in the files of the contracts."""
    numbers = {file.path: number for number, file in enumerate(implemented.contracts.files)}
    missing = {contract.place: contract for contract in implemented.missing}
    about_all = [rule for rule in rules if rule.scope == "ImplementedContracts"]
    about_one = [rule for rule in rules if rule.scope == "ImplementedTool"]

    def place_finding(rule: Rule, finding: Finding, contract: ToolContract | None) -> Found:
        if finding.place is None:
            raise ValueError(f"rule {rule.info.code} is about an implementation and must place its findings")
        number = numbers.get(finding.place.path, _IN_CODE)
        return Found(rule.info, finding, finding.place, number, contract)

    counts = _Counts()
    for rule in about_all:
        for finding in rule.run(implemented, options):
            found = place_finding(rule, finding, missing.get(finding.place) if finding.place is not None else None)
            if counts.keeps(rule, found.place.path):
                yield found
    for tool in implemented.tools:
        for rule in about_one:
            path = tool.function.place.path
            findings = counts.kept(rule, path, rule.run(tool, options))
            yield from (place_finding(rule, finding, tool.contract) for finding in findings)
    yield from (replace(item, file=numbers.get(item.place.path, _IN_CODE)) for item in counts.left_out())


class _Extents:
    """Finds the tool of a file that contains a place. Tools do not overlap, so it is the last tool that begins before
    it.
    """

    def __init__(self, contracts: Iterable[ToolContract]) -> None:
        self._contracts = contracts

    @cached_property
    def _extents(self) -> list[tuple[Place, ToolContract]]:
        begin: dict[Place, ToolContract] = {}
        for contract in self._contracts:  # tools of one row begin where their names do, except for the first
            extent = contract.place_of("extent")
            begin[contract.place if extent in begin else extent] = contract
        return _sort_by_place(begin.items())

    @cached_property
    def _examples(self) -> list[tuple[Place, ToolContract]]:
        return _sort_by_place((example.locator.place(), item) for item in self._contracts for example in item.examples)

    def owner(self, finding: Finding, place: Place) -> ToolContract | None:
        """Return the tool, or the tool that an example calls if it is not in a tool's section; otherwise None."""
        contract = _last_before(self._extents, place)
        if contract is not None:
            extent = contract.place_of("extent")
            if (place.line, place.column) <= (extent.end_line, extent.end_column):
                return contract
        return _last_before(self._examples, place) if finding.part == "example" else None


def _sort_by_place(places: Iterable[tuple[Place, ToolContract]]) -> list[tuple[Place, ToolContract]]:
    return sorted(places, key=lambda item: (item[0].line, item[0].column))


def _last_before(sorted_places: list[tuple[Place, ToolContract]], place: Place) -> ToolContract | None:
    at = place.line, place.column
    index = bisect_right(sorted_places, at, key=lambda item: (item[0].line, item[0].column))
    return sorted_places[index - 1][1] if index else None


def _place(contract: ToolContract, finding: Finding) -> Place:
    if finding.place is not None:
        return finding.place
    schema = {"input": contract.input, "output": contract.output}.get(finding.part or "")
    if schema is None:
        return contract.place
    return schema.locator.place(finding.pointer or "", on_key=finding.on_key)


def add_fingerprints(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield each diagnostic with a fingerprint of code, tool, part, pointer and ordinal, so that moved lines keep it.

    A diagnostic without a tool has its file's path instead.
    """
    every = list(diagnostics)
    if not every:
        return

    seen: Counter[str] = Counter()
    for diagnostic in every:
        owner = diagnostic.tool if diagnostic.tool is not None else f"file {diagnostic.place.path}"
        key = "\0".join((diagnostic.code, owner, diagnostic.part or "", diagnostic.pointer or ""))
        digest = sha256(f"{key}\0{seen[key]}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
        seen[key] += 1
        yield replace(diagnostic, fingerprint=digest)
