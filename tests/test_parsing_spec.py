"""Whole specifications in the canonical form: every statement, with its exact place."""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

import pytest

from mcp_contracts.contract import Effects, JsonValue, Migration, SchemaOrigin, SpecFile, SpecTool, Status
from mcp_contracts.faults import FaultKind
from mcp_contracts.parsing.spec import MAX_LINES, read_spec
from tests.sweeps import size, sweep
from tests.tables import each
from tests.texts import HEAD, PATH, contract, position, spec, standing_at, tool, with_section

FULL = """\
---
module: weather
version: 1.3.0
protocol: 1.0.0
owner: weather-team
---

# weather

Some words.

## Tool: `weather.get`

**Version**: 1.2.3
**Status**: deprecated (since 1.2.0, use `weather.find`)
**Effects**: read-only, open-world
**Category**: weather
**Tags**: weather, `forecast`
**Optional**: yes
**Use when**: the user asks
**Channels**: chat, voice

### 1. Tool Purpose and Description

Gets the
  weather.

### 2. Invocation Name

`weather.get`

### 3. Input Schema (Parameters)

| Parameter | Type | Required | Description | Example |
|---|---|---|---|---|
| `place` | string | yes | Where. | `"Oslo"` |

```json
{
  "type": "object",
  "properties": {"place": {"type": "string"}},
  "required": ["place"]
}
```

### 4. Output Schema (Return Value)

| Field | Type | Description |
|---|---|---|
| `text` | string | What. |

```yaml
type: object
properties:
  text: {type: string}
```

### 5. Error Handling

- `ValidationError`: when the place
  is empty.
- Other things are prose.

| Error type | When |
|---|---|
| `NoSuchPlace` | Nowhere. |

### 6. Idempotency

**Idempotent**: yes, always.

### 7. Usage Examples

**Call**:

```json
{"tool_name": "weather.get", "arguments": {"place": "Oslo"}}
```

**Result**:

```json
{"status": "success", "data": {"text": "rain"}, "error": null}
```

### 8. Security Considerations

Nothing leaves.

### 9. Migration

**From 1.x**: send `place`.
No more `town`.

**From 0.x**: all is new.
"""


@pytest.fixture(params=["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def full(request: pytest.FixtureRequest) -> SpecFile:
    """The specification that uses everything, with each line ending, after a byte order mark."""
    return read_spec(PATH, "\ufeff" + FULL.replace("\n", str(request.param)))


def test_the_file_is_read(full: SpecFile) -> None:
    assert full.faults == ()
    assert not full.text.startswith("\ufeff")
    assert (full.module, full.module_version, full.states_no_tools) == ("weather", "1.3.0", False)
    assert full.front_matter is not None
    assert full.front_matter.values == {
        "module": "weather",
        "version": "1.3.0",
        "protocol": "1.0.0",
        "owner": "weather-team",
    }


def test_the_tool_is_canonical_and_without_faults(full: SpecFile) -> None:
    (read,) = full.tools

    assert (read.deviations, read.faults, read.is_legacy) == ((), (), False)
    assert read.lines == (12, len(full.text.splitlines()) + 1)
    assert read.heading == "## Tool: `weather.get`"


def test_every_statement_is_read(full: SpecFile) -> None:
    (read,) = full.contracts

    assert read.name == "weather.get"
    assert read.module == "weather"
    assert read.version == "1.2.3"
    assert read.status == Status("deprecated", "1.2.0", None, "weather.find")
    assert read.effects == Effects("read-only", "open-world")
    assert (read.category, read.tags, read.optional) == ("weather", ("weather", "forecast"), True)
    assert (read.use_when, read.channels) == ("the user asks", ("chat", "voice"))
    assert read.description == "Gets the\nweather."
    assert read.input_schema == {
        "type": "object",
        "properties": {"place": {"type": "string"}},
        "required": ["place"],
    }
    assert read.output_schema == {"type": "object", "properties": {"text": {"type": "string"}}}
    assert [(error.name, error.when) for error in read.errors] == [
        ("ValidationError", "when the place\nis empty."),
        ("NoSuchPlace", "Nowhere."),
    ]
    assert read.idempotent == "yes"
    assert [example.kind for example in read.examples] == ["call", "result"]
    assert read.security == "Nothing leaves."
    assert read.migrations == (Migration("1.x", "send `place`.\nNo more `town`."), Migration("0.x", "all is new."))


@pytest.mark.parametrize(
    ("field", "written"),
    [
        ("name", "weather.get"),
        ("version", "1.2.3"),
        ("status", "deprecated (since 1.2.0, use `weather.find`)"),
        ("effects", "read-only, open-world"),
        ("category", "weather"),
        ("tags", "weather, `forecast`"),
        ("optional", "yes"),
        ("use_when", "the user asks"),
        ("channels", "chat, voice"),
        ("description", "Gets the"),
        ("invocation", "weather.get"),
        ("idempotency", "yes, always."),
        ("section:3", "3. Input Schema (Parameters)"),
    ],
)
def test_every_statement_has_its_exact_place(full: SpecFile, field: str, written: str) -> None:
    (read,) = full.contracts

    assert standing_at(full.text, read.place_of(field)) == written


def test_fields_are_on_their_own_lines(full: SpecFile) -> None:
    (read,) = full.contracts
    fields = ("name", "version", "status", "effects", "description", "invocation", "idempotency")

    assert [position(read.place_of(field)) for field in fields] == [
        (12, 11), (14, 14), (15, 13), (16, 14), (25, 1), (30, 2), (70, 17),
    ]  # fmt: skip


def test_keys_and_values_of_the_front_matter_have_places(full: SpecFile) -> None:
    assert full.front_matter is not None
    places = full.front_matter.keys

    assert standing_at(full.text, places["owner"]) == "owner"
    assert standing_at(full.text, places["/owner"]) == "weather-team"
    assert position(places["owner"]) == (5, 1)


@pytest.mark.parametrize(
    ("part", "pointer", "written"),
    [
        ("input", "/properties/place/type", '"string"'),
        ("input", "/required/0", '"place"'),
        ("output", "/properties/text", "{type: string}"),
    ],
)
def test_pointers_of_the_schemas_lead_into_their_blocks(full: SpecFile, part: str, pointer: str, written: str) -> None:
    (read,) = full.contracts
    schema = read.input if part == "input" else read.output

    assert schema is not None
    assert schema.origin is SchemaOrigin.SCHEMA
    assert standing_at(full.text, schema.locator.place(pointer)) == written


def test_pointers_of_the_examples_lead_into_their_blocks(full: SpecFile) -> None:
    call, result = full.contracts[0].examples

    assert standing_at(full.text, call.locator.place("/arguments/place")) == '"Oslo"'
    assert standing_at(full.text, result.locator.place("/data/text", on_key=True)) == '"text"'


def test_error_types_have_places(full: SpecFile) -> None:
    places = [error.place for error in full.contracts[0].errors]

    assert [standing_at(full.text, place) for place in places] == ["ValidationError", "NoSuchPlace"]
    assert [position(place) for place in places] == [(60, 4), (66, 4)]


def test_how_the_tool_was_written_is_kept(full: SpecFile) -> None:
    (read,) = full.tools

    assert [section.number for section in read.sections] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert read.invocation_name == "weather.get"
    assert read.idempotency_text == "yes, always."
    assert read.input_table is not None
    assert read.output_table is not None
    assert [row.name for row in (*read.input_table.rows, *read.output_table.rows)] == ["place", "text"]


# --- which headings are tools ---


@each(
    ("heading", "name"),
    [
        ("## Tool: `a.b`", "a.b"),
        ("## Tool: a.b", "a.b"),
        ("## MCP Tool: `a.b`", "a.b"),
        ("## Tool — `a.b`", "a.b"),
        ("## Tool: **`a.b`**", "a.b"),
        ("## Tool: `a.b` (deprecated)", "a.b"),
        ("## Tool: `a.b` — gets the weather", "a.b"),
        ("## Tool: a.b: gets the weather", "a.b"),
        ("## Tool: a.b - gets the weather", "a.b"),
        ("## Tool: `a.b` {#anchor}", "a.b"),
        ("## Tool: `a.b` <!-- a comment -->", "a.b"),
        ("## Tool: `a.b` ##", "a.b"),
        ("## tool:`a.b`", "a.b"),
        ("## 1. Tool: `a.b`", "a.b"),
        ("## **Tool**: `a.b`", "a.b"),
        ("## 🔧 Tool: `a.b`", "a.b"),
        ("## Tool: ` a.b `", "a.b"),
        ("## Tool: Get Weather!", "Get Weather!"),
        ("## Tool: `Get Weather!`", "Get Weather!"),
        ("## Tool: `a.b", "a.b"),
        ("## Tool:", ""),
        ("Tool: `a.b`\n---", "a.b"),
    ],
)
def test_a_heading_that_says_tool_is_one(heading: str, name: str) -> None:
    text = f"{heading}\n\n**Version**: 1.0.0\n"

    (read,) = read_spec(PATH, text).tools

    assert read.contract.name == name
    assert standing_at(text, read.contract.place) == name


@pytest.mark.parametrize(
    "text",
    [
        "```\n## Tool: `a.b`\n```",
        "<!--\n## Tool: `a.b`\n-->",
        "> ## Tool: `a.b`",
        "- ## Tool: `a.b`",
        "    ## Tool: `a.b`",
        "# Weather MCP Tool Specification",
        "# Tool: the weather",
        "## Tooling: `a.b`",
        "## Tool Registration",
        "## Tools",
        "## Tool-like things",
        "## Usage",
        "# Tools\n\n## overview\n\n## usage",
    ],
)
def test_other_headings_are_no_tools(text: str) -> None:
    assert read_spec(PATH, text).tools == ()


def test_tools_on_different_levels_are_all_found() -> None:
    text = "# Tool: `a.one`\n\n## Tool: `a.two`\n\n### 1. X\n\n### Tool: `a.three`\n\n#### 1. Y\n\n## Tool: `a.four`\n"

    tools = read_spec(PATH, text).tools

    assert [read.contract.name for read in tools] == ["a.one", "a.two", "a.three", "a.four"]
    assert [read.lines for read in tools] == [(1, 2), (3, 6), (7, 10), (11, 12)]


def test_a_section_that_only_mentions_a_tool_does_not_end_one() -> None:
    text = f"{HEAD}### Tool: notes\n\nWords.\n\n### 8. Security Considerations\n\nNone.\n"

    (read,) = read_spec(PATH, text).tools

    assert [section.title for section in read.sections] == ["Tool: notes", "Security Considerations"]


def test_a_tool_on_another_level_is_read_whole_and_reported() -> None:
    text = FULL.replace("### ", "#### ").replace("## Tool", "### Tool")

    (read,) = read_spec(PATH, text).tools

    assert read.deviations == ("the heading is not ``## Tool: `module.tool` ``",)
    assert len(read.contract.examples) == 2
    assert len(read.contract.errors) == 2


@pytest.mark.parametrize("name", ["module.tool_name", "module_name.tool_name", "tool_name"])
def test_the_template_s_own_tool_is_a_placeholder(name: str) -> None:
    text = f"## Tool: `{name}`\n\nWords.\n"

    read = read_spec(PATH, text)

    assert read.tools == ()
    assert [standing_at(text, left.place) for left in read.placeholders] == [name]


def test_a_template_of_which_only_the_name_is_left_is_a_tool_that_is_not_ready() -> None:
    text = FULL.replace("weather.get", "module_name.tool_name")

    (read,) = read_spec(PATH, text).tools

    assert len(read.contract.examples) == 2
    assert [left.text for left in read.contract.placeholders] == ["module_name.tool_name"]


def test_a_heading_with_a_placeholder_is_not_a_tool() -> None:
    read = spec("## Tool: `{{name}}`\n\nWords.\n")

    assert (read.tools, read.placeholders) == ((), ())


# --- sections ---


def test_sections_may_be_on_different_levels() -> None:
    text = f"{HEAD}### 1. Tool Purpose and Description\n\nA.\n\n#### 2. Invocation Name\n\n`weather.get`\n\n#### More\n"

    (read,) = read_spec(PATH, text).tools

    assert [section.number for section in read.sections] == [1, 2]
    assert read.contract.description == "A."
    assert read.invocation_name == "weather.get"


def test_deeper_headings_belong_to_their_section() -> None:
    read = tool("""
        ## Tool: `weather.get`

        **Version**: 1.2.3

        ### 7. Usage Examples

        #### 1. Call

        ```json
        {"tool_name": "weather.get", "arguments": {}}
        ```

        #### 2. Result

        ```json
        {"a": 1}
        ```
        """)

    assert [section.number for section in read.sections] == [7]
    assert [example.kind for example in read.contract.examples] == ["call", "data"]


def test_the_subject_of_a_section_is_determined_by_its_title_before_its_number() -> None:
    read = tool("""
        ## Tool: `weather.get`

        **Version**: 1.2.3

        ### 3. Output Schema

        ```json
        {"type": "object", "properties": {"out": {}}}
        ```

        ### 4. Input Schema

        ```json
        {"type": "object", "properties": {"in": {}}}
        ```
        """)

    assert read.contract.input_schema == {"type": "object", "properties": {"in": {}}}
    assert read.contract.output_schema == {"type": "object", "properties": {"out": {}}}
    assert [section.number for section in read.sections] == [3, 4]


@pytest.mark.parametrize(
    ("body", "is_empty"),
    [("", True), ("<!-- nothing -->", True), ("---", True), ("words", False), ("    code", False), ("<b>x</b>", False)],
)
def test_a_section_knows_whether_it_is_empty(body: str, is_empty: bool) -> None:
    (read,) = read_spec(PATH, f"{HEAD}### 8. Security Considerations\n\n{body}\n\n## Next\n").tools

    assert read.sections[0].is_empty is is_empty


def test_comments_are_no_part_of_a_description() -> None:
    read = contract("""
        ## Tool: `weather.get`

        **Version**: 1.2.3

        ### 1. Tool Purpose and Description

        One.
        <!-- hidden -->

        - two

        > three
        """)

    assert read.description == "One.\n\n- two\n\nthree"


# --- schemas ---


SCHEMA = '{"type": "object", "properties": {"a": {"type": "string"}}}'


@each(
    "body",
    [
        f"```json\n{SCHEMA}\n```",
        f"~~~JSON\n{SCHEMA}\n~~~",
        f"```\n{SCHEMA}\n```",
        f"  ```json\n  {SCHEMA}\n  ```",
        f"- Schema:\n\n  ```json\n  {SCHEMA}\n  ```",
        f"1.\t```json\n\t{SCHEMA}\n\t```",
        f"> ```json\n> {SCHEMA}\n> ```",
        f">\t```json\n>\t{SCHEMA}\n>\t```",
        f"    {SCHEMA}",
        f"\t{SCHEMA}",
        f"```python\nx = 1\n```\n\n```json\n{SCHEMA}\n```",
        f"```json\n{SCHEMA}\n```\n\n```json\n{{\"a\": \"an example\"}}\n```",
        f"```json\n{{\"a\": \"an example\"}}\n```\n\n```json\n{SCHEMA}\n```",
    ],
)  # fmt: skip
@each("line_end", ["\n", "\r\n", "\r"])
def test_a_schema_is_found_in_every_kind_of_block_and_placed_exactly(body: str, line_end: str) -> None:
    text = f"{HEAD}### 3. Input Schema\n\n{body}\n".replace("\n", line_end)

    (read,) = read_spec(PATH, text).tools

    assert read.faults == ()
    assert read.contract.input is not None
    locator = read.contract.input.locator
    assert standing_at(text, locator.place("/properties/a/type")) == '"string"'
    assert standing_at(text, locator.place("/properties/a", on_key=True)) == '"a"'


@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        ('```json\n{"a": 1}\n```', FaultKind.EXAMPLE_FOR_SCHEMA, "an example is given instead of the input schema"),
        (
            '```json\n{"a": {"type": "string"}}\n```',
            FaultKind.EXAMPLE_FOR_SCHEMA,
            "the input schema is a bare map of properties",
        ),
        ("```json\n{a: 1}\n```", FaultKind.INVALID_JSON, "invalid JSON: a key without double quotes"),
        ("```json\n```", FaultKind.INVALID_JSON, "invalid JSON: the text is empty"),
        ('```json\n{"type": "object"}\n', FaultKind.INVALID_JSON, "the code fence that opens here is never closed"),
        ('```json\n{"type": "object"}', FaultKind.INVALID_JSON, "the code fence that opens here is never closed"),
        ("```json\n" + '{"a":' * 10_000 + "\n```", FaultKind.TOO_DEEP, "the JSON is nested more than 128 levels deep"),
        ('```json\n{"type": "object", "type": "array"}\n```', FaultKind.DUPLICATE_KEY, "the key `type` appears twice"),
    ],
)
def test_what_is_wrong_with_a_schema_s_block_is_reported(body: str, kind: FaultKind, message: str) -> None:
    (read,) = read_spec(PATH, f"{HEAD}### 3. Input Schema\n\n{body}").tools

    (fault,) = read.faults
    assert fault.kind is kind
    assert fault.message.startswith(message)
    assert fault.part == "input"
    assert fault.place.line >= 7


def test_a_fence_that_is_never_closed_is_reported_where_it_opens() -> None:
    text = f"{HEAD}### 3. Input Schema\n\n-  ```json  \n   {{}}\n"

    (read,) = read_spec(PATH, text).tools

    assert standing_at(text, read.faults[0].place) == "-  ```json"


def test_a_broken_block_before_the_schema_is_reported_and_the_schema_is_read() -> None:
    (read,) = read_spec(PATH, with_section(3, "```json\n{a}\n```\n\n```json\n{}\n```")).tools

    assert [fault.kind for fault in read.faults] == [FaultKind.INVALID_JSON]
    assert read.contract.input_schema == {}


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        ("{}", True),
        ("true", True),
        ('{"type": "strnig", "properties": {}}', True),
        ('{"type": ["object", "null"]}', True),
        ('{"$ref": "#/$defs/a", "$defs": {}}', True),
        ('{"enum": [1]}', True),
        ('{"type": "weather"}', False),
        ('{"enum": "x"}', False),
        ('{"type": {"a": 1}}', False),
        ("[1]", False),
        ("null", False),
        ('"text"', False),
    ],
)
def test_a_schema_is_distinguished_from_an_example(value: str, is_one: bool) -> None:
    (read,) = read_spec(PATH, with_section(3, f"```json\n{value}\n```")).tools

    assert [fault.kind for fault in read.faults] == ([] if is_one else [FaultKind.EXAMPLE_FOR_SCHEMA])


ROWS = "Field | Type | Required\n--|--|--\nboats | array[object] | yes\n\n"


@pytest.mark.parametrize(
    "example",
    [
        '{"boats": [{"name": "Ada"}\n    // ... more boats\n]}',
        '{"boats": [{"name": "Ada"},\n    // … and so on\n]}',
        '{"boats": [{"name": "Ada"}\n    // more boats\n]}',
        '{"boats": [{"name": "Ada"}, ...]}',
        '{"boats": [{"name": "Ada"}, ..., {"name": "Zoe"}], /* ... */ "total": ...}',
        '{\n  "total": 2,\n  // ...\n  "boats": [{...}]\n}',
    ],
)
def test_an_example_beside_a_table_may_leave_things_out(example: str) -> None:
    (read,) = read_spec(PATH, with_section(4, f"{ROWS}For example, simplified:\n\n```json\n{example}\n```")).tools

    assert read.faults == ()
    assert read.contract.output is not None
    assert read.contract.output.origin is SchemaOrigin.TABLE


@pytest.mark.parametrize(
    ("table", "content", "kind", "message"),
    [
        (ROWS, '{"boats": [{"name" "Ada"}, ...]}', FaultKind.INVALID_JSON, "a key without a value (line 1, column 20"),
        (ROWS, '{"boats": [...]\n "total": 2}', FaultKind.INVALID_JSON, "a missing comma"),
        (ROWS, '{"boats": []} // the answer', FaultKind.INVALID_JSON, "a comment"),
        (ROWS, '{"type": "object", "properties": {...}}', FaultKind.INVALID_JSON, "`...` stands for omitted text"),
        ("", '{"boats": [...]}', FaultKind.EXAMPLE_FOR_SCHEMA, "instead of the output schema"),
    ],
)
def test_other_faults_of_an_example_that_leaves_things_out_are_reported(
    table: str, content: str, kind: FaultKind, message: str
) -> None:
    (read,) = read_spec(PATH, with_section(4, f"{table}```json\n{content}\n```")).tools

    (fault,) = read.faults
    assert fault.kind is kind
    assert message in fault.message


def test_without_a_block_the_schema_is_what_the_table_says() -> None:
    (read,) = read_spec(PATH, with_section(3, "Parameter | Type | Required\n--|--|--\na | int | yes")).tools

    assert read.contract.input is not None
    assert read.contract.input.origin is SchemaOrigin.TABLE
    assert read.contract.input_schema == {
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "required": ["a"],
    }


def test_a_table_is_used_where_its_block_cannot_be_read() -> None:
    body = "| Parameter | Type |\n|---|---|\n| a | Widget |\n\n```json\n{\n```"

    (read,) = read_spec(PATH, with_section(3, body)).tools

    assert read.contract.input_schema == {"type": "object", "properties": {"a": {}}}
    assert [fault.kind for fault in read.faults] == [FaultKind.INVALID_JSON]


def test_bullets_replace_a_table() -> None:
    text = with_section(3, "- `a` (int, required): what\n- `b` (string, optional)")

    (read,) = read_spec(PATH, text).tools

    assert read.contract.input is not None
    assert read.contract.input.origin is SchemaOrigin.PROSE
    assert [(row.name, row.required) for row in read.input_table.rows] == [("a", True), ("b", False)]  # type: ignore[union-attr]  # a table there is
    assert standing_at(text, read.contract.input.locator.place("/properties/a/type")) == "int"


@pytest.mark.parametrize(
    "body",
    ["None.", "No parameters.", "This tool takes no parameters.", "*No input*", "N/A", "There are no arguments."],
)
def test_a_tool_may_say_that_it_takes_nothing(body: str) -> None:
    text = with_section(3, body)

    (read,) = read_spec(PATH, text).tools

    assert read.contract.input_schema == {"type": "object", "properties": {}}
    assert read.contract.input is not None
    assert standing_at(text, read.contract.input.locator.place("/properties/x")) == body


@pytest.mark.parametrize("body", ["No more than 5 items.", "Nothing is sent twice.", "none of these", "See below."])
def test_other_words_do_not_say_that_a_tool_takes_nothing(body: str) -> None:
    (read,) = read_spec(PATH, with_section(3, body)).tools

    assert read.contract.input is None


# --- other sections ---


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("`a.b`", "a.b"), ("a.b", "a.b"), ("Call it as `a.b`.", "a.b"), ("- `a.b`", "a.b"), ("```\na.b\n```", "a.b"),
        ("> `a.b`", "a.b"), ("**Name**: ` a.b `", "a.b"), ("no name here", None), ("", None),
    ],
)  # fmt: skip
def test_the_invocation_name_is_read_however_it_is_written(body: str, name: str | None) -> None:
    text = with_section(2, body)

    (read,) = read_spec(PATH, text).tools

    assert read.invocation_name == name
    assert name is None or standing_at(text, read.contract.place_of("invocation")) == name


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("- `A`: x\n* **`B`** — y\n- ` `\n- `path` is wrong\n- **C**: z", ["A", "B", "path"]),
        ("- `{\"status\": 1}`: x\n- `a b`: y", []),
        ("1. `A`: x\n   - `B`: inner", ["A"]),
        ("| Type | When |\n|---|---|\n| `A` | x |\n| B | y |", ["A"]),
    ],
)  # fmt: skip
def test_errors_begin_with_a_type_in_code(body: str, names: list[str]) -> None:
    (read,) = read_spec(PATH, with_section(5, body)).tools

    assert [error.name for error in read.contract.errors] == names


@pytest.mark.parametrize(
    ("lead", "value", "kind"),
    [
        ("", '{"tool_name": "a.b", "arguments": {}}', "call"),
        ("Result:", '{"tool_name": "a.b", "arguments": {}}', "call"),
        ("", '{"arguments": {}}', "call"),
        ("", '{"status": "success"}', "result"),
        ("", '{"data": {}, "error": null}', "result"),
        ("", '{"data": {}}', "result"),
        ("", '{"place": "Oslo"}', "arguments"),
        ("**Arguments**:", '{"place": "Oslo"}', "arguments"),
        ("**Response**:", '{"text": "rain"}', "data"),
        ("The response to this call:", '{"text": "rain"}', "arguments"),
        ("Returns:", '{"status": "x', "result"),
        ("", '{"tool_name": "x', "call"),
        ("Result:", "{", "result"),
    ],
)
def test_an_example_is_known_by_its_form_or_the_words_before_it(lead: str, value: str, kind: str) -> None:
    (read,) = read_spec(PATH, with_section(7, f"{lead}\n\n```json\n{value}\n```")).tools

    assert [example.kind for example in read.contract.examples] == [kind]


def test_examples_in_lists_are_read_and_other_languages_are_not() -> None:
    text = with_section(
        7, '1. Call:\n\n   ```json\n   {"arguments": {"a": 1}}\n   ```\n\n```\nplain\n```\n\n```python\n{}\n```'
    )

    (read,) = read_spec(PATH, text).tools

    (example,) = read.contract.examples
    assert standing_at(text, example.locator.place("/arguments/a")) == "1"


def test_several_migrations_may_be_in_one_paragraph() -> None:
    (read,) = read_spec(
        PATH, with_section(9, "Words.\n\n**From 2.x**: a\nb\n**From 1.x**: c\n\n- **From 0.x**: d")
    ).contracts

    assert read.migrations == (Migration("2.x", "a\nb"), Migration("1.x", "c"), Migration("0.x", "d"))


def test_a_broken_example_keeps_its_kind_and_its_fault() -> None:
    (read,) = read_spec(PATH, with_section(7, '```json\n{"tool_name": "a.b", b}\n```')).tools

    assert [(example.kind, example.value) for example in read.contract.examples] == [("call", None)]
    assert [(fault.kind, fault.part) for fault in read.faults] == [(FaultKind.INVALID_JSON, "example")]


# --- the head of a file ---


@pytest.mark.parametrize(
    ("head", "version"),
    [
        ("**Version**: 1.4.0\n", "1.4.0"),
        ("**Module Version**: `1.4.0` | **Status**: Active\n", "1.4.0"),
        ("- **Version**: 1.4.0\n", "1.4.0"),
        ("Version 1.4.0\n", None),
        ("```\n**Version**: 1.4.0\n```\n", None),
    ],
)
def test_a_version_at_the_head_is_the_module_s(head: str, version: str | None) -> None:
    read = read_spec(PATH, f"# weather\n\n{head}\n## Tool: `a.b`\n\n### 1. X\n")

    assert read.module_version == version
    assert read.contracts[0].version is None


@pytest.mark.parametrize(
    "sentence",
    [
        "No MCP tools are currently exposed by this module.", "This module exposes no tools.",
        "**Status**: Not MCP-exposed",
        "It does not currently expose any MCP tools.",
    ],
)  # fmt: skip
def test_a_file_may_say_that_it_has_no_tools(sentence: str) -> None:
    assert read_spec(PATH, f"# a\n\n{sentence}\n").states_no_tools


def test_a_file_with_tools_does_not_say_that_it_has_none() -> None:
    assert not read_spec(PATH, f"This module exposes no tools.\n\n{HEAD}").states_no_tools
    assert not read_spec(PATH, "# a\n\nNothing here.\n").states_no_tools


@pytest.mark.parametrize(("path", "module"), [("a/weather/SPEC.md", "weather"), ("SPEC.md", None), ("-", None)])
def test_without_front_matter_the_folder_is_the_module(path: str, module: str | None) -> None:
    assert read_spec(path, "# a").module == module


def test_a_file_of_too_many_lines_is_not_read() -> None:
    read = read_spec(PATH, HEAD + "\n" * MAX_LINES)

    assert [fault.kind for fault in read.faults] == [FaultKind.OVERSIZED]
    assert read.tools == ()


@pytest.mark.parametrize("text", ["", "\n", "\ufeff", "\r", "---", "---\n", "```", "## Tool:", "|", "<!--", "\0"])
def test_next_to_nothing_is_read_too(text: str) -> None:
    assert read_spec(PATH, text).text == text.removeprefix("\ufeff")


# --- front matter ---


def front(body: str, end: str = "---\n\n# a\n") -> SpecFile:
    """Return a specification with front matter."""
    return read_spec(PATH, f"---\n{dedent(body)}\n{end}")


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("module: weather", {"module": "weather"}),
        ("# why\n\nmodule: weather # so\nx-y: [1, 2]", {"module": "weather", "x-y": [1, 2]}),
        ("version: 1.10", {"version": "1.10"}),
        ("version: 1.10\nother: [1.10]", {"version": "1.10", "other": [1.1]}),
        ('module: "weather"\nn: 1.10', {"module": "weather", "n": 1.1}),
        ("a: yes\nb: true\nc: 2026-01-01", {"a": "yes", "b": True, "c": "2026-01-01"}),
        ("owner: A B <a@b.c>", {"owner": "A B <a@b.c>"}),
    ],
)
def test_front_matter_is_yaml(body: str, values: dict[str, JsonValue]) -> None:
    read = front(body)

    assert read.front_matter is not None
    assert read.front_matter.values == values
    assert read.faults == ()


@pytest.mark.parametrize(
    ("body", "message", "written"),
    [
        ("module: a: b", "the front matter is invalid YAML: a colon inside an unquoted string", ":"),
        (
            "module: a\nmodule: b",
            "the key `module` appears twice in one object, and only the last one counts",
            "module",
        ),
        ("module: [a]", "`module` in the front matter must be a string", "module"),
        ("owner: null", "`owner` in the front matter must be a string", "owner"),
        ("version:", "`version` in the front matter must be a string", "version"),
    ],
)
def test_faults_of_the_front_matter_are_placed(body: str, message: str, written: str) -> None:
    read = front(body)

    (fault,) = read.faults
    assert fault.kind is FaultKind.FRONT_MATTER
    assert fault.message == message
    assert standing_at(read.text, fault.place) == written


@pytest.mark.parametrize(
    "text",
    [
        "---\n\n# a\n",
        "---\nWords.\n---\n",
        "---\n# a\n---\n",
        "---\n## a: b\n---\n",
        "---\n- a\n---\n",
        "----\nmodule: a\n----\n",
        " ---\nmodule: a\n---\n",
        "---\nNote: a break, and no front matter\n\n## Tool: `a.b`\n\n---\n",
    ],
)
def test_a_break_at_the_head_is_not_front_matter(text: str) -> None:
    read = read_spec(PATH, text)

    assert (read.front_matter, read.faults) == (None, ())


@pytest.mark.parametrize("end", ["", "\n# a\n\n## Tool: `a.b`\n\n---\n"])
def test_front_matter_that_is_never_closed_is_reported_and_the_rest_is_read(end: str) -> None:
    read = front("module: weather\n", end)

    assert [fault.message for fault in read.faults] == ["the front matter that opens here is never closed"]
    assert len(read.tools) == end.count("Tool:")


# --- comments and placeholders ---


@each(
    ("text", "comments"),
    [
        ("<!-- x -->\nwords\nmore\n", [("x", (2, 3))]),
        ("words\n<!-- x -->\n\n- item\n- more\n", [("x", (4, 5))]),
        ("words\n   <!-- x -->\n", [("x", None)]),
        ("words\n     <!-- x -->\nmore\n", [("x", (3, 3))]),
        ("words\n     <!-- x -->\n\nnext\n", [("x", (4, 4))]),
        ("<!-- x -->\n<!-- y -->\n\n## a\n", [("x", (4, 4)), ("y", (4, 4))]),
        ("<!--\nx\n\ny\n-->\n| a |\n|---|\n| b |\n", [("x\n\ny", (6, 8))]),
        ("<!-- x --><!-- y -->\nwords\n", [("x", (2, 2)), ("y", (2, 2))]),
        ("- a\n\n  <!-- x -->\n\n  b\n- c\n", [("x", (5, 5))]),
        ("- a\n  <!-- x -->\n- c\n", [("x", (3, 3))]),
        ("- a\n\n  <!-- x -->\n\nwords\n", [("x", (5, 5))]),
        ("- a\n<!-- x -->\n- c\n", [("x", (3, 3))]),
        ("> <!-- x -->\n> words\n", [("x", (2, 2))]),
        ("<div>\n<!-- x -->\n</div>\n\nwords\n", [("x", (5, 5))]),
        ("| a |\n|---|\n<!-- x -->\n", [("x", None)]),
        ("<!-- x -->\n\n```\na\n```\n", [("x", (3, 5))]),
        ("<!-- x -->\n---\nwords\n", [("x", (3, 3))]),
        ("```\n<!-- x -->\n```\n    <!-- x -->\n", []),
        ("words <!-- x -->\n", []),
        ("`<!-- x -->`\n", []),
        ("<!-- x\n", []),
    ],
)
def test_comments_are_found_with_the_block_that_follows(
    text: str, comments: list[tuple[str, tuple[int, int] | None]]
) -> None:
    found = read_spec(PATH, text).comments

    assert [(comment.text, comment.next_block) for comment in found] == comments


def test_a_comment_has_its_exact_place() -> None:
    text = "a\r\n\r\n  <!-- x --> <!-- é -->\r\n  <!-- y\r\nz -->\r\n"

    places = [comment.place for comment in read_spec(PATH, text).comments]

    assert [standing_at(text, place) for place in places] == ["<!-- x -->", "<!-- é -->", "<!-- y\nz -->"]
    assert [position(place) for place in places] == [(3, 3), (3, 14), (4, 3)]


@pytest.mark.parametrize(
    ("text", "placeholders"),
    [
        ("{{a}} and {{b: c}}\n", ["{{a}}", "{{b: c}}"]),
        ("# {{a}}\n\n- {{b}}\n\n| {{c}} |\n|---|\n", ["{{a}}", "{{b}}", "{{c}}"]),
        ("---\nowner: x {{a}}\n---\n", ["{{a}}"]),
        ("`{{a}}` ``x {{b}} ` y`` {{c}}\n", ["{{c}}"]),
        ("`{{a}}\n", ["{{a}}"]),
        ("```\n{{a}}\n```\n\n    {{b}}\n\n- ```\n  {{c}}\n  ```\n", []),
        ("{{}} {a} {{a\nb}}\n", []),
    ],
)
def test_placeholders_are_found_outside_of_code(text: str, placeholders: list[str]) -> None:
    read = read_spec(PATH, text)

    assert [standing_at(text, left.place) for left in read.placeholders] == placeholders


def test_a_legacy_tool_is_not_an_attempt_at_the_format() -> None:
    tools: tuple[SpecTool, ...] = spec("## Tool: `get`\n\n### 1. Tool Purpose and Description\n\nA.\n").tools

    assert tools[0].is_legacy
    assert tools[0].contract.description == "A."


PURPOSE = f"{HEAD}### 1. Tool Purpose and Description\n\n"


@each(
    ("text", "left"),
    [
        ("TODO", ["TODO"]),
        ("**TBD.**", ["TBD."]),
        ("TODO: say what it does\nand when", ["TODO: say what it does\nand when"]),
        ("FIXME(anna): units", ["FIXME(anna): units"]),
        ("Returns a list. The order is TBD.", ["is TBD"]),
        ("Returns a list [TODO: of what?].", ["[TODO: of what?]"]),
        ("Returns <insert what>.", ["<insert what>"]),
        ("<describe what this tool does>", ["<describe what this tool does>"]),
        ("Returns [your text here].", ["[your text here]"]),
        ("Describe what the tool does here.", ["Describe what the tool does here."]),
        ("A short description of the tool", ["A short description of the tool"]),
        ("Add a description here", ["Add a description here"]),
        ("To be defined", ["To be defined"]),
        ("Lorem ipsum dolor sit amet, consectetur.", ["Lorem ipsum dolor sit amet, consectetur."]),
        ("...", ["..."]),
        ("???", ["???"]),
        ("- Reads a file.\n- TODO: more", ["TODO: more"]),
        ("- `TimeoutError`: TBD", ["TBD"]),
        ("**Limits**: TODO", ["TODO"]),
        ("| Name | Meaning | Example |\n|---|---|---|\n| `a` | TBD | ... |", ["TBD"]),
    ],
)
def test_what_an_author_still_has_to_write_is_a_placeholder_of_the_contract(text: str, left: list[str]) -> None:
    whole = f"{PURPOSE}{text}\n"

    (contract,) = read_spec(PATH, whole).contracts

    assert [standing_at(whole, one.place) for one in contract.placeholders] == left


@each(
    "text",
    [
        "Adds a TODO to the list, or marks one as done (TODO, DOING, DONE).",
        "Finds TODO and FIXME comments in source code.",
        "The state of the task; the default is TODO.",
        "Describe the contents of an image in one sentence.",
        "Explain what the function does, line by line.",
        "Says what stands `<where>`, such as `TODO`.",
        "List the tools that are installed.",
        "Reads files/<id>/content and <br> breaks lines.",
        "See <https://example.org/> or <someone@example.org>.",
        "Loads... and waits.",
        "The file is to be read from the start.",
        "Text that goes in here is written to the file.",
        "A description of the picture.",
        "Runs SQL with {{ ref() }}, {{ source('a', 'b') }} {{ site.url }} and style={{ width: 3 }}.",
        "- `description` (string, optional): Description of the field",
        "- `description` (string, optional): Short description",
        "- `description` (string, optional): Tool description",
        "| Name | Meaning |\n|---|---|\n| `description` | The description of the field |",
        "Marks items as [x] or [ ].",
        "[Write](https://example.org/) a file.",
        "<!-- TODO: ask the team -->\n\nReads a file.",
        '```json\n{"a": "TODO"}\n```',
    ],
)
def test_what_a_tool_says_about_its_work_is_not_a_placeholder(text: str) -> None:
    (contract,) = read_spec(PATH, f"{PURPOSE}{text}\n").contracts

    assert contract.placeholders == ()


def test_sections_of_an_author_s_own_may_hold_notes() -> None:
    (contract,) = read_spec(PATH, f"{PURPOSE}Reads a file.\n\n### Roadmap\n\n- TODO: more\n").contracts

    assert contract.placeholders == ()


def test_a_description_in_a_schema_can_be_a_placeholder() -> None:
    schema = '{"type": "object", "properties": {"a": {"type": "string", "description": "TODO"}}}'
    whole = f"{HEAD}### 3. Input Schema (Parameters)\n\n```json\n{schema}\n```\n"

    (contract,) = read_spec(PATH, whole).contracts

    assert [standing_at(whole, one.place) for one in contract.placeholders] == ['"TODO"']


@pytest.mark.parametrize("body", ["", "<!-- say what it does -->\n"])
def test_a_purpose_that_is_left_empty_is_a_placeholder(body: str) -> None:
    (contract,) = read_spec(PATH, f"{PURPOSE}{body}\n### 2. Invocation Name\n\n`a.b`\n").contracts

    assert [one.text for one in contract.placeholders] == [""]


# --- hostile texts: each made some parser take quadratic time or overflow its stack ---


SCHEMA_SECTION = f"{HEAD}### 3. Input Schema\n\n"


def many(count: int) -> int:
    """Return a tenth of a count, or the whole count in `make laws`."""
    return size(count, 10)


HOSTILE = {
    "nested lists": "- a\n  - b\n    - c\n      - d\n" * many(4_000),
    "lists that nest ever deeper": "\n".join("  " * depth + "- a" for depth in range(700)),
    "lists on one line": "- " * many(200_000),
    "quotes on one line": "> " * many(200_000),
    "quotes of lists": "> - > - > - x\n" * many(5_000),
    "link definitions": "[a]: b\n" * many(19_000),
    "link definitions with open titles": '[a]: b "c\n' * many(19_000),
    "open labels": "[\n" * many(19_000),
    "comments": "<!-- a -->\n" * many(19_000),
    "comments on one line": "<!-- a -->" * many(40_000),
    "open comments": "<!--" * many(100_000),
    "backticks": "`" * many(400_000),
    "runs of backticks": "".join("`" * count + " " for count in range(900)),
    "asterisks": "*" * many(400_000),
    "bold blanks": "**a" + " " * many(400_000) + "!",
    "blanks": "a\n" + " " * many(400_000) + "!",
    "braces": "{{" * many(200_000),
    "placeholders": "`{{a}}" * many(60_000),
    "open braces, angles and brackets": f"{HEAD}### 1. Tool Purpose and Description\n\n"
    + "<describe [TODO: (" * many(60_000),
    "TODO": f"{HEAD}### 1. Tool Purpose and Description\n\n" + "TODO: " * many(100_000),
    "labels": f"{HEAD}### 1. Tool Purpose and Description\n\nTODO " + "**a" * many(100_000),
    "pipes": "| a | b |\n|---|---|\n" + "|" * many(400_000),
    "torn cells": SCHEMA_SECTION + "| Parameter | Type |\n|---|---|\n|" + " `x |" * many(80_000),
    "parentheses in a name": SCHEMA_SECTION + "| Parameter | Type |\n|---|---|\n| a " + "(" * many(400_000) + " | b |",
    "a name of many steps": SCHEMA_SECTION
    + "| Parameter | Type |\n|---|---|\n| "
    + "a." * many(200_000)
    + "b | string |",
    "blanks in a delimiter row": "| a |\n|" + " " * many(400_000) + "x",
    "a bullet of brackets": SCHEMA_SECTION + "- `a` (" + "(" * many(400_000),
    "a bullet of blanks": SCHEMA_SECTION + "- `a:" + " " * many(400_000) + "`",
    "deep JSON": SCHEMA_SECTION + "```json\n" + "[" * many(400_000) + "\n```",
    "quotes in JSON": SCHEMA_SECTION + "```json\n" + "[" * 200 + '\\"' * many(200_000) + "\n```",
    "blanks in YAML": "## t_x\n\n### Parameters\n\n```yaml\na: b: c\nd: " + " " * many(400_000) + "!\n```",
    "tools": "## Tool: `a.b`\n" * many(19_000),
    "tools on many levels": "".join(f"{'#' * (2 + i % 5)} Tool: `a.b`\n" for i in range(many(19_000))),
    "listed tools": "# a\n\n## Tools\n\n| Tool |\n|---|\n" + "".join(f"| t_{i} |\n" for i in range(many(19_000))),
}


@sweep
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_read_all_the_same(name: str) -> None:
    assert read_spec(PATH, HOSTILE[name]).text == HOSTILE[name]


def test_ordinary_specifications_need_no_yaml_parser() -> None:
    program = (
        "import sys; from mcp_contracts.parsing.spec import read_spec; "
        "read_spec('a', sys.stdin.read()); print('yaml' in sys.modules)"
    )
    text = FULL.replace("```yaml\ntype: object\nproperties:\n  text: {type: string}\n```", "```json\n{}\n```")

    done = subprocess.run([sys.executable, "-c", program], input=text, capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"
