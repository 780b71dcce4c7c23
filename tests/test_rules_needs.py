"""The needs of a rule: on a subject without them, it would find nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.corpus import make_spec
from mcp_contracts.checks.catalog import EXAMPLES, linted_files
from mcp_contracts.contract import SourceFile, ToolListFile
from mcp_contracts.faults import FaultKind
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.providers.limits.table import TARGETS
from mcp_contracts.records import replace
from mcp_contracts.rules.base import LEGACY, RuleOptions
from mcp_contracts.rules.registry import LINT_RULES
from mcp_contracts.rules.running.engine import check_file
from mcp_contracts.schema.vocabulary import KEYWORDS
from mcp_contracts.sources.load import load
from tests import schema_strategies
from tests.support_schemas import PATH, tool
from tests.sweeps import size, sweep

NEEDY = tuple(rule for rule in LINT_RULES if rule.needs)
UNFILTERED = tuple(replace(rule, needs=frozenset()) for rule in NEEDY)
OPTIONS = RuleOptions(targets=tuple(TARGETS))
KNOWN: frozenset[str] = frozenset().union(
    *KEYWORDS.values(), *(rule.needs for rule in NEEDY if rule.scope == "ToolSchema")
)
odd_values: st.SearchStrategy[Any] = st.one_of(
    schema_strategies.values, st.just({"mapping": {"a": "#/b"}}), st.sampled_from(["#/$defs/a", "#a", "array", "é("])
)
schemas: st.SearchStrategy[Any] = st.recursive(
    st.dictionaries(st.sampled_from(sorted(KNOWN)), odd_values, max_size=4),
    lambda inner: st.one_of(
        [
            st.fixed_dictionaries(
                {keyword: st.dictionaries(st.sampled_from(("a", "b", "a_")), inner, max_size=2)},
                optional={
                    "type": st.just("object"),
                    "required": st.just(["a"]),
                    "items": inner,
                    "anyOf": st.lists(inner),
                },
            )
            for keyword in ("properties", "$defs", "definitions")
        ]
    ),
    max_leaves=4,
)


def differing(file: SourceFile) -> list[object]:
    """Return the findings of rules that did not run although they have some, or the reverse."""
    kept, every = (
        [(item.rule.code, item.finding, item.place) for item in check_file(file, rules, OPTIONS)]
        for rules in (NEEDY, UNFILTERED)
    )
    return [one for one in (*kept, *every) if one not in kept or one not in every]


@pytest.mark.parametrize("family", range(9))
def test_a_rule_finds_nothing_in_an_example_without_what_it_needs(family: int) -> None:
    sources = [path for path in EXAMPLES.glob(f"MC{family}*/*") if path.suffix in (".md", ".json", ".py")]

    found = [one for source in sources for file in load(linted_files(source)).files for one in differing(file)]

    assert found == []


@sweep
@settings(max_examples=size(600, 20))
@given(schemas, schemas)
def test_a_rule_finds_nothing_in_a_schema_without_what_it_needs(first: Any, second: Any) -> None:
    assert differing(ToolListFile(PATH, "", contracts=(tool(first, second, description="Return one."),))) == []


def test_a_tool_with_another_name_compiles_no_pattern() -> None:
    _, text = make_spec(1, 0, faulty=0)
    re.purge()  # a full cache drops patterns, which are then compiled again
    for name in ("send_member_0", "drop_labels_8"):  # the results for the first may be cached
        check_file(read_spec("a.md", text.replace("send_member_0", name)), LINT_RULES, OPTIONS)
    compiled = set(re._cache)  # type: ignore[attr-defined]  # CPython's own

    found = check_file(read_spec("a.md", text.replace("send_member_0", "merge_label_7")), LINT_RULES, OPTIONS)

    assert {item.tool.name for item in found if item.tool is not None} == {"video_00000.merge_label_7"}
    assert set(re._cache) <= compiled  # type: ignore[attr-defined]  # as above


def test_a_rule_about_files_or_tools_needs_faults_or_an_older_dialect() -> None:
    of_files = [rule for rule in NEEDY if rule.scope in ("SourceFile", "SpecFile", "SpecTool")]
    of_schemas = [rule for rule in NEEDY if rule.scope == "ToolSchema"]

    assert of_files + of_schemas != []
    assert len(of_files) + len(of_schemas) == len(NEEDY)
    assert all(rule.needs <= {*FaultKind, LEGACY} for rule in of_files)
