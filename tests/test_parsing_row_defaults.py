"""The default of a row becomes the default of its property if it is unambiguous and its type accepts it."""

from __future__ import annotations

from mcp_contracts.parsing.spec import read_spec
from tests.tables import each
from tests.texts import PATH

ROW = "| `knots` | {kind} | {required} | {default} | How fast |\n"
HEAD = (
    "# Boat\n\n## `boat_sail`\n\nSails.\n\n"
    "| Parameter | Type | Required | Default | Description |\n|---|---|---|---|---|\n"
)


def default_of(kind: str, default: str, required: str = "no") -> object:
    row = ROW.format(kind=kind, required=required, default=default)
    [tool] = read_spec(PATH, HEAD + row).tools
    schema = tool.contract.input_schema
    assert isinstance(schema, dict)
    properties = schema["properties"]
    assert isinstance(properties, dict)
    [knots] = properties.values()
    assert isinstance(knots, dict)
    return knots.get("default")


@each(
    ("kind", "default", "expected"),
    [
        ("integer", "10", 10),
        ("integer", "`10`", 10),
        ("number", "0.5", 0.5),
        ("boolean", "`False`", False),
        ("boolean", "no", False),
        ("integer", "2_000", 2000),
        ("string", '"slow"', "slow"),
        ("string", "`slow`", "slow"),
        ('"slow" \\| "fast"', "slow", "slow"),
        ("array[string]", "`[]`", []),
        ("array[string]", '`["a"]`', ["a"]),
        ("object", "`{}`", {}),
    ],
)
def test_an_unambiguous_default_is_part_of_the_schema(kind: str, default: str, expected: object) -> None:
    assert default_of(kind, default) == expected


@each(
    ("kind", "default", "required"),
    [
        ("string", "the current wind", "no"),
        ("string", "slow", "no"),
        ("integer", "auto", "no"),
        ("integer", "`fast`", "no"),
        ("integer", "true", "no"),
        ("number", "NaN", "no"),
        ("integer", "1e400", "no"),
        ("number", "1e400", "no"),
        ("array[number]", "`[-1e400]`", "no"),
        ("object", '`{"a": 1e400}`', "no"),
        ("array[string]", "`[1]`", "no"),
        ('"slow" \\| "fast"', "`still`", "no"),
        ("integer", "10", "yes"),
        ("integer", "—", "no"),
        ("array", "[" * 100_000, "no"),
    ],
)
def test_any_other_default_is_not(kind: str, default: str, required: str) -> None:
    assert default_of(kind, default, required) is None


def test_a_default_in_a_list_is_part_of_the_schema() -> None:
    [tool] = read_spec(
        PATH, "# Boat\n\n## `boat_sail`\n\n**Parameters:**\n\n- `knots` (integer, default: 4): How fast\n"
    ).tools

    assert tool.contract.input_schema == {
        "type": "object",
        "properties": {"knots": {"type": "integer", "default": 4, "description": "How fast"}},
    }
