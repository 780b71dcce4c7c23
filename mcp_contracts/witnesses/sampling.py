"""Values sampled from a schema: realistic, valid, and the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.decision import inclusion
from mcp_contracts.records import dataclass
from mcp_contracts.schema.simple import strings
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from mcp_contracts.witnesses.candidates import build_variants
from mcp_contracts.witnesses.suggestions import (
    Nodes,
    Outline,
    declared_names,
    fits,
    kinds,
    natural,
    outline_of,
    stated_values,
)

_TRIES = 20
_MOST_VARIANTS = 50
_MOST_CHOICES = 20  # values to choose from at one place
_MOST_BRANCHES = 64  # ways to choose among alternatives
_DEEPEST = 6  # levels with optional members; below, only what is required
_MOST_ITEMS = 3
_MOST_PLACES = 2_000
_DEEPEST_REQUIRED, _MOST_REQUIRED = 128, 20_000  # levels and places of values, even if more are required
_OPTIONAL = 0.8  # the probability that a value has an optional member


class NoSampleError(ValueError):
    """No value was found that a schema accepts: none exists, or values are hard to find."""


def sample(schema: JsonValue, random: Random) -> JsonValue:
    """Return a value that a schema accepts, according to the validator. Raises `NoSampleError` if none is found.

    Values that the schema states (examples, defaults, constants) are preferred, and most optional members are present.
    Two sources of randomness in the same state give the same value.
    """
    compiled = compile_schema(schema)
    if compiled.refusal is None:
        outline = outline_of(schema)
        spent = 0
        for _ in range(_TRIES):
            sampler = _Sampler(outline, random)
            value = sampler.value((schema,), 0)
            if accepts(compiled, value) is True:
                return value
            spent += sampler.places
            if spent > _MOST_REQUIRED:
                break
        for value in islice(build_variants(outline, (schema,)), _MOST_VARIANTS):
            if accepts(compiled, value) is True:
                return value
        found = inclusion(schema, False)
        if found.has_witness and accepts(compiled, found.witness) is True:
            return found.witness
    raise NoSampleError("no value was found that the schema accepts")


@dataclass(slots=True)
class _Sampler:
    outline: Outline
    random: Random
    places: int = 0

    def value(self, schemas: tuple[JsonValue, ...], depth: int) -> JsonValue:
        self.places += 1
        if depth > _DEEPEST_REQUIRED or self.places > _MOST_REQUIRED:
            return None  # the pattern search does not end, or takes too long
        nodes = self.outline.applying(schemas, self.random.randrange(_MOST_BRANCHES))
        given = [value for value in islice(stated_values(nodes), _MOST_CHOICES) if fits(value, nodes)]
        if given:
            return self.random.choice(given)
        possible = kinds(nodes)
        kind = possible[0] if possible else "null"
        match kind:
            case "object":
                return self._object(nodes, depth)
            case "array":
                return self._array(nodes, depth)
            case _:
                found = [
                    value
                    for value in islice(natural(nodes, kind, self.outline.texts), _MOST_CHOICES)
                    if fits(value, nodes)
                ]
                if not found:
                    return None
                return found[0] if kind == "string" else self.random.choice(found)  # the first text reads best

    def _object(self, nodes: Nodes, depth: int) -> dict[str, JsonValue]:
        required = dict.fromkeys(name for node in nodes for name in strings(node.get("required")))
        if not (required or self._has_room(depth)):
            return {}
        declared = declared_names(nodes)
        names: list[str] = []
        for name in declared:
            if name in required or self._wants_optional(depth, len(names)):
                names.append(name)
        names += [name for name in required if name not in declared]
        return {name: self.value(self.outline.members(nodes, name), depth + 1) for name in names}

    def _array(self, nodes: Nodes, depth: int) -> list[JsonValue]:
        least = max(_sizes(nodes, "minItems"), default=0)
        most = min(_sizes(nodes, "maxItems"), default=least + _MOST_ITEMS)
        wanted = self.random.randint(1, 2) if self._has_room(depth) else 0
        if least > _MOST_PLACES:
            return []
        length = min(max(least, min(wanted, most)), _MOST_PLACES)
        return [self.value(self.outline.members(nodes, index), depth + 1) for index in range(length)]

    def _wants_optional(self, depth: int, chosen: int) -> bool:
        return self._has_room(depth, chosen) and self.random.random() < _OPTIONAL

    def _has_room(self, depth: int, chosen: int = 0) -> bool:
        return depth < _DEEPEST and self.places + chosen < _MOST_PLACES


def _sizes(nodes: Nodes, keyword: str) -> Iterator[int]:
    for node in nodes:
        size = node.get(keyword)
        if isinstance(size, int | float) and not isinstance(size, bool):
            yield int(size)
