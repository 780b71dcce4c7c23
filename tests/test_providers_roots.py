"""A root that providers reject becomes a plain object that accepts the same calls, or more if that is listed."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_contracts.providers.changes import ChangeKind
from mcp_contracts.providers.roots import COMBINATORS, plain_root
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from tests.schema_strategies import NAMES, schemas, values

OBJECTS = st.lists(st.dictionaries(st.sampled_from(NAMES), values, max_size=3), min_size=1, max_size=5)


@given(schemas(), OBJECTS)
@settings(suppress_health_check=list(HealthCheck))
def test_a_plain_root_accepts_the_same_objects_unless_a_change_says_more(schema: Any, arguments: list[Any]) -> None:
    found = plain_root(schema)

    if found.schema is None:
        assert any(change.is_refusal for change in found.changes)
        return
    assert not found.schema.keys() & {*COMBINATORS, "$ref"}
    assert found.schema["type"] == "object"
    assert isinstance(found.schema["properties"], dict)
    kinds = {change.kind for change in found.changes}
    for value in arguments:
        before, after = accepts(compile_schema(schema), value), accepts(compile_schema(found.schema), value)
        if before is not None and after is not None:
            assert after is before or (ChangeKind.WIDENED if after else ChangeKind.NARROWED) in kinds


def test_open_alternatives_of_a_root_are_widened_and_narrowed() -> None:
    schema: Any = {"anyOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"b": {"type": "integer"}}}]}

    found = plain_root(schema)

    narrowed: Any = {"a": 5, "b": 1}
    assert accepts(compile_schema(schema), narrowed)
    assert not accepts(compile_schema(found.schema), narrowed)
    assert {change.kind for change in found.changes if change.keyword == "anyOf"} == {
        ChangeKind.WIDENED,
        ChangeKind.NARROWED,
    }
