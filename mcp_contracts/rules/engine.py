"""Runs the rules over files and makes placed diagnostics of what they find."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from mcp_contracts.contract import Contracts, SourceFile, SpecFile, ToolContract
from mcp_contracts.diagnostics import Diagnostic, Finding, Place
from mcp_contracts.rules.base import Rule, RuleOptions, ToolSchema
from mcp_contracts.rules.precedence import Found, one_for_each_fault
from mcp_contracts.schema.validators import dialect_of
from mcp_contracts.schema.walk import subschemas


def run_rules(contracts: Contracts, rules: Sequence[Rule], options: RuleOptions) -> list[Diagnostic]:
    """Every diagnostic of some files, one for each fault, in order of path and place.

    Severities are the rules' own; selection and suppression come later.
    """
    by_scope: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        by_scope[rule.scope].append(rule)
    found = [item for number, file in enumerate(contracts.files) for item in _in_file(file, number, by_scope, options)]
    found.extend(_across_files(contracts, by_scope["Contracts"], options))
    legacy = {
        id(tool.contract)
        for file in contracts.files
        if isinstance(file, SpecFile)
        for tool in file.tools
        if tool.is_legacy
    }
    diagnostics = [_diagnostic(item) for item in one_for_each_fault(found, contracts, legacy)]
    diagnostics.sort(key=lambda diagnostic: (diagnostic.place, diagnostic.code, diagnostic.message))
    return diagnostics


def _in_file(file: SourceFile, number: int, by_scope: dict[str, list[Rule]], options: RuleOptions) -> Iterator[Found]:
    extents = [(contract.place_of("extent"), contract) for contract in file.contracts]

    def owned(rule: Rule, finding: Finding) -> Found:
        """A finding of a rule about a file, with the tool in whose text it lies."""
        place = finding.place or Place(file.path, 1, 1, 1, 1)
        return Found(rule.info, finding, place, number, _owner(place, extents))

    for rule in by_scope["SourceFile"]:
        for finding in rule.run(file, options):
            yield owned(rule, finding)
    if isinstance(file, SpecFile):
        for rule in by_scope["SpecFile"]:
            for finding in rule.run(file, options):
                yield owned(rule, finding)
        for tool in file.tools:
            for rule in by_scope["SpecTool"]:
                for finding in rule.run(tool, options):
                    yield Found(rule.info, finding, _place(tool.contract, finding), number, tool.contract)
    for contract in file.contracts:
        for rule in by_scope["ToolContract"]:
            for finding in rule.run(contract, options):
                yield Found(rule.info, finding, _place(contract, finding), number, contract)
        for schema in _schemas(contract):
            for rule in by_scope["ToolSchema"]:
                for finding in rule.run(schema, options):
                    yield Found(rule.info, finding, _place(contract, finding), number, contract)


def _schemas(contract: ToolContract) -> Iterator[ToolSchema]:
    for part in (contract.input, contract.output):
        if part is not None:
            nodes = subschemas(part.value)
            yield ToolSchema(contract, part.part, part.value, part.origin, nodes, dialect_of(part.value))


def _across_files(contracts: Contracts, rules: Iterable[Rule], options: RuleOptions) -> Iterator[Found]:
    numbers = {file.path: number for number, file in enumerate(contracts.files)}
    for rule in rules:
        for finding in rule.run(contracts, options):
            if finding.place is None:
                raise ValueError(f"rule {rule.info.code} is about all files and must place its findings")
            number = numbers[finding.place.path]
            extents = [(contract.place_of("extent"), contract) for contract in contracts.files[number].contracts]
            yield Found(rule.info, finding, finding.place, number, _owner(finding.place, extents))


def _owner(place: Place, extents: Iterable[tuple[Place, ToolContract]]) -> ToolContract | None:
    for extent, contract in extents:
        starts = (extent.line, extent.column) <= (place.line, place.column)
        if starts and (place.line, place.column) <= (extent.end_line, extent.end_column):
            return contract
    return None


def _place(contract: ToolContract, finding: Finding) -> Place:
    if finding.place is not None:
        return finding.place
    schema = {"input": contract.input, "output": contract.output}.get(finding.part or "")
    if schema is None:
        return contract.place
    return schema.locator.place(finding.pointer or "", on_key=finding.on_key)


def _diagnostic(found: Found) -> Diagnostic:
    finding = found.finding
    return Diagnostic(
        code=found.rule.code,
        rule=found.rule.name,
        severity=found.rule.severity,
        message=finding.message,
        hint=finding.hint,
        place=found.place,
        tool=found.tool.name if found.tool is not None else None,
        part=finding.part,
        pointer=finding.pointer,
        related=finding.related,
        fixable=finding.fixable,
    )


def fingerprinted(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Each diagnostic with a fingerprint of code, tool, part, pointer and ordinal, so that moved lines keep it.

    A diagnostic of no tool has its file's path instead.
    """
    seen: Counter[str] = Counter()
    for diagnostic in diagnostics:
        owner = diagnostic.tool if diagnostic.tool is not None else f"file {diagnostic.place.path}"
        key = "\0".join((diagnostic.code, owner, diagnostic.part or "", diagnostic.pointer or ""))
        digest = hashlib.sha256(f"{key}\0{seen[key]}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
        seen[key] += 1
        yield replace(diagnostic, fingerprint=digest)
