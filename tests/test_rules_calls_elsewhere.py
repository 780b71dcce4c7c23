"""Calls outside the sections of tools: as JSON, in lists, and in the bodies of `curl` commands."""

from __future__ import annotations

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.parsing.spec import read_spec
from tests.said import as_specification, said
from tests.tables import each

DOCK = """# Harbor tools

## Tools

### `find_boat`

Finds a boat. Returns its berth.

| Name | Type | Required | Default | Description |
|---|---|---|---|---|
| `boat` | string | yes | | The name of the boat |
| `pier_number` | integer | no | | Where to begin |
| `size` | string | no | small | small, medium or large |

### `moor_boat`

Moors a boat. Returns its berth.

| Name | Type | Required | Default | Description |
|---|---|---|---|---|
| `boat` | string | yes | | The name of the boat |
| `berth` | string | yes | | Where it lies |

"""
LACKS = "lacks the required property `berth`"


def told(text: str) -> list[tuple[str | None, str, str | None, str]]:
    """Return the tool, message and hint of each finding about a call, with the text at its place."""
    titled = as_specification(text)
    lines = titled.split("\n")
    found = lint(Contracts((read_spec("notes.md", titled),))).shown()
    return [
        (one.tool, one.message, one.hint, lines[one.place.line - 1][one.place.column - 1 : one.place.end_column - 1])
        for one in found
        if one.code in ("MC403", "MC404") and one.place.end_column is not None
    ]


def messages(text: str) -> list[tuple[str | None, str]]:
    return [(tool, message) for tool, message, *_ in told(text)]


@each("key", ["arguments", "args", "parameters", "params", "input"])
@each("named", ["tool", "name"])
def test_arguments_under_any_usual_key_are_judged(key: str, named: str) -> None:
    call = f'{{"{named}": "moor_boat", "{key}": {{"boat": "Ida"}}}}'

    found = told(f"{DOCK}## Examples\n\n```json\n{call}\n```\n")

    fix = "fix the example, or the schema if the example is right"
    assert found == [("moor_boat", f"the value of `{key}` {LACKS}", fix, '{"boat": "Ida"}')]


def test_each_call_of_a_list_is_one_of_its_tool() -> None:
    first, second = (
        '{"tool": "find_boat", "arguments": {"boat": 3}}',
        '{"tool": "moor_boat", "arguments": {"boat": "Ida"}}',
    )
    calls = f"[\n  {first},\n  {second}\n]"

    assert messages(f"{DOCK}## Example session\n\n```json\n{calls}\n```\n") == [
        ("find_boat", "`boat` is 3, not of type string"),
        ("moor_boat", f"the value of `arguments` {LACKS}"),
    ]
    assert messages(f"{DOCK}#### Example session\n\n```json\n{calls}\n```\n") == [
        ("moor_boat", f"the value of `arguments` {LACKS}")
    ]


@each(
    "json",
    [
        '{"name": "find_boat", "parameters": {"type": "object", "properties": {"boat": {"type": "string"}}}}',
        '{"name": "find_boat", "params": {"vessel": {"type": "string"}}}',
        '[{"name": "Ida", "input": {"boat": 4}}]',
        '{"tool": "find_boat", "input": "Ida", "boat": 3}',
        '["find_boat", {"args": {"boat": 4}}]',
    ],
)
def test_definitions_and_other_objects_are_no_calls(json: str) -> None:
    assert messages(f"{DOCK}## Examples\n\n```json\n{json}\n```\n") == []


MESSAGE = (
    '{{"jsonrpc": "2.0", "id": 1, "method": "{}",\n "params": {{"name": "find_boat", "arguments": {{"boat": 3}}}}}}'
)
CALL = MESSAGE.format("tools/call")
NUMBER = ("find_boat", "`boat` is 3, not of type string")


@each(
    "command, found",
    [
        (f"curl -s localhost/mcp -H 'Accept: */*' -d '{CALL}'", [NUMBER]),
        (f"curl --data '{CALL}' localhost/mcp | jq", [NUMBER]),
        (f"curl localhost/mcp \\\n  --data-raw '{CALL}'; echo", [NUMBER]),
        (f"curl localhost/mcp --data-binary='{CALL}'", [NUMBER]),
        ('curl x/mcp -d \\\n  \'{"tool": "find_boat", "args": {"boat": 3}}\'', [NUMBER]),
        (f"curl x/mcp -d '{{}}'\ncurl x/mcp -d '{CALL}'", [NUMBER]),
        (f"curl x/mcp -d '{MESSAGE.format('prompts/get')}'", []),
        ('curl x/mcp -d \'{"method": "tools/list", "params": {}}\'', []),
        (f"curl x/mcp -d '{CALL[:-1]}'", []),
        (f"curl x/mcp -d '{CALL}'\"$REST\"", []),
        (f"post x/mcp -d '{CALL}'", []),
        ('curl x/boats -d \'{"name": "Ida", "boat": 3}\'', []),
        ("curl x/mcp -d @body.json", []),
        ("curl x/mcp/tools/find_boat -d '{\"boat\": 3}'", [NUMBER]),
        ("curl -X POST 'x/tools/call/find_boat' -d '{\"boat\": 3}'", [NUMBER]),
        ("curl x/tools/call -d '{\"boat\": 3}'", []),
    ],
)
@each("heading", ["## Example", "**Example:**"])
def test_the_body_of_a_request_is_judged_if_it_is_a_call(
    command: str, found: list[tuple[str, str]], heading: str
) -> None:
    first, second = DOCK.split("### `moor_boat`")
    example = f"{heading}\n\n```bash\n{command}\n```\n\n"
    text = f"{DOCK}{example}" if heading.startswith("#") else f"{first}{example}### `moor_boat`{second}"

    assert messages(text) == found
    assert [place for *_, place in told(text)] == ["3"] * len(found)


@each("command", [f"curl x/mcp -d '{CALL}'", 'curl x/tools/find_boat -d \'{"boat": "Ida"}\''])
def test_the_only_request_in_a_section_calls_its_tool(command: str) -> None:
    text = f"{DOCK}**Example:**\n\n```bash\n{command}\n```\n"

    assert "MC403 the call names `find_boat`, not `moor_boat`" in said(text)
    assert not any(one.startswith("MC403") for one in said(text.replace(command, f"{command}\n{command}")))


@each(
    "language, code, subject",
    [
        ("python", 'moor_boat(boat="Ida")', "the call"),
        ("python", 'client.call_tool("moor_boat", {"boat": "Ida"})', "the call"),
        ("ts", 'await moor_boat({ boat: "Ida" })', "the call"),
        ("ts", 'callTool({ name: "moor_boat", arguments: { boat: "Ida" } })', "the value of `arguments`"),
        ("json", '{"tool": "moor_boat", "boat": "Ida"}', "the call"),
    ],
)
def test_a_message_names_the_key_of_the_arguments_only_if_there_is_one(language: str, code: str, subject: str) -> None:
    assert messages(f"{DOCK}**Example:**\n\n```{language}\n{code}\n```\n") == [("moor_boat", f"{subject} {LACKS}")]


@each(
    "arguments, hint",
    [
        ('{"boat": "Ida", "pier": 3}', "write `pier_number`"),
        ('{"boat": "Ida", "num": 3}', "write `pier_number`"),
        ('{"boat": "Ida", "nmbr": 3}', "write `pier_number`"),
        ('{"boat": "Ida", "harbor": 3}', "declare it in the input schema, or remove it"),
    ],
)
def test_an_abbreviated_parameter_is_suggested(arguments: str, hint: str) -> None:
    text = f'{DOCK}## Examples\n\n```json\n{{"tool": "find_boat", "arguments": {arguments}}}\n```\n'

    assert [given for _, _, given, _ in told(text)] == [hint]


@each(
    "description, default, is_listed",
    [
        ("small, medium or large", "small", True),
        ("small, medium, or large.", '`"small"`', True),
        ("small / medium / large", "small", True),
        ("small, medium or large", "", False),
        ("small, medium or large", "tiny", False),
        ("small or large", "small", False),
        ("small, medium or a number", "small", False),
        ("small, medium, large", "small", False),
        ("The size: small, medium or large", "small", False),
    ],
)
def test_words_around_the_default_are_all_that_is_offered(description: str, default: str, *, is_listed: bool) -> None:
    row = "| small | small, medium or large |"
    text = DOCK.replace(row, f"| {default} | {description} |")
    call = '{"tool": "find_boat", "arguments": {"boat": "Ida", "size": "vast"}}'

    found = messages(f"{text}## Examples\n\n```json\n{call}\n```\n")

    assert found == ([("find_boat", '`size` is "vast", not "small", "medium" or "large"')] if is_listed else [])


def test_words_around_the_default_of_a_bullet_are_all_that_is_offered() -> None:
    text = "# Harbor tools\n\n## find_boat\n\nFinds a boat. Returns its berth.\n\n### Parameters\n\n"
    text += "- `size` (string, default: `small`): small, medium or large\n\n### Example\n\n`find_boat(size='vast')`\n"

    assert messages(text) == [("find_boat", '`size` is "vast", not "small", "medium" or "large"')]


PLAIN = """
# Harbor: MCP tool specification

## Tool: `harbor.moor`

**Version**: 1.0.0

### 1. Purpose

Moors a ship at a pier.

### 3. Input Schema

```json
{{"type": "object", "properties": {{"ship": {{"type": "string"}}}}, "required": ["ship"]}}
```

### 7. Usage Examples

```text
// Request
{call}
```
"""


@each(
    "call, is_read",
    [
        ('{"tool": "moor", "ship": "Fram"}', False),
        ('{"tool": "moor"}', False),
        ('{"tool": "harbor.moor", "arguments": {"boat": 1}}', True),
    ],
)
def test_an_object_in_plain_text_is_a_call_only_with_arguments(call: str, is_read: bool) -> None:
    found = said(PLAIN.format(call=call))

    assert any(one.startswith(("MC403", "MC404")) for one in found) is is_read


HIVE = """
# Hive: MCP tool specification

## weight_series

Shows the weights of a hive.

| Parameter | Type | Required | Description |
|---|---|---|---|
| hive | string | yes | the hive |
| days | integer | no | how many days |

Returns `{{ "kg": number[] }}`.

```python
{call}
```
"""


@each(
    "call, expected",
    [
        ('call("weight_series", hive="B4", days=3)', []),
        ('call("weight_series", hive="B4", days="a week")', ['MC404 `days` is "a week", not of type integer']),
        ('call("weight_series", hive="B4", dayz=3)', ["MC404 `dayz` is not a parameter of the tool"]),
        ('call("weight_series", days=3)', ["MC404 the call lacks the required property `hive`"]),
        ('call("weight_series", timeout=3)', []),
    ],
)
def test_arguments_may_be_keywords_after_the_name_of_the_tool(call: str, expected: list[str]) -> None:
    assert said(HIVE.format(call=call)) == expected


FORMS = """# Clock: MCP tool specification

## set_zone

Sets the zone.{said}

| Name | Type | Required | Description |
|---|---|---|---|
| `zone` | string | yes | Which zone |
| `drift` | integer | no | The drift |

Returns `true`.

{below}
"""


@each("zone, count", [('"CET"', 0), ("5", 1)])
@each(
    "place, form",
    [
        ("said", " e.g. `set_zone(zone={zone})`"),
        ("said", ' For example, `set_zone({{"zone": {zone}}})` sets it.'),
        ("below", '| Request | Response |\n|---|---|\n| `{{"zone": {zone}}}` | `true` |'),
        ("below", "| Call | Result |\n|---|---|\n| `set_zone(zone={zone})` | `true` |"),
        ("below", '1. Example\n\n   ```json\n   {{"zone": {zone}}}\n   ```'),
        ("below", '```python\nawait client.call_tool("set_zone", dict(zone={zone}))\n```'),
        ("below", "```\n>>> set_zone(zone={zone})\ntrue\n```"),
        ("below", "```\nset_zone(zone={zone}, drift=3) -> true\n```"),
        ("below", "```bash\nmcp tools call set_zone '{{\"zone\": {zone}}}'\n```"),
    ],
)
def test_calls_in_any_usual_form_are_judged(place: str, form: str, zone: str, count: int) -> None:
    parts = {"said": "", "below": "", place: form.format(zone=zone)}
    found = [one for one in said(FORMS.format(**parts)) if one.startswith("MC4")]

    assert [one[:5] for one in found] == ["MC404"] * count


@each(
    "text",
    [
        " `set_zone()` is slow.",
        " e.g. `set_zone(zone)`",
        " `set_zone(zone=5)` is refused.",
        " Similar to `set_clock(zone=5)`, e.g. `set_clock(zone=5)`.",
    ],
)
def test_mentions_of_a_tool_are_no_calls(text: str) -> None:
    assert not [one for one in said(FORMS.format(said=text, below="")) if one.startswith("MC4")]


@each(
    "example, count",
    [('`set_zone(zone="CET"`', 1), ('`set_zone(zone="CET")`', 0), ("`set_zone(…`", 0), ("`set_clock(1`", 0)],
)
def test_a_call_in_a_line_must_be_closed(example: str, count: int) -> None:
    found = said(FORMS.format(said="", below=f"Example: {example}"))

    assert sum(one.startswith("MC402") for one in found) == count


def test_a_call_with_the_words_of_a_tool_in_another_order_is_one_of_it() -> None:
    call = '#### Example\n\n```python\nresult = boat_moor("kiwi", berth="a")\n```\n'

    assert "MC403 the call names `boat_moor`, not `moor_boat`" in said(f"{DOCK}{call}")
