"""The diff report as Markdown, read by a Markdown parser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from mcp_contracts.change import Change, DiffReport, ToolDiff, ToolState, Verdict, Witness
from mcp_contracts.contract import JsonValue
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.formats.escaping import code_span, escape
from mcp_contracts.reporting.visible import visible
from tests.change_examples import (
    BREAK,
    CONTEXT,
    FORECAST,
    HISTORY,
    HOSTILE,
    LOST,
    OPTIONAL,
    REPORT,
    hostile_report,
    rendered,
)
from tests.tables import each

render = partial(rendered, "markdown")
CHANGELOG = replace(CONTEXT, changelog=True)


def tokens(text: str) -> Iterator[Token]:
    """Return all tokens of a document, including those within lines."""
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text):
        yield token
        yield from token.children or ()


def headings(text: str) -> list[str]:
    """Return the headings of a document."""
    found = list(tokens(text))
    return [found[index + 1].content for index, token in enumerate(found) if token.type == "heading_open"]


def test_a_break_is_a_heading_with_its_tool_and_the_call_in_a_block() -> None:
    report = DiffReport(tools=(replace(FORECAST, changes=(BREAK, OPTIONAL)),), modules=REPORT.modules[1:])

    assert render(report, CONTEXT) == (
        """\
## Tool contracts: breaking changes

Compared `git:main` with `specs/`.

1 breaking change in 1 of 1 tool, 1 compatible; weather needs 2.0.0.

| | changes | tools |
|---|---:|---:|
| breaking | 1 | 1 |
| compatible | 1 | 1 |

A change is *breaking* if calls that work today fail after it, or if results can take a form that consumers do not \
expect.

**To fix this**, undo the breaking changes below. **If they are intended**, release the required versions, or accept \
the breaking changes with `mcp-contracts diff --against main specs/ --accept --reason TEXT` and commit the file that \
it writes.

- `weather` 1.2.0 → 1.2.1 **should be 2.0.0**

### `days`: `maximum` 14 became 7

**Breaking** · BC207 input-bounds-changed · `specs/weather/MCP_TOOL_SPECIFICATION.md:31`

In `weather.get_forecast` 1.2.0 → 1.2.1, needs a major bump (2.0.0).

This call worked before and fails now:

```json
{"city": "Paris", "days": 8}
```

8 is greater than the maximum of 7, at /days

*Help:* keep the old maximum, or release 2.0.0 with a migration note

<details>
<summary>1 compatible change</summary>

- `language` was added\\* (BC203): `weather.get_forecast`

\\* compatible because callers only send declared names (policy `declared`)

</details>
"""
    )


def test_a_removed_tool_says_what_that_means_and_not_twice_which_tool() -> None:
    gone = replace(LOST, code="BC104", message="`files.list` was removed without being deprecated first")
    tool = ToolDiff("files.list", ToolState.REMOVED, Verdict.BREAKING, (gone,))

    shown = render(DiffReport(tools=(tool,)), CONTEXT)

    assert "Every call to it now fails." in shown
    assert "In `files.list`" not in shown
    assert "accept the breaking changes with `mcp-contracts diff --against main" in shown
    assert "release the required versions" not in shown


def test_a_report_without_open_breaks_explains_nothing() -> None:
    shown = render(DiffReport(tools=(HISTORY,)), CONTEXT)

    assert "*breaking*" not in shown
    assert "To fix this" not in shown


@pytest.mark.parametrize(
    ("report", "headline"),
    [
        (REPORT, "breaking changes"),
        (DiffReport(diagnostics=REPORT.diagnostics), "an error"),
        (DiffReport(tools=(HISTORY,)), "breaking changes, all covered or accepted"),
        (DiffReport(tools=(replace(FORECAST, changes=(OPTIONAL,)),)), "compatible changes"),
        (DiffReport(), "nothing changed"),
    ],
)
def test_the_headline_is_the_verdict(report: DiffReport, headline: str) -> None:
    assert headings(render(report, CONTEXT))[0] == f"Tool contracts: {headline}"


@pytest.mark.parametrize("width", [0, 20, 40, 80])
@pytest.mark.parametrize("context", [CONTEXT, CHANGELOG], ids=["comment", "changelog"])
def test_a_call_can_be_copied_at_any_width(width: int, context: RenderContext) -> None:
    value: JsonValue = {"city": "Paris", "days": list(range(90)), "note": "`" * 9 + HOSTILE.replace("\ud800", "")}
    broken = replace(BREAK, witness=Witness(value, "no"))
    report = DiffReport(tools=(replace(FORECAST, changes=(broken,)),))

    shown = render(report, replace(context, width=width))

    (block,) = [token for token in tokens(shown) if token.type == "fence"]
    assert block.info == "json"
    assert json.loads(block.content) == value


def test_a_value_that_is_shortened_does_not_claim_to_be_json() -> None:
    blocks = [token for token in tokens(render(REPORT, CONTEXT)) if token.type == "fence"]

    assert [block.info for block in blocks] == ["json", "text"]
    assert "[1, 2, 3, … 117 more]" in blocks[1].content


@pytest.mark.parametrize("context", [CONTEXT, CHANGELOG], ids=["comment", "changelog"])
def test_no_markup_of_an_author_takes_effect(context: RenderContext) -> None:
    shown = render(hostile_report(), context)

    found = list(tokens(shown))
    html = [token.content.strip() for token in found if token.type in ("html_block", "html_inline")]
    assert all(part.startswith(("<details>\n<summary>", "</details>")) for part in html)
    assert not {token.type for token in found} & {"link_open", "image", "s_open", "hr"}
    assert sum(token.type == "table_open" for token in found) == (0 if context.changelog else 1)
    outside_code = "".join(token.content for token in found if token.type == "text")
    assert "@octocat" not in outside_code
    assert "#1" not in outside_code
    assert "://" not in outside_code


def test_details_are_opened_and_closed_equally_often() -> None:
    shown = render(hostile_report(), CONTEXT)

    html = [token.content for token in tokens(shown) if token.type == "html_block"]
    assert sum("<details>" in part for part in html) == sum("</details>" in part for part in html) == 3


@each(
    "text",
    [HOSTILE, "`", "``", "`a", "a`b`c`", "- x", "1. x", "12) x", "1.2.0", "a\\*b", "# x", "> x", "", "= x", "*a*"],
)
def test_an_escaped_text_is_one_paragraph_that_reads_the_same(text: str) -> None:
    found = list(tokens(escape(text)))

    kinds = {token.type for token in found}
    assert kinds <= {"paragraph_open", "inline", "text", "text_special", "code_inline", "paragraph_close"}
    read = "".join(token.content for token in found if not token.children).replace("\u200b", "")
    assert read.replace("`", "") == visible(text).replace("`", "")


@pytest.mark.parametrize("text", ["a", "`", "``a`", "a ` b", " a", "", "a|b", "<b>"])
def test_a_code_span_may_contain_any_text(text: str) -> None:
    spans = [token.content for token in tokens(code_span(text)) if token.type == "code_inline"]

    assert spans == ([text] if text else [])


def test_a_long_report_ends_before_the_limit_and_says_what_is_left_out() -> None:
    def changes(number: int) -> tuple[Change, ...]:
        renamed = replace(BREAK, message=f"`days_{number}`: `maximum` 14 became 7")
        return renamed, replace(OPTIONAL, message=f"`language_{number}` was added")

    tools = tuple(replace(FORECAST, tool=f"a.tool_{number:04}", changes=changes(number)) for number in range(2000))

    shown = render(DiffReport(tools=tools), CONTEXT)

    kept = shown.count("**Breaking**")
    left = f"{2000 - kept:,} breaking or unknown changes, 2,000 compatible changes"
    assert shown.splitlines()[-1].startswith(f"**Omitted** to fit a comment: {left}.")
    assert len(shown) < 61_000
    assert kept > 50
    assert "<details>" not in shown


def test_a_change_in_thousands_of_tools_is_one_entry_with_the_first_tools() -> None:
    tools = tuple(replace(FORECAST, tool=f"a.tool_{number:04}", changes=(BREAK, OPTIONAL)) for number in range(2000))

    shown = render(DiffReport(tools=tools), CONTEXT)

    assert shown.count("**Breaking**") == 1
    assert "In 2000 tools: `a.tool_0000` 1.2.0" in shown
    assert "and 1,970 more." in shown
    assert "left out" not in shown.lower()


def test_a_long_list_of_compatible_changes_is_closed_where_it_is_cut() -> None:
    tools = (replace(FORECAST, changes=(OPTIONAL,) * 3000),)

    shown = render(DiffReport(tools=tools), CONTEXT)

    assert len(shown) < 61_000
    assert shown.count("<details>") == shown.count("</details>") == 1


def test_a_changelog_has_a_heading_for_each_module_and_addresses_callers() -> None:
    shown = render(REPORT, CHANGELOG)

    assert headings(shown) == [
        "files 2.0.0",
        "Breaking",
        "weather 1.2.1",
        "Breaking",
        "Added",
        "Changed",
        "Deprecated",
        "Removed",
    ]
    assert (
        "- `weather.get_forecast` (arguments): `days`: `maximum` 14 became 7. Calls such as "
        '`{"city": "Paris", "days": 8}` worked before and fail now: 8 is greater than the maximum of 7, at /days.\n'
    ) in shown
    assert "*These changes require 2.0.0.*" in shown
    assert "<details>" not in shown


def test_a_changelog_of_nothing_says_so() -> None:
    assert render(DiffReport(), CHANGELOG) == "Nothing changed.\n"


def test_changes_that_no_version_was_given_to_are_unreleased() -> None:
    report = DiffReport(tools=(FORECAST, replace(HISTORY, module=None)))

    shown = [heading for heading in headings(render(report, CHANGELOG)) if "unreleased" in heading]

    assert shown == ["weather (unreleased)", "Tools (unreleased)"]
