"""What text calls a tool is one: a heading of one plain word, an item, or the start of a sentence."""

from __future__ import annotations

from mcp_contracts.parsing.spec import read_spec
from tests.tables import each
from tests.texts import PATH

SECTION = (
    "### weigh\n\nWeighs a boat.\n\n| Parameter | Type | Required | Description |\n|---|---|---|---|\n"
    "| `boat` | string | yes | Which boat |\n"
)


@each(
    ("text", "is_tool"),
    (
        ("One tool, `weigh`. Prices aren't included.", True),
        ("`weigh` is the only tool of this module.", True),
        ("`weigh(boat: string)` is the only tool; there are no others.", True),
        ("The scale has two tools, `lift` and `weigh`.", True),
        ("The scale works in kilograms.", True),
        ("`weigh` is not a tool.", False),
        ("There was a tool named `weigh`.", False),
        ("It is used by the tool `weigh` of the harbor.", False),
        ("The scale has no tools.", False),
    ),
)
def test_a_heading_of_one_word_above_parameters_is_a_tool_unless_text_says_something_else_of_it(
    text: str, *, is_tool: bool
) -> None:
    assert [tool.contract.name for tool in read_spec(PATH, f"# Scale\n\n{text}\n\n{SECTION}").tools] == [
        "weigh"
    ] * is_tool


def test_a_word_above_a_result_beside_one_above_parameters_is_a_tool() -> None:
    file = read_spec(
        PATH, f"# Scale\n\n{SECTION}\n### tare\n\nNo weight is left.\n\nReturns: number\n\n### care\n\nOil it.\n"
    )

    assert [tool.contract.name for tool in file.tools] == ["weigh", "tare"]


@each(
    ("lead", "count"),
    (("Three tools:", 3), ("The scale has 3 tools:", 3), ("We use three tools:", 0), ("Five tools:", 0)),
)
def test_the_items_that_a_sentence_counts_are_tools(lead: str, count: int) -> None:
    items = "* `lift`: lifts a boat.\n* `weigh`: weighs a boat.\n* `lower_boat`: lowers a boat.\n"
    file = read_spec(PATH, f"# Scale\n\n{lead}\n\n{items}\nThe crane is not a tool.\n")

    assert len(file.tools) == count


@each(("lead", "count"), (("Hello! Two tools:", 2), ("Two settings:", 0)))
def test_names_that_begin_a_sentence_are_tools_if_text_announces_them(lead: str, count: int) -> None:
    tools = (
        "**`lift_boat`** lifts a boat\n\n- boat: string, required\n\n"
        "**`weigh_boat`** weighs it\n\n- boat: string, required\n- unit: string, optional\n"
    )
    file = read_spec(PATH, f"# Scale\n\n{lead}\n\n{tools}\nThat's all.\n")

    assert len(file.tools) == count
    assert [tool.contract.description for tool in file.tools] == ["lifts a boat", "weighs it"][:count]


@each(
    ("text", "is_of_module"),
    (
        ("Selling boats is not a tool.", True),
        ("There are no tools for selling boats.", True),
        ("Both are MCP tools. The crane isn't.", True),
        ("Nothing else in this package is exposed.", True),
        ("La vente n'est pas un outil.", True),
        ("No hay herramientas para vender.", True),
        ("Das Verkaufen ist kein Werkzeug.", True),
        ("`sink` and `burn` have purposely not been made tools.", True),
        ("Both tools need a calm sea.", True),
        ("The crane exposes nothing to agents.", True),
        ("Lifting by hand isn't possible over MCP.", True),
        ("It exposes nothing to agents.", False),
        ("A weight is not available at night.", False),
        ("This is not a tool for planning.", False),
        ("It makes no tool calls.", False),
        ("Do not use the tool in a storm.", False),
        ("Cet outil ne change rien.", False),
        ("The scale must be empty.", False),
    ),
)
def test_a_remark_that_closes_the_file_does_not_describe_its_last_tool(text: str, *, is_of_module: bool) -> None:
    tools = f"{SECTION.replace('weigh', 'lift_boat')}\n{SECTION.replace('weigh', 'weigh_boat')}"
    file = read_spec(PATH, f"# Scale\n\n## Tools\n\n{tools}\n{text}\n")

    assert len(file.tools) == 2
    assert (text not in file.tools[1].contract.description) is is_of_module


def test_a_description_in_a_definition_list_has_no_colon() -> None:
    for between in ("\n", "\n\n"):
        lift = f"`lift_boat`{between}: Lifts a boat. Parameter: `boat` (string, required).\n\n"
        items = f"{lift}`weigh_boat`{between}: Weighs it.\n"
        file = read_spec(PATH, f"# Scale\n\n## Tools\n\n{items}")

        assert [tool.contract.description for tool in file.tools] == ["Lifts a boat.", "Weighs it."]


def test_no_inputs_and_the_output_may_share_a_line() -> None:
    for line, count in (("Inputs: none. Outputs: array.", 1), ("Inputs: none of them. Outputs: array.", 0)):
        file = read_spec(PATH, f"# Scale\n\n## Tools\n\n### weigh_all\n\nWeighs all.\n\n{line}\n")

        assert sum(tool.contract.input is not None for tool in file.tools) == count


@each(
    ("lead", "names"),
    (
        ("**Tools**", ["lift_boat", "weigh_boat"]),
        ("__MCP tools:__", ["lift_boat", "weigh_boat"]),
        ("**Settings**", []),
    ),
)
def test_the_terms_below_a_title_in_bold_are_tools(lead: str, names: list[str]) -> None:
    terms = "`lift_boat`\n: Lifts a boat.\n\n`weigh_boat`\n: Weighs a boat.\n"
    file = read_spec(PATH, f"# Scale\n\n{lead}\n\n{terms}")

    assert [tool.contract.name for tool in file.tools] == names


def test_a_call_after_the_words_mcp_tool_is_one() -> None:
    file = read_spec(PATH, '# Scale\n\nMCP tool: `weigh(boat: str, unit: str = "t") -> float`\n\nWeighs a boat.\n')

    assert [tool.contract.name for tool in file.tools] == ["weigh"]
    assert file.tools[0].contract.input_schema == {
        "type": "object",
        "properties": {"boat": {"type": "string"}, "unit": {"type": "string", "default": "t"}},
        "required": ["boat"],
    }


@each(
    ("sentence", "rows"),
    (
        ("Parameter `boat` (string, required).", [("boat", "string", True)]),
        (
            "It takes a `boat` (string) and the `berth` (integer, required), and returns the price.",
            [("boat", "string", False), ("berth", "integer", True)],
        ),
        ("Takes `boat` (string), `by` (integer, default 1).", [("boat", "string", True), ("by", "integer", False)]),
        ("Needs `boat` (the larger one) and a crane.", []),
    ),
)
def test_a_sentence_may_give_the_types_of_parameters(sentence: str, rows: list[tuple[str, str, bool | None]]) -> None:
    (tool,) = read_spec(PATH, f"# Scale\n\n## Tools\n\n### lift_boat\n\nLifts a boat. {sentence}\n").tools
    found = tool.input_table.rows if tool.input_table is not None else ()

    assert [(row.name, row.type, row.required) for row in found] == rows


@each(
    ("lead", "count"),
    (
        ("Two tools:", 2),
        ("Functions which are **not** tools:", 0),
        ("We did not create tools for the scale. The list below explains its functions:", 0),
        ("Two tools. The scripts are not tools.", 2),
    ),
)
def test_a_sentence_may_say_that_the_items_below_it_are_not_tools(lead: str, count: int) -> None:
    items = "- `lift_boat(boat)`: lifts a boat.\n- `weigh_boat(boat)`: weighs a boat.\n"

    assert len(read_spec(PATH, f"# Scale: MCP tools\n\n{lead}\n\n{items}").tools) == count


def test_a_call_in_bold_gives_the_types_of_its_parameters() -> None:
    (tool,) = read_spec(PATH, "# Scale\n\n**weigh_boat(boat: string, days: int = 3)** – its weight.\n").tools

    assert tool.contract.input_schema == {
        "type": "object",
        "properties": {"boat": {"type": "string"}, "days": {"type": "integer", "default": 3}},
        "required": ["boat"],
    }


def test_a_heading_whose_text_says_that_it_is_no_tool_is_not_missed() -> None:
    text = SECTION.replace("weigh", "weigh_boat") + "\n### lift\n\nIs done with the crane, and is not a tool.\n"

    assert not read_spec(PATH, f"# Scale\n\n{text}").unread_siblings


@each(
    "remark",
    (
        "No other function is exposed.",
        "The module offers no other tools.",
        "The reverse function, `lift_boat`, is intentionally not exposed.",
        "Für Kräne gibt es keine Tools.",
    ),
)
def test_a_remark_on_other_functions_at_the_end_of_a_file_does_not_describe_its_last_tool(remark: str) -> None:
    (tool,) = read_spec(PATH, f"# Scale\n\n## `weigh_boat`\n\n- `boat` (string)\n\n{remark}\n").tools

    assert tool.contract.description == ""


@each(
    "text",
    (
        "**Parameters**: none. The boat on the scale is used.",
        "This tool takes no parameters and does not return anything.",
    ),
)
def test_a_sentence_beside_no_parameters_is_a_remark(text: str) -> None:
    (tool,) = read_spec(PATH, f"# Scale\n\n## `tare_scale`\n\nSets it to zero.\n\n{text}\n").tools

    assert tool.contract.input_schema == {"type": "object", "properties": {}}


def test_the_definitions_of_parameters_describe_them() -> None:
    terms = "`boat` (string, required)\n: Which boat.\n\n`unit` (string, optional)\n: `ton` or `stone`"
    (tool,) = read_spec(PATH, f"# Scale\n\n## `weigh_boat`\n\nWeighs it.\n\n**Arguments**\n\n{terms}\n").tools

    assert tool.contract.description == "Weighs it."
    assert tool.contract.input_schema == {
        "type": "object",
        "properties": {
            "boat": {"type": "string", "description": "Which boat."},
            "unit": {"type": "string", "enum": ["ton", "stone"], "description": "`ton` or `stone`"},
        },
        "required": ["boat"],
    }


@each("line", ("*Trust: safe*", "**Trust**: safe", "**Side effects**: none"))
def test_a_line_about_a_tool_may_stand_before_its_description(line: str) -> None:
    text = f"# Scale\n\n## `weigh_boat`\n\n{line}\n\nWeighs a boat.\n\n- `boat` (string, required)\n"
    (tool,) = read_spec(PATH, text).tools

    assert tool.contract.description == "Weighs a boat."


def test_a_sign_for_no_may_have_the_default() -> None:
    table = "| Parameter | Type | Required |\n|---|---|---|\n| `unit` | string | ❌ (default `ton`) |"
    (tool,) = read_spec(PATH, f"# Scale\n\n## `weigh_boat`\n\nWeighs it.\n\n{table}\n").tools

    assert tool.contract.input_schema == {
        "type": "object",
        "properties": {"unit": {"type": "string", "default": "ton"}},
    }


def test_groups_in_bold_are_no_tools() -> None:
    groups = "**Read**\n\n- `find_boat` (name) → boats\n\n**Write**\n\n- `lift_boat` (boat) → price\n"

    assert read_spec(PATH, f"# Scale\n\n{groups}").tools == ()


PLAIN = "| Parameter | Type | Required | Description |\n|---|---|---|---|\n| `boat` | string | yes | Which boat |\n"


@each(
    ("path", "text", "count"),
    (
        (
            "a/MCP_TOOL_SPECIFICATION.md",
            "# Scale\n\n## lift_boat(boat)\n\nLifts.\n\n## weigh_boat(boat, unit)\n\nWeighs.\n",
            2,
        ),
        ("a/NOTES.md", "# Scale\n\n## lift_boat(boat)\n\nLifts.\n\n## weigh_boat(boat, unit)\n\nWeighs.\n", 0),
        ("a/MCP_TOOL_SPECIFICATION.md", f"# Scale for agents\n\n## `lift_boat`\n\n### Input\n\n{PLAIN}", 1),
        (
            "a/MCP_TOOL_SPECIFICATION.md",
            f"# Scale\n\n### 1 · `lift_boat`\n\n{PLAIN}\n### 2 · `weigh_boat`\n\n{PLAIN}",
            2,
        ),
    ),
)
def test_calls_and_numbered_names_in_headings_are_tools_of_a_specification(path: str, text: str, count: int) -> None:
    assert len(read_spec(path, text).tools) == count


TYPED = "| Parameter | Type |\n|---|---|\n| `boat` | string |\n"


@each(
    ("text", "names"),
    (
        (f"## Tools\n\n**1. lift_boat**\n\n{TYPED}\n**2. weigh_boat**\n\n{TYPED}", ["lift_boat", "weigh_boat"]),
        (
            f"### Tools\n\n#### lift_boat parameters\n\n{PLAIN}\n#### weigh_boat parameters\n\n{PLAIN}",
            ["lift_boat", "weigh_boat"],
        ),
        (
            "| Tool | R/W |\n|---|---|\n| `lift_boat` | W |\n| `weigh` | R |\n\n## lift_boat\n\nLifts.\n\n"
            f"{PLAIN}\n## weigh\n\n- `boat` (string, required)\n\n## notes\n\n- `boat` (string, required)\n",
            ["lift_boat", "weigh"],
        ),
    ),
)
def test_names_with_numbers_or_words_beside_them_or_in_an_overview_are_tools(text: str, names: list[str]) -> None:
    file = read_spec("a/MCP_TOOL_SPECIFICATION.md", f"# Scale\n\n{text}")

    assert [tool.contract.name for tool in file.tools] == names


def test_a_specification_may_be_of_settings() -> None:
    code = '@mcp.tool()\ndef set_option(key: str, value: str) -> str:\n    """Set an option."""\n'

    assert len(read_spec("a/MCP_TOOL_SPECIFICATION.md", f"# config_store\n\n```python\n{code}```\n").tools) == 1
    assert len(read_spec("a/NOTES.md", f"# config_store\n\n```python\n{code}```\n").tools) == 0


@each(
    ("lead", "count"),
    (
        ("A tool would be added in `scale/tools.py`:", 0),
        ("The tool is in `scale/tools.py`:", 1),
        ("It could be slow. The tool:", 1),
    ),
)
def test_code_that_would_be_added_is_no_tool(lead: str, count: int) -> None:
    code = '@mcp_tool(category="scale")\ndef weigh_boat(boat: str) -> dict:\n    ...\n'

    assert len(read_spec(PATH, f"# Scale: MCP tools\n\n{lead}\n\n```python\n{code}```\n").tools) == count


def test_the_name_below_a_title_is_no_description() -> None:
    text = (
        "## Tool 1: Weigh Boat\n\n**Name:** `scale.weigh`\n\n**Description:** Weighs a boat.\n\n**Parameters:** none\n"
    )
    (tool,) = read_spec(PATH, f"# Scale\n\n{text}").tools

    assert (tool.contract.name, tool.contract.description) == ("scale.weigh", "Weighs a boat.")
