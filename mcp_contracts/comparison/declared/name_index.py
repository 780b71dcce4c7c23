"""An index of the subschemas at one place that constrain a name, so that only these are checked for each name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mcp_contracts.contract import JsonValue


class NameIndex:
    """The subschemas that list a name, and those that may constrain any name."""

    def __init__(self) -> None:
        self._listing: dict[str, list[str]] = {}
        self._of_any: list[str] = []

    def add(self, pointer: str, names: Iterable[str]) -> None:
        """Add a subschema, or a value, that constrains only some names."""
        for name in names:
            self._listing.setdefault(name, []).append(pointer)

    def add_for_any(self, pointer: str) -> None:
        self._of_any.append(pointer)

    def add_schema(self, pointer: str, node: Mapping[str, JsonValue], *, is_of_any: bool) -> None:
        """Add a subschema, which may constrain any name or only those that it lists."""
        properties = node.get("properties")
        if is_of_any:
            self.add_for_any(pointer)
        elif isinstance(properties, dict):
            self.add(pointer, properties)

    def pointers(self, name: str) -> list[str]:
        """Return the subschemas that may constrain a name."""
        return [*self._listing.get(name, ()), *self._of_any]
