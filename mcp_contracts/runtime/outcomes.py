"""Special return values of functions, and the conversion of return values to JSON."""

from __future__ import annotations

import dataclasses
import json
import marshal
import re
from collections import deque
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from copy import deepcopy
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from mcp_contracts import messages
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.text import MAXIMUM_DEPTH
from mcp_contracts.records import dataclass
from mcp_contracts.runtime.base64_bytes import model_adapter
from mcp_contracts.runtime.blocks import with_blocks
from mcp_contracts.schema import effort


@dataclass(frozen=True, slots=True)
class NoChangeNeeded:
    """Returned by a function that had nothing to do. The status of the result is `no_change_needed`.

    `explanation` is for the reader; `data`, if set, must match the output schema.
    """

    explanation: str | None = None
    data: Any = None


@dataclass(frozen=True, slots=True)
class PartialSuccess:
    """Returned by a function that completed a part of its work. The status of the result is `partial_success`.

    `data` is the completed part and must match the output schema; `explanation` and `error` describe the rest.
    """

    data: Any
    explanation: str | None = None
    error: messages.MCPErrorDetail | None = None


class NotJsonError(ValueError):
    """A returned value has no JSON form. The message says what and where, but does not contain the value.

    `fault` is the message without the place, whose names may be secret.
    """

    def __init__(self, message: str, fault: str | None = None) -> None:
        super().__init__(message)
        self.fault = message if fault is None else fault


@dataclass(frozen=True, slots=True)
class Answer:
    """A return value, divided into its status, its value before output validation, and its messages."""

    status: messages.ResultStatus
    value: Any
    explanation: str | None = None
    error: messages.MCPErrorDetail | None = None


def answer_of(returned: object) -> Answer:
    """Convert a return value to an answer. An `MCPToolResult` states its own status."""
    match returned:
        case messages.MCPToolResult():
            return Answer(returned.status, returned.data, returned.explanation, returned.error)
        case NoChangeNeeded():
            return Answer(messages.ResultStatus.NO_CHANGE_NEEDED, with_blocks(returned.data), returned.explanation)
        case PartialSuccess():
            data = with_blocks(returned.data)
            return Answer(messages.ResultStatus.PARTIAL_SUCCESS, data, returned.explanation, returned.error)
        case _:
            return Answer(messages.ResultStatus.SUCCESS, with_blocks(returned))


def as_json(value: object) -> JsonValue:
    """Convert a Python value to JSON, in new containers.

    Models and dataclasses become objects; sets, tuples and ranges become arrays; dates, paths, decimals, identifiers
    and similar values become text, and so do keys that are such values or numbers. Raises `NotJsonError` for anything
    else, for numbers that JSON cannot represent, and beyond `MAXIMUM_DEPTH` levels or `MAXIMUM_VALUES` values, which
    also stops at cyclic values.
    """
    try:
        # Copying plain JSON this way takes a tenth of the time.
        if (type(value) is dict or type(value) is list) and effort.is_plain(
            value, messages.MAXIMUM_VALUES, MAXIMUM_DEPTH
        ):
            return marshal.loads(marshal.dumps(value, 2))  # type: ignore[no-any-return]
        return messages.json_value(_as_plain_value(value, 0, _ValueCount()))  # type: ignore[no-any-return]
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # serializers and properties of the function's types may raise anything
        if isinstance(error, NotJsonError | messages.NotWritableError):
            raise NotJsonError(str(error), error.fault) from error
        raise NotJsonError(f"cannot be read: `{type(error).__name__}`") from error


def copy_object(value: dict[str, Any]) -> dict[str, Any]:
    """Return a deep copy of a JSON object."""
    try:
        return marshal.loads(marshal.dumps(value, 2))  # type: ignore[no-any-return]
    except ValueError:  # it contains a value that resembles JSON
        return deepcopy(value)


class _ValueCount:
    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = messages.MAXIMUM_VALUES

    def require(self, values: int) -> None:
        """Raise if there are more values than allowed, before visiting the first of them."""
        if values > self.left:
            raise NotJsonError(f"the value contains more than {messages.MAXIMUM_VALUES:,} values, or itself")


def _as_plain_value(value: Any, depth: int, room: _ValueCount) -> Any:
    """Convert models, dataclasses and other containers in a value to dicts and lists."""
    if depth > MAXIMUM_DEPTH:
        raise NotJsonError(f"the value is nested more than {MAXIMUM_DEPTH} levels deep")
    room.require(1)
    room.left -= 1
    match value:
        case None | bool() | Enum() | bytes():
            return value
        case str():
            return str.__str__(value)  # without the methods of a subclass, which may fail when the value is written
        case int():
            return int.__int__(value)
        case float():
            return float.__float__(value)
        case bytearray() | memoryview():
            return bytes(value)
        case BaseModel():
            adapter = model_adapter(type(value))
            dumped = (
                value.model_dump(mode="json", by_alias=True)
                if adapter is None
                else adapter.dump_python(value, mode="json", by_alias=True)
            )
            return _as_plain_value(dumped, depth, room)
        case Mapping():
            room.require(len(value))
            members = {_as_name(key): _as_plain_value(item, depth + 1, room) for key, item in value.items()}
            if len(members) < len(value):
                raise NotJsonError("two keys of the value have the same string form")
            return members
        case list() | tuple() | range() | deque() | AbstractSet():
            room.require(len(value))
            return [_as_plain_value(item, depth + 1, room) for item in value]
        case timedelta() | complex() | re.Pattern():
            return to_jsonable_python(value)
        case _ if any(kind.__module__ in _TEXT_MODULES for kind in type(value).__mro__):
            return to_jsonable_python(value)
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            names = (field.name for field in dataclasses.fields(value))
            return {name: _as_plain_value(getattr(value, name), depth + 1, room) for name in names}
        case _:
            return value  # dates and paths, or values without a JSON form


_TEXT_MODULES = frozenset(("decimal", "fractions", "ipaddress", "pydantic.networks", "pydantic.types", "uuid"))
"""The modules of values that pydantic writes as text: addresses, exact numbers, and secrets as asterisks."""


def _as_name(key: Any) -> Any:
    """Return a key as text if it is a value with a single JSON form, which pydantic reads back."""
    if isinstance(key, str) and not isinstance(key, Enum):
        return str.__str__(key)
    if not isinstance(key, bool | int | float | Enum | bytes | date | time | PurePath | UUID | Decimal):
        return key  # refused as a key that is not a string
    written = messages.json_value(_as_plain_value(key, 0, _ValueCount()))
    return written if written is None or isinstance(written, str) else json.dumps(written)


def result_data(value: JsonValue, *, wraps: bool) -> dict[str, JsonValue] | None:
    """Return a JSON value as the `data` of a result: an object or null unchanged, anything else under `result`."""
    if wraps or not (value is None or isinstance(value, dict)):
        return {"result": value}
    return value
