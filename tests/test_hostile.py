"""Untrusted schemas, lists, specifications and calls end with a report or a message, within little time and memory."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts import ToolRegistry
from mcp_contracts.change import Verdict
from mcp_contracts.changes.questions import LEAST_STEPS
from mcp_contracts.changes.schemas import compare_schemas
from mcp_contracts.checks.lint import lint
from mcp_contracts.cli.app import run
from mcp_contracts.comparison.declared.places import PlaceTree
from mcp_contracts.contract import Contracts, JsonValue
from mcp_contracts.diagnostics import Severity
from mcp_contracts.errors import UsageError
from mcp_contracts.inclusion.decision import inclusion
from mcp_contracts.patterns import languages
from mcp_contracts.providers.strict.form import strict_form
from mcp_contracts.rules.running.engine import MOST_FINDINGS
from mcp_contracts.rules.schemas.declared_inputs import declared_input
from mcp_contracts.runtime.table import MOST_VERSIONS
from mcp_contracts.runtime.telemetry.redaction import REDACTED, redacted
from mcp_contracts.schema import effort
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.validation import many_values
from mcp_contracts.schema.validation.compiled import RefusalKind
from mcp_contracts.schema.validation.many_values import verdicts
from mcp_contracts.schema.validation.validators import compile_schema, instance_errors
from mcp_contracts.sources.documents import read_source
from mcp_contracts.sources.tool_lists import MOST_TOOLS
from mcp_contracts.witnesses.candidates import build_variants, candidates
from mcp_contracts.witnesses.suggestions import bounds, outline_of
from tests import hostile
from tests.sweeps import share, size, sweep

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are bounded as POSIX has it")

if sys.platform != "win32":
    from tests import hostile_runs

WAYS = ("allOf", "anyOf", "required", "unevaluatedProperties")
CALLS = ("kinds", "object-large", "tree")


def problems_of(folder: Path, runs: Any) -> list[str]:
    """Return the problems of some commands, each in a separate process."""
    ended = ((name, hostile_runs.ended(act, folder)) for name, act in runs)
    return [f"{name}: {how.problem}" for name, how in ended if how.problem is not None]


# References that multiply


@sweep
@pytest.mark.parametrize("way", share(WAYS, 2))
def test_references_that_multiply_stall_no_command(way: str, tmp_path: Path) -> None:
    hostile_runs.prepare(tmp_path, hostile.multiplied(way))
    wanted = ("lint", "lint-implementation", "export-openai-strict", "diff-to-plain")

    runs = [*hostile_runs.commands("tools.json"), *hostile_runs.comparisons()]

    assert problems_of(tmp_path, [(name, act) for name, act in runs if name in wanted]) == []


def test_each_place_is_queried_once_for_each_type() -> None:
    tree = PlaceTree(hostile.rooted("allOf"), Dialect.DRAFT_2020_12)

    assert tree.may_be(tree.root, "string") is False
    assert len(tree._possible) < 300


def test_whether_a_strict_form_takes_null_is_found_however_often_its_definitions_refer_to_each_other() -> None:
    schema = hostile.multiplied("anyOf")
    definitions: Any = schema["$defs"]
    definitions["d12"] = {"type": ["integer", "null"]}

    assert strict_form(schema).schema is not None


def test_values_are_built_once_for_each_definition() -> None:
    outline = outline_of(hostile.multiplied("required"))

    list(build_variants(outline, (outline.schema,)))

    assert len(outline.built) < 1_000


def test_candidates_for_a_wide_and_deep_schema_are_few() -> None:
    assert sum(1 for _ in candidates(hostile.multiplied("required"), False, most=2_000)) <= 2_000


@sweep
def test_definitions_of_one_anchor_and_a_wide_table_and_many_placeholders_stall_no_command(tmp_path: Path) -> None:
    hostile_runs.prepare(tmp_path, hostile.one_anchor(size(5_000, 10)))
    (tmp_path / "wide.md").write_text(hostile.wide_table(size(9_000, 10), size(20_000, 10)), encoding="utf-8")
    (tmp_path / "placeholders.md").write_text(hostile.placeholders(size(25_000, 10)), encoding="utf-8")

    runs = [(source, dict(hostile_runs.commands(source))) for source in ("tools.json", "wide.md", "placeholders.md")]
    wanted = [(f"{command} {source}", acts[command]) for source, acts in runs for command in ("lint", "export-openai")]

    assert problems_of(tmp_path, wanted) == []


# Compiling


@pytest.mark.parametrize("keyword", ["unevaluatedProperties", "unevaluatedItems"])
def test_a_schema_whose_unevaluated_has_too_many_branches_is_not_compiled(keyword: str) -> None:
    schema = {**hostile.rooted("anyOf"), keyword: False}

    refusal = compile_schema(schema).refusal

    assert refusal is not None
    assert refusal.kind is RefusalKind.TOO_LARGE


def test_definitions_that_refer_to_each_other_from_unevaluated_inside_branches_are_not_compiled() -> None:
    refusal = compile_schema(hostile.unevaluated_definitions(6)).refusal

    assert refusal is not None
    assert refusal.kind is RefusalKind.TOO_LARGE
    assert compile_schema(hostile.unevaluated_definitions(3)).validator is not None


def test_a_chain_of_references_below_unevaluated_does_not_end_the_process() -> None:
    definitions: dict[str, JsonValue] = {f"d{i}": {"$ref": f"#/$defs/d{i + 1}"} for i in range(5_000)}
    schema: JsonValue = {"$ref": "#/$defs/d0", "unevaluatedProperties": False, "$defs": {**definitions, "d5000": {}}}

    assert compile_schema(schema).validator is None


def test_schemas_with_an_id_that_all_refer_to_each_other_are_not_compiled() -> None:
    refusal = compile_schema(hostile.resources(9)).refusal

    assert refusal is not None
    assert refusal.kind is RefusalKind.TOO_LARGE
    assert "`$id`" in refusal.message


@pytest.mark.parametrize("schema", [hostile.resources(5), hostile.resources(60, are_linked=False)])
def test_schemas_with_an_id_that_few_chains_lead_through_are_judged(schema: hostile.Schema) -> None:
    compiled = compile_schema(schema)

    assert instance_errors(compiled, {"a": {"p0": {}}}).is_valid
    assert not instance_errors(compiled, {"a": {"p0": 1}}).is_valid


def test_ordinary_unevaluated_properties_are_judged() -> None:
    schema: JsonValue = {
        "allOf": [{"$ref": "#/$defs/base"}],
        "properties": {"b": {}},
        "unevaluatedProperties": False,
        "$defs": {"base": {"properties": {"a": {}}}},
    }

    assert instance_errors(compile_schema(schema), {"a": 1, "b": 2}).is_valid
    assert len(instance_errors(compile_schema(schema), {"c": 1}).errors) == 1


# Judging


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"items": {"anyOf": [{"const": i} for i in range(2_000)]}}, [10**6 + i for i in range(15_000)]),
        ({"items": {"enum": [i + 0.5 for i in range(8_000)]}}, [i + 0.5 for i in range(15_000)]),
        ({"items": {"enum": [{"a": i + 0.5} for i in range(2_000)]}}, [{"a": i + 0.5} for i in range(15_000)]),
        ({"uniqueItems": True}, [2**64 + i for i in range(15_000)]),
    ],
    ids=["branches", "fractions", "fractions-inside", "large-numbers"],
)
def test_a_value_that_is_compared_with_too_much_is_not_judged(
    schema: JsonValue, value: JsonValue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effort, "_VISITS", 50_000)

    assert instance_errors(compile_schema(schema), value).unknown is not None


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"items": {"enum": [i + 0.5 for i in range(100)]}}, [i + 0.5 for i in range(100)]),
        ({"uniqueItems": True}, [2**64 + i for i in range(100)]),
        ({"uniqueItems": True}, list(range(15_000))),
    ],
)
def test_a_value_that_is_compared_with_little_is_judged(schema: JsonValue, value: JsonValue) -> None:
    assert instance_errors(compile_schema(schema), value).is_valid


def test_many_values_are_judged_within_the_bounds_of_one() -> None:
    compiled = compile_schema({"enum": [i + 0.5 for i in range(8_000)]})

    found = list(verdicts(compiled, [0.5] * 1_000))

    assert found[0] is True
    assert found[-1] is None


def test_many_values_are_paid_for_by_the_counting_where_references_multiply(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = compile_schema(hostile.layers(8, 4))
    monkeypatch.setattr(many_values, "PLAIN_EVALUATIONS", compiled.size * 200)

    found = list(verdicts(compiled, [{"a": 1}] * 10))

    assert found == [True] * 4 + [None] * 6


def test_a_strict_form_keeps_an_enumeration_without_comparing_all_its_values_with_each_other() -> None:
    schema: JsonValue = {"type": "object", "properties": {"a": {"enum": [i + 0.5 for i in range(8_000)]}}}

    messages = [change.message for change in strict_form(schema).changes]

    assert messages[-1] == "the schema has 8,001 enum values, and strict mode accepts at most 1,000"


# Errors


def test_a_large_value_is_not_copied_into_many_errors() -> None:
    schema: JsonValue = {"required": [f"r{i}" for i in range(100)]}

    outcome = instance_errors(compile_schema(schema), {"d": [1] * 300_000})

    assert [error.message for error in outcome.errors] == ["the value lacks the required property `r0`"]


def test_a_large_value_that_fits_none_of_many_alternatives_is_too_large_to_say_where() -> None:
    schema: JsonValue = {"oneOf": [{"type": "object", "required": [f"r{i}"]} for i in range(300)]}

    outcome = instance_errors(compile_schema(schema), {"d": "x" * 549_000})

    assert [error.message for error in outcome.errors] == ["the value does not match, but is too large to say where"]


def test_a_refusal_shows_a_handful_of_many_options() -> None:
    schema: JsonValue = {"enum": [{"k": index} for index in range(30_000)]}

    (error,) = instance_errors(compile_schema(schema), 1).errors

    assert error.message.endswith('{"k": 4} or one of 29995 more')
    assert len(error.message) < 200


def test_errors_of_a_small_value_are_all_there() -> None:
    schema: JsonValue = {"required": [f"r{i}" for i in range(100)]}

    outcome = instance_errors(compile_schema(schema), {"d": 1})

    assert len(outcome.errors) + outcome.more == 100


# Calls


@pytest.mark.parametrize("name", ["secrets-deep", "complete-graph", "multiplied-properties", "tree-wide"])
def test_what_is_secret_is_found_in_few_steps_or_all_is_secret(name: str, tmp_path: Path) -> None:
    schema = dict(hostile.schemas())[name]

    def redact() -> int:
        redacted({"a": 1, "p0": 2}, schema)
        return 0

    assert hostile_runs.ended(redact, tmp_path).problem is None


def test_a_secret_one_level_too_high_is_redacted_as_before() -> None:
    schema: JsonValue = {"properties": {"a": {"properties": {"b": {"writeOnly": True}}}}}

    assert redacted({"a": "hunter2"}, schema) == {"a": REDACTED}


def test_a_registry_refuses_a_tool_of_more_versions_than_anybody_has() -> None:
    file = read_source("a/MCP_TOOL_SPECIFICATION.md", hostile.versions(MOST_VERSIONS + 1))

    with pytest.raises(UsageError, match=f"`a.b` has more than {MOST_VERSIONS} versions"):
        ToolRegistry(Contracts((file,)))


@sweep
@pytest.mark.parametrize(
    ("name", "kind"),
    share([*product(("dependencies-many", "one-of-300", "enum-integers", "multiplied-oneOf"), CALLS)], 7),
)
def test_a_call_ends_whatever_its_schema_and_arguments_are(name: str, kind: str, tmp_path: Path) -> None:
    schema, arguments = dict(hostile.schemas())[name], dict(hostile.arguments())[kind]

    how = hostile_runs.ended(lambda: hostile_runs.call(schema, arguments, is_watched=True), tmp_path)

    assert how.problem is None


# Forms


def test_a_schema_that_nests_too_deep_in_strict_form_is_refused_with_a_sentence(tmp_path: Path) -> None:
    hostile_runs.prepare(tmp_path, dict(hostile.schemas())["nested-items-first"])

    how = hostile_runs.ended(dict(hostile_runs.commands("tools.json"))["export-openai-strict"], tmp_path)

    assert how.code == 1
    assert "nested too deeply in strict form" in how.output
    assert json.loads((tmp_path / "tools.json").read_text(encoding="utf-8"))


# Findings


def test_findings_of_one_rule_in_one_file_are_capped_and_the_rest_is_counted() -> None:
    schema = {"type": "object", "properties": {f"p{i}": {"type": "strnig"} for i in range(1_234)}}
    text = json.dumps({"tools": [hostile.tool(schema), hostile.tool({"required": ["x"]}, "a.c")]})

    report = lint(Contracts((read_source("tools.json", text),)))

    by_code = Counter(diagnostic.code for diagnostic in report.diagnostics)
    (rest,) = (one for one in report.diagnostics if one.code == "MC308" and one.tool is None)
    assert by_code["MC308"] == MOST_FINDINGS + 1
    assert rest.message == "234 more findings of this rule in this file are left out"
    assert rest.severity is Severity.ERROR
    assert by_code["MC302"] == 1  # however many findings other rules have


def test_a_list_of_more_tools_than_anybody_has_is_read_in_part_and_says_so() -> None:
    text = json.dumps({"tools": [hostile.tool({"type": "object"}, f"a.t{i}") for i in range(MOST_TOOLS + 2)]})

    file = read_source("tools.json", text)

    assert len(file.contracts) == MOST_TOOLS
    told = "the list contains 2,002 tools, and only the first 2,000 are read"
    assert [fault.message for fault in file.faults] == [told]


def test_tables_of_many_rows_against_many_names_are_reported_with_few_hints() -> None:
    rows = "".join(f"| `q{i}` | string | yes | It. |\n" for i in range(2_000))
    header = "| Parameter | Type | Required | Description |\n|---|---|---|---|\n"
    properties = {f"p{i}": {"type": "string"} for i in range(400)}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    file = read_source("a/MCP_TOOL_SPECIFICATION.md", hostile.spec_of(schema, header + rows))

    report = lint(Contracts((file,)))

    told = [one for one in report.diagnostics if one.code == "MC322" and one.tool is not None]
    assert len(told) == MOST_FINDINGS
    assert sum(one.hint is not None and "use the same name in both" in one.hint for one in told) <= 20


def test_what_an_input_declares_is_found_once_however_many_rules_and_parameters_ask() -> None:
    (contract,) = Contracts((read_source("tools.json", json.dumps([hostile.tool({"type": "object"})])),))
    assert contract.input is not None

    assert declared_input(contract.input) is declared_input(contract.input)


def test_each_of_many_changed_tools_has_its_verdict_when_the_steps_for_all_are_gone() -> None:
    old, new = (
        {"type": "object", "properties": {"a": {"type": "string"}, "b": {"maxLength": length}, "c": {"minimum": least}}}
        for length, least in ((9, 2), (5, 1))
    )
    found = [compare_schemas(old, new, budget=Budget(LEAST_STEPS)) for _ in range(20)]

    assert {one.verdict for one in found} == {Verdict.BREAKING}
    assert {one.changes[0].verdict for one in found} == {Verdict.BREAKING}
    assert found[-1].witness is not None


def test_one_costly_comparison_leaves_the_others_their_share() -> None:
    budget = Budget(80_000)

    first = budget.share(40, LEAST_STEPS)

    assert 14_000 < first < 16_000

    budget.pay(first)

    assert budget.share(39, LEAST_STEPS) > 11_000


def test_each_of_very_many_comparisons_can_take_the_least_that_it_needs() -> None:
    budget = Budget(10_000)

    budget.pay(9_000)

    assert budget.share(1_000, 150) == 150


def test_many_changed_tools_are_paid_for_from_one_budget_and_what_is_past_it_is_unknown() -> None:
    old: JsonValue = {"type": "object", "properties": {"a": {"type": "string"}}}
    new: JsonValue = {"type": "object", "properties": {"a": {"type": "integer"}}}
    budget = Budget(400)

    verdicts = [compare_schemas(old, new, budget=budget).verdict for _ in range(20)]

    assert verdicts[0] is Verdict.BREAKING
    assert verdicts[-1] is Verdict.UNKNOWN
    assert verdicts.index(Verdict.UNKNOWN) == len([one for one in verdicts if one is Verdict.BREAKING])


# Comparisons charge for what they read


def test_references_of_a_complete_graph_are_paid_for_as_what_is_read() -> None:
    schema: JsonValue = {**hostile.complete(30), "$ref": "#/$defs/d0"}
    few: JsonValue = {"$ref": "#/$defs/d0", "$defs": {"d0": {"type": "object"}}}

    assert inclusion(schema, schema).steps > 900 // 4
    assert inclusion(few, few).steps < 30


def test_names_that_others_ask_for_are_paid_for_as_values_that_are_listed() -> None:
    names: list[JsonValue] = [f"p{index}" for index in range(14)]
    dependent: dict[str, JsonValue] = {str(name): names for name in names}

    assert inclusion({"dependentRequired": dependent}, {"required": names}).steps > 14 * 14


def test_unions_of_hundreds_of_levels_are_compared_without_following_all_of_them() -> None:
    schema: JsonValue = hostile.multiplied("anyOf", 400, 3)

    assert compare_schemas({"type": "object"}, schema).verdict is not None


def test_a_hundred_factors_suggest_few_numbers() -> None:
    nodes = tuple[dict[str, JsonValue], ...]({"multipleOf": factor} for factor in range(2, 200))

    assert len(list(bounds(nodes))) < 3_000


def test_reading_a_large_pattern_is_paid_for_as_states_are() -> None:
    budget = Budget(8_000)

    assert languages.find_string(["a"], ["^b{6400}$"], budget=budget) == "a"

    assert budget.spent > 6_400 / 80


def test_the_findings_of_an_implementation_are_capped_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    properties: dict[str, JsonValue] = {f"q{index}": {"type": "string"} for index in range(3_000)}
    hostile_runs.prepare(tmp_path, {"type": "object", "properties": properties})

    code = run(["lint", "tools.json", "--implementation", "implementation.py", "--format", "json"])

    found = json.loads(capsys.readouterr().out)["diagnostics"]
    of_parameters = [one["message"] for one in found if one["code"] == "MC704"]
    assert code == 1
    assert len(of_parameters) == MOST_FINDINGS + 1
    assert any("2,000 more findings of this rule in this file" in message for message in of_parameters)


def test_an_export_prints_few_of_very_many_losses_and_counts_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    properties: dict[str, JsonValue] = {
        f"q{index}": {"type": "string", "format": f"f{index}"} for index in range(3_000)
    }
    hostile_runs.prepare(tmp_path, {"type": "object", "properties": properties})

    run(["export", "tools.json", "--to", "gemini"])

    said = capsys.readouterr().err
    assert len(said) < 200_000
    assert re.search(r"^note: [\d,]+ more (losses|refusals|lines of the report)", said, re.MULTILINE)
