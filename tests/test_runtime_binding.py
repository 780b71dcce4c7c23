"""How a Python function receives the arguments of a call."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date
from enum import Enum
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NewType
from uuid import UUID

import pytest
from annotated_types import Predicate
from pydantic import AfterValidator, BaseModel, Field, field_validator

from mcp_contracts.contract import JsonValue, SchemaOrigin, SchemaPart, ToolContract
from mcp_contracts.diagnostics import Place
from mcp_contracts.errors import UsageError
from mcp_contracts.fixed_places import FixedLocator
from mcp_contracts.runtime.context import CallContext, ToolContext
from mcp_contracts.runtime.functions.binding import ArgumentsRefusedError, Binding, bind

if TYPE_CHECKING:
    from nowhere import Missing  # type: ignore[import-not-found]  # there is none, which is the point


PLACE = Place("spec.md", 1, 1, 1, 1)
OBJECT: JsonValue = {"type": "object"}


def contract_of(schema: JsonValue) -> ToolContract:
    return ToolContract(
        "weather.get", PLACE, input=SchemaPart("input", schema, SchemaOrigin.SCHEMA, FixedLocator(PLACE))
    )


def closed(*required: str, **properties: JsonValue) -> ToolContract:
    """Return a contract that declares some properties and forbids others; some are required."""
    return contract_of(
        {
            "type": "object",
            "properties": properties,
            "required": list(required),
            "additionalProperties": False,
        }
    )


CONTEXT = ToolContext(contract_of(OBJECT), CallContext(), "1")


def answer(binding: Binding, **arguments: JsonValue) -> Any:
    return binding.invoke(arguments, CONTEXT)


def faults(binding: Binding, **arguments: JsonValue) -> tuple[tuple[str, str], ...]:
    with pytest.raises(ArgumentsRefusedError) as caught:
        binding.invoke(arguments, CONTEXT)
    return caught.value.faults


def refusal(function: Any, contract: ToolContract | None = None) -> str:
    with pytest.raises(UsageError) as caught:
        bind(function, contract)
    assert caught.value.hint
    return f"{caught.value.message} -> {caught.value.hint}"


def get(city: str, days: int = 3) -> list[object]:
    return [city, days]


async def get_async(city: str, days: int = 3) -> list[object]:
    return [city, days]


def decorated(function: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(function)
    def wrapper(*positional: object, **named: object) -> object:
        return function(*positional, **named)

    return wrapper


class Forecasts:
    def get(self, city: str, days: int = 3) -> list[object]:
        return [city, days]

    async def get_async(self, city: str, days: int = 3) -> list[object]:
        return [city, days]

    @staticmethod
    def get_static(city: str, days: int = 3) -> list[object]:
        return [city, days]

    @classmethod
    def get_class(cls, city: str, days: int = 3) -> list[object]:
        return [city, days]

    def __call__(self, city: str, days: int = 3) -> list[object]:
        return [city, days]


class AsyncForecasts:
    async def __call__(self, city: str, days: int = 3) -> list[object]:
        return [city, days]


CITY_AND_DAYS = closed("city", city={"type": "string"}, days={"type": "integer"})


# What can be bound


@pytest.mark.parametrize(
    "function",
    [
        get,
        Forecasts().get,
        Forecasts.get_static,
        Forecasts.__dict__["get_static"],
        Forecasts.get_class,
        Forecasts(),
        decorated(get),
        lambda city, days=3: [city, days],
        functools.partial(get),
        functools.partial(Forecasts(), days=3),
    ],
)
def test_whatever_can_be_called_takes_its_arguments(function: Any) -> None:
    contract = closed("city", city={"type": "string"})

    binding = bind(function, contract if isinstance(function, functools.partial) and function.keywords else None)

    assert not binding.is_async
    assert answer(binding, city="Bonn") == ["Bonn", 3]


@pytest.mark.parametrize(
    "function",
    [
        get_async,
        Forecasts().get_async,
        AsyncForecasts(),
        functools.partial(get_async),
        functools.partial(functools.partial(Forecasts().get_async)),
    ],
)
def test_async_callables_of_all_kinds_give_an_awaitable(function: Any) -> None:
    binding = bind(function, CITY_AND_DAYS)

    async def run() -> object:
        returned = answer(binding, city="Bonn", days=2)
        assert inspect.isawaitable(returned)
        return await returned

    assert binding.is_async
    assert asyncio.run(run()) == ["Bonn", 2]


def test_a_sync_decorator_of_an_async_function_counts_as_sync() -> None:
    assert not bind(decorated(get_async), None).is_async


def test_what_a_partial_binds_is_not_a_parameter() -> None:
    binding = bind(functools.partial(get, "Bonn"), closed(days={"type": "integer"}))

    assert answer(binding, days=5) == ["Bonn", 5]


def test_a_partial_keeps_what_it_binds_from_the_caller() -> None:
    def fetch(city: str, **rest: object) -> object:
        return (city, rest)

    binding = bind(functools.partial(fetch, token="secret"), None)

    assert faults(binding, city="Bonn", token="mine") == (("/token", "is not a parameter of this tool"),)
    assert "already binds" in refusal(functools.partial(fetch, token="x"), closed("token", token={}, city={}))


def by_position(city: str, /) -> str:
    return city


def many(*cities: str) -> tuple[str, ...]:
    return cities


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (Forecasts, "`Forecasts` is a class, and calling it would create an instance -> pass a function, or an inst"),
        (Forecasts.get, "`Forecasts.get` (.+:[0-9]+) is an unbound method, but a call cannot pass `self` -> pass"),
        (Forecasts.__dict__["get_class"], "a classmethod cannot be called before"),
        (by_position, "parameter `city` of function `by_position` (.+) is positional-only -> remove"),
        (many, "takes `*cities`, which cannot be passed by name -> replace it with one parameter"),
        (max, "function `max` has no signature that Python can read -> wrap it in a function"),
        (5, "an object of type `int` cannot be called -> pass a function"),
    ],
)
def test_what_no_call_can_fill_is_refused_with_a_way_out(function: Any, message: str) -> None:
    stated = refusal(function)

    start, _, end = message.partition("(.+")
    assert start in stated
    assert end.partition(")")[2] in stated


# The context


def test_the_context_reaches_the_parameter_that_is_annotated_for_it() -> None:
    def plain(city: str, context: ToolContext) -> object:
        return (city, context)

    def optional(city: str, told: ToolContext | None = None) -> object:
        return (city, told)

    def described(told: Annotated[ToolContext, "the call"], city: str) -> object:
        return (city, told)

    def first(context: ToolContext, /, city: str) -> object:
        return (city, context)

    for function in (plain, optional, described, first):
        binding = bind(function, closed("city", city={"type": "string"}))

        assert binding.takes_context
        assert answer(binding, city="Bonn") == ("Bonn", CONTEXT)


def test_a_context_that_is_only_imported_for_type_checking_is_recognized_by_name() -> None:
    def watched(city: str, context: ToolContext) -> object:
        return (city, context)

    namespace = {name: value for name, value in globals().items() if name != "ToolContext"}
    elsewhere = FunctionType(watched.__code__, namespace)
    elsewhere.__annotations__ = dict(watched.__annotations__)

    assert answer(bind(elsewhere, None), city="Bonn") == ("Bonn", CONTEXT)


def test_no_caller_can_give_the_context() -> None:
    def watched(city: str, context: ToolContext) -> object:
        return context

    contract = contract_of({"type": "object", "properties": {"city": {}}, "required": ["city"]})

    assert faults(bind(watched, contract), city="Bonn", context=1) == (("/context", "is not a parameter of this tool"),)
    assert "the context parameter of function `watched`" in refusal(
        watched, closed("city", "context", city={}, context={})
    )


def test_a_positional_context_leaves_its_name_to_an_argument() -> None:
    def first(context: ToolContext, /, **rest: Any) -> object:
        return (context, rest)

    assert answer(bind(first, closed("context", context={})), context=1) == (CONTEXT, {"context": 1})
    assert answer(bind(first, None), context=1) == (CONTEXT, {"context": 1})


def test_two_contexts_are_refused() -> None:
    def twice(a: ToolContext, b: ToolContext) -> None: ...

    assert "takes the `ToolContext` twice, in `a` and `b` -> keep one" in refusal(twice)


# The contract


def test_a_parameter_that_the_contract_does_not_declare_is_refused() -> None:
    def other(city: str, day: int) -> None: ...

    stated = refusal(other, closed("city", city={}))

    assert f"parameter `day` of function `other` ({Path(__file__).as_posix()}:" in stated
    assert "is required, but `weather.get` does not declare it -> declare `day` in the input schema" in stated


def test_a_property_that_the_function_does_not_take_is_refused_with_the_nearest_name() -> None:
    def other(city: str, day: int) -> None: ...

    stated = refusal(other, closed("city", "days", city={}, days={}))

    assert "`weather.get` declares the property `days`, which function `other` (" in stated
    assert stated.endswith("does not take -> add a parameter `days`, or rename `day`")


def test_a_property_that_is_not_an_identifier_gets_the_hint_of_an_alias() -> None:
    def other(city: str) -> None: ...

    assert 'add a parameter such as `from_: Annotated[str, Field(alias="from")]`' in refusal(
        other, closed(**{"city": {}, "from": {}})
    )


def test_a_parameter_that_a_call_may_leave_out_needs_a_default() -> None:
    stated = refusal(get, closed(city={}, days={}))

    assert "is required, but the property `city` of `weather.get` is optional and has no default -> give" in stated


def test_a_default_of_the_contract_is_what_a_parameter_without_one_gets() -> None:
    def other(days: int, since: date) -> object:
        return (days, since)

    contract = closed(days={"default": 7}, since={"default": "2026-01-02"})

    assert answer(bind(other, contract)) == (7, date(2026, 1, 2))


def test_a_composed_schema_is_not_compared_with_the_signature() -> None:
    binding = bind(get, contract_of({"allOf": [{"properties": {"city": {}}}], "properties": {"x": {}}}))

    assert answer(binding, city="Bonn") == ["Bonn", 3]
    assert faults(binding, x=1) == (
        ("/x", "is not a parameter of this tool"),
        ("/city", "is missing, and the function has no default for it"),
    )


def test_an_open_schema_does_not_reach_parameters_that_it_does_not_declare() -> None:
    contract = contract_of({"type": "object", "properties": {"city": {}}, "required": ["city"]})

    binding = bind(get, contract)

    assert answer(binding, city="Bonn") == ["Bonn", 3]
    assert faults(binding, city="Bonn", days=2) == (("/days", "is not a parameter of this tool"),)


def test_any_name_reaches_a_function_that_takes_keywords() -> None:
    def other(city: str, **rest: date) -> object:
        return (city, rest)

    binding = bind(other, contract_of({"type": "object", "properties": {"city": {}}, "required": ["city"]}))

    assert answer(binding, city="Bonn", **{"a b": "2026-01-02"}) == ("Bonn", {"a b": date(2026, 1, 2)})
    assert faults(binding, city="Bonn", day="x")[0][0] == "/day"


def test_a_property_goes_to_the_parameter_whose_alias_it_is() -> None:
    def other(source: Annotated[str, Field(alias="from")], day: Annotated[date, Field(alias="a/b~")]) -> object:
        return (source, day)

    binding = bind(other, closed("from", "a/b~", **{"from": {}, "a/b~": {}}))

    assert answer(binding, **{"from": "x", "a/b~": "2026-01-02"}) == ("x", date(2026, 1, 2))
    wrong: dict[str, JsonValue] = {"from": "x", "a/b~": 1}
    assert faults(binding, **wrong) == (("/a~1b~0", "should be a valid date"),)


def test_two_parameters_of_one_property_are_refused() -> None:
    def other(a: Annotated[str, Field(alias="x")], x: str) -> None: ...

    assert "parameters `a` and `x` of function `other`" in refusal(other)


def test_a_field_in_place_of_a_default_is_never_seen_by_the_function() -> None:
    def other(
        days: int = Field(default=3, ge=1),
        tags: list[str] = Field(default_factory=list),  # noqa: B008 - as people write it
        *,
        to: int = Field(gt=0),
    ) -> object:
        return (days, tags, to)

    binding = bind(other, closed("to", days={}, tags={}, to={}))

    assert answer(binding, to=4) == (3, [], 4)
    assert answer(binding, to=4)[1] is not answer(binding, to=4)[1]


# Values


class Unit(Enum):
    CELSIUS = "c"
    FAHRENHEIT = "f"


@dataclass
class Point:
    lat: float
    lon: float = 0.0


class Trip(BaseModel):
    start: date
    end: date = Field(alias="until")
    stops: list[Point] = []

    @field_validator("end")
    @classmethod
    def _is_late(cls, value: date) -> date:
        if value.year < 2000:
            raise ValueError("must not be before 2000")
        if value.year > 2100:
            raise ValueError(f"{value} is too late")
        return value


UserName = NewType("UserName", str)


def test_plain_values_reach_the_function_as_the_same_objects() -> None:
    def other(
        a: list[str],
        b: dict[str, int | None],
        c: float,
        d: Literal["x", 1],
        e: JsonValue,
        f: dict[str, JsonValue],
        g: UserName,
        h: Any,
    ) -> object:
        return (a, b, c, d, e, f, g, h)

    names = "abcdefgh"
    binding = bind(other, closed(*names, **{name: {} for name in names}))
    values: list[Any] = [["x"], {"y": None}, 3, "x", [1], {"z": {}}, "me", object()]

    returned = answer(binding, **dict(zip(names, values, strict=True)))

    assert all(got is given for got, given in zip(returned, values, strict=True))
    assert type(returned[2]) is int


def test_a_plain_function_is_called_and_nothing_else() -> None:
    assert bind(get, CITY_AND_DAYS).invoke.__code__.co_names == ()


def test_values_of_other_types_are_built() -> None:
    def other(
        when: date,
        unit: Unit,
        at: Point | None,
        trip: Trip,
        tags: set[str],
        pair: tuple[int, date],
        ids: dict[UUID, Path],
    ) -> object:
        return (when, unit, at, trip, tags, pair, ids)

    identifier = "12345678-1234-5678-1234-567812345678"
    binding = bind(other, None)

    assert answer(
        binding,
        when="2026-01-02",
        unit="c",
        at={"lat": 1},
        trip={"start": "2026-01-02", "until": "2026-01-03", "stops": [{"lat": 2.5}]},
        tags=["a", "a"],
        pair=[1, "2026-01-02"],
        ids={identifier: "a/b"},
    ) == (
        date(2026, 1, 2),
        Unit.CELSIUS,
        Point(1.0),
        Trip(start=date(2026, 1, 2), until=date(2026, 1, 3), stops=[Point(2.5)]),
        {"a"},
        (1, date(2026, 1, 2)),
        {UUID(identifier): Path("a/b")},
    )


def test_all_values_that_types_refuse_are_reported_at_once_with_their_places() -> None:
    def other(trip: Trip, at: Point | date, ids: dict[str, list[int] | Unit]) -> None:
        raise AssertionError("must not run")

    found = faults(
        bind(other, None), trip={"until": "1990-01-01", "stops": [{"lat": "5"}]}, at={"lat": None}, ids={"a/b": ["5"]}
    )

    assert found == (
        ("/trip/start", "is missing"),
        ("/trip/until", "must not be before 2000"),
        ("/trip/stops/0/lat", "should be a valid number"),
        ("/at/lat", "should be a valid number"),
        ("/at", "should be a valid date"),
        ("/ids/a~1b/0", "should be a valid integer"),
        ("/ids/a~1b", "should be 'c' or 'f'"),
    )


def test_no_message_repeats_a_value() -> None:
    def other(trip: Trip, identifier: UUID) -> None: ...

    found = faults(bind(other, None), trip={"start": "2026-01-02", "until": "3000-01-01"}, identifier="zecret")

    assert found == (
        ("/trip/until", "is rejected by a validator of its type"),
        ("/identifier", "should be a valid UUID"),
    )


def test_a_value_that_utf_8_cannot_write_is_refused() -> None:
    def other(when: date) -> None: ...

    assert faults(bind(other, None), when="\ud800") == (("/when", "cannot be written as JSON in UTF-8"),)


def test_a_constraint_that_the_contract_does_not_state_is_enforced() -> None:
    def other(days: Annotated[int, Field(ge=1, description="how many")]) -> int:
        return days

    stated = bind(other, closed("days", days={"type": "integer", "minimum": 1, "description": "x"}))
    silent = bind(other, closed("days", days={"type": "integer"}))

    assert answer(stated, days=0) == 0  # the registry has already validated it
    assert faults(silent, days=0) == (("/days", "should be greater than or equal to 1"),)


def test_a_validator_of_an_annotation_always_runs() -> None:
    def other(
        word: Annotated[str, AfterValidator(str.upper)], even: Annotated[int, Predicate(lambda value: value % 2 == 0)]
    ) -> object:
        return (word, even)

    binding = bind(other, closed("word", "even", word={"type": "string"}, even={"type": "integer"}))

    assert answer(binding, word="a", even=2) == ("A", 2)
    assert faults(binding, word="a", even=3)[0][0] == "/even"


def test_annotations_that_cannot_be_resolved_convert_nothing() -> None:
    def other(a: Missing, when: date) -> object:
        return (a, when)

    assert answer(bind(other, None), a="x", when="2026-01-02") == ("x", date(2026, 1, 2))


def test_a_type_that_json_cannot_build_is_refused() -> None:
    def other(run: Awaitable[int]) -> None: ...

    assert "parameter `run` of function `other`" in refusal(other)
    assert "cannot be built from JSON" in refusal(other)


def test_a_type_that_no_call_can_fill_is_not_looked_at() -> None:
    def other(city: str, run: Awaitable[int] | None = None) -> object:
        return (city, run)

    assert answer(bind(other, closed("city", city={})), city="Bonn") == ("Bonn", None)


def test_what_the_function_raises_passes() -> None:
    def other(city: str) -> None:
        raise KeyError(city)

    with pytest.raises(KeyError, match="Bonn"):
        answer(bind(other, closed("city", city={})), city="Bonn")


def test_wraps_result_is_kept() -> None:
    assert bind(get, None, wraps_result=True).wraps_result
