"""Explain a validator's errors in our words, and choose the relevant ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from mcp_contracts.contract import JsonValue
from mcp_contracts.records import NamedTuple, dataclass
from mcp_contracts.schema.wording import Path, name_at, options, pointer_to, refusal, shown_value, type_names, value_at


@dataclass(frozen=True, slots=True)
class SchemaError:
    """An error of a schema under its meta-schema: its place, the keyword of the schema, and a message."""

    pointer: str
    keyword: str
    message: str


@dataclass(frozen=True, slots=True)
class InstanceError:
    """Why a schema rejects a value: the place in the value and in the schema, the keyword, and a message.

    `member` is the name of the property that is missing or not allowed, if the error is about one.
    """

    pointer: str
    schema_pointer: str
    keyword: str
    message: str
    member: str | None = None


class EngineError(Protocol):
    """An error of jsonschema-rs. `kind` contains the keyword's value, and is named after the keyword."""

    message: str
    instance_path: list[str | int]
    schema_path: list[str | int]
    kind: Any
    instance: Any


_MAXIMUM_NESTED = 3
_SIMPLE = frozenset({"type", "enum", "minimum", "exclusiveMinimum", "minItems"})
_SHALLOW = frozenset({"type", "const", "enum"})


def explain_instance(
    errors: Iterable[EngineError], instance: JsonValue, subject: str, *, written: Mapping[str, str]
) -> Iterator[InstanceError]:
    """Explain the errors of a value, sorted by place and without duplicates.

    `written` maps patterns that were expanded for the engine to the author's text.
    """
    seen = set()
    value = _Value(instance, subject, written)
    for error in _by_place(errors):
        for item in _explain(error, value):
            key = (item.pointer, item.message)
            if key not in seen:
                seen.add(key)
                yield item


def explain_schema(errors: Iterable[EngineError], schema: JsonValue) -> Iterator[SchemaError]:
    """Explain the errors of a schema under its meta-schema, one for each place."""
    seen = set()
    for error in _by_place(errors):
        pointer = pointer_to(error.instance_path)
        if pointer not in seen:
            seen.add(pointer)
            keyword = next((token for token in reversed(error.instance_path) if isinstance(token, str)), "")
            yield SchemaError(pointer, keyword, _schema_message(error, schema))


def _by_place(errors: Iterable[EngineError]) -> list[EngineError]:
    def order(error: EngineError) -> tuple[list[tuple[bool, str | int]], str]:
        return [(isinstance(token, str), token) for token in error.instance_path], pointer_to(error.schema_path)

    return sorted(errors, key=order)


def _schema_message(error: EngineError, schema: JsonValue) -> str:
    path = error.instance_path
    value = value_at(schema, path)
    last = path[-1] if path else ""
    in_list = len(path) > 1 and isinstance(last, int)
    name = f"item {last} of `{path[-2]}`" if in_list else name_at(path[-1:], "the schema")
    detail = error.kind.value if error.kind.name in _SIMPLE else None
    if error.kind.name == "type" and set(error.kind.value) == {"boolean", "object"}:
        return f"{name} is {shown_value(value)}, not a schema (an object or a boolean)"
    if error.kind.name == "anyOf" and last == "type":
        return f"{name} is {shown_value(value)}, which is not a JSON type"
    return refusal(error.kind.name, detail, value, name)


class _Value(NamedTuple):
    """The validated value, its name in messages, and the author's text of expanded patterns."""

    whole: JsonValue
    subject: str
    written: Mapping[str, str]


def _explain(error: EngineError, value: _Value) -> Iterator[InstanceError]:
    path = error.instance_path
    kind = type(error.kind).__name__
    keyword = error.kind.name
    if kind in ("AnyOf", "OneOfNotValid"):
        yield from _of_branches(error, value)
    elif kind in ("AdditionalProperties", "UnevaluatedProperties"):
        for name in error.kind.unexpected:
            yield _error(error, keyword, None, [*path, name], value)
    elif kind == "FalseSchema" and _forbids_all_properties(error):
        closed = value_at(value.whole, path)
        for name in sorted(closed) if isinstance(closed, dict) else ():
            yield _error(error, "additionalProperties", None, [*path, name], value)
    elif kind == "PropertyNames":
        inner = error.kind.error
        message = refusal(inner.kind.name, _keyword_value(inner, value), inner.instance, "the name of a property")
        yield InstanceError(pointer_to(path), pointer_to(error.schema_path), keyword, message)
    else:
        if kind == "FalseSchema" and error.schema_path[-1:] == ["propertyNames"]:
            keyword = "propertyNames"
        if kind == "Contains" and error.schema_path:
            keyword = str(error.schema_path[-1])
        yield _error(error, keyword, _keyword_value(error, value), path, value)


def _keyword_value(error: EngineError, value: _Value) -> JsonValue:
    detail: JsonValue = error.kind.value
    return value.written.get(detail, detail) if isinstance(detail, str) else detail


def _forbids_all_properties(error: EngineError) -> bool:
    """Whether this is `additionalProperties: false` without `properties`, which the engine replaces with `false`."""
    steps = error.schema_path[-2:]
    is_property = steps == ["properties", *error.instance_path[-1:]]
    return steps[-1:] == ["additionalProperties"] and not is_property


def _error(error: EngineError, keyword: str, detail: JsonValue, path: Path, value: _Value) -> InstanceError:
    message = refusal(keyword, detail, value_at(value.whole, path), name_at(path, value.subject))
    member = error.kind.property if type(error.kind).__name__ == "Required" else None
    if len(path) > len(error.instance_path):  # a property that is not allowed
        member = str(path[-1])
    return InstanceError(pointer_to(path), pointer_to(error.schema_path), keyword, message, member)


def _of_branches(error: EngineError, value: _Value) -> Iterator[InstanceError]:
    """Explain why no alternative matches: the errors of the intended one if it is clear, else one error for all."""
    branches: Sequence[Sequence[EngineError]] = error.kind.context
    path = error.instance_path
    meant = [branch for branch in branches if branch and not _is_other_kind(branch, path)]
    if len(meant) == 1:
        for nested in _by_place(meant[0])[:_MAXIMUM_NESTED]:
            yield from _explain(nested, value)
        return
    name, refused = name_at(path, value.subject), value_at(value.whole, path)
    wanted = _wanted_types(branches, len(path))
    message = f"{name} is {shown_value(refused)}, {wanted or 'which matches none of the alternatives'}"
    yield InstanceError(pointer_to(path), pointer_to(error.schema_path), error.kind.name, message)


def _is_other_kind(branch: Sequence[EngineError], path: Path) -> bool:
    """Whether an alternative is for values of a different type or with a different tag (`"kind": "circle"`)."""
    return any(
        (error.kind.name in _SHALLOW and len(error.instance_path) == len(path))
        or (error.kind.name in ("const", "enum") and len(error.instance_path) == len(path) + 1)
        for error in branch
    )


def _wanted_types(branches: Sequence[Sequence[EngineError]], depth: int) -> str | None:
    """Describe what the alternatives require, if each requires a type or certain values of the whole value."""
    types: list[str] = []
    values: list[JsonValue] = []
    for branch in branches:
        error = next((error for error in branch if len(error.instance_path) == depth), None)
        if error is None or error.kind.name not in _SHALLOW:
            return None
        if error.kind.name == "type":
            types.extend(error.kind.value)
        else:
            values.extend(error.kind.value if error.kind.name == "enum" else [error.kind.value])
    if not values:
        return f"not of type {type_names(set(types))}"
    return f"not {options(values)}" + (f", nor of type {type_names(set(types))}" if types else "")
