"""Findings, and their absence, in specifications in the styles of different authors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, JsonValue
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.sources.tool_lists import read_tool_list
from tests.said import as_specification

HEAD = "# Notes MCP tools\n\n## find_notes\n\nFinds the notes of a person. Returns a list of texts.\n\n"
TABLE = "| Name | Type | Required | Default | Description |\n|---|---|---|---|---|\n"


def said(text: str) -> list[tuple[str, str]]:
    """Return the codes and messages of the findings, except for the dialect itself."""
    found = lint(Contracts((read_spec("notes.md", as_specification(text)),))).shown()
    return [(one.code, one.message) for one in found if one.code != "MC006"]


def with_default(type_text: str, default: str) -> str:
    return f"{HEAD}{TABLE}| `when` | {type_text} | no | {default} | When they were written. |\n"


@pytest.mark.parametrize(
    ("type_text", "default", "told"),
    [
        ("array[string]", "none yet", '"none yet", not of type array'),
        ("integer", "half a minute", '"half a minute", not of type integer'),
        ("integer", "`64k`", '"64k", not of type integer'),
        ("number", "one tenth", '"one tenth", not of type number'),
        ("boolean", "to be decided", '"to be decided", not of type boolean'),
    ],
)
def test_a_default_in_words_that_the_type_refuses_is_reported(type_text: str, default: str, told: str) -> None:
    assert said(with_default(type_text, default)) == [("MC333", f"the default of `when` is {told}")]


@pytest.mark.parametrize(
    ("type_text", "default"),
    [
        ("integer", "no limit"),
        ("integer", "the number of cores"),
        ("array[string]", "empty list"),
        ("array[string]", "none"),
        ("string", "half a minute"),
        ("integer", "10 minutes"),
        ("object", "nothing"),
    ],
)
def test_words_for_what_is_found_out_later_are_no_value(type_text: str, default: str) -> None:
    assert said(with_default(type_text, default)) == []


@pytest.mark.parametrize(
    "parameters",
    [
        f'{TABLE}| `when` | string | Yes | `"now"` | When they were written. |\n',
        '### Parameters\n\n- `when` (string, required, default: "now"): When they were written.\n',
    ],
)
def test_a_required_parameter_with_a_default_is_reported_in_every_form(parameters: str) -> None:
    assert said(f"{HEAD}{parameters}") == [("MC325", "`when` is required but has a default")]


@pytest.mark.parametrize("default", ["-", "none", "n/a", "required"])
def test_a_cell_without_a_value_is_not_a_default(default: str) -> None:
    assert said(f"{HEAD}{TABLE}| `when` | string | Yes | {default} | When they were written. |\n") == []


@pytest.mark.parametrize(
    ("in_table", "in_schema", "told"),
    [
        ("900", "800", "900 in the table but 800 in the schema"),
        ("`900`", "800", "900 in the table but 800 in the schema"),
        ("`900`", "900", None),
        ("900 (metres)", "800", None),
        ("see below", "800", None),
        ("-", "800", None),
    ],
)
def test_defaults_that_disagree_between_table_and_schema_are_reported(
    in_table: str, in_schema: str, told: str | None
) -> None:
    text = (
        f"{HEAD}### Input Schema\n\n{TABLE}| `radius` | integer | no | {in_table} | How far. |\n\n```json\n"
        '{"type": "object", "properties": {"radius": {"type": "integer", "description": "How far.", "default": '
        f"{in_schema}}}}}}}\n```\n"
    )

    assert said(text) == ([("MC322", f"the default of `radius` is {told}")] if told else [])


def test_a_column_use_says_what_is_required() -> None:
    table = (
        "| Name | Type | Use | About |\n|---|---|---|---|\n"
        "| `person` | string | required | Whose. |\n"
        "| `until` | string | perhaps | When. |\n\n"
        '### Example\n\n```json\n{"tool": "find_notes", "arguments": {}}\n```\n'
    )

    assert said(f"{HEAD}{table}") == [
        ("MC332", "`perhaps` does not say whether `until` is required"),
        ("MC404", "the value of `arguments` lacks the required property `person`"),
    ]


@pytest.mark.parametrize(
    "label", ["**Response fields**", "**Result fields:**", "**Rückgabe**", "**Out:**", "Returned object:"]
)
def test_a_table_below_a_label_in_everyday_words_is_the_result(label: str) -> None:
    head = "# Notes MCP tools\n\n## find_notes\n\nFinds the notes of a person.\n\nTakes no parameters.\n\n"

    assert said(f"{head}{label}\n\n| Field | Type | About |\n|---|---|---|\n| `notes` | string | The notes. |\n") == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Not idempotent. Each call opens a run.", "no"),
        ("This tool is not idempotent.", "no"),
        ("No. Every call counts.", "no"),
        ("It is non-idempotent; do not retry.", "no"),
        ("Idempotent. The second call changes nothing.", "yes"),
        ("Yes, it may be repeated.", "yes"),
        ("A call can safely be repeated.", "yes"),
        ("Only idempotent if `key` is given.", "conditional"),
        ("Idempotent as long as the key stays the same.", "conditional"),
        ("See the notes on caching.", None),
        ("Each call puts another event into the calendar.", None),
    ],
)
def test_the_first_sentence_on_repetition_is_read(sentence: str, expected: str | None) -> None:
    text = f"## Tool: `notes.find`\n\n**Version**: 1.0.0\n\n### 6. Idempotency\n\n{sentence}\n"

    (tool,) = read_spec("notes.md", text).tools

    assert tool.contract.idempotent == expected


PARAMETERS = (
    "| Name | Type | Description |\n|---|---|---|\n| `person` | string | Whose. |\n| `limit` | integer | How many. |\n"
)


@pytest.mark.parametrize(
    ("prose", "name"),
    [
        ("Leave `persona` out to find all.", "persona"),
        ("Pass `max_count` to get fewer.", "max_count"),
        ("If `since` is given, older notes are left out.", "since"),
    ],
)
def test_an_unknown_parameter_in_the_purpose_is_reported(prose: str, name: str) -> None:
    text = HEAD.replace("Finds the notes", f"{prose} Finds the notes")

    assert said(f"{text}{PARAMETERS}") == [
        ("MC515", f"the text mentions the parameter `{name}`, which the tool does not have")
    ]


@pytest.mark.parametrize(
    "section", ["### Errors\n\n- `NotFound`: when `persn` is empty\n", "### Notes\n\nDo not set `persn` twice.\n"]
)
def test_names_in_errors_and_notes_are_looked_up_too(section: str) -> None:
    assert said(f"{HEAD}{PARAMETERS}\n{section}") == [
        ("MC515", "the text mentions the parameter `persn`, which the tool does not have")
    ]


@pytest.mark.parametrize(
    "prose",
    [
        "Set `NOTES_HOME` first.",
        "If `limit` is given, `person` must be as well.",
        "Set `timeout` in the configuration.",
        "If `count` is missing, nothing was found.",
        "Pass `null` for all.",
        "Pass `NoteStore` to share one.",
        "Pass `--fast` on the command line.",
        "Uses `ripgrep`.",
    ],
)
def test_names_of_other_things_are_no_parameters(prose: str) -> None:
    assert said(f"{HEAD.replace('Finds the notes', f'{prose} Finds the notes')}{PARAMETERS}") == []


@pytest.mark.parametrize(("successor", "is_told"), [("read_notes", True), ("list_notes", False)])
def test_a_purpose_copied_from_a_deprecated_tool_is_reported_except_for_its_successor(
    successor: str, is_told: bool
) -> None:
    purpose = "Finds the notes of a person in all languages. Takes no parameters. Returns a list.\n\n"
    text = (
        f"# Notes MCP tools\n\n## find_notes\n\n**Status**: deprecated (since 1.0.0, use `{successor}`)\n\n"
        f"{purpose}## list_notes\n\n{purpose}"
        "## read_notes\n\nReads one note aloud. Takes no parameters. Returns a file.\n"
    )

    told = [("MC514", "the description is the same as that of `find_notes`")]
    assert said(text) == (told if is_told else [])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('**Call:** `find_notes(person="a", limit="none")`', '`limit` is "none", not of type integer'),
        ("Example: `find_notes(who=3)`", "`who` is not a parameter of the tool"),
        ("### Examples\n\n- `find_notes(3)` finds all", "`person` is 3, not of type string"),
        ('### Examples\n\n`{"person": 5}`', "`person` is 5, not of type string"),
    ],
)
def test_a_call_in_a_line_of_code_is_judged(line: str, expected: str) -> None:
    assert [one for one in said(f"{HEAD}{PARAMETERS}\n{line}\n") if one[0] == "MC404"] == [("MC404", expected)]


CANONICAL = (
    "## Tool: `notes.find`\n\n**Version**: 1.0.0\n\n### 3. Input Schema (Parameters)\n\n```json\n"
    '{"type": "object", "properties": {"person": {"type": "string", "description": "Whose."}}}\n```\n\n'
    "### 7. Usage Examples\n\n"
)


def test_python_in_a_canonical_specification_is_judged_as_well() -> None:
    found = said(f"{CANONICAL}```python\nnotes.find(person=3)\n```\n\n```python\nnotes.find(person=\n```\n")

    assert [one for one in found if one[0] in ("MC402", "MC404")] == [
        ("MC404", "`person` is 3, not of type string"),
        ("MC402", "the code of the example is not valid Python"),
    ]


BROKEN = "MC402", "invalid JSON: "
A_NUMBER = "MC404", "`person` is 3, not of type string"


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        ('{"arguments": {"person": 3 // whose\n}}', [A_NUMBER, BROKEN]),
        ('{"arguments": {"person": 3,}}', [A_NUMBER, BROKEN]),
        ('{"arguments": {\n"person": "a\nb", "limit": 1}}', [BROKEN, ("MC404", "`limit` is not a parameter")]),
        ('{"arguments": {"person": 3, "person": }}', [BROKEN]),
    ],
)
def test_an_example_is_judged_although_its_json_is_broken(example: str, expected: list[tuple[str, str]]) -> None:
    found = [one for one in said(f"{CANONICAL}```json\n{example}\n```\n") if one[0] in ("MC402", "MC404")]

    assert [
        (code, message[: len(begin)]) for (code, message), (_, begin) in zip(found, expected, strict=True)
    ] == expected


@pytest.mark.parametrize("language", ["python", "javascript", "http", ""])
def test_a_request_is_json_in_a_block_of_any_language(language: str) -> None:
    request = '{"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "find_notes", "arguments": {"who": 3}}}'
    elsewhere = f"{HEAD}{PARAMETERS}\n## Usage\n\n```{language}\n// Finds notes\n{request}\n```\n"

    assert ("MC404", "`who` is not a parameter of the tool") in said(elsewhere)


def test_what_an_example_outside_of_all_tools_breaks_is_reported_with_its_tool() -> None:
    limited = PARAMETERS.replace("How many", "0-10. How many")
    text = f"{HEAD}{limited}\n## Usage\n\n```python\nfind_notes(person='a', limit=80)\n```\n"
    found = lint(Contracts((read_spec("notes.md", as_specification(text)),))).shown()

    assert [one.tool for one in found if one.code == "MC337"] == ["find_notes"]


def test_code_past_the_bounds_is_reported() -> None:
    many = "\n".join(["find(person='a')"] * 53)
    found = said(f"{CANONICAL}```python\n{many}\n```\n\n```python\nfind(person='a')\n{'# more' * 4_000}\n```\n")

    assert [message for code, message in found if code == "MC015"] == [
        "3 more calls are not checked: only the first 50 of a block are",
        "the code is not checked: it has 24,018 characters, more than 20,000",
    ]


@pytest.mark.parametrize("listed", ['one of "auto", "mono" or "color"', "one of `auto`, `mono` or `color`"])
def test_values_that_a_description_lists_are_all_that_is_offered(listed: str) -> None:
    text = (
        f"{HEAD}### Parameters\n\n- `color` (string, optional): {listed}\n\n### Examples\n\n`find_notes(color='red')`\n"
    )

    assert [code for code, _ in said(text)] == ["MC404"]


def test_a_value_that_an_error_tells_callers_to_send_is_reported_once_and_in_its_place() -> None:
    text = (Path(__file__).parents[1] / "specs" / "files" / "MCP_TOOL_SPECIFICATION.md").read_text(encoding="utf-8")
    at = text.index("- `EncodingError`")
    end = text.index("\n\n", at)
    text = f"{text[:at]}- `EncodingError`: when it is not UTF-8. Read it with `encoding` set to `hex`.{text[end:]}"

    found = lint(Contracts((read_spec("a/MCP_TOOL_SPECIFICATION.md", text),))).shown()

    line = text.count("\n", 0, at) + 1
    assert [(one.code, one.place.line, one.place.end_line) for one in found] == [("MC337", line, line)]


PREFIXED = """\
# Tool Specification: acme-find_notes

Finds the notes of a person.

## Parameters

| Parameter | Type | Required | Description |
|---|---|---|---|
| `word` | string | yes | The word to search for. |
| `limit` | integer | no | How many notes to return. |

Returns a list of texts.

## Usage

```
open_notes(book="diary")
find_notes(word="tea", limit="ten")
find_notes(wrod="tea")
```
"""


def test_a_call_in_code_omits_the_prefix_of_a_tool() -> None:
    told = said(PREFIXED)

    assert [code for code, _ in told] == ["MC404", "MC404"]


def test_a_call_in_code_is_of_no_tool_if_two_tools_end_with_its_name() -> None:
    other = PREFIXED.partition("## Parameters")[2].partition("## Usage")[0].replace("acme-", "rope-")
    text = PREFIXED.replace("# Tool Specification: acme-find_notes", "# Notes MCP tools\n\n## acme-find_notes", 1)
    text = f"{text.replace('## Parameters', '### Parameters').replace('## Usage', '### Usage')}\n"
    text += f"## rope-find_notes\n\nFinds the notes of a rope.\n\n### Parameters{other}"

    assert [code for code, _ in said(text)] == []


@pytest.mark.parametrize(
    ("description", "schema", "is_told"),
    [
        ("The ID of the folder, or null for the root.", {"type": "number"}, True),
        ("The ID of the folder. Omit it or use null for the root.", {"type": "string"}, True),
        ("The mark at the end: dot, bar, or null", {"type": "string"}, True),
        ("The ID of the folder, or null for the root.", {"type": ["number", "null"]}, False),
        ("The ID of the folder, or null for the root.", {"type": "number", "nullable": True}, False),
        ("The ID, or null for the root.", {"anyOf": [{"type": "number"}, {"type": "null"}]}, False),
        ("A list of words or null for a blank.", {"type": "array", "items": {}}, False),
        ("The ID of the folder. Fails if it is empty or null.", {"type": "string"}, False),
        ("The ID; must not be zero or null.", {"type": "number"}, False),
        ("Whether to store zeros or null for gaps.", {"type": "boolean"}, False),
        ("Its type, such as `text`, `number` or `text or null`.", {"type": "string"}, False),
    ],
)
def test_null_is_no_value_of_a_type_without_it(description: str, schema: dict[str, JsonValue], is_told: bool) -> None:
    value = {"type": "object", "properties": {"folder": {**schema, "description": description}}}
    tool = {"name": "list_notes", "description": "Lists the notes of a folder.", "inputSchema": value}

    found = lint(Contracts((read_tool_list("a.tools.json", json.dumps({"tools": [tool]})),))).shown()

    assert ("MC337" in [one.code for one in found]) is is_told


def test_an_object_that_shares_no_name_with_the_parameters_is_one_fault() -> None:
    table = "| Parameter | Type | Required |\n|---|---|---|\n| `room` | string | yes |\n| `hour` | integer | yes |\n"
    other = '{"berth": "B4", "nights": 2, "guest": "Eva"}'
    text = f"# Hotel: tools\n\n## `book_room`\n\nBooks a room.\n\n{table}\n**Example request**:\n\n```json\n{{}}\n```\n"

    assert [one for one in said(text.format(other)) if one[0] == "MC404"] == [
        ("MC404", "none of the arguments is a parameter of the tool: `berth`, `nights`, `guest`")
    ]
    misspelled = [one for one in said(text.format('{"roam": "R1", "hours": 3}')) if one[0] == "MC404"]
    assert [message for _, message in misspelled] == [
        "`roam` is not a parameter of the tool",
        "`hours` is not a parameter of the tool",
    ]
