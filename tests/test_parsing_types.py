"""Types as people write them in tables and signatures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.contract import JsonValue
from mcp_contracts.parsing.parameters.types import clean_type, read_type
from mcp_contracts.schema.validation.validators import schema_errors
from tests.tables import each

STRING: JsonValue = {"type": "string"}
INTEGER: JsonValue = {"type": "integer"}


@each(
    ("written", "schema"),
    [
        ("string", STRING),
        ("String", STRING),
        ("`str`", STRING),
        ("**text**", STRING),
        ("Path", STRING),
        ("int", INTEGER),
        ("float", {"type": "number"}),
        ("bool", {"type": "boolean"}),
        ("None", {"type": "null"}),
        ("dict", {"type": "object"}),
        ("list", {"type": "array"}),
        ("any", {}),
        ("datetime", {"type": "string", "format": "date-time"}),
        ("uri", {"type": "string", "format": "uri"}),
        ("bytes", {"type": "string", "contentEncoding": "base64"}),
        ("array[string]", {"type": "array", "items": STRING}),
        ("List[str]", {"type": "array", "items": STRING}),
        ("typing.List[str]", {"type": "array", "items": STRING}),
        ("Array<string>", {"type": "array", "items": STRING}),
        ("string[]", {"type": "array", "items": STRING}),
        ("float[3]", {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}),
        ("[x, y]", {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
        ("string[80]", STRING),
        ('string (enum: "png", "jpg")', {"enum": ["png", "jpg"]}),
        ('string: "png" | "jpg"', {"enum": ["png", "jpg"]}),
        ("unix timestamp", {"type": "number"}),
        ("string[][]", {"type": "array", "items": {"type": "array", "items": STRING}}),
        ("array of strings", {"type": "array", "items": STRING}),
        ("Array of shelves", {"type": "array", "items": {}}),
        ("a list of integers", {"type": "array", "items": INTEGER}),
        ("set[str]", {"type": "array", "uniqueItems": True, "items": STRING}),
        ("tuple[int, str]", {"type": "array", "minItems": 2, "maxItems": 2, "prefixItems": [INTEGER, STRING]}),
        ("tuple[float,float]", {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"}}),
        ("(float, float)", {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"}}),
        ("[string]", {"type": "array", "items": STRING}),
        ("{string: int}", {"type": "object", "additionalProperties": INTEGER}),
        ("{name, value}", {"type": "object"}),
        ("pathlib.Path", STRING),
        ("datetime.datetime", {"type": "string", "format": "date-time"}),
        ("Callable[[int], str]", {}),
        ("UserProfile", {}),
        ("list[UserProfile]", {"type": "array", "items": {}}),
        ("np.ndarray", {}),
        ("any JSON value", {}),
        ("List[Dict[str, Any]]", {"type": "array", "items": {"type": "object"}}),
        ("object (see below)", {"type": "object"}),
        ("object with keys a, b", {"type": "object"}),
        ("dict of str to int", {"type": "object"}),
        ("string (ISO 8601)", STRING),
        ("ISO 8601 string", STRING),
        ("absolute path", STRING),
        ("positive integer", INTEGER),
        ("int >= 0", INTEGER),
        ("float (0-1)", {"type": "number"}),
        ("float 0.0-1.0", {"type": "number"}),
        ("integer, 1-100", INTEGER),
        ("int=5", INTEGER),
        ("bool = False", {"type": "boolean"}),
        ("string, null", {"type": ["string", "null"]}),
        ("string, int or null", {"type": ["string", "integer", "null"]}),
        ("string - the path", STRING),
        ("string array", {"type": "array", "items": STRING}),
        ("list of file paths", {"type": "array", "items": STRING}),
        ("list of Pattern objects", {"type": "array", "items": {"type": "object"}}),
        ("enum: a, b", {"enum": ["a", "b"]}),
        ("one of: a, b", {"enum": ["a", "b"]}),
        ("liste de chaînes", {"type": "array", "items": {"type": "string"}}),
        ("tableau d'entiers", {"type": "array", "items": {"type": "integer"}}),
        ("enum (a/b)", {"enum": ["a", "b"]}),
        ("`fast` \\| `slow`", {"enum": ["fast", "slow"]}),
        ("`str` \\| `None`", {"type": ["string", "null"]}),
        ("'a' / 'b'", {"enum": ["a", "b"]}),
        ("tuple[int, ...]", {"type": "array", "items": INTEGER}),
        ("array[any]", {"type": "array", "items": {}}),
        ("dict[str, int]", {"type": "object", "additionalProperties": INTEGER}),
        ("Dict[str, Any]", {"type": "object"}),
        ("dict[str: int]", {"type": "object", "additionalProperties": INTEGER}),
        ("Annotated[int, 'positive']", INTEGER),
        ("map<string, list[int]>", {"type": "object", "additionalProperties": {"type": "array", "items": INTEGER}}),
        ('enum["a","b"]', {"enum": ["a", "b"]}),
        ("enum[a, b, 1, true, null]", {"enum": ["a", "b", 1, True, None]}),
        ("Literal['a', 'b']", {"enum": ["a", "b"]}),
        ('"a" | "b"', {"enum": ["a", "b"]}),
        ('"a" \\| "b"', {"enum": ["a", "b"]}),
        ('`"a"` | `"b"`', {"enum": ["a", "b"]}),
        ('"a, b" | "c"', {"enum": ["a, b", "c"]}),
        ('"a" or null', {"enum": ["a", None]}),
        ("1 | 2", {"enum": [1, 2]}),
        ('string ("fast" or "slow")', {"enum": ["fast", "slow"]}),
        ("string or null", {"type": ["string", "null"]}),
        ("str | None", {"type": ["string", "null"]}),
        ("Optional[str]", {"type": ["string", "null"]}),
        ("string/null", {"type": ["string", "null"]}),
        ("Union[str, int]", {"type": ["string", "integer"]}),
        ("str | str", STRING),
        ("str | any", {}),
        ("array[string or null]", {"type": "array", "items": {"type": ["string", "null"]}}),
        ("string or array[string]", {"anyOf": [STRING, {"type": "array", "items": STRING}]}),
        ("list[str] | None", {"type": ["array", "null"], "items": STRING}),
        ("string (optional)", STRING),
        ("string, optional", STRING),
        ("string?", STRING),
        ("string (max 100)", STRING),
        ("varchar(255)", STRING),
        ("integer (1-100)", INTEGER),
        ("list[str] (see below)", {"type": "array", "items": STRING}),
    ],
)
def test_a_written_type_is_read_as_what_it_means(written: str, schema: JsonValue) -> None:
    assert read_type(written) == schema


@each(
    "written",
    [
        "strnig",
        "wibble",
        "foo bar?",
        "string string",
        "maybe string",
        'enum["a", "b"',
        "list of frob",
        "see below",
        "array[",
        "",
        "-",
        "—",
        "Widget",
        "list[Widget]",
        "dict[str, Widget]",
        "str | Widget",
        "enum",
        "Foo[str]",
        "[",
        "x" * 3000,
    ],
)
def test_an_unknown_type_is_not_a_type(written: str) -> None:
    assert read_type(written) is None


def test_a_type_is_cleaned_of_its_marks() -> None:
    assert clean_type(" **`List\\[str\\]`**  \\| `None` ") == "List[str] | None"


@given(st.text("list[]()\"'|,<>{}: orstnull123.?/", max_size=60))
def test_whatever_is_written_gives_a_valid_schema_or_none(written: str) -> None:
    schema = read_type(written)

    assert schema is None or not schema_errors(schema)


@pytest.mark.parametrize(
    "written",
    [
        "list[" * 15 + "(" * 15 + "x" + ")" * 15 + "]" * 15,
        "(" * 900 + " or " + ")" * 900,
        " or ".join(["("] * 400),
        '"' * 1998 + "x",
        "a | " * 450,
        "list of " * 200,
        "a/" * 900,
    ],
)
def test_a_hostile_type_is_given_up(written: str) -> None:
    assert read_type(written) is None
