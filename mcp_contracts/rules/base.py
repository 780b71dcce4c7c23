"""The definition of a rule: the decorator, and the scopes of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from mcp_contracts.contract import JsonValue, SchemaOrigin, ToolContract
from mcp_contracts.diagnostics import Finding, Part, Place, RuleInfo, Severity
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.records import dataclass

if TYPE_CHECKING:
    from mcp_contracts.providers.limits.provider import Target
    from mcp_contracts.schema.dialects import Dialect
    from mcp_contracts.schema.walk import SchemaNode


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """One schema of one tool, walked once for all rules.

    `nodes` contains every subschema that is an object, root first, in document order. `dialect` is None if `$schema`
    names one that is not supported. `is_listed` says that the tool comes from a tool list.
    """

    tool: ToolContract
    part: Part
    value: JsonValue
    origin: SchemaOrigin
    nodes: tuple[SchemaNode, ...]
    dialect: Dialect | None
    is_listed: bool = False

    def having(self, keyword: str) -> Sequence[SchemaNode]:
        """Return the subschemas that have a keyword, in document order."""
        from mcp_contracts.schema.walk import nodes_by_keyword  # needed where files are checked

        return nodes_by_keyword(self.value).get(keyword, ())

    def finding(self, message: str, hint: str | None, pointer: str, *, on_key: bool = False) -> Finding:
        """Return a finding at a pointer of the schema."""
        return Finding(message, hint, part=self.part, pointer=pointer, on_key=on_key)


IMPLEMENTATION_SCOPES = frozenset({"ImplementedTool", "ImplementedContracts"})
"""The scopes of rules about an implementation: one contract with its function, or all contracts with theirs."""

LIVE_SCOPES = frozenset({"LiveTool", "LiveContracts"})
"""The scopes of the rules of `verify`: one contract with the tool that a server lists for it, or all contracts."""

SCOPES = (IMPLEMENTATION_SCOPES | LIVE_SCOPES) | {
    "SourceFile",
    "SpecFile",
    "SpecTool",
    "ToolContract",
    "ToolSchema",
    "Contracts",
}
"""The scopes of rules, by the name of their parameter's type. `SourceFile` is a specification or a tool list."""


Within = Literal["tool", "part", "name", "line", "node", "beside", "key"]
"""The scope in which other findings may follow from a finding (`running.precedence`)."""

LEGACY = "legacy"
"""The mark of tools in an older dialect, and of files that contain one."""


@dataclass(frozen=True, slots=True)
class RuleOptions:
    """The settings of a project for the rules.

    `name_pattern` is the regular expression for tool names in specifications, `description_length` the maximum length
    of a description in characters. `targets` are those that the portability rules mention; by default all of them.
    `unrequested_codes` are the codes of rules that do not run.
    """

    name_pattern: str | None = None
    description_length: int = 1024
    targets: tuple[Target, ...] = ()
    unrequested_codes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that can run: its metadata, its scope, and the check.

    It only runs on subjects with one of the marks that it `needs`; it finds nothing in others."""

    info: RuleInfo
    scope: str
    check: Callable[..., Iterator[Finding]]
    takes_options: bool
    needs: frozenset[str] = frozenset()

    def run(self, subject: object, options: RuleOptions) -> Iterator[Finding]:
        """Yield the findings of the rule in one subject of its scope."""
        return self.check(subject, options) if self.takes_options else self.check(subject)


def rule(
    code: str, severity: Severity, *, since: str, needs: Iterable[str] = ()
) -> Callable[[Callable[..., Iterator[Finding]]], Rule]:
    """Make a rule from a function that yields findings.

    The function's name is the rule's (in kebab-case), the type of its first parameter its scope; a second parameter
    takes the `RuleOptions`. The docstring's first line is the summary and the rest the rationale. `rules/registry.py`
    lists the modules of rules by hand. `needs` are keywords for a rule about schemas, and kinds of faults or `LEGACY`
    for a rule about files or tools: the rule only runs if at least one of them exists.
    """

    def make(check: Callable[..., Iterator[Finding]]) -> Rule:
        summary, _, rationale = (check.__doc__ or "").strip().partition("\n")
        scope, *others = [str(annotation) for name, annotation in check.__annotations__.items() if name != "return"]
        if scope not in SCOPES:
            raise TypeError(f"rule {code} is about {scope!r}, expected one of {sorted(SCOPES)}")
        name = check.__name__.replace("_", "-")
        lines = map(str.strip, rationale.strip().splitlines())
        info = RuleInfo(code, name, severity, since, summary.strip(), "\n".join(lines))
        return Rule(info, scope, check, bool(others), frozenset(needs))

    return make


@dataclass(frozen=True, slots=True)
class Found:
    """A finding with its rule and place, before it becomes a diagnostic. `file` is the number of its file."""

    rule: RuleInfo
    finding: Finding
    place: Place
    file: int
    tool: ToolContract | None


def findings_of(faults: Iterable[Fault], kind: FaultKind) -> Iterator[Finding]:
    """Yield a finding for each fault of a kind."""
    for fault in faults:
        if fault.kind is kind:
            yield Finding(fault.message, fault.hint, fault.place, fault.part, fault.pointer)
