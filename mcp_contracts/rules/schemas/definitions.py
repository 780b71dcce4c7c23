"""The rule about definitions that nothing refers to (MC326), and which those are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts.contract import JsonValue
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.rules.base import ToolSchema, rule
from mcp_contracts.rules.schemas.names import name_of
from mcp_contracts.schema.identity import cached_by_identity
from mcp_contracts.schema.references import shared_references
from mcp_contracts.schema.vocabulary import Effect, names
from mcp_contracts.schema.walk import shared_subschemas
from mcp_contracts.schema.wording import one_of


@rule("MC326", Severity.NOTE, since="0.1.0", needs=names(Effect.NAMES, holds="map"))
def unused_definition(schema: ToolSchema) -> Iterator[Finding]:
    """A schema contains definitions that it does not refer to.

    They are sent with every request and read by the model for no benefit. Usually a generator left them, or the
    reference to them was lost. Faults inside them are not reported.
    """
    unused = unused_definitions(schema)
    if unused:
        listed = one_of([f"`{name_of(pointer)}`" for pointer in unused], "and")
        hint = "remove it, or refer to it" if len(unused) == 1 else "remove them, or refer to them"
        yield Finding(f"nothing refers to {listed}", hint, part=schema.part, pointer=unused[0], on_key=True)


def unused_definitions(schema: ToolSchema) -> Sequence[str]:
    """The pointers of the definitions that nothing leads to, outermost only.

    None if a reference leads to nothing: it may have been meant for any of them.
    """
    return _unused_definitions(schema.value)


@cached_by_identity(4)  # three rules ask for them in turn
def _unused_definitions(schema: JsonValue) -> Sequence[str]:
    nodes = shared_subschemas(schema)
    definitions = {node.pointer for node in nodes if node.role == "definition"}
    if not definitions:
        return ()
    leads: dict[str, set[str]] = {}
    for reference in shared_references(schema):
        if reference.target is None:
            return ()
        if reference.target_pointer is not None:
            source, target = (_owner(at, definitions) for at in (reference.pointer, reference.target_pointer))
            leads.setdefault(source, set()).add(target)
    used: set[str] = set()
    pending = [""]
    while pending:
        current = pending.pop()
        if current not in used:
            used.add(current)
            pending.extend(leads.get(current, ()))
    unused = definitions - used
    outermost = (node.pointer for node in nodes if node.pointer in unused)
    return [pointer for pointer in outermost if not _owner(pointer.rpartition("/")[0], unused)]


def _owner(pointer: str, definitions: set[str]) -> str:
    """The innermost definition that a pointer leads into, or the root."""
    while pointer and pointer not in definitions:
        pointer = pointer.rpartition("/")[0]
    return pointer
