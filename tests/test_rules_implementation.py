"""Functions compared with contracts: the message for each difference, and which uncertain ones are not reported."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.config import Config, ConfiguredSuppression
from mcp_contracts.contract import Contracts
from mcp_contracts.diagnostics import Diagnostic, Place
from mcp_contracts.sources.documents import read_source
from mcp_contracts.sources.python.functions import read_implementation

MARK = '@registry.implement("notes.find")\n'
WORD: dict[str, Any] = {"type": "string"}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def contracts(schema: object, output: object = None, *names: str) -> Contracts:
    """Return contracts with one input schema, as a tool list states them."""
    tools = [
        {"name": name, "inputSchema": schema, **({} if output is None else {"outputSchema": output})}
        for name in names or ("notes.find",)
    ]
    return Contracts((read_source("tools.json", json.dumps({"tools": tools})),))


def found(code: str, held: Contracts, config: Config | None = None) -> list[Diagnostic]:
    """Return the findings of the implementation rules for a module with this code."""
    Path("tools.py").write_text(code, encoding="utf-8")
    report = lint(held, config, implementation=read_implementation(["tools"]), is_whole=True)
    return [one for one in report.diagnostics if one.code.startswith("MC7") or one.code == "MC011"]


def codes(code: str, schema: object, output: object = None) -> list[str]:
    return [one.code for one in found(code, contracts(schema, output))]


def with_word(
    property_schema: object, more: Mapping[str, object] | None = None, *, required: bool = True
) -> dict[str, object]:
    """Return a schema of arguments with one property."""
    return {
        "type": "object",
        "properties": {"word": property_schema},
        "required": ["word"] if required else [],
        **(more or {}),
    }


# Annotations


@pytest.mark.parametrize(
    ("annotation", "schema", "value"),
    [
        ("str", {"type": ["string", "null"]}, "null"),
        ("str", {"type": "integer"}, "1"),
        ("int", {"type": "number"}, "1.5"),
        ("list[int]", {"type": "array", "items": {"type": "string"}}, '["text"]'),
        ("dict[str, int]", {"type": "object", "additionalProperties": {"type": "string"}}, '{"extra": "text"}'),
        ('Literal["a", "b"]', {"enum": ["a", "b", "c"]}, '"c"'),
        ('Literal["a"]', {"anyOf": [{"const": "a"}, {"type": "null"}]}, "null"),
        ("dict[str, int]", {"type": "object", "properties": {"x": {"type": "string"}}}, '{"x": "text"}'),
        ("bool", {"$ref": "#/$defs/flag"}, '"yes"'),
        ("list[str]", {"type": "string"}, None),
        ("str", {"type": "array", "items": {"$ref": "#/$defs/flag"}}, None),
        ("int", {"type": "string", "pattern": "^[a-z]{3}-[0-9]{4}$"}, None),
    ],
)
def test_a_value_that_the_annotation_does_not_take_is_shown(annotation: str, schema: object, value: str | None) -> None:
    code = f"from typing import Literal\n{MARK}def find(word: {annotation}): ...\n"

    (one,) = found(code, contracts(with_word(schema, {"$defs": {"flag": {"enum": ["yes"]}}})))

    assert one.code == "MC710"
    assert (one.place.path, one.place.line, one.pointer, one.tool) == ("tools.py", 3, "/properties/word", "notes.find")
    if value is not None:
        assert one.message.endswith(f"but the contract allows `{value}`")


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        ("str | None", {"type": "string"}),
        ("float", {"type": "integer"}),
        ("Any", {"type": "string"}),
        ("City", {"type": "string"}),
        ("datetime", {"type": "string", "format": "date-time"}),
        ("Decimal", {"type": "number"}),
        ("set[int]", {"type": "array", "items": {"type": "integer"}}),
        ("Sequence[str]", {"type": "array", "items": {"type": "string"}}),
        ('Literal["a", "b"]', {"const": "a"}),
        ("dict[str, str]", {"type": "object", "properties": {"x": {"type": "string"}}, "additionalProperties": False}),
        ("list[int]", {"type": "array"} | {"items": False}),
        ("dict[str, int]", {"type": "object"}),
        ("dict[str, str]", {"type": "object", "properties": {"x": {"type": "string"}}}),
        ("list[str]", {"type": "array"}),
        ("str", {}),
        ("str", True),
        ("str", {"description": "The word."}),
        ("str", {"$ref": "https://example.com/other.json"}),
        ("str", {"type": "strin"}),
        ("str", {"type": ["string", "null"], "enum": ["a"]}),
        ("int", False),
    ],
)
def test_what_is_not_a_contradiction_is_left_unsaid(annotation: str, schema: object) -> None:
    imports = (
        "from collections.abc import Sequence\nfrom datetime import datetime\nfrom decimal import Decimal\n"
        "from typing import Any, Literal\nfrom places import City\n"
    )

    assert codes(f"{imports}{MARK}def find(word: {annotation}): ...\n", with_word(schema)) == []


def test_draft_07_is_read_as_such() -> None:
    schema = {
        **with_word({"type": "array", "items": [{"type": "string"}], "additionalItems": False}),
        "$schema": "http://json-schema.org/draft-07/schema#",
    }

    assert codes(f"{MARK}def find(word: list[str]): ...\n", schema) == []
    assert codes(f"{MARK}def find(word: list[int]): ...\n", schema) == ["MC710"]


def test_a_property_of_one_branch_is_not_compared_with_the_annotation() -> None:
    schema = {"type": "object", "oneOf": [with_word({"type": "null"}), with_word({"type": "string"})]}

    assert codes(f"{MARK}def find(word: str): ...\n", schema) == ["MC708"]


# Names


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("word", []),
        ("word, *, limit=1", ["MC705"]),
        ("word, limit", ["MC706"]),
        ("", ["MC704"]),
        ("**more", []),
        ("words", ["MC707"]),
        ("wOrd", ["MC707"]),
        ("city", ["MC704", "MC706"]),
        ("word='a'", ["MC709"]),
        ("word, context: ToolContext", []),
    ],
)
def test_each_difference_of_names_is_reported_once(parameters: str, expected: list[str]) -> None:
    assert sorted(codes(f"{MARK}def find({parameters}): ...\n", with_word(WORD))) == expected


@pytest.mark.parametrize(
    "more",
    [
        {"patternProperties": {"^x": {}}},
        {"additionalProperties": {"type": "string"}},
        {"allOf": [{"$ref": "https://example.com/other.json"}]},
        {"allOf": [{"properties": {"limit": {}}}]},
        {"$ref": "#/$defs/limit", "$defs": {"limit": {"properties": {"limit": {}}}}},
        {"if": {"required": ["word"]}, "then": {"properties": {"limit": {}}}},
    ],
)
def test_a_parameter_that_may_be_declared_is_not_called_undeclared(more: dict[str, object]) -> None:
    assert codes(f"{MARK}def find(word, limit=1): ...\n", with_word(WORD, more)) == []


def test_what_a_base_of_the_schema_requires_is_required() -> None:
    schema = {"allOf": [{"$ref": "#/$defs/base"}], "$defs": {"base": with_word(WORD)}}

    assert codes(f"{MARK}def find(word): ...\n", schema) == []


def test_a_default_of_the_contract_fills_what_the_function_requires() -> None:
    assert codes(f"{MARK}def find(word): ...\n", with_word({**WORD, "default": "a"}, required=False)) == []
    assert codes(f"{MARK}def find(word): ...\n", with_word(WORD, required=False)) == ["MC708"]


@pytest.mark.parametrize(
    ("default", "stated", "expected"),
    [
        ("1", 1.0, []),
        ("1", True, ["MC711"]),
        ("-1", 1, ["MC711"]),
        ("('a', 'b')", ["a", "b"], []),
        ("None", 1, []),
        ("DEFAULT", 1, []),
        ("{'a': [1]}", {"a": [1.0]}, []),
        ("float('inf')", 1, []),
        ("1e999", 1, []),
        ("b'a'", "a", []),
    ],
)
def test_defaults_are_compared_as_json(default: str, stated: object, expected: list[str]) -> None:
    code = f"{MARK}def find(word={default}): ...\n"

    assert codes(code, with_word({"default": stated}, required=False)) == expected


def test_each_handler_of_a_tool_is_checked_against_it() -> None:
    code = (
        '@r.implement("notes.find", channel="sms")\ndef by_sms(word): ...\n'
        '@r.implement("notes.find")\ndef by_default(): ...\n'
    )

    (one,) = found(code, contracts(with_word(WORD)))

    assert (one.code, one.message) == ("MC704", "`by_default` does not take `word`, which the contract declares")
    assert (one.related[0].place.path, one.related[0].message) == ("tools.json", "declared here")


# Results


@pytest.mark.parametrize(
    ("annotation", "output", "expected"),
    [
        ("dict", {"type": "object"}, []),
        ("list[str]", {"type": "object", "properties": {"result": {"type": "array"}}}, []),
        ("list[str]", {"type": "object", "properties": {"result": {"type": "string"}}}, ["MC712"]),
        ("str", {"type": "object", "required": ["city"]}, ["MC712"]),
        ("str", {"type": "object", "additionalProperties": False}, ["MC712"]),
        ("str", {"type": "object"}, []),
        ("dict[str, int]", with_word(WORD), ["MC712"]),
        ("dict[str, int] | str", with_word(WORD), ["MC712"]),
        ("dict[str, int] | dict[str, str]", with_word(WORD), []),
        ("NoChangeNeeded | None", with_word(WORD), []),
        ("Forecast", with_word(WORD), []),
        ("str", False, []),
        ("str", {"type": "array"}, []),
    ],
)
def test_a_result_that_is_never_allowed_is_reported(annotation: str, output: object, expected: list[str]) -> None:
    code = f"{MARK}def find(word) -> {annotation}: ...\n"

    assert codes(code, with_word(WORD), output) == expected


# Which function implements which contract


def test_a_misspelled_name_is_reported_once_with_a_suggestion() -> None:
    (one,) = found('@r.implement("notes.fnd")\ndef find(word): ...\n', contracts(with_word(WORD)))

    assert (one.code, one.hint) == ("MC702", "did you mean `notes.find`?")


def test_a_tool_that_brings_its_own_contract_needs_no_other() -> None:
    code = f'{MARK}def find(word): ...\n@r.tool(name="notes.add")\ndef add(text): ...\n'

    assert codes(code, with_word(WORD)) == []


def test_each_contract_without_a_function_is_reported_separately() -> None:
    held = contracts({"type": "object"}, None, "notes.find", "notes.add")

    messages = [one.message for one in found("def other(): ...\n", held)]

    assert messages == [f"`notes.{name}` has no function that implements it" for name in ("find", "add")]


@pytest.mark.parametrize("code", ["def broken(:\n", "@r.implement(name())\ndef find(word): ...\n"])
def test_no_contract_is_called_unimplemented_while_some_code_is_unknown(code: str) -> None:
    assert "MC701" not in codes(code, with_word(WORD))


@pytest.mark.parametrize("name", ["find", "notes_find", "find_"])
def test_without_marks_a_name_is_enough(name: str) -> None:
    assert codes(f"def {name}(word): ...\n", with_word(WORD)) == ([] if name != "find_" else ["MC701"])


def test_a_reserved_name_of_python_is_recognized_by_its_underscore() -> None:
    assert [
        one.code for one in found("def import_(): ...\n", contracts({"type": "object"}, None, "notes.import"))
    ] == []


def test_a_name_that_may_be_of_two_tools_is_of_neither() -> None:
    held = contracts({"type": "object"}, None, "notes.find", "mails.find")

    assert [one.code for one in found("def find(): ...\n", held)] == []


def test_a_name_that_may_be_of_two_tools_is_of_the_one_in_its_module() -> None:
    Path("notes.py").write_text("def find(word): ...\n", encoding="utf-8")
    held = contracts(with_word(WORD), None, "notes.find", "mails.find")

    report = lint(held, implementation=read_implementation(["notes"]))

    assert [one.message for one in report.diagnostics if one.code.startswith("MC7")] == [
        "`mails.find` has no function that implements it"
    ]


# Reports


def test_without_an_implementation_nothing_is_reported() -> None:
    assert [one for one in lint(contracts({"type": "object"})).diagnostics if one.code.startswith("MC7")] == []


def suppressed(**facts: Any) -> Config:
    place = Place("mcp-contracts.yaml", 1, 1, 1, 2)
    entry = ConfiguredSuppression(
        **{"code": "MC704", "reason": "later", "until": None, "path": None, "tool": None, "pointer": None, **facts},
        place=place,
        root=Path.cwd().as_posix(),
    )
    return Config(None, Path.cwd(), suppressions=(entry,))


@pytest.mark.parametrize(
    "facts", [{}, {"path": "tools.py"}, {"tool": "notes.find"}, {"pointer": "/properties/word"}, {"code": "MC7"}]
)
def test_the_configuration_can_silence_it(facts: dict[str, str]) -> None:
    (one,) = found(f"{MARK}def find(): ...\n", contracts(with_word(WORD)), suppressed(**facts))

    assert (one.code, one.suppressed) == ("MC704", "later")


def test_a_suppression_that_silences_nothing_is_unused_only_where_the_rule_ran() -> None:
    held = contracts(with_word(WORD))

    ran = found(f"{MARK}def find(word): ...\n", held, suppressed())
    idle = lint(held, suppressed(), is_whole=True)

    assert [one.code for one in ran] == ["MC011"]
    assert "MC011" not in [one.code for one in idle.diagnostics]


def test_a_fingerprint_outlives_moved_lines() -> None:
    held = contracts(with_word(WORD))

    (before,) = found(f"{MARK}def find(): ...\n", held)
    (after,) = found(f"\n\n{MARK}def find(): ...\n", held)

    assert before.place != after.place
    assert before.fingerprint == after.fingerprint
