"""What a rule is: the decorator, and the things that a rule can be about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from mcp_contracts.contract import JsonValue, SchemaOrigin, ToolContract
from mcp_contracts.diagnostics import Finding, Part, RuleInfo, Severity
from mcp_contracts.schema.validators import Dialect
from mcp_contracts.schema.walk import SchemaNode


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """One schema of one tool, walked once for all rules.

    `nodes` holds every subschema that is an object, root first, in document order. `dialect` is None where `$schema`
    names one that is not supported.
    """

    tool: ToolContract
    part: Part
    value: JsonValue
    origin: SchemaOrigin
    nodes: tuple[SchemaNode, ...]
    dialect: Dialect | None


SCOPES = frozenset({"SourceFile", "SpecFile", "SpecTool", "ToolContract", "ToolSchema", "Contracts"})
"""What a rule can be about: the name of its parameter's type. `SourceFile` is a spec or a tool list."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that can run: what is known of it, its scope, and the check itself."""

    info: RuleInfo
    scope: str
    check: Callable[[Any], Iterator[Finding]]


def rule(code: str, severity: Severity, *, since: str) -> Callable[[Callable[[Any], Iterator[Finding]]], Rule]:
    """Make a rule of a function that yields findings.

    The function's name is the rule's (in kebab-case), the type of its one parameter its scope, the docstring's first
    line its summary and the rest its rationale. Nothing is registered: `rules/registry.py` lists all rules by hand.
    """

    def make(check: Callable[[Any], Iterator[Finding]]) -> Rule:
        summary, _, rationale = (check.__doc__ or "").strip().partition("\n")
        scope = next(str(annotation) for name, annotation in check.__annotations__.items() if name != "return")
        if scope not in SCOPES:
            raise TypeError(f"rule {code} is about {scope!r}, which is none of {sorted(SCOPES)}")
        name = check.__name__.replace("_", "-")
        info = RuleInfo(code, name, severity, since, summary.strip(), _unindent(rationale))
        return Rule(info, scope, check)

    return make


def _unindent(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().splitlines())
