"""What a function may answer with beside plain data, and what any answer becomes in JSON."""

from __future__ import annotations

import dataclasses
import marshal
from collections import deque
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from copy import deepcopy
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import (
    MAXIMUM_DEPTH,
    MAXIMUM_VALUES,
    MCPErrorDetail,
    MCPToolResult,
    ResultStatus,
    json_value,
)
from mcp_contracts.schema import effort


@dataclass(frozen=True, slots=True)
class NoChangeNeeded:
    """Returned by a function whose work was done already: the result's status is `no_change_needed`.

    `explanation` is a word for the reader; `data` is held to the output schema where it is there.
    """

    explanation: str | None = None
    data: Any = None


@dataclass(frozen=True, slots=True)
class PartialSuccess:
    """Returned by a function that did a part of its work: the result's status is `partial_success`.

    `data` is what was done, held to the output schema; `explanation` and `error` say what was not, and why.
    """

    data: Any
    explanation: str | None = None
    error: MCPErrorDetail | None = None


class ToolError(Exception):
    """Raised by a function to fail in its own words: `error_type` as the contract names it, a message, and details.

    All three reach the caller as they are, so they must hold no secret. `details` is a JSON object, text or None.
    """

    def __init__(self, error_type: str, message: str, details: Mapping[str, Any] | str | None = None) -> None:
        super().__init__(message)
        self.error_type = error_type
        self.message = message
        self.details = details


class NotJsonError(ValueError):
    """A returned value that no JSON value stands for; the message says what and where, never the value."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a function returned, taken apart: how it ended, and its value before it is held to the output schema."""

    status: ResultStatus
    value: Any
    explanation: str | None = None
    error: MCPErrorDetail | None = None


def answer_of(returned: object) -> Answer:
    """A returned value as an answer. An `MCPToolResult` says itself how the call ended."""
    match returned:
        case MCPToolResult():
            return Answer(returned.status, returned.data, returned.explanation, returned.error)
        case NoChangeNeeded():
            return Answer(ResultStatus.NO_CHANGE_NEEDED, returned.data, returned.explanation)
        case PartialSuccess():
            return Answer(ResultStatus.PARTIAL_SUCCESS, returned.data, returned.explanation, returned.error)
        case _:
            return Answer(ResultStatus.SUCCESS, returned)


def as_json(value: object) -> JsonValue:
    """A Python value as the JSON value that stands for it, in new containers.

    Models and dataclasses become objects, sets, tuples and ranges arrays, and dates, paths, decimals, identifiers and
    the like text. Raises `NotJsonError` for anything else, for numbers that JSON cannot write, and past
    `MAXIMUM_DEPTH` levels or `MAXIMUM_VALUES` values, where a value that holds itself ends as well.
    """
    try:
        # Plain JSON is copied in a tenth of the time.
        if (type(value) is dict or type(value) is list) and effort.is_plain(value, MAXIMUM_VALUES, MAXIMUM_DEPTH):
            return marshal.loads(marshal.dumps(value, 2))  # type: ignore[no-any-return]
        return json_value(_as_plain_value(value, 0, _Room()))  # type: ignore[no-any-return]
    except Exception as error:  # a serializer or a property of the function's own types may raise anything
        message = str(error) if type(error) in (ValueError, NotJsonError) else f"cannot be read: {_kind(error)}"
        raise NotJsonError(message) from error


def copied(value: dict[str, Any]) -> dict[str, Any]:
    """A copy of a JSON object that shares nothing with it."""
    try:
        return marshal.loads(marshal.dumps(value, 2))  # type: ignore[no-any-return]
    except ValueError:  # it holds something that is like a value of JSON and is not one
        return deepcopy(value)


def _kind(error: Exception) -> str:
    return f"`{type(error).__name__}`"


class _Room:
    """How many more values there may be."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MAXIMUM_VALUES

    def require(self, values: int) -> None:
        """Refuse so many more values where there may be fewer, before the first of them is looked at."""
        if values > self.left:
            raise NotJsonError(f"the value contains more than {MAXIMUM_VALUES:,} values, or itself")


def _as_plain_value(value: Any, depth: int, room: _Room) -> Any:
    """The value with models, dataclasses and other containers opened into dicts and lists."""
    if depth > MAXIMUM_DEPTH:
        raise NotJsonError(f"the value is nested more than {MAXIMUM_DEPTH} levels deep")
    room.require(1)
    room.left -= 1
    match value:
        case None | str() | int() | float() | Enum() | bytes():
            return value
        case BaseModel():
            return _as_plain_value(value.model_dump(mode="json", by_alias=True), depth, room)
        case Mapping():
            room.require(len(value))
            return {key: _as_plain_value(item, depth + 1, room) for key, item in value.items()}
        case list() | tuple() | range() | deque() | AbstractSet():
            room.require(len(value))
            return [_as_plain_value(item, depth + 1, room) for item in value]
        case Decimal() | UUID() | timedelta():
            return to_jsonable_python(value)
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            names = (field.name for field in dataclasses.fields(value))
            return {name: _as_plain_value(getattr(value, name), depth + 1, room) for name in names}
        case _:
            return value  # dates and paths, or what has no form in JSON


def result_data(value: JsonValue, *, wraps: bool) -> dict[str, JsonValue] | None:
    """A JSON value as the `data` of a result: an object or null as it is, anything else under `result`."""
    if wraps or not (value is None or isinstance(value, dict)):
        return {"result": value}
    return value
