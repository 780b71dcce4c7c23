"""The portability rules: what each provider rejects, which targets are named, and who gets no findings."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import JsonValue
from mcp_contracts.diagnostics import Diagnostic, Part, Severity
from mcp_contracts.errors import UsageError
from mcp_contracts.providers.limits import table
from mcp_contracts.providers.limits.provider import Basis
from mcp_contracts.providers.limits.table import TARGETS, read_targets
from mcp_contracts.rules.base import RuleOptions
from mcp_contracts.rules.portability import schemas as portability_schemas
from mcp_contracts.rules.portability import tools as portability
from mcp_contracts.rules.registry import LINT_RULES, PORTABILITY, PORTABILITY_ON_DEMAND, PORTABILITY_TARGETS
from mcp_contracts.sources.load import load
from tests.support_names import contract, findings, listed, messages, spec, spec_tool
from tests.support_schemas import tool_schema
from tests.tables import each

CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")
SERVERS = sorted(Path(CORPUS, "corpus", "servers").rglob("*.json")) if CORPUS else []
OF_REAL_SERVERS = pytest.mark.skipif(not SERVERS, reason="MCP_CONTRACTS_CORPUS names no corpus of tool lists")
BASES = [
    *(name.basis for name in (*table.TOOL_NAMES, *table.PARAMETER_NAMES)),
    *(keyword.basis for keyword in (*table.ROOT_KEYWORDS, *table.LACKING_KEYWORDS)),
    *(count.basis for count in (*table.TOOL_COUNTS, *table.DESCRIPTION_LENGTHS)),
    *(*table.ROOT_PROPERTIES, table.STRICT_SUBSET, table.STRICT_DEPTH_OF_SOME_MODELS.basis),
    *(table.OUTPUT_ROOT, table.HEADER_ANNOTATION),
]


def meant_for(*names: str) -> RuleOptions:
    return RuleOptions(targets=read_targets(names))


FOUR = meant_for("mcp", "openai", "openai-strict", "anthropic", "gemini")
"""Targets whose limits the tests quote; more may be added to the table."""


def header(value: JsonValue, type_name: JsonValue = "string") -> dict[str, JsonValue]:
    return {"type": type_name, "x-mcp-header": value}


def header_faults(properties: dict[str, JsonValue], **others: JsonValue) -> list[str]:
    schema = tool_schema({"type": "object", "properties": properties, **others})
    found = messages(portability.header_annotation_misused, schema)
    return [message.partition(", and clients")[0] for message in found]


def of_portability(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    return [diagnostic.code for diagnostic in diagnostics if diagnostic.code.startswith(PORTABILITY)]


# The limits


@each("basis", BASES, ids=lambda basis: f"{basis.provider}-{basis.source}")
def test_a_limit_says_whom_it_concerns_how_sure_it_is_and_where_it_is_known_from(basis: Basis) -> None:
    assert basis.provider
    assert basis.targets
    assert basis.certainty in ("documented", "reported")
    assert basis.source


def test_targets_are_read_by_name_and_by_group_each_once() -> None:
    names = {word: [target.name for target in read_targets(word.split())] for word in ("gemini openai gemini", "mcp")}

    assert names == {"gemini openai gemini": ["openai", "gemini"], "mcp": ["mcp-2025-11-25", "mcp-2026-07-28"]}
    assert read_targets(["all"]) == TARGETS
    assert read_targets([]) == ()


def test_an_unknown_target_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="unknown target `antropic`") as raised:
        read_targets(["antropic"])

    assert raised.value.hint == "did you mean `anthropic`?"


# Names


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("get_forecast", []),
        ("get-forecast", []),
        ("x" * 64, []),
        (
            "weather.get",
            ["name `weather.get` contains `.`, which is rejected (OpenAI, documented; Anthropic, reported)"],
        ),
        ("x" * 65, [f"name `{'x' * 59}…` is 65 characters long, over the limit of 64 (OpenAI, documented)"]),
        ("3d_render", ["name `3d_render` begins with `3`, which is rejected (Gemini, documented)"]),
        (
            "3d.render",
            [
                "name `3d.render` contains `.`, which is rejected (OpenAI, documented; Anthropic, reported), and "
                "begins with `3`, which is rejected (Gemini, documented)"
            ],
        ),
    ],
)
def test_the_name_of_a_listed_tool_is_checked_against_each_provider(name: str, expected: list[str]) -> None:
    assert messages(portability.name_refused_by_provider, listed({"name": name}), FOUR) == expected


def test_the_dots_of_a_specification_are_no_fault() -> None:
    assert messages(portability.name_refused_by_provider, spec(spec_tool("weather.get_forecast")), FOUR) == []


def test_a_long_name_of_a_specification_is_one() -> None:
    found = messages(portability.name_refused_by_provider, spec(spec_tool(f"weather.{'x' * 57}")), FOUR)

    assert [message.partition("` ")[2] for message in found] == [
        "is 66 characters long, over the limit of 64 (OpenAI, documented)"
    ]


def test_a_hint_for_a_name_is_one_that_every_provider_takes() -> None:
    (finding,) = findings(portability.name_refused_by_provider, listed({"name": "weather.get"}))

    assert finding.hint is not None
    assert "`weather__get`" in finding.hint


def test_a_name_is_checked_only_against_the_targets() -> None:
    dotted = listed({"name": "weather.get"})

    assert messages(portability.name_refused_by_provider, dotted, meant_for("gemini")) == []
    assert messages(portability.name_refused_by_provider, dotted, meant_for("anthropic")) == [
        "name `weather.get` contains `.`, which is rejected (Anthropic, reported)"
    ]


@pytest.mark.parametrize("name", ["top", "_top", "x" * 64])
def test_a_parameter_that_every_provider_takes_is_passed_over(name: str) -> None:
    schema = tool_schema({"type": "object", "properties": {name: {"type": "string"}}})

    assert messages(portability.parameter_name_refused_by_provider, schema, FOUR) == []


def test_each_refused_parameter_is_reported_with_whom_it_concerns() -> None:
    names = ("$top", "$filter", "page-size", "3d")
    schema = tool_schema({"type": "object", "properties": {name: {"type": "string"} for name in names}})

    assert messages(portability.parameter_name_refused_by_provider, schema, FOUR) == [
        "the name of the parameter `$top` is rejected (Gemini, documented; Anthropic, reported)",
        "the name of the parameter `$filter` is rejected (Gemini, documented; Anthropic, reported)",
        "the name of the parameter `page-size` is rejected (Gemini, documented)",
        "the name of the parameter `3d` is rejected (Gemini, documented)",
    ]


# Roots


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf", "allOf"])
def test_a_combinator_at_the_root_is_refused_by_all_providers(keyword: str) -> None:
    schema = tool_schema({"type": "object", "properties": {}, keyword: [{"required": ["a"]}]})

    assert messages(portability.root_combinator, schema, FOUR) == [
        f"the input schema has `{keyword}` at its root, where it is rejected (OpenAI, Anthropic and Gemini, reported)"
    ]


def test_a_root_enum_is_reported_for_the_provider_that_rejects_it() -> None:
    schema = tool_schema({"type": "object", "properties": {}, "enum": [{}]})

    assert messages(portability.root_combinator, schema) == [
        "the input schema has `enum` at its root, where it is rejected (OpenAI, reported)"
    ]
    assert messages(portability.root_combinator, schema, meant_for("anthropic")) == []


def test_a_combinator_below_the_root_or_of_an_output_is_ignored() -> None:
    below = tool_schema({"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}})
    output = tool_schema({"type": "object", "anyOf": [{"required": ["a"]}]}, "output")

    assert messages(portability.root_combinator, below) == []
    assert messages(portability.root_combinator, output) == []


def test_a_root_without_properties_is_reported_for_openai() -> None:
    schema = tool_schema({"type": "object", "additionalProperties": False})

    assert messages(portability.root_without_properties, schema) == [
        "the input schema has no `properties`, which is rejected (OpenAI, reported)"
    ]
    assert messages(portability.root_without_properties, schema, meant_for("anthropic")) == []


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "array"}, 'has the type "array", not `object`'),
        ({"type": ["object", "null"]}, 'has the type ["object", "null"], not `object`'),
        ({"anyOf": [{"type": "object"}]}, 'does not declare `"type": "object"`'),
        (True, "is true, not an object schema"),
    ],
)
def test_an_output_schema_whose_root_is_not_an_object_is_refused_by_clients_of_2025(
    schema: JsonValue, fault: str
) -> None:
    found = messages(portability.output_root_not_object, tool_schema(schema, "output"))

    accepted = f"the output schema {fault}: MCP 2026-07-28 allows it"
    assert found == [f"{accepted}, but older clients reject the whole list (MCP 2025-11-25, documented)"]


def test_any_output_schema_is_right_for_2026() -> None:
    schema = tool_schema({"type": "array"}, "output")

    assert messages(portability.output_root_not_object, schema, meant_for("mcp-2026-07-28")) == []


# Counts


@pytest.mark.parametrize(("count", "is_found"), [(128, False), (129, True)])
def test_more_than_128_tools_are_too_many_for_openai(count: int, is_found: bool) -> None:
    file = listed(*({"name": f"get_{number}"} for number in range(count)))

    assert bool(messages(portability.too_many_tools, file, FOUR)) is is_found
    assert messages(portability.too_many_tools, file, meant_for("gemini")) == []


@pytest.mark.parametrize(("length", "is_found"), [(1024, False), (1025, True)])
def test_more_than_1024_characters_are_too_many_for_openai(length: int, is_found: bool) -> None:
    described = contract(description="x" * length)

    assert bool(messages(portability.description_past_provider_limit, described, FOUR)) is is_found
    assert messages(portability.description_past_provider_limit, described, meant_for("gemini")) == []


# Headers


@pytest.mark.parametrize(
    ("annotated", "fault"),
    [
        (header(""), "`x-mcp-header` of `a` is ``, which is not a valid header name"),
        (header("My Region"), "`x-mcp-header` of `a` is `My Region`, which is not a valid header name"),
        (header("Région"), "`x-mcp-header` of `a` is `Région`, which is not a valid header name"),
        (header(True), "`x-mcp-header` of `a` is true, not the name of a header"),
        (header("A", "number"), '`x-mcp-header` of `a` is on a property of type "number"'),
        (header("A", ["string", "null"]), '`x-mcp-header` of `a` is on a property of type ["string", "null"]'),
        (header("A", None), "`x-mcp-header` of `a` is on a property that states no type"),
    ],
)
def test_a_header_that_no_client_takes_is_reported(annotated: dict[str, JsonValue], fault: str) -> None:
    assert header_faults({"a": annotated}) == [fault]


@pytest.mark.parametrize("type_name", ["string", "integer", "boolean"])
def test_a_header_of_a_plain_value_is_right_at_any_depth(type_name: str) -> None:
    below: JsonValue = {"type": "object", "properties": {"b": header("B", type_name)}}

    assert header_faults({"a": header("A", type_name), "below": below}) == []


def test_two_headers_that_differ_only_in_case_are_one() -> None:
    assert header_faults({"a": header("Region"), "b": header("REGION")}) == [
        "`x-mcp-header` of `b` is `REGION`, which `a` already uses"
    ]


@pytest.mark.parametrize(
    "others",
    [
        {"x-mcp-header": "Root"},
        {"$defs": {"a": header("A")}},
        {"anyOf": [{"properties": {"a": header("A")}}]},
        {"properties": {"list": {"type": "array", "items": header("A")}}},
    ],
)
def test_a_header_that_is_not_only_below_properties_is_reported(others: dict[str, JsonValue]) -> None:
    schema = tool_schema({"type": "object", "properties": {}, **others})

    (message,) = messages(portability.header_annotation_misused, schema)

    assert "is not on a property that is reached only through `properties`" in message


@pytest.mark.parametrize(
    ("name", "is_found"),
    [("password", True), ("apiKey", True), ("access_token", True), ("region", False), ("max_tokens", False)],
)
def test_a_secret_in_a_header_is_reported_by_its_name(name: str, is_found: bool) -> None:
    schema = tool_schema({"type": "object", "properties": {name: header("Name")}})

    assert bool(messages(portability.secret_mirrored_in_header, schema)) is is_found


KEYWORDS = st.sampled_from(
    [
        *("type", "properties", "required", "additionalProperties", "items", "anyOf", "allOf", "oneOf", "not", "enum"),
        *("const", "$ref", "$defs", "x-mcp-header", "minLength", "uniqueItems", "prefixItems", "patternProperties"),
        *("default", "description", "a", "$top", "é", ""),
    ]
)
HEADERS = st.sampled_from(["A", "a", "B", "", "a b", "é", 7, None, "x-y", "A:"])
ANNOTATED = st.fixed_dictionaries(
    {"type": st.sampled_from(["string", "integer", "boolean", "number", "object", ["string"], None])},
    optional={"x-mcp-header": HEADERS},
)
HOLDING = st.recursive(
    ANNOTATED,
    lambda inner: st.fixed_dictionaries(
        {"type": st.just("object")},
        optional={
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
            "items": inner,
            "anyOf": st.lists(inner, max_size=2),
            "$defs": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
            "x-mcp-header": HEADERS,
        },
    ),
    max_leaves=6,
)


@given(schema=HOLDING)
def test_a_header_is_reported_where_the_official_client_drops_the_tool(schema: dict[str, JsonValue]) -> None:
    inbound = pytest.importorskip("mcp.shared.inbound", reason="needs pip install 'mcp-contracts[oracles]'")

    found = messages(portability.header_annotation_misused, tool_schema(schema))

    assert bool(found) is (inbound.find_invalid_x_mcp_header(schema) is not None)


# Subsets


def test_a_keyword_that_two_subsets_lack_is_one_finding_at_each_place() -> None:
    schema = tool_schema(
        {
            "type": "object",
            "properties": {
                "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
                "kinds": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            },
        }
    )

    assert messages(portability_schemas.keyword_outside_subset, schema) == [
        f"`uniqueItems` in `{name}` is outside the schema subset (OpenAI strict and Gemini, documented)"
        for name in ("tags", "kinds")
    ]


def test_each_keyword_that_a_subset_lacks_is_reported() -> None:
    place: JsonValue = {"type": "string", "minLength": 1, "maxLength": 80}
    schema = tool_schema({"type": "object", "properties": {"word": {"type": "string"}, "place": place}})

    assert messages(portability_schemas.keyword_outside_subset, schema) == [
        f"`{keyword}` in `place` is outside the schema subset (OpenAI strict, documented)"
        for keyword in ("minLength", "maxLength")
    ]


def test_a_schema_that_strict_mode_takes_as_it_is_triggers_nothing() -> None:
    schema = tool_schema(
        {
            "type": "object",
            "properties": {"word": {"type": "string"}, "limit": {"type": ["integer", "null"]}},
            "required": ["word", "limit"],
            "additionalProperties": False,
        }
    )

    for rule in LINT_RULES:
        if rule.info.code in PORTABILITY_TARGETS and rule.scope == "ToolSchema":
            assert messages(rule, schema) == []


def test_what_keeps_a_schema_from_strict_mode_is_counted_in_one_note() -> None:
    schema = tool_schema({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}})

    assert messages(portability_schemas.not_strict_ready, schema) == [
        "the schema is not ready for strict mode: 2 optional properties, 1 open object (OpenAI strict, documented)"
    ]
    assert messages(portability_schemas.not_strict_ready, schema, meant_for("openai")) == []


def test_more_values_than_strict_mode_takes_are_reported_with_the_limit() -> None:
    values: JsonValue = [f"value {number}" for number in range(1001)]
    schema = tool_schema({"type": "object", "properties": {"a": {"type": "string", "enum": values}}, "required": ["a"]})

    assert messages(portability_schemas.strict_limit_exceeded, schema) == [
        "the schema has 1,001 enum values, and strict mode accepts at most 1,000 (OpenAI strict, documented)"
    ]
    assert messages(portability_schemas.no_strict_form, schema) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 300) | st.text("aé._$ ", max_size=4) | st.sampled_from(["object", "#"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYWORDS, inner, max_size=5),
    max_leaves=20,
)


@given(schema=st.dictionaries(KEYWORDS, JSON, max_size=6) | JSON, part=st.sampled_from(["input", "output"]))
def test_no_schema_makes_a_rule_raise(schema: JsonValue, part: Part) -> None:
    subject = tool_schema(schema, part)

    for rule in LINT_RULES:
        if rule.info.code in PORTABILITY_TARGETS and rule.scope == "ToolSchema":
            messages(rule, subject)


# Which of them run


def test_every_rule_about_portability_says_its_targets() -> None:
    codes = {rule.info.code for rule in LINT_RULES if rule.info.code.startswith(PORTABILITY)}

    assert codes == PORTABILITY_TARGETS.keys()
    assert codes - PORTABILITY_ON_DEMAND == {"MC602", "MC613"}


def test_what_the_rules_say_is_sourced_and_rated_in_their_rationale() -> None:
    for rule in LINT_RULES:
        if rule.info.code in PORTABILITY_TARGETS:
            rationale = " ".join(rule.info.rationale.split())

            assert "documented" in rationale or "reported" in rationale, rule.info.code


def test_the_list_that_was_taken_back_is_an_error_without_any_option(tmp_path: Path) -> None:
    # What github-mcp-server v1.10.0 shipped, in short.
    path = tmp_path / "tools.json"
    properties = {"issue_number": {"type": "number", "description": "The number of the issue to comment on."}}
    path.write_text(
        json.dumps(
            {
                "tools": [
                    {
                        "name": "add_issue_comment",
                        "description": "Add a comment to an issue, or a reaction to a comment.",
                        "inputSchema": {
                            "type": "object",
                            "properties": properties,
                            "anyOf": [{"required": ["issue_number"]}],
                        },
                    }
                ]
            }
        )
    )

    found = lint(load(path)).shown()

    assert [(diagnostic.code, diagnostic.severity) for diagnostic in found] == [("MC602", Severity.ERROR)]


@OF_REAL_SERVERS
def test_no_list_of_a_real_server_is_bothered_without_a_target() -> None:
    assert [path for path in SERVERS if of_portability(lint(load(path)).shown())] == []


@OF_REAL_SERVERS
def test_a_diagnostic_about_a_real_server_is_given_once_for_all_targets() -> None:
    for path in SERVERS:
        shown = lint(load(path), targets=["all"]).shown()
        keys = [(one.code, one.tool, one.part, one.pointer) for one in shown if one.code.startswith(PORTABILITY)]

        assert len(set(keys)) == len(keys), path
