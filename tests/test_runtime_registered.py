"""A tool that is called like a function: how its arguments find their names."""

from __future__ import annotations

import asyncio
import functools
from datetime import date
from typing import Annotated, Any

import pytest
from pydantic import Field

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

    results = [joined("a"), joined("a", "b"), joined("a", right="b", between="-"), joined(right="b", left="a")]

    assert [result.data["result"] for result in results] == ["a!", "ab", "a-b", "ab"]


def test_a_tool_is_awaited_with_the_same_arguments() -> None:
    assert asyncio.run(tool(join).acall("a", between="-")).data == {"result": "a-!"}


def test_the_context_is_nobodys_argument_wherever_it_stands() -> None:
    assert tool(after_context)("hello").data == {"result": "a.tool hello"}
    assert tool(after_context)(text="hello").data == {"result": "a.tool hello"}


def test_a_context_that_is_given_all_the_same_is_passed_over() -> None:
    seen = tool(after_context)

    context = ToolContext(seen.contract, CallContext(), "1")

    assert seen(context, "hello").data == {"result": "a.tool hello"}
    assert seen(context=context, text="hello").data == {"result": "a.tool hello"}


def test_a_parameter_with_an_alias_is_given_by_its_name_in_python() -> None:
    assert tool(aliased)("x").data == {"result": "x"}
    assert tool(aliased)(kind="x").data == {"result": "x"}


def test_further_keywords_keep_their_names() -> None:
    assert tool(open_to_more)(1, second=2).data == {"first": 1, "second": 2}


def test_what_a_partial_has_filled_is_no_argument() -> None:
    assert tool(functools.partial(join, right="?"))("a").data == {"result": "a?"}


def test_what_python_could_not_pass_is_a_type_error() -> None:
    joined = tool(join)

    with pytest.raises(TypeError, match="takes 2 arguments by position, not 3"):
        joined("a", "b", "c")
    with pytest.raises(TypeError, match="is given `left` twice"):
        joined("a", left="b")


def test_what_only_the_contract_refuses_is_a_result() -> None:
    joined = tool(join)

    assert joined().status is ResultStatus.FAILURE
    assert joined(left="a", unknown=1).status is ResultStatus.FAILURE
    assert joined(1).error.error_type == "ValidationError"


def test_a_tool_found_by_its_name_takes_names_alone() -> None:
    registry = ToolRegistry()
    registry.tool(join, name="a.tool")

    assert registry["a.tool"](left="a").data == {"result": "a!"}
    with pytest.raises(TypeError, match="by name"):
        registry["a.tool"]("a")


def test_python_values_go_as_json_and_what_has_no_json_is_a_result() -> None:
    def weekday(day: date) -> str:
        return day.strftime("%A")

    registered = ToolRegistry().tool(weekday, name="a.weekday")

    assert registered(date(2026, 11, 22)).data == {"result": "Sunday"}
    assert registered(object()).error.error_type == "ValidationError"  # type: ignore[arg-type, union-attr]
