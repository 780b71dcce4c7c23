"""The work for large schemas grows in proportion to their size, counted in calls of Python functions."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from cProfile import Profile
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mcp_contracts.comparison.compare import facts
from mcp_contracts.comparison.declared.policy import Reading, as_callers_send, as_consumers_read
from mcp_contracts.comparison.edits import Edits, differ_only_in_words
from mcp_contracts.contract import JsonValue
from mcp_contracts.formatting.regeneration import new_grid
from mcp_contracts.inclusion.graph import Graph
from mcp_contracts.inclusion.nodes import asked_of, equal_classes, refined_classes
from mcp_contracts.parsing.spec import MAX_LINES, read_spec
from mcp_contracts.rules.schemas.values import unjudged_values
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.references import references
from mcp_contracts.schema.simple import is_refused
from mcp_contracts.sources.documents import read_source
from mcp_contracts.sources.python.functions import read_implementation
from mcp_contracts.witnesses.candidates import candidates
from mcp_contracts.witnesses.counterexamples import make_readable
from mcp_contracts.witnesses.sampling import sample
from tests.support_schemas import tool_schema


def calls_of(work: Callable[[], object], *, builtins: bool = False) -> int:
    """Return the number of calls of Python functions in some work, and of those in C on request."""
    profile = Profile(builtins=builtins)
    outer = sys.getprofile()
    try:
        profile.runcall(work)
    finally:
        sys.setprofile(outer)
    return sum(entry.callcount for entry in profile.getstats())


def branches(count: int, shift: int = 0) -> dict[str, Any]:
    """Return branches that each have one own and one common property."""
    return {
        "allOf": [
            {"type": "object", "properties": {"kind": {"minimum": index}, f"p{index}": {"minimum": index + shift}}}
            for index in range(count)
        ]
    }


@pytest.mark.parametrize("read", [as_callers_send, as_consumers_read])
def test_branches_are_read_by_declared_names_in_proportion_to_their_number(read: Callable[[Any], Reading]) -> None:
    read(branches(2))

    few, many = (calls_of(partial(read, branches(count))) for count in (100, 200))

    assert many < 2.5 * few


BRANCHES: dict[str, Callable[[int], dict[str, Any]]] = {
    "closed, beside a pattern": lambda index: {"additionalProperties": False},
    "of names": lambda index: {"propertyNames": {"enum": [f"p{index}"]}},
    "of few members": lambda index: {"minProperties": 1},
    "of listed objects": lambda index: {"const": {f"p{index}": 1}},
}


@pytest.mark.parametrize("kind", BRANCHES)
def test_what_consumers_read_grows_in_proportion_to_branches_of_other_names(kind: str) -> None:
    def size(count: int) -> int:
        more: dict[str, Any] = {"patternProperties": {"^x": True}} if "pattern" in kind else {}
        held: list[Any] = [{"properties": {f"p{index}": True}, **BRANCHES[kind](index)} for index in range(count)]
        return len(json.dumps(as_consumers_read({"type": "object", "anyOf": held, **more}).schema))

    assert size(400) < 2.2 * size(200)


def test_closed_branches_of_so_many_other_names_that_all_of_them_fill_a_process_are_not_read() -> None:
    held: list[Any] = [{"properties": {f"p{index}": True}, "additionalProperties": False} for index in range(1_000)]

    assert as_consumers_read({"type": "object", "oneOf": held}) == Reading(True, ("",))


def test_the_values_of_an_enum_are_found_in_it_in_proportion_to_their_number() -> None:
    def judge_all(count: int) -> None:
        values: list[Any] = [{"a": [index]} for index in range(count)]
        assert not any(is_refused(value, "enum", values) for value in values)

    few, many = (calls_of(partial(judge_all, count)) for count in (100, 200))

    assert many < 2.5 * few


def test_the_two_schemas_are_read_once_for_all_edits() -> None:
    old, new = branches(400), branches(400, shift=1)
    found = facts(old, new)
    edits = Edits(old, new)

    once = calls_of(lambda: Edits(old, new))
    each = calls_of(lambda: [edits.isolate(fact) for fact in found[:10]]) / 10

    assert len(found) == 400
    assert each < once / 10


def test_classes_of_schemas_are_the_same_found_upwards_and_by_refinement() -> None:
    lines = (Path(__file__).parent / "proofs" / "evolutions.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines[::7]:
        evolution = json.loads(line)
        read = Graph(evolution["old"], evolution["new"])._nodes

        upwards, refined = equal_classes(read), refined_classes(asked_of(read))

        assert upwards == refined, evolution["name"]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ({"type": "string", "description": "a"}, {"description": "b", "type": "string"}, True),
        ({"properties": {"description": {"title": "a"}}}, {"properties": {"description": {"title": "b"}}}, True),
        ({"properties": {"description": {}}}, {"properties": {}}, False),
        ({"allOf": [{"title": "a"}, {"minimum": 1}]}, {"allOf": [{}, {"minimum": 1}]}, True),
        ({"enum": [{"title": "a"}]}, {"enum": [{"title": "b"}]}, False),
        ({"items": {"minimum": 1}}, {"items": {"minimum": True}}, False),
        ({"not": True}, {"not": {}}, True),
    ],
)
def test_schemas_that_differ_only_in_annotations_are_the_same_except_for_words(
    one: Any, other: Any, expected: bool
) -> None:
    assert differ_only_in_words(one, other) is expected


def test_a_value_is_not_made_readable_member_by_member_once_the_budget_is_spent() -> None:
    def shape(count: int) -> None:
        value: JsonValue = {f"n{number}": number for number in range(count)}
        needed: JsonValue = {"type": "object", "minProperties": count}
        assert make_readable(value, needed, {"maxProperties": 1}, budget=Budget(3)) == value

    few, many = (calls_of(partial(shape, count)) for count in (50, 200))

    assert many < 5 * few


def of_itself(count: int) -> dict[str, Any]:
    """Return a schema in which each property is the schema itself."""
    return {"type": "object", "properties": {f"p{index}": {"$ref": "#"} for index in range(count)}}


def test_a_sample_of_a_schema_whose_properties_are_the_schema_itself_is_built_in_proportion_to_them() -> None:
    sample(of_itself(2), Random(1))

    few, many = (calls_of(partial(sample, of_itself(count), Random(1))) for count in (50, 100))

    assert many < 2.5 * few


def test_names_are_matched_with_patterns_within_a_budget() -> None:
    def look_for_values(count: int) -> None:
        names: Any = {f"p{index}": {"type": "string"} for index in range(30)}
        patterns: Any = {f"^p{index}.*$": {"maxLength": 9} for index in range(count)}
        schema: Any = {"type": "object", "properties": names, "patternProperties": patterns}
        for _ in candidates(schema, schema, most=5_000, budget=Budget(1_000)):
            pass

    look_for_values(2)

    few, many = (calls_of(partial(look_for_values, count)) for count in (50, 200))

    assert many < 3 * few


def test_references_to_nothing_are_resolved_in_proportion_to_their_number() -> None:
    def schema(count: int) -> Any:
        held = {f"d{index}": {"$dynamicRef": f"#a{index}"} for index in range(count)}
        anchors = {f"e{index}": {"$dynamicAnchor": f"b{index}"} for index in range(count)}
        return {"$defs": {**held, **anchors}, "anyOf": [{"$ref": f"#/$defs/D{index}"} for index in range(count)]}

    assert [one.near for one in references(schema(2)) if one.near] == ["#/$defs/d0", "#/$defs/d1"]

    few, many = (calls_of(partial(references, schema(count))) for count in (100, 200))

    assert many < 2.5 * few


def test_a_table_of_a_schema_whose_properties_are_the_schema_itself_has_no_more_rows_than_a_file() -> None:
    text = json.dumps({"tools": [{"name": "a.b", "inputSchema": of_itself(50)}]})
    part = read_source("tools.json", text).contracts[0].input
    assert part is not None

    assert len(new_grid(part).rows) == MAX_LINES + 1


def test_the_functions_of_a_module_are_read_in_proportion_to_their_number(tmp_path: Path) -> None:
    def read(count: int) -> None:
        lines = (f"def f{index}(a: int = {index}) -> dict: 'It.'" for index in range(count))
        (tmp_path / "m.py").write_text("\n".join(lines), encoding="utf-8")
        read_implementation([str(tmp_path / "m.py")])

    read(2)

    few, many = (calls_of(partial(read, count)) for count in (20, 40))

    assert many < 2.5 * few


def test_values_that_are_judged_are_not_explained_to_find_those_that_are_not() -> None:
    names: list[JsonValue] = [f"r{index}" for index in range(20)]
    schema = tool_schema({"type": "object", "required": names, "examples": [{"q": index} for index in range(500)]})
    list(unjudged_values(schema))  # which compiles it

    assert calls_of(lambda: list(unjudged_values(schema))) < 50 * 500


def test_short_fences_in_a_file_without_tools_are_searched_once_each() -> None:
    def read(count: int) -> None:
        read_spec("notes.md", "# Notes\n\n" + 'One.\n\n```json\n{"a": 1}\n```\n\n' * count)

    read(2)  # which compiles the patterns

    few, many = (calls_of(partial(read, count), builtins=True) for count in (100, 800))

    assert many < few * 10
