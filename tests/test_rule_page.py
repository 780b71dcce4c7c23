"""The page of a rule, and its examples."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from mcp_contracts.checks.catalog import EXAMPLES, catalog, example_source, read_example, read_example_of
from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.diagnostics import RuleInfo, Severity
from mcp_contracts.reporting.rules.page import ChangeExample, RuleExample, rule_page, rule_page_text
from mcp_contracts.reporting.rules.reported_changes import reported_changes
from mcp_contracts.rules.registry import all_rule_infos
from mcp_contracts.rules.suppressions import SUPPRESSION_UNUSED
from mcp_contracts.sources.documents import read_source
from tests.tables import each

INFO = RuleInfo(
    "MC305",
    "property-without-description",
    Severity.NOTE,
    "0.1.0",
    "A property has no description.",
    "Say why.\n\nAnd how.",
)
BAD = """\
# A

One.
Two.

```json
{
  "a": 1
}
```

End.
"""
EXAMPLE = RuleExample(
    bad={"bad.md": BAD},
    good={"good.md": BAD.replace("1", "2")},
    expected="8:8 note MC305 parameter `a` has no description\n  help: describe it\n",
)


def test_a_page_says_what_and_why_shows_the_fault_and_the_way_out() -> None:
    assert rule_page(INFO, EXAMPLE) == (
        """\
# MC305: property-without-description

Note. Added in 0.1.0.

A property has no description.

Say why.

And how.

## Example

Lines 4 to 12 of an example:

````markdown
Two.

```json
{
  "a": 1
}
```

End.
````

`mcp-contracts lint` reports:

```text
8:8 note MC305 parameter `a` has no description
  help: describe it
```

## Fixed

````diff
 ```json
 {
-  "a": 1
+  "a": 2
 }
 ```
````

## Suppressing the finding

If this is intended, add a comment with the reason directly before the block. Use `ignore-tool` for the whole tool, or
`ignore-file` for the whole file.

```markdown
<!-- mcp-contracts: ignore MC305 -- why this is intended -->
```

For files without comments, such as tool lists, add a suppression to `mcp-contracts.yaml`:

```yaml
suppressions:
  - code: MC305
    path: path/to/the/file
    reason: why this is intended
```
"""
    )


def test_the_page_of_a_change_shows_what_was_changed_and_how_to_live_with_it() -> None:
    info = RuleInfo("BC207", "input-bounds-changed", Severity.ERROR, "0.2.0", "The limits changed.", "Say why.")
    example = ChangeExample({"old.json": "{\n1\n}\n"}, {"new.json": "{\n2\n}\n"}, "BC207 breaking - - it broke\n")

    page = rule_page(info, example)

    assert page.startswith(
        "# BC207: input-bounds-changed\n\nCan break callers. Added in 0.2.0.\n\nThe limits changed.\n"
    )
    assert "\nThe change:\n\n```diff\n {\n-1\n+2\n }\n```\n" in page
    assert "\n`mcp-contracts diff` reports:\n\n```text\nbreaking BC207 it broke\n```\n" in page
    assert "\n## Intended changes\n" in page
    assert "section 9" in page
    assert "`mcp-contracts diff --accept`" in page
    assert "Suppressing" not in page


def test_a_recorded_change_is_worded_as_the_text_report_words_it() -> None:
    recorded = (
        'BC306 breaking /properties/a/enum "" `a`: `enum` gained 2\n  tags: guess\n  result: {"a": 2}\n'
        "  error: `a` is 2, not 1\n  help: keep the old values\n"
        "BC331 unknown - /x y: it is new\n  reason: $ref /x it does not resolve\n"
    )

    assert reported_changes(recorded).splitlines() == [
        "breaking BC306 `a`: `enum` gained 2",
        "  this result was impossible before and is possible now:",
        '    {"a": 2}',
        "    `a` is 2, not 1",
        "  help: keep the old values",
        "unknown BC331 y: it is new",
    ]


def test_a_line_that_is_not_part_of_a_record_is_an_error() -> None:
    with pytest.raises(ValueError, match="unknown line: MC305"):
        reported_changes("MC305 it is not a change\n")


def test_a_change_that_breaks_no_caller_need_not_be_accepted() -> None:
    info = RuleInfo("BC220", "input-words-changed", Severity.NOTE, "0.2.0", "The words changed.", "Say why.")

    page = rule_page(info, ChangeExample({"old.md": "a\n"}, {"new.md": "b\n"}, "BC220 compatible - - it changed\n"))

    assert "Does not break callers. Added in 0.2.0." in page
    assert "Intended changes" not in page


def test_a_page_about_a_release_shows_the_step_its_other_files_and_the_way_out() -> None:
    bad = {"mcp-contracts-accepted.yaml": "accepted: []\n", "new.md": "2\n", "old.md": "1\n"}
    example = RuleExample(bad, {"new.md": "3\n", "old.md": "1\n"}, "new.md:1:1 error MC207 it broke\n", silenced_by=())

    page = rule_page(INFO, example)

    assert "The change:\n\n```diff\n-1\n+2\n```" in page
    assert "`mcp-contracts-accepted.yaml`:\n\n```yaml\naccepted: []\n```" in page
    assert "reports:\n\n```text\nnew.md:1:1 error MC207 it broke\n```" in page
    assert "+3" in page.partition("## Fixed")[2]


def test_the_excerpt_has_no_loose_end_of_a_fence() -> None:
    around = replace(EXAMPLE, expected="12:1 note MC305 the end\n")

    page = rule_page(INFO, around)

    assert "Lines 12 to 12 of an example:\n\n```markdown\nEnd.\n```\n" in page


def test_a_fence_is_longer_than_any_inside() -> None:
    inside = replace(EXAMPLE, bad={"bad.md": BAD.replace("```", "`````")})

    assert "\n``````markdown\nTwo.\n\n`````json\n" in rule_page(INFO, inside)


def test_where_most_changes_the_good_example_is_shown_whole() -> None:
    good = "".join(f"{number}\n" for number in range(40))

    page = rule_page(INFO, replace(EXAMPLE, good={"good.md": good}))

    assert f"The fixed version of the example:\n\n```markdown\n{good}```\n" in page
    assert "diff" not in page


def test_without_a_difference_nothing_is_shown() -> None:
    assert "## Fixed" not in rule_page(INFO, replace(EXAMPLE, good={"good.md": BAD}))


def test_of_several_files_those_that_differ_are_named() -> None:
    example = RuleExample(
        bad={"a.md": BAD, "mcp-contracts.yaml": "limit: 1\n"},
        good={"a.md": BAD, "mcp-contracts.yaml": "limit: 2\n"},
        expected="a.md:3:1 note MC305 it is too much\n",
    )

    page = rule_page(INFO, example)

    assert "of `a.md`:" in page
    assert "```diff\n--- mcp-contracts.yaml\n+++ mcp-contracts.yaml\n-limit: 1\n+limit: 2\n```" in page


def test_what_cannot_be_seen_is_written_out() -> None:
    hidden = {"bad.md": BAD.replace("Two", "T\u200bwo")}

    assert "T\\u{200b}wo." in rule_page(INFO, replace(EXAMPLE, bad=hidden))
    assert "T\\u{200b}wo." in rule_page_text(INFO, replace(EXAMPLE, bad=hidden))


def test_an_example_that_expects_nothing_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="expects no diagnostic"):
        rule_page(INFO, replace(EXAMPLE, expected=""))


def test_on_a_terminal_headings_are_bold_and_nothing_is_markdown() -> None:
    text = rule_page_text(INFO, EXAMPLE, color=True)

    assert text.startswith("\x1b[1mMC305: property-without-description\x1b[0m\n\nNote. Added in 0.1.0.\n")
    assert "\x1b[1mExample\x1b[0m" in text
    assert '    \x1b[1;31m-  "a": 1\x1b[0m\n    \x1b[1;32m+  "a": 2\x1b[0m\n' in text
    assert "##" not in text
    assert "````" not in text


def test_a_list_in_the_rationale_keeps_its_lines() -> None:
    info = replace(INFO, rationale="These:\n- one\n- two")

    assert "These:\n- one\n- two\n" in rule_page_text(info, EXAMPLE)


@each("info", catalog(), ids=lambda info: info.code)
def test_a_page_fits_the_terminal_and_is_about_a_screen_and_a_half(info: RuleInfo) -> None:
    example = read_example_of(info)

    for width in (40, 80):
        _, *lines = rule_page_text(info, example, width=width).splitlines()
        assert all(len(line.split()) == 1 for line in lines if len(line) > width), "only a word is longer"
        assert not any(line != line.rstrip() for line in lines)
    lines = rule_page(info, example).splitlines()
    assert len(lines) <= (130 if info.name == "legacy-dialect" else 90)  # that one shows the whole format
    assert not any(line != line.rstrip() for line in lines)


def can_hold_a_comment(info: RuleInfo) -> bool:
    """Whether a comment can silence a rule, and its example is one file that can contain the comment."""
    source = example_source(EXAMPLES / info.code, "bad")
    return "comment" in read_example(info.code).silenced_by and source.suffix == ".md"


@each("info", [*filter(can_hold_a_comment, all_rule_infos())], ids=lambda info: info.code)
def test_the_comment_that_a_page_names_silences_the_rule(info: RuleInfo) -> None:
    example = read_example(info.code)
    comment = re.search(r"<!-- mcp-contracts: .* -->", rule_page(info, example))
    assert comment is not None
    text = example.bad["bad.md"]
    whole = comment[0].replace("ignore", "ignore-file")
    parts = (text, whole) if text.startswith("---") else (whole, text)  # a comment at the end may itself be hidden
    file = read_source("bad.md", "\n\n".join(parts))

    report = lint(Contracts((file,)))

    found = {diagnostic.code for diagnostic in report.diagnostics}
    # An example without findings has nothing to silence; another test requires that it triggers the rule.
    assert found in ({info.code}, {SUPPRESSION_UNUSED.code}, set())  # none: of a provider that is checked on demand
    assert info.code not in {diagnostic.code for diagnostic in report.shown()}
    assert report.shown() == () or found == {SUPPRESSION_UNUSED.code}


def test_a_rule_about_suppressions_cannot_be_suppressed() -> None:
    assert read_example("MC009").silenced_by == ()


def test_a_rule_only_about_specifications_is_silenced_only_by_a_comment() -> None:
    assert read_example("MC106").silenced_by == ("comment",)


def test_what_cannot_be_read_is_silenced_in_the_configuration() -> None:
    assert read_example("MC001").silenced_by == ("configuration",)


def test_a_rule_without_examples_is_a_mistake_of_ours() -> None:
    with pytest.raises(FileNotFoundError, match="no example `bad`"):
        read_example("MC000")
