"""Habits of the specifications of modules: what they state in their own way is read, and not reported."""

from __future__ import annotations

import re

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, JsonValue
from mcp_contracts.parsing.spec import read_spec
from tests.said import said
from tests.tables import each

HARBOR = """
# Harbor: MCP tool specification

## find_berth

Finds a berth for a ship.

### Parameters

| Parameter | Type | {title} | Description |
|---|---|---|---|
| `ship` | string | {first} | {said} |
| `pier` | string | {second} | The pier |

### Returns

| Key | Type | Description |
|---|---|---|
{fields}

### Example

```json
{{"tool": "find_berth", "arguments": {{"pier": "a"}}}}
```
"""
MOOR = """
## moor_ship

Moors a ship.

### Parameters

| Parameter | Type | Required | Description |
|---|---|---|---|
| `ship` | string | yes | The ship |
"""
FIELDS = "| `berth` | string | The berth |"
LACKS = "MC404 the value of `arguments` lacks the required property `ship`"


def harbor(
    title: str = "Required", first: str = "no", second: str = "no", about: str = "The ship", fields: str = FIELDS
) -> str:
    return HARBOR.format(title=title, first=first, second=second, said=about, fields=fields)


@each(
    "title, first, second, expected",
    [
        ("M/O", "M", "O", [LACKS]),
        ("M/C/O", "O", "C", []),
        ("Mandatory", "M", "O", [LACKS]),
        ("R/O", "R", "O", [LACKS]),
        ("Mandatory", "Z", "O", ["MC332 `Z` does not say whether `ship` is required"]),
    ],
)
def test_letters_say_which_parameters_are_mandatory(title: str, first: str, second: str, expected: list[str]) -> None:
    assert said(harbor(title, first, second)) == expected


@each(
    "about, expected",
    [
        ("`en`, `de`, `fr` (default: detected)", []),
        (
            "The ship; `dock` (default: detected)",
            ["MC515 the text mentions the parameter `dock`, which the tool does not have"],
        ),
    ],
)
def test_the_last_of_several_values_before_a_default_is_no_parameter(about: str, expected: list[str]) -> None:
    assert said(harbor(about=about)) == expected


def test_a_tool_that_a_row_mentions_is_placed_at_its_name() -> None:
    text = harbor(about="The ship, see `list_ships`").lstrip("\n") + MOOR

    (found,) = [one for one in lint(Contracts((read_spec("a.md", text),))).shown() if one.code == "MC515"]

    assert text.split("\n")[found.place.line - 1][found.place.column - 1 :].startswith("list_ships")


def test_a_table_without_rows_is_no_content() -> None:
    assert said(harbor(fields="")) == ["MC106 section `Returns` has a table without rows"]


@each("kind", ["[float × 6]", "[float x 6]", "[6 numbers]"])
def test_a_number_of_items_is_part_of_a_type(kind: str) -> None:
    text = harbor(fields="").replace("| Key | Type | Description |\n|---|---|---|\n", f'`{{ "box": {kind} }}`')

    assert said(text) == []


NUMBERED = """
# Harbor: MCP tool specification

### 3.1 Tool `find_berth`

**3.1.1 Purpose.** Finds a berth for a ship.

**3.1.2 Parameters**

| Name | Type | Required | Meaning |
|---|---|---|---|
| `ship` | string | yes | The ship |

**3.1.3 Result**

| Name | Type | Meaning |
|---|---|---|
| `berth` | string | The berth |
"""


def test_bold_labels_with_numbers_are_sections() -> None:
    (tool,) = read_spec("a/MCP_TOOL_SPECIFICATION.md", NUMBERED.lstrip("\n")).contracts

    assert tool.description == "Finds a berth for a ship."
    assert tool.output_schema == {
        "type": "object",
        "properties": {"berth": {"type": "string", "description": "The berth"}},
    }


OVERVIEW = """
# Harbor: MCP tool specification

| {header} |
|{line}|
| {row} |

### `find_berth`

| Name | Type | Required | Meaning |
|---|---|---|---|
| `ship` | string | yes | The ship |
"""


@each(
    "header, row",
    [
        ("Tool | Purpose | Trust", "`find_berth` | Finds a berth for a ship | safe"),
        ("# | Tool | Read-only | Description", "1 | `find_berth` | yes | Finds a berth for a ship"),
        ("Tool | Writes? | Summary", "`find_berth` | no | Finds a berth for a ship"),
        ("Tool | What it does", "`find_berth` | Finds a berth for a ship"),
    ],
)
def test_a_tool_has_the_description_of_its_row_in_an_overview(header: str, row: str) -> None:
    text = OVERVIEW.format(header=header, line="|".join("---" for _ in header.split("|")), row=row).lstrip("\n")

    (tool,) = read_spec("a/MCP_TOOL_SPECIFICATION.md", text).contracts

    assert tool.description == "Finds a berth for a ship"


ERRORS = """
# Harbor: MCP tool specification

## Tool: `harbor.find`

### 1. Purpose

Finds a berth for a ship.

### 5. Error Handling

- `NoBerth`: all are taken

## Tool: `harbor.moor`

### 1. Purpose

Moors a ship at a berth.

### 5. Error Handling

{errors}
"""


@each(
    "errors, is_told",
    [("See `harbor.find`.", False), ("Same as `harbor.find`.", False), ("The berth is taken.", True)],
)
def test_the_errors_of_another_tool_need_no_repetition(errors: str, is_told: bool) -> None:
    found = said(ERRORS.format(errors=errors))

    assert any(one.startswith("MC501") for one in found) is is_told


LIMITED = """
# Harbor: MCP tool specification

## find_berth

Finds a berth for a ship.

| Parameter | Type | Required | Description |
|---|---|---|---|
| `page` | {kind} | {required} | The page |

Returns `{{ "berth": string }}`.

```json
{{"tool": "find_berth", "arguments": {{"page": {page}}}}}
```
"""


@each(
    "kind, required, page, expected",
    [
        ("int 1-300", "no", "300", []),
        ("int 1-300", "no", "301", ["MC337 the description of `page` says `1-300`, but an example has 301"]),
        ("integer >= 2", "no", "1", ["MC337 the description of `page` says `>= 2`, but an example has 1"]),
        ("number 9..1", "no", "5", ["MC337 the description of `page` says `9..1`, a range that ends before it begins"]),
        ("string, 3-9 chars", "no", '"a"', ["MC337 the description of `page` says `3-9`, but an example has one of 1"]),
        ("int", "no (default 3)", "1", []),
        ("int", "yes (default 3)", "1", ["MC325 `page` is required but has a default"]),
    ],
)
def test_a_cell_of_a_type_or_a_requirement_says_more(kind: str, required: str, page: str, expected: list[str]) -> None:
    assert said(LIMITED.format(kind=kind, required=required, page=page)) == expected


LISTED = """
# Photo tool specification

## 1. crop_photo

Crops a photo.

Input:
- path: string
- box: [x1, y1, x2, y2]

## 2. read_photo

Reads the text of a photo.

Input:
- path: string
- {language}: string
"""


@each("language, required", [("language?", ["path", "box"]), ("language", None)])
def test_a_question_mark_anywhere_in_a_file_makes_the_others_required(
    language: str, required: list[str] | None
) -> None:
    text = LISTED.format(language=language).lstrip("\n")

    first, _ = read_spec("a/MCP_TOOL_SPECIFICATION.md", text).contracts

    assert isinstance(first.input_schema, dict)
    assert first.input_schema.get("required") == required
    assert first.input_schema["properties"] == {
        "path": {"type": "string"},
        "box": {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4},
    }


MODES = """
# Harbor tool spec

## `check_berth`

Checks a berth.

- `mode` (string, required): how

## {title}

### `quick_look`

A short answer.

Output includes:

- `depth`

## `moor_ship`

Moors a ship.

- `ship` (string, required): which
"""


@each("title, count", [("Check modes", 2), ("Levels", 2), ("More tools", 3)])
def test_modes_are_no_tools(title: str, count: int) -> None:
    assert len(read_spec("a.md", MODES.format(title=title).lstrip("\n")).tools) == count


FILTERED = """
# Harbor: MCP tool specification

## find_berth

Finds a berth, {verb} `active=true`.

- `ship` (string, required): The ship

## moor_ship

Moors a ship.

- `ship` (string, required): The ship
"""


@each("verb, is_told", [("filter", False), ("where", False), ("if you pass", True)])
def test_a_filter_of_a_database_is_no_parameter(verb: str, is_told: bool) -> None:
    found = said(FILTERED.format(verb=verb))

    assert any("`active`" in one for one in found) is is_told


UNTOLD = """
# Harbor: MCP tool specification

## `find_berth`

{about}

| Name | Type | Required | Description |
|---|---|---|---|
| `ship` | string | yes | The ship |

## `moor_ship`

Moors a ship at a berth.

| Name | Type | Required | Description |
|---|---|---|---|
| `berth` | string | yes | The berth, from `find_berth` |
"""


@each("about, expected", [("", ["MC509 the description is empty"]), ("Finds a berth for a ship.", [])])
def test_a_row_of_another_tool_does_not_describe_a_tool(about: str, expected: list[str]) -> None:
    assert [one for one in said(UNTOLD.format(about=about)) if one.startswith("MC509")] == expected


ANSWERED = """
# Harbor: MCP tool specification

## find_berth

Finds a berth.

Arguments:

* `ship` – string, required. The ship

{answer}
"""


@each(
    "answer",
    [
        "Returns `berth_id` and `expires_at`.",
        "The result has `berth_id` and a `pier`.",
        "It gives back `berth_id` and the `pier`.",
    ],
)
def test_a_sentence_about_the_result_names_no_parameters(answer: str) -> None:
    (tool,) = read_spec("a/MCP_TOOL_SPECIFICATION.md", ANSWERED.format(answer=answer).lstrip("\n")).contracts

    assert isinstance(tool.input_schema, dict)
    assert tool.input_schema["properties"] == {"ship": {"type": "string", "description": "The ship"}}


def test_a_result_in_words_has_no_field_called_by_an_article() -> None:
    text = ANSWERED.format(answer="**Returns** a list of objects.").lstrip("\n")

    (tool,) = read_spec("a/MCP_TOOL_SPECIFICATION.md", text).contracts

    assert tool.output is None


STOPPED = """
# Harbor: MCP tool specification

## find_berth

**Purpose.** Finds a berth.

**Parameters.**

1. `ship` (string, required): which
"""


def test_a_bold_label_with_a_full_stop_may_stand_alone() -> None:
    (tool,) = read_spec("a/MCP_TOOL_SPECIFICATION.md", STOPPED.lstrip("\n")).contracts

    assert tool.description == "Finds a berth."


TWICE = """
# Harbor: MCP tool specification

## Tools

| Tool | Purpose |
|---|---|
| `find_berth` | Finds a berth |
| `moor_ship` | Moors a ship |

### find_berth

- `ship` (string, required): which

### {second}

- `berth` (string, required): which
"""


@each(
    "second, expected",
    [("moor_ship", []), ("find_berth", ["MC104 `find_berth` is already the name of another tool"])],
)
def test_a_tool_with_two_headings_is_reported_beside_an_overview(second: str, expected: list[str]) -> None:
    found = said(TWICE.format(second=second))

    assert [one for one in found if one.startswith("MC104")] == expected


DEFAULTS = """
# Harbor: MCP tool specification

## find_berth

Finds a berth.

| Name | Type | Required | Default | Description |
|---|---|---|---|---|
| `value` | {kind} | no | `{default}` | {about} |

Returns `{{ "berth": string }}`.
"""


@each(
    "kind, default, about, code",
    [
        ("number[]", "[0.1, 0.5, 0.9]", "Quantiles between 0 and 1", ""),
        ("number[]", "[0.1, 0.5, 0.9]", "At most 2 quantiles", "MC337"),
        ("string", "swiss", "Pairing system: `dutch`, `burstein`, `dubov`", "MC337"),
        ("string", "dutch", "Pairing system: `dutch`, `burstein`, `dubov`", ""),
        ("string", "swiss", "Sample systems: `dutch`, `burstein`, `dubov`", ""),
    ],
)
def test_words_about_a_value_and_its_default(kind: str, default: str, about: str, code: str) -> None:
    found = said(DEFAULTS.format(kind=kind, default=default, about=about))

    assert [one.partition(" ")[0] for one in found] == [code] * bool(code)


COUNTED = "# Harbor: MCP tool specification\n\n{sentence}\n\n## `a_b`\n\nA.\n\n## `c_d`\n\nB.\n\n## `e_f`\n\nC.\n"


@each(
    "sentence, is_told",
    [("Two tools for readers, one for editors.", False), ("Two tools for readers.", True)],
)
def test_tools_may_be_counted_in_parts(sentence: str, is_told: bool) -> None:
    found = said(COUNTED.format(sentence=sentence))

    assert any(one.startswith("MC020") for one in found) is is_told


TYPES_IN_JSON = """
# Harbor: MCP tool specification

## find_berth

Finds a berth.

**Input:**

```json
{{"status": "{status}", "owner": "string (optional)"}}
```
"""


@each(
    "status, expected",
    [
        ("free | taken (optional)", {"enum": ["free", "taken"]}),
        ("free|taken", {"enum": ["free", "taken"]}),
        ("string | null", {"type": ["string", "null"]}),
    ],
)
def test_values_of_a_parameter_stand_for_its_type_in_json(status: str, expected: object) -> None:
    text = TYPES_IN_JSON.format(status=status).lstrip("\n")

    (tool,) = read_spec("a/MCP_TOOL_SPECIFICATION.md", text).contracts

    assert isinstance(tool.input_schema, dict)
    properties = tool.input_schema["properties"]
    assert isinstance(properties, dict)
    assert properties["status"] == expected


@each("level, is_told", [("in", False), ("outgoing", True)])
def test_values_are_listed_with_slashes_or_before_a_default(level: str, is_told: bool) -> None:
    listed = 'Level ("in", "out" or "both", default: "both")', "`in` / `out` / `both`"
    for about in listed:
        text = LIMITED.format(kind="string", required="no", page=f'"{level}"').replace("The page", about)

        assert any(one.startswith("MC337") for one in said(text)) is is_told


@each(
    "heading, hint",
    [("save berths!", "write `save_berths`"), ("harbor.save_berths!", "write `harbor.save_berths`")],
)
def test_a_corrected_name_has_no_module_if_no_tool_has_one(heading: str, hint: str) -> None:
    first = "# Harbor tools\n\n## Tools\n\n### find_berth\n\nFinds.\n\n**Input:** none\n\n"
    text = f"{first}### {heading}\n\nSaves.\n\n**Input:** none\n"
    file = read_spec("09_harbor/MCP_TOOL_SPECIFICATION.md", text)

    hints = [one.hint for one in lint(Contracts((file,))).shown() if one.code == "MC101"]

    assert hints == [hint]


HIERARCHICAL = "## 1. Tool: `find`\n\n### 1.1 {a}\n\nFind.\n\n### 1.2 {b}\n\nNo.\n\n### 1.3 {c}\n\n**Input:** none\n"


@each(
    "titles, reason",
    [
        (("Tool Purpose and Description", "Error Handling", "Idempotency"), "other section numbers"),
        (("Purpose", "Failures", "Repetition"), "none of the eight numbered sections"),
        (("Error Handling", "Idempotency", "Security"), "none of the eight numbered sections"),
    ],
)
def test_sections_of_the_format_with_other_numbers_are_not_missing(titles: tuple[str, str, str], reason: str) -> None:
    text = HIERARCHICAL.format(**dict(zip("abc", titles, strict=True)))
    file = read_spec("a/MCP_TOOL_SPECIFICATION.md", text)

    (dialect,) = [one.message for one in lint(Contracts((file,))).shown() if one.code == "MC006"]

    assert reason in dialect


SECTIONS = """
# Harbor tool spec

## `find_berth`

Finds a berth.

- `ship` (string, required): which

## {title}

### `berths`

- `id` (TEXT, PK)

## `moor_ship`

Moors a ship.

- `ship` (string, required): which
"""


@each(
    "title, count",
    [
        ("Database schema reference", 2),
        ("Referencia del esquema de la base de datos", 2),
        ("Data model", 2),
        ("Output Format", 2),
        ("Database tools", 3),
    ],
)
def test_tables_of_a_database_and_forms_of_a_result_are_no_tools(title: str, count: int) -> None:
    assert len(read_spec("a.md", SECTIONS.format(title=title).lstrip("\n")).tools) == count


def test_a_name_follows_a_title_in_any_script() -> None:
    head = "# 工具规范\n\n## 工具列表\n\n"
    text = f"{head}### 1. 文件读取工具 (`read_file`)\n\n读取文件。\n\n### 2. Web搜索 (`find_page`)\n\n搜索。\n"

    assert [tool.contract.name for tool in read_spec("a.md", text).tools] == ["read_file", "find_page"]


@each(
    "limits, expected",
    [('"low", "high"', ["low", "high"]), ('"low", null', ["low", None]), ('"low" or so', None), ("text", None)],
)
def test_an_enum_has_the_values_of_the_column_of_limits(limits: str, expected: object) -> None:
    row = f"| `page` | enum | no | {limits} | The page |"
    text = LIMITED.replace("| Required | Desc", "| Required | Constraints | Desc").replace(
        "|---|---|---|---|", "|---" * 5 + "|"
    )
    text = re.sub(r"\| `page` .*", lambda _: row, text).format(page='"low"').lstrip("\n")

    (tool,) = read_spec("a/MCP_TOOL_SPECIFICATION.md", text).contracts

    assert isinstance(tool.input_schema, dict)
    properties = tool.input_schema["properties"]
    assert isinstance(properties, dict)
    (page,) = properties.values()
    assert isinstance(page, dict)
    assert page.get("enum") == expected


RETURNED = """
# Harbor: MCP tool specification

## find_berths

Finds berths.

```yaml
name: find_berths
description: Finds the free berths of a harbor
parameters:
  ship:
    type: string
    required: true
    description: which
returns:
  type: array
  description: the berths
  items: {items}
```
"""


@each("items, is_told", [("Berth", False), ("string", False), ("strnig", True)])
def test_items_may_be_named_by_a_class(items: str, is_told: bool) -> None:
    assert any(one.startswith("MC307") for one in said(RETURNED.format(items=items))) is is_told


HEADED = """
# Harbor: MCP tool specification

## `find_berth({call})`

Finds a berth.

- `ship`: str — which
- `pier`: str, optional — where
- `night`: bool, optional — whether at night
"""
IN_LIST = "MC322 `night` is in the list but not in the signature"


@each(
    "call, expected",
    [
        ("ship, pier=None, night=False", []),
        ("ship, pier=None", [IN_LIST]),
        ("ship", []),
        ("options=None", []),
        ("ship, pier=None, ...", []),
    ],
)
def test_a_call_in_a_heading_with_optional_parameters_has_them_all(call: str, expected: list[str]) -> None:
    assert [one for one in said(HEADED.format(call=call)) if one.startswith("MC322")] == expected


HEADER = """
# Harbor: MCP tool specification

**{label}**: `harbor_maint`

## `harbor_find`

Finds a berth.

- `ship` (string, required): which

## `harbor_moor`

Moors a ship.

- `ship` (string, required): which
"""


@each("label, is_told", [("Module", False), ("Package", False), ("See", True)])
def test_the_name_of_the_module_in_a_header_is_no_tool(label: str, is_told: bool) -> None:
    assert any("harbor_maint" in one for one in said(HEADER.format(label=label))) is is_told


def test_a_decimal_number_does_not_say_whether_a_parameter_is_required() -> None:
    assert said(harbor("Required", "1.0")) == ["MC332 `1.0` does not say whether `ship` is required"]


CODES = """
# Harbor: MCP tool specification

## `find_berth`

Finds a berth.

Errors:

| Code | Retry? | {title} |
|---|---|---|
| `FULL` | no | All berths are taken |
"""


@each("title, when", [("Meaning", "All berths are taken"), ("When", "All berths are taken"), ("Note", "no")])
def test_an_error_occurs_when_its_column_says(title: str, when: str) -> None:
    (tool,) = read_spec("a/MCP_TOOL_SPECIFICATION.md", CODES.format(title=title).lstrip("\n")).contracts

    assert [(error.name, error.when) for error in tool.errors] == [("FULL", when)]


BARE = """
# arm/MCP_TOOL_SPECIFICATION

## arm_move

Moves the arm.

Parameters

* **speed** — `number`, optional

## {name}

Opens or closes the gripper.

{label}

* **action** {kind}
"""


@each(
    "name, label, kind, count",
    [
        ("gripper", "Parameters", "— `string`, required", 2),
        ("`gripper`", "Parameters", "— `string`, required", 2),
        ("gripper", "It has parts:", "moves", 1),
    ],
)
def test_a_heading_of_one_word_above_parameters_is_a_tool_beside_others(
    name: str, label: str, kind: str, count: int
) -> None:
    assert len(read_spec("a.md", BARE.format(name=name, label=label, kind=kind).lstrip("\n")).tools) == count


UNTITLED = """
# {title}

## metrics_query

Runs a query.

Parameters:
- query (string, required): the query

Returns: a matrix

## `metrics_list`

Lists the metrics. No arguments.
"""


@each(
    "path, title, count",
    [
        ("a/MCP_TOOL_SPECIFICATION.md", "Metrics", 2),
        ("a/MCP_TOOL_SPECIFICATION.md", "Metrics API", 0),
        ("a/MCP_TOOL_SPECIFICATION.md", "Shared events", 2),
        ("a/NOTES.md", "Metrics", 0),
    ],
)
def test_the_name_of_a_file_says_that_its_sections_are_tools(path: str, title: str, count: int) -> None:
    assert len(read_spec(path, UNTITLED.format(title=title).lstrip("\n")).tools) == count


SHAPED = """
# Harbor tool contract

## `harbor_open`

Opens a harbor.

Input:

- `{first}`

{label}

- `mode: "a" | "b"`
- `active: true`
"""


@each(
    "first, label, expected",
    [
        ("mode: string", "Success `data` shape:", ["mode"]),
        ("mode: string", "`HarborSummary` shape:", ["mode"]),
        ("mode: string", "Result:", ["mode"]),
        ("{}", "Result:", []),
    ],
)
def test_fields_below_a_label_of_a_result_or_a_type_are_no_parameters(
    first: str, label: str, expected: list[str]
) -> None:
    text = SHAPED.replace("{first}", first).replace("{label}", label).lstrip("\n")

    (tool,) = read_spec("a.md", text).contracts

    assert isinstance(tool.input_schema, dict)
    properties = tool.input_schema["properties"]
    assert isinstance(properties, dict)
    assert list(properties) == expected


def test_a_call_without_types_below_a_title_about_tools_is_a_tool() -> None:
    text = '# Words\n\n## find_word(text, target, source="auto")\n\nFinds.\n\n- **text** (`str`): what\n'

    assert [tool.contract.name for tool in read_spec("a/MCP_TOOL_SPECIFICATION.md", text).tools] == ["find_word"]
    assert read_spec("a/NOTES.md", text).tools == ()


GERMAN = """
## Tool: `hafen.finde`

**Version**: 1.0.0

### 1. Zweck

Findet einen Liegeplatz.

### 6. {title}

- **Idempotent**: {said}
"""


@each(
    "title, said_so, codes",
    [
        ("Idempotenz", "Ja", []),
        ("Idempotenz", "Nein", []),
        ("Idempotensy", "yes", ["MC108"]),
        ("Idempotency", "perhaps", ["MC503"]),
    ],
)
def test_sections_in_other_languages_are_not_misspelled(title: str, said_so: str, codes: list[str]) -> None:
    found = said(GERMAN.format(title=title, said=said_so))

    assert [one[:5] for one in found if one[:5] in ("MC108", "MC503")] == codes


def test_a_tool_that_is_a_list_has_the_parameters_of_the_list_inside() -> None:
    head = "- **Tool**: `find_berth`\n- **Description**: Finds a berth\n"
    items = f"{head}- **Parameters**:\n  - `ship` (string, required): which\n"

    (tool,) = read_spec("a/MCP_TOOL_SPECIFICATION.md", f"# Harbor\n\n{items}").contracts

    assert isinstance(tool.input_schema, dict)
    assert tool.input_schema["required"] == ["ship"]


def test_a_list_beside_a_signature_is_called_a_list() -> None:
    text = "# Harbor: MCP tool specification\n\n## `find_berth(ship: str, all: bool = False) -> str`\n\nFinds.\n\n"
    items = "**Args:**\n\n- `ship` (str): which\n- `all` (bool, optional): Find all. Default: True\n"

    assert "MC322 the default of `all` is true in the list but false in the signature" in said(text + items)


BERTHS = """# Harbor: MCP tool specification

## Tools

### find_berth

Finds a berth.

- `ship` (str, required): which ship
- `days` (int): how many

{after}

### free_berth

Frees a berth.

- `berth` (str, required): which berth

Returns: `true`
"""


@each(
    ("after", "codes"),
    [
        ('```python\nfind_berth("Swan", days=2)\n```', []),
        ('```python\nfind_berth("Swan", day=2)\n```', ["MC404"]),
        ('Response\n\n```json\n{"ship": "Swan", "berths": ["a"]}\n```', []),
        ('Input\n\n```json\n{"ship": "Swan", "berths": ["a"]}\n```', ["MC404"]),
        ('Example:\n\n```python\nfound = find_berth(ship="Swan")\nfree_berth(birth=found)\n```', ["MC404"]),
        ('Example:\n\n```python\nfound = find_berth(ship="Swan")\nfree_berth(berth=found)\n```', []),
    ],
)
def test_code_below_the_parameters_is_an_example_and_a_title_may_be_one_word(after: str, codes: list[str]) -> None:
    found = said(BERTHS.format(after=after))

    assert [one[:5] for one in found if one[:5] in ("MC015", "MC025", "MC322", "MC404")] == codes


@each(
    ("text", "is_told"),
    [
        ("`free_berths` is an internal function and is not an MCP tool.", False),
        ("We do not offer `free_berths`.", False),
        ("Not tools: `count_ships`, `free_berths`.", False),
        ("`free_berths` (not a tool) is slow.", False),
        ("`free_berths` is slow.", True),
        ("Do not call `free_berths` twice.", True),
    ],
)
def test_names_that_text_says_are_no_tools_are_not_missing(text: str, *, is_told: bool) -> None:
    found = said(BERTHS.format(after=text))

    assert any(one.startswith("MC515") for one in found) is is_told


@each(
    ("sentence", "is_told"),
    [
        ("The module offers three tools that let agents find berths.", True),
        ("The module offers three tools that write.", False),
    ],
)
def test_tools_that_let_agents_do_something_are_all_of_them(sentence: str, *, is_told: bool) -> None:
    found = said(BERTHS.format(after="").replace("## Tools", f"{sentence}\n\n## Tools"))

    assert any(one.startswith("MC020") for one in found) is is_told


CHOICES = """# Harbor: MCP tool specification

## `find_berth`

Finds a berth.

Parameters:

- {item}

**Формат ответа:**

```json
{{"berths": ["a"]}}
```
"""


@each(
    ("item", "schema", "required"),
    [
        ("`state` (`open` or `closed`, optional): which", {"enum": ["open", "closed"]}, False),
        ("`state` (`open`/`closed`): which", {"enum": ["open", "closed"]}, None),
        ("`state`: `open` | `closed` – which", {"enum": ["open", "closed"]}, None),
        ("`state` (enum, обязательный): which\n  - `open`\n  - `closed`", {"enum": ["open", "closed"]}, True),
        ("`state` (string, опциональный): which", {"type": "string"}, False),
        ("`state` (`open`): which", None, None),
        ("`state` (optional): which\n  - `open`\n  - `closed`", None, False),
    ],
)
def test_values_in_a_note_or_below_it_are_an_enum(
    item: str, schema: dict[str, JsonValue] | None, *, required: bool | None
) -> None:
    text = CHOICES.format(item=item)
    (tool,) = read_spec("a/MCP_TOOL_SPECIFICATION.md", text).tools
    row = tool.input_table.rows[0] if tool.input_table is not None else None

    assert row is not None
    assert (row.schema, row.required) == (schema, required)
    assert not any(one.startswith(("MC015", "MC025")) for one in said(text))


LISTS = """# Harbor: MCP tool specification

## find_berth

Finds a berth.

{first}

## free_berth

{second}
"""


@each(
    ("first", "second", "codes"),
    [
        ("- ship: string\n- pier: string\n- days – `{from, to}[]`", "Frees a berth.\n\n- berth: string", []),
        ("- ship: string", "Frees all berths. 引数はありません。", []),
        ("- ship: string", "Frees all berths. 引数が多い。", ["MC025"]),
        ("- ship: string", "Frees all berths. Parameters: none.", []),
        ("- ship: string", "Frees all berths. Call without parameters.", []),
        ("- ship: string", "Frees all berths. Has no parameters and no side effects.", []),
        ("- ship: string", "Frees all berths.\n\nParameters: this tool doesn't take any.", []),
        ("- ship: string", "Frees all berths.\n\nParameterless.", []),
        ("- ship: string", "Frees all berths.\n\n**Request:** empty", []),
        ("- ship: string", "Frees all berths.\n\n| Parameters | none |\n|---|---|\n| Returns | string |", []),
        ("- ship: string", "Frees all berths. Parameters: many.", ["MC025"]),
        ("- ship: string", "| | |\n|---|---|\n| **Does** | Frees a berth |\n| **Takes** | `berth` |", []),
        ("- ship: string", "| | |\n|---|---|\n| **Takes** | `berth` |", ["MC509"]),
    ],
)
def test_parameters_and_descriptions_in_short_forms_are_read(first: str, second: str, codes: list[str]) -> None:
    found = said(LISTS.format(first=first, second=second))

    assert [one[:5] for one in found if one[:5] in ("MC025", "MC509")] == codes


def test_code_of_a_type_has_no_parameters() -> None:
    head = "# Harbor: MCP tool specification\n\n## MCP tool\n\n`find_berth(ship: str) -> list[Berth]`\n\n"
    (tool,) = read_spec(
        "a/MCP_TOOL_SPECIFICATION.md", f"{head}where `Berth` is\n\n    pier: str\n    depth: float\n"
    ).tools

    assert isinstance(tool.contract.input_schema, dict)
    assert tool.contract.input_schema["required"] == ["ship"]


def test_who_may_call_a_tool_does_not_describe_it() -> None:
    rows = "| find_berth | ship | list of berths | everybody |\n| free_berth | berth | – | the harbor master |\n"
    table = f"| Tool | Parameters | Result | Who may use it |\n|---|---|---|---|\n{rows}"
    tools = read_spec("a/MCP_TOOL_SPECIFICATION.md", f"# Harbor: MCP tools\n\n{table}").tools

    assert [tool.contract.description for tool in tools] == ["", ""]


@each(
    ("line", "missing"),
    [
        ("Tools exposed: find_berth, free_berth, paint_hull.", ["paint_hull"]),
        ("**MCP tools:** find_berth and free_berth", []),
        ("Ports: find_berth, free_berth, paint_hull.", []),
        ("Tools: find_berth, weigh_ship, paint_hull", []),
    ],
)
def test_a_line_may_list_tools_without_code(line: str, missing: list[str]) -> None:
    found = said(BERTHS.format(after="").replace("## Tools", f"{line}\n\n## Tools"))

    assert [one.split("`")[1] for one in found if one.startswith("MC022")] == missing


def test_a_table_without_requirements_has_those_of_the_signature() -> None:
    head = (
        "# Harbor: MCP tool specification\n\n## find_berth(ship: str, pier: str, days: int = 1) -> dict\n\nFinds.\n\n"
    )
    table = "| arg | type |\n|---|---|\n| ship | str |\n| pier | str |\n| days | int |\n"
    example = '\n```python\nfind_berth(ship="Swan")\n```\n'
    (tool,) = read_spec("a/MCP_TOOL_SPECIFICATION.md", head + table).tools

    assert isinstance(tool.contract.input_schema, dict)
    assert tool.contract.input_schema["required"] == ["ship", "pier"]
    assert "MC404 the call lacks the required property `pier`" in said(head + table + example)
    assert any(one.startswith("MC322") for one in said(head + table.replace("| pier |", "| bay |")))


@each(
    ("address", "codes"),
    [("find_berth", ["MC404"]), ("free_berth", ["MC403", "MC404"]), ("call", [])],
)
def test_the_address_of_a_request_names_the_tool(address: str, codes: list[str]) -> None:
    body = '{"ship": "Swan", "days": "two"}'
    curl = f"Example:\n\n```bash\ncurl -X POST localhost/mcp/tools/{address} -d '{body}'\n```"

    assert [one[:5] for one in said(BERTHS.format(after=curl)) if one[:5] in ("MC403", "MC404")] == codes


def test_limits_in_brackets_may_follow_a_default() -> None:
    found = said(BERTHS.format(after="").replace("(int): how many", '— integer, optional, default `"x"` (1-20)'))

    assert any(one.startswith("MC333") for one in found)


@each(
    ("kind", "text", "values"),
    [
        ("enum", "How to move: fast, slow", ["fast", "slow"]),
        ("enum", "How to move: fast, slow or mid.", ["fast", "slow", "mid"]),
        ("enum", "fast, slow, mid", ["fast", "slow", "mid"]),
        ("enum", "fast/slow", ["fast", "slow"]),
        ("enum", "fast or slow", ["fast", "slow"]),
        ("enum", "How to move, as in the manual", None),
        ("enum", "how fast", None),
        ("string", "How to move: fast, slow", None),
        ("string", "`fast` oder `slow`", ["fast", "slow"]),
        ("string", "`fast`, `mid` ou `slow`", ["fast", "mid", "slow"]),
        ("string", "`fast` (default) or `slow`", ["fast", "slow"]),
        ("string", "`fast`, `mid` or `slow`. Default `mid`", ["fast", "mid", "slow"]),
        ("string", "Einer von `fast`, `slow`; sonst erkannt", ["fast", "slow"]),
        ("string", "`fast` or `slow` ships only", None),
    ],
)
def test_words_after_a_colon_are_the_values_of_an_enum(kind: str, text: str, values: list[str] | None) -> None:
    table = f"| Name | Type | Required | Description |\n|---|---|---|---|\n| `mode` | {kind} | no | {text} |\n"
    (tool,) = read_spec(
        "a/MCP_TOOL_SPECIFICATION.md", f"# Harbor: MCP tools\n\n## move_ship\n\nMoves.\n\n{table}"
    ).tools
    row = tool.input_table.rows[0] if tool.input_table is not None else None

    assert row is not None
    assert (row.schema or {}).get("enum") == values


PIERS = """
# Piers

## find_pier

Finds a pier{purpose}.

- `ship` (string, required): The ship.
- `depth` (string, optional): {values}.
- `limit` (integer, optional): How many.

**Errors**

| Error | When |
|---|---|
| `{known}` | No such ship |

```bash
curl localhost:80 -d '{{"method": "tools/call", "params": {{"name": "find_pier", "arguments": {{"ship": "a"{end}'
```
"""


def piers(purpose: str = "", values: str = "How deep", known: str = "SHIP_LOST", end: str = "}}}") -> list[str]:
    found = said(PIERS.format(purpose=purpose, values=values, known=known, end=end))
    return [one for one in found if one.startswith(("MC304", "MC402", "MC515"))]


@each(
    ("changes", "told"),
    (
        ({}, []),
        ({"end": "}}"}, ["MC304"]),
        ({"end": ", …}}"}, []),
        ({"values": "`depths` or `shallows`"}, []),
        ({"purpose": ", at most `most_piers` piers"}, ["MC515"]),
        ({"purpose": ", at most `limit` piers"}, []),
        ({"purpose": ", or `PIER_FULL` when it is full"}, ["MC515"]),
        ({"purpose": ", or `SHIP_LOST` when it is gone"}, []),
        ({"purpose": ". Fails with `pier_full` if it is full", "known": "ship_lost"}, ["MC515"]),
        ({"purpose": ". Fails with `ship_lost` if it is gone", "known": "ship_lost"}, []),
    ),
)
def test_names_values_and_requests_of_a_tool_are_checked(changes: dict[str, str], told: list[str]) -> None:
    assert [one.partition(" ")[0] for one in piers(**changes)] == told


def test_the_result_in_signatures_is_no_section() -> None:
    tools = "".join(
        f"## `{name}_pier`\n\nIt {name}s a pier.\n\n**Signature**: `{name}_pier(pier: str) -> dict`\n\n"
        for name in ("find", "close", "clean", "paint")
    )
    found = said(f"# Piers\n\n{tools}## `sink_pier`\n\nSinks it. No parameters.\n")

    assert [one for one in found if one.startswith("MC109 section `Returns`")] == []


@each(("kind", "text", "is_told"), [("enum", "how fast", True), ("enum", "fast, slow", False), ("choice", "", True)])
def test_a_type_of_listed_values_without_any_is_reported(kind: str, text: str, *, is_told: bool) -> None:
    table = f"| Name | Type | Required | Description |\n|---|---|---|---|\n| `mode` | {kind} | no | {text} |\n"
    found = said(f"# Harbor: MCP tools\n\n## move_ship\n\nMoves, and returns the place.\n\n{table}")

    assert (f"MC335 the type of `mode` is `{kind}`, and no values are listed" in found) is is_told


def test_a_table_in_swedish_is_read() -> None:
    table = (
        "| Parameter | Typ | Obligatorisk | Beskrivning |\n|---|---|---|---|\n| `ord` | sträng | ja | Ordet |\n"
        "| `antal` | heltal | nej | Hur många |\n"
    )
    (tool,) = read_spec(
        "MCP_TOOL_SPECIFICATION.md", f"# Brev: MCP-verktyg\n\n## hitta_brev\n\nHittar.\n\n{table}"
    ).tools

    assert tool.contract.input_schema == {
        "type": "object",
        "properties": {
            "ord": {"type": "string", "description": "Ordet"},
            "antal": {"type": "integer", "description": "Hur många"},
        },
        "required": ["ord"],
    }
