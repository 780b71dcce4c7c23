"""A contract derived from a Python function."""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter
from typing_extensions import TypedDict

from mcp_contracts.contract import Effects, JsonValue, Status
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.runtime.context import ToolContext
from mcp_contracts.runtime.functions.python_tools import PythonTool, python_tool
from mcp_contracts.runtime.outcomes import NoChangeNeeded, PartialSuccess
from mcp_contracts.schema.references import ReferenceState, references
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from tests.tables import each

if TYPE_CHECKING:
    from nowhere import Missing  # type: ignore[import-not-found]  # there is none, which is the point


class Unit(Enum):
    CELSIUS = "c"
    FAHRENHEIT = "f"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


@dataclass
class Point:
    """A place on Earth."""

    lat: float
    lon: float = 0.0


@dataclass(frozen=True)
class Alert:
    on: date
    tags: frozenset[str] = frozenset()
    at: list[Point] = field(default_factory=list)


class Node(BaseModel):
    value: int = 0
    children: list[Node] = []


class Options(TypedDict, total=False):
    days: int
    since: date


class Span(NamedTuple):
    start: date
    end: date


def input_of(function: Callable[..., object], **options: Any) -> Any:
    return python_tool(function, name="a.b", **options).contract.input_schema


def output_of(function: Callable[..., object]) -> tuple[Any, bool]:
    tool = python_tool(function, name="a.b")
    return tool.contract.output_schema, tool.binding.wraps_result


def refusal(function: Callable[..., object], **options: Any) -> str:
    with pytest.raises(UsageError) as caught:
        python_tool(function, **options)
    assert caught.value.hint
    return f"{caught.value.message} -> {caught.value.hint}"


# The contract as a whole


def get_forecast(
    city: Annotated[str, Field(min_length=1, examples=["Bonn"])],
    days: int = 3,
    *,
    unit: Literal["c", "f"] = "c",
    context: ToolContext,
) -> Point:
    """Get the forecast of a city.

    It is made every hour: see the site.

    Args:
        city: The city, as its
            people write it.
        days (int): How many days.
        other: Nothing that is there.

    Returns:
        The place, in this form: degrees.

    Raises:
        StationUnknown: No station is near.
        weather.errors.Closed: The office is closed.
    """
    return Point(1.0)


def test_a_function_states_its_whole_contract() -> None:
    tool = python_tool(
        get_forecast,
        version="1.2.0",
        status="stable",
        effects=Effects("read-only"),
        tags=["a"],
        channels=["sms"],
        idempotent="yes",
    )
    contract = tool.contract

    assert (contract.name, contract.module, contract.source_name) == (
        "test_runtime_python_tools.get_forecast",
        "test_runtime_python_tools",
        None,
    )
    assert (contract.version, contract.status, contract.tags, contract.channels) == (
        "1.2.0",
        Status("stable"),
        ("a",),
        ("sms",),
    )
    assert contract.description == "Get the forecast of a city.\n\nIt is made every hour: see the site."
    assert contract.input_schema == {
        "type": "object",
        "properties": {
            "city": {
                "type": "string",
                "minLength": 1,
                "examples": ["Bonn"],
                "description": "The city, as its people write it.",
            },
            "days": {"type": "integer", "description": "How many days.", "default": 3},
            "unit": {"type": "string", "enum": ["c", "f"], "default": "c"},
        },
        "required": ["city"],
        "additionalProperties": False,
    }
    assert contract.output_schema == {
        "type": "object",
        "description": "The place, in this form: degrees.",
        "properties": {"lat": {"type": "number"}, "lon": {"type": "number", "default": 0.0}},
        "required": ["lat"],
    }
    assert [(error.name, error.when) for error in contract.errors] == [
        ("StationUnknown", "No station is near."),
        ("Closed", "The office is closed."),
    ]


def test_places_lead_to_the_function() -> None:
    contract = python_tool(get_forecast).contract

    assert contract.place.path == Path(__file__).as_posix()
    assert contract.place.line == get_forecast.__code__.co_firstlineno
    assert contract.input is not None
    assert contract.input.locator.place("/properties/city", on_key=True) == contract.place


def test_the_same_function_states_the_same_bytes() -> None:
    first, second = (json.dumps(python_tool(get_forecast).contract.input_schema) for _ in range(2))

    assert first == second


# Names


def test_a_name_is_made_to_fit() -> None:
    def getForecast() -> None: ...  # noqa: N802 - the case in question

    getForecast.__module__ = "package.My-Weather"

    contract = python_tool(getForecast).contract

    assert (contract.name, contract.source_name) == ("my_weather.getforecast", "My-Weather.getForecast")


def test_a_function_of_a_script_is_named_by_the_file() -> None:
    def get() -> None: ...

    get.__module__ = "__main__"

    assert python_tool(get).contract.name == "test_runtime_python_tools.get"


class Caller:
    def __call__(self, city: str) -> None:
        """Call it."""


def test_what_has_no_name_asks_for_one() -> None:
    assert refusal(lambda city: city) == 'a lambda has no name for the tool -> give it one: `name="module.tool"`'
    assert "an object of type `partial` has no name" in refusal(functools.partial(get_forecast, days=1))
    assert "an object of type `Caller` has no name" in refusal(Caller())


def test_a_callable_object_is_described_by_its_call() -> None:
    assert python_tool(Caller(), name="a.b").contract.description == "Call it."
    assert "days" not in input_of(functools.partial(get_forecast, days=1))["properties"]


@pytest.mark.parametrize("name", ["Weather.get", "weather.get\n", "weather.", "a b.c", "a b", ""])
def test_an_invalid_name_is_refused(name: str) -> None:
    assert "is not a valid tool name -> use lowercase letters" in refusal(get_forecast, name=name)


def test_an_invalid_version_or_status_is_refused() -> None:
    assert refusal(get_forecast, version="1.2") == "`1.2` is not a semantic version -> write it as `1.2.3`"
    assert "`new` is not a status -> use `experimental`" in refusal(get_forecast, status="new")


# Input


def test_types_of_all_kinds_are_described() -> None:
    def other(  # type: ignore[no-untyped-def]  # `anything` has no annotation
        when: date,
        unit: Unit,
        at: Point | None,
        node: Node,
        options: Options,
        pair: tuple[int, str],
        names: set[str],
        anything,
        value: JsonValue,
        values: dict[str, JsonValue],
        spans: list[Span],
    ) -> None: ...

    schema = input_of(other)

    assert schema["properties"] == {
        "when": {"type": "string", "format": "date"},
        "unit": {"$ref": "#/$defs/Unit"},
        "at": {"anyOf": [{"$ref": "#/$defs/Point"}, {"type": "null"}]},
        "node": {"$ref": "#/$defs/Node"},
        "options": {"$ref": "#/$defs/Options"},
        "pair": {
            "type": "array",
            "prefixItems": [{"type": "integer"}, {"type": "string"}],
            "minItems": 2,
            "maxItems": 2,
        },
        "names": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        "anything": {},
        "value": {},
        "values": {"type": "object", "additionalProperties": {}},
        "spans": {"type": "array", "items": {"$ref": "#/$defs/Span"}},
    }
    assert list(schema["$defs"]) == ["Node", "Options", "Point", "Span", "Unit"]
    assert schema["$defs"]["Node"] == {
        "type": "object",
        "properties": {
            "value": {"type": "integer", "default": 0},
            "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}, "default": []},
        },
    }
    assert schema["$defs"]["Point"]["description"] == "A place on Earth."


def test_titles_are_those_that_an_author_writes() -> None:
    class Titled(BaseModel):
        title: str
        other: str = Field(title="The other")

    def other(city: Annotated[str, Field(title="City name")], titled: Titled) -> None: ...

    other.__annotations__["titled"] = Titled

    schema = input_of(other)

    assert schema["properties"]["city"]["title"] == "City name"
    assert schema["$defs"]["Titled"] == {
        "type": "object",
        "properties": {"title": {"type": "string"}, "other": {"type": "string", "title": "The other"}},
        "required": ["title", "other"],
    }


def test_defaults_are_stated_in_json() -> None:
    def other(
        when: date = date(2026, 1, 2),
        unit: Unit = Unit.CELSIUS,
        limit: int = Field(default=3, le=9, description="at most"),
        tags: tuple[str, ...] = ("a",),
        missing: int = None,  # type: ignore[assignment]  # noqa: RUF013 - as people write it
        nothing: int | None = None,
        endless: float = float("inf"),
        thing: object = object,
    ) -> None: ...

    schema = input_of(other)

    assert "required" not in schema
    assert {name: stated["default"] for name, stated in schema["properties"].items() if "default" in stated} == {
        "when": "2026-01-02",
        "unit": "c",
        "limit": 3,
        "tags": ["a"],
        "nothing": None,
    }
    assert schema["properties"]["limit"] == {"type": "integer", "maximum": 9, "description": "at most", "default": 3}


def test_an_alias_names_the_property() -> None:
    def other(source: Annotated[str, Field(alias="from", description="where")]) -> None: ...

    schema = input_of(other)

    assert schema["properties"] == {"from": {"type": "string", "description": "where"}}
    assert schema["required"] == ["from"]


def test_keywords_open_the_schema() -> None:
    def anything(**rest: Any) -> None: ...

    def dates(**rest: date) -> None: ...

    assert input_of(anything)["additionalProperties"] is True
    assert input_of(dates)["additionalProperties"] == {"type": "string", "format": "date"}


def test_what_cannot_be_described_is_refused_by_name() -> None:
    def calls(run: Callable[[], int]) -> None: ...

    def many(*cities: str) -> None: ...

    def unresolved(city: Missing) -> None: ...

    def unresolved_result() -> Missing: ...

    assert "no JSON Schema describes the type of parameter `run` of function `calls` (" in refusal(calls)
    assert "takes `*cities`" in refusal(many)
    assert "the annotation `Missing` of parameter `city` of function `unresolved` (" in refusal(unresolved)
    assert "the annotation `Missing` of the result of function `unresolved_result` (" in refusal(unresolved_result)


@dataclass
class Unfinished:
    at: NotThere  # type: ignore[name-defined]  # noqa: F821 - the case in question


@dataclass
class Endless:
    value: JsonValue


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        (Unfinished, "a name in the annotations of `Unfinished` is not defined -> define or import it"),
        (Endless, "has a recursive type -> use `pydantic.JsonValue`"),
        (functools.partial, "pydantic cannot build a schema for `partial` -> annotate it with a JSON type"),
        (Annotated[str, Field(pattern="(")], "cannot be built from JSON: "),
        (Annotated[int, Field(default_factory=lambda data: data["x"])], "depends on other values -> give it"),
    ],
)
def test_a_type_that_nothing_can_build_is_refused_by_name(annotation: Any, message: str) -> None:
    def other(value: object) -> None: ...

    other.__annotations__ = {"value": annotation}

    stated = refusal(other, name="a.b")

    assert "parameter `value` of function `other` (" in stated
    assert message in stated


def test_a_schema_that_cannot_judge_anything_is_refused() -> None:
    def other(city: Annotated[str, Field(json_schema_extra={"$ref": "https://example.org/schema"})]) -> None: ...

    assert "the input schema of function `other`" in refusal(other, name="a.b")


# Output


def returning(annotation: Any) -> Callable[..., object]:
    def function() -> object: ...

    function.__annotations__ = {"return": annotation}
    return function


@pytest.mark.parametrize(
    "annotation",
    [None, Any, object, NoChangeNeeded, MCPToolResult | PartialSuccess, Awaitable[None], None | NoChangeNeeded],
)
def test_a_result_without_information_has_no_schema(annotation: Any) -> None:
    assert output_of(returning(annotation)) == (None, False)


def test_a_function_without_return_annotation_has_no_output_schema() -> None:
    assert output_of(lambda: 1) == (None, False)


@pytest.mark.parametrize(
    "annotation",
    [
        Point,
        Point | NoChangeNeeded | PartialSuccess,
        Annotated[Point, "x"],
        Awaitable[Point],
        Coroutine[Any, Any, Point | MCPToolResult],
    ],
)
def test_an_object_is_the_data_itself(annotation: Any) -> None:
    schema, wraps = output_of(returning(annotation))

    assert not wraps
    assert (schema["type"], list(schema["properties"]), "$defs" in schema) == ("object", ["lat", "lon"], False)


def test_other_objects_are_the_data_as_well() -> None:
    assert output_of(returning(dict[str, int])) == (
        {"type": "object", "additionalProperties": {"type": "integer"}},
        False,
    )
    assert output_of(returning(Options))[0]["properties"]["since"] == {"type": "string", "format": "date"}
    assert list(output_of(returning(Node))[0]["$defs"]) == ["Node"]


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        (int, {"type": "integer"}),
        (list[date], {"type": "array", "items": {"type": "string", "format": "date"}}),
        (int | NoChangeNeeded, {"type": "integer"}),
        (
            dict[str, int] | None,
            {"anyOf": [{"type": "object", "additionalProperties": {"type": "integer"}}, {"type": "null"}]},
        ),
        (JsonValue, {}),
    ],
)
def test_any_other_result_is_wrapped(annotation: Any, schema: Any) -> None:
    assert output_of(returning(annotation)) == (
        {"type": "object", "properties": {"result": schema}, "required": ["result"], "additionalProperties": False},
        True,
    )


def test_output_is_what_is_written_and_not_what_is_read() -> None:
    assert output_of(returning(Node))[0]["$defs"]["Node"]["properties"]["value"]["type"] == "integer"
    assert output_of(returning(Decimal))[0]["properties"]["result"]["type"] == "string"


# Docstrings


def in_numpy_style(city: str, days: int) -> list[int]:
    """Get it.

    More of it.

    Parameters
    ----------
    city : str
        The city.
    days
        How many.

    Returns
    -------
    list of int
        The values.

    Raises
    ------
    ValueError
        When it is wrong.
    """
    return []


def in_sphinx_style(city: str, days: int) -> list[int]:
    """Get it.

    More of it.

    :param city: The city.
    :param int days: How many.
    :returns: The values.
    :raises ValueError: When it is wrong.
    """
    return []


def in_google_style(city: str, days: int) -> list[int]:
    """Get it.

    More of it.

    Args:
        city: The city.
        days: How many.

    Returns:
        list[int]: The values.

    Raises:
        ValueError: When it is wrong.
    """
    return []


@pytest.mark.parametrize("function", [in_numpy_style, in_sphinx_style, in_google_style])
def test_a_docstring_is_read_in_its_own_style(
    function: Callable[..., object], caplog: pytest.LogCaptureFixture
) -> None:
    contract = python_tool(function).contract

    schema: Any = contract.input_schema
    output: Any = contract.output_schema
    assert contract.description == "Get it.\n\nMore of it."
    assert {name: stated["description"] for name, stated in schema["properties"].items()} == {
        "city": "The city.",
        "days": "How many.",
    }
    assert output["properties"]["result"]["description"] == "The values."
    assert [(error.name, error.when) for error in contract.errors] == [("ValueError", "When it is wrong.")]
    assert not caplog.records


def test_what_the_author_states_wins_over_the_docstring() -> None:
    def other(city: Annotated[str, Field(description="mine")]) -> None:
        """Get it.

        Args:
            city: Theirs.
        """

    contract = python_tool(other, name="a.b", description="Mine.").contract

    assert contract.description == "Mine."
    assert input_of(other)["properties"]["city"]["description"] == "mine"


def test_a_function_without_docstring_has_no_description() -> None:
    assert python_tool(lambda: None, name="a.b").contract.description == ""


# Laws

POINTS = st.builds(Point, st.floats(allow_nan=False, allow_infinity=False), st.floats(-1e9, 1e9))
DATES = st.dates()
ZONES = st.sampled_from([UTC, timezone(timedelta(hours=2)), timezone(-timedelta(minutes=90))])
WORDS = st.text(max_size=5)
KINDS: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (int, st.integers(-(2**53), 2**53)),
    (str | None, st.none() | WORDS),
    (list[float], st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=3)),
    (date, DATES),
    (datetime, st.datetimes(timezones=st.none() | ZONES)),
    (time, st.times()),
    (timedelta, st.timedeltas(timedelta(days=-400), timedelta(days=400))),
    (Decimal, st.decimals(allow_nan=False, allow_infinity=False, places=3)),
    (UUID, st.uuids()),
    (Unit, st.sampled_from(Unit)),
    (Level, st.sampled_from(Level)),
    (Point | None, st.none() | POINTS),
    (Alert, st.builds(Alert, DATES, st.frozensets(WORDS, max_size=3), st.lists(POINTS, max_size=2))),
    (
        Node,
        st.recursive(st.builds(Node), lambda inner: st.builds(Node, children=st.lists(inner, max_size=2))),
    ),
    (Options, st.fixed_dictionaries({}, optional={"days": st.integers(0, 9), "since": DATES})),
    (Span, st.builds(Span, DATES, DATES)),
    (tuple[int, Unit], st.tuples(st.integers(0, 9), st.sampled_from(Unit))),
    (dict[str, set[date]], st.dictionaries(WORDS, st.sets(DATES, max_size=3), max_size=3)),
    (dict[int, list[UUID]], st.dictionaries(st.integers(0, 99), st.lists(st.uuids(), max_size=2), max_size=3)),
]


@functools.cache
def echo_of(number: int) -> PythonTool:
    """Return a tool that takes and returns a value of one of the kinds."""

    def echo(value: object) -> object:
        return value

    echo.__annotations__ = {"value": KINDS[number][0], "return": KINDS[number][0]}
    return python_tool(echo, name="a.b")


@pytest.mark.parametrize("number", range(len(KINDS)), ids=[str(kind) for kind, _ in KINDS])
@given(data=st.data())
def test_what_pydantic_writes_is_accepted_and_comes_back_equal(number: int, data: st.DataObject) -> None:
    kind, values = KINDS[number]
    tool = echo_of(number)
    value = data.draw(values)
    arguments = {"value": TypeAdapter(kind).dump_python(value, mode="json")}

    returned = tool.binding.invoke(arguments, None)

    assert accepts(compile_schema(tool.contract.input_schema), arguments) is True
    assert returned == value
    assert type(returned) is type(value)
    data_of_result = {"result": arguments["value"]} if tool.binding.wraps_result else arguments["value"]
    assert accepts(compile_schema(tool.contract.output_schema), data_of_result) is True


@each("number", range(len(KINDS)), ids=[str(kind) for kind, _ in KINDS])
def test_no_schema_leads_out_of_itself(number: int) -> None:
    contract = echo_of(number).contract

    for schema in (contract.input_schema, contract.output_schema):
        assert all(reference.state is ReferenceState.LOCAL for reference in references(schema))
