"""What specifications with their own forms say is not reported as a mistake."""

from __future__ import annotations

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.sources.documents import read_source
from tests.said import said
from tests.tables import each

ANSWERED = """
# Tool: get_tide

Returns the tide of a harbor.

## Example

### Request (one harbor)

```json
{{}}
```

### Response

```json
{{"height": 2}}
```

### Request ({second})

```json
{{}}
```

### Response

```json
{{"height": 3}}
```
"""


@each(
    "second, expected",
    [
        ("two harbors", []),
        (
            "one harbor",
            ["MC107 section `Request (one harbor)` appears twice", "MC107 section `Response` appears twice"],
        ),
    ],
)
def test_each_request_has_its_own_response(second: str, expected: list[str]) -> None:
    found = said(ANSWERED.format(second=second))

    assert [one for one in found if one.startswith("MC107")] == expected


MIRRORED = """
# Tool: copy_charts

Mirrors the charts of a fleet. It changes nothing{where}. It deletes the old charts.

## Parameters

| Parameter | Type | Required | Description |
|---|---|---|---|
| `fleet` | string | yes | Name of the fleet |
"""


@each("where, is_reported", [(" in the archive", False), ("", True)])
def test_a_tool_that_changes_nothing_in_one_place_is_not_read_only(where: str, is_reported: bool) -> None:
    found = said(MIRRORED.format(where=where))

    assert any(one.startswith("MC516") for one in found) is is_reported


TYPED_IN_WORDS = """
## Tool: list_buoys

Lists the buoys. Takes no parameters.

## Tool: plot_course

Plots a course.

Arguments:

- `start`: {start}. Harbor where it begins.
- `buoys`: an ordered object of buoys.

Kinds of buoys:

| `kind` | `color` | Light |
|---|---|---|
| `lateral` | `red` | flashing |
| `cardinal` | `yellow` | steady |
"""


@each("start, is_reported", [("a string, JSON object, or JSON array", False), ("where to begin", True)])
def test_a_type_in_words_is_a_type(start: str, is_reported: bool) -> None:
    found = said(TYPED_IN_WORDS.format(start=start))

    assert any(one.startswith("MC335") for one in found) is is_reported


def test_a_table_of_the_values_of_a_field_is_no_table_of_parameters() -> None:
    found = said(TYPED_IN_WORDS.format(start="a string"))

    assert not [one for one in found if one.startswith(("MC015", "MC308"))]


MAPPED = """
# Tool contracts

## Harbor tools
- find_harbor: Finds a harbor
- list_buoys: Lists buoys

## Agent tool map
- retrieval-agent: all reading tools
"""


def test_names_in_another_case_than_all_tools_are_not_similar() -> None:
    found = said(MAPPED, ())

    assert not any("retrieval-agent" in one for one in found)


@each(
    "title, is_read",
    [
        ("Contract: Harbor tools", True),
        ("Harbor tools: contract", True),
        ("MCP tools — API contract", True),
        ("Vertrag: MCP-Werkzeuge", True),
        ("Contrat des outils MCP", True),
        ("Contrato de herramientas", True),
        ("Контракт инструментов", True),
        ("工具契约", True),
        ("도구 계약", True),
        ("Contracts: a tool for lawyers", False),
        ("Contract tools", False),
        ("Werkzeuge", False),
    ],
)
def test_a_title_calls_a_file_a_contract_of_tools_in_any_order(title: str, is_read: bool) -> None:
    text = f"# {title}\n\n## `find_harbor`\n\nFinds a harbor.\n"
    file = read_source("docs/harbors.md", text)

    codes = {one.code for one in lint(Contracts((file,))).diagnostics}

    assert ("MC027" in codes) is not is_read


DEFINED = """
# Tool contract: `find_harbor`

One tool that keeps the prompt of the agent short.

## Definition

```json
{{
  "name": "find_harbor",
  "description": "{description}",
  "input_schema": {{
    "type": "object",
    "properties": {{"name": {{"type": "string", "description": "Name of the harbor"}}}},
    "required": ["name"]
  }}
}}
```
"""


def test_the_description_of_a_definition_is_that_of_the_tool() -> None:
    [contract] = read_source("contract.md", DEFINED.format(description="Finds a harbor by its name.")).contracts

    assert contract.description == "Finds a harbor by its name."
    assert contract.place_of("description").line == 11


@each("description, expected", [("", ["MC509 the description is empty"]), ("Finds a harbor by its name.", [])])
def test_a_definition_with_an_empty_description_has_none(description: str, expected: list[str]) -> None:
    found = said(DEFINED.format(description=description))

    assert [one for one in found if one.startswith("MC509")] == expected


CALLED = """
# Tool contract: find_harbor

Finds a harbor by its name.

## Parameters

| Parameter | Type | Required | Description |
|---|---|---|---|
| `name` | string | yes | Name of the harbor |

**Example call**:
```json
{call}
```
"""
ALONE = '{{"id": "call_7", "type": "function", "function": {{"name": "{name}", "arguments": {arguments}}}}}'
SEVERAL = f'{{{{"role": "assistant", "tool_calls": [{ALONE}]}}}}'


@each(
    "form, name, arguments, expected",
    [
        (ALONE, "find_harbor", '"{\\"name\\": \\"Kiel\\"}"', []),
        (
            ALONE,
            "find_harbors",
            '"{\\"name\\": \\"Kiel\\"}"',
            ["MC403 the call names `find_harbors`, not `find_harbor`"],
        ),
        (ALONE, "find_harbor", '"{\\"nam\\": \\"Kiel\\"}"', ["MC404 `nam` is not a parameter of the tool"]),
        (SEVERAL, "find_harbor", '{"nam": "Kiel"}', ["MC404 `nam` is not a parameter of the tool"]),
        (SEVERAL, "find_harbor", '"{"', []),
    ],
)
def test_calls_in_the_form_of_openai_are_examples(form: str, name: str, arguments: str, expected: list[str]) -> None:
    found = said(CALLED.format(call=form.format(name=name, arguments=arguments)), ("MC006", "MC336"))

    assert found == expected


PLAIN = """
# Tool contract: find_harbors

Finds harbors by name.

## Parameters

| Parameter | Type | Required | Description |
|---|---|---|---|
| `name` | string | yes | Name of the harbors |

## Usage Examples

```
{call}
```
"""


@each(
    "call, expected",
    [
        ('find_harbor(name="Kiel")', ["MC403 the call names `find_harbor`, not `find_harbors`"]),
        ('find_harbors(name="Kiel")', []),
        ('moor_ship(name="Kiel")', []),
        ('moor_ship(name="Kiel")\nfind_harbor(name="Kiel")', []),
    ],
)
def test_a_call_of_a_similar_name_in_plain_text_names_another_tool(call: str, expected: list[str]) -> None:
    found = said(PLAIN.format(call=call))

    assert [one for one in found if one.startswith("MC40")] == expected


ANNOTATED = """
# Tool contract: delete_harbor

Deletes a harbor for good.

{annotation}

## Parameters

| Parameter | Type | Required | Description |
|---|---|---|---|
| `name` | string | yes | Name of the harbor |
"""


@each(
    "annotation, is_reported",
    [
        ("Annotation: read-only, open-world.", True),
        ("**Annotations**: `read-only`", True),
        ("Annotation: state-changing, open-world. It is never read-only.", False),
        ("Annotation: destructive", False),
        ("Annotations: see the server", False),
    ],
)
def test_a_line_of_annotations_states_effects(annotation: str, is_reported: bool) -> None:
    found = said(ANNOTATED.format(annotation=annotation))

    assert any(one.startswith("MC516 the tool is read-only") for one in found) is is_reported
    assert not any(one.startswith("MC511") for one in found)


ROWS = """
# Tool contract: find_harbors

Finds harbors.

## Parameters

| Parameter | Type | Required | Description |
|---|---|---|---|
| `limit` | integer | no | {limit} |
| `places` | array | no | {places} |
"""
EACH = "Each: `name` (string), `depth` (number)"


@each(
    "limit, places, expected",
    [
        ("1..50 (at most)", EACH, []),
        ("50..1 (at most)", EACH, ["MC337"]),
        ("How many", "Where to look", ["MC313"]),
    ],
)
def test_ranges_with_dots_and_each_item_in_words_are_read(limit: str, places: str, expected: list[str]) -> None:
    found = said(ROWS.format(limit=limit, places=places))

    assert [one[:5] for one in found if one.startswith(("MC313", "MC337"))] == expected


RARE = """
# Harbor: tool specification

{others}
### Tool: `list_buoys`

**Parameters:**

- `harbor` (string)
- `depth` (strng)
"""
OTHER = """
### Tool: `{name}`

**Parameters:**

- `name`: the name of the harbor
- `pier`: the number of the pier
"""


@each("names, codes", [(("find", "moor", "leave"), ["MC308"]), ((), ["MC308", "MC509"])])
def test_what_the_only_tool_with_types_lacks_is_not_reported(names: tuple[str, ...], codes: list[str]) -> None:
    found = said(RARE.format(others="".join(OTHER.format(name=f"{name}_harbor") for name in names)))

    assert sorted(one[:5] for one in found if one.startswith(("MC305", "MC308", "MC335", "MC509"))) == codes
