"""Parameter tables with any columns: in any order, with any titles, transposed, or without titles."""

from __future__ import annotations

import pytest

from mcp_contracts.contract import JsonValue, SpecTool
from tests.tables import each
from tests.texts import spec, tool

Row = tuple[str, JsonValue, bool | None, str]
EXPECTED = [("city", "string", True, "A city"), ("days", "integer", False, "How many days")]


def tool_with(table: str, *, under: str = "**Input**") -> SpecTool:
    """Return a tool whose parameters are in a table."""
    return tool(f"# Weather\n\n## `get_forecast`\n\nTells the weather.\n\n{under}\n\n{table}\n")


def rows(read: SpecTool) -> list[Row]:
    """Return the rows of the input table: name, type, whether it is required, and description."""
    table = read.input_table
    assert table is not None, read.contract.places
    return [(row.name, dict(row.schema or {}).get("type"), row.required, row.description) for row in table.rows]


def written(header: str, *lines: str) -> str:
    """Return a table with a header and rows."""
    return "\n".join((header, "|---" * (header.count("|") - 1) + "|", *lines))


@each(
    "table",
    [
        written("| # | Name | Type | Required | Description |", "| 1 | `city` | string | yes | A city |",
                "| 2 | `days` | int | no | How many days |"),
        written("| No. | Type | Mandatory? | Argument | Meaning |", "| 1 | str | Y | `city` | A city |",
                "| 2 | int | N | `days` | How many days |"),
        written("| Req. | Kind | Field | Notes |", "| ✓ | string | city | A city |",
                "| | integer | days | How many days |"),
        written("| | Name | Data Type | Req'd | Details |", "| 🔑 | **city** | `string` | ✅ | A city |",
                "| | **days** | `integer` | ❌ | How many days |"),
        written("| 📛 Name | 🔤 Type | ❓ | 📝 Description |", "| city | string | ✅ | A city |",
                "| days | int | ➖ | How many days |"),
        written("| Presence | Name | Type | Explanation |", "| required | `city` | string | A city |",
                "| optional | `days` | integer | How many days |"),
        written("| Name | Optional? | Type | What it means |", "| city | no | text | A city |",
                "| days | yes | int | How many days |"),
        written("| Name | Optional | Type | Description |", "| city | required | string | A city |",
                "| days | optional | int | How many days |"),
        written("| Nom | Obligatoire | Type de données | Signification |", "| `city` | oui | string | A city |",
                "| `days` | non | entier | How many days |").replace("entier", "integer"),
        written("| Pflicht | Feldname | Datentyp | Bedeutung |", "| ja | `city` | string | A city |",
                "| nein | `days` | integer | How many days |"),
        written("| Facultatif | Nom | Type | Description |", "| non | `city` | string | A city |",
                "| oui | `days` | integer | How many days |"),
        written("| In | Key | Type (JSON) | Required | Description |", "| body | city | string | true | A city |",
                "| body | days | integer | false | How many days |"),
        written("| Nazwa pola | Rodzaj | Konieczne | Co to jest |", "| city | string | yes | A city |",
                "| days | integer | no | How many days |"),
        written("| A | B | C | D |", "| string | yes | A city | `city` |", "| integer | no | How many days | `days` |"),
        written("| Parameter | city | days |", "| Type | string | integer |", "| Required | yes | no |",
                "| Description | A city | How many days |"),
        written("| | `city` | `days` |", "| **Type** | string | integer |", "| **Mandatory** | Y | N |",
                "| **Meaning** | A city | How many days |"),
    ],
)  # fmt: skip
def test_the_columns_are_found_in_any_order(table: str) -> None:
    assert rows(tool_with(table)) == EXPECTED


@pytest.mark.parametrize(
    "header",
    ["| Service | Parameter | Type |", "| Event | Field | Type |", "| Table | Column | Type |"],
)
def test_a_table_of_other_things_is_reported_and_not_read(header: str) -> None:
    read = tool_with(written(header, "| get_forecast | city | string |", "| get_alarms | city | string |"))

    assert read.contract.input is None
    assert "unread_input" in read.contract.places


@pytest.mark.parametrize(
    "table",
    [
        written("| Type | Name |", "| lake | constance |", "| river | rhine |"),
        written("| Kind | Name | Description |", "| table | orders | All orders |", "| view | late | The late ones |"),
    ],
)
def test_kinds_of_other_things_are_no_types(table: str) -> None:
    read = tool_with(table, under="Knows these waters:")

    assert read.contract.input is None
    assert read.tables == ()


def test_a_short_row_is_reported_although_its_name_is_elsewhere() -> None:
    read = tool_with(
        written("| # | Type | Name | Meaning |", "| 1 | string | `city` | A city |", "| 2 | `days` | How many days |")
    )

    (fault,) = read.faults
    assert fault.message == "the row has 3 cells, but the table has 4 columns"


def test_a_type_that_is_misspelled_stays_a_type() -> None:
    read = tool_with(
        written(
            "| # | Must | Type | Name | Meaning |",
            "| 1 | Y | strng | `city` | A city |",
            "| 2 | N | int | `n` | Days |",
        )
    )

    assert rows(read) == [("city", None, True, "A city"), ("n", "integer", False, "Days")]


def test_section_3_of_the_format_takes_any_order_as_well() -> None:
    table = written("| # | Type | Name |", "| 1 | string | `city` |")
    (read,) = spec("## Tool: `weather.get`\n\n**Version**: 1.0.0\n\n### 3. Input Schema (Parameters)\n\n" + table).tools

    assert read.contract.input_schema == {"type": "object", "properties": {"city": {"type": "string"}}}
