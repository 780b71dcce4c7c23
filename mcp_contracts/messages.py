"""The three messages of the protocol: a tool call, its result, and the details of an error, also as an exception."""

from __future__ import annotations

import base64
import json
import math
import reprlib
from collections.abc import Iterator, Mapping
from datetime import date, time
from enum import Enum, StrEnum
from pathlib import PurePath
from typing import Annotated, Any, Self, TypeVar, overload

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, model_validator

from mcp_contracts.json_values.text import MAXIMUM_DEPTH, read_json

# `$` has the semantics of ECMA-262 and Rust. Python's also matches before a final newline: use `re.fullmatch` there.
TOOL_NAME_PATTERN = r"^[a-z0-9_]+(\.[a-z0-9_]+)+$"

STANDARD_ERROR_TYPES = (
    "ValidationError",
    "FileNotFoundError",
    "AuthenticationError",
    "ResourceNotFound",
    "ToolExecutionError",
    "ApiLimitExceeded",
    "TimeoutError",
    "PermissionError",
)

# A value may contain itself, or the same row a thousand times: each occurrence counts, as it would be written.
MAXIMUM_VALUES = 1_000_000

_MAXIMUM_BITS = 14_280  # Python refuses to write more than 4,300 digits, which take slightly more bits


class ResultStatus(StrEnum):
    """How a tool call ended."""

    SUCCESS = "success"
    FAILURE = "failure"
    NO_CHANGE_NEEDED = "no_change_needed"
    PARTIAL_SUCCESS = "partial_success"


def _pointer(path: tuple[str | int, ...]) -> str:
    """Return the JSON pointer of a path (RFC 6901), with characters that UTF-8 cannot encode escaped."""
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in path)
    return "".join(f"/{step}" for step in steps).encode("utf-8", "backslashreplace").decode("utf-8")


class NotWritableError(ValueError):
    """A part of a value has no JSON form. `pointer` may contain secret names; `reason` and `fault` contain none."""

    def __init__(self, path: tuple[str | int, ...], fault: str, *, unnamed: str | None = None) -> None:
        self.pointer = _pointer(path)
        super().__init__(f"`{self.pointer}` {fault}" if path else f"the value {fault}")
        self.reason = unnamed or fault
        self.fault = f"{'a part of it' if path else 'the value'} {self.reason}"


class _ValueCount:
    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MAXIMUM_VALUES


def _encode(value: Any, path: tuple[str | int, ...], room: _ValueCount) -> Any:
    """Convert a Python value to JSON.

    Raises ValueError, with the JSON pointer of the place, if a part has no JSON form.
    """
    if len(path) > MAXIMUM_DEPTH:
        # The pointer would be as long as the value is deep, and only its beginning could be shown.
        raise NotWritableError((), f"is nested more than {MAXIMUM_DEPTH} levels deep")
    room.left -= 1
    if room.left < 0:
        raise NotWritableError((), f"contains more than {MAXIMUM_VALUES:,} values, or itself")
    if type(value) is str and value.isascii():  # most values by far
        return value
    match value:
        case Enum():
            return _encode(value.value, path, room)
        case str():
            try:
                value.encode("utf-8")
            except UnicodeEncodeError as error:
                raise NotWritableError(path, "contains a lone surrogate, which UTF-8 cannot encode") from error
            return value
        case float():
            if not math.isfinite(value):
                raise NotWritableError(path, f"is {value}, which JSON cannot represent")
            return value
        case int():
            if value.bit_length() > _MAXIMUM_BITS:
                raise NotWritableError(path, "has more digits than Python can convert to text")
            return value
        case None:
            return value
        case dict():
            return {_encode_key(key, path, room): _encode(item, (*path, key), room) for key, item in value.items()}
        case list() | tuple():
            return [_encode(item, (*path, index), room) for index, item in enumerate(value)]
        case date() | time():
            return value.isoformat()
        case PurePath():
            return _encode(str(value), path, room)
        case bytes():
            return base64.b64encode(value).decode("ascii")
        case _:
            raise NotWritableError(path, f"is a `{type(value).__name__}`, which JSON cannot represent")


def _encode_key(key: Any, path: tuple[str | int, ...], room: _ValueCount) -> Any:
    if not isinstance(key, str):
        fault = f"has the key `{key!r}`, which is not a string"
        raise NotWritableError(path, fault, unnamed="has a key that is not a string")
    room.left += 1  # a name does not count as a value
    return _encode(key, (*path, key), room)


def json_value(value: Any) -> Any:
    """Convert a Python value to JSON, in new containers.

    Raises ValueError, with the JSON pointer of the place, if a part has no JSON form.
    """
    return _encode(value, (), _ValueCount())


def _require_json_form(value: Any) -> Any:
    """Return the value unchanged once it is certain that it can be written."""
    _encode(value, (), _ValueCount())
    return value


def _require_string(value: Any) -> Any:
    """Reject bytes. Pydantic is lax here, so that an enum accepts a plain string, and would decode them."""
    if not isinstance(value, str):
        raise ValueError("a status is a string")
    return value


_Value = TypeVar("_Value")
_Writable = Annotated[_Value, AfterValidator(_require_json_form), PlainSerializer(json_value, when_used="json")]


class Message(BaseModel):
    """Base of all messages: strict, closed and frozen, with the same JSON in both directions.

    Python values may contain dates and times (written in ISO 8601), paths (as strings), bytes (in base64), enums (their
    values) and tuples (as arrays), at most `MAXIMUM_DEPTH` levels deep; they are converted when they are written.
    """

    # The serializers of `_Writable` do not have their own schema: the written form is the read form.
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, json_schema_mode_override="validation")

    def __repr_args__(self) -> Iterator[tuple[str, Any]]:
        """Yield the fields that `repr` shows: those that are not null, each shortened."""
        for name in type(self).model_fields:
            value = getattr(self, name, None)
            if value is not None:
                yield name, value if isinstance(value, Message) else _BoundedRepr(value)

    def to_dict(self) -> dict[str, Any]:
        """Return the message as a JSON object with all fields."""
        return self.model_dump(mode="json")

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the message as JSON text, compact without an indent, without escaping non-ASCII characters."""
        separators = (",", ":") if indent is None else None
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read a message from JSON text, or from its bytes in UTF-8.

        Raises ValueError if the text is not valid JSON, repeats a key, contains NaN or infinity, or is nested too
        deeply, and pydantic's ValidationError, which is a ValueError, if the JSON is not such a message.
        """
        return cls.model_validate(read_json(text))


_LONGEST_SHOWN = 200  # characters of one field in `repr`
_SHORTENER = reprlib.Repr()
_SHORTENER.maxstring = _SHORTENER.maxother = _LONGEST_SHOWN
_SHORTENER.maxdict = _SHORTENER.maxlist = 10


class _BoundedRepr:
    """A value whose `repr` is bounded."""

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def __repr__(self) -> str:
        shown = _SHORTENER.repr(self._value.value if isinstance(self._value, StrEnum) else self._value)
        return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}…"


class MCPToolCall(Message):
    """A request to run one tool."""

    tool_name: str = Field(
        pattern=TOOL_NAME_PATTERN, description="The dotted name of the tool, such as `weather.get_forecast`."
    )
    arguments: _Writable[dict[str, Any]] = Field(
        description="The arguments by parameter name; an empty object if there are none."
    )


class MCPCallContext(Message):
    """What a caller states about a call in addition to its arguments, as a separate message."""

    channel: _Writable[str | None] = Field(default=None, description="Where the call comes from, such as `sms`.")
    caller: _Writable[str | None] = Field(default=None, description="The caller, as authenticated by the transport.")
    deadline: Annotated[float | None, Field(allow_inf_nan=False)] = Field(
        default=None,
        description="The maximum duration of the call in seconds; null if only the tool and its host limit it.",
    )
    metadata: _Writable[dict[str, Any]] = Field(
        default_factory=dict, description="Information for the tool and for observers of the call, such as a session."
    )


class MCPErrorDetail(Message):
    """The details of an error, for programs and for people."""

    error_type: _Writable[str] = Field(
        min_length=1,
        description="The kind of error: a standard one, such as `ValidationError`, or one that the contract names.",
        json_schema_extra={
            "anyOf": [
                {"title": "StandardErrorType", "enum": list(STANDARD_ERROR_TYPES)},
                {"title": "DeclaredErrorType", "type": "string"},
            ]
        },
    )
    error_message: _Writable[str] = Field(description="What went wrong, as text.")
    error_details: _Writable[dict[str, Any] | str | None] = Field(
        default=None, description="Additional details that help to find the cause, if any."
    )


class ToolError(Exception):
    """Raised by a function to fail with an error from its contract: an `error_type`, a message, and details.

    `ToolError("the pass is closed")` has only a message; its type is `ToolExecutionError`. All three reach the caller
    unchanged, so they must not contain secrets. `details` is a JSON object, text or None. Also raised by
    `MCPToolResult.unwrap`, so that a function that calls another tool can pass its error on.
    """

    @overload
    def __init__(self, message: str, /) -> None: ...

    @overload
    def __init__(self, error_type: str, message: str, details: Mapping[str, Any] | str | None = None) -> None: ...

    def __init__(
        self, error_type: str, message: str | None = None, details: Mapping[str, Any] | str | None = None
    ) -> None:
        if message is None:
            error_type, message = "ToolExecutionError", error_type
        super().__init__(message)
        self.error_type = error_type
        self.message = message
        self.details = details

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the error without calling `__init__`, because a subclass may change its parameters."""
        return _restored_error, (type(self), self.args), self.__dict__


def _restored_error(kind: type[ToolError], arguments: tuple[object, ...]) -> ToolError:
    error = kind.__new__(kind)
    error.args = arguments
    return error


class MCPToolResult(Message):
    """The result of a tool call.

    A status that contains `failure` requires an error and forbids data. A result that is read must contain its status.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"required": ["status"], "properties": {"status": {"pattern": "failure"}}},
            "then": {"required": ["error"], "properties": {"error": {"type": "object"}, "data": {"type": "null"}}},
        }
    )

    status: Annotated[ResultStatus, BeforeValidator(_require_string)] = Field(
        strict=False, description="How the call ended."
    )
    data: _Writable[dict[str, Any] | None] = Field(
        default=None, description="The data that the tool returned, as its output schema describes it."
    )
    error: MCPErrorDetail | None = Field(
        default=None, description="What went wrong. A failure requires it; otherwise it may be null."
    )
    explanation: _Writable[str | None] = Field(default=None, description="A note on the result for the reader.")

    def __init__(
        self,
        *,
        status: ResultStatus | str = ResultStatus.SUCCESS,
        data: Mapping[str, Any] | None = None,
        error: MCPErrorDetail | Mapping[str, Any] | None = None,
        explanation: str | None = None,
        **unknown: Any,
    ) -> None:
        """Create a result. The status is optional only here."""
        fields: dict[str, Any] = {"status": status, "data": data, "error": error, "explanation": explanation}
        super().__init__(**fields, **unknown)

    # Pydantic would also call any other `__init__` to read a message, which must state its status.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @property
    def ok(self) -> bool:
        """Whether the call succeeded, at least in part: the status is not a failure."""
        return self.status is not ResultStatus.FAILURE

    def unwrap(self) -> dict[str, Any] | None:
        """Return the data, or raise the error as a `ToolError`."""
        if self.ok:
            return self.data
        error = self.error or MCPErrorDetail(error_type="ToolExecutionError", error_message="the call failed")
        raise ToolError(error.error_type, error.error_message, error.error_details)

    @model_validator(mode="after")
    def _hold_failure_and_error_together(self) -> Self:
        if "failure" in self.status:
            if self.error is None:
                raise ValueError(f"status `{self.status}` requires `error`")
            if self.data is not None:
                raise ValueError(f"status `{self.status}` forbids `data`")
        return self


def trusted_result(
    status: ResultStatus,
    data: dict[str, Any] | None,
    error: MCPErrorDetail | None = None,
    explanation: str | None = None,
) -> MCPToolResult:
    """Create a result from parts that are known to be valid, without validation.

    `data` must be JSON within `MAXIMUM_DEPTH`. Every call uses this, because validation takes ten times as long.
    """
    result = _new(MCPToolResult)
    _set_values(result, {"status": status, "data": data, "error": error, "explanation": explanation})
    _set_given(result, _ALL_FIELDS)
    _set_extra(result, None)
    _set_private(result, None)
    return result


# What `BaseModel.model_construct` does, without its loop over the fields.
_new = object.__new__
_set_values = BaseModel.__dict__["__dict__"].__set__
_set_given = BaseModel.__dict__["__pydantic_fields_set__"].__set__
_set_extra = BaseModel.__dict__["__pydantic_extra__"].__set__
_set_private = BaseModel.__dict__["__pydantic_private__"].__set__
_ALL_FIELDS = set(MCPToolResult.model_fields)  # never modified: messages are frozen
