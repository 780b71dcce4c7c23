"""Accepted changes: the file, what it accepts, and entries that have become stale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.change import Bump, Change, ToolDiff, ToolState, Verdict
from mcp_contracts.checks.acceptance import Acceptance, apply_accepted, pointer_of
from mcp_contracts.checks.accepting import newly_accepted
from mcp_contracts.config.accepted import AcceptedChange, read_accepted
from mcp_contracts.config.files import ACCEPTED_FILE
from mcp_contracts.contract import Contracts, JsonValue, SchemaOrigin, SchemaPart, SpecFile, SpecTool, ToolContract
from mcp_contracts.diagnostics import Place
from mcp_contracts.errors import ConfigurationError, UsageError
from mcp_contracts.masking.mask import SecretMask
from mcp_contracts.writing.accepted import accepted_text, write_accepted

TODAY = date(2026, 11, 22)
PATH = "specs/weather/MCP_TOOL_SPECIFICATION.md"
PLACE = Place(PATH, 7, 1, 7, 9)
NAME = "weather.get"
LIMIT = "/properties/limit/maximum"


class Locator:
    """Knows only one place."""

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        """The place."""
        return PLACE


def limited(maximum: int, **beside: JsonValue) -> JsonValue:
    """Return an input schema with a limit."""
    return {"type": "object", "properties": {"limit": {"type": "integer", "maximum": maximum, **beside}}}


def contracts(schema: JsonValue) -> Contracts:
    """Return the contract of one tool."""
    part = SchemaPart("input", schema, SchemaOrigin.SCHEMA, Locator())
    tool = ToolContract(NAME, PLACE, "weather", version="1.2.0", input=part)
    return Contracts((SpecFile(PATH, "", "weather", tools=(SpecTool(tool, (7, 20), f"Tool: `{NAME}`"),)),))


OLD, NEW = contracts(limited(100)), contracts(limited(50))


def narrowed(verdict: Verdict = Verdict.BREAKING, *, pointer: str = LIMIT) -> Change:
    """Return a narrowed input."""
    return Change(
        "BC207",
        "input-bounds-changed",
        "input",
        verdict,
        Bump.MAJOR,
        "`limit`: `maximum` 100 became 50",
        old_pointer=pointer,
        new_pointer=pointer,
        fingerprint="00aa11bb22cc33dd",
    )


REMOVED = Change(
    "BC104",
    "tool-removed-without-deprecation",
    "tool",
    Verdict.BREAKING,
    Bump.MAJOR,
    "`weather.get` is gone",
    old_pointer="",
    fingerprint="ffffffff00000000",
)


def tool(*changes: Change, state: ToolState = ToolState.CHANGED, covered: bool | None = None) -> ToolDiff:
    """Return the compared tool."""
    return ToolDiff(NAME, state, Verdict.BREAKING, changes, "weather", old_version="1.2.0", covered=covered)


def accepted_of(
    *tools: ToolDiff, new: Contracts = NEW, reason: str | None = "meant", until: date | None = None
) -> tuple[AcceptedChange, ...]:
    """Return the entries for the breaking changes."""
    return newly_accepted(tools, Acceptance(tools), (), OLD, new, reason=reason, until=until)


def outcome(
    tools: Sequence[ToolDiff],
    accepted: Sequence[AcceptedChange],
    *,
    new: Contracts = NEW,
    today: date | None = TODAY,
    is_whole: bool = False,
) -> tuple[list[str | None], list[tuple[str, str]]]:
    """Return the reasons of all changes, and the code and the message of each diagnostic."""
    result = apply_accepted(tools, accepted, OLD, new, today=today, is_whole=is_whole)
    reasons = [change.accepted for one in result.tools for change in one.changes]
    return reasons, [(one.code, one.message) for one in result.diagnostics]


def test_an_accepted_break_is_not_open() -> None:
    result = apply_accepted([tool(narrowed())], accepted_of(tool(narrowed())), OLD, NEW, today=TODAY)

    assert [change.accepted for change in result.tools[0].changes] == ["meant"]
    assert (result.tools[0].open_breaks, result.diagnostics, len(result.applied)) == ((), (), 1)


def test_an_unaccepted_break_stays_open() -> None:
    other = replace(narrowed(), fingerprint="1111111111111111")

    assert outcome([tool(narrowed(), other)], accepted_of(tool(narrowed()))) == (["meant", None], [])


def test_a_further_narrowing_at_the_same_place_is_not_accepted_with_it() -> None:
    reasons, diagnostics = outcome([tool(narrowed())], accepted_of(tool(narrowed())), new=contracts(limited(10)))

    assert reasons == [None]
    assert diagnostics == [
        (
            "MC212",
            "accepted change `BC207` of `weather.get` has changed: `limit`: `maximum` 100 became 50",
        )
    ]


@pytest.mark.parametrize(("length", "expected"), [(160, "x" * 160), (161, "x" * 159 + "…")])
def test_the_message_of_another_change_is_cut_past_160_characters(length: int, expected: str) -> None:
    change = replace(narrowed(), message="x" * length)

    _, diagnostics = outcome([tool(change)], accepted_of(tool(change)), new=contracts(limited(10)))

    assert diagnostics == [("MC212", f"accepted change `BC207` of `weather.get` has changed: {expected}")]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (limited(50, description="how many"), ["meant"]),
        (limited(50, minimum=10), [None]),
    ],
)
def test_a_keyword_next_to_it_counts_and_words_do_not(schema: JsonValue, expected: list[str | None]) -> None:
    reasons, _ = outcome([tool(narrowed())], accepted_of(tool(narrowed())), new=contracts(schema))

    assert reasons == expected


def test_a_definition_that_the_place_names_counts() -> None:
    def referring(maximum: int) -> Contracts:
        definitions: JsonValue = {"n": {"maximum": maximum}}
        return contracts({"properties": {"limit": {"$ref": "#/$defs/n"}}, "$defs": definitions})

    moved = tool(narrowed(pointer="/properties/limit"))
    entries = accepted_of(moved, new=referring(50))

    assert outcome([moved], entries, new=referring(50))[0] == ["meant"]
    assert outcome([moved], entries, new=referring(10))[0] == [None]


def test_another_wording_of_the_message_changes_nothing() -> None:
    reworded = replace(narrowed(), message="`maximum` of `limit` was 100 and is 50")

    assert outcome([tool(reworded)], accepted_of(tool(narrowed()))) == (["meant"], [])


@pytest.mark.parametrize(
    "lie", [{"tool": "weather.put"}, {"code": "BC201"}, {"direction": "output"}, {"pointer": "/properties/x"}]
)
def test_an_entry_that_says_something_else_than_its_fingerprint_accepts_nothing(lie: dict[str, str]) -> None:
    (entry,) = accepted_of(tool(narrowed()))

    reasons, diagnostics = outcome([tool(narrowed())], [replace(entry, **lie)])  # type: ignore[arg-type]  # one a case

    assert (reasons, [code for code, _ in diagnostics]) == ([None], ["MC212"])


def test_an_entry_is_about_the_new_place_of_a_change_or_where_it_was() -> None:
    moved = replace(narrowed(), old_pointer="/a", new_pointer="/b")

    assert [pointer_of(replace(moved, new_pointer=one)) for one in ("/b", None, "")] == ["/b", "/a", None]


def test_a_place_that_holds_a_secret_is_accepted_as_it_is_masked() -> None:
    secret = "ghp_" + "aB3dE5fG7h" * 4
    change = replace(narrowed(), old_pointer=f"/properties/{secret}", new_pointer=f"/properties/{secret}")

    mask = SecretMask(known=[secret])

    (entry,) = newly_accepted([tool(change)], Acceptance((), mask=mask), (), OLD, NEW, reason="meant")
    again = apply_accepted([tool(change)], [entry], OLD, NEW, today=TODAY, mask=mask)

    assert secret not in str(entry.pointer)
    assert [one.accepted for one in again.tools[0].changes] == ["meant"]


def test_a_module_is_all_but_the_last_part_of_a_name() -> None:
    entries = [replace(entry, tool="a.weather.get") for entry in accepted_of(tool(narrowed()))]
    compared = ToolDiff("a.weather.put", ToolState.UNCHANGED, Verdict.COMPATIBLE)

    _, diagnostics = outcome([compared], entries)

    assert [code for code, _ in diagnostics] == ["MC212"]


def test_a_removed_tool_can_be_accepted() -> None:
    gone = tool(REMOVED, state=ToolState.REMOVED)
    reworded = tool(replace(REMOVED, message="`weather.get` was removed"), state=ToolState.REMOVED)

    assert outcome([reworded], accepted_of(gone, new=Contracts()), new=Contracts()) == (["meant"], [])


def test_a_change_that_could_not_be_decided_can_be_accepted() -> None:
    undecided = tool(narrowed(Verdict.UNKNOWN))

    entries = newly_accepted([undecided], Acceptance(()), (), OLD, NEW, reason="meant", is_unknown_included=True)

    assert accepted_of(undecided) == ()
    assert outcome([undecided], entries) == (["meant"], [])


def test_an_entry_for_a_change_that_is_no_break_is_stale() -> None:
    entries = accepted_of(tool(narrowed()))

    reasons, diagnostics = outcome([tool(narrowed(Verdict.COMPATIBLE))], entries)

    assert reasons == [None]
    assert diagnostics == [("MC212", "accepted change `BC207` of `weather.get` does not exist")]


@pytest.mark.parametrize(
    ("compared", "is_whole", "expected"),
    [
        (ToolDiff("traffic.get", ToolState.UNCHANGED, Verdict.COMPATIBLE, module="traffic"), False, []),
        (ToolDiff("traffic.get", ToolState.UNCHANGED, Verdict.COMPATIBLE, module="traffic"), True, ["MC212"]),
        (ToolDiff("weather.put", ToolState.UNCHANGED, Verdict.COMPATIBLE, module="weather"), False, ["MC212"]),
        (ToolDiff("weather.put", ToolState.UNCHANGED, Verdict.COMPATIBLE), False, ["MC212"]),
    ],
)
def test_an_entry_is_stale_only_where_its_tool_or_module_was_compared(
    compared: ToolDiff, is_whole: bool, expected: list[str]
) -> None:
    _, diagnostics = outcome([compared], accepted_of(tool(narrowed())), is_whole=is_whole)

    assert [code for code, _ in diagnostics] == expected


@pytest.mark.parametrize(
    ("today", "expected"),
    [(date(2026, 11, 21), []), (date(2026, 11, 22), []), (date(2026, 11, 23), ["MC213"]), (None, [])],
)
def test_an_entry_is_valid_until_the_end_of_its_last_day(today: date | None, expected: list[str]) -> None:
    entries = accepted_of(tool(narrowed()), until=TODAY)

    reasons, diagnostics = outcome([tool(narrowed())], entries, today=today)

    assert [code for code, _ in diagnostics] == expected
    assert reasons == ([None] if expected else ["meant"])


def test_an_entry_without_a_reason_accepts_all_the_same() -> None:
    reasons, diagnostics = outcome([tool(narrowed())], accepted_of(tool(narrowed()), reason=None))

    assert reasons == ["no reason given"]
    assert diagnostics == [("MC214", "accepted change `BC207` of `weather.get` has no reason")]


def test_a_diagnostic_is_at_the_entry() -> None:
    (entry,) = accepted_of(tool(narrowed()), reason=None)
    place = Place(ACCEPTED_FILE, 4, 1, 4, 1)

    result = apply_accepted([tool(narrowed())], [replace(entry, place=place)], OLD, NEW, today=TODAY)

    assert apply_accepted([], [], OLD, NEW, today=TODAY, mask=result.mask).mask is result.mask
    told = [(one.place, one.tool, one.hint) for one in result.diagnostics]
    assert told == [(place, NAME, "explain in `reason` why it is intended")]


@pytest.mark.parametrize(
    ("compared", "new", "today", "hint"),
    [
        (narrowed(), contracts(limited(10)), TODAY,
         "review it, and accept it again with `mcp-contracts diff --accept` if it is intended"),
        (narrowed(Verdict.COMPATIBLE), NEW, TODAY, "remove it, or let `mcp-contracts diff --accept` do so"),
        (narrowed(), NEW, date(2026, 11, 23),
         "revert the change, or accept it again with `mcp-contracts diff --accept`"),
    ],
)  # fmt: skip
def test_an_entry_that_accepts_nothing_says_what_to_do(
    compared: Change, new: Contracts, today: date, hint: str
) -> None:
    entries = accepted_of(tool(narrowed()), until=TODAY)

    (fault,) = apply_accepted([tool(compared)], entries, OLD, new, today=today).diagnostics

    assert fault.hint == hint
    assert "`BC207` of `weather.get`" in fault.message


def test_where_nothing_is_accepted_nothing_is_applied_or_reported() -> None:
    nothing = apply_accepted([], [], OLD, NEW, today=TODAY)

    assert nothing == Acceptance(())
    assert (nothing.applied, nothing.carried, nothing.stale, nothing.expired, nothing.diagnostics) == ((),) * 5


def test_a_break_that_its_version_covers_needs_no_acceptance() -> None:
    assert accepted_of(tool(narrowed(), covered=True)) == ()
    assert len(accepted_of(tool(narrowed(), covered=False))) == 1


def test_accepting_again_keeps_reasons_and_drops_what_is_stale() -> None:
    (entry,) = accepted_of(tool(narrowed()), reason="written by hand")
    stale = replace(entry, fingerprint="2222222222222222")
    elsewhere = replace(entry, fingerprint="3333333333333333", tool="traffic.get")
    second = replace(narrowed(), fingerprint="4444444444444444")
    accepted = (entry, stale, elsewhere)

    acceptance = apply_accepted([tool(narrowed(), second)], accepted, OLD, NEW, today=TODAY)
    entries = newly_accepted(acceptance.tools, acceptance, accepted, OLD, NEW, reason="new")

    assert [(one.fingerprint[:2], one.reason) for one in entries] == [
        ("00", "written by hand"),
        ("33", "written by hand"),
        ("44", "new"),
    ]


def test_accepting_again_renews_what_has_expired() -> None:
    accepted = accepted_of(tool(narrowed()), reason="written by hand", until=date(2026, 1, 1))

    acceptance = apply_accepted([tool(narrowed())], accepted, OLD, NEW, today=TODAY)
    (entry,) = newly_accepted(acceptance.tools, acceptance, accepted, OLD, NEW, until=date(2027, 1, 1))

    assert (entry.reason, entry.until) == ("written by hand", date(2027, 1, 1))


def test_another_change_at_the_same_place_does_not_inherit_the_reason() -> None:
    accepted = accepted_of(tool(narrowed()), reason="50 is enough")
    further = contracts(limited(10))

    acceptance = apply_accepted([tool(narrowed())], accepted, OLD, further, today=TODAY)
    (entry,) = newly_accepted(acceptance.tools, acceptance, accepted, OLD, further)

    assert entry.reason is None


TEXT = """\
# Accepted breaking changes. `mcp-contracts diff --accept` rewrites this file without your comments.
# You can edit each `reason`, and add the last day of an acceptance (`until: 2027-03-01`).
accepted:
  - tool: weather.get
    code: BC104
    direction: tool
    change: "`weather.get` is gone"
    version: "1.2.0"
    fingerprint: "ffffffff00000000"
    digest: "74234e98afe7498f"
    reason: ""

  - tool: weather.get
    code: BC207
    direction: input
    pointer: "/properties/limit/maximum"
    change: "`limit`: `maximum` 100 became 50"
    version: "1.2.0"
    fingerprint: "00aa11bb22cc33dd"
    digest: "{digest}"
    reason: "nobody asks for more"
    until: 2027-03-01
"""


def test_the_file_is_written_as_reviewers_read_it() -> None:
    narrow = accepted_of(tool(narrowed()), reason="nobody asks for more", until=date(2027, 3, 1))
    gone = accepted_of(tool(REMOVED, state=ToolState.REMOVED), reason=None)

    text = accepted_text((*narrow, *gone))

    assert text == TEXT.format(digest=narrow[0].digest)


def test_the_same_entries_give_the_same_bytes_in_any_order() -> None:
    entries = [*accepted_of(tool(narrowed())), *accepted_of(tool(REMOVED, state=ToolState.REMOVED))]

    assert accepted_text(entries) == accepted_text(reversed(entries))


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / ACCEPTED_FILE
    entries = accepted_of(tool(narrowed()), until=date(2027, 3, 1))

    write_accepted(path, entries)
    (entry,) = read_accepted(path)

    assert replace(entry, place=entries[0].place) == entries[0]
    assert (Path(entry.place.path).name, entry.place.line) == (ACCEPTED_FILE, 4)


@given(st.text(), st.text(min_size=1), st.text())
def test_any_text_is_read_as_it_was_written(reason: str, name: str, change: str) -> None:
    import yaml

    name = f"a{name}"
    entry = AcceptedChange(name, "BC207", "input", "0" * 16, "1" * 16, f"/{name}", change, reason=reason)

    (read,) = yaml.safe_load(accepted_text([entry]))["accepted"]

    assert (read["tool"], read["pointer"], read.get("change", ""), read["reason"]) == (name, f"/{name}", change, reason)


def test_half_a_character_is_replaced_since_no_file_can_hold_it() -> None:
    entry = AcceptedChange("a\ud800", "BC207", "input", "0" * 16, "1" * 16)

    assert 'tool: "a\N{REPLACEMENT CHARACTER}"' in accepted_text([entry])


def test_no_file_comes_into_being_for_no_entries(tmp_path: Path) -> None:
    path = tmp_path / ACCEPTED_FILE

    write_accepted(path, ())

    assert not path.exists()
    assert read_accepted(path) == ()


def test_a_file_that_lost_its_last_entry_stays(tmp_path: Path) -> None:
    path = tmp_path / ACCEPTED_FILE
    write_accepted(path, accepted_of(tool(narrowed())))

    write_accepted(path, ())

    assert path.read_text(encoding="utf-8").endswith("accepted: []\n")
    assert read_accepted(path) == ()


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        write_accepted(tmp_path / "missing" / ACCEPTED_FILE, accepted_of(tool(narrowed())))


ENTRY = """\
accepted:
  - tool: a.b
    code: BC207
    direction: input
    pointer: /properties/x
    fingerprint: "0000000000000000"
    digest: "1111111111111111"
    reason: meant
"""


@pytest.mark.parametrize(
    ("change", "expected", "hint"),
    [
        (("tool: a.b", "tol: a.b"), ":2: unknown key `accepted[0].tol`", "did you mean `tool`?"),
        (("accepted:", "acepted:"), ": unknown key `acepted`", "did you mean `accepted`?"),
        (("    code: BC207\n", ""), ":2: `accepted[0].code` is missing", None),
        (("BC207", "BC2"), ":2: `accepted[0].code` is not a change code: `BC2`", "write it as BC201"),
        (("code: BC207", "code: 207"), ":2: `accepted[0].code` must be a string, not a number", None),
        (("direction: input", "direction: inputs"), "expected one of input, output, tool", "did you mean `input`?"),
        (
            ("/properties/x", "properties.x"),
            "`accepted[0].pointer` is not a JSON pointer",
            "write it as reports show it",
        ),
        (
            ('"1111111111111111"', "soon"),
            "`accepted[0].digest` is not a digest: `soon`",
            "`mcp-contracts diff --accept`",
        ),
        (("reason: meant", "until: soon"), "`accepted[0].until` is not a date: `soon`", "write it as 2027-03-01"),
        (("reason: meant", "reason: [a]"), "`accepted[0].reason` must be a string, not a list", None),
        (("reason: meant", "code: BC201"), ":8: the key `code` appears twice", None),
        (("reason: meant", "reason: 'meant"), "invalid YAML", None),
        (("accepted:", "accepted: 3 #"), "invalid YAML", None),
    ],
)
def test_what_is_wrong_is_named_with_file_line_and_key(
    tmp_path: Path, change: tuple[str, str], expected: str, hint: str | None
) -> None:
    path = tmp_path / ACCEPTED_FILE
    path.write_text(ENTRY.replace(*change), encoding="utf-8")

    with pytest.raises(ConfigurationError) as caught:
        read_accepted(path)

    assert ACCEPTED_FILE in caught.value.message
    assert expected in caught.value.message
    assert hint is None or hint in (caught.value.hint or "")


def test_a_change_is_accepted_once(tmp_path: Path) -> None:
    path = tmp_path / ACCEPTED_FILE
    path.write_text(ENTRY + ENTRY.partition("\n")[2], encoding="utf-8")

    with pytest.raises(
        ConfigurationError, match=r":9: `accepted\[1\]` has the fingerprint and digest of the entry on l"
    ):
        read_accepted(path)


@pytest.mark.parametrize("text", ["", "accepted:\n", "accepted: []\n", "# nothing\n", "accepted: ~"])
def test_an_empty_file_accepts_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / ACCEPTED_FILE
    path.write_text(text, encoding="utf-8")

    assert read_accepted(path) == ()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"accepted: []\n\xff", ":2: not UTF-8"),
        (b"#" * 1_000_001, "larger than 1000000 bytes"),
        (b"accepted: " + b"[" * 200, "nested deeper than 50 levels"),
        (b"- a\n", "not a mapping of keys"),
        (b"accepted: 3\n", "`accepted` must be a list, not a number"),
        (b"accepted: [3]\n", ":1: `accepted[0]` must be a table, not a number"),
        (b"accepted: &a [*a]\n", "too many values, or nested too deeply, because of aliases"),
    ],
)
def test_a_file_that_cannot_be_followed_is_refused(tmp_path: Path, data: bytes, expected: str) -> None:
    path = tmp_path / ACCEPTED_FILE
    path.write_bytes(data)

    with pytest.raises(ConfigurationError) as caught:
        read_accepted(path)

    assert expected in caught.value.message


def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / ACCEPTED_FILE).mkdir()

    with pytest.raises(ConfigurationError, match="not a regular file"):
        read_accepted(tmp_path / ACCEPTED_FILE)
