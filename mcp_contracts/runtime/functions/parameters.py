"""The parameters of a Python function: property names, resolved annotations, and defaults."""

from __future__ import annotations

import functools
import inspect
import re
import types
import typing
from collections.abc import Callable
from typing import Annotated, Any, Union, get_args, get_origin

import pydantic
from pydantic.fields import FieldInfo

from mcp_contracts.contract import JsonValue
from mcp_contracts.diagnostics import Place
from mcp_contracts.errors import UsageError
from mcp_contracts.records import dataclass, replace
from mcp_contracts.runtime.context import ToolContext

_EMPTY = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter that a caller can fill.

    `name` is Python's name, `property_name` the schema's. `annotation` is resolved, without the arguments of `Field`,
    which are in `field`; it is `Any` if it is missing or cannot be resolved, in which case `unresolved` is its text.
    `default` is a factory for the default, or None if a call must provide the value; `is_supplied` means that Python
    itself would not apply the default (`Field(default=…)`).
    """

    name: str
    property_name: str
    annotation: Any
    field: FieldInfo | None = None
    default: Callable[[], object] | None = None
    is_supplied: bool = False
    unresolved: str | None = None


POSITIONAL = "/"
"""Represents the name of a positional-only parameter."""


@dataclass(frozen=True, slots=True)
class Signature:
    """How a function is called.

    `subject` is its name in messages. `context` is the name of the parameter for the `ToolContext`, or `POSITIONAL` if
    it is passed by position, which leaves its name to an argument. `bound` are the names that a `functools.partial`
    binds, and `rest` is the `**keywords` parameter. `returns` is the resolved return annotation, or
    `inspect.Parameter.empty`; `unresolved_return` is its text if it cannot be resolved. `is_generator` means that the
    function yields, and `returns` is the type of an iterator.
    """

    subject: str
    parameters: tuple[Parameter, ...]
    context: str | None = None
    bound: frozenset[str] = frozenset()
    rest: Parameter | None = None
    returns: Any = _EMPTY
    unresolved_return: str | None = None
    is_generator: bool = False


def signature_of(function: Callable[..., object]) -> Signature:
    """Return how a function is called by keyword. Raises UsageError if that is impossible."""
    subject = subject_of(function)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError) as error:
        raise UsageError(
            f"{subject} has no signature that Python can read",
            hint="wrap it in a function that names its parameters",
        ) from error
    plain = plain_function(function)
    bound = frozenset(function.keywords if isinstance(function, functools.partial) else ())
    is_generator = inspect.isgeneratorfunction(plain) or inspect.isasyncgenfunction(plain)
    found = read_signature(signature, subject, lambda annotation: _resolve(annotation, plain), bound=bound)
    return replace(found, is_generator=is_generator)


def read_signature(
    signature: inspect.Signature,
    subject: str,
    resolved: Callable[[Any], tuple[Any, str | None]],
    *,
    bound: frozenset[str] = frozenset(),
) -> Signature:
    """Return how a function with this signature is called by keyword. Raises UsageError if that is impossible.

    `resolved` returns an annotation without forward references, or `Any` and the text of an annotation that cannot be
    resolved.
    """
    parameters: list[Parameter] = []
    contexts: list[str] = []
    rest: Parameter | None = None
    for parameter in signature.parameters.values():
        if parameter.name in bound:
            continue
        if parameter.name in ("self", "cls") and parameter.annotation is _EMPTY and "." in subject.split("`")[1]:
            raise UsageError(
                f"{subject} is an unbound method, but a call cannot pass `{parameter.name}`",
                hint="pass the method of an instance, as in `Forecasts().get`",
            )
        annotation, unresolved = resolved(parameter.annotation)
        if _asks_for_context(annotation, unresolved):
            is_first = parameter.kind is inspect.Parameter.POSITIONAL_ONLY
            contexts.append(POSITIONAL if is_first else parameter.name)
            continue
        match parameter.kind:
            case inspect.Parameter.POSITIONAL_ONLY:
                raise UsageError(
                    f"parameter `{parameter.name}` of {subject} is positional-only",
                    hint="remove the `/` from the signature, since a call gives its arguments by name",
                )
            case inspect.Parameter.VAR_POSITIONAL:
                raise UsageError(
                    f"{subject} takes `*{parameter.name}`, which cannot be passed by name",
                    hint=f"replace it with one parameter, such as `{parameter.name}: list[str]`",
                )
            case inspect.Parameter.VAR_KEYWORD:
                rest = _parameter(parameter, annotation, unresolved)
            case _:
                parameters.append(_parameter(parameter, annotation, unresolved))
    if len(contexts) > 1:
        raise UsageError(
            f"{subject} takes the `ToolContext` twice, in `{contexts[0]}` and `{contexts[1]}`",
            hint="keep one of these parameters",
        )
    returns, unresolved_return = resolved(signature.return_annotation)
    context = contexts[0] if contexts else None
    found = Signature(subject, tuple(parameters), context, bound, rest, returns, unresolved_return)
    _refuse_unclear(found)
    return found


def _refuse_unclear(signature: Signature) -> None:
    """Raise UsageError for parameters whose value would be ambiguous."""
    takers: dict[str, str] = {}
    for parameter in signature.parameters:
        if parameter.field is not None and parameter.field.default_factory_takes_validated_data:
            raise UsageError(
                f"the default of parameter `{parameter.name}` of {signature.subject} depends on other values",
                hint="give it a `default_factory` without parameters",
            )
        other = takers.setdefault(parameter.property_name, parameter.name)
        if other != parameter.name:
            raise UsageError(
                f"parameters `{other}` and `{parameter.name}` of {signature.subject} both take the property"
                f" `{parameter.property_name}`",
                hint="give one of them another `Field(alias=…)`",
            )


# Kinds of functions


def plain_function(function: object) -> object:
    """Return the function that partials, methods, decorators and callable objects wrap: the one written with `def`."""
    while callable(function) and not inspect.isclass(function):
        if isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, staticmethod | types.MethodType):
            function = function.__func__
        elif hasattr(function, "__wrapped__"):
            function = inspect.unwrap(function)
        elif not inspect.isroutine(function) and inspect.isfunction(type(function).__call__):
            function = type(function).__call__
        else:
            break
    return function


def place_of(function: object) -> Place | None:
    """Return the location of a function's definition, or None if Python does not know."""
    code = getattr(plain_function(function), "__code__", None)
    if not isinstance(code, types.CodeType):
        return None
    path = code.co_filename.replace("\\", "/")
    return Place(path, code.co_firstlineno, 1, code.co_firstlineno, 1)


def subject_of(function: object) -> str:
    """Name a function in messages: its name in backticks, with file and line if known."""
    while isinstance(function, functools.partial):
        function = function.func
    name = getattr(function, "__qualname__", None)
    if not isinstance(name, str):
        name = type(function).__qualname__
    place = place_of(function)
    where = "" if place is None else f" ({place.path}:{place.line})"
    return f"function `{name.rpartition('<locals>.')[2]}`{where}"


# Annotations


def _resolve(annotation: Any, function: object) -> tuple[Any, str | None]:
    """Return an annotation without forward references, or `Any` and the text of one that cannot be resolved."""
    if annotation is _EMPTY:
        return _EMPTY, None
    annotation = with_json_values(annotation)
    module_names = getattr(function, "__globals__", {})
    local_names: dict[str, Any] = {"ToolContext": ToolContext} if "ToolContext" not in module_names else {}
    if module_names.get("JsonValue", JsonValue) == JsonValue:
        local_names["JsonValue"] = pydantic.JsonValue  # ours is recursive by name, which pydantic does not support
    code = getattr(function, "__code__", None)
    for name, cell in zip(getattr(code, "co_freevars", ()), getattr(function, "__closure__", None) or (), strict=False):
        try:
            local_names[name] = cell.cell_contents
        except ValueError:  # a name that is not assigned yet
            continue
    holder = types.SimpleNamespace(
        __annotations__={"value": annotation}, __type_params__=getattr(function, "__type_params__", ())
    )
    try:
        hints = typing.get_type_hints(holder, module_names, local_names, include_extras=True)
    except Exception:  # an annotation can be any code, so it may raise anything
        return Any, annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return with_json_values(hints["value"]), None


def with_json_values(annotation: Any) -> Any:
    """Replace our `JsonValue` in an annotation with pydantic's, because pydantic does not support our recursion."""
    if annotation == JsonValue:
        return pydantic.JsonValue
    origin, members = get_origin(annotation), get_args(annotation)
    if origin is None or not members or origin is typing.Literal:
        return annotation
    if origin is Annotated:
        return Annotated[(with_json_values(members[0]), *members[1:])]
    replaced = tuple(with_json_values(member) if not isinstance(member, list) else member for member in members)
    if replaced == members:
        return annotation
    if origin in (Union, types.UnionType):
        return Union[replaced]  # noqa: UP007 - of a tuple
    return annotation.copy_with(replaced) if hasattr(annotation, "copy_with") else origin[replaced]


def _asks_for_context(annotation: Any, unresolved: str | None) -> bool:
    """Whether a parameter takes the context; decided by name if the annotation is only imported for type checking."""
    if unresolved is not None:
        return re.search(r"\bToolContext\b", unresolved) is not None
    return annotation is ToolContext or (
        get_origin(annotation) in (Annotated, Union, types.UnionType)
        and any(_asks_for_context(member, None) for member in get_args(annotation))
    )


def _parameter(parameter: inspect.Parameter, annotation: Any, unresolved: str | None) -> Parameter:
    annotation = Any if annotation is _EMPTY else annotation
    given = parameter.default
    field: FieldInfo | None = None
    if isinstance(given, FieldInfo):
        field = FieldInfo.from_annotated_attribute(annotation, given)
    elif get_origin(annotation) is Annotated and any(isinstance(item, FieldInfo) for item in get_args(annotation)[1:]):
        field = FieldInfo.from_annotation(annotation)
    is_applied = given is not _EMPTY and not isinstance(given, FieldInfo)  # by Python itself
    default: Callable[[], object] | None = (lambda: given) if is_applied else None
    if default is None and field is not None and not field.is_required():
        default = functools.partial(field.get_default, call_default_factory=True)
    return Parameter(
        parameter.name,
        _property_name(parameter.name, field),
        _bare(annotation, field),
        field,
        default,
        is_supplied=default is not None and not is_applied,
        unresolved=unresolved,
    )


def _property_name(name: str, field: FieldInfo | None) -> str:
    if field is None:
        return name
    return field.validation_alias if isinstance(field.validation_alias, str) else field.alias or name


def _bare(annotation: Any, field: FieldInfo | None) -> Any:
    """Return a type with the constraints that `Field` sets on it, without metadata that a bare type cannot have."""
    if field is None:
        return annotation
    extras = list(field.metadata)
    if field.discriminator is not None:
        extras.append(pydantic.Field(discriminator=field.discriminator))
    return Annotated[(field.annotation, *extras)] if extras else field.annotation
