"""Convert an exception of a function into an error for the caller: a type, a message and details."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPErrorDetail, ToolError
from mcp_contracts.runtime.outcomes import NotJsonError, as_json
from mcp_contracts.schema.wording import writable

ErrorTypes = Mapping[type[Exception], str]
"""Maps exception classes, including subclasses, to error types; the nearest class decides."""

_LONGEST = 4_000
_MOST_LEAVES = 1_000
_OF_SYSTEM = (FileNotFoundError, PermissionError, TimeoutError)
"""Python's own exceptions that are standard error types."""


def check_error_types(errors: ErrorTypes | None) -> dict[type[Exception], str]:
    """Copy a mapping from the user to a dict. Raises `UsageError` if it does not map exceptions to names."""
    if errors is not None and not isinstance(errors, Mapping):
        raise UsageError("`errors` is not a mapping", hint='write it as `errors={KeyError: "ResourceNotFound"}`')
    for kind, name in (errors or {}).items():
        if not (isinstance(kind, type) and issubclass(kind, Exception) and isinstance(name, str) and name):
            raise UsageError(
                f"`errors` maps {kind!r} to {name!r}",
                hint='map exception classes to error type names: `{KeyError: "ResourceNotFound"}`',
            )
    return dict(errors or {})


def error_of(
    error: BaseException, *, declared: Collection[str], package: str, mapping: ErrorTypes, call_id: str
) -> MCPErrorDetail:
    """Return the error that a caller sees for an exception of a function.

    A `ToolError` provides its own error. A class in `mapping`, or a class from the `package` of the function (or from
    Python itself) with the name of a declared error, keeps its message, because it was raised for the caller. An
    operating system error keeps its cause, but neither path nor text. For all others, only a standard type and the name
    of the class are disclosed, because the message may contain confidential data. In an exception group, the first
    exception that was raised for the caller counts. `call_id` leads to the stack in the log.
    """
    try:
        for leaf in _leaves(error):
            detail = _declared_error(leaf, declared, package, mapping)
            if detail is not None:
                return detail
        return unexpected_error(error, call_id, declared)
    except KeyboardInterrupt:
        raise
    except BaseException:  # `__str__`, `__bool__` and properties of an exception are user code
        return unexpected_error(error, call_id)


def is_a(error: BaseException, kinds: type[BaseException] | tuple[type[BaseException], ...]) -> bool:
    """Whether an exception is of a class. `isinstance` would run the code of a class that overrides `__class__`."""
    return issubclass(type(error), kinds)


def is_interrupt(error: BaseException) -> bool:
    """Whether an exception interrupts the program, or is a group that contains such an exception."""
    return any(is_a(leaf, KeyboardInterrupt) for leaf in _leaves(error))


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield the exceptions of a group, at most 1,000, or the exception itself."""
    level: list[BaseException] = [error]
    for _ in range(_MOST_LEAVES):
        if not level:
            return
        found = level.pop(0)
        if is_a(found, BaseExceptionGroup):
            level[:0] = BaseExceptionGroup.exceptions.__get__(found)[:_MOST_LEAVES]  # a class may override it
        else:
            yield found


def _declared_error(
    error: BaseException, declared: Collection[str], package: str, mapping: ErrorTypes
) -> MCPErrorDetail | None:
    """Return the error that an exception represents, or None if it was not meant for the caller."""
    if isinstance(error, ToolError):
        return _detail(error.error_type, error.message, _json(error.details))
    for kind in type(error).__mro__:
        if kind in mapping:
            return _detail(mapping[kind], _message(error))
        if kind.__name__ in declared and str(kind.__module__).partition(".")[0] in ("builtins", package):
            return _detail(kind.__name__, _message(error))
        if kind in _OF_SYSTEM and isinstance(error, OSError) and type(error.errno) is int:
            return _detail(kind.__name__, os.strerror(error.errno).lower())
    return None


def is_expected(detail: MCPErrorDetail) -> bool:
    """Whether an error was meant for the caller, so that its traceback is not needed."""
    return not (isinstance(detail.error_details, dict) and "exception" in detail.error_details)


def unexpected_error(error: BaseException, call_id: str, declared: Collection[str] = ()) -> MCPErrorDetail:
    """Return the error for an undeclared exception, without its message."""
    name = _text(type(error).__name__)
    message = f"the tool failed unexpectedly, with `{name}`"
    known = (kind.__name__ for kind in type(error).__mro__ if kind in _OF_SYSTEM or kind.__name__ in declared)
    return _detail(next(known, "ToolExecutionError"), message, {"exception": name, "call_id": call_id})


def _message(error: BaseException) -> str:
    """Return an exception's message, without the paths that the operating system adds."""
    if isinstance(error, OSError) and error.strerror:
        return str(error.strerror).lower()
    try:
        text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    except Exception:  # `__str__` is user code
        text = ""
    return text or type(error).__name__


def _detail(error_type: object, message: object, details: dict[str, Any] | str | None = None) -> MCPErrorDetail:
    # An error type or message that is empty or not a string is a mistake of the function, and must not raise here.
    kind = _text(str(error_type))[:200] or "ToolExecutionError"
    return MCPErrorDetail(error_type=kind, error_message=_text(str(message)), error_details=details)


def _text(text: str) -> str:
    """Return text that UTF-8 can encode, shortened if it is long."""
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}… ({len(text) - _LONGEST} more characters)"
    return writable(text)


def _json(details: object) -> dict[str, Any] | str | None:
    if details is None:
        return None
    if isinstance(details, str):
        return _text(details)
    try:
        value = as_json(details)
    except NotJsonError:
        return None
    return value if isinstance(value, dict) else {"details": value}
