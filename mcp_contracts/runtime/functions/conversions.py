"""Decide which annotations accept a JSON value unchanged, and build the values of all others."""

from __future__ import annotations

import inspect
import types
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NewType, TypeVar, Union, get_args, get_origin

import pydantic
from pydantic import TypeAdapter, ValidationError
from pydantic.errors import PydanticUndefinedAnnotation, PydanticUserError
from pydantic_core import ErrorDetails, SchemaError

from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.runtime.base64_bytes import base64_adapter

_PLAIN = frozenset((str, int, float, bool, None, types.NoneType, Any, object, pydantic.JsonValue))
_ARRAYS = frozenset((list, Sequence, Collection, Iterable))
_OBJECTS = frozenset((dict, Mapping))
# Keywords that do not constrain a value.
_SAYS_NOTHING = frozenset(("description", "title", "examples", "default", "deprecated"))
# Exceptions of pydantic for a type that it cannot build; the last two for a constraint that does not fit the type.
_UNFIT = (PydanticUserError, PydanticUndefinedAnnotation, SchemaError, TypeError)


def is_plain(annotation: Any, stated: JsonValue = None) -> bool:
    """Whether a function with this annotation accepts the JSON value unchanged.

    `stated` is the schema that values have been validated against. A constraint that it does not state is not plain,
    because it would never be checked.
    """
    if _is_plain_type(annotation):
        return True
    if get_origin(annotation) is not Annotated:
        return False
    inner, *extras = get_args(annotation)
    if not _is_plain_type(inner) or not isinstance(stated, dict) or not all(map(_is_constraint, extras)):
        return False
    try:
        wanted = TypeAdapter(annotation).json_schema()
    except (*_UNFIT, RecursionError):
        return False
    return wanted == {key: value for key, value in stated.items() if key not in _SAYS_NOTHING}


def _is_constraint(extra: object) -> bool:
    """Whether pydantic expresses a constraint completely in the schema, as for `annotated_types.Ge` and text."""
    kind = type(extra)
    if kind.__name__ == "_PydanticGeneralMetadata":  # of `Field(pattern=…)` and similar; it has no public name
        return set(vars(extra)) == {"pattern"}
    return kind is str or (
        kind.__module__ == "annotated_types"
        and kind.__name__ in ("Ge", "Gt", "Le", "Lt", "MultipleOf", "MinLen", "MaxLen", "Len")
    )


def _is_plain_type(annotation: Any) -> bool:
    if isinstance(annotation, NewType):
        return _is_plain_type(annotation.__supertype__)
    origin, members = get_origin(annotation), get_args(annotation)
    if origin is None:
        try:
            return annotation in _PLAIN or annotation in _ARRAYS or annotation in _OBJECTS
        except TypeError:  # not hashable, so in none of these sets
            return False
    if origin is Literal:
        return all(type(member) in (str, int, bool, types.NoneType) for member in members)
    if origin in (Union, types.UnionType) or origin in _ARRAYS:
        return all(_is_plain_type(member) for member in members)
    if origin in _OBJECTS:
        return members[0] in (str, Any) and _is_plain_type(members[1])
    if origin is Annotated:
        return _is_plain_type(members[0]) and all(isinstance(extra, str) for extra in members[1:])
    return False


def adapter_of(annotation: Any, subject: str) -> TypeAdapter[Any]:
    """Return an adapter that builds values of a type from JSON, with bytes as base64.

    Raises UsageError, about `subject`, if that is not possible.
    """
    try:
        return base64_adapter(annotation)
    except RecursionError as error:
        raise UsageError(
            f"{subject} has a recursive type",
            hint="use `pydantic.JsonValue`, or make it a model or a dataclass",
        ) from error
    except _UNFIT as error:
        cause = str(error).splitlines()[0].rstrip(".")
        hint = "annotate it with a JSON type, a dataclass or a pydantic model"
        match getattr(error, "code", None):
            case "typed-dict-version":
                cause = "`typing.TypedDict` cannot be read before Python 3.12"
                hint = "import `TypedDict` from `typing_extensions`"
            case "undefined-annotation" | "class-not-fully-defined":
                cause = f"a name in the annotations of `{type_name(annotation)}` is not defined"
                hint = "define or import it at the top of the module"
            case "schema-for-unknown-type":
                cause = f"pydantic cannot build a schema for `{type_name(annotation)}`"
        raise UsageError(f"{subject} cannot be built from JSON: {cause}", hint=hint) from error


def type_name(annotation: Any) -> str:
    """Return the name of a type, as in code."""
    if isinstance(annotation, type) and not get_args(annotation):
        return annotation.__qualname__.rpartition("<locals>.")[2]
    if isinstance(annotation, TypeVar):
        return annotation.__name__
    return inspect.formatannotation(annotation)


# Pydantic's errors


def faults_of(error: ValidationError, value: JsonValue, pointer: str) -> Iterator[tuple[str, str]]:
    """Yield pydantic's errors for a value, as pointers below `pointer` and messages that do not repeat the value."""
    seen = set()
    for detail in error.errors(include_url=False):
        fault = (pointer + _pointer(detail, value), _message(detail))
        if fault not in seen:
            seen.add(fault)
            yield fault


def _pointer(detail: ErrorDetails, value: JsonValue) -> str:
    """Return the pointer of an error. Pydantic's path also contains tried union members, which are not places."""
    steps: list[str] = []
    for token in detail["loc"]:
        if isinstance(value, dict) and isinstance(token, str) and token in value:
            value = value[token]
            steps.append(escape(token))
        elif isinstance(value, list) and isinstance(token, int) and token < len(value):
            value = value[token]
            steps.append(str(token))
    if detail["type"] == "missing" and isinstance(value, dict):
        steps.append(escape(str(detail["loc"][-1])))
    return "".join(f"/{step}" for step in steps)


def _message(detail: ErrorDetails) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    match kind:
        case "missing" | "missing_argument" | "missing_keyword_only_argument":
            return "is missing"
        case "extra_forbidden" | "unexpected_keyword_argument":
            return "is not declared"
        case "json_invalid":
            return "cannot be read: it is nested too deeply or is not valid JSON"
        case "union_tag_invalid":
            return f"must have the discriminator {context.get('discriminator')}, one of {context.get('expected_tags')}"
        case "uuid_parsing":
            return "should be a valid UUID"
        case "value_error" | "assertion_error":
            message = str(context.get("error", "")).strip()
            if not message or _echoes(detail["input"], message):
                return "is rejected by a validator of its type"
            return " ".join(message.split())
    message = " ".join(detail["msg"].split()).removeprefix("Input ").rstrip(".")
    return message[:1].lower() + message[1:]


def _echoes(value: object, message: str) -> bool:
    """Whether a message repeats a value or a part of it, which may be a secret."""
    match value:
        case dict():
            return any(_echoes(item, message) for item in value.values())
        case list() | tuple():
            return any(_echoes(item, message) for item in value)
        case None | bool():
            return False
        case _:
            return str(value) != "" and str(value) in message
