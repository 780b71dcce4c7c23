"""Suppressions in comments and in the configuration."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from mcp_contracts.checks.suppressions.applying import apply_suppressions
from mcp_contracts.checks.suppressions.comments import CommentFault, read_comment
from mcp_contracts.config import ConfiguredSuppression
from mcp_contracts.contract import Comment, SourceFile, SpecFile, SpecTool, ToolContract, ToolListFile
from mcp_contracts.diagnostics import Diagnostic, Place, Severity
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.rules.suppressions import SUPPRESSION_RULES
from tests.tables import each

TODAY = date(2026, 11, 21)
PATH = "specs/weather/MCP_TOOL_SPECIFICATION.md"
KNOWN = {
    "MC101": "invalid-invocation-name",
    "MC302": "required-property-undefined",
    "MC303": "missing-output-schema",
    "MC304": "invalid-json",
    "MC305": "property-without-description",
    **{rule.code: rule.name for rule in SUPPRESSION_RULES},
}


def comment(text: str, line: int, next_block: tuple[int, int] | None = None) -> Comment:
    """Return a comment on its own line."""
    return Comment(text, Place(PATH, line, 1, line, len(text) + 10), next_block)


def tool(name: str, first: int, last: int) -> SpecTool:
    """Return a tool between two lines."""
    return SpecTool(ToolContract(name, Place(PATH, first, 1, first, 9)), (first, last), f"Tool: `{name}`")


def spec(*comments: Comment, tools: Sequence[SpecTool] = ()) -> SpecFile:
    """Return a specification file with two tools, from line 10 to 49 and 50 to 99."""
    return SpecFile(
        PATH, "\n" * 99, tools=tuple(tools) or (tool("a.b", 10, 49), tool("a.c", 50, 99)), comments=comments
    )


def found(code: str, line: int, *, path: str = PATH, name: str | None = None, pointer: str | None = None) -> Diagnostic:
    """Return a diagnostic at a line."""
    place = Place(path, line, 1, line, 9)
    return Diagnostic(code, KNOWN[code], Severity.ERROR, "m", None, place, tool=name, pointer=pointer)


def outcome(
    file: SourceFile,
    *diagnostics: Diagnostic,
    configured: Sequence[ConfiguredSuppression] = (),
    looked_for: frozenset[str] | None = None,
    today: date | None = TODAY,
) -> list[tuple[str, int, str | None]]:
    """Return the code, the line and the reason of each resulting diagnostic."""
    result = apply_suppressions(diagnostics, [file], configured, today=today, known=KNOWN, looked_for=looked_for)
    return [(item.code, item.place.line, item.suppressed) for item in result]


def test_ignore_applies_to_the_next_block() -> None:
    file = spec(comment("mcp-contracts: ignore MC305 -- upstream's words", 20, (22, 30)))

    result = outcome(file, found("MC305", 21), found("MC305", 22), found("MC305", 30), found("MC305", 31))

    reason = "upstream's words"
    assert result == [("MC305", 21, None), ("MC305", 22, reason), ("MC305", 30, reason), ("MC305", 31, None)]


def test_what_a_comment_silences_is_suppressed_in_the_source() -> None:
    file = spec(comment("mcp-contracts: ignore MC305 -- upstream's words", 20, (22, 30)))

    silenced, other = apply_suppressions([found("MC305", 22), found("MC305", 31)], [file], today=TODAY, known=KNOWN)

    assert (silenced.suppressed_in, other.suppressed_in) == ("source", None)


def test_ignore_tool_applies_to_the_tool_that_contains_it() -> None:
    file = spec(comment("mcp-contracts: ignore-tool MC305 -- ours", 20, (22, 30)))

    result = outcome(file, found("MC305", 9), found("MC305", 10), found("MC305", 49), found("MC305", 50))

    assert result == [("MC305", 9, None), ("MC305", 10, "ours"), ("MC305", 49, "ours"), ("MC305", 50, None)]


@pytest.mark.parametrize("line", [10, 49])
def test_ignore_tool_on_the_first_or_last_line_of_a_tool_applies_to_it(line: int) -> None:
    file = spec(comment("mcp-contracts: ignore-tool MC305 -- ours", line, (55, 55)))

    assert outcome(file, found("MC305", 20), found("MC305", 60)) == [("MC305", 20, "ours"), ("MC305", 60, None)]


def test_ignore_tool_directly_before_a_heading_applies_to_the_tool_below() -> None:
    file = spec(comment("mcp-contracts: ignore-tool MC305 -- ours", 48, (50, 52)))

    assert outcome(file, found("MC305", 20), found("MC305", 60)) == [("MC305", 20, None), ("MC305", 60, "ours")]


def test_ignore_file_applies_only_to_its_file() -> None:
    file = spec(comment("mcp-contracts: ignore-file MC305 -- ours", 1, (3, 3)))

    result = outcome(file, found("MC305", 1), found("MC305", 99), found("MC305", 5, path="specs/x.md"))

    assert result == [("MC305", 1, "ours"), ("MC305", 99, "ours"), ("MC305", 5, None)]


def test_only_the_named_rules_are_silenced() -> None:
    file = spec(comment("mcp-contracts: ignore MC305 -- ours", 20, (22, 30)))

    assert outcome(file, found("MC303", 22), found("MC305", 22)) == [("MC303", 22, None), ("MC305", 22, "ours")]


@pytest.mark.parametrize(
    "named",
    [
        "MC303 MC305",
        "MC303, MC305",
        "MC303,MC305",
        "MC3",
        "MC",
        "missing-output-schema property-without-description",
        "`MC303`, property-without-description",
    ],
)
def test_rules_are_named_by_code_prefix_or_name(named: str) -> None:
    file = spec(comment(f"mcp-contracts: ignore {named} -- ours", 20, (22, 30)))

    assert outcome(file, found("MC303", 22), found("MC305", 22)) == [("MC303", 22, "ours"), ("MC305", 22, "ours")]


@each(
    ("text", "reason", "until"),
    [
        ("ignore MC305 -- why", "why", None),
        ("ignore MC305 — why", "why", None),
        ("ignore MC305 -- why -- and more", "why -- and more", None),
        ("ignore MC305 -- why [until 2027-03-01]", "why", date(2027, 3, 1)),
        ("ignore MC305 -- why until 2027-03-01", "why", date(2027, 3, 1)),
        ("ignore MC305 -- why, until: 2027-03-01.", "why,", date(2027, 3, 1)),
        ("ignore MC305 [until 2027-03-01]", None, date(2027, 3, 1)),
        ("ignore MC305 until 2027-03-01", None, date(2027, 3, 1)),
        ("ignore MC305 -- until 2027-03-01", None, date(2027, 3, 1)),
        ("ignore MC305 -- kept until it is fixed", "kept until it is fixed", None),
        ("ignore MC305 -- wait until 2.0", "wait until 2.0", None),
        ("ignore MC305 -- read-only, see a--b", "read-only, see a--b", None),
        ("ignore\n  MC305\n  -- over several\n  lines", "over several lines", None),
        ("Ignore: MC305 -- why", "why", None),
        ("ignore MC305", None, None),
        ("ignore MC305 --", None, None),
        ("ignore MC305 -- why [Until 2027-03-01]", "why", date(2027, 3, 1)),
        ("ignore MC305 -- why Until 2027-03-01", "why", date(2027, 3, 1)),
        (f"ignore MC305 -- {'x' * 1969}", "x" * 1969, None),
    ],
)
def test_reason_and_day_are_read(text: str, reason: str | None, until: date | None) -> None:
    read = read_comment(f"mcp-contracts: {text}", KNOWN)

    assert read is not None
    assert read_comment(f"MCP-Contracts: {text}", KNOWN) == read
    assert (read.codes, read.reason, read.until, read.malformed) == (("MC305",), reason, until, None)


@pytest.mark.parametrize(
    "text",
    ["", "TODO", "mcp-contracts", "mcp-contracts is a linter", "see mcp-contracts: ignore MC305", "mcp-contracts-x: y"],
)
def test_other_comments_are_ignored(text: str) -> None:
    assert read_comment(text, KNOWN) is None
    assert outcome(spec(comment(text, 20, (22, 30)))) == []


@each(
    ("text", "message", "hint"),
    [
        ("ignore MC306 -- why", "`MC306` is not a rule", "did you mean `MC305`?"),
        ("ignore mc305 -- why", "`mc305` is not a rule", "did you mean `MC305`?"),
        ("ignore invalid-jsn -- why", "`invalid-jsn` is not a rule", "did you mean `invalid-json`?"),
        ("ignore all -- why", "`all` is not a rule", "`mcp-contracts rules` lists all codes and names"),
        ("ignore X1 MC305 X2 -- why", "`X1` and `X2` are not rules", "`mcp-contracts rules` lists all codes and names"),
        (
            "ignore MC305 it is fine",
            "no ` -- ` before the reason, which seems to begin with `it`",
            "write `<!-- mcp-contracts: ignore MC305 -- the reason -->`",
        ),
        ("ignore MC305 fine -- why", "`fine` is not a rule", "`mcp-contracts rules` lists all codes and names"),
        ("ignore MC305 MC355", "`MC355` is not a rule", "did you mean `MC305`?"),
        (
            "ignore -- why",
            "the suppression does not name a rule",
            "name the codes to suppress, as in `ignore MC305 -- the reason`",
        ),
        (
            "ignore",
            "the suppression does not name a rule",
            "name the codes to suppress, as in `ignore MC305 -- the reason`",
        ),
        ("", "the suppression does not name a rule", "write `<!-- mcp-contracts: ignore MC305 -- the reason -->`"),
        ("ignore-tols MC305 -- why", "unknown keyword `ignore-tols` in a suppression", "did you mean `ignore-tool`?"),
        (
            "disable MC305 -- why",
            "unknown keyword `disable` in a suppression",
            "write `ignore`, `ignore-tool` or `ignore-file`",
        ),
        ("ignore MC305 -- why [until March]", "`until` is not a date: `March`", "write it as `until 2027-03-01`"),
        ("ignore MC305 -- why [until 20270301]", "`until` is not a date: `20270301`", "write it as `until 2027-03-01`"),
        (
            "ignore MC305 -- why until 2027-13-01",
            "`until` is not a date: `2027-13-01`",
            "write it as `until 2027-03-01`",
        ),
        (
            "ignore MC305 -- why until 2027/03/01",
            "`until` is not a date: `2027/03/01`",
            "write it as `until 2027-03-01`",
        ),
        (
            "ignore MC011 -- why",
            "`MC011` cannot be suppressed by a comment",
            "fix the suppression, or add the rule to `ignore` in the configuration",
        ),
        (
            "ignore MC011 MC009 -- why",
            "`MC011` and `MC009` cannot be suppressed by a comment",
            "fix the suppression, or add the rule to `ignore` in the configuration",
        ),
        ("ignore MC305 mc999", "`mc999` is not a rule", "`mcp-contracts rules` lists all codes and names"),
        ("ignoreX MC305 -- why", "unknown keyword `ignorex` in a suppression", "did you mean `ignore`?"),
        (f"ignore MC305 -- {'x' * 2000}", "the suppression is longer than 2000 characters", "shorten the reason"),
    ],
)
def test_what_cannot_be_understood_is_reported_with_the_way_out(text: str, message: str, hint: str) -> None:
    file = spec(comment(f"mcp-contracts: {text}", 20, (22, 30)))

    result = apply_suppressions([found("MC305", 22)], [file], today=TODAY, known=KNOWN)

    malformed = [item for item in result if item.code == "MC012"]
    assert [(item.message, item.hint) for item in malformed] == [(message, hint)]
    assert malformed[0].place == file.comments[0].place
    assert malformed[0].severity is Severity.WARNING


def test_a_missing_colon_is_reported() -> None:
    file = spec(comment("mcp-contracts ignore MC305 -- why", 20, (22, 30)))
    read = read_comment(file.comments[0].text, KNOWN)

    assert read is not None
    assert (read.scope, read.codes, read.reason, read.until) == ("", (), None, None)
    assert read.malformed == CommentFault(
        "no colon after `mcp-contracts`", "write `<!-- mcp-contracts: ignore MC305 -- the reason -->`"
    )
    assert outcome(file, found("MC305", 22)) == [("MC012", 20, None), ("MC305", 22, None)]


def test_the_valid_part_of_a_malformed_suppression_still_applies() -> None:
    file = spec(comment("mcp-contracts: ignore MC305 MC999 -- why", 20, (22, 30)))

    assert outcome(file, found("MC305", 22)) == [("MC012", 20, None), ("MC305", 22, "why")]


def test_ignore_tool_outside_of_every_tool_is_malformed() -> None:
    file = spec(comment("mcp-contracts: ignore-tool MC305 -- why", 1, (3, 3)))

    malformed, _ = apply_suppressions([found("MC305", 22)], [file], today=TODAY, known=KNOWN)

    assert outcome(file, found("MC305", 22)) == [("MC012", 1, None), ("MC305", 22, None)]
    assert malformed.message == "`ignore-tool` is not inside a tool"
    assert malformed.hint == "move it below the tool's heading, or directly before it"


def test_a_suppression_without_reason_silences_and_is_reported() -> None:
    file = spec(comment("mcp-contracts: ignore MC305", 20, (22, 30)))

    assert outcome(file, found("MC305", 22)) == [("MC009", 20, None), ("MC305", 22, "no reason given")]


@pytest.mark.parametrize(
    ("until", "result"),
    [
        ("2026-11-20", [("MC010", 20, None), ("MC305", 22, None)]),
        ("2026-11-21", [("MC305", 22, "why")]),
        ("2026-11-22", [("MC305", 22, "why")]),
    ],
)
def test_the_day_named_is_the_last_one(until: str, result: list[tuple[str, int, str | None]]) -> None:
    file = spec(comment(f"mcp-contracts: ignore MC305 -- why [until {until}]", 20, (22, 30)))

    assert outcome(file, found("MC305", 22)) == result


def test_without_a_day_to_judge_by_nothing_has_expired() -> None:
    file = spec(comment("mcp-contracts: ignore MC305 -- why [until 1999-01-01]", 20, (22, 30)))

    assert outcome(file, found("MC305", 22), today=None) == [("MC305", 22, "why")]


def test_an_expired_suppression_is_reported_once() -> None:
    file = spec(comment("mcp-contracts: ignore MC305 until 1999-01-01", 20, (22, 30)))

    assert outcome(file) == [("MC010", 20, None)]


FAULTS = {
    "MC305 -- why [until 1999-01-01]": (
        "the suppression of `MC305` expired on 1999-01-01",
        "fix the finding and remove the suppression, or set a later date",
    ),
    "MC305": ("the suppression of `MC305` has no reason", "write the reason after ` -- `"),
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_fault_of_a_suppression_says_what_to_do(text: str) -> None:
    file = spec(comment(f"mcp-contracts: ignore {text}", 20, (22, 30)))

    told = apply_suppressions([found("MC305", 22)], [file], today=TODAY, known=KNOWN)

    assert [(one.message, one.hint) for one in told if one.code != "MC305"] == [FAULTS[text]]


def test_an_unused_suppression_is_reported() -> None:
    file = spec(comment("mcp-contracts: ignore MC305 -- why", 20, (22, 30)))

    result = apply_suppressions([], [file], today=TODAY, known=KNOWN)

    assert [(item.code, item.message, item.hint, item.tool) for item in result] == [
        ("MC011", "the suppression of `MC305` has no effect", "remove it", "a.b")
    ]


def test_an_unused_suppression_of_the_configuration_is_to_be_removed() -> None:
    result = apply_suppressions([], [spec()], configured=[configured(tool="a.b")], today=TODAY, known=KNOWN)

    assert [(item.code, item.hint, item.tool) for item in result] == [("MC011", "remove it", None)]


def test_of_several_codes_only_the_unused_ones_are_named() -> None:
    file = spec(comment("mcp-contracts: ignore MC305 MC303 invalid-json -- why", 20, (22, 30)))

    result = apply_suppressions([found("MC303", 22)], [file], today=TODAY, known=KNOWN)

    unused = next(item for item in result if item.code == "MC011")
    assert unused.message == "the suppression of `MC305` and `MC304` has no effect"
    assert unused.hint == "remove `MC305` and `MC304` from it"


def test_a_suppression_is_not_unused_where_its_rule_did_not_run() -> None:
    file = spec(comment("mcp-contracts: ignore MC305 MC1 -- why", 20, (22, 30)))

    result = apply_suppressions([], [file], today=TODAY, known=KNOWN, looked_for={"MC101", "MC303"})

    assert [item.message for item in result] == ["the suppression of `MC1` has no effect"]
    assert apply_suppressions([], [file], today=TODAY, known=KNOWN, looked_for={"MC101"}) == result


def test_a_family_is_not_unused_while_one_of_its_rules_did_not_run() -> None:
    file = spec(comment("mcp-contracts: ignore MC3 -- why", 20, (22, 30)))

    assert apply_suppressions([], [file], today=TODAY, known=KNOWN, looked_for={"MC302", "MC303", "MC304"}) == []


def test_a_suppression_before_no_block_says_so() -> None:
    file = spec(comment("mcp-contracts: ignore MC305 -- why", 98, None))

    (unused,) = apply_suppressions([], [file], today=TODAY, known=KNOWN)

    assert unused.hint == "no block follows it: move it before the block that it suppresses"
    assert outcome(file, found("MC305", 1)) == [("MC305", 1, None), ("MC011", 98, None)]


def test_an_unused_suppression_directly_before_a_heading_is_in_the_tool_above() -> None:
    file = spec(comment("mcp-contracts: ignore MC305 -- why", 48, (50, 50)))

    (unused,) = apply_suppressions([], [file], today=TODAY, known=KNOWN)

    assert unused.tool == "a.b"


def test_what_two_suppressions_cover_has_the_reason_of_the_narrower_and_neither_is_unused() -> None:
    file = spec(
        comment("mcp-contracts: ignore-file MC305 -- the file", 1, (3, 3)),
        comment("mcp-contracts: ignore-tool MC305 -- the tool", 12, (14, 14)),
        comment("mcp-contracts: ignore MC305 -- the block", 20, (22, 30)),
    )

    assert outcome(file, found("MC305", 22)) == [("MC305", 22, "the block")]


def test_a_block_far_below_is_narrower_than_its_tool() -> None:
    file = spec(
        comment("mcp-contracts: ignore-tool MC305 -- the tool", 52, (54, 54)),
        comment("mcp-contracts: ignore MC305 -- the block", 88, (90, 99)),
    )

    assert outcome(file, found("MC305", 92)) == [("MC305", 92, "the block")]


def test_findings_about_suppressions_cannot_be_silenced_by_one() -> None:
    file = spec(
        comment("mcp-contracts: ignore-file MC0 -- quiet", 1, (3, 3)), comment("mcp-contracts: ignore MC305", 20)
    )

    assert outcome(file) == [("MC009", 20, None), ("MC011", 20, None)]


def test_too_many_suppressions_in_one_file_are_reported() -> None:
    file = spec(*[comment("mcp-contracts: ignore MC305 -- why", line, (50, 50)) for line in range(1, 253)])

    fault = apply_suppressions([found("MC305", 50)], [file], today=TODAY, known=KNOWN)[-1]

    assert (fault.code, fault.place.line, fault.suppressed) == ("MC012", 251, None)
    assert (fault.message, fault.hint) == ("more than 250 suppressions in one file", "use `ignore-file`")


def test_just_as_many_suppressions_as_are_read_are_no_fault() -> None:
    file = spec(*[comment("mcp-contracts: ignore MC305 -- why", line, (50, 50)) for line in range(1, 251)])

    assert outcome(file, found("MC305", 50)) == [("MC305", 50, "why")]


def configured(code: str = "MC305", reason: str = "why", **others: object) -> ConfiguredSuppression:
    """Return a suppression in the configuration of the working directory."""
    place = Place("pyproject.toml", 7, 1, 7, 1)
    return ConfiguredSuppression(code, reason, place, str(Path.cwd()), **others)  # type: ignore[arg-type]  # test data


TOOLS = ToolListFile("tools.json", "", contracts=(ToolContract("get", Place("tools.json", 3, 1, 3, 2)),))


@each(
    ("suppression", "silenced"),
    [
        (configured(), True),
        (configured(tool="get"), True),
        (configured(tool="put"), False),
        (configured(pointer="/properties/x"), True),
        (configured(pointer="/properties"), True),
        (configured(pointer="/prop"), False),
        (configured(tool="get", pointer="/properties/x/y"), False),
        (configured(path="tools.json"), True),
        (configured(path="*.json"), True),
        (configured(path="other/"), False),
        (configured(code="MC3"), True),
        (configured(code="MC303"), False),
        (configured(until=date(2026, 11, 21)), True),
        (configured(until=date(2026, 11, 20)), False),
    ],
)
def test_the_configuration_silences_by_tool_pointer_and_path(
    suppression: ConfiguredSuppression, silenced: bool
) -> None:
    diagnostic = found("MC305", 4, path="tools.json", name="get", pointer="/properties/x")

    result = apply_suppressions([diagnostic], [TOOLS], [suppression], today=TODAY, known=KNOWN)

    told = next(item for item in result if item.code == "MC305")
    assert (told.suppressed, told.suppressed_in) == (("why", "configuration") if silenced else (None, None))


TOOL_NAMES = (None, "a.b", "a.c")
POINTERS = (None, "", "/properties", "/properties/a", "/properties/ab")


@each("entry_tool", TOOL_NAMES)
@each("entry_pointer", POINTERS)
def test_an_entry_covers_its_tool_at_its_pointer_and_below_and_nothing_else(
    entry_tool: str | None, entry_pointer: str | None
) -> None:
    entry = configured(code="MC302", tool=entry_tool, pointer=entry_pointer)
    about = [found("MC302", 10, name=name, pointer=pointer) for name in TOOL_NAMES for pointer in POINTERS]

    silenced = [
        (one.tool, one.pointer)
        for one in apply_suppressions(about, [spec()], [entry], today=None, known=KNOWN)
        if one.code == "MC302" and one.suppressed is not None
    ]

    parts = [] if not entry_pointer else entry_pointer.split("/")[1:]
    assert sorted(silenced, key=repr) == sorted(
        (
            (one.tool, one.pointer)
            for one in about
            if entry_tool in (None, one.tool)
            if entry_pointer is None or (one.pointer or "").split("/")[1:][: len(parts)] == parts
        ),
        key=repr,
    )


def test_an_expired_entry_of_the_configuration_is_reported_at_its_place() -> None:
    (expired,) = apply_suppressions([], [TOOLS], [configured(until=date(2026, 1, 1))], today=TODAY, known=KNOWN)

    assert (expired.code, expired.place) == ("MC010", Place("pyproject.toml", 7, 1, 7, 1))


@pytest.mark.parametrize(
    ("suppression", "is_reported"),
    [
        pytest.param(configured(tool="get"), True, id="its tool was linted"),
        pytest.param(configured(path="tools.json"), True, id="its file was linted"),
        pytest.param(configured(tool="put"), False, id="its tool may be in files that were not linted"),
        pytest.param(configured(path="other.json"), False, id="its file was not linted"),
        pytest.param(configured(tool="get", path="other.json"), False, id="nor this tool"),
        pytest.param(configured(path="*.json"), False, id="it speaks of other files, too"),
        pytest.param(configured(), False, id="it speaks of every file there may be"),
        pytest.param(configured(code="MC101", tool="get"), False, id="its rule did not run"),
    ],
)
def test_an_entry_of_the_configuration_is_unused_only_if_its_files_were_linted(
    suppression: ConfiguredSuppression, is_reported: bool
) -> None:
    looked_for = frozenset({"MC303", "MC305"})

    result = apply_suppressions([], [TOOLS], [suppression], today=TODAY, known=KNOWN, looked_for=looked_for)

    assert [item.code for item in result] == (["MC011"] if is_reported else [])


def test_an_entry_about_every_file_is_unused_where_all_files_were_linted() -> None:
    (unused,) = apply_suppressions([], [TOOLS], [configured()], today=TODAY, known=KNOWN, is_whole=True)

    assert unused.code == "MC011"


@pytest.mark.parametrize("path", ["XML/listX", "/XML/listX", "XML/listX/", "listX"])
def test_an_entry_that_names_a_linted_file_is_unused_with_any_slashes(path: str) -> None:
    file = ToolListFile("XML/listX", "", contracts=())

    (unused,) = apply_suppressions([], [file], [configured(path=path)], today=TODAY, known=KNOWN)

    assert unused.code == "MC011"


def test_a_comment_is_narrower_than_the_configuration() -> None:
    file = spec(comment("mcp-contracts: ignore MC305 -- the comment", 20, (22, 30)))

    assert outcome(file, found("MC305", 22), configured=[configured()]) == [("MC305", 22, "the comment")]


def test_comments_hold_where_the_author_of_a_specification_put_them() -> None:
    text = """\
<!-- mcp-contracts: ignore-file MC101 -- the file -->
# Weather
<!-- mcp-contracts: ignore-tool MC305 -- the tool below -->

## Tool: `weather.get`

Words.

### 3. Input Schema (Parameters)

<!-- mcp-contracts: ignore MC302 -- the block -->
<!-- mcp-contracts: ignore MC303
     -- the same block -->

```json
{
  "type": "object"
}
```

```
<!-- mcp-contracts: ignore-file MC304 -- only shown -->
```

## Tool: `weather.set`

Words.
"""
    file = read_spec(PATH, text)
    lines = {"block": 17, "tool": 9, "file": 27}

    result = outcome(
        file,
        *[found(code, line) for line in lines.values() for code in ("MC101", "MC302", "MC303", "MC304", "MC305")],
    )

    silenced = {(code, line): reason for code, line, reason in result if reason is not None}
    assert silenced == {
        **{("MC101", line): "the file" for line in lines.values()},
        ("MC302", lines["block"]): "the block",
        ("MC303", lines["block"]): "the same block",
        ("MC305", lines["block"]): "the tool below",
        ("MC305", lines["tool"]): "the tool below",
    }


def test_every_rule_about_suppressions_explains_itself() -> None:
    assert [rule.code for rule in SUPPRESSION_RULES] == ["MC009", "MC010", "MC011", "MC012"]
    for rule in SUPPRESSION_RULES:
        assert rule.summary.endswith(".")
        assert len(rule.rationale) > 100
