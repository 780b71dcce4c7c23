"""`diff` and `compare_schemas` from Python."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts import Contracts, DiffReport, Verdict, Witness, compare_schemas, diff, load
from mcp_contracts.change import ToolState
from mcp_contracts.checks.diff import compare
from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import ContractError, UsageError
from tests.repositories import ROOT, input_schema, isolate, listed, new_repository, spec, tool, tool_list, write
from tests.sweeps import share, sweep
from tests.tables import each

NARROWED = input_schema(maximum=50)
PIECES: tuple[JsonValue, ...] = (
    None, True, False, 1, 1.5, "x", "(", "\ud800", [], [{}], {}, {"a": {}}, {"a": None}, ["a"], ["a", "a"], -1, 0,
    10**40, 1e-300, "integer", ["string", "null"], "#/$defs/a", "#", "http://json-schema.org/draft-07/schema#",
)  # fmt: skip
KEYWORDS = (
    "type", "properties", "required", "enum", "const", "items", "prefixItems", "additionalProperties", "pattern",
    "patternProperties", "propertyNames", "maximum", "exclusiveMaximum", "multipleOf", "minLength", "maxItems",
    "uniqueItems", "contains", "minContains", "allOf", "anyOf", "oneOf", "not", "if", "then", "$ref", "$defs",
    "$schema", "$id", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties", "format",
    "default", "description", "title", "minProperties", "contentEncoding", "readOnly", "$dynamicRef", "$anchor",
)  # fmt: skip


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Contracts, Contracts]:
    """A specification and one that breaks its callers."""
    old = write(tmp_path / "old.md", spec(tool(), version="1.0.0"))
    new = write(tmp_path / "new.md", spec(tool(input=NARROWED), tool("notes.count"), version="1.0.0"))
    return load(old), load(new)


def test_two_sets_of_contracts_are_compared(pair: tuple[Contracts, Contracts]) -> None:
    report = diff(*pair)

    assert isinstance(report, DiffReport)
    assert [(one.tool, one.state) for one in report.tools] == [
        ("notes.count", ToolState.ADDED),
        ("notes.find", ToolState.CHANGED),
    ]
    assert report.has_failed
    assert report.uncovered == 1


def test_a_break_has_a_witness_that_the_old_takes_and_the_new_refuses(pair: tuple[Contracts, Contracts]) -> None:
    import jsonschema

    (change,) = [change for _, change in diff(*pair).changes() if change.verdict is Verdict.BREAKING]

    assert isinstance(change.witness, Witness)
    assert jsonschema.Draft202012Validator(input_schema()).is_valid(change.witness.value)
    assert not jsonschema.Draft202012Validator(NARROWED).is_valid(change.witness.value)
    assert change.place is not None
    assert change.place.path.endswith("new.md")


def test_the_other_way_round_nothing_breaks(pair: tuple[Contracts, Contracts]) -> None:
    old = Contracts(pair[0].files)
    widened = diff(pair[1], old)

    assert [change.code for _, change in widened.changes() if change.verdict is Verdict.BREAKING] == ["BC104"]


def test_nothing_and_itself_have_not_changed(pair: tuple[Contracts, Contracts]) -> None:
    assert diff(Contracts(), Contracts()).to_dict()["tools"] == []
    assert list(diff(pair[0], pair[0]).changes()) == []


def test_all_is_new_where_there_was_nothing(pair: tuple[Contracts, Contracts]) -> None:
    report = diff(Contracts(), pair[1])

    assert {one.state for one in report.tools} == {ToolState.ADDED}
    assert not report.has_failed


@pytest.mark.parametrize(("policy", "verdict"), [("declared", Verdict.COMPATIBLE), ("strict", Verdict.BREAKING)])
def test_the_policy_is_kept(tmp_path: Path, policy: Any, verdict: Verdict) -> None:
    opened: dict[str, JsonValue] = {"type": "object", "properties": {"a": {"type": "string"}}}
    closed: dict[str, JsonValue] = {**opened, "additionalProperties": False}
    old = load(write(tmp_path / "old.json", tool_list(listed(schema=opened))))
    new = load(write(tmp_path / "new.json", tool_list(listed(schema=closed))))

    report = diff(old, new, policy=policy)

    assert report.policy == policy
    assert report.tools[0].verdict is verdict
    assert compare_schemas(opened, closed, policy=policy).verdict is verdict


@pytest.mark.parametrize("wrong", [None, "specs/", [], {}, Path("specs"), 1])
def test_what_is_no_contracts_is_refused(wrong: Any) -> None:
    with pytest.raises(ContractError, match="expects contracts"):
        diff(wrong, Contracts())
    with pytest.raises(ContractError, match="expects contracts"):
        diff(Contracts(), wrong)


def test_an_unknown_policy_is_refused() -> None:
    wrong: Any = "lax"

    with pytest.raises(UsageError, match="unknown policy `lax`"):
        diff(Contracts(), Contracts(), policy=wrong)


def test_an_unknown_way_to_count_what_is_undecided_is_refused() -> None:
    wrong: Any = "eror"

    with pytest.raises(UsageError):
        diff(Contracts(), Contracts(), unknown=wrong)


@pytest.mark.parametrize(("option", "wrong"), [("policy", "lax"), ("direction", "inputs")])
def test_a_comparison_of_schemas_refuses_options_that_it_does_not_know(option: str, wrong: str) -> None:
    options: Any = {option: wrong}

    with pytest.raises(UsageError):
        compare_schemas({"type": "string"}, {"type": "integer"}, **options)


def test_a_revision_is_compared_with_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from tests.repositories import PATH, commit

    isolate(monkeypatch, tmp_path_factory.mktemp("home"), tmp_path_factory.getbasetemp())
    monkeypatch.chdir(new_repository(tmp_path / "repository"))
    write(PATH, spec(tool()))
    commit()
    write(PATH, spec(tool(input=NARROWED)))

    assert diff(load("git:HEAD:specs"), load("specs")).uncovered == 1


def test_today_decides_whether_an_entry_has_expired(pair: tuple[Contracts, Contracts]) -> None:
    from dataclasses import replace

    from mcp_contracts.checks.accepting import newly_accepted

    compared = compare(*pair)
    (entry,) = newly_accepted(
        compared.report.tools, compared.acceptance, (), *pair, reason="why", until=date(2026, 6, 1)
    )

    assert diff(*pair, accepted=[entry]).uncovered == 0
    assert diff(*pair, accepted=[entry], today=date(2026, 6, 1)).uncovered == 0
    assert diff(*pair, accepted=[entry], today=date(2026, 6, 2)).uncovered == 1
    assert diff(*pair, accepted=[replace(entry, digest="00000000")]).uncovered == 1


def test_inputs_stay_unchanged(pair: tuple[Contracts, Contracts]) -> None:
    before = copy.deepcopy([one.input_schema for side in pair for one in side])
    old, new = input_schema(), copy.deepcopy(NARROWED)

    diff(*pair)
    compare_schemas(old, new)
    compare_schemas(new, old, direction="output", policy="sets")

    assert [one.input_schema for side in pair for one in side] == before
    assert (old, new) == (input_schema(), NARROWED)


def test_the_same_contracts_give_the_same_bytes_in_any_process(tmp_path: Path) -> None:
    write(tmp_path / "old.md", spec(tool(), tool("notes.gone"), version="1.0.0"))
    write(tmp_path / "new.md", spec(tool(input=NARROWED), tool("notes.count"), version="1.0.0"))
    code = "import json; from mcp_contracts import *; print(json.dumps(diff(load('old.md'), load('new.md')).to_dict()))"

    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            capture_output=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
            timeout=60,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert len(printed) == 1


def test_the_order_of_files_and_tools_does_not_matter(tmp_path: Path) -> None:
    names = ("notes.a", "notes.b", "notes.c")
    write(tmp_path / "old.json", tool_list(*(listed(name) for name in names)))
    write(tmp_path / "one.json", tool_list(*(listed(name, NARROWED) for name in names)))
    write(tmp_path / "other.json", tool_list(*(listed(name, NARROWED) for name in reversed(names))))
    old = load(tmp_path / "old.json")

    one, other = (
        [(change.code, change.fingerprint) for _, change in diff(old, load(tmp_path / name)).changes()]
        for name in ("one.json", "other.json")
    )

    assert one == other


@sweep
@pytest.mark.parametrize("keyword", KEYWORDS)
def test_no_value_of_a_keyword_is_more_than_a_comparison_can_take(keyword: str) -> None:
    sound = input_schema()

    for piece in share(PIECES, 5):
        odd: JsonValue = {**sound, keyword: piece}
        before = copy.deepcopy(odd)
        for old, new in ((sound, odd), (odd, sound), (odd, {**input_schema(maximum=9), keyword: piece})):
            compared = compare_schemas(old, new)
            assert compared.verdict in Verdict
            assert compared.troubles == ()
        assert odd == before


@pytest.mark.parametrize("frames", range(6))
def test_a_schema_that_refers_to_itself_is_not_an_exception_wherever_the_stack_ends(frames: int) -> None:
    old: JsonValue = {"type": "object", "$ref": "#"}
    new: JsonValue = {"type": "object", "properties": {"a": {"type": "string"}}, "$ref": "#"}

    def deeper(left: int) -> Verdict:
        return deeper(left - 1) if left else compare_schemas(old, new).verdict

    assert deeper(frames) in Verdict


@each("old", PIECES, ids=repr)
def test_what_is_not_a_schema_is_not_an_exception(old: JsonValue) -> None:
    for new in PIECES:
        compared = compare_schemas(old, new, direction="output")

        assert compared.troubles == ()
        json.dumps([change.to_dict() for change in compared.changes])


@pytest.mark.parametrize("levels", [50, 500])  # tests/test_inclusion_steps.py compares thousands
@pytest.mark.parametrize("keyword", ["properties", "items", "not", "anyOf"])
def test_depth_is_bounded(keyword: str, levels: int) -> None:
    def nested(maximum: int) -> JsonValue:
        schema: JsonValue = {"type": "integer", "maximum": maximum}
        for _ in range(levels):
            inner: JsonValue = {"a": schema} if keyword == "properties" else [schema] if keyword == "anyOf" else schema
            schema = {keyword: inner}
        return schema

    compared = compare_schemas(nested(9), nested(5))

    assert compared.verdict in (Verdict.BREAKING, Verdict.UNKNOWN, Verdict.COMPATIBLE)
    assert levels < 500 or compared.verdict is not Verdict.COMPATIBLE
