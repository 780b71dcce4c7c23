"""A schema compared by identity, for caches that must not read its content."""

from __future__ import annotations

from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Same:
    """A schema that is equal only to itself. It must not be modified."""

    schema: JsonValue

    def __hash__(self) -> int:
        return id(self.schema)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.schema is self.schema
