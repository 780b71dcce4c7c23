"""The meaning of a specification for programs, without places: equal before and after formatting."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.contract import JsonValue, SchemaPart, SpecFile, SpecTool

Meaning = tuple[object, ...]


def meaning_of(spec: SpecFile) -> Meaning:
    """All that contracts hold, and what is wrong with the file, in a form that can be compared."""
    return (
        spec.module,
        spec.module_version,
        None if spec.front_matter is None else spec.front_matter.values,
        spec.states_no_tools,
        sorted(placeholder.text for placeholder in spec.placeholders),
        sorted(comment.text for comment in spec.comments),
        sorted(fault.kind for fault in spec.faults),
        tuple(tuple(_tool(tool)) for tool in spec.tools),
    )


def _tool(tool: SpecTool) -> Iterator[object]:
    contract = tool.contract
    yield from (contract.name, contract.source_name, contract.title, contract.module, contract.version)
    yield contract.description
    yield from (contract.status, contract.effects, contract.category, contract.tags, contract.optional)
    yield from (contract.use_when, contract.channels, contract.idempotent, contract.security, contract.migrations)
    yield from (_schema(contract.input), _schema(contract.output))
    yield tuple((error.name, error.when) for error in contract.errors)
    yield tuple((example.kind, _exact(example.value)) for example in contract.examples)
    yield sorted(placeholder.text for placeholder in contract.placeholders)
    yield (tool.invocation_name, tool.idempotency_text, tool.deviations)
    yield sorted(fault.kind for fault in tool.faults)
    yield tuple((line.name, line.value) for line in sorted(tool.property_lines, key=lambda line: line.name))


def _schema(part: SchemaPart | None) -> object:
    return None if part is None else (part.origin, _exact(part.value))


def _exact(value: JsonValue) -> object:
    """A value in which `1`, `1.0` and `true` differ, and so does the order of keys."""
    if isinstance(value, dict):
        return tuple((key, _exact(member)) for key, member in value.items())
    if isinstance(value, list):
        return [_exact(member) for member in value]
    return type(value).__name__, value
