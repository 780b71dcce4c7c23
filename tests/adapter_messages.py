"""Random calls and results that the protocol allows."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from mcp_contracts.messages import MCPErrorDetail, MCPToolCall, MCPToolResult, ResultStatus

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["", "output", "error", '{"status":"success","data":null,"error":null,"explanation":null}', "{}", "null"]
)
SCALARS: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=8
)
OBJECTS = st.dictionaries(
    TEXTS | st.sampled_from(["result", "content", "output", "error", "status"]), VALUES, max_size=3
)
ERRORS = st.builds(
    MCPErrorDetail,
    error_type=st.sampled_from(["ValidationError", "TimeoutError", "Odd"]),
    error_message=TEXTS,
    error_details=st.none() | TEXTS | OBJECTS,
)
FAILURES = st.builds(MCPToolResult, status=st.just(ResultStatus.FAILURE), error=ERRORS, explanation=st.none() | TEXTS)
OTHERS = st.builds(
    MCPToolResult,
    status=st.sampled_from([status for status in ResultStatus if status is not ResultStatus.FAILURE]),
    data=st.none() | OBJECTS,
    error=st.none() | ERRORS,
    explanation=st.none() | TEXTS,
)
RESULTS = FAILURES | OTHERS
"""Any result."""


def calls(tool_name: str) -> st.SearchStrategy[MCPToolCall]:
    """Any call of one tool."""
    return st.builds(MCPToolCall, tool_name=st.just(tool_name), arguments=OBJECTS)
