"""The rules about defaults, unused definitions, similar descriptions, and names in descriptions."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, JsonValue, ToolListFile
from mcp_contracts.rules.behavior.likeness import descriptions_alike
from mcp_contracts.rules.behavior.mentions import unknown_name_in_description
from mcp_contracts.rules.schemas.properties import property_without_description
from mcp_contracts.rules.schemas.references import unused_definition
from mcp_contracts.rules.schemas.required import required_property_undefined
from mcp_contracts.rules.schemas.validity import unknown_keyword
from mcp_contracts.rules.schemas.values import (
    null_default_not_allowed,
    required_property_with_default,
    value_refused_by_own_schema,
)
from mcp_contracts.sources.tool_lists import read_tool_list
from tests.support_names import messages
from tests.support_schemas import found, tool_schema


def tool_list(*tools: Mapping[str, JsonValue]) -> ToolListFile:
    return read_tool_list("tools.json", json.dumps({"tools": list(tools)}))


def named(name: str, description: str, **properties: JsonValue) -> dict[str, JsonValue]:
    return {"name": name, "description": description, "inputSchema": {"type": "object", "properties": properties}}


def schema(required: list[JsonValue] | None = None, **properties: JsonValue) -> dict[str, JsonValue]:
    return {"type": "object", "properties": properties, "required": required or []}


# Defaults


def test_a_required_parameter_with_a_default_is_found_at_any_depth() -> None:
    inner = schema(["b"], b={"type": "string", "default": "x"})
    value = schema(["a"], a={"type": "integer", "default": 1}, c=inner, d={"default": 1})
    file = tool_list({"name": "tides_next", "inputSchema": value})

    assert messages(required_property_with_default, file) == [
        "`a` is required but has a default",
        "`c.b` is required but has a default",
    ]


@pytest.mark.parametrize("part", ["input", "output"])
def test_a_constant_and_a_result_may_have_a_default_and_be_required(part: str) -> None:
    member: JsonValue = {"const": "a", "default": "a"} if part == "input" else {"type": "string", "default": "a"}
    file = tool_list({"name": "tides_next", f"{part}Schema": schema(["a"], a=member)})

    assert messages(required_property_with_default, file) == []


def test_a_default_of_null_is_a_note_and_no_error() -> None:
    value = tool_schema(schema(a={"type": "string", "default": None}, b={"type": ["string", "null"], "default": None}))

    assert [finding.message for finding in found(null_default_not_allowed, value)] == [
        "the default of `a` is null, not of type string"
    ]
    assert found(value_refused_by_own_schema, value) == []


# Definitions and branches


def test_definitions_that_nothing_leads_to_are_reported_once_and_not_judged() -> None:
    lacking: JsonValue = {"type": "object", "properties": {"x": {"type": "string"}}}
    value: JsonValue = {
        **schema(a={"$ref": "#/$defs/Used", "description": "A."}),
        "$defs": {"Used": {"type": "string"}, "Old": {"$ref": "#/$defs/Older"}, "Older": lacking},
    }

    assert [one.message for one in found(unused_definition, tool_schema(value))] == [
        "nothing refers to `Old` and `Older`"
    ]
    assert found(property_without_description, tool_schema(value)) == []


@pytest.mark.parametrize(
    "reference",
    ["#/$defs/A", "#/$defs/A/properties/b", "#/%24defs/A", "#anchor", "#/$defs/Misspelled", "https://x.test/y"],
)
def test_a_definition_that_may_be_meant_is_not_unused(reference: str) -> None:
    definition: JsonValue = {"$anchor": "anchor", "type": "object", "properties": {"b": {"type": "string"}}}
    value: JsonValue = {**schema(a={"$ref": reference}), "$defs": {"A": definition}}

    assert found(unused_definition, tool_schema(value)) == []


def test_a_property_that_two_branches_have_alike_is_one_finding() -> None:
    branch: JsonValue = {"type": "object", "properties": {"kind": {"type": "string"}}}
    value = tool_schema({"type": "object", "anyOf": [branch, branch]})

    (finding,) = found(property_without_description, value)

    assert finding.pointer == "/anyOf/0/properties/kind"


def test_the_result_that_a_server_wraps_around_a_value_needs_no_description() -> None:
    wrapped: JsonValue = schema(["result"], result={"type": "string"})

    assert found(property_without_description, tool_schema(wrapped, "output")) == []
    assert len(found(property_without_description, tool_schema(wrapped, "input"))) == 1


def test_a_misspelled_properties_is_one_finding_at_the_keyword() -> None:
    value: JsonValue = {"type": "object", "propreties": {"a": {}, "b": {}}, "required": ["a", "b"]}

    (finding,) = found(required_property_undefined, tool_schema(value))

    assert finding.message == "`a` and `b` are required but not defined: `propreties` is unknown"
    assert (finding.hint, finding.pointer) == ("write `properties` for `propreties`", "/required/0")
    assert found(unknown_keyword, tool_schema(value)) == []


# Descriptions that are alike


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        (("a_x", "Returns every record in the store."), ("b_y", "Returns every record in the store."), "the same"),
        (("a_x", "Gets the weather for a city."), ("b_y", "Get weather of the given city"), "the same"),
        (
            ("a_x", "Searches the knowledge base for documents that match a query."),
            ("b_y", "Query the knowledge base for documents that match a query."),
            "nearly the same",
        ),
    ],
)
def test_two_tools_that_say_the_same_are_distinguished_by_neither(
    first: tuple[str, str], second: tuple[str, str], says: str
) -> None:
    file = tool_list(named(*first), named(*second))

    assert messages(descriptions_alike, file) == [f"the description is {says} as that of `{first[0]}`"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("open_issue", "Opens an issue of the repository."), ("close_issue", "Closes an issue of the repository.")),
        (("get_user", "Gets one user by their identifier."), ("get_team", "Gets one team by its identifier.")),
        (("v1", "Runs job 1 of the nightly batch."), ("v2", "Runs job 2 of the nightly batch.")),
        (("a", "Lists files."), ("b", "Lists files and folders.")),
        (("drain", "Remove all jobs from a queue."), ("drop", "Remove a job from the queue.")),
        (
            ("callers", "Finds all functions that call the one given."),
            ("callees", "Finds all functions called by the one given."),
        ),
        (("get_boat", "Gets a boat from the harbor."), ("list_boats", "Gets boats from the harbor.")),
        (("mast_get", "Read a mast from the yard book."), ("mast_set", "Write a mast to the yard book.")),
        (("get_crew", "Gets sailors of a given boat."), ("get_size", "Gets the number of sailors of a given boat.")),
        (
            ("function_details", "Gets details about a sail maker function."),
            ("maker_details", "Gets detailed information about a sail maker."),
        ),
        (("pull", "Copies a file from the server."), ("push", "Copies a file to the server.")),
        (("fetch_log", "Fetch the log book of a boat."), ("get_log", "Get the log book of a boat.")),
        (
            ("list_docs", "Lists the documents of your drive, with optional filtering by name."),
            ("list_sheets", "Lists the spreadsheets of your drive, with optional filtering by name"),
        ),
        (("a", ""), ("b", "")),
        (("a", "boats:read"), ("b", "boats:read")),
        (
            ("a", "**Write tool - the gateway is required.**\n\nSinks a boat."),
            ("b", "**Write tool - the gateway is required.**\n\nPaints a boat."),
        ),
        (
            ("a", "[DEPRECATED] This tool was consolidated into `boats` last year.\n\nSinks."),
            ("b", "[DEPRECATED] This tool was consolidated into `boats` last year.\n\nDyes."),
        ),
        (("a", "TODO"), ("b", "TODO")),
    ],
)
def test_tools_that_differ_in_what_their_names_say_are_not_alike(
    first: tuple[str, str], second: tuple[str, str]
) -> None:
    assert messages(descriptions_alike, tool_list(named(*first), named(*second))) == []


def test_two_tools_with_one_title_are_alike() -> None:
    first, second = named("a", "Moves a file."), named("b", "Deletes a folder.")

    assert messages(descriptions_alike, tool_list({**first, "title": "Move"}, {**second, "title": "Move"})) == [
        "the title is the same as that of `a`"
    ]


def test_a_title_that_is_the_name_of_two_tools_of_other_modules_is_none_of_another() -> None:
    first, second = named("yard_moveURLV1", "Moves a link."), named("shop_moveURLV1", "Moves a boat to a bay.")

    assert (
        messages(descriptions_alike, tool_list({**first, "title": "Move URL"}, {**second, "title": "Move URL"})) == []
    )


def test_each_tool_is_compared_with_few_others_however_many_there_are() -> None:
    said = [named(f"t{number}", f"Gets the record number {number} of the store.") for number in range(3_000)]

    assert messages(descriptions_alike, tool_list(*said)) == []


# Names in descriptions


READ = named("read_file", "Reads a file.", path={"type": "string"})


@pytest.mark.parametrize(
    ("description", "names"),
    [
        ("Use the `list_files` tool first.", ["list_files"]),
        ("Use `list_files` first.", ["list_files"]),
        ("Call the list_files tool before this one.", ["list_files"]),
        ("See the tool 'raed_file'.", ["raed_file"]),
        ("The `encoding` parameter is optional.", ["encoding"]),
        ("Set the parameter `encoding` to choose one.", ["encoding"]),
        ("Use the `read_file` tool, or `readFile`.", []),
        ("Works like the `grep` tool.", []),
        ("Use `step_order` to order them.", []),
        ("Some fields, such as `minLines`, are null for others.", []),
        ("See `scope_coverage` and the notes of the result.", []),
        ("Use the `list_files` tool of the files server.", []),
        ("The `path` parameter is that of `read_file`.", []),
        ("The `q` parameter of the API is filled in.", []),
        ("Use `snake_case` for names, and `max_lines` to limit them.", []),
        ("Run `npm install` and call `open()`.", []),
        ("Use max_depth with `kind` `find_words`: call find_words first.", []),
        ("Lists users (`/rest/users`, use the `query` param).", []),
        ("Query param: `deep=true` to search folders.", []),
        ("Finds words, as in the callback URL (the 'code' parameter).", []),
        ("Set `deep=true` to search folders.", ["deep"]),
        ("Then call read_file with the max_lines.", []),
        ("Pauses it (sets `deep=true`).", []),
        ("Pass the `nextLine` value from the last response.", []),
        ("Raises an error with a payload (`code`, `find_id`).", []),
        ("Named after one of:\n- `max_rows`\n- `text`", []),
        ("Finds words (needs `sailctl`, a program).", []),
        ("Reads lines; unknown values use `normal` (default `5`).", []),
    ],
)
def test_a_name_that_is_called_a_tool_or_a_parameter_must_exist(description: str, names: list[str]) -> None:
    kind: JsonValue = {"anyOf": [{"const": "find_words"}, {"const": "find_lines"}]}
    properties: dict[str, JsonValue] = {"text": {"type": "string"}, "maxLines": {"type": "integer"}, "kind": kind}
    file = tool_list(READ, named("find_text", description, **properties))

    said = messages(unknown_name_in_description, file)

    assert [message.split("`")[1] for message in said] == names


def test_an_environment_variable_is_not_a_tool() -> None:
    said = "Finds lines, cached as set via `VAULT_CACHE_MS`. See `vault_cache_ms`."
    file = tool_list(*(named(f"vault_{verb}_lines", said) for verb in ("find", "read")))

    assert [message.split("`")[1] for message in messages(unknown_name_in_description, file)] == ["vault_cache_ms"] * 2


def test_a_condition_may_be_about_a_field_of_a_result_without_a_schema() -> None:
    properties: dict[str, JsonValue] = {name: {"type": "integer"} for name in ("min_lines", "max_lines")}
    said = "Checks a file between min_lines and max_lines. If {} is true, use read_file."
    files = [tool_list(READ, named("check_file", said.format(name), **properties)) for name in ("is_text", "min_line")]

    assert [len(messages(unknown_name_in_description, file)) for file in files] == [0, 1]


def test_a_name_without_marks_that_only_begins_like_a_tool_is_not_one() -> None:
    file = tool_list(named("boat_data", "Returns the current boat_card in the style 'of a boat', as list_cards says."))

    assert messages(unknown_name_in_description, file) == []


def test_tools_of_single_words_show_no_style() -> None:
    file = tool_list(named("read", "Reads. Use the `no_such_tool` tool first."), named("write", "Writes a file."))

    assert len(messages(unknown_name_in_description, file)) == 1


def test_tools_named_in_another_style_are_not_meant() -> None:
    file = tool_list(named("readFile", "Reads. Use the `no_such_tool` tool first."), named("write", "Writes a file."))

    assert messages(unknown_name_in_description, file) == []


def test_a_parameter_s_own_description_is_judged_too() -> None:
    file = tool_list(named("find_text", "Finds.", text={"type": "string", "description": "See the `mode` parameter."}))

    assert messages(unknown_name_in_description, file) == [
        "the description mentions the parameter `mode`, which the tool does not have"
    ]


@pytest.mark.parametrize("kind", [{"a": 1}, [["string"]], 5, [{}]])
def test_a_type_that_is_none_ends_no_run(kind: JsonValue) -> None:
    texts: dict[str, JsonValue] = {"logoAltText": {"type": kind}, "longTitleText": {"type": "string"}}
    note: JsonValue = {"type": "object", "description": "The note.", "properties": texts}

    codes = {one.code for one in lint(Contracts((tool_list(named("send_note", "Sends a note.", note=note)),))).shown()}

    assert "MC307" in codes
