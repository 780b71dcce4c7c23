"""A tool that is called like a function: how its arguments get their names."""

from __future__ import annotations

import asyncio
import functools
import inspect
import re
import typing
from datetime import date
from typing import Annotated, Any

import pytest
from pydantic import Field

from mcp_contracts.contract import Effects
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import ResultStatus
from mcp_contracts.runtime.context import CallContext, ToolContext
from mcp_contracts.runtime.registry import ToolRegistry


def join(left: str, right: str = "!", *, between: str = "") -> str:
    return left + between + right


def after_context(context: ToolContext, text: str) -> str:
    return f"{context.contract.name} {text}"


def aliased(kind: Annotated[str, Field(alias="type")]) -> str:
    return kind


def open_to_more(first: int, **more: int) -> dict[str, int]:
    return {"first": first, **more}


def tool(function: Any) -> Any:
    return ToolRegistry().tool(function, name="a.tool")


def test_arguments_may_be_given_by_position_and_by_name() -> None:
    joined = tool(join)

    results = [
        joined.call("a"),
        joined.call("a", "b"),
        joined.call("a", right="b", between="-"),
        joined.call(right="b", left="a"),
    ]

    assert [result.data["result"] for result in results] == ["a!", "ab", "a-b", "ab"]


def test_a_decorated_function_stays_a_function() -> None:
    app = ToolRegistry("demo")

    @app.tool
    def add(a: int, b: int = 2) -> int:
        """Add two numbers."""
        return a + b

    @app.tool("minus")
    async def subtract(a: int, b: int) -> int:
        """Subtract."""
        return a - b

    assert (add(1, b=3), asyncio.run(subtract(3, 1))) == (4, 2)
    assert (add.__name__, add.__doc__) == ("add", "Add two numbers.")
    assert inspect.isfunction(add)
    assert inspect.iscoroutinefunction(subtract)
    assert str(inspect.signature(add)) == "(a: 'int', b: 'int' = 2) -> 'int'"
    assert typing.get_type_hints(add) == {"a": int, "b": int, "return": int}
    assert inspect.unwrap(add) is add.__wrapped__
    assert list(app) == ["demo.add", "demo.minus"]
    assert add.call(1).data == {"result": 3}
    assert asyncio.run(subtract.acall(3, 1)).data == {"result": 2}


@pytest.mark.parametrize(
    "decorate",
    [
        lambda app: app.tool,
        lambda app: app.tool(),
        lambda app: app.tool("join"),
        lambda app: app.tool(name="join", description="Join.", tags={"b", "a"}, annotations={"readOnlyHint": True}),
        lambda app: lambda function: app.tool(function, name="demo.join"),
        lambda app: lambda function: app.add([function]),
    ],
)
def test_every_usual_way_to_register_a_function_works(decorate: Any) -> None:
    app = ToolRegistry("demo")

    decorate(app)(join)

    assert app["demo.join"](left="a").unwrap() == {"result": "a!"}


def test_a_static_method_stays_one() -> None:
    app = ToolRegistry("demo")

    class Notes:
        @app.tool
        @staticmethod
        def double(number: int) -> int:
            """Double a number."""
            return 2 * number

    assert (Notes.double(1), Notes().double(2)) == (2, 4)
    assert app["demo.double"](number=3).unwrap() == {"result": 6}


def test_a_decorated_function_is_the_same_tool_in_another_registry() -> None:
    function = ToolRegistry("demo").tool(join, tags={"text"}, deadline=5)

    other = ToolRegistry("other", [function])

    assert other["demo.join"](left="a").unwrap() == {"result": "a!"}
    assert other["demo.join"].contract == function.contract


def test_annotations_and_tags_are_those_of_mcp() -> None:
    hints = {"readOnlyHint": True, "idempotentHint": True, "title": "Join"}
    contract = ToolRegistry("demo").tool(join, tags={"b", "a"}, annotations=hints).contract

    assert (contract.effects, contract.idempotent, contract.title) == (Effects("read-only"), "yes", "Join")
    assert contract.tags == ("a", "b")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"meta": {}}, "unknown setting `meta`; use `annotations`"),
        ({"annotations": 3}, "`annotations` cannot be 3; write it as"),
        ({"name": "a b"}, "`a b` is not a valid tool name; use lowercase"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(settings: Any, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        ToolRegistry("demo").tool(join, **settings)


def test_a_tool_is_called_with_a_context() -> None:
    app = ToolRegistry("demo")

    @app.tool
    def who(context: ToolContext, greeting: str = "") -> str:
        """Say who calls."""
        return f"{greeting}{context.call.caller}"

    ann = CallContext(caller="ann")
    found: Any = app["demo.who"]
    named: Any = who

    assert found(context=ann).data == {"result": "ann"}
    assert asyncio.run(found.acall(context=ann)).data == {"result": "ann"}
    assert named.call(greeting="I am ", context=ann).data == {"result": "I am ann"}
    assert named.with_context(caller="bob")(greeting="I am ").data == {"result": "I am bob"}
    assert found.with_context(ann)(context=CallContext(caller="eve")).data == {"result": "eve"}
    assert found().data == {"result": "None"}


@pytest.mark.parametrize("library", ["fastmcp", "mcp", "dspy", "pydantic_ai", "langchain_core"])
def test_other_libraries_take_a_decorated_function(library: str) -> None:
    pytest.importorskip(library)
    app = ToolRegistry("demo")

    @app.tool
    async def add(a: int, b: int = 2) -> int:
        """Add two numbers."""
        return a + b

    assert asyncio.run(_answer_of(library, add)) == 5


async def _answer_of(library: str, function: Any) -> Any:
    """Call a function as a tool of another library."""
    given = {"a": 3}
    match library:
        case "fastmcp":
            from fastmcp import FastMCP

            server = FastMCP("other")
            server.tool(function)
            found: Any = await server.call_tool("add", given)
            return found.structured_content["result"]
        case "mcp":
            from mcp.server.mcpserver import MCPServer

            sdk = MCPServer("other")
            sdk.tool()(function)
            answer: Any = await sdk.call_tool("add", given)
            return answer.structured_content["result"]
        case "dspy":
            from dspy import Tool

            return await Tool(function).acall(**given)
        case "pydantic_ai":
            from pydantic_ai import Tool as PydanticTool

            schema: Any = PydanticTool(function).function_schema
            return await schema.call(schema.validator.validate_python(given), None)
        case _:
            from langchain_core.tools import tool as langchain_tool

            return await langchain_tool(function).ainvoke(given)


def test_a_tool_is_awaited_with_the_same_arguments() -> None:
    assert asyncio.run(tool(join).acall("a", between="-")).data == {"result": "a-!"}


def test_the_context_is_never_an_argument_at_any_position() -> None:
    assert tool(after_context).call("hello").data == {"result": "a.tool hello"}
    assert tool(after_context).call(text="hello").data == {"result": "a.tool hello"}


def test_a_context_that_is_given_all_the_same_is_passed_over() -> None:
    seen = tool(after_context)

    context = ToolContext(seen.contract, CallContext(), "1")

    assert seen.call(context, "hello").data == {"result": "a.tool hello"}
    assert seen.call(context=context, text="hello").data == {"result": "a.tool hello"}


def test_a_parameter_with_an_alias_is_given_by_its_name_in_python() -> None:
    assert tool(aliased).call("x").data == {"result": "x"}
    assert tool(aliased).call(kind="x").data == {"result": "x"}


def test_further_keywords_keep_their_names() -> None:
    assert tool(open_to_more).call(1, second=2).data == {"first": 1, "second": 2}


def test_what_a_partial_has_filled_is_not_an_argument() -> None:
    assert tool(functools.partial(join, right="?")).call("a").data == {"result": "a?"}


def test_what_python_could_not_pass_is_a_type_error() -> None:
    joined = tool(join)

    with pytest.raises(TypeError, match="takes 2 positional arguments, not 3"):
        joined.call("a", "b", "c")
    with pytest.raises(TypeError, match="is given `left` twice"):
        joined.call("a", left="b")


def test_what_only_the_contract_refuses_is_a_result() -> None:
    joined = tool(join)

    assert joined.call().status is ResultStatus.FAILURE
    assert joined.call(left="a", unknown=1).status is ResultStatus.FAILURE
    assert joined.call(1).error.error_type == "ValidationError"


def test_a_tool_found_by_its_name_accepts_only_names() -> None:
    registry = ToolRegistry()
    registry.tool(join, name="a.tool")

    assert registry["a.tool"](left="a").data == {"result": "a!"}
    with pytest.raises(TypeError, match="keyword arguments"):
        registry["a.tool"]("a")


def test_python_values_go_as_json_and_what_has_no_json_is_a_result() -> None:
    def weekday(day: date) -> str:
        return day.strftime("%A")

    registered = ToolRegistry().tool(weekday, name="a.weekday")

    assert registered.call(date(2026, 11, 22)).data == {"result": "Sunday"}
    assert registered.call(object()).error.error_type == "ValidationError"  # type: ignore[arg-type, union-attr]
