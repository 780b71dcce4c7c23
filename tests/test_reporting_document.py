"""Laws of a document for either report, and the additions of each report."""

from __future__ import annotations

from dataclasses import replace

from markdown_it import MarkdownIt

from mcp_contracts.change import DiffReport
from mcp_contracts.diagnostics import Report, Severity
from mcp_contracts.reporting.diff.document import diff_document
from mcp_contracts.reporting.lint_document import lint_document
from tests import change_examples, reporting_examples
from tests.change_examples import hostile_report
from tests.reporting_examples import CONTEXT, FULL, HOSTILE, NOTE, PATH, SUPPRESSED, WARNING, diagnostic


def test_a_lint_as_markdown_has_a_section_a_file_with_what_to_do() -> None:
    alike = tuple(
        replace(NOTE, message=f"parameter `{name}` has no description", place=replace(NOTE.place, line=10 + number))
        for number, name in enumerate(("unit", "days", "lang", "exact", "hour", "page"))
    )

    shown = reporting_examples.rendered("markdown", Report((SUPPRESSED, WARNING, FULL, *alike), 2, 3), CONTEXT)

    assert shown == (
        f"""\
## Tool contracts: 1 error, 1 warning and 6 notes

Found 1 error, 1 warning and 6 notes in 2 files (3 tools); 1 suppressed.

### `{PATH}`

- 1:1 warning MC105: `weather.get` has no section 8
- 5:24 error MC302: the schema requires `unit`, which it does not define (`weather.get`). *Help:* define `unit` under \
`properties`
- 10:16 note MC305: parameter `unit` has no description (`weather.get`); also 11:16, 12:16, 13:16, 14:16 and 1 more
"""
    )


def test_a_hostile_lint_has_no_markup_of_its_author() -> None:
    hostile = diagnostic(message=HOSTILE, hint=HOSTILE, path=HOSTILE, tool=HOSTILE)

    shown = reporting_examples.rendered("markdown", Report((hostile,)), replace(CONTEXT, statistics=True))

    tokens = [token for block in MarkdownIt("commonmark").parse(shown) for token in (block, *(block.children or ()))]
    assert not {token.type for token in tokens} & {"link_open", "image", "html_inline"}


def test_a_diff_at_one_line_a_change_says_verdict_place_and_tool() -> None:
    lines = change_examples.rendered("concise", change_examples.REPORT).splitlines()

    assert (
        "specs/weather/MCP_TOOL_SPECIFICATION.md:31:3: breaking BC207 `days`: `maximum` 14 became 7 "
        "(weather.get_forecast)" in lines
    )
    assert "specs/mail/X.md:7:3: error MC301 the input schema is not JSON" in lines
    assert any(line.endswith("[accepted: nobody reads it, agreed with the two consumers]") for line in lines)
    assert lines[-1].startswith("5 breaking changes in 4 of 6 tools")


def test_statistics_count_changes_as_they_count_diagnostics() -> None:
    report = DiffReport(tools=(change_examples.FORECAST, replace(change_examples.FORECAST, tool="b.c")))

    most_frequent, *_ = diff_document(report).statistics_lines()

    assert most_frequent.split() == ["2", "BC111", "description-changed", "compatible"]


def test_what_is_suppressed_or_accepted_is_not_counted() -> None:
    lint = lint_document(Report((SUPPRESSED, WARNING)))
    diff = diff_document(DiffReport(tools=(change_examples.HISTORY,)))

    assert [lint.count(severity) for severity in Severity] == [0, 1, 0]
    assert [diff.count(severity) for severity in Severity] == [0, 0, 0]


def test_every_entry_of_a_report_is_in_its_document_once() -> None:
    report = hostile_report()

    document = diff_document(report)

    assert len(list(document.entries())) == len(list(report.changes())) + len(report.diagnostics)
