"""The tool whose calls are measured: five properties, one of them an object, and a result with a list of objects."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict  # pydantic supports that of `typing` from Python 3.12 on

from mcp_contracts.contract import Contracts
from mcp_contracts.sources.load import load

NAME = "issues.search"

_TITLE = {"type": "string", "minLength": 1, "maxLength": 200}
_SORT = {
    "type": "object",
    "properties": {"field": {"enum": ["created", "updated", "comments"]}, "descending": {"type": "boolean"}},
    "required": ["field", "descending"],
    "additionalProperties": False,
}
INPUT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": _TITLE,
        "limit": {"type": "integer", "minimum": 1, "maximum": 100},
        "state": {"enum": ["open", "closed", "all"]},
        "labels": {"type": "array", "items": {"type": "string"}},
        "sort": _SORT,
    },
    "required": ["query", "limit", "state", "labels", "sort"],
    "additionalProperties": False,
}
_ISSUE = {
    "type": "object",
    "properties": {"number": {"type": "integer"}, "title": _TITLE, "is_open": {"type": "boolean"}},
    "required": ["number", "title", "is_open"],
    "additionalProperties": False,
}
OUTPUT: dict[str, Any] = {
    "type": "object",
    "properties": {"total": {"type": "integer"}, "issues": {"type": "array", "items": _ISSUE}},
    "required": ["total", "issues"],
    "additionalProperties": False,
}
ARGUMENTS: dict[str, Any] = {
    "query": "login fails after an update",
    "limit": 20,
    "state": "open",
    "labels": ["bug", "needs triage"],
    "sort": {"field": "updated", "descending": True},
}
WRONG: dict[str, Any] = {**ARGUMENTS, "limit": 0, "state": "lost", "labels": [1]}
"""Arguments with three faults."""

DATA: dict[str, Any] = {
    "total": 2,
    "issues": [
        {"number": 4821, "title": "Login fails with a stale cookie", "is_open": True},
        {"number": 4807, "title": "Update resets the session", "is_open": True},
    ],
}
"""The result of every search. It is always the same object, so that the function itself takes almost no time."""

LOST = "no such thing"
"""The query whose result the output schema rejects."""


class Sort(TypedDict):
    """The order of the results."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]  # pydantic's way for a TypedDict

    field: Literal["created", "updated", "comments"]
    descending: bool


class Issue(TypedDict):
    """One issue."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]  # see above

    number: int
    title: Annotated[str, Field(min_length=1, max_length=200)]
    is_open: bool


class Found(TypedDict):
    """The result."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]  # see above

    total: int
    issues: list[Issue]


Query = Annotated[str, Field(min_length=1, max_length=200)]
Limit = Annotated[int, Field(ge=1, le=100)]
State = Literal["open", "closed", "all"]


class Arguments(TypedDict):
    """The arguments, for validation by pydantic only."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]  # see above

    query: Query
    limit: Limit
    state: State
    labels: list[str]
    sort: Sort


async def search(query: str, limit: int, state: str, labels: list[str], sort: dict[str, Any]) -> dict[str, Any]:
    """Search issues."""
    return DATA


def search_now(query: str, limit: int, state: str, labels: list[str], sort: dict[str, Any]) -> dict[str, Any]:
    """Like `search`, as a sync function."""
    return DATA


async def search_typed(query: Query, limit: Limit, state: State, labels: list[str], sort: Sort) -> Found:
    """Like `search`, with types that are equivalent to the schemas."""
    return {"total": "many"} if query == LOST else DATA  # type: ignore[return-value,typeddict-item]


def contracts() -> Contracts:
    """Return the contract of the tool."""
    tool = {"name": NAME, "description": "Search issues.", "inputSchema": INPUT, "outputSchema": OUTPUT}
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "tools.json"
        path.write_text(json.dumps({"tools": [tool]}), encoding="utf-8")
        return load(path)
