"""The rules about the sections of a tool."""

from __future__ import annotations

import re

import pytest

from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.rules.structure.sections import (
    duplicate_section,
    empty_section,
    misordered_section,
    missing_section,
)
from mcp_contracts.rules.structure.sibling_sections import section_of_siblings_missing
from mcp_contracts.sections import SECTION_TITLES, Section
from tests.support_names import at, findings, messages, only, said, section, sections, spec_tool

ALL_RULES = (missing_section, empty_section, duplicate_section, misordered_section)


def test_a_tool_with_all_its_sections_in_order_is_fine() -> None:
    assert [messages(rule, spec_tool()) for rule in ALL_RULES] == [[]] * 4


@pytest.mark.parametrize(
    ("left_out", "message", "hint"),
    [
        ((6,), "section `6. Idempotency` is missing", "add `### 6. Idempotency`"),
    ],
)
def test_a_missing_section_is_reported_with_its_heading(left_out: tuple[int, ...], message: str, hint: str) -> None:
    assert said(missing_section, spec_tool(sections=sections(leave_out=left_out))) == (message, hint)


def test_each_missing_section_is_reported() -> None:
    assert messages(missing_section, spec_tool(sections=sections(leave_out=(5, 8)))) == [
        "section `5. Error Handling` is missing",
        "section `8. Security Considerations` is missing",
    ]


def test_a_legacy_tool_misses_no_section() -> None:
    assert messages(missing_section, spec_tool(sections=(), deviations=("it is old",))) == []


def test_an_empty_section_is_found_at_its_heading() -> None:
    finding = only(empty_section, spec_tool(texts={6: ""}))

    assert finding.message == "section `6. Idempotency` is empty"
    assert finding.place == at(60)


def test_a_section_of_the_authors_own_may_be_empty() -> None:
    tool = spec_tool(sections=(*sections(), section(None, "", title="Notes")))

    assert [messages(rule, tool) for rule in ALL_RULES] == [[]] * 4


def test_a_repeated_section_shows_the_first_and_is_not_also_empty() -> None:
    tool = spec_tool(sections=(*sections(), section(5, "", line=90)))

    finding = only(duplicate_section, tool)

    assert (finding.message, finding.hint, finding.place) == ("section 5 appears twice", "merge the two", at(90))
    assert [related.place for related in finding.related] == [at(50)]
    assert messages(empty_section, tool) == []
    assert messages(misordered_section, tool) == []


def test_a_wrong_number_is_one_fault_and_not_a_missing_section_as_well() -> None:
    numbered: tuple[Section, ...] = tuple(
        section(3, title="Output Schema (Return Value)", line=40) if part.number == 4 else part for part in sections()
    )
    tool = spec_tool(sections=numbered)

    assert only(duplicate_section, tool).hint == "it has the title of `### 4. Output Schema (Return Value)`"
    assert messages(missing_section, tool) == []


def test_misordered_sections_are_one_note_at_the_first_that_comes_late() -> None:
    one, two, three, four, *rest = sections()

    finding = only(misordered_section, spec_tool(sections=(one, two, four, three, *rest)))

    assert finding.message == "the sections are in the order 1, 2, 4, 3, 5, 6, 7, 8"
    assert finding.place == at(30)


def test_two_sections_with_each_others_titles_are_one_note() -> None:
    swapped = tuple(
        section(
            part.number, title={3: "Output Schema", 4: "Input schema (parameters)"}.get(part.number or 0, part.title)
        )
        for part in sections()
    )

    found = findings(misordered_section, spec_tool(sections=swapped))

    assert [finding.message for finding in found] == ["sections 3 and 4 have swapped titles"]
    assert [related.place for related in found[0].related] == [at(40)]


@pytest.mark.parametrize("title", ["Usage Examples (for MCP context)", "Examples", "USAGE EXAMPLES", "Error handling"])
def test_a_title_in_other_words_is_not_a_fault(title: str) -> None:
    tool = spec_tool(sections=tuple(section(7, title=title) if part.number == 7 else part for part in sections()))

    assert [messages(rule, tool) for rule in ALL_RULES] == [[]] * 4


_PARTS = "### Parameters\n\nNone.\n\n### Return Schema\n\n| Field | Type |\n|--|--|\n| `a` | `int` |\n\n"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "### Return Schema",
            "### Reutrn Schema",
            "section `Reutrn Schema` is unknown; the other tools of the file have `Return Schema`",
        ),
        (
            "### Return Schema",
            "### Miscellaneous",
            "section `Miscellaneous` is unknown; the other tools of the file have `Return Schema`",
        ),
        (
            "### Return Schema\n\n| Field | Type |\n|--|--|\n| `a` | `int` |",
            "Returns `a` (int).",
            "section `Return Schema`, which other tools of the file have, is missing",
        ),
    ],
)
def test_a_section_that_all_other_tools_have_is_expected_under_its_title(old: str, new: str, message: str) -> None:
    tools = [f"## {verb}_notes\n\nThis is for notes.\n\n{_PARTS}" for verb in ("find", "drop", "copy", "move")]
    changed = tools[1].replace(old, new)
    text = "\n".join(("# Notes", tools[0], changed, *tools[2:]))

    assert [finding.message for finding in findings(section_of_siblings_missing, read_spec("notes.md", text))] == [
        message
    ]


def test_a_section_with_a_remark_in_its_title_is_the_one_that_other_tools_have() -> None:
    tools = [f"## {verb}_notes\n\nThis is for notes.\n\n{_PARTS}" for verb in ("find", "drop", "copy", "move")]
    changed = tools[1].replace("### Return Schema", "### Return Schema (depends on the kind)") + "### Kinds\n\nTwo.\n\n"
    text = "\n".join(("# Notes", tools[0], changed, *tools[2:]))

    assert findings(section_of_siblings_missing, read_spec("notes.md", text)) == []


def test_a_gap_in_the_numbers_of_a_tool_is_a_missing_section() -> None:
    first = "".join(f"### {number}. {title}\n\nIt is so.\n\n" for number, title in SECTION_TITLES.items() if number < 9)
    second = first.partition("### 7")[0]
    without = re.sub(r"### 7.*?(?=### 8)", "", first, flags=re.DOTALL)
    tools = (("find", without), *((verb, second) for verb in ("drop", "copy", "move")))
    text = "# Notes\n\n" + "".join(f"## Tool: `{name}_notes`\n\n{parts}" for name, parts in tools)

    found = findings(section_of_siblings_missing, read_spec("notes.md", text))

    assert [finding.message for finding in found] == ["section `7. Usage Examples` is missing"]


def test_of_two_tools_the_one_that_lacks_the_only_different_section_is_reported() -> None:
    parts = "### Parameters\n\nNone.\n\n### Returns\n\nA list.\n\n"
    errors = "### Errors\n\n- `NotFound`: none.\n\n"
    first = f"## find_notes\n\nFinds notes.\n\n{parts}"
    second = f"## drop_notes\n\nDrops notes.\n\n{parts}{errors}"

    finding = only(section_of_siblings_missing, read_spec("notes.md", f"# Notes\n\n{first}{second}"))

    assert finding.message == "section `Errors`, which the other tool of the file has, is missing"


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("Both tools return `{}` if the port is closed.", False),
        ("`PortClosed`: each of the tools fails with it.", False),
        ("All tools fail with `PortClosed`.", False),
        ("Either of these two tools fails with `PortClosed`.", False),
        ("Both ports are closed.", True),
    ],
)
def test_of_two_tools_a_section_about_both_is_missing_in_neither(said: str, *, is_told: bool) -> None:
    parts = "### Parameters\n\nNone.\n\n### Returns\n\nA list.\n\n"
    first = f"## find_notes\n\nFinds notes.\n\n{parts}"
    second = f"## drop_notes\n\nDrops notes.\n\n{parts}### Errors\n\n{said}\n"

    assert bool(messages(section_of_siblings_missing, read_spec("notes.md", f"# Notes\n\n{first}{second}"))) is is_told


def test_of_two_tools_in_different_forms_neither_lacks_the_other_ones_sections() -> None:
    first = "## find_notes\n\nFinds notes.\n\n### Parameters\n\nNone.\n\n"
    second = (
        "## drop_notes\n\nDrops notes.\n\n### Parameters\n\nNone.\n\n### Returns\n\nA.\n\n### Errors\n\n- `E`: none.\n"
    )

    assert messages(section_of_siblings_missing, read_spec("notes.md", f"# Notes\n\n{first}{second}")) == []
