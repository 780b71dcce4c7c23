"""Functions that decorators of several frameworks mark as tools. They are read, and they are run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from pydantic import Field

from mcp_contracts import Effects, NoChangeNeeded, ToolContext, ToolRegistry

Function = TypeVar("Function", bound=Callable[..., object])


class Server:
    """A framework with a decorator that leaves the function as it is."""

    def tool(self, *given: Any, **words: Any) -> Any:
        """The decorator, with and without a call."""
        return given[0] if given and callable(given[0]) else lambda function: function


app = mcp = server = Server()
registry = ToolRegistry()
NAME = "decorated.by_constant"


def tool(function: Function) -> Function:
    """A decorator that is a function."""
    return function


@app.tool
def by_app(a: int) -> int:
    """A decorator that is not called."""
    return a


@mcp.tool()
async def by_mcp(a: int, b: str = "x") -> str:
    """A decorator that is called."""
    return b


@server.tool("by_server")
def by_server(a: Annotated[int, Field(ge=0)]) -> dict[str, int]:
    """What the docstring says."""
    return {"a": a}


@tool
def by_itself(a: int) -> None:
    """A decorator without an object."""


@registry.tool(
    name=NAME,
    version="1.2.0",
    title="By constant",
    effects=Effects(change="read-only", world="closed-world"),
    category="tests",
    tags=["a", "b"],
    use_when="It is tried.",
    idempotent="yes",
)
def by_constant(a: int, context: ToolContext) -> int | NoChangeNeeded:
    """All that a registry takes."""
    return a


@registry.tool
def by_registry(a: int) -> int:
    """A name of its own."""
    return a


class Forecasts:
    """Methods are tools without `self`."""

    @staticmethod
    @mcp.tool()
    def static(a: int) -> int:
        """A method without an instance."""
        return a


def helper(a: int) -> int:
    """No tool."""
    return a
