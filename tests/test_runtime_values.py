"""Values without a JSON type: the same as arguments and as results, for sync and async functions."""

from __future__ import annotations

import base64
import dataclasses
import decimal
import enum
import fractions
import ipaddress
import pathlib
import re
import uuid
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from typing import Annotated, Any, Literal, Optional

import pytest
from mcp_types import ImageContent, TextContent
from pydantic import (
    Base64Bytes,
    BaseModel,
    ConfigDict,
    Field,
    HttpUrl,
    PostgresDsn,
    SecretStr,
    computed_field,
)
from typing_extensions import TypedDict

from mcp_contracts import Audio, Image, ToolContract, ToolRegistry
from tests.runtime_tools import call_of, error_type, message_of, require_valid, run
from tests.tables import each

RAW = b"\xfb\xff\xfe hi"
TEXT = base64.b64encode(RAW).decode()


class Unit(enum.Enum):
    METRIC = "metric"


@dataclasses.dataclass
class Part:
    content: bytes
    following: Part | None = None


class Chosen(BaseModel):
    unit: Literal[Unit.METRIC]


class Other(BaseModel):
    unit: Literal["other"]


class Upload(TypedDict):
    content: bytes


class Photo(BaseModel):
    content: bytes = Field(alias="theContent")
    parts: list[Photo | Part] = []


class Hexadecimal(BaseModel):
    model_config = ConfigDict(ser_json_bytes="hex", val_json_bytes="hex")
    content: bytes


def _echoing(annotation: Any, *, is_async: bool, seen: list[Any]) -> Callable[..., Any]:
    def now(value: Any) -> Any:
        seen.append(value)
        return value

    async def soon(value: Any) -> Any:
        return now(value)

    echo = soon if is_async else now
    echo.__annotations__ = {"value": annotation, "return": annotation}
    return echo


@each("is_async", [False, True])
@each(
    ("annotation", "sent", "received"),
    [
        (bytes, TEXT, RAW),
        (bytes, "", b""),
        (bytes | None, TEXT, RAW),
        (list[bytes], [TEXT], [RAW]),
        (dict[str, bytes], {"a": TEXT}, {"a": RAW}),
        (Part, {"content": TEXT, "following": {"content": TEXT, "following": None}}, Part(RAW, Part(RAW))),
        (Upload, {"content": TEXT}, {"content": RAW}),
        (
            Photo,
            {"theContent": TEXT, "parts": [{"theContent": TEXT, "parts": []}, {"content": TEXT, "following": None}]},
            Photo(theContent=RAW, parts=[Photo(theContent=RAW), Part(RAW)]),
        ),
        (Hexadecimal, {"content": RAW.hex()}, Hexadecimal(content=RAW)),
        (list[Unit | None], ["metric", None], [Unit.METRIC, None]),
        (dict[str, list[decimal.Decimal]], {"a": ["1.50"]}, {"a": [decimal.Decimal("1.50")]}),
        (date, "2026-11-21", date(2026, 11, 21)),
        (time, "09:30:00", time(9, 30)),
        (datetime, "2026-11-21T09:30:00+00:00", datetime(2026, 11, 21, 9, 30, tzinfo=UTC)),
        (decimal.Decimal, "1.50", decimal.Decimal("1.50")),
        (pathlib.PurePosixPath, "a/b", pathlib.PurePosixPath("a/b")),
        (uuid.UUID, str(uuid.UUID(int=5)), uuid.UUID(int=5)),
        (Unit, "metric", Unit.METRIC),
        (dict[int, list[bytes]], {"1": [TEXT]}, {1: [RAW]}),
        (dict[Unit, dict[bool, int]], {"metric": {"true": 1}}, {Unit.METRIC: {True: 1}}),
        (dict[uuid.UUID, int], {str(uuid.UUID(int=5)): 1}, {uuid.UUID(int=5): 1}),
        (dict[date, float], {"2026-11-21": 0.5}, {date(2026, 11, 21): 0.5}),
        (dict[bytes, int], {TEXT: 1}, {RAW: 1}),
        (Base64Bytes, TEXT, RAW),
        (Literal[Unit.METRIC, "imperial"], "metric", Unit.METRIC),
        (Literal[Unit.METRIC, "imperial"], "imperial", "imperial"),
        (Chosen, {"unit": "metric"}, Chosen(unit=Unit.METRIC)),
        (Annotated[Chosen | Other, Field(discriminator="unit")], {"unit": "metric"}, Chosen(unit=Unit.METRIC)),
        (list[HttpUrl], ["https://example.org/"], [HttpUrl("https://example.org/")]),
        (PostgresDsn, "postgres://host/db", PostgresDsn("postgres://host/db")),
        (ipaddress.IPv4Network, "10.0.0.0/30", ipaddress.IPv4Network("10.0.0.0/30")),
        (fractions.Fraction, "1/3", fractions.Fraction(1, 3)),
        (complex, "1+2j", 1 + 2j),
        (re.Pattern, "a+", re.compile("a+")),
    ],
    ids=str,
)
def test_a_value_is_built_from_json_and_written_back_once(
    annotation: Any, sent: Any, received: Any, is_async: bool
) -> None:
    seen: list[Any] = []
    registry = ToolRegistry("demo")
    registry.tool(_echoing(annotation, is_async=is_async, seen=seen), name="echo")

    for result in (
        registry.call(call_of("demo.echo", value=sent)),
        run(registry.acall(call_of("demo.echo", value=sent))),
        registry["demo.echo"](value=received),
    ):
        data = result.unwrap()
        assert data in (sent, {"result": sent})
    assert seen == [received] * 3


@each("value", [{1: "a", "1": "b"}, {None: "a"}, {(1, 2): "a"}, {float("nan"): "a"}, {"a": {object(): 1}}])
def test_a_key_without_its_own_text_is_refused(value: dict[Any, Any]) -> None:
    registry = ToolRegistry("demo")
    registry.tool(lambda: value, name="get")

    assert error_type(registry.call(call_of("demo.get"))) == "ToolExecutionError"


@pytest.mark.parametrize("text", ["not base64!", "aGVsbG8", "-_8=", "aGVsbG8=\n", "é"])
def test_bytes_that_are_not_base64_are_refused(text: str) -> None:
    registry = ToolRegistry("demo")
    registry.tool(_echoing(bytes, is_async=False, seen=[]), name="echo")

    assert error_type(registry.call(call_of("demo.echo", value=text))) == "ValidationError"


def test_the_schema_of_bytes_says_base64_and_bounds_the_text() -> None:
    def store(content: Annotated[bytes, Field(max_length=4)], tail: bytes = b"hi") -> None: ...

    schema: Any = ToolRegistry("demo").tool(store).contract.input_schema

    assert schema["properties"] == {
        "content": {"type": "string", "contentEncoding": "base64", "maxLength": 8},
        "tail": {"type": "string", "contentEncoding": "base64", "default": "aGk="},
    }


def test_bytes_of_a_specification_reach_the_function_decoded() -> None:
    schema: Any = {
        "type": "object",
        "properties": {"content": {"type": "string", "contentEncoding": "base64"}},
        "required": ["content"],
        "additionalProperties": False,
    }
    registry = ToolRegistry([ToolContract.from_schema("files.put", input_schema=schema)])

    @registry.implement("files.put")
    def put(content: bytes) -> dict[str, int]:
        return {"size": len(content)}

    assert registry.call(call_of("files.put", content=TEXT)).data == {"size": len(RAW)}


_PNG = {"type": "image", "data": TEXT, "mimeType": "image/png"}
_WAV = {"type": "audio", "data": TEXT, "mimeType": "audio/wav"}
_SAID = {"type": "text", "text": "two"}


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize(
    ("annotation", "returned", "blocks"),
    [
        (Image, Image(data=RAW), [_PNG]),
        (Optional[Image], Image(data=RAW, mime_type="image/png"), [_PNG]),  # noqa: UP045 - read like the other form
        (list[Image | Audio | str], ["two", Image(data=RAW), Audio(data=RAW)], [_SAID, _PNG, _WAV]),
        (ImageContent, ImageContent(type="image", data=TEXT, mime_type="image/png"), [_PNG]),
        (list[TextContent], [TextContent(type="text", text="two")], [_SAID]),
        (Any, [Image(data=RAW)], [_PNG]),
        (list, [Image(data=RAW), {"a": 1}, _SAID], [_PNG, {"type": "text", "text": '{"a": 1}'}, _SAID]),
        (tuple, ("two", Image(data=RAW)), [_SAID, _PNG]),
        (list[Any], [Image(data=RAW)], [_PNG]),
        (list[Image | int], [Image(data=RAW), 2], [_PNG, {"type": "text", "text": "2"}]),
        (Image | dict[str, int], Image(data=RAW), [_PNG]),
    ],
    ids=str,
)
def test_blocks_are_content_for_clients_and_models(
    annotation: Any, returned: Any, blocks: list[Any], is_async: bool
) -> None:
    seen: list[Any] = []
    registry = ToolRegistry("demo")

    def now(value: Any) -> Any:
        seen.append(value)
        return returned

    async def soon(value: Any) -> Any:
        return now(value)

    show = soon if is_async else now
    show.__annotations__ = {"value": Image, "return": annotation}
    registry.tool(show, name="show")
    result = registry.call(call_of("demo.show", value=_PNG))

    assert result.unwrap() == {"content": blocks}
    assert seen[0] == Image(data=RAW)
    assert registry["demo.show"].contract.output_schema is None
    assert run(registry.mcp.answer({"name": "demo.show", "arguments": {"value": _PNG}}))["content"] == blocks


@pytest.mark.parametrize("written", [bytearray(RAW), memoryview(RAW), [memoryview(RAW)]])
def test_other_bytes_are_written_like_bytes(written: Any) -> None:
    registry = ToolRegistry("demo")
    registry.tool(lambda: written, name="dump")

    assert registry.call(call_of("demo.dump")).data == {"result": [TEXT] if isinstance(written, list) else TEXT}


class _Priced(BaseModel):
    @computed_field  # type: ignore[prop-decorator]  # as pydantic's documentation writes it
    @property
    def price(self) -> int:
        raise ValueError("hunter2")


class _Name(str):
    __slots__ = ()

    def __str__(self) -> str:
        raise RuntimeError("hunter2")

    __repr__ = encode = __eq__ = __str__  # type: ignore[assignment]
    __hash__ = str.__hash__


class _Count(int):
    def __int__(self) -> int:
        raise RuntimeError("hunter2")

    __repr__ = __eq__ = bit_length = __int__  # type: ignore[assignment]
    __hash__ = int.__hash__


class _Share(float):
    def __float__(self) -> float:
        raise RuntimeError("hunter2")

    __repr__ = __eq__ = __float__  # type: ignore[assignment]
    __hash__ = float.__hash__


def test_the_text_of_an_exception_that_a_result_raises_is_not_for_the_caller() -> None:
    registry = ToolRegistry("demo")
    registry.tool(lambda: _Priced(), name="get")

    message = message_of(registry.call(call_of("demo.get")))

    assert message == "the tool returned a value that JSON cannot represent: cannot be read: `ValueError`"


@each(
    ("value", "plain"), [(_Name("ann"), "ann"), (_Count(3), 3), (_Share(0.5), 0.5), ({_Name("k"): [_Count(1)]}, None)]
)
def test_a_result_has_only_plain_values_whose_methods_are_pythons(value: Any, plain: Any) -> None:
    registry = ToolRegistry("demo")
    registry.tool(lambda: value, name="get")

    result = require_valid(registry.call(call_of("demo.get")))

    assert result.data == ({"k": [1]} if plain is None else {"result": plain})
    assert {type(one) for one in (result.data or {}).values()} <= {str, int, float, list}


def test_a_secret_that_a_function_returns_is_written_as_asterisks() -> None:
    registry = ToolRegistry("demo")
    registry.tool(lambda: {"key": SecretStr("hunter2")}, name="get")

    assert registry.call(call_of("demo.get")).data == {"key": "**********"}
