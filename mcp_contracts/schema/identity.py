"""A schema known by which it is rather than by what it says, for caches that must not read all of it."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_contracts.contract import JsonValue


@dataclass(frozen=True, slots=True, eq=False)
class Same:
    """A schema that is itself and equals no other, however alike; nobody may change it."""

    schema: JsonValue

    def __hash__(self) -> int:
        return id(self.schema)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.schema is self.schema
