"""Check a strict schema against the limits of strict mode."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.contract import JsonValue
from mcp_contracts.providers.changes import ChangeKind, SubsetChange
from mcp_contracts.providers.limits import table
from mcp_contracts.providers.limits.provider import CountLimit
from mcp_contracts.providers.merging import Schema
from mcp_contracts.schema.simple import as_list, properties_of
from mcp_contracts.schema.walk import subschemas


def exceeded_limits(form: Schema) -> Iterator[SubsetChange]:
    """Yield a refusal for each published limit that a strict schema exceeds."""
    properties = values = characters = 0
    definitions = form.get("$defs")
    if isinstance(definitions, dict):
        characters += sum(len(name) for name in definitions)
    for node in subschemas(form):
        declared = properties_of(node.value)
        properties += len(declared)
        characters += sum(map(len, declared))
        stated = node.value.get("enum")
        texts = [len(value) for value in as_list(stated) if isinstance(value, str)]
        values += len(as_list(stated))
        constant = node.value.get("const")
        characters += sum(texts) + (len(constant) if isinstance(constant, str) else 0)
        if len(as_list(stated)) > table.STRICT_LARGE_ENUM.most and sum(texts) > table.STRICT_LARGE_ENUM_CHARACTERS.most:
            what = f"an enum of more than {table.STRICT_LARGE_ENUM.most} values has {sum(texts):,} characters"
            yield _too_much(node.pointer, "enum", what, table.STRICT_LARGE_ENUM_CHARACTERS)
    if properties > table.STRICT_PROPERTIES.most:
        yield _too_much("", "properties", f"the schema has {properties:,} properties", table.STRICT_PROPERTIES)
    if values > table.STRICT_ENUM_VALUES.most:
        yield _too_much("", "enum", f"the schema has {values:,} enum values", table.STRICT_ENUM_VALUES)
    if characters > table.STRICT_CHARACTERS.most:
        yield _too_much("", "", f"names and values have {characters:,} characters", table.STRICT_CHARACTERS)
    depth = depth_of(form)
    if depth > table.STRICT_DEPTH.most:
        yield _too_much("", "", f"objects are nested {depth} levels deep", table.STRICT_DEPTH)


def depth_of(form: Schema) -> int:
    """Return the nesting depth of objects in a strict schema."""
    return _Depth(form).of("")


def _too_much(pointer: str, keyword: str, what: str, limit: CountLimit) -> SubsetChange:
    return SubsetChange(
        pointer, keyword, f"{what}, and strict mode accepts at most {limit.most:,}", ChangeKind.EXCEEDED
    )


class _Depth:
    """Computes the nesting depth of objects, following each reference once."""

    def __init__(self, form: Schema) -> None:
        self._form = form
        self._known: dict[str, int] = {}

    def of(self, reference: str) -> int:
        """Return the depth of a reference's target ("" is the root). Recursive references end there."""
        if reference not in self._known:
            self._known[reference] = 0
            definitions = self._form.get("$defs")
            target: JsonValue = self._form
            if reference:
                name = reference.rpartition("/")[2]
                target = definitions.get(name) if isinstance(definitions, dict) else None
            self._known[reference] = self._deepest(target)
        return self._known[reference]

    def _deepest(self, target: JsonValue) -> int:
        deepest = 0
        pending: list[tuple[JsonValue, int]] = [(target, 0)]
        while pending:
            node, level = pending.pop()
            if not isinstance(node, dict):
                continue
            declared = node.get("properties")
            level += isinstance(declared, dict)
            deepest = max(deepest, level)
            if isinstance(node.get("$ref"), str):
                deepest = max(deepest, level + self.of(str(node["$ref"]).removeprefix("#")))
            below = [*(declared.values() if isinstance(declared, dict) else ()), *as_list(node.get("anyOf"))]
            pending.extend((child, level) for child in (*below, node.get("items")))
        return deepest
