"""Judges many values by one schema, within the bounds of one value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.effort import PLAIN_EVALUATIONS
from mcp_contracts.schema.validation.compiled import Compiled
from mcp_contracts.schema.validation.validators import accepts


def verdicts(compiled: Compiled, values: Iterable[JsonValue]) -> Iterator[bool | None]:
    """Whether a schema accepts each of some values, in order; None for what is past the bounds, which hold for all."""
    left = PLAIN_EVALUATIONS
    for value in values:
        left -= compiled.size
        yield accepts(compiled, value) if left >= 0 else None
