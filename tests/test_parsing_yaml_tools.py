"""Tools in a block of YAML, as a list or by name, with types in words."""

from __future__ import annotations

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, JsonValue
from mcp_contracts.parsing.spec import read_spec
from tests.tables import each
from tests.texts import PATH

BY_NAME = """# Harbor

```yaml
module: harbor
{key}:
  find_berth:
    summary: Finds a berth.
    {inputs}:
      ship: string
      days: {days}
  free_berth:
    description: Frees a berth.
    {inputs}: {{}}
```
"""
LISTED = """# Harbor

```yaml
tools:
  - name: find_berth
    description: Finds a berth.
    args:
      ship: {ship}
```
"""


@each(
    ("key", "inputs", "days", "names"),
    (
        ("tools", "params", "integer (optional)", ["find_berth", "free_berth"]),
        ("mcp_tools", "args", "{type: integer}", ["find_berth", "free_berth"]),
        ("tools", "parameters", "integer, default 1", ["find_berth", "free_berth"]),
        ("jobs", "params", "integer", []),
    ),
)
def test_tools_may_be_listed_by_name(key: str, inputs: str, days: str, names: list[str]) -> None:
    file = read_spec(PATH, BY_NAME.format(key=key, inputs=inputs, days=days))

    assert [tool.contract.name for tool in file.tools] == names
    for tool in file.tools[:1]:
        assert tool.contract.description == "Finds a berth."
        assert tool.contract.place.line == 6
        assert tool.contract.input_schema == {
            "type": "object",
            "properties": {"ship": {"type": "string"}, "days": {"type": "integer"}},
        }


def test_a_type_that_nobody_can_read_is_reported() -> None:
    file = read_spec(PATH, BY_NAME.format(key="tools", inputs="params", days="intt"))

    assert [one.message for one in lint(Contracts((file,))).shown() if one.code == "MC308"] == [
        "type `intt` of `days` is not a JSON Schema type"
    ]


@each(("ship", "count"), (("string", 1), ("Swan of the lake", 0)))
def test_values_are_no_types(ship: str, count: int) -> None:
    assert len(read_spec(PATH, LISTED.format(ship=ship)).tools) == count


def test_a_map_of_types_is_the_result() -> None:
    text = LISTED.format(ship="string").replace(
        "      ship: string", "      ship: string\n    returns: {berth: string}"
    )
    (tool,) = read_spec(PATH, text).tools

    assert tool.contract.output is not None
    assert tool.contract.output.value == {"type": "object", "properties": {"berth": {"type": "string"}}}


IN_A_LIST = """# Harbor

```yaml
tools:
  find_berth:
    summary: Finds a berth.
    {key}:
      - {{name: ship, type: string, required: true}}
      - {{name: days, type: {days}, description: how many}}
```
"""


@each(("key", "days"), (("params", "int"), ("parameters", "integer")))
def test_parameters_may_be_a_list_of_objects(key: str, days: str) -> None:
    (tool,) = read_spec(PATH, IN_A_LIST.format(key=key, days=days)).tools
    part = tool.contract.input

    assert part is not None
    assert part.value == {
        "type": "object",
        "properties": {"ship": {"type": "string"}, "days": {"type": "integer", "description": "how many"}},
        "required": ["ship"],
    }
    assert [part.locator.place(at).line for at in ("/properties/days/description", "/required/0")] == [9, 8]


def test_an_empty_list_of_parameters_says_that_there_are_none() -> None:
    text = "# Harbor\n\n```yaml\ntools:\n  find_all:\n    summary: Finds all.\n    params: []\n```\n"
    (tool,) = read_spec(PATH, text).tools

    assert tool.contract.input_schema == {"type": "object", "properties": {}}


BELOW_A_HEADING = """# Harbor tools

## find_berth

Finds a berth.

```yaml
input:
  ship:
    type: string
    required: true
  days:
    type: integer
    default: 2
output:
  berth: string
```

call it like

```yaml
tool: find_berth
arguments:
  ship: Anna
```
"""


def test_a_block_below_a_heading_may_map_the_input_and_the_output() -> None:
    (tool,) = read_spec(PATH, BELOW_A_HEADING).tools

    assert tool.contract.description == "Finds a berth."
    assert tool.contract.input_schema == {
        "type": "object",
        "properties": {"ship": {"type": "string"}, "days": {"type": "integer", "default": 2}},
        "required": ["ship"],
    }
    assert tool.contract.output is not None
    assert len(tool.contract.examples) == 1


@each("sign", ("-", "--", ":", "–"))
def test_the_minus_of_a_limit_is_not_a_separator(sign: str) -> None:
    text = f"# Mixer tools\n\n## set_gain\n\nSets it.\n\nInput:\n\n- db: float {sign} -60..0\n"
    (tool,) = read_spec(PATH, text).tools

    assert tool.contract.input_schema == {
        "type": "object",
        "properties": {"db": {"type": "number", "description": "-60..0"}},
    }


def test_the_sections_of_a_tool_may_have_numbers_of_three_parts() -> None:
    text = (
        "# Mixer tools\n\n## 2.1 Tool: `set_gain`\n\n### 2.1.1 Purpose\n\nSets it.\n\n### 2.1.2 Invocation Name\n\n"
        "`set_gain`\n\n### 2.1.3 Input Schema\n\n### 2.1.8 Security Considerations\n\nNone.\n"
    )
    (tool,) = read_spec(PATH, text).tools

    assert [section.title for section in tool.sections] == [
        "Purpose",
        "Invocation Name",
        "Input Schema",
        "Security Considerations",
    ]
    assert "its sections have other numbers" in tool.deviations


@each("result", ("returns: points", "**Returns:** points", "raises: `too_long`"))
def test_a_result_among_the_parameters_of_an_item_hides_none(result: str) -> None:
    text = f"# Essay tools\n\n- `find_essay`: Finds one.\n  - `id` (string, required): its id\n  - {result}\n"
    (tool,) = read_spec(PATH, text).tools

    assert tool.contract.input_schema == {
        "type": "object",
        "properties": {"id": {"type": "string", "description": "its id"}},
        "required": ["id"],
    }


def test_a_label_directly_after_a_list_is_not_of_its_last_item() -> None:
    text = "# Stock tool\n\n**Tool:** `find_stock`\n**Parameters:**\n- `item` (string)\n**Returns:** integer\n"
    (tool,) = read_spec(PATH, text).tools

    assert tool.contract.input_schema == {"type": "object", "properties": {"item": {"type": "string"}}}


def test_a_tool_may_say_in_its_second_sentence_that_it_takes_nothing() -> None:
    text = "# Player tools\n\n## pause_it\n\nPauses. Takes nothing.\n"
    (tool,) = read_spec(PATH, text).tools

    assert tool.contract.input_schema == {"type": "object", "properties": {}}


WITHOUT_PARAMETERS = """# Harbor tools

```yaml
tools:
  - name: find_berth
    description: Finds a berth.
    parameters:
      ship:
        type: string
        required: true
  - name: list_berths
    description: Lists the berths.
{parameters}    returns:
      berths:
        type: array
```
"""


@each(("parameters", "schema"), (("    parameters: {}\n", {"type": "object", "properties": {}}), ("", None)))
def test_a_tool_of_a_list_may_have_no_parameters(parameters: str, schema: JsonValue) -> None:
    tools = read_spec(PATH, WITHOUT_PARAMETERS.format(parameters=parameters)).tools

    assert [tool.contract.name for tool in tools] == ["find_berth", "list_berths"]
    assert tools[1].contract.input_schema == schema
    assert tools[1].contract.output is not None


def test_the_fields_of_a_result_in_code_need_no_braces() -> None:
    text = "# Harbor tools\n\n## find_berth\n\nFinds it.\n\n**Returns** `berth: string, days: number`\n"
    (tool,) = read_spec(PATH, text).tools

    assert tool.contract.output is not None
    assert tool.contract.output.value == {
        "type": "object",
        "properties": {"berth": {"type": "string"}, "days": {"type": "number"}},
        "required": ["berth", "days"],
    }
    assert tool.contract.output.locator.place("/properties/days", on_key=True).column == 29


@each(
    ("title", "cell", "schema"),
    (
        ("Allowed values", "SEV1, SEV2", {"enum": ["SEV1", "SEV2"], "description": "it (SEV1, SEV2)"}),
        ("Constraints", "short, clean", {"type": "string", "description": "it (short, clean)"}),
        ("Allowed values", "any word", {"type": "string", "description": "it (any word)"}),
    ),
)
def test_words_in_a_column_of_allowed_values_are_the_values(title: str, cell: str, schema: JsonValue) -> None:
    table = f"| Field | Type | {title} | Notes |\n|---|---|---|---|\n| level | string | {cell} | it |\n"
    (tool,) = read_spec(PATH, f"# Harbor tools\n\n## find_berth\n\nFinds it.\n\n{table}").tools

    assert tool.contract.input_schema == {"type": "object", "properties": {"level": schema}}


@each("limits", ("> 0, max 70", "range 1–100", "at least 1 and at most 9"))
def test_limits_beside_a_type_are_kept(limits: str) -> None:
    table = f"| Field | Type | Notes |\n|---|---|---|\n| level | number ({limits}) | it |\n"
    (tool,) = read_spec(PATH, f"# Harbor tools\n\n## find_berth\n\nFinds it.\n\n{table}").tools

    assert f"it ({limits})" in str(tool.contract.input_schema)


def test_json_directly_below_a_heading_may_give_types_and_descriptions_in_words() -> None:
    code = '```json\n{"text": "string, the source text", "score": "number, 0..1"}\n```\n'
    (tool,) = read_spec(PATH, f"# Memory tools\n\n## find_text\n\nFinds it.\n\n{code}").tools

    assert tool.contract.input_schema == {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "the source text"},
            "score": {"type": "number", "description": "0..1"},
        },
    }


def test_json_of_values_directly_below_a_heading_is_no_list_of_types() -> None:
    code = '```json\n{"text": "string theory, a book", "kind": "array"}\n```\n'
    (tool,) = read_spec(PATH, f"# Memory tools\n\n## find_text\n\nFinds it.\n\n{code}").tools

    assert tool.contract.input is None
