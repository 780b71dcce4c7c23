"""Known findings: which ones are recognized after the text around them changed, and which ones are new."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from mcp_contracts.checks.baseline import NEVER_KNOWN, KnownIndex, LintedFiles, mark_known, recordable
from mcp_contracts.config.baseline import BASELINE_FORMAT, MAXIMUM_SIZE, read_baseline
from mcp_contracts.contract import Contracts, ToolContract, ToolListFile
from mcp_contracts.diagnostics import Diagnostic, KnownFinding, Part, Place, Report, Severity
from mcp_contracts.errors import ConfigurationError
from mcp_contracts.version import __version__
from mcp_contracts.writing.baseline import baseline_text, write_baseline

ENTRY = {"path": "a.md", "code": "MC101", "message": "m"}


def found(
    message: str = "`limit` has no description",
    *,
    path: str = "a.json",
    tool: str | None = "find",
    code: str = "MC305",
    part: Part | None = "input",
    pointer: str | None = "/properties/limit",
    line: int = 1,
    suppressed: str | None = None,
) -> Diagnostic:
    """Return a diagnostic at a line."""
    place = Place(path, line, 1, line, 2)
    return Diagnostic(
        code, "a-rule", Severity.WARNING, message, None, place, tool, part, pointer, suppressed=suppressed
    )


def linted(tools: Mapping[str, tuple[str, ...]], folder: Path) -> LintedFiles:
    """Return what a run has linted: the tools of some files."""
    files = tuple(
        ToolListFile(path, "", contracts=tuple(ToolContract(name, place=Place(path, 1, 1, 1, 1)) for name in names))
        for path, names in tools.items()
    )
    return LintedFiles(Contracts(files), str(folder))


def new_and_stale(
    before: list[Diagnostic],
    now: list[Diagnostic],
    folder: Path,
    *,
    tools: Mapping[str, tuple[str, ...]] | None = None,
    is_same_version: bool = True,
    renamed: Mapping[str, str] | None = None,
) -> tuple[list[str], list[str]]:
    """Return the messages of the new findings, and of the stale entries."""
    here = linted({"a.json": ("find",)} if tools is None else tools, folder)
    known = KnownIndex(recordable(before, here), "baseline", "known", is_same_version, renamed or {})
    report, stale = mark_known(Report(tuple(now)), known, here)
    return [one.message for one in report.shown()], [one.message for one in stale]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


class TestWhatIsKnown:
    def test_moved_lines_stay_known(self, tmp_path: Path) -> None:
        assert new_and_stale([found(line=3)], [found(line=90)], tmp_path) == ([], [])

    def test_one_more_of_the_same_is_new(self, tmp_path: Path) -> None:
        new, stale = new_and_stale([found(), found(line=2)], [found(), found(line=2), found(line=3)], tmp_path)

        assert (len(new), stale) == (1, [])

    def test_one_less_of_the_same_is_stale(self, tmp_path: Path) -> None:
        new, stale = new_and_stale([found(), found(line=2)], [found(line=2)], tmp_path)

        assert (new, len(stale)) == ([], 1)

    @pytest.mark.parametrize(
        "other",
        [
            found("`offset` has no description"),
            found(code="MC306"),
            found(part="output"),
            found(pointer="/properties/offset"),
            found(tool="drop"),
            found(tool=None),
        ],
        ids=["message", "code", "part", "pointer", "tool", "no tool"],
    )
    def test_what_differs_in_anything_but_lines_is_new(self, other: Diagnostic, tmp_path: Path) -> None:
        tools = {"a.json": ("find", "drop")}

        assert new_and_stale([found()], [other], tmp_path, tools=tools) == ([other.message], [found().message])

    @pytest.mark.parametrize(
        ("before", "now"),
        [
            ("the description is 1,158 characters long", "the description is 1,160 characters long"),
            ("invalid JSON (line 6, column 58 of the JSON)", "invalid JSON (line 7, column 2 of the JSON)"),
        ],
    )  # fmt: skip
    def test_another_number_in_a_message_is_the_same_finding(self, before: str, now: str, tmp_path: Path) -> None:
        assert new_and_stale([found(before)], [found(now)], tmp_path) == ([], [])

    @pytest.mark.parametrize(
        ("before", "now"),
        [
            ("`x1` has no type", "`x2` has no type"),
            ('an example is "1"', 'an example is "2"'),
            ("section 5 appears twice", "section 6 appears twice"),
            ("hidden character U+200B zero width space", "hidden character U+2060 word joiner"),
            (
                "9 more findings of this rule in this file are left out",
                "10 more findings of this rule in this file are left out",
            ),
        ],
    )
    def test_a_number_in_a_name_distinguishes_findings(self, before: str, now: str, tmp_path: Path) -> None:
        assert new_and_stale([found(before)], [found(now)], tmp_path) == ([now], [before])

    def test_an_index_in_a_pointer_may_change(self, tmp_path: Path) -> None:
        before, now = found(pointer="/examples/0/x"), found(pointer="/examples/3/x")

        assert new_and_stale([before], [now], tmp_path) == ([], [])

    def test_messages_about_a_whole_file_may_change_except_for_names(self, tmp_path: Path) -> None:
        before, now = (found(text, tool=None) for text in ("all 3 tools lack a version", "2 of 3 tools lack a schema"))
        other = found("`x` cannot be read", tool=None)

        assert new_and_stale([before], [now], tmp_path) == ([], [])
        assert new_and_stale([before], [other], tmp_path) == ([other.message], [before.message])

    @pytest.mark.parametrize("code", sorted(NEVER_KNOWN))
    def test_what_could_not_be_read_and_versions_are_always_new(self, code: str, tmp_path: Path) -> None:
        assert new_and_stale([found(code=code)], [found(code=code)], tmp_path) == ([found().message], [])

    def test_what_a_comment_suppresses_is_neither_recorded_nor_matched(self, tmp_path: Path) -> None:
        silenced = found(suppressed="ours")

        assert new_and_stale([silenced], [found()], tmp_path) == ([found().message], [])
        assert new_and_stale([found()], [silenced], tmp_path) == ([], [found().message])


class TestMovedTools:
    def test_a_tool_that_moved_to_another_file_takes_its_findings_along(self, tmp_path: Path) -> None:
        tools = {"a.json": (), "b.json": ("find",)}

        assert new_and_stale([found()], [found(path="b.json")], tmp_path, tools=tools) == ([], [])

    def test_a_tool_of_a_file_that_is_gone_takes_its_findings_along(self, tmp_path: Path) -> None:
        assert new_and_stale([found()], [found(path="b.json")], tmp_path, tools={"b.json": ("find",)}) == ([], [])

    def test_a_tool_of_the_same_name_in_another_file_is_another_tool(self, tmp_path: Path) -> None:
        tools = {"a.json": ("find",), "b.json": ("find",)}

        new, stale = new_and_stale([found()], [found(path="b.json")], tmp_path, tools=tools)

        assert (len(new), len(stale)) == (1, 1)

    def test_a_file_that_was_not_linted_keeps_its_findings(self, tmp_path: Path) -> None:
        (tmp_path / "a.json").write_text("[]", encoding="utf-8")

        new, stale = new_and_stale([found()], [found(path="b.json")], tmp_path, tools={"b.json": ("find",)})

        assert (len(new), len(stale)) == (1, 1)

    def test_a_server_that_was_not_asked_keeps_its_findings(self, tmp_path: Path) -> None:
        new, stale = new_and_stale(
            [found(path="https://a.example/mcp")], [found(path="b.json")], tmp_path, tools={"b.json": ("find",)}
        )

        assert (len(new), len(stale)) == (1, 1)

    def test_a_renamed_file_keeps_the_findings_about_the_whole_file(self, tmp_path: Path) -> None:
        before, now = found(tool=None), found(tool=None, path="b.json")

        assert new_and_stale([before], [now], tmp_path, tools={"b.json": ()})[0] == [now.message]
        assert new_and_stale([before], [now], tmp_path, tools={"b.json": ()}, renamed={"a.json": "b.json"}) == ([], [])


class TestOtherVersions:
    def test_another_version_may_word_a_message_differently(self, tmp_path: Path) -> None:
        before, now = found("parameter `limit` is not described"), found()

        assert new_and_stale([before], [now], tmp_path, is_same_version=False) == ([], [])
        assert new_and_stale([before], [now], tmp_path) == ([now.message], [before.message])

    def test_an_exact_match_is_preferred_to_another_wording(self, tmp_path: Path) -> None:
        before = [found("`b` is unknown"), found("`a` is unknown")]

        new, stale = new_and_stale(before, [found("`a` is unknown")], tmp_path, is_same_version=False)

        assert (new, stale) == ([], ["`b` is unknown"])


def test_every_finding_is_known_or_new_and_every_entry_is_used_once(tmp_path: Path) -> None:
    """In any order, findings and entries are matched one to one, and each pair has the same tool and code."""
    seeded = random.Random(7)
    tools = {"a.json": ("find", "drop"), "b.json": ("find",)}
    pool = [
        found(message, path=path, tool=tool, pointer=pointer)
        for message in ("`a` lacks 1", "`a` lacks 2", "`b` lacks 1")
        for path, tool in (("a.json", "find"), ("a.json", "drop"), ("b.json", "find"), ("a.json", None))
        for pointer in (None, "/items/0", "/items/1")
    ]
    here = linted(tools, tmp_path)
    for _ in range(300):
        before, now = (seeded.choices(pool, k=seeded.randint(0, 12)) for _ in range(2))
        known = KnownIndex(recordable(before, here), "baseline", "known", is_same_version=seeded.random() < 0.5)

        report, stale = mark_known(Report(tuple(now)), known, here)

        marked = [here.known(one) for one in report.diagnostics if one.is_known]
        used = Counter(known.findings) - Counter(stale)
        exact = Counter(here.known(one) for one in now) & Counter(known.findings)
        assert len(marked) == used.total() == len(before) - len(stale)
        assert Counter((one.path, one.tool, one.code) for one in marked) == Counter(
            (one.path, one.tool, one.code) for one in used.elements()
        )
        assert not exact - Counter(marked), "what is the same is known"


class TestTheFile:
    FINDING = KnownFinding("specs/ä.md", "a.b", "MC305", "input", "/properties/x", 'no "type"\u200b for `城市` \ud800')

    def test_what_is_written_is_read_back(self, tmp_path: Path) -> None:
        other = KnownFinding("a.md", None, "MC006", None, None, "x\U000e0041\n")

        write_baseline(tmp_path / "b.json", [self.FINDING, other, other], written_by="0.1.0")
        read = read_baseline(tmp_path / "b.json")

        assert (read.written_by, read.findings) == ("0.1.0", (other, other, self.FINDING))

    def test_it_has_a_line_for_each_finding_in_order_and_hides_nothing(self) -> None:
        more = KnownFinding("a.md", None, "MC006", None, None, "m")

        text = baseline_text([self.FINDING, more], written_by=__version__)

        assert text == baseline_text([more, self.FINDING], written_by=__version__)
        assert [line[:21] for line in text.splitlines() if "path" in line] == [
            '    {"path": "a.md", ',
            '    {"path": "specs/ä',
        ]
        assert "\\u200b" in text
        assert "\\ud800" in text
        assert json.loads(baseline_text([], written_by="1"))["findings"] == []

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "b.json:1:1: invalid JSON: expecting value"),
            (b'{"format":\n', "b.json:2:1: invalid JSON: expecting value"),
            (b"[]", "b.json: not a baseline of mcp-contracts: it is not a JSON object"),
            (b'{"version": "2.1.0", "runs": []}', "b.json: not a baseline of mcp-contracts: it has no `format`"),
            (
                b'{"format": "mcp-contracts/lint", "version": 1}',
                "b.json: not a baseline of mcp-contracts: its `format` is `mcp-contracts/lint`",
            ),
            (b"\xff\xfe{}", "b.json:1: not UTF-8"),
            (b"[" * 100_000, "b.json: nested too deeply"),
            (b'{"a": 1' + b"0" * 5000 + b"}", "b.json: invalid JSON: a number is too long"),
            (
                b"<<<<<<< HEAD\n{\n=======\n>>>>>>> main\n",
                "b.json: the file contains merge conflict markers",
            ),
            (b" " * (MAXIMUM_SIZE + 1), "b.json: larger than 32000000 bytes"),
        ],
        ids=["empty", "cut", "list", "sarif", "report", "bytes", "deep", "digits", "conflict", "huge"],
    )
    def test_what_is_not_a_baseline_is_refused_with_the_reason(
        self, content: bytes, message: str, tmp_path: Path
    ) -> None:
        (tmp_path / "b.json").write_bytes(content)

        with pytest.raises(ConfigurationError) as refused:
            read_baseline(tmp_path / "b.json")

        assert refused.value.message == message

    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ({"version": 2}, "the baseline has version 2, and this mcp-contracts reads 1"),
            ({"version": True}, "the baseline has no valid `version`"),
            ({"written_by": 3}, "the baseline has no valid `written_by`"),
            ({"findings": {}}, "the baseline has no valid `findings`"),
            ({"findings": [3]}, "`findings[0]` is not an object"),
            ({"findings": [{}]}, "`findings[0]` has no valid `path`"),
            ({"findings": [{**ENTRY, "code": "BC101"}]}, "`findings[0]` has no valid rule code: `BC101`"),
            ({"findings": [{**ENTRY, "tool": 3}]}, "`findings[0]` has no valid `tool`"),
            (
                {"findings": [{**ENTRY, "part": "x"}]},
                "`findings[0]` has an unknown `part`: `x`",
            ),
        ],
    )  # fmt: skip
    def test_a_wrong_value_is_named(self, changed: Mapping[str, object], message: str, tmp_path: Path) -> None:
        document = {"format": BASELINE_FORMAT, "version": 1, "written_by": "0.1.0", "findings": [], **changed}
        (tmp_path / "b.json").write_text(json.dumps(document), encoding="utf-8")

        with pytest.raises(ConfigurationError) as refused:
            read_baseline(tmp_path / "b.json")

        assert refused.value.message == f"b.json: {message}"
        assert "--write-baseline b.json" in (refused.value.hint or "")
