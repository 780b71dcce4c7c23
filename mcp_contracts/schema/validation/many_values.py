"""Validate many values against one schema, within the bounds for one value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.effort import PLAIN_EVALUATIONS
from mcp_contracts.schema.validation.compiled import CompiledSchema
from mcp_contracts.schema.validation.validators import accepts


def verdicts(compiled: CompiledSchema, values: Iterable[JsonValue]) -> Iterator[bool | None]:
    """Yield whether a schema accepts each value, in order; None past the bounds, which apply to all together."""
    left = PLAIN_EVALUATIONS
    for value in values:
        left -= compiled.effort
        yield accepts(compiled, value) if left >= 0 else None
