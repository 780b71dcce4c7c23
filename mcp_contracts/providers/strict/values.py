"""Convert arguments of a strict schema to those of the contract, and back."""

from __future__ import annotations

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.providers.keywords import is_nullable, type_of
from mcp_contracts.providers.strict.form import StrictForm
from mcp_contracts.schema.references import follow
from mcp_contracts.schema.simple import as_object, one_or_more, properties_of
from mcp_contracts.schema.validation.compiled import CompiledSchema
from mcp_contracts.schema.validation.validators import accepts, compile_schema

_MAXIMUM_LEVELS = 150
_MAXIMUM_STEPS = 100_000
"""The maximum number of steps, which nested alternatives multiply. Past it, values remain unchanged."""


def without_nulls(form: StrictForm, arguments: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Remove the nulls that mean "omitted" from arguments that a model wrote for a strict schema.

    If the strict schema accepts the arguments, the contract accepts the result, except for the form's losses. In other
    arguments, unknown parts are kept, for the contract to judge.
    """
    found = _Walk(form).reduce(arguments, "", 0)
    return found if isinstance(found, dict) else arguments


def with_nulls(form: StrictForm, arguments: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Add null for omitted properties, as a model would have written the arguments for the strict schema."""
    found = _Walk(form).fill(arguments, "", 0)
    return found if isinstance(found, dict) else arguments


class _Walk:
    def __init__(self, form: StrictForm) -> None:
        self._schema: JsonValue = form.schema
        self._absent = form.absent
        self._left = _MAXIMUM_STEPS
        self._filled: dict[tuple[int, str], JsonValue] = {}
        self._compiled: dict[str, CompiledSchema] = {}

    def reduce(self, value: JsonValue, pointer: str, level: int) -> JsonValue:
        """Remove the nulls that mean "omitted" from a value."""
        self._left -= 1
        if self._left < 0 or level > _MAXIMUM_LEVELS or not isinstance(value, dict | list):
            return value
        place = self._place(value, pointer, fills=False)
        if place is None:
            return value
        if isinstance(value, list):
            return [self.reduce(item, f"{place}/items", level + 1) for item in value]
        absent = self._absent.get(place, frozenset())
        return {
            name: self.reduce(member, f"{place}/properties/{escape(name)}", level + 1)
            for name, member in value.items()
            if member is not None or name not in absent
        }

    def fill(self, value: JsonValue, pointer: str, level: int) -> JsonValue:
        """Add null for omitted properties, in the order of the schema; undeclared names come last."""
        # Cached, because choosing an alternative tries each one, which would fill inner values again and again.
        key = (id(value), pointer)
        if key not in self._filled:
            self._filled[key] = self._fill_once(value, pointer, level)
        return self._filled[key]

    def _fill_once(self, value: JsonValue, pointer: str, level: int) -> JsonValue:
        self._left -= 1
        if self._left < 0 or level > _MAXIMUM_LEVELS or not isinstance(value, dict | list):
            return value
        place = self._place(value, pointer, fills=True, level=level)
        if place is None:
            return value
        if isinstance(value, list):
            return [self.fill(item, f"{place}/items", level + 1) for item in value]
        node = follow(self._schema, place)
        names = list(properties_of(node))
        absent = self._absent.get(place, frozenset())
        result: dict[str, JsonValue] = {}
        for name in (*names, *(name for name in value if name not in names)):
            if name in value:
                result[name] = self.fill(value[name], f"{place}/properties/{escape(name)}", level + 1)
            elif name in absent or self._may_be_null(f"{place}/properties/{escape(name)}"):
                result[name] = None
        return result

    def _may_be_null(self, pointer: str) -> bool:
        form = follow(self._schema, pointer)
        return isinstance(form, dict) and is_nullable(form, as_object(as_object(self._schema).get("$defs")))

    def _place(self, value: JsonValue, pointer: str, *, fills: bool, level: int = 0) -> str | None:
        """Return the pointer of the plain schema for a value: references followed, the alternative chosen."""
        for _ in range(_MAXIMUM_LEVELS):
            node = follow(self._schema, pointer)
            if not isinstance(node, dict):
                return None
            reference, branches = node.get("$ref"), node.get("anyOf")
            if isinstance(reference, str):
                pointer = reference.removeprefix("#")
            elif isinstance(branches, list):
                places = [f"{pointer}/anyOf/{index}" for index in range(len(branches))]
                chosen = self._choose(value, places, level, fills=fills)
                if chosen is None:
                    return None
                pointer = chosen
            else:
                return pointer
        return None

    def _choose(self, value: JsonValue, places: list[str], level: int, *, fills: bool) -> str | None:
        """Return the first alternative that accepts a value, or the only one of its type."""
        possible = [place for place in places if self._is_of_type(value, place)]
        if len(possible) < 2:
            return possible[0] if possible else None
        for place in possible:
            candidate = self.fill(value, place, level + 1) if fills else value
            if place not in self._compiled:
                self._compiled[place] = compile_schema(self._schema, place)
            if accepts(self._compiled[place], candidate):
                return place
        return None

    def _is_of_type(self, value: JsonValue, place: str) -> bool:
        """Whether a value can have the type that a schema states directly."""
        stated = as_object(follow(self._schema, place)).get("type")
        return stated is None or type_of(value) in one_or_more(stated)
