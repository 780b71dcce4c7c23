"""JSON Schemas in text instead of a block of code."""

from __future__ import annotations

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.parsing.spec import read_spec
from tests.tables import each
from tests.texts import PATH

SCHEMA = '{\n  "type": "object",\n  "required": ["city"],\n  "properties": {\n    "city": { "type": "strng" }\n  }\n}\n'
INTRO = "# TOOL_SPEC\n\n## 1. get_forecast\n\nDescription: Returns the forecast of a city.\n\n"


@each(
    "body",
    [
        f"Schema:\n{SCHEMA}",
        f"Input Schema:\n\n{SCHEMA}",
        f"**Input schema:** {SCHEMA}",
        f"Schema:\n{SCHEMA}\nNotes:\n- The forecast is for one day.\n",
        f"Schema:\n{SCHEMA}Notes: the forecast is for one day.\n",
    ],
)
def test_a_schema_needs_no_block_of_code(body: str) -> None:
    text = f"{INTRO}{body}\n## 2. list_cities\n\nDescription: Lists all cities.\n\nSchema:\n{SCHEMA}"
    file = read_spec(PATH, text)

    assert [tool.contract.name for tool in file.tools] == ["get_forecast", "list_cities"]
    assert all(tool.contract.input is not None for tool in file.tools)
    found = [(one.place.line, one.place.column) for one in lint(Contracts((file,))).shown() if one.code == "MC308"]
    lines = text.splitlines()
    assert found == [(at, line.index('"strng"') + 1) for at, line in enumerate(lines, 1) if "strng" in line]


@each("said", ["Takes {city} and\nreturns {forecast}.\n", '{\n  "city": "Rome"\n}\n', '{\n  "type": "object",\n'])
def test_other_braces_in_text_are_no_schema(said: str) -> None:
    (tool,) = read_spec(PATH, f"{INTRO}**Parameters:** none\n\n{said}").tools

    assert not tool.faults
