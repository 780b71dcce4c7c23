"""Parameter tables: their columns, split cells, nested rows, and the schemas derived from them."""

from __future__ import annotations

import pytest

from mcp_contracts.contract import JsonValue, SchemaOrigin, SchemaPart, Table
from mcp_contracts.parsing.markdown.blocks import TableBlock, flatten_blocks
from mcp_contracts.parsing.markdown.lines import MOST_CELLS, split_cells
from mcp_contracts.parsing.markdown.reading import parse_blocks
from mcp_contracts.parsing.parameters.columns import columns_of
from mcp_contracts.parsing.parameters.derive import derive_schema
from mcp_contracts.parsing.parameters.tables import cells_of, is_parameter_table, path_of, plain_name, read_table
from mcp_contracts.parsing.text import Line, SourceText
from tests.tables import each
from tests.texts import PATH, position, standing_at

HEAD = "| Parameter | Type | Required | Description |\n|---|---|---|---|\n"


def table(text: str) -> Table:
    """Return the only table of a text."""
    source = SourceText.of(PATH, text)
    (block,) = [block for block in flatten_blocks(parse_blocks(source)) if isinstance(block, TableBlock)]
    return read_table(source, block)


def derived(text: str) -> SchemaPart:
    """Return the schema that the only table of a text describes."""
    return derive_schema(table(text), "input", SchemaOrigin.TABLE)


@pytest.mark.parametrize(
    ("header", "roles"),
    [
        ("| Parameter | Type | Required | Default | Description | Example |",
         ("name", "type", "required", "default", "description", "example")),
        ("Field Name | **Data Type** | `Req` | Notes", ("name", "type", "required", "description")),
        ("| Name | Type | Optional? | Whatever |", ("name", "type", "required", "")),
    ],
)  # fmt: skip
def test_columns_are_known_by_their_titles(header: str, roles: tuple[str, ...]) -> None:
    assert columns_of(header).roles == roles


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("| Parameter | Type |", True),
        ("| Name | Default |", False),
        ("| Error | Type |", False),
        ("| Type | Name |", False),
    ],
)
def test_a_parameter_table_names_things_and_gives_their_types(header: str, expected: bool) -> None:
    source = SourceText.of(PATH, f"{header}\n|---|---|")
    (block,) = parse_blocks(source)

    assert isinstance(block, TableBlock)
    assert is_parameter_table(block) is expected


@each(
    ("cell", "required"),
    [
        ("yes", True), ("**Yes**", True), ("`true`", True), ("✅", True), ("Required", True), ("Yes (always)", True),
        ("yes, unless `b`", None), ("Yes (if `texts` is not given)", None), ("one of `a` or `b`", None),
        ("no", False), ("", False), ("optional", False), ("-", False), ("No.", False),
        ("depends", None), ("conditional", None), ("if `b` is set", None), ("?", None), ("42", None),
        ("Yes*", None), ("Yes\\*", None), ("Required†", None), ("Yes[^1]", None), ("No*", False), ("*Yes*", True),
    ],
)  # fmt: skip
def test_the_required_column_is_read_where_it_can_be(cell: str, required: bool | None) -> None:
    (row,) = table(f"{HEAD}| `a` | string | {cell} | x |").rows

    assert row.required is required


@pytest.mark.parametrize(("cell", "required"), [("yes", False), ("no", True), ("maybe", None)])
def test_a_column_that_says_optional_is_read_the_other_way(cell: str, required: bool | None) -> None:
    (row,) = table(f"| Name | Type | Optional |\n|---|---|---|\n| a | string | {cell} |").rows

    assert row.required is required


@pytest.mark.parametrize(
    ("cell", "required"),
    [("`5`", False), ("None", False), ("(required)", True), ("—", None), ("", None), ("`-`", False)],
)
def test_without_a_required_column_a_default_decides(cell: str, required: bool | None) -> None:
    (row,) = table(f"| Name | Type | Default |\n|---|---|---|\n| a | string | {cell} |").rows

    assert row.required is required


@pytest.mark.parametrize(
    ("said", "required"),
    [
        ("The word (required)", True),
        ("Required. The word", True),
        ("Required if no id is given", None),
        ("A word", None),
    ],
)
def test_without_a_required_column_a_description_may_say_it(said: str, required: bool | None) -> None:
    (row,) = table(f"| Name | Type | Default | Description |\n|---|---|---|---|\n| a | string | — | {said} |").rows

    assert row.required is required


@pytest.mark.parametrize(
    ("written", "required"), [("string (optional)", False), ("string, required", True), ("string", None)]
)
def test_a_type_may_say_whether_it_is_required(written: str, required: bool | None) -> None:
    (row,) = table(f"| Name | Type |\n|---|---|\n| a | {written} |").rows

    assert row.required is required


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ("`a`", "a"),
        ("**`a`**", "a"),
        ("*a*", "a"),
        ("a (required)", "a"),
        ("a\\_b*", "a_b"),
        ("`a` *", "a"),
        ("a?", "a"),
    ],
)
def test_a_name_is_read_without_its_marks(cell: str, name: str) -> None:
    assert plain_name(cell) == name


@pytest.mark.parametrize("cell", ["", "—", "...", " - "])
def test_a_row_without_a_name_is_not_a_parameter(cell: str) -> None:
    assert table(f"{HEAD}| {cell} | string | yes | x |").rows == ()


def test_a_row_knows_the_places_of_its_cells() -> None:
    text = f"intro\n\n{HEAD}  |  `a`|`string`  |yes|x|\n"

    (row,) = table(text).rows

    assert standing_at(text, row.place) == "`a`"
    assert standing_at(text, row.type_place) == "`string`"
    assert standing_at(text, row.required_place) == "yes"
    assert position(row.place) == (5, 6)


@pytest.mark.parametrize("prefix", ["> ", "- ", ">\t", "  "])
def test_a_table_in_a_quote_or_a_list_is_exact_too(prefix: str) -> None:
    lines = f"{HEAD}| `a` | string | yes | x |".split("\n")
    rest = "  " if prefix == "- " else prefix
    text = "\n".join([prefix + lines[0], *(rest + line for line in lines[1:])])

    read = table(text)

    assert standing_at(text, read.rows[0].type_place) == "string"
    assert standing_at(text, read.place).startswith("| Parameter")


@pytest.mark.parametrize(
    ("row", "type_text", "required", "description", "type_cell"),
    [
        ('| `a` | `"x"|"y"` | yes | d |', '"x" | "y"', True, "d", '`"x"|"y"`'),
        ("| `a` | `str \\| None` | no | d |", "str | None", False, "d", "`str \\| None`"),
        ("| `a` | `str \\ | None` | No The text |", "str | None", False, "The text", "`str \\ | None`"),
        ("| `a` | `str | None` | Yes — text |", "str | None", True, "text", "`str | None`"),
        ("| `a` | `str | int | None` | no | d |", "str | int | None", False, "d", "`str | int | None`"),
        ("| `a` | string | yes | one `b|c` two |", "string", True, "one `b | c` two", "string"),
        ("| `a` | `string | yes | d |", "string", True, "d", "`string"),
        ("| `a` | `x`, `y | z` | no d `1` |", "x, y | z", False, "d `1`", "`x`, `y | z`"),
        ("| `a` | `y|z` no | d |", "y | z", False, "d", "`y|z`"),
    ],
)
def test_what_an_unescaped_pipe_tore_apart_is_rejoined(
    row: str, type_text: str, required: bool, description: str, type_cell: str
) -> None:
    text = f"{HEAD}{row}"

    (read,) = table(text).rows

    assert (read.type, read.required, read.description) == (type_text, required, description)
    assert standing_at(text, read.type_place) == type_cell


def test_a_default_that_a_description_swallowed_is_cut_off() -> None:
    head = "| Parameter | Type | Required | Description | Default |\n|---|---|---|---|---|\n"

    (row,) = table(f"{head}| `a` | `str | None` | no | d `1` |").rows

    assert (row.description, row.required) == ("d", False)


def test_an_escaped_pipe_is_a_pipe_in_a_description() -> None:
    (row,) = table(f"{HEAD}| `a` | string | yes | b \\| c |").rows

    assert row.description == "b | c"


def test_surplus_and_missing_cells_do_no_harm() -> None:
    read = table(f"{HEAD}| `a` | string | yes | d | more | still |\n| `b` |\n| `c` | int")

    assert [(row.name, row.type, row.required) for row in read.rows] == [
        ("a", "string", True),
        ("b", None, None),
        ("c", "int", None),
    ]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("a", ("a",)),
        ("a.b", ("a", "b")),
        ("a[].b", ("a", "[]", "b")),
        ("a[][]", ("a", "[]", "[]")),
        ("a.b[].c.d", ("a", "b", "[]", "c", "d")),
        ("..", ("..",)),
        ("a." * 50, ("a." * 50,)),
    ],
)
def test_a_dotted_name_is_a_path(name: str, path: tuple[str, ...]) -> None:
    assert path_of(name) == path


NESTED = f"""\
{HEAD}| `issues` | array[object] | yes | What was found. |
| `issues[].line` | int | yes | Where. |
| `issues[].tags` | list[str] | no | |
| `style.docs/x` | boolean | no | Whether. |
| `hits` | array | no | |
| `hits.score` | number | yes | |
"""


def test_rows_become_a_schema_with_nested_objects() -> None:
    schema: JsonValue = {
        "type": "object",
        "properties": {
            "issues": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "line": {"type": "integer", "description": "Where."},
                        "tags": {"type": "array", "items": {"type": "string"}},
                    },
                    "required": ["line"],
                },
                "description": "What was found.",
            },
            "style": {
                "type": "object",
                "properties": {"docs/x": {"type": "boolean", "description": "Whether."}},
            },
            "hits": {
                "type": "array",
                "items": {"type": "object", "properties": {"score": {"type": "number"}}, "required": ["score"]},
            },
        },
        "required": ["issues"],
    }

    assert derived(NESTED).value == schema


@pytest.mark.parametrize(
    ("pointer", "value", "key"),
    [
        ("/properties/issues", "array[object]", "`issues`"),
        ("/properties/issues/type", "array[object]", "`issues`"),
        ("/properties/issues/items/properties/line", "int", "`issues[].line`"),
        ("/properties/style/properties/docs~1x/type", "boolean", "`style.docs/x`"),
        ("/required/0", "yes", "yes"),
        ("/properties/issues/items/required/0", "yes", "yes"),
    ],
)
def test_pointers_of_a_derived_schema_lead_to_cells(pointer: str, value: str, key: str) -> None:
    locator = derived(NESTED).locator

    assert standing_at(NESTED, locator.place(pointer)) == value
    assert standing_at(NESTED, locator.place(pointer, on_key=True)) == key


def test_a_pointer_that_leads_nowhere_leads_to_the_table() -> None:
    assert standing_at(NESTED, derived(NESTED).locator.place("/nowhere/x")) == NESTED.rstrip()


def test_a_parent_of_another_type_keeps_what_it_is() -> None:
    schema = derived(f"{HEAD}| `a` | string | no | |\n| `a.b` | int | yes | |").value

    assert schema == {
        "type": "object",
        "properties": {"a": {"type": "string", "properties": {"b": {"type": "integer"}}, "required": ["b"]}},
    }


def test_an_unknown_type_has_its_cell() -> None:
    text = f"{HEAD}| `a[].b` | Widget | no | |"

    (row,) = table(text).rows

    assert (row.type, row.schema) == ("Widget", None)
    assert standing_at(text, row.type_place) == "Widget"


@each("count", [1, 2, MOST_CELLS - 1, MOST_CELLS, MOST_CELLS + 1, 3 * MOST_CELLS])
@each("form", ["|{}|", "{}", " |{} ", "|{}|\\|"])
def test_a_row_of_any_length_has_a_bounded_number_of_cells(form: str, count: int) -> None:
    text = form.format("|".join(["a"] * count))

    cells = cells_of(Line(text, 0, 0))

    assert len(cells) == len(split_cells(text)) <= MOST_CELLS
    assert all(text[cell.column : cell.end] == cell.text for cell in cells)


@each(
    ("header", "row", "description"),
    [
        ("| Argument | Type | Required | |", "| `berth` | string | yes | where the boat lies |", "where the boat lies"),
        ("| Argument | Type | Required | |", "| `berth` | string | yes | |", ""),
        ("| Argument | Type | |", "| `berth` | string (of the harbor) | where it lies |", "where it lies"),
        (
            "| Argument | Type |",
            "| `berth` | string (where the boat lies; it may change) |",
            "where the boat lies; it may change",
        ),
        ("| Argument | Type |", "| `berth` | `string` (where the boat lies) |", "where the boat lies"),
        ("| Argument | Type | Description |", "| `berth` | string (where the boat lies) | |", "where the boat lies"),
        ("| Argument | Type |", "| `berth` | string (max 20 letters) |", ""),
        ("| Argument | Type |", "| `berth` | string (optional, nullable) |", ""),
        ("| Argument | Type |", "| `berth` | enum (north, south, or east) |", ""),
        ("| Argument | Type |", "| `berth` | string (one of the boats) |", ""),
        ("| Argument | Type |", "| `berth` | string (uuid) |", ""),
        ("| Argument | Type |", "| `berth` | array (of whole numbers) |", ""),
    ],
)
def test_a_column_without_a_title_and_remarks_about_types_hold_descriptions(
    header: str, row: str, description: str
) -> None:
    line = "|--" * (header.count("|") - 1)

    read = table(f"{header}\n{line}|\n{row}\n| `keel` | string |{' |' * (header.count('|') - 3)}\n")

    assert read.rows[0].description == description
    assert read.rows[0].schema is not None
