"""The law of findings: a report contains everything that was found, and options change only what they name."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.checks.baseline import NEVER_KNOWN, KnownIndex, LintedFiles, mark_known, recordable
from mcp_contracts.checks.lint import lint
from mcp_contracts.cli.reports import Gate
from mcp_contracts.config import Config
from mcp_contracts.config.model import ConfiguredSuppression
from mcp_contracts.contract import Contracts, SpecFile
from mcp_contracts.diagnostics import Comparison, Diagnostic, Place, Report, RuleSelection, Severity
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.lint_document import lint_document
from mcp_contracts.reporting.render import render
from mcp_contracts.rules.suppressions import SUPPRESSION_RULES

PATH = "specs/notes/MCP_TOOL_SPECIFICATION.md"
NOWHERE = LintedFiles(Contracts(()), ".")
CONFIGURED_AT = Place("pyproject.toml", 1, 1, 1, 1)
OWN = {rule.code for rule in SUPPRESSION_RULES}
NAMES = ("notes.find", "notes.add", "notes.drop")
BLOCKS = ("heading", "input table", "input schema", "output table", "example")
CODES = (
    "MC",
    "MC3",
    "MC302",
    "MC305",
    "MC308",
    "MC309",
    "MC313",
    "MC322",
    "MC4",
    "MC402",
    "MC403",
    "MC404",
    "MC2",
    "MC201",
)

INPUTS = (
    {"type": "object", "properties": {"word": {"type": "strnig"}, "tags": {"type": "array"}}, "required": ["wrod"]},
    {"type": "object", "properties": {"word": {"type": "string", "default": 3}, "at": {"minmum": 1}}, "required": []},
    {"type": "object", "properties": {"word": {"type": "integer", "minimum": 5, "maximum": 2}}, "required": ["word"]},
)
EXAMPLES = (
    '{"tool_name": "TOOL", "arguments": {"word": "a", "other": 1}}',
    '{"tool_name": "calendar.find", "arguments": {"word": 1}}',
    '{"tool_name": "TOOL", "arguments": {"word": ',
)


@dataclass(frozen=True, slots=True)
class Silenced:
    """A suppression: its scope, its tool and block, and its code."""

    scope: str
    tool: int
    block: str
    code: str


def spec(
    kinds: Iterable[tuple[int, int]], comments: Iterable[Silenced] = ()
) -> tuple[str, dict[tuple[int, str], range]]:
    """Return a specification of some tools, with the lines of their blocks, and comments before some blocks."""
    comments = list(comments)
    lines = ["# notes: tool specification", ""]
    lines.extend(
        f"<!-- mcp-contracts: ignore-file {one.code} -- known -->\n" for one in comments if one.scope == "file"
    )
    lines = "\n".join(lines).split("\n")
    blocks: dict[tuple[int, str], range] = {}
    for number, (kind, example) in enumerate(kinds):
        schema = json.dumps(INPUTS[kind], indent=1)
        call = EXAMPLES[example].replace("TOOL", NAMES[number])
        table = "| Field | Type | Required | Description |\n|---|---|---|---|\n"
        parts = {
            "heading": f"## Tool: `{NAMES[number]}`",
            "": "### 1. Tool Purpose and Description\n\nFinds or keeps the notes of one person.\n\n### 3. Input Schema",
            "input table": f"{table}| `word` | string | yes | The word. |\n| `gone` | strnig | no | Not there. |",
            "input schema": f"```json\n{schema}\n```",
            " ": "### 4. Output Schema",
            "output table": f"{table}| `found` | strnig | yes | What was found. |\n| `more` | strig | no | More. |",
            "  ": "### 7. Usage Examples",
            "example": f"```json\n{call}\n```",
        }
        for name, text in parts.items():
            for one in comments:
                if one.tool == number and one.scope == "tool" and name == "input schema":
                    lines.extend([f"<!-- mcp-contracts: ignore-tool {one.code} -- known -->", ""])
                if one.tool == number and one.scope == "block" and one.block == name:
                    lines.extend([f"<!-- mcp-contracts: ignore {one.code} -- known -->", ""])
            first = len(lines) + 1
            lines.extend([*text.split("\n"), ""])
            blocks[number, name] = range(first, len(lines))
    return "\n".join(lines), blocks


def report_of(text: str, selection: RuleSelection = RuleSelection(), entries: Iterable[Silenced] = ()) -> Report:  # noqa: B008  # frozen
    """Lint a specification, with suppressions in the configuration."""
    configured = tuple(
        ConfiguredSuppression(one.code, "known", CONFIGURED_AT, ".", tool=NAMES[one.tool]) for one in entries
    )
    config = Config(None, Path(), suppressions=configured)
    return lint(Contracts((read_spec(PATH, text),)), config, selection=selection)


def key(one: Diagnostic) -> tuple[str, ...]:
    """Return what identifies a diagnostic after its lines have moved or its state has changed."""
    return one.code, one.tool or "", one.part or "", one.pointer or "", one.message


def is_silenced(one: Diagnostic, by: Silenced, blocks: dict[tuple[int, str], range], is_configured: bool) -> bool:
    """Whether a suppression applies to a diagnostic, by definition."""
    if not one.code.startswith(by.code) or one.code in OWN:
        return False
    if is_configured:
        return one.tool == NAMES[by.tool]
    if by.scope == "file":
        return True
    if by.scope == "tool":
        own = [lines for (tool, _), lines in blocks.items() if tool == by.tool]
        return min(lines.start for lines in own) <= one.place.line < max(lines.stop for lines in own)
    return one.place.line in blocks[by.tool, by.block]


SPECS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=3)
SILENCED = st.builds(
    Silenced,
    st.sampled_from(["file", "tool", "block"]),
    st.integers(0, 2),
    st.sampled_from(BLOCKS),
    st.sampled_from(CODES),
)
SELECTIONS = st.builds(
    RuleSelection,
    select=st.lists(st.sampled_from(CODES), max_size=2).map(tuple),
    ignore=st.lists(st.sampled_from(CODES[1:]), max_size=2).map(tuple),
    severity=st.lists(st.tuples(st.sampled_from(CODES), st.sampled_from(list(Severity))), max_size=2).map(tuple),
)
GATES = st.builds(Gate, st.sampled_from(list(Severity)), st.none() | st.integers(0, 3))


@given(SPECS, st.lists(SILENCED, max_size=4), st.lists(SILENCED, max_size=2), SELECTIONS)
def test_what_is_reported_is_all_changed_only_in_what_is_named(
    kinds: list[tuple[int, int]], comments: list[Silenced], entries: list[Silenced], selection: RuleSelection
) -> None:
    comments = [one for one in comments if one.scope == "file" or one.tool < len(kinds)]
    full = report_of(spec(kinds)[0])
    text, blocks = spec(kinds, comments)

    reported = report_of(text, selection, entries)

    found = [one for one in reported.diagnostics if one.code not in OWN]
    expected = sorted(key(one) for one in full.diagnostics if selection.includes(one.code))
    assert sorted(map(key, found)) == expected
    severities = {one.code: one.severity for one in full.diagnostics}
    for one in found:
        by_comment = any(is_silenced(one, by, blocks, False) for by in comments)
        by_entry = any(is_silenced(one, by, blocks, True) for by in entries)
        assert one.severity is selection.level(one.code, severities[one.code])
        assert (one.suppressed is not None) is (by_comment or by_entry)
        assert one.suppressed_in == ("source" if by_comment else "configuration" if by_entry else None)


def with_baseline(report: Report, before: Report, stands_in: Literal["baseline", "revision"]) -> Report:
    """Return a report after recording another one in the baseline."""
    folder = str(Path.cwd())
    here = LintedFiles(Contracts((SpecFile(PATH, ""),)), folder)
    marked, stale = mark_known(report, KnownIndex(recordable(before.diagnostics, here), stands_in, "recorded"), here)
    return replace(marked, compared=Comparison("known.json", stale=stale))


@given(SPECS, SPECS, st.lists(SILENCED, max_size=2), SELECTIONS)
def test_a_baseline_changes_only_which_findings_count(
    before: list[tuple[int, int]], now: list[tuple[int, int]], comments: list[Silenced], selection: RuleSelection
) -> None:
    comments = [one for one in comments if one.scope == "file" or one.tool < len(now)]
    recorded = report_of(spec(before)[0], selection)
    report = report_of(spec(now, comments)[0], selection)

    marked = with_baseline(report, recorded, "baseline")

    known = [one for one in marked.diagnostics if one.is_known]
    assert marked.compared is not None
    assert [
        replace(one, suppressed=None, suppressed_in=None) if one.is_known else one for one in marked.diagnostics
    ] == [*report.diagnostics]
    assert not [one for one in known if one.code in NEVER_KNOWN]
    assert len(known) + len(marked.compared.stale) == len(recordable(recorded.diagnostics, NOWHERE))
    assert with_baseline(report, report, "revision").shown() == ()
    assert with_baseline(report, Report(), "baseline").shown() == report.shown()


@given(SPECS, st.lists(SILENCED, max_size=3), SELECTIONS, GATES, st.none() | SPECS)
def test_exit_code_counts_and_formats_agree(
    kinds: list[tuple[int, int]],
    comments: list[Silenced],
    selection: RuleSelection,
    gate: Gate,
    before: list[tuple[int, int]] | None,
) -> None:
    comments = [one for one in comments if one.scope == "file" or one.tool < len(kinds)]
    text, _ = spec(kinds, comments)
    report = report_of(text, selection)
    if before is not None:
        report = with_baseline(report, report_of(spec(before)[0]), "baseline")
    made = lint_document(report, {PATH: text})
    failing = gate.failing(report.count(Severity.WARNING))
    context = RenderContext(failing=failing)

    shown = report.shown()
    failed = [one for one in shown if one.severity in failing]
    junit = ElementTree.fromstring(render("junit", made, context))
    results = json.loads(render("sarif", made, context))["runs"][0]["results"]
    document = json.loads(render("json", made, context))
    quiet = render("concise", made, replace(context, quiet=True)).splitlines()[:-1]
    listed = render("concise", made, context).splitlines()[:-1]

    assert [made.count(severity) for severity in Severity] == [report.count(severity) for severity in Severity]
    assert int(junit.attrib["failures"]) == len(failed) == len(quiet)
    assert len(listed) == len(shown)
    assert [one["level"] for one in results] == [one.severity.value for one in report.diagnostics]
    assert [bool(one.get("suppressions")) for one in results] == [
        one.suppressed is not None for one in report.diagnostics
    ]
    counts = [document["summary"][name] for name in ("errors", "warnings", "notes", "suppressed", "known")]
    of_shown = [sum(one.severity is severity for one in shown) for severity in Severity]
    known = sum(one.suppressed_in == "baseline" for one in report.diagnostics)
    assert counts == [*of_shown, len(report.diagnostics) - len(shown) - known, known]
    states = {None: None if before is None else "new", "baseline": "unchanged", "source": None}
    assert [one.get("baselineState") for one in results] == [states[one.suppressed_in] for one in report.diagnostics]
    assert (document["compared"] is None) is (before is None)
    told = render("text", made, context)
    assert all(f" {one.code} " in told for one in shown)
