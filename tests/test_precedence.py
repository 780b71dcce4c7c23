"""Consequences of a fault are omitted: each precedence with a test case, and dialects in real files."""

from __future__ import annotations

import json
import os
from collections import Counter
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, JsonValue, SpecFile, ToolContract
from mcp_contracts.diagnostics import Diagnostic, Finding, Place
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.rules.base import Found, Rule, RuleOptions, Within
from mcp_contracts.rules.listing import known_rules
from mcp_contracts.rules.registry import LINT_RULES
from mcp_contracts.rules.running import reach
from mcp_contracts.rules.running.engine import run_rules
from mcp_contracts.rules.running.precedence import (
    ABSORBED_BY_LEGACY,
    ABSORBED_WHERE_LISTED,
    PRECEDENCES,
    without_consequences,
)
from mcp_contracts.sources.load import load
from tests.tables import each

CASES = sorted(
    path for path in (Path(__file__).parent / "cases" / "precedence").iterdir() if path.suffix in (".md", ".json")
)
RULES: dict[str, Rule] = {rule.info.code: rule for rule in LINT_RULES}
LEGACY = "MC006"
PAIRS = [(precedence.winner, loser) for precedence in PRECEDENCES for loser in precedence.losers]

CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")
SPECS = sorted(Path(CORPUS, "corpus", "specs").rglob("*.md")) if CORPUS else []
OF_REAL_SPECS = pytest.mark.skipif(not SPECS, reason="MCP_CONTRACTS_CORPUS names no corpus of specifications")


@cache
def contracts_of(path: Path) -> Contracts:
    return load(path)


def lines(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    """Return diagnostics in the form of `NAME.expected`."""
    return [f"{item.place.line}:{item.place.column} {item.severity} {item.code} {item.message}" for item in diagnostics]


def count(code: str, path: Path, *others: str) -> int:
    """Return the number of diagnostics of a rule that runs with only some others."""
    rules = [RULES[name] for name in (code, *others)]
    return sum(item.code == code for item in run_rules(contracts_of(path), rules, RuleOptions()))


@each("path", CASES, ids=lambda path: path.stem)
def test_a_case_gives_the_diagnostics_that_are_expected(path: Path) -> None:
    report = lint(contracts_of(path))

    assert lines(report.shown()) == path.with_suffix(".expected").read_text(encoding="utf-8").splitlines()


@each(("winner", "loser"), PAIRS)
def test_of_two_rules_that_name_one_fault_one_stays(winner: str, loser: str) -> None:
    proofs = [
        path.stem
        for path in CASES
        if count(winner, path) and count(winner, path, loser) and count(loser, path) > count(loser, path, winner)
    ]

    assert proofs, "no case shows both rules naming one fault: write one, or take the entry out of the table"


COVERED = [
    ("", "", True),
    ("", "/properties/a", False),
    ("/properties/a", "/properties/a", True),
    ("/properties/a", "/properties/a/properties/b/default", True),
    ("/properties/a", "/properties/ab", False),
    ("/properties/a/type", "/properties/a", True),
    ("/properties/a/type", "/properties/a/type/0", True),
    ("/properties/a/type", "/properties/a/default", False),
    ("/properties/a/anyOf/0/type", "/properties/a", True),
]


@pytest.mark.parametrize(("cause", "pointer", "is_left_out"), COVERED)
def test_what_follows_from_a_place_is_there_or_below_or_about_the_value_as_a_whole(
    cause: str, pointer: str, is_left_out: bool
) -> None:
    place = Place("tools.json", 1, 1, 1, 2)
    tool = ToolContract("get", place)
    winner, loser = (
        Found(RULES[code].info, Finding("m", pointer=where, part="input"), place, 0, tool)
        for code, where in (("MC308", cause), ("MC322", pointer))
    )

    kept = list(without_consequences([winner, loser], {}))

    assert kept == ([winner] if is_left_out else [winner, loser])


@pytest.mark.parametrize(
    ("is_only_listed", "absorbed"),
    [
        (None, frozenset()),
        (False, ABSORBED_BY_LEGACY),
        (True, ABSORBED_BY_LEGACY | ABSORBED_WHERE_LISTED),
    ],
)
def test_what_a_legacy_dialect_implies_is_left_out(is_only_listed: bool | None, absorbed: frozenset[str]) -> None:
    place = Place("tools.md", 1, 1, 1, 2)
    tool = ToolContract("get", place)
    codes = ABSORBED_BY_LEGACY | ABSORBED_WHERE_LISTED
    found = [Found(RULES[code].info, Finding("m"), place, 0, tool) for code in sorted(codes)]

    # Each by itself, because some take precedence over others.
    kept = {
        one.rule.code
        for alone in found
        for one in without_consequences([alone], {} if is_only_listed is None else {id(tool): is_only_listed})
    }

    assert kept == codes - absorbed


def test_every_code_in_the_tables_is_a_rule() -> None:
    named = {code for pair in PAIRS for code in pair} | ABSORBED_BY_LEGACY | ABSORBED_WHERE_LISTED | {LEGACY}

    assert named <= known_rules().keys()


def test_every_precedence_has_a_reason_and_is_listed_once() -> None:
    assert all(precedence.reason for precedence in PRECEDENCES)
    assert {precedence.within for precedence in PRECEDENCES} <= set(get_args(Within))
    assert max(Counter(PAIRS).values()) == 1


@OF_REAL_SPECS
def test_the_dialect_of_a_real_specification_is_one_diagnostic_that_names_its_tools() -> None:
    for path in SPECS:
        file = contracts_of(path).files[0]
        assert isinstance(file, SpecFile)

        found = [item for item in lint(contracts_of(path)).shown() if item.code == LEGACY]

        named = [related.message for item in found for related in item.related]
        assert len(found) <= 1, path.parent.name
        assert named == [tool.contract.name for tool in file.tools if tool.is_legacy], path.parent.name


@OF_REAL_SPECS
def test_no_place_of_a_real_specification_is_named_twice_by_one_rule() -> None:
    for path in SPECS:
        places = Counter((item.code, item.place, item.message) for item in lint(contracts_of(path)).shown())

        assert not [key for key, times in places.items() if times > 1], path.parent.name


def schema_tool(schema: JsonValue, call: str, *, name: str = "notes.find") -> str:
    """Return a specification of one tool with an input schema and an example."""
    return f"""## Tool: `{name}`

### 3. Input Schema

```json
{json.dumps(schema, indent=1)}
```

### 7. Usage Examples

```json
{call}
```
"""


WORD: dict[str, JsonValue] = {"type": "string", "description": "The word."}
IMPOSSIBLE: dict[str, JsonValue] = {**WORD, "type": "integer", "minimum": 3, "maximum": 1}


@pytest.mark.parametrize(
    ("schema", "arguments", "codes"),
    [
        pytest.param(
            {"type": "object", "properties": {"word": WORD}, "required": ["wrod"]},
            {"word": 1},
            {"MC302", "MC404"},
            id="an undefined required name says nothing of another argument",
        ),
        pytest.param(
            {"type": "object", "properties": {"word": WORD}, "required": ["wrod"]},
            {"word": "a"},
            {"MC302"},
            id="an argument that nobody defines cannot be given",
        ),
        pytest.param(
            {"type": "object", "properties": {"word": {**WORD, "minmum": 1}, "at": {"type": "string"}}},
            {"word": "a"},
            {"MC309", "MC305"},
            id="a misspelled keyword describes nothing",
        ),
        pytest.param(
            {
                "type": "object",
                "properties": {"word": WORD, "at": {**WORD, "type": "integer", "minimum": 3, "maximum": 1}},
            },
            {"word": 1},
            {"MC320", "MC404"},
            id="a value that cannot be says nothing of another one",
        ),
    ],
)
def test_a_fault_hides_nothing_that_does_not_follow_from_it(
    schema: JsonValue, arguments: JsonValue, codes: set[str]
) -> None:
    call = json.dumps({"tool_name": "notes.find", "arguments": arguments})

    found = lint(Contracts((read_spec("spec.md", schema_tool(schema, call)),))).shown()

    assert {one.code for one in found if one.code[:3] in ("MC3", "MC4")} - {"MC303", "MC408"} == codes


@pytest.mark.parametrize(("called", "is_told"), [("notes.Find", False), ("calendar.drop", True)])
def test_an_invalid_name_explains_its_other_spellings_only(called: str, is_told: bool) -> None:
    call = json.dumps({"tool_name": called, "arguments": {"word": "a"}})
    schema: JsonValue = {"type": "object", "properties": {"word": WORD}}

    found = lint(Contracts((read_spec("spec.md", schema_tool(schema, call, name="notes.FIND")),))).shown()

    assert ("MC403" in {one.code for one in found}) is is_told


@pytest.mark.parametrize(
    ("name", "names", "is_like"),
    [
        ("notes.find_all", ["other.findAll"], True),
        ("find-all", ["notes.FIND_ALL"], True),
        ("notes.find", ["calendar.drop", "Find"], True),
        ("notes.find", ["find.notes", "notes.finds"], False),
        ("notes.find", [], False),
    ],
)
def test_a_name_is_like_another_one_except_for_its_module_and_how_it_is_spelled(
    name: str, names: list[str], is_like: bool
) -> None:
    assert reach._is_like(name, names) is is_like


def test_a_duplicate_description_explains_nothing_next_to_it() -> None:
    text = schema_tool({"type": "object", "properties": {"word": {"type": "strnig"}}}, "{}").replace(
        '"type": "strnig"', '"description": "A.", "description": "B.", "type": "strnig"'
    )

    found = {one.code for one in lint(Contracts((read_spec("spec.md", text),))).shown()}

    assert {"MC306", "MC308"} <= found
