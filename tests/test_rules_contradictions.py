"""The rules about prose that contradicts the effects or the idempotency of a tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_contracts.contract import Effects, JsonValue, SpecFile, ToolListFile
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.rules.prose.contradictions import prose_contradicts_effects, prose_contradicts_idempotency
from tests.support_names import contract, findings, messages
from tests.support_schemas import schema_part
from tests.tables import each

SPECS = Path(__file__).parents[1] / "specs"


def file_of(description: str, *, effects: str | None = None, idempotent: str | None = None) -> ToolListFile:
    stated = Effects(effects) if effects is not None else None  # type: ignore[arg-type]  # a word of the format
    tool = contract("notes.find", description=description, effects=stated, idempotent=idempotent)
    return ToolListFile("tools.json", "", contracts=(tool,))


def test_only_a_clear_verb_in_a_name_contradicts_annotations() -> None:
    said = [
        messages(prose_contradicts_effects, ToolListFile("tools.json", "", contracts=(tool,)))
        for name in ("git_commit", "add_numbers")
        for tool in [contract(name, description="Sums.", effects=Effects("read-only"), idempotent=None)]
    ]

    assert said == [["the tool is read-only, but the name of the tool says `commit`"], []]


@pytest.mark.parametrize(
    ("name", "is_reported"),
    [
        *(("notes.delete_note", True), ("notes.git_commit", True), ("notes.kiln_abort", True), ("reserveLoan", True)),
        *(("notes.deploy_status", False), ("notes.get_commit", False), ("notes.book_search", False)),
        *(("notes.start_time", False), ("notes.add", False), ("notes.dataset", False), ("notes.check_update", False)),
    ],
)
def test_the_name_of_a_read_only_tool_is_not_a_change(name: str, is_reported: bool) -> None:
    effects = Effects("read-only")
    tool = contract(name, description="Notes of a user. Read-only.", effects=effects, idempotent=None)

    found = messages(prose_contradicts_effects, ToolListFile("tools.json", "", contracts=(tool,)))

    assert bool(found) is is_reported


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Deletes the notes of a folder.", "Deletes the notes of a folder"),
        ("Delete a note.", "Delete a note"),
        ("Create or replace a named note.", "Create or replace a named note"),
        ("Finds notes and deletes the empty ones.", "deletes the empty ones"),
        ("Finds notes that hold a word, and deletes them.", "deletes them"),
        ("Finds notes. It also updates the index of the notes.", "updates the index of the notes"),
        ("Finds notes. The tool writes a file to disk.", "writes a file to disk"),
        ("Finds notes. `find` creates a new note.", "creates a new note"),
        ("Finds notes, then sends an e-mail to the owner.", "sends an e-mail to the owner"),
        ("Note that it overwrites the old copy.", "overwrites the old copy"),
        ("Search the notes and delete the old ones.", "delete the old ones"),
        ("Buys a label for a parcel.", "Buys a label for a parcel"),
        ("Charges the card of a customer.", "Charges the card of a customer"),
        ("Unlocks the door of a house.", "Unlocks the door of a house"),
        ("Withdraws money from an account.", "Withdraws money from an account"),
        ("Merges two contacts. The second one is deleted.", "The second one is deleted"),
        ("Runs a statement, which may delete rows.", "delete rows"),
        ("Looks for notes. It can also remove old entries.", "remove old entries"),
        ("Cancels one entry of the log for good.", "Cancels one entry of the log for good"),
        ("Compares two logs and deletes both logs.", "deletes both logs"),
        ("Run one statement that may insert, update or delete rows.", "insert, update or delete rows"),
    ],
)
def test_an_act_of_a_read_only_tool_is_reported(text: str, told: str) -> None:
    assert messages(prose_contradicts_effects, file_of(text, effects="read-only")) == [
        f"the tool is read-only, but the text says `{told}`"
    ]


@each(
    "text",
    [
        "Fetches a page, and can unlock any page even if it uses a bot check.",
        "Fetches a page. This tool can unlock any page even if it uses a bot check.",
        "Finds notes. It changes and previews nothing; use `edit` for that.",
        "Finds notes. Deleted notes are left out.",
        "Finds notes. It never deletes a note, and does not modify any of them.",
        "Finds notes and removes duplicates from the results.",
        "Shows what a user creates and deletes.",
        "Lists the jobs that a user creates and deletes.",
        "Lists the files an agent creates and deletes.",
        "Counts reads and writes to the disk.",
        "Finds notes. If `purge` is set, it deletes them.",
        "Finds notes. Use `notes.delete`, which deletes a note.",
        "Creates a summary of the notes.",
        "Adds two numbers.",
        "Finds notes. The server removes old notes after a year.",
        'Finds notes. A message such as "Deletes the note" is shown.',
        "Finds notes. It deletes nothing.",
        "Finds notes. It writes an entry to the audit log.",
        "Finds notes, replaces placeholders in the text, and returns them.",
        "Finds notes before it deletes them.",
        "Finds notes. Update your client first.",
        "Checks that the tool deletes the file.",
        "Shows labels that were bought. Lists users which may delete rows.",
        "Shows the invoices a customer pays. Orders the notes by date.",
        "It cannot delete rows. None of them is deleted. Explains how a note is deleted.",
        "Whitespace is removed from the result. The file is created by the build.",
        "The lock is removed when the file is closed.",
    ],
)
def test_what_others_do_and_what_is_not_done_is_not_an_act(text: str) -> None:
    assert findings(prose_contradicts_effects, file_of(text, effects="read-only")) == []


@each(("name", "told"), [("action", 0), ("part", 1)])
def test_a_sentence_about_one_of_several_actions_is_not_about_the_tool(name: str, told: int) -> None:
    schema: JsonValue = {"type": "object", "properties": {name: {"enum": ["list", "clear"]}}}
    text = "Manages notes.\n- action: list. Lists notes. Read-only.\n- action: clear. It deletes all notes."
    tool = contract("notes.manage", description=text, effects=None, idempotent=None, input=schema_part(schema))

    assert len(findings(prose_contradicts_effects, ToolListFile("tools.json", "", contracts=(tool,)))) == told


@pytest.mark.parametrize(
    "text",
    [
        "Adds a note and removes the oldest one.",
        "Saves a page to the archive, overwriting an earlier copy.",
        "Adds a note. An existing note with the same title is overwritten.",
        "Adds a note. It replaces any existing note.",
        "Adds a note and updates the existing one.",
    ],
)
def test_an_additive_tool_that_overwrites_is_reported(text: str) -> None:
    assert len(findings(prose_contradicts_effects, file_of(text, effects="additive"))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Adds a note. Existing notes are never overwritten.",
        "Adds a note without overwriting an earlier one.",
        "Adds a note and updates the index of notes.",
        "Adds a note; an existing note is replaced only if `force` is set.",
    ],
)
def test_an_additive_tool_may_add(text: str) -> None:
    assert findings(prose_contradicts_effects, file_of(text, effects="additive")) == []


@pytest.mark.parametrize(
    "text",
    [
        "Read-only.",
        "Read-only registry lookup.",
        "The tool is read-only.",
        "It changes nothing.",
        "It is read-only, too.",
        "Calling it has no side effects.",
        "It does not modify any data.",
        "Never changes state.",
        "The call only reads, and leaves the notes as they are.",
        "The tool has no effect on shared state.",
        "No data is changed by this call.",
        "Side effects: none.",
        "It leaves everything untouched.",
    ],
)
def test_a_destructive_tool_that_is_called_read_only_is_reported(text: str) -> None:
    assert len(findings(prose_contradicts_effects, file_of(f"Takes a note. {text}", effects="destructive"))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Read-only access is not enough.",
        "The file must not be read-only.",
        "It is read-only if `dry_run` is set.",
        "It has no side effects on other notes.",
        "It does not modify data of other users.",
        "It does not change anything else.",
        "The call only reads files below the root.",
        "It leaves everything else untouched.",
        "A repeated call has no side effects.",
    ],
)
def test_words_about_other_things_do_not_call_a_tool_read_only(text: str) -> None:
    assert findings(prose_contradicts_effects, file_of(f"Takes a note. {text}", effects="destructive")) == []


def test_a_sentence_is_compared_with_another_one() -> None:
    file = file_of("Finds notes and deletes the old ones. It is read-only.")

    told = "the text says read-only, but it also says `deletes the old ones`"
    assert messages(prose_contradicts_effects, file) == [told]


@each(
    ("name", "is_told"),
    [
        ("notes.delete", True),
        ("send_note", True),
        ("removeNote", True),
        ("notes.remove_duplicates", False),
        ("notes.deleted", False),
        ("notes.find", False),
    ],
)
def test_a_name_that_says_what_is_destroyed_contradicts_a_denial(name: str, is_told: bool) -> None:
    tool = contract(name, description="Takes the note of a user. It does not modify any data.")

    assert bool(findings(prose_contradicts_effects, ToolListFile("a.json", "", contracts=(tool,)))) is is_told


def test_a_tool_without_stated_effects_may_do_anything() -> None:
    assert findings(prose_contradicts_effects, file_of("Deletes all notes.")) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Fetches rates from the internet.", 1),
        ("It calls an external service.", 1),
        ("It never downloads anything from the internet.", 0),
        ("It calls an external service if one is configured.", 0),
    ],
)
def test_a_closed_world_has_no_internet(text: str, count: int) -> None:
    file = file_of(text, effects="read-only")
    tool = contract("a.b", description=text, effects=Effects("read-only", "closed-world"))

    assert len(findings(prose_contradicts_effects, ToolListFile("t.json", "", contracts=(tool,)))) == count
    assert findings(prose_contradicts_effects, file) == []


@pytest.mark.parametrize(
    "text",
    [
        "Each call creates another note.",
        "Repeated calls add further notes.",
        "Calling it twice adds the note twice.",
        "The tool is not idempotent.",
        "A call is not safe to repeat.",
        "Every call increments the counter.",
        "A second call moves the notes once more.",
        "Each call adds another note, even if one has the same title.",
    ],
)
def test_text_that_calls_an_idempotent_tool_unsafe_to_repeat_is_reported(text: str) -> None:
    assert len(findings(prose_contradicts_idempotency, file_of(f"Takes a note. {text}", idempotent="yes"))) == 1
    assert findings(prose_contradicts_idempotency, file_of(f"Takes a note. {text}", idempotent="no")) == []


@pytest.mark.parametrize(
    "text",
    [
        "The tool is idempotent.",
        "A call is safe to repeat.",
        "Repeating a call with the same arguments has no further effect.",
        "A second call changes nothing.",
        "A second call finds no note, returns `no_change_needed`, and does not tell anyone again.",
        "Repeating the call returns `no_change_needed`.",
        "Read-only operation that returns the notes.",
        "The call has no side effects.",
    ],
)
def test_text_that_calls_a_tool_safe_to_repeat_is_reported(text: str) -> None:
    assert len(findings(prose_contradicts_idempotency, file_of(f"Takes a note. {text}", idempotent="no"))) == 1
    assert findings(prose_contradicts_idempotency, file_of(f"Takes a note. {text}", idempotent="yes")) == []


@each("stated", ["yes", "no", "conditional"])
@each(
    "text",
    [
        "Repeated calls do not create another note.",
        "A second call never returns `no_change_needed`.",
        "A second call may return `no_change_needed`.",
        "A second call returns `no_change_needed` if the note is gone.",
        "A second call returns `partial_success`.",
        "Each call opens a new connection.",
        "Each call returns another page.",
        "Each call creates a new note if `key` is absent.",
        "It is idempotent with a key.",
        "A call is safe to repeat if `key` is given.",
        "It is idempotent only within a day.",
        "Read-only operation; the answers vary from call to call.",
        "A second call reads the notes once more.",
    ],
)
def test_conditions_and_answers_say_nothing_of_repetition(text: str, stated: str) -> None:
    assert findings(prose_contradicts_idempotency, file_of(text, idempotent=stated)) == []


SPEC = """# Notes

## Tool: `notes.find`

**Effects**: read-only

### 1. Tool Purpose and Description

Finds notes.

### 5. Error Handling

The tool deletes the note.

### 6. Idempotency

**Idempotent**: yes

```text
The tool deletes the note.
```

### 8. Security Considerations

It writes
to disk. The tool deletes the note.
"""


def read(text: str) -> SpecFile:
    return read_spec("notes/MCP_TOOL_SPECIFICATION.md", text)


def test_sections_about_repetition_and_security_are_read_and_others_are_not() -> None:
    found = findings(prose_contradicts_effects, read(SPEC))

    assert [(one.place.line, one.place.column) for one in found if one.place] == [(25, 4), (26, 19)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_places_hold_for_all_line_ends(end: str) -> None:
    file = read_spec("notes/MCP_TOOL_SPECIFICATION.md", SPEC.replace("\n", end))

    assert [one.place.line for one in findings(prose_contradicts_effects, file) if one.place] == [25, 26]


def test_the_explanation_of_a_result_is_read() -> None:
    example = '```json\n{"status": "success", "data": {}, "explanation": "Deleted 3 notes."}\n```\n'
    file = read(SPEC.replace("### 8.", f"### 7. Usage Examples\n\n{example}\n### 8."))

    told = messages(prose_contradicts_effects, file)

    assert told[-1] == "the tool is read-only, but an example says `Deleted 3 notes.`"


def test_effects_in_a_bold_line_of_an_older_dialect_count() -> None:
    file = read("# Notes\n\n## find_notes\n\nFinds notes and deletes the old ones.\n\n**Effects**: read-only\n")

    assert len(findings(prose_contradicts_effects, file)) == 1


def test_annotations_and_descriptions_in_fences_count() -> None:
    tool = '{"name": "find_notes", "description": "Finds notes and deletes them.", "inputSchema": {"type": "object"},'
    file = read(f'# Notes\n\n```json\n{tool} "annotations": {{"readOnlyHint": true}}}}\n```\n')

    assert len(findings(prose_contradicts_effects, file)) == 1


def test_a_label_before_a_sentence_is_not_a_part_of_it() -> None:
    file = read("# Notes\n\n## find_notes\n\n**Purpose**: Finds notes and deletes them.\n\n**Effects**: read-only\n")

    assert len(findings(prose_contradicts_effects, file)) == 1


@each(
    ("text", "is_told"),
    [
        ("Each call buys another label.", True),
        ("Every call posts a new message.", True),
        ("Repeated calls pay the invoice twice.", True),
        ("A label is bought on every call.", True),
        ("The card is charged again.", True),
        ("Every call reads the file again.", False),
        ("Setting a rule twice: the same rule is written again.", False),
        ("A retry finds the same label again.", False),
        ("If the label is gone, it is bought again.", False),
        ("Each call gives another page of results.", False),
    ],
)
def test_what_a_second_call_does_again_denies_idempotency(text: str, is_told: bool) -> None:
    assert bool(findings(prose_contradicts_idempotency, file_of(text, idempotent="yes"))) is is_told


@each(
    ("text", "is_told"),
    [
        ("Shows the tags of a note. Nothing is changed.", True),
        ("Shows a note. The call changes nothing, not even the time of last access where it is kept.", True),
        ("Shows the tags of a note.", False),
        ("Deletes a note. If there is none, nothing is changed.", False),
        ("Deletes a note. Nothing is changed in other folders.", False),
    ],
)
def test_a_destructive_tool_that_changes_nothing_is_reported(text: str, is_told: bool) -> None:
    assert bool(findings(prose_contradicts_effects, file_of(text, effects="destructive"))) is is_told


def test_the_line_of_the_effects_does_not_contradict_itself() -> None:
    text = (SPECS / "calendar" / "MCP_TOOL_SPECIFICATION.md").read_text(encoding="utf-8")
    file = read_spec("a/MCP_TOOL_SPECIFICATION.md", text.replace("**: read-only,", "**: read-only, destructive,", 1))

    assert file.tools[0].contract.effects is not None
    assert messages(prose_contradicts_effects, file) == []
