"""Convert an exception of a function into an error for the caller: a type, a message and details."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pydantic import ValidationError

from mcp_contracts.errors import UsageError
from mcp_contracts.messages import STANDARD_ERROR_TYPES, MCPErrorDetail, ToolError
from mcp_contracts.runtime.outcomes import NotJsonError, as_json

ErrorTypes = Mapping[type[Exception], str]
"""Maps exception classes, including subclasses, to error types; the nearest class decides."""

_LONGEST = 4_000
_FOREIGN = ("jsonschema", "pydantic", "pydantic_core", "jsonschema_rs", "mcp")
"""Packages with classes that share the name of a standard error type, but differ in meaning and show values."""


def check_error_types(errors: ErrorTypes | None) -> dict[type[Exception], str]:
    """Copy a mapping from the user to a dict. Raises `UsageError` if it does not map exceptions to names."""
    if errors is not None and not isinstance(errors, Mapping):
        raise UsageError("`errors` is not a mapping", hint='write it as `errors={KeyError: "ResourceNotFound"}`')
    for kind, name in (errors or {}).items():
        if not (isinstance(kind, type) and issubclass(kind, Exception) and isinstance(name, str) and name):
            raise UsageError(
                f"`errors` maps {kind!r} to {name!r}",
                hint='map classes of exceptions to the names of error types: `{KeyError: "ResourceNotFound"}`',
            )
    return dict(errors or {})


def error_of(error: Exception, *, declared: Collection[str], mapping: ErrorTypes, call_id: str) -> MCPErrorDetail:
    """Return the error that a caller sees for an exception of a function.

    A `ToolError` provides its own error. A class in `mapping`, or one named like an error type that the contract
    declares or the protocol defines, keeps its message, since it was raised for the caller. An operating system error
    keeps its cause, but not the path. For all others only the name of the class is disclosed, because the message may
    contain confidential data. `call_id` leads to the traceback in the log.
    """
    try:
        return _declared_error(error, declared, mapping) or unexpected(error, call_id)
    except Exception:  # `__str__`, `__bool__` and properties of an exception are user code
        return unexpected(error, call_id)


def _declared_error(error: Exception, declared: Collection[str], mapping: ErrorTypes) -> MCPErrorDetail | None:
    """Return the error that an exception stands for, or None if it was not meant for the caller."""
    if isinstance(error, ToolError):
        return _detail(error.error_type, error.message, _json(error.details))
    for kind in type(error).__mro__:
        if kind in mapping:
            return _detail(mapping[kind], _message(error))
        if kind.__name__ in declared or kind.__name__ in STANDARD_ERROR_TYPES:
            if kind.__module__.partition(".")[0] in _FOREIGN or isinstance(error, ValidationError):
                break
            return _detail(kind.__name__, _message(error))
    return None


def is_expected(detail: MCPErrorDetail) -> bool:
    """Whether an error was meant for the caller, so that its traceback is not needed."""
    return not (isinstance(detail.error_details, dict) and "exception" in detail.error_details)


def unexpected(error: BaseException, call_id: str) -> MCPErrorDetail:
    """Return the error for an undeclared exception."""
    name = _text(type(error).__name__)
    message = f"the tool failed unexpectedly, with `{name}`"
    return _detail("ToolExecutionError", message, {"exception": name, "call_id": call_id})


def _message(error: Exception) -> str:
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
    """Return text that UTF-8 can encode, within bounds."""
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}… ({len(text) - _LONGEST} characters more)"
    return text.encode("utf-8", "backslashreplace").decode()


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
