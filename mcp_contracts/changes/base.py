"""Change rules: the decorator, the pair of contracts that a rule compares, and its observations."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcp_contracts.change import Bump, Change, Direction, Reason, Verdict
from mcp_contracts.comparison.fact import FactKind
from mcp_contracts.contract import SchemaOrigin, SchemaPart, ToolContract
from mcp_contracts.diagnostics import Part, Place, RuleInfo, Severity
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.records import dataclass, fields_of

_UNREADABLE = frozenset(
    (FaultKind.INVALID_JSON, FaultKind.TOO_DEEP, FaultKind.EXAMPLE_FOR_SCHEMA, FaultKind.INVALID_TOOL_LIST)
)


SINCE = "0.2.0"  # of all change rules so far


@dataclass(frozen=True, slots=True)
class ToolPair:
    """A tool before and after. A tool that was added or removed has only one side.

    `renamed_to` is the added tool that a removed one probably became, and `renamed_from` the reverse; both are guesses.
    The faults concern the tool, or the files that may contain the missing side. `is_partial` means that one side comes
    from a tool list, which cannot express everything that a specification can; `is_mixed`, that only one side does.
    """

    old: ToolContract | None
    new: ToolContract | None
    renamed_to: str | None = None
    renamed_from: str | None = None
    old_faults: tuple[Fault, ...] = ()
    new_faults: tuple[Fault, ...] = ()
    is_partial: bool = False
    is_mixed: bool = False

    @property
    def name(self) -> str:
        """The tool's old name if it was removed, otherwise its new one."""
        contract = self.new or self.old
        return contract.name if contract is not None else ""

    @property
    def both(self) -> tuple[ToolContract, ToolContract] | None:
        """Both sides, or None if the tool was added or removed."""
        return None if self.old is None or self.new is None else (self.old, self.new)

    @property
    def complete(self) -> tuple[ToolContract, ToolContract] | None:
        """Both sides, if both can express everything."""
        return None if self.is_partial else self.both

    @property
    def unreadable_parts(self) -> frozenset[Part]:
        """The schemas that one side has but that cannot be read, so that nothing can be concluded from them."""
        return frozenset(part for part, _ in self.unreadable())

    def unreadable(self) -> Iterator[tuple[Part, Fault]]:
        """Yield each schema that cannot be read, with its first fault on the new side, otherwise on the old side."""
        if self.both is None:
            return
        parts: tuple[Part, Part] = ("input", "output")
        sides = ((self.new, self.new_faults), (self.old, self.old_faults))
        for part in parts:
            fault = next((fault for tool, faults in sides for fault in _unread(tool, faults, part)), None)
            if fault is not None:
                yield part, fault


@dataclass(frozen=True, slots=True)
class Observation:
    """An observation of a change rule about a pair.

    Pointers consist of the names of a contract's fields, such as `/effects/world`; None if a side lacks the field.
    `place` is in the new text, or in the old text if the new one has no such place.
    """

    message: str
    hint: str | None = None
    verdict: Verdict = Verdict.COMPATIBLE
    bump: Bump = Bump.MINOR
    place: Place | None = None
    old_pointer: str | None = None
    new_pointer: str | None = None
    reason: Reason | None = None
    tags: tuple[str, ...] = ()


def field_changed(
    pair: ToolPair, field: str, message: str, old: object, new: object, *, section: str | None = None
) -> Observation:
    """Return the observation that a field of both sides changed. A side whose value is empty lacks the field."""
    place = None if pair.new is None else pair.new.place_of(section or field)
    pointer = f"/{field}"
    return Observation(message, place=place, old_pointer=pointer if old else None, new_pointer=pointer if new else None)


@dataclass(frozen=True, slots=True)
class ChangeRule:
    """A rule about the fields of a contract: its documentation, and the comparison itself."""

    info: RuleInfo
    compare: Callable[[ToolPair], Iterator[Observation]]

    def changes(self, pair: ToolPair) -> Iterator[Change]:
        """Yield the rule's observations about a pair, as changes without fingerprints."""
        for seen in self.compare(pair):
            yield Change(self.info.code, self.info.name, "tool", **fields_of(seen))


@dataclass(frozen=True, slots=True)
class SchemaRule:
    """A rule about schemas. It has no function: `changes.schemas` finds and judges the facts.

    `kind` is the kind of fact that it reports; None for the two rules about whole schemas. `way_out` says how to make
    such a change without breaking anyone.
    """

    info: RuleInfo
    direction: Direction
    kind: FactKind | None
    way_out: str | None


def change_rule(code: str, severity: Severity) -> Callable[[Callable[[ToolPair], Iterator[Observation]]], ChangeRule]:
    """Create a rule from a function that compares the two sides of a pair.

    The function's name is the rule's (in kebab-case); the docstring's first line is the summary, the rest the
    rationale. The severity is `error` if such a change can break, `warning` if that cannot be decided, and `note`
    otherwise. Nothing is registered: `changes/registry.py` lists all rules by hand.
    """

    def make(compare: Callable[[ToolPair], Iterator[Observation]]) -> ChangeRule:
        summary, _, rationale = (compare.__doc__ or "").strip().partition("\n")
        lines = (line.strip() for line in rationale.strip().splitlines())
        name = compare.__name__.replace("_", "-")
        return ChangeRule(RuleInfo(code, name, severity, SINCE, summary.strip(), "\n".join(lines)), compare)

    return make


def _unread(tool: ToolContract | None, faults: tuple[Fault, ...], part: Part) -> Iterator[Fault]:
    """Yield the faults that prevent a tool's schema from being read; a table that replaces it is another schema."""
    schema: SchemaPart | None = None if tool is None else tool.input if part == "input" else tool.output
    if schema is None or schema.origin is not SchemaOrigin.SCHEMA:
        yield from (fault for fault in faults if fault.part == part and fault.kind in _UNREADABLE)
