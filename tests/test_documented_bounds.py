"""The limits in `docs/security.md` and `docs/changes.md` are those in the code."""

from __future__ import annotations

from pathlib import Path

from mcp_contracts.adapters.grammar.subset import GRAMMAR_STEPS
from mcp_contracts.changes.questions import COMPARISON_STEPS
from mcp_contracts.checks import diff
from mcp_contracts.config import files, reading
from mcp_contracts.inclusion.decision import BUDGET
from mcp_contracts.inclusion.graph import MAXIMUM_NODES
from mcp_contracts.parsing.discovery import MAX_FILE_SIZE
from mcp_contracts.runtime.table import MOST_VERSIONS
from mcp_contracts.schema import effort
from mcp_contracts.schema.validation import compile_effort
from mcp_contracts.sources import limits, source, tool_lists
from mcp_contracts.sources.servers.access import MAX_MESSAGE
from tests.tables import each

ROOT = Path(__file__).parent.parent


@each(
    ("document", "words"),
    [
        ("security", f"{MAX_FILE_SIZE // 1_000_000} MB, 20,000 lines"),
        ("security", f"| {tool_lists.MOST_TOOLS:,} are read |"),
        ("security", f"{limits.FILE_STEPS:,} steps; the tool that exceeds them is still read"),
        ("security", f"| {GRAMMAR_STEPS:,} steps for all of its tools"),
        ("security", f"{limits.RUN_STEPS:,} steps plus {limits.STEPS_PER_FILE:,} for each file"),
        ("security", f"| {MAX_MESSAGE // 1_000_000} MB; 128 MB"),
        ("security", f"{files.MAXIMUM_SIZE // 1_000_000} MB, {reading.MAXIMUM_ENTRIES:,} entries in a list"),
        ("security", f"{reading.MAXIMUM_PATTERN_LENGTH} characters, and the bounds for patterns"),
        ("security", f"{source.MAX_FILES:,} files and {source.MAX_TOTAL_SIZE // 1_000_000} MB"),
        ("security", f"| {reading.LARGEST_FILE_SIZE // 1_000_000} MB | exit 2 |"),
        ("security", f"{effort.COMPILED_STATES:,} weighted states; {effort.PATTERN_CHARACTERS:,} characters each"),
        ("security", f"{effort.LINEAR_STEPS:,} states times characters; {effort.BACKTRACKING_CHARACTERS:,} characters"),
        ("security", f"{effort.EVALUATIONS:,} pairs of subschema and value, {effort.EVALUATION_DEPTH} levels"),
        ("security", f"{effort.PLAIN_EVALUATIONS:,}; the first"),
        ("security", f"{effort.LARGE_NUMBERS:,} in a value"),
        ("security", f"{compile_effort.MOST_IN_RESOURCES:,} subschemas on all of them"),
        ("security", f"{compile_effort.MOST_BRANCHES:,}, {compile_effort.MOST_LEVELS} levels"),
        ("security", f"{BUDGET:,} steps for each question, {COMPARISON_STEPS:,} in total"),
        ("security", f"{diff.RUN_STEPS:,} steps plus {diff.STEPS_PER_COMPARISON} for each comparison"),
        ("security", f"up to {diff.MOST_RUN_STEPS:,}; one step less"),
        (
            "security",
            f"every {diff.CHARACTERS_PER_STEP} characters of changed tools, but never fewer than {diff.RUN_STEPS:,}",
        ),
        ("security", f"| {diff.MOST_RUN_STEPS:,} steps | `unknown` |"),
        ("security", f"| versions of one tool in a registry | {MOST_VERSIONS} |"),
        ("changes", f"at most {BUDGET:,} steps and a comparison of two schemas {COMPARISON_STEPS:,}."),
        ("changes", f"{MAXIMUM_NODES:,} subschemas"),
    ],
)
def test_a_document_states_the_bound_of_the_code(document: str, words: str) -> None:
    text = " ".join((ROOT / "docs" / f"{document}.md").read_text(encoding="utf-8").split())

    assert words in text
