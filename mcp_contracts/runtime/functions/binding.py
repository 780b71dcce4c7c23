"""Pass the arguments of a call to a Python function."""

from __future__ import annotations

import copy
import functools
import inspect
import keyword
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError, to_json

from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import dataclass, replace
from mcp_contracts.runtime.context import ToolContext
from mcp_contracts.runtime.functions.conversions import adapter_of, faults_of, is_plain
from mcp_contracts.runtime.functions.parameters import POSITIONAL, Parameter, Signature, signature_of
from mcp_contracts.schema.vocabulary import DEPENDENT, IN_PLACE

Invoke = Callable[[dict[str, JsonValue], ToolContext | None], object]


class ArgumentsRefusedError(Exception):
    """The types of a function reject arguments that the schema accepted; raised before the function runs.

    `faults` contains the JSON pointer into the arguments and the message of each fault.
    """

    def __init__(self, faults: tuple[tuple[str, str], ...]) -> None:
        super().__init__("; ".join(f"`{pointer}` {message}" for pointer, message in faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Binding:
    """A function, and how to call it with the arguments of a call.

    `invoke(arguments, context)` calls it and returns its result, or an awaitable of it if `is_async`. It raises
    ArgumentsRefusedError and the exceptions of the function. `wraps_result` means that the returned value belongs under
    `result`; `takes_context` means that the function uses the context, or is a generator whose values are reported to
    it; otherwise, the context may be None. A sync function that returns an awaitable, as some decorators create, is not
    recognized as async, so the caller must check its return value.
    """

    function: Callable[..., object]
    is_async: bool
    wraps_result: bool
    takes_context: bool
    invoke: Invoke


def bind(function: Callable[..., object], contract: ToolContract | None, *, wraps_result: bool = False) -> Binding:
    """Bind a function to a contract or, without one, to its own signature.

    Raises UsageError if the function cannot accept what the contract declares, or requires more.
    """
    function = _callable(function)
    signature = signature_of(function)
    declared = None if contract is None else _declared_properties(contract.input_schema)
    if contract is not None and declared is not None:
        _check_signature(signature, declared, contract.name)
    return Binding(
        function,
        is_async=_is_async(function),
        wraps_result=wraps_result,
        takes_context=signature.context is not None or signature.is_generator,
        invoke=_invocation(function, signature, declared),
    )


def _callable(function: Any) -> Callable[..., object]:
    """Return the callable behind the given object."""
    if isinstance(function, staticmethod):
        function = function.__func__
    if inspect.isclass(function):
        raise UsageError(
            f"`{function.__qualname__}` is a class, and calling it would create an instance",
            hint=f"pass a function, or an instance that can be called: `{function.__name__}(…)`",
        )
    if isinstance(function, classmethod | property):
        raise UsageError(
            f"a {type(function).__name__} cannot be called before its class exists",
            hint="access it through the class or an instance, as in `Forecasts.get`",
        )
    if not callable(function):
        raise UsageError(f"an object of type `{type(function).__name__}` cannot be called", hint="pass a function")
    return function  # type: ignore[no-any-return]  # callable() narrows Any to nothing


def _call_target(function: Callable[..., object]) -> Callable[..., object]:
    """Return what runs when a callable is called, without unwrapping decorators, which may wrap other kinds."""
    while True:
        if isinstance(function, functools.partial):
            function = function.func
        elif inspect.ismethod(function):
            function = function.__func__
        elif not inspect.isroutine(function) and inspect.isfunction(type(function).__call__):
            function = type(function).__call__
        else:
            return function


def _is_async(function: Callable[..., object]) -> bool:
    target = _call_target(function)
    is_async = inspect.iscoroutinefunction(target) or inspect.isasyncgenfunction(target)
    return is_async or inspect.iscoroutinefunction(function)


# The contract


@dataclass(frozen=True, slots=True)
class _DeclaredProperties:
    """The properties that a plain object schema declares; `is_closed` if it allows no other names."""

    properties: Mapping[str, JsonValue]
    required: frozenset[str]
    is_closed: bool

    def default(self, name: str) -> Callable[[], JsonValue] | None:
        """Return a factory for the default of a property that the contract states, if any."""
        schema = self.properties.get(name)
        if not isinstance(schema, dict) or "default" not in schema:
            return None
        return functools.partial(copy.deepcopy, schema["default"])


# Keywords that may declare more or fewer properties than `properties` does.
_COMPOSING = frozenset((*IN_PLACE, "patternProperties")) - DEPENDENT


def _declared_properties(schema: JsonValue) -> _DeclaredProperties | None:
    if not isinstance(schema, dict) or any(key in schema for key in _COMPOSING):
        return None
    is_closed = schema.get("additionalProperties") is False
    properties = schema.get("properties", {} if is_closed else None)
    required = schema.get("required", [])
    if not isinstance(properties, dict) or not isinstance(required, list):
        return None
    return _DeclaredProperties(properties, frozenset(name for name in required if isinstance(name, str)), is_closed)


def _check_signature(signature: Signature, declared: _DeclaredProperties, tool: str) -> None:
    """Raise UsageError if a function cannot accept the arguments that a contract declares."""
    takers = {parameter.property_name: parameter for parameter in signature.parameters}
    # Report properties that the function lacks first: a renamed parameter explains both sides.
    for name in declared.properties:
        if name == signature.context:
            raise UsageError(
                f"the property `{name}` of `{tool}` has the same name as the context parameter of {signature.subject}",
                hint=f"rename that parameter, for example to `tool_{name}`",
            )
        if name in signature.bound:
            raise UsageError(
                f"`{tool}` declares the property `{name}`, which the partial of {signature.subject} already binds",
                hint=f"leave `{name}` out of the `functools.partial`, or remove the property from the contract",
            )
        if name not in takers and signature.rest is None:
            spare = [other for other in takers if other not in declared.properties]
            raise UsageError(
                f"`{tool}` declares the property `{name}`, which {signature.subject} does not take",
                hint=_hint_to_take(name, spare),
            )
    for name, parameter in takers.items():
        if name in declared.properties:
            if parameter.default is None and name not in declared.required and declared.default(name) is None:
                raise UsageError(
                    f"parameter `{parameter.name}` of {signature.subject} is required, but the property `{name}` of"
                    f" `{tool}` is optional and has no default",
                    hint=f"give `{parameter.name}` a default, or list `{name}` under `required` in the contract",
                )
        elif parameter.default is None:
            near = get_close_matches(parameter.property_name, list(declared.properties), n=1)
            advice = f"declare `{parameter.property_name}` in the input schema, or give the parameter a default"
            raise UsageError(
                f"parameter `{parameter.name}` of {signature.subject} is required, but `{tool}` does not declare it",
                hint=f"{advice}, or rename it to `{near[0]}`" if near else advice,
            )


def _hint_to_take(name: str, spare: list[str]) -> str:
    taken = name
    if not name.isidentifier() or keyword.iskeyword(name):
        taken = f"{name}_" if name.isidentifier() else "value"
        advice = f'add a parameter such as `{taken}: Annotated[str, Field(alias="{name}")]`'
    else:
        advice = f"add a parameter `{name}`"
    near = get_close_matches(name, spare, n=1) or get_close_matches(taken, spare, n=1)
    return f"{advice}, or rename `{near[0]}`" if near else f"{advice}, or remove the property from the contract"


# Passing arguments


@dataclass(frozen=True, slots=True)
class _Step:
    """The parameter for one argument, and the function that builds its value, if it is not passed unchanged."""

    name: str
    build: Callable[..., object] | None


def _invocation(function: Callable[..., object], signature: Signature, declared: _DeclaredProperties | None) -> Invoke:
    """Return the fastest way to call a function with the arguments of a call."""
    if signature.context == POSITIONAL:
        function = _take_context_by_name(function)
    steps: dict[str, _Step] = {}
    fills: dict[str, Callable[[], object]] = {}
    required: list[str] = []
    for parameter in signature.parameters:
        name = parameter.property_name
        if declared is not None and name not in declared.properties:  # not for callers, even if the schema is open
            if parameter.is_supplied and parameter.default is not None:
                fills[parameter.name] = parameter.default
            continue
        step = steps[name] = _step(parameter, signature.subject, declared)
        stated = None if declared is None or name in declared.required else declared.default(name)
        if parameter.default is None and stated is not None:
            fills[step.name] = _default_factory(step, stated)
        elif parameter.default is None:
            required.append(name)
        elif parameter.is_supplied:
            fills[step.name] = parameter.default
    rest = None if signature.rest is None else _step(signature.rest, signature.subject, None)
    is_held = declared is not None and declared.is_closed and declared.required.issuperset(required)
    as_it_is = all(name == step.name and step.build is None for name, step in steps.items())
    if is_held and as_it_is and not fills and (rest is None or rest.build is None):
        taker = signature.context
        if taker is None:
            return lambda arguments, _: function(**arguments)
        return lambda arguments, context: function(**arguments, **{taker: context})
    return _invoke_with_conversion(function, signature, steps, rest, fills, tuple(required))


def _take_context_by_name(function: Callable[..., object]) -> Callable[..., object]:
    return lambda **keywords: function(keywords.pop(POSITIONAL), **keywords)


def _invoke_with_conversion(
    function: Callable[..., object],
    signature: Signature,
    steps: Mapping[str, _Step],
    rest: _Step | None,
    fills: Mapping[str, Callable[[], object]],
    required: tuple[str, ...],
) -> Invoke:
    """Return an invocation for arguments that are built, renamed or supplied, or that an open schema accepts."""
    context_name = signature.context
    needed = frozenset(required)
    reserved = {parameter.name for parameter in signature.parameters} | {context_name, *signature.bound}

    def invoke(arguments: dict[str, JsonValue], context: ToolContext | None) -> object:
        keywords: dict[str, object] = {}
        faults: list[tuple[str, str]] = []
        for name, value in arguments.items():
            step = steps.get(name)
            if step is None:
                if rest is None or name in reserved:
                    faults.append((f"/{escape(name)}", "is not a parameter of this tool"))
                    continue
                step = replace(rest, name=name)
            build = step.build
            if build is None:
                keywords[step.name] = value
                continue
            try:
                keywords[step.name] = build(to_json(value), strict=True)
            except ValidationError as error:
                faults.extend(faults_of(error, value, f"/{escape(name)}"))
            except PydanticSerializationError:
                faults.append((f"/{escape(name)}", "cannot be written as JSON in UTF-8"))
        if not needed <= arguments.keys():
            missing = (name for name in required if name not in arguments)
            faults.extend(
                (f"/{escape(name)}", "is missing, and the function has no default for it") for name in missing
            )
        if faults:
            raise ArgumentsRefusedError(tuple(faults))
        for name, fill in fills.items():
            if name not in keywords:
                keywords[name] = fill()
        if context_name is not None:
            keywords[context_name] = context
        return function(**keywords)

    return invoke


def _step(parameter: Parameter, subject: str, declared: _DeclaredProperties | None) -> _Step:
    stated = None if declared is None else declared.properties.get(parameter.property_name)
    if is_plain(parameter.annotation, stated):
        return _Step(parameter.name, None)
    adapter = adapter_of(parameter.annotation, f"parameter `{parameter.name}` of {subject}")
    return _Step(parameter.name, adapter.validator.validate_json)


def _default_factory(step: _Step, default: Callable[[], JsonValue]) -> Callable[[], object]:
    """Return a factory for a default of the contract, converted to the type of the parameter."""
    build = step.build
    return default if build is None else lambda: build(to_json(default()), strict=True)
