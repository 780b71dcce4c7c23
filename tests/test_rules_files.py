"""The rules about a file as a whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, Placeholder, SpecFile, ToolListFile
from mcp_contracts.diagnostics import Place
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.rules.base import Rule
from mcp_contracts.rules.behavior.likeness import descriptions_alike
from mcp_contracts.rules.files import (
    broken_markdown,
    invalid_front_matter,
    invalid_tool_list,
    legacy_dialect,
    no_tools_defined,
    oversized_file,
    placeholder_left,
    unreadable_file,
    unsupported_protocol_version,
)
from mcp_contracts.rules.structure.overviews import listed_tool_undefined
from mcp_contracts.rules.structure.tool_counts import tool_count_disagrees
from mcp_contracts.sections import Mention
from mcp_contracts.sources.tool_lists import read_tool_list
from tests.support_names import PATH, at, findings, front_matter, listed, messages, only, said, spec, spec_tool
from tests.tables import each

BY_KIND = [
    (unreadable_file, FaultKind.UNREADABLE),
    (oversized_file, FaultKind.OVERSIZED),
    (invalid_front_matter, FaultKind.FRONT_MATTER),
    (invalid_tool_list, FaultKind.INVALID_TOOL_LIST),
]


@pytest.mark.parametrize(("rule", "kind"), BY_KIND)
@pytest.mark.parametrize("make", [SpecFile, ToolListFile])
def test_a_fault_of_a_file_is_a_finding_in_its_own_words(
    rule: Rule, kind: FaultKind, make: type[SpecFile] | type[ToolListFile]
) -> None:
    fault = Fault(kind, "it is wrong", at(3), "fix it")

    finding = only(rule, make(PATH, "", faults=(fault,)))

    assert (finding.message, finding.hint, finding.place) == ("it is wrong", "fix it", at(3))


@pytest.mark.parametrize(("rule", "kind"), BY_KIND)
def test_a_rule_passes_on_faults_of_its_own_kind_only(rule: Rule, kind: FaultKind) -> None:
    faults = tuple(Fault(other, "it is wrong", at(3)) for other in FaultKind if other is not kind)

    assert messages(rule, SpecFile(PATH, "", faults=faults)) == []


def test_a_spec_without_tools_is_found_at_its_first_line() -> None:
    finding = only(no_tools_defined, spec(text="\n\n# Weather\n\nNothing here.\n"))

    assert finding.message == "no tools were found in the file"
    assert finding.place == Place(PATH, 3, 1, 3, 10)


def test_a_tool_of_a_template_is_only_a_placeholder() -> None:
    file = read_spec(PATH, "# Weather\n\n## Tool: `module_name.tool_name`\n\n{{purpose}}\n")

    assert messages(no_tools_defined, file) == []
    assert [one.code for one in lint(Contracts((file,))).shown()] == ["MC007", "MC007"]


def test_an_empty_spec_is_found_at_its_start() -> None:
    assert only(no_tools_defined, spec(text="")).place == Place(PATH, 1, 1, 1, 1)


def test_a_list_without_tools_is_found_at_its_key() -> None:
    finding = only(no_tools_defined, listed())

    assert finding.message == "the list contains no tools"
    assert finding.place == Place("tools.json", 2, 2, 2, 9)


@pytest.mark.parametrize(
    "file",
    [
        spec(spec_tool()),
        spec(states_no_tools=True),
        spec(faults=(Fault(FaultKind.UNREADABLE, "no", at(1)),)),
        spec(faults=(Fault(FaultKind.OVERSIZED, "no", at(1)),)),
        listed({}),
        ToolListFile("tools.json", "{", faults=(Fault(FaultKind.INVALID_JSON, "no", at(1)),)),
        ToolListFile("tools.json", "{}", faults=(Fault(FaultKind.INVALID_TOOL_LIST, "no", at(1)),)),
    ],
)
def test_a_file_with_tools_or_with_a_reason_to_have_none_is_not_called_empty(file: SpecFile | ToolListFile) -> None:
    assert messages(no_tools_defined, file) == []


@pytest.mark.parametrize("version", ["1.1.0", "2.0.0", "v1.0.0", "1.0", 1.0, 1, "soon"])
def test_another_version_of_the_format_is_named_with_the_one_that_is_read(version: str | float) -> None:
    message, hint = said(unsupported_protocol_version, spec(front_matter=front_matter(protocol=version)))

    assert message == f"protocol version `{version}` is not supported; the file is read as `1.0.0`"
    assert hint == "write `protocol: 1.0.0`, or use a release of mcp-contracts that supports it"


@pytest.mark.parametrize(
    "file",
    [
        spec(),
        spec(front_matter=front_matter(protocol="1.0.0")),
        spec(front_matter=front_matter(module="a", protocol=None)),
    ],
)
def test_the_supported_version_of_the_format_or_none_is_fine(file: SpecFile) -> None:
    assert messages(unsupported_protocol_version, file) == []


def test_an_unsupported_version_is_placed_at_its_key() -> None:
    assert only(unsupported_protocol_version, spec(front_matter=front_matter(module="a", protocol="3"))).place == at(3)


def test_an_older_dialect_is_one_finding_that_counts_what_its_tools_lack() -> None:
    version, module = "it has no version", "the name has no module prefix"
    tools = [spec_tool("a", deviations=(version, module)), spec_tool("b", deviations=(version,)), spec_tool("c.d")]

    finding = only(legacy_dialect, spec(*tools))

    assert (
        finding.message == "3 tools are read, 2 of them in an older dialect: no tool version, no module in the name (1)"
    )
    assert finding.hint == "convert it with `mcp-contracts migrate`"
    assert [related.message for related in finding.related] == ["a", "b"]


def test_unread_text_next_to_tools_is_listed() -> None:
    text = "# Notes\n\n## Tools\n\n### 1. find_notes\n\nFind.\n\n### 2. query\n\n### 3. delete_notes\n\nDelete.\n"
    file = read_spec("a.md", text)
    beside = [Mention(f"find{number}", at(number)) for number in range(1, 8)]

    finding = only(legacy_dialect, replace(file, unread_siblings=tuple(beside)))

    left = ", ".join(f"`find{number}` (line {number})" for number in range(1, 6))
    assert finding.message.startswith(f"{len(file.tools)} tools are read, but no parameter types, ")
    assert finding.message.endswith(f"; not read: {left} and 2 more")
    assert [related.message for related in finding.related[:7]] == [
        f"`{one.name}` is not read as a tool" for one in beside
    ]


def test_the_only_tool_of_an_older_dialect_is_named() -> None:
    finding = only(legacy_dialect, spec(spec_tool("get", deviations=("it has no version",))))

    assert finding.message == "`get` is in an older dialect: no tool version"


def test_a_canonical_tool_is_of_no_older_dialect() -> None:
    assert messages(legacy_dialect, spec(spec_tool())) == []


def test_each_placeholder_is_one_warning_that_quotes_it() -> None:
    places = (Place(PATH, 3, 1, 3, 25), Place(PATH, 3, 30, 3, 37))
    left = (Placeholder("{{what the module does}}", places[0]), Placeholder("{{why}}", places[1]))

    found = findings(placeholder_left, spec(placeholders=left))

    assert [finding.message for finding in found] == [
        "the placeholder `{{what the module does}}` has not been filled in",
        "the placeholder `{{why}}` has not been filled in",
    ]
    assert tuple(finding.place for finding in found) == places


def test_a_placeholder_of_the_file_and_of_its_tool_is_one() -> None:
    left = Placeholder("{{why}}", at(3))
    tool = spec_tool("notes.find")
    tool = replace(tool, contract=replace(tool.contract, placeholders=(left,)))

    assert len(findings(placeholder_left, spec(tool, placeholders=(left,)))) == 1


def test_an_empty_purpose_is_stated_in_words() -> None:
    tool = spec_tool("notes.find")
    tool = replace(tool, contract=replace(tool.contract, placeholders=(Placeholder("", at(4)),)))

    assert messages(placeholder_left, spec(tool)) == ["the purpose is empty"]


def test_a_description_of_a_tool_list_that_is_a_placeholder_is_found() -> None:
    text = (
        '{"tools": [{"name": "find", "description": "TODO", "inputSchema": {"type": "object", "properties": '
        '{"text": {"type": "string", "description": "<what to find>"}}}}]}'
    )

    assert messages(placeholder_left, read_tool_list(PATH, text)) == [
        "the placeholder `TODO` has not been filled in",
        "the placeholder `<what to find>` has not been filled in",
    ]


_LONE = "this line has an unmatched backtick"
_NO_SPACE = "this heading has no space after the `#`, so it is rendered as text"
_TWO = "this code block begins with two backticks, so it is rendered as text"
_CONFLICT = "this line is a merge conflict marker"


@each(
    ("lines", "expected"),
    [
        ("The `path of a file.", [_LONE]),
        ("A `path`, and `another`.", []),
        ("A span `over\ntwo lines`.", []),
        ("An escaped \\` is no code.", []),
        ("Quotes such as ` stand alone.", []),
        ("``a ` b``", []),
        ("| `a | b |\n|---|---|\n| c | d |", [_LONE]),
        ("| `a | b` |\n|---|---|", []),
        ("- one\n- `two", [_LONE]),
        ("##Usage", [_NO_SPACE]),
        ("###`find`", [_NO_SPACE]),
        ("#hashtag", []),
        ("``json\n{}\n```", [_TWO]),
        ("```sh\n##not `a heading\n```", []),
        ("<<<<<<< HEAD\none", [_CONFLICT]),
        ("> `a", [_LONE]),
    ],
)
def test_a_line_that_markdown_shows_otherwise_than_meant_is_found(lines: str, expected: list[str]) -> None:
    assert messages(broken_markdown, read_spec(PATH, f"# Notes\n\n{lines}\n")) == expected


DEPOT = "".join(
    f"## `depot_{verb}_box`\n\n{says} a box of the depot.\n\n- `box_id` (string, required): Which box.\n\n"
    for verb, says in (("move", "Moves"), ("open", "Opens"), ("weigh", "Weighs"))
)


@each(
    ("head", "number"),
    [
        ("The server registers all five v1 tools.", 5),
        ("Complete reference for all 26 MCP tools and 2 resources.", 26),
        ("Tool count: **25**", 25),
        ("Tools: 4", 4),
        ("The server exposes only these five tools.", 5),
        ("It has exactly these six tools.", 6),
        ("One tool a line, two tools a row.", None),
        ("It moves and weighs boxes. Six\ntools, one depot.", 6),
        ("It moves and weighs boxes. Three\ntools, one depot.", None),
        ("| | |\n|---|---|\n| Module | `depot` |\n| Tools | 5 |\n", 5),
        ("- **Scope**: Two tools wrap the depot.", 2),
        ("| Category | Count |\n|---|---|\n| Box tools | 2 |\n", None),
        ("- **Number of tools**: 12", 12),
        ("It implements all 4 tools.", 4),
        ("### Crane tools (2)", None),
        ("MCP tools: 4", 4),
        ("Five tools that move and weigh boxes.", 5),
        ("Boxes of the depot.\n\nTwo tools that move boxes need a key.", None),
        ("This page describes the four tools of the Harbor module.", 4),
        ("This page describes the four tools of the North Harbor module.", 4),
        ("This page describes the four tools of the harbor crane.", None),
        ("The server registers all three v1 tools.", None),
        ("Tool count: **3**", None),
        ("Has 12 resources and 5 prompts.", None),
        ("The two tools above need a key. See all 5 tools of the sibling.", None),
        ("The other server has 9 tools.", None),
        ("Supports 3 or more tools at once. Takes two tools to open.", None),
    ],
)
def test_a_count_of_all_tools_is_compared_anywhere(head: str, number: int | None) -> None:
    found = messages(tool_count_disagrees, read_spec("depot.md", f"# Depot tools\n\n{head}\n\n{DEPOT}"))

    assert found == ([f"the text mentions {number} tools, but the file defines 3"] if number else [])


@each(
    ("stated", "told"),
    [
        (("3 tools", "2 tools"), []),
        (("three tools", "2 tools"), []),
        (("4 tools", "2 tools"), ["the heading mentions 4 tools, but the group has 3"]),
        (("3 tools", "1 tool"), ["the heading mentions 1 tool, but the group has 2"]),
        (("3 boxes", "5 of 9 tools"), []),
    ],
)
def test_a_count_in_the_heading_of_a_group_is_compared_with_the_group(stated: tuple[str, str], told: list[str]) -> None:
    boxes, lids = DEPOT.replace("## ", "### "), "### `lid_open`\n\nOpens it.\n\n### `lid_close`\n\nCloses it.\n\n"

    text = f"# Depot\n\n## Boxes ({stated[0]})\n\n{boxes}## Lids ({stated[1]})\n\n{lids}## Notes\n\nNone.\n"

    assert messages(tool_count_disagrees, read_spec("depot.md", text)) == told


@each(
    ("lead", "end", "more", "told"),
    [
        ("| ", " |", "", ["the heading mentions 2 tools, but the group has 3"]),
        ("- ", "", "", ["the heading mentions 2 tools, but the group has 3"]),
        ("- ", "", "- Lids, in a later version\n", []),
    ],
)
def test_a_count_above_rows_or_bullets_is_compared_if_all_are_tools(
    lead: str, end: str, more: str, told: list[str]
) -> None:
    middle = " | " if end else ": "
    rows = "".join(f"{lead}`box_{verb}`{middle}Does it to a box.{end}\n" for verb in ("move", "open", "weigh"))
    head = "| Tool | Description |\n|---|---|\n" if end else ""

    text = f"# Depot MCP tools\n\n## Boxes (2 tools)\n\n{head}{rows}{more}"

    assert messages(tool_count_disagrees, read_spec("depot.md", text)) == told


@each(
    ("listed", "told"),
    [
        ("move open weigh", []),
        ("move lift weigh", ["the tool `depot_lift_box` is listed, but the file does not define it"]),
        ("move open weigh lift", []),  # described in the overview only
    ],
)
def test_a_tool_renamed_in_one_of_heading_and_overview_is_reported(listed: str, told: list[str]) -> None:
    names = ", ".join(f"`depot_{verb}_box`" for verb in listed.split())
    overview = f"## Tool categories\n\n| Category | Tools |\n|---|---|\n| Boxes | {names} |\n"

    assert messages(listed_tool_undefined, read_spec("depot.md", f"# Depot tools\n\n{overview}\n{DEPOT}")) == told


@each(
    ("title", "cell", "is_reported"),
    [
        ("MCP tool", "no", False),
        ("Exposed to agents?", "❌", False),
        ("Tool", "`No`", False),
        ("MCP tool", "yes", True),
        ("Idempotent", "no", True),
    ],
)
def test_a_row_that_denies_to_be_a_tool_lists_none(title: str, cell: str, *, is_reported: bool) -> None:
    rows = "".join(f"| `depot_{verb}_box` | yes | x |\n" for verb in ("move", "open", "weigh"))
    overview = f"| Function | {title} | Notes |\n|---|---|---|\n{rows}| `depot_lift_box` | {cell} | x |\n"
    file = read_spec("depot.md", f"# Depot\n\n{overview}\n{DEPOT}")

    assert bool(messages(listed_tool_undefined, file)) is is_reported


@each(
    ("purpose", "told"),
    [
        ("[Brief description of the tool]", True),
        ("[One-line summary of what the tool does]", True),
        ("Description here", True),
        ("Short description.", True),
        ("[What's new](https://news.example) in a box.", False),
        ("Short descriptions of all boxes.", False),
        ("Returns a brief description of a box.", False),
        ("Summary of the open orders.", False),
    ],
)
def test_a_purpose_of_a_template_is_a_placeholder(purpose: str, told: bool) -> None:
    text = DEPOT.replace("Opens a box of the depot.", purpose)

    assert bool(findings(placeholder_left, read_spec("depot.md", f"# Depot tools\n\n{text}"))) is told


def test_the_first_paragraph_of_another_description_is_a_copy() -> None:
    paragraph = "Moves every box of the depot to another shelf.\n\n"
    text = DEPOT.replace("Moves a box of the depot.", f"{paragraph}Takes a minute for each.")
    copied = text.replace("Opens a box of the depot.", f"{paragraph}Needs a key for each.")

    assert messages(descriptions_alike, read_spec("depot.md", text)) == []
    assert messages(descriptions_alike, read_spec("depot.md", copied)) == [
        "the beginning of the description is the same as that of `depot_move_box`"
    ]


@pytest.mark.parametrize(("said", "is_open"), [("", True), (", required", False), (", optional", False)])
def test_a_file_that_does_not_say_which_parameters_are_required_is_told_so(said: str, is_open: bool) -> None:
    text = f"# Weather\n\n### `get_forecast`\n\nReturns it.\n\n**Parameters:**\n\n- `city` (string{said}): where\n"
    finding = only(legacy_dialect, read_spec("MCP_TOOL_SPECIFICATION.md", text))

    assert ("no statement of which parameters are required" in finding.message) is is_open
