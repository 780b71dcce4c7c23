"""Tools in older dialects, read by the intent of their authors."""

from __future__ import annotations

import pytest

from mcp_contracts.contract import JsonValue, SchemaOrigin, SpecTool
from mcp_contracts.faults import FaultKind
from mcp_contracts.parsing.spec import read_spec
from tests.texts import PATH, position, spec, standing_at, tool


def parameters(read: SpecTool) -> dict[str, tuple[JsonValue, bool | None]]:
    """Return the type of every parameter and whether it is required, by name."""
    schema = read.contract.input_schema
    assert isinstance(schema, dict)
    properties, required = schema["properties"], schema.get("required", [])
    assert isinstance(properties, dict)
    assert isinstance(required, list)
    rows = {row.name: row.required for row in read.input_table.rows} if read.input_table else {}
    return {
        name: (member.get("type") if isinstance(member, dict) else None, rows.get(name, name in required))
        for name, member in properties.items()
    }


def test_numbered_sections_with_tables_only() -> None:
    read = tool("""
        ## Tool: `cache_get`

        ### 1. Tool Purpose and Description

        Gets a value.

        ### 2. Invocation Name

        `cache_get`

        ### 3. Input Schema (Parameters)

        | Parameter Name | Type | Required | Description |
        |:---|:---|:---|:---|
        | `key` | `string` | Yes | The key |
        | `ttl` | `int` | Maybe | The time |

        ### 5. Error Handling

        - `KeyError`: there is none
        """)

    assert read.deviations == (
        "the name has no module prefix",
        "it has no version",
        "it has no JSON Schema block in sections 3 and 4",
    )
    assert parameters(read) == {"key": ("string", True), "ttl": ("integer", None)}
    assert read.contract.description == "Gets a value."
    assert [error.name for error in read.contract.errors] == ["KeyError"]


def test_a_map_of_properties_below_a_heading_of_a_schema_is_reported_and_read() -> None:
    read = tool("""
        ## `cache_get`

        Gets a value.

        ### Input Schema

        ```json
        {"key": {"type": "string", "required": true}, "ttl": {"type": "integer"}}
        ```
        """)

    assert [fault.kind for fault in read.faults] == [FaultKind.EXAMPLE_FOR_SCHEMA]
    assert parameters(read) == {"key": ("string", True), "ttl": ("integer", False)}


def test_a_name_without_module_and_no_version_are_of_an_older_dialect_next_to_schemas_and_examples_too() -> None:
    text = """
        ## Tool: `{name}`

        ### 3. Input Schema (Parameters)

        ```json
        {{"type": "object", "properties": {{"key": {{"type": "string"}}}}}}
        ```

        ### 7. Usage Examples

        ```json
        {{"tool_name": "{name}", "arguments": {{"key": "a"}}}}
        ```
        """

    assert tool(text.format(name="cache_get")).deviations == (
        "the name has no module prefix",
        "it has no version",
    )
    assert tool(text.format(name="cache.get")).deviations == ()  # an attempt at the format, whose faults are reported


def test_sections_without_numbers() -> None:
    read = tool("""
        # A

        ## aider_check

        **Category**: `aider`
        **Description**: Checks it.

        ### Parameters

        None.

        ### Return Schema

        | Field | Type | Description |
        |-------|------|-------------|
        | `status` | `str` | what |
        """)

    assert (read.contract.name, read.contract.category) == ("aider_check", "aider")
    assert read.contract.description == "Checks it."
    assert parameters(read) == {}
    assert read.contract.output_schema == {
        "type": "object",
        "properties": {"status": {"type": "string", "description": "what"}},
    }


def test_names_without_a_mark_are_tools_only_below_a_heading_of_tools() -> None:
    text = (
        "# X\n\n## Tools\n\n### `fetch`\n\nFetches.\n\n### Notes\n\n### store\n\nStores.\n\n### look-up\n\nFinds.\n\n"
        "## Models\n\n### large\n\n### small-2\n"
    )

    read = read_spec(PATH, text)

    assert [one.contract.name for one in read.tools] == ["fetch", "store", "look-up"]
    assert read.contracts[0].description == "Fetches."


def test_parameters_as_bullets() -> None:
    text = """
        ## Tools

        ### `validate_schema`

        Validates.

        **Parameters:**
        - `data` (dict, required): what
        - `mode` (str, default `"x"`): how
        - `tags` (list[str], optional): more
          - `inner` (int): nested
        - `n: int = 3` — inline
        - plain words
        - `bare`: without a type

        **Returns:** `{ok}`
        """

    read = tool(text)

    assert parameters(read) == {
        "data": ("object", True),
        "mode": ("string", False),
        "tags": ("array", False),
        "n": ("integer", False),
        "bare": (None, None),
    }
    assert read.contract.input is not None
    assert read.contract.input.origin is SchemaOrigin.PROSE
    assert [row.name for row in read.input_table.rows if "." in row.name] == ["tags.inner"]  # type: ignore[union-attr]  # bullets make a table


def test_places_of_bullets_are_exact() -> None:
    text = "## Tools\n\n### `t_x`\n\n**Parameters:**\n- **`mode`** (`str`, required): how\n- `n: int = 3`\n"

    (read,) = read_spec(PATH, text).tools

    assert read.input_table is not None
    assert [standing_at(text, row.place) for row in read.input_table.rows] == ["mode", "n"]
    assert [standing_at(text, row.type_place) for row in read.input_table.rows] == ["`str`", "int"]
    assert position(read.input_table.rows[1].type_place) == (7, 7)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("**Parameters**: `a: str`, `b: list[int] = []`", {"a": ("string", True), "b": ("array", False)}),
        ("- **Parameters**: `a: str`", {"a": ("string", True)}),
        ("**Parameters**: None", {}),
        ("**Parameters**: No parameters required.", {}),
        ("No parameters. **Returns:** `x`", {}),
    ],
)
def test_parameters_on_one_line(line: str, expected: dict[str, tuple[JsonValue, bool]]) -> None:
    (read,) = read_spec(PATH, f"## Tools\n\n### `t_x`\n\n{line}\n").tools

    assert parameters(read) == expected


@pytest.mark.parametrize(
    ("stated", "is_none"),
    [
        ("Geen input nodig.", True),
        ("- Geen parameters vereist.", True),
        ("- Sin parámetros.", True),
        ("No requiere parámetros.", True),
        ("Takes no parameters and returns nothing.", True),
        ("Não recebe nenhum parâmetro.", True),
        ("- Keine Parameter erforderlich.", True),
        ("None; the engine chooses the phase", True),
        ("None; optional `phase`", False),
        ("None; may be given a phase", False),
        ("- Without input, the phase is chosen.", False),
        ("- Any input.", False),
    ],
)
def test_a_statement_that_a_tool_takes_nothing(stated: str, is_none: bool) -> None:
    (read,) = read_spec(PATH, f"## Tools\n\n### `t_x`\n\nStarts it.\n\n**Input:**\n\n{stated}\n").tools

    assert (read.contract.input_schema == {"type": "object", "properties": {}}) == is_none


def test_a_cell_says_that_a_tool_takes_nothing() -> None:
    rows = "| `t_x` | `phase: string` | Starts it. |\n| `t_y` | None; the engine chooses the phase | Stops it. |"
    _, read = read_spec(PATH, f"## Tools\n\n| Tool | Input | Purpose |\n|---|---|---|\n{rows}\n").tools

    assert read.contract.input_schema == {"type": "object", "properties": {}}


def test_a_signature_s_parameters_have_places() -> None:
    text = "## Tools\n\n### `t_x`\n\n- **Parameters**: `a: str`, `a_b: int`\n"

    (read,) = read_spec(PATH, text).tools

    assert read.input_table is not None
    assert [position(row.place) for row in read.input_table.rows] == [(5, 20), (5, 30)]
    assert [standing_at(text, row.type_place) for row in read.input_table.rows] == ["str", "int"]


def test_a_whole_tool_as_json() -> None:
    text = """
        ## Tools

        ### `t_x`

        ```json
        {
          "name": "t_x",
          "description": "Does it.",
          "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
          "outputSchema": {"type": "object"}
        }
        ```
        """

    read = tool(text)

    assert parameters(read) == {"a": ("string", True)}
    assert read.contract.description == "Does it."
    assert read.contract.output_schema == {"type": "object"}
    assert read.contract.input is not None
    assert read.contract.input.origin is SchemaOrigin.SCHEMA
    assert standing_at(spec(text).text, read.contract.input.locator.place("/properties/a/type")) == '"string"'
    assert standing_at(spec(text).text, read.contract.place_of("description")) == '"Does it."'


def test_a_whole_tool_as_invalid_yaml() -> None:
    text = """
        ## Tools

        ### `t_x`

        ```yaml
        name: t_x
        parameters:
          type: object
          properties:
            limit:
              type: integer
              description: how many (default: 5)
        ```
        """

    read = tool(text)

    assert parameters(read) == {"limit": ("integer", False)}
    assert read.contract.input is not None
    place = read.contract.input.locator.place("/properties/limit/description")
    assert standing_at(spec(text).text, place) == "how many (default: 5)"


def test_a_map_of_properties() -> None:
    text = """
        ## t_x

        ### Parameters

        ```json
        {
          "a": {"type": "string", "required": true},
          "b/c": {"type": "integer", "required": false}
        }
        ```
        """

    read = tool(text)

    assert read.contract.input_schema == {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b/c": {"type": "integer"}},
        "required": ["a"],
    }
    assert read.contract.input is not None
    locator = read.contract.input.locator
    whole = spec(text).text
    assert standing_at(whole, locator.place("/properties/a/type")) == '"string"'
    assert standing_at(whole, locator.place("/properties/b~1c", on_key=True)) == '"b/c"'
    assert standing_at(whole, locator.place("/required/0")) == "true"
    assert position(locator.place("/required/x")) == position(locator.place("/nowhere")) == (6, 1)


def test_an_example_where_a_schema_belongs() -> None:
    read = tool("""
        ## `t_x`

        Does it.

        ### Output Schema

        ```json
        {"status": "ok"}
        ```
        """)

    assert [fault.kind for fault in read.faults] == [FaultKind.EXAMPLE_FOR_SCHEMA]
    assert read.contract.output_schema is None
    assert read.contract.input_schema is None


def test_an_example_with_a_field_named_properties_is_not_a_schema() -> None:
    text = "# Boats\n\n## Tools\n\n### `port_now`\n\nShows it.\n\n**Parameters:** None\n\n**Returns:**\n"
    text += '```json\n{"name": "Kiel", "size": 256, "properties": {"is_open": false, "is_full": true}}\n```\n'

    assert read_spec(PATH, text).tools[0].contract.output is None


def test_an_example_elsewhere_is_ignored() -> None:
    read = tool("""
        ## `t_x`

        ### Example

        ```json
        // Request
        {"a": 1}
        ```
        """)

    assert read.faults == ()


def test_tools_that_are_only_listed() -> None:
    text = """\
# pm

## Tools

| Tool | Summary |
|:-----|:--------|
| `pm_start` | Starts |
| `pm_dispatch` | Dispatches |
| `tool_name` | the template's |
| `pm_start` | again |

### `pm_dispatch`

| Parameter | Type | Required |
|:--|:--|:--|
| `action` | string | Yes |
"""

    tools = read_spec(PATH, text).tools

    assert [read.contract.name for read in tools] == ["pm_start", "pm_start", "pm_dispatch"]
    assert tools[0].deviations == ("it is only listed and has no section of its own",)
    assert tools[0].contract.description == "Starts"
    assert standing_at(text, tools[0].contract.place) == "pm_start"
    assert standing_at(text, tools[0].contract.place_of("description")) == "Starts"
    assert tools[0].contract.input is None
    assert parameters(tools[2]) == {"action": ("string", True)}


def test_a_table_right_under_the_heading() -> None:
    read = tool("""
        ## Tools

        ### `t_x`

        | Parameter | Type | Required | Default |
        |---|---|---|---|
        | `a` | `str` | Yes | -- |
        | `b` | `str` | No | `"x"` |

        **Version**: 2.0
        """)

    assert parameters(read) == {"a": ("string", True), "b": ("string", False)}
    assert read.contract.version == "2.0"


def test_a_description_may_be_labeled_or_plain() -> None:
    text = "## Tools\n\n### `t_x`\n\n- **Purpose**: Does it.\n\n### `t_y`\n\n  Does\nthat.\n\n**Parameters**: None\n"

    first, second = read_spec(PATH, text).contracts

    assert (first.description, second.description) == ("Does it.", "Does\nthat.")
    assert [standing_at(text, one.place_of("description")) for one in (first, second)] == ["Does it.", "Does"]


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("### `fetch`", "fetch"),
        ("### fetch", "fetch"),
        ("### **`fetch`**", "fetch"),
        ("### 2. `fetch`", "fetch"),
        ("### 2.1 `fetch_all`", "fetch_all"),
        ("### `fetch(url: str)`", "fetch"),
        ("### `fetch` (async)", "fetch"),
        ("### `fetch` — gets it", "fetch"),
        ("### `fetch`: gets it", "fetch"),
        ("### fetch_all", "fetch_all"),
    ],
)
def test_under_a_heading_of_tools_a_name_is_one(heading: str, name: str) -> None:
    text = f"# X\n\n## Tools\n\n{heading}\n\nWords.\n"

    (read,) = read_spec(PATH, text).contracts

    assert read.name == name
    assert standing_at(text, read.place) == name


@pytest.mark.parametrize(
    "heading",
    ["### Fetching", "### `a b`", "### `X`", "### `fetch` and `store`", "### `42`", "### usage", "### 1. Setup"],
)
def test_other_headings_under_a_heading_of_tools_are_not_tools(heading: str) -> None:
    assert read_spec(PATH, f"# X\n\n## Tools\n\n{heading}\n\nWords.\n").tools == ()


def test_a_schema_needs_no_title_that_says_schema() -> None:
    read = tool("""
        ## `t_x`

        ### Parameters

        ```json
        {"type": "object", "properties": {"a": {"type": "string"}}}
        ```

        ### Returns

        ```json
        {"type": "object", "properties": {"b": {"type": "string"}}}
        ```
        """)

    assert parameters(read) == {"a": ("string", False)}
    assert read.contract.output_schema == {"type": "object", "properties": {"b": {"type": "string"}}}


@pytest.mark.parametrize(
    ("title", "body", "kinds"),
    [
        ("Parameters", "{a: 1}", [FaultKind.INVALID_JSON]),
        ("Parameters", '{"type": "object", "type": "object"}', [FaultKind.DUPLICATE_KEY]),
        ("Parameters", '{"a": 1}', []),
        ("Returns", "{a, ...}", []),
        ("Example", "{a: 1}", [FaultKind.INVALID_JSON]),
        ("Example", '// request\n{"a": [1, ...], "b": string}\n{"c": { ... }}', []),
        ("Returns", '{"a": "<id>", ...}', []),
        ("Returns", '{"a": "1"', [FaultKind.INVALID_JSON]),
    ],
)
def test_what_is_wrong_with_a_block_that_matters_is_reported(title: str, body: str, kinds: list[FaultKind]) -> None:
    (read,) = read_spec(PATH, f"## `t_x`\n\nWords.\n\n### {title}\n\n```json\n{body}\n```\n").tools

    assert [fault.kind for fault in read.faults] == kinds


def test_a_table_of_something_else_is_not_a_parameter_table() -> None:
    read = tool("""
        ## `t_x`

        | Setting | Value |
        |---|---|
        | a | b |

        ### Notes

        | Name | Type |
        |---|---|
        | a | int |
        """)

    assert (read.input_table, read.output_table, read.contract.input) == (None, None, None)


def test_a_table_of_something_else_lists_no_tools() -> None:
    assert spec("# X\n\n## Tools\n\n| Setting | Value |\n|---|---|\n| a_b | c |\n").tools == ()


@pytest.mark.parametrize(
    ("bullet", "expected"),
    [
        ("- `a`: optional, a word", {"a": (None, False)}),
        ("- `a`: (required) a word", {"a": (None, True)}),
        ("- `a` (str = `x`)", {"a": ("string", False)}),
        ("- `GET /x`: no parameter\n- `b` (int)", {"b": ("integer", None)}),
        ("- **a** (int, required)", {"a": ("integer", True)}),
    ],
)
def test_a_bullet_may_say_whether_it_is_required(
    bullet: str, expected: dict[str, tuple[JsonValue, bool | None]]
) -> None:
    (read,) = read_spec(PATH, f"## `t_x`\n\n### Parameters\n\n{bullet}\n").tools

    assert parameters(read) == expected
