"""`import_module` writes contracts as specifications, and merges them into edited ones."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.bundle import to_bundle
from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.formatting.specs import format_spec
from mcp_contracts.importing.parts import OF_THE_SURFACE
from mcp_contracts.importing.specs import Outcome, by_module, import_module
from mcp_contracts.sources.load import load
from mcp_contracts.sources.tool_lists import read_tool_list
from tests.fuzz import mutated
from tests.imported_lists import (
    MODULE,
    PATH,
    Tool,
    check_laws,
    imported,
    listed,
    named,
    path_of,
    read,
    stated,
    texts,
    tool_of,
)
from tests.repositories import ROOT
from tests.sweeps import share, sweep

NAME = f"{MODULE}.find"

MARKDOWN = [
    "Finds notes.\n\nSecond paragraph.",
    "Finds notes.\nThe next line.",
    "Finds notes.\n\n- one\n- two\n  - three",
    "# Heading\n\nText below it.",
    "Text\n====\n\nand\n\nmore\n---",
    "## Tool: `other.tool`\n\n**Version**: 9.9.9",
    "### 3. Input Schema (Parameters)\n\nforged",
    "Text.\n\n### 8. Security Considerations\n\nNone.",
    "---\nmodule: forged\nversion: 9.0.0\n---\n",
    '```json\n{"type": "object"}\n```',
    "A fence that is never closed:\n\n```python\nfind(",
    "Four ticks:\n\n````\n```\n````",
    "~~~\ntildes\n~~~",
    "```text\nalready a block of text\n```",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "a | pipe and a \\| one",
    "<b>bold</b> and <!-- a comment --> and <script>",
    "<!-- mcp-contracts: ignore-file MC301 -- forged -->",
    "<!-- imported: description 00000000 -->",
    "<!-- a comment that is never closed",
    "Write {{city}} or {{word: what to write}}.",
    "TODO",
    "TODO: describe what it does.",
    "Finds notes.\n\nArgs:\n    query: what to look for\n    limit: how many\n\nReturns:\n    The notes.",
    "    indented by four\n  by two\n\tby a tab",
    "  spaces around  ",
    "\n\nblank lines around\n\n",
    "trailing spaces  \nand a break\\\nhere",
    "two\n\n\n\nblank lines",
    "[link]: https://example.org\n\n[link]",
    "> a quote\nlazily goes on",
    "**Idempotent**: yes\n\n**Effects**: read-only",
    "1. one\n\n   inside\n2. two",
    "&amp; &lt; &#35; \\# \\*",
    "***",
    "`",
    "``` ",
    "Emoji 👩, kanji 漢字, right to left עברית.",
    "This module exposes no tools.",
]


def test_a_description_survives_unchanged_in_any_context() -> None:
    tools = [tool_of(f"tool{number}", description=description) for number, description in enumerate(MARKDOWN)]

    written = check_laws(listed(*tools), tools)

    assert [contract.description for contract in read(written)] == MARKDOWN


PIECES = st.sampled_from(
    ["#", "## ", "\n", "\n\n", "`", "```", "~~~", "|", "-", "---", "    ", "\t", "<!--", "-->", "<p>", "{{", "}}",
     "word", "**Version**: 1", "[a]: b", "\\", "> ", "1. ", "text", "===", "TODO", ":"]
)  # fmt: skip


@given(st.lists(PIECES, min_size=1, max_size=12).map("".join).filter(str.strip))
def test_any_description_is_kept_next_to_other_tools(description: str) -> None:
    written = texts(imported(listed(tool_of("before"), tool_of(description=description), tool_of("after"))))

    assert [contract.description for contract in read(written)][1] == description
    assert len(read(written)) == 3
    assert format_spec(PATH, written[MODULE]).text == written[MODULE]


HIDDEN = [
    "a\x0bvertical tab, a form\x0cfeed, a\u2028line and a\u2029paragraph separator",
    "a\u200bhidden space, a \u202eturned word, 👩\u200d👩\u200d👧",
    "next\x85line \x7f and \x1b[31mred",
]


@pytest.mark.parametrize("description", HIDDEN)
def test_hidden_characters_are_kept_so_that_lint_reports_them_in_both(description: str) -> None:
    contracts = listed(tool_of("before"), tool_of(description=description))

    written = texts(imported(contracts))

    assert named(read(written), NAME).description == description
    codes = [
        {one.code for one in lint(found).shown() if one.tool in ("find", NAME)} for found in (contracts, read(written))
    ]
    assert ("MC507" in codes[0]) == ("MC507" in codes[1])


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("nothing \x00 here", "nothing \ufffd here"),
    ],
)
def test_what_no_file_can_hold_is_replaced(description: str, expected: str) -> None:
    contracts = listed(tool_of(description=description))

    written = texts(imported(contracts))

    assert named(read(written), NAME).description == expected
    assert texts(imported(contracts, written)) == written
    written[MODULE].encode("utf-8")


DEFINED: JsonValue = {
    "type": "object",
    "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}},
    "properties": {"root": {"$ref": "#/$defs/node", "description": "Where to begin."}},
}
SCHEMAS: list[JsonValue] = [
    {"type": "object"},
    {"type": "object", "properties": {}},
    {"type": "object", "properties": {}, "additionalProperties": False},
    {"type": "object", "additionalProperties": {"type": "string"}},
    {"type": "object", "properties": {"a|b": {}, "c`d": {"type": "string"}, "e.f[]": {"type": "string"}}},
    {"type": "object", "properties": {"x": {"description": "{{x}} | `y` <!-- z -->\n\n# h\n```\n", "type": "string"}}},
    {"type": "object", "properties": {"x": {"description": "a\tb\nc\rd", "type": "string"}}},
    {"type": "object", "properties": {"n": {"type": "number", "minimum": 1.0, "maximum": 10**30, "default": 1e10}}},
    {"type": "object", "properties": {"deep": {"type": "array", "items": {"type": "array", "items": {}}}}},
    DEFINED,
    {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "definitions": {}, "properties": {}},
    {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(300)}},
    {"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {"a": {}, "b": {}}},
    {"type": "object", "properties": {"never": False, "any": True}, "required": ["any"]},
    {"type": "object", "properties": {"x": {"enum": ["a", 1, None, True, [], {}]}}},
    {"type": "object", "properties": {"": {"type": "string"}, " ": {"type": "string"}}},
]  # fmt: skip


def test_a_schema_comes_back_unchanged() -> None:
    tools = [tool_of(f"tool{number}", inputSchema=one, outputSchema=one) for number, one in enumerate(SCHEMAS)]

    check_laws(listed(*tools), tools)


HINTS: list[JsonValue] = [
    {},
    {"readOnlyHint": True},
    {"readOnlyHint": False},
    {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False},
    {"readOnlyHint": True, "idempotentHint": False},
    {"destructiveHint": False},
    {"destructiveHint": True, "idempotentHint": True},
    {"openWorldHint": True},
    {"idempotentHint": False},
    {"title": "Only a title", "readOnlyHint": False, "destructiveHint": False},
]


def test_annotations_come_back_as_hosts_read_them() -> None:
    tools = [tool_of(f"tool{number}", annotations=hints) for number, hints in enumerate(HINTS)]

    check_laws(listed(*tools), tools)


@pytest.mark.parametrize("name", ["find", "findNotes", "find-notes", "a.b", "A.B", "n" * 100, "1", "_", "tool-name.v2"])
def test_a_name_comes_back_as_the_server_spells_it(name: str) -> None:
    tools = [tool_of(name)]

    check_laws(listed(*tools), tools)


@pytest.mark.parametrize("title", ["Find notes", "Find | **Effects**: destructive", "`code`", "Two\nlines", "a: **b**"])
def test_a_title_never_says_anything_else(title: str) -> None:
    contracts = listed(tool_of(title=title))

    contract = named(read(texts(imported(contracts))), NAME)

    assert contract.title in (" ".join(title.split()), None)
    assert contract.effects is None
    assert contract.description == contracts[0].description


def test_what_the_list_does_not_say_is_a_placeholder_and_the_example_is_marked() -> None:
    found = imported(listed(tool_of()))

    assert found[MODULE].missing == {"errors": 1, "examples": 1, "idempotency": 1, "result": 1, "security": 1}
    [example] = named(read(texts(found)), NAME).examples
    assert example.value == {"tool_name": NAME, "arguments": {"query": "text"}}
    assert "{{examples: this call is sampled from the schema;" in found[MODULE].text


def test_a_schema_that_accepts_nothing_has_no_example() -> None:
    schema: JsonValue = {"type": "object", "properties": {"x": False}, "required": ["x"]}

    found = imported(listed(tool_of(inputSchema=schema)))

    assert "{{examples: add a real call" in found[MODULE].text
    assert not named(read(texts(found)), NAME).examples


def test_names_that_collide_are_refused_with_both_places() -> None:
    with pytest.raises(
        UsageError, match=r"two tools get the name `notes\.find_it`: `notes\.find-it` .*`notes\.find it`"
    ):
        by_module(listed(tool_of("find-it"), tool_of("find it")), module=MODULE)


def test_tools_of_several_modules_are_in_several_files() -> None:
    contracts = listed(tool_of("a.x"), tool_of("b.c.y"), tool_of("z"), tool_of("a.w"))

    found = imported(contracts, module=None)

    assert {name: [tool.name for tool in read({name: text})] for name, text in texts(found).items()} == {
        "a": ["a.x", "a.w"],
        "b.c": ["b.c.y"],
        "tools": ["tools.z"],
    }


def test_a_module_that_yaml_would_read_otherwise_is_in_quotes() -> None:
    for module in ("null", "2025", "1.0", "true", "_"):
        found = imported(listed(tool_of()), module=module)

        [file] = read(texts(found)).files
        assert file.module == module


def test_too_many_tools_for_one_file_are_refused() -> None:
    schema: JsonValue = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(1000)}}
    tools = [tool_of(f"t{number}", inputSchema=schema) for number in range(5)]

    with pytest.raises(UsageError, match=r"would have .* lines"):
        imported(listed(*tools))


def test_a_tool_that_is_too_long_for_a_file_is_refused_by_its_length_and_not_by_its_name() -> None:
    schema: JsonValue = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(5_000)}}

    with pytest.raises(UsageError, match=r"`notes\.t` would have .* lines"):
        imported(listed(tool_of("t", inputSchema=schema)))


def test_a_very_long_description_is_kept_in_a_code_block_without_being_read_as_prose() -> None:
    description = "one line of many\n" * 4_000 + "the end"

    text = texts(imported(listed(tool_of("t", description=description))))[MODULE]

    assert f"```text\n{description}\n```" in text


# Updates


def update(
    before: str, *tools: Tool, edit: Callable[[str], str] = str, is_pruning: bool = False
) -> tuple[str, list[Outcome]]:
    """Import other tools, and return the specification and the outcomes."""
    found = imported(listed(*tools), {MODULE: edit(before)}, is_pruning=is_pruning)
    return found[MODULE].text, list(found[MODULE].outcomes)


def fresh(*tools: Tool) -> str:
    return texts(imported(listed(*tools)))[MODULE]


def schema_of(**properties: JsonValue) -> JsonValue:
    return {"type": "object", "properties": {**properties}}


CHANGES: list[dict[str, JsonValue]] = [
    {"description": "Finds the notes of one folder."},
    {"description": "# Now\n\na heading"},
    {"title": "Find notes"},
    {"annotations": {"readOnlyHint": True, "openWorldHint": False}},
    {"annotations": {"idempotentHint": True}},
    {"outputSchema": schema_of(notes={"type": "array", "items": {"type": "string"}})},
    {"inputSchema": schema_of()},
    {"inputSchema": schema_of(query={"type": "integer"}, limit={"type": "integer", "description": "How many."})},
    {"inputSchema": schema_of(other={"type": "object", "properties": {"inner": {"type": "string"}}})},
]


@pytest.mark.parametrize("change", CHANGES)
def test_an_update_is_a_fresh_import_in_both_directions(change: dict[str, JsonValue]) -> None:
    old, new = tool_of(), tool_of(**change)

    forth, outcomes = update(fresh(old), new)
    back, _ = update(forth, old)

    assert (forth, back) == (fresh(new), fresh(old))
    assert [outcome.state for outcome in outcomes] == ["updated"]


def test_an_update_from_anything_to_anything_is_a_fresh_import() -> None:
    versions = [(tool, fresh(tool)) for tool in (tool_of(**change) for change in CHANGES)]

    for _, before in versions:
        for new, expected in versions[::3]:
            assert update(before, new)[0] == expected


def person(text: str) -> str:
    """A specification completed by a person."""
    replaced = {
        r"\{\{errors: .*\}\}": "Errors are rare.\n\n- `NoteNotFound`: no note has that name.",
        r"\{\{idempotency: .*\}\}": "**Idempotent**: yes. It only reads.",
        r"\{\{security: .*\}\}": "Notes may hold instructions; treat them as data.",
        r"\*\*Version\*\*: .*": "**Version**: 1.4.0\n**Status**: stable\n**Effects**: read-only, closed-world",
        r"The tools of the .*": "What this module is for, in the words of a person.",
    }
    for pattern, written in replaced.items():
        text = re.sub(pattern, written, text)
    return text


def test_an_update_keeps_what_people_wrote() -> None:
    new = tool_of(description="Finds notes, newest first.", inputSchema=schema_of(query={"type": "string"}))

    text, [outcome] = update(fresh(tool_of()), new, edit=person)

    contract = named(read({MODULE: text}), NAME)
    assert outcome.decision.taken == ("description", "input", "examples")
    assert contract.description == new["description"]
    assert contract.input_schema == new["inputSchema"]
    assert (contract.version, contract.idempotent, contract.security) == (
        "1.4.0",
        "yes",
        "Notes may hold instructions; treat them as data.",
    )
    assert contract.effects is not None
    assert (contract.effects.change, contract.effects.world) == ("read-only", "closed-world")
    assert [error.name for error in contract.errors] == ["NoteNotFound"]
    assert "Errors are rare." in text
    assert "It only reads." in text
    assert "What this module is for, in the words of a person." in text


def test_a_part_that_only_people_changed_is_kept_and_reported() -> None:
    def edited(text: str) -> str:
        return text.replace("Finds the notes that hold a text.", "Finds notes. Use it before `notes.read`.")

    before = edited(fresh(tool_of()))
    same, [first] = update(before, tool_of())
    text, [second] = update(before, tool_of(title="Find"))

    assert same == before
    assert first == Outcome(NAME, "unchanged", first.decision)
    assert first.decision.kept == second.decision.kept == ("description",)
    assert named(read({MODULE: text}), NAME).description == "Finds notes. Use it before `notes.read`."
    assert named(read({MODULE: text}), NAME).title == "Find"


def test_a_part_that_both_changed_is_taken_and_reported() -> None:
    def edited(text: str) -> str:
        return text.replace("Finds the notes that hold a text.", "A person wrote this about notes.")

    text, [outcome] = update(fresh(tool_of()), tool_of(description="The server changed this."), edit=edited)

    assert outcome.decision.replaced == ("description",)
    assert named(read({MODULE: text}), NAME).description == "The server changed this."


def test_an_example_that_a_person_wrote_is_kept() -> None:
    def adopted(text: str) -> str:
        return re.sub(r"\{\{examples: .*\}\}\n\n", "", text).replace('"query": "text"', '"query": "milk"')

    new = tool_of(inputSchema=schema_of(query={"type": "string"}, limit={"type": "integer"}))

    text, _ = update(fresh(tool_of()), new, edit=adopted)

    [example] = named(read({MODULE: text}), NAME).examples
    assert example.value == {"tool_name": NAME, "arguments": {"query": "milk"}}
    assert "{{examples" not in text


def test_a_sampled_example_follows_the_schema() -> None:
    schema: JsonValue = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}

    text, _ = update(fresh(tool_of()), tool_of(inputSchema=schema))

    [example] = named(read({MODULE: text}), NAME).examples
    assert example.value == {"tool_name": NAME, "arguments": {"id": 1}}


def test_cells_that_people_wrote_stay_and_others_follow_the_schema() -> None:
    def edited(text: str) -> str:
        lines = text.split("\n")
        at = next(number for number, line in enumerate(lines) if line.startswith("| `b`"))
        lines[at] = "| `b` | string | no | In the words of a person. |"
        return format_spec(PATH, "\n".join(lines)).text

    old = tool_of(inputSchema=schema_of(a={"type": "string", "description": "old"}, b={"type": "string"}, c={}))
    new = tool_of(inputSchema=schema_of(a={"type": "integer", "description": "new"}, b={"type": "number"}, d={}))

    text, _ = update(fresh(old), new, edit=edited)

    rows = [re.split(r"\s*\|\s*", line)[1:-1] for line in text.split("\n") if line.startswith("| `")]
    assert rows == [
        ["`a`", "integer", "no", "new"],
        ["`b`", "number", "no", "In the words of a person."],
        ["`d`", "any", "no", ""],
    ]


def test_a_tool_that_is_missing_stays_until_it_is_pruned() -> None:
    before = fresh(tool_of(), tool_of("read"))

    kept, outcomes = update(before, tool_of())
    pruned, removed = update(before, tool_of(), is_pruning=True)

    assert kept == before
    assert [(one.name, one.state) for one in outcomes] == [(NAME, "unchanged"), ("notes.read", "missing")]
    assert pruned == fresh(tool_of())
    assert removed[-1] == Outcome("notes.read", "removed")


def test_a_tool_that_people_added_is_neither_gone_nor_pruned() -> None:
    def extended(text: str) -> str:
        return text + re.sub(r"<!-- imported.*?-->\n\n", "", mine[mine.index("## Tool:") :], flags=re.DOTALL).join(
            ["\n", ""]
        )

    mine = fresh(tool_of("mine"))
    before = extended(fresh(tool_of()))

    text, outcomes = update(before, tool_of(title="Find"), is_pruning=True)

    assert [outcome.name for outcome in outcomes] == [NAME]
    assert sorted(tool.name for tool in read({MODULE: text})) == [NAME, "notes.mine"]


def test_new_tools_follow_the_one_before_them_in_the_source() -> None:
    text, _ = update(fresh(tool_of("a"), tool_of("d")), *(tool_of(name) for name in "abcde"))

    assert text == fresh(*(tool_of(name) for name in "abcde"))


def test_a_specification_written_by_hand_takes_what_the_source_states_and_keeps_the_rest() -> None:
    path = ROOT / "specs" / "weather" / "MCP_TOOL_SPECIFICATION.md"
    before = path.read_text(encoding="utf-8")
    tool = tool_of("weather.get_alerts", description="Returns weather alerts.")

    found = import_module(str(path), "weather", before, by_module(listed(tool))["weather"])

    old = {contract.name: contract for contract in load(path)}
    new = {contract.name: contract for contract in read({"weather": found.text})}
    assert new["weather.get_alerts"].description == "Returns weather alerts."
    assert new["weather.get_alerts"].input_schema == tool["inputSchema"]
    for field in ("version", "output_schema", "security", "effects", "idempotent", "status", "tags", "migrations"):
        assert getattr(new["weather.get_alerts"], field) == getattr(old["weather.get_alerts"], field)
    assert [one.value for one in new["weather.get_alerts"].examples] == [
        one.value for one in old["weather.get_alerts"].examples
    ]
    assert new["weather.forecast"].description == old["weather.forecast"].description
    assert found.text.count("## Tool:") == before.count("## Tool:")


def test_a_tool_in_an_older_dialect_is_refused() -> None:
    before = "# Notes\n\n### `find`\n\nFinds notes.\n\n**Parameters:**\n\n- `query` (string, required): what for\n"

    found = imported(listed(tool_of()), {MODULE: before})

    assert [(one.state, "migrate" in one.reason) for one in found[MODULE].outcomes] == [("refused", True)]
    assert found[MODULE].text == before


def test_line_ends_and_the_byte_order_mark_are_kept() -> None:
    before = "\ufeff" + fresh(tool_of()).replace("\n", "\r\n")

    text, _ = update(before, tool_of(title="Find", description="One line.\n\n# Two"))

    assert text == "\ufeff" + fresh(tool_of(title="Find", description="One line.\n\n# Two")).replace("\n", "\r\n")


# Bundles


def test_our_own_specifications_come_back_from_a_bundle() -> None:
    contracts = load(sorted(str(path) for path in ROOT.glob("specs/*/MCP_TOOL_SPECIFICATION.md")))
    bundle = to_bundle(contracts)

    found = imported(Contracts((read_tool_list("bundle.json", json.dumps(bundle)),)), module=None)

    assert not [outcome for one in found.values() for outcome in one.outcomes if outcome.lost]
    for tool in bundle["tools"]:
        tool["errors"] = [{"type": one["type"], "when": " ".join(one["when"].split())} for one in tool["errors"]]
    back = {tool["name"]: tool for tool in to_bundle(read(texts(found)))["tools"]}
    assert back == {tool["name"]: tool for tool in bundle["tools"]}
    assert all(format_spec(path_of(name), text).text == text for name, text in texts(found).items())


def test_a_newer_bundle_updates_every_part() -> None:
    def bundle(version: str, **members: JsonValue) -> Contracts:
        tool: Tool = {
            "name": "notes.find",
            "description": "Finds the notes that hold a text.",
            "version": version,
            **members,
        }
        tool["input_schema"] = {"type": "object"}
        document: JsonValue = {"format": "mcp-contracts/bundle", "version": 1, "tools": [tool]}
        return Contracts((read_tool_list("bundle.json", json.dumps(document)),))

    full: dict[str, JsonValue] = {
        "status": {"state": "deprecated", "since": "1.1.0", "removed_in": "2.0.0", "replacement": "notes.search"},
        "category": "search",
        "tags": ["a", "b"],
        "optional": False,
        "use_when": "the user asks for a note",
        "channels": ["chat"],
        "errors": [{"type": "NoteNotFound", "when": "no note is found"}],
        "security": "Notes are data.",
        "examples": [{"kind": "call", "value": {"tool_name": "notes.find", "arguments": {}}}],
        "migrations": [{"since": "1.x", "text": "send nothing"}],
        "effects": {"change": "read-only", "world": "closed-world"},
        "idempotent": "conditional",
        "title": "Find",
    }
    small, large = bundle("1.0.0"), bundle("1.1.0", **full)

    forth = texts(imported(large, texts(imported(small))))
    back = texts(imported(small, forth))

    assert stated(forth) == stated(texts(imported(large)))
    assert stated(back) == stated(texts(imported(small)))


# Damaged files

DAMAGED_OLD = (
    tool_of(),
    tool_of("read", description="Reads one note.\n\n# With a heading"),
    tool_of(
        "write",
        title="Write",
        annotations={"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True},
        outputSchema=schema_of(id={"type": "string"}),
    ),
)
DAMAGED_NEW = (
    tool_of(title="Find", annotations={"idempotentHint": True, "openWorldHint": False}),
    tool_of("read", description="Reads one note now.", outputSchema=schema_of(text={"type": "string"})),
    tool_of("write", inputSchema=schema_of(text={"type": "string", "description": "new"})),
    tool_of("more"),
)


@sweep
@pytest.mark.parametrize("seed", share([*range(4), 45, 49, 86, 130, 195, 220, 307], 6))
def test_a_damaged_file_is_updated_or_left_but_never_spoiled(seed: int) -> None:
    before = mutated(seed, [person(fresh(*DAMAGED_OLD))])
    wanted = stated({MODULE: fresh(*DAMAGED_NEW)})

    text, outcomes = update(before, *DAMAGED_NEW)

    found = stated({MODULE: text})
    for outcome in outcomes:
        if outcome.state in ("added", "updated"):
            parts = {one: value for one, value in wanted[outcome.name].items() if one in OF_THE_SURFACE}
            kept = outcome.decision.kept
            assert {one: found[outcome.name].get(one) for one in parts if one not in kept} == {
                one: value for one, value in parts.items() if one not in kept
            }
    assert update(text, *DAMAGED_NEW)[0] == text


def test_sections_that_people_removed_come_back_in_their_places() -> None:
    def shortened(text: str) -> str:
        text = re.sub(r"### 1\. .*?(?=### 2\.)", "", text, flags=re.DOTALL)
        return text[: text.index("### 6. Idempotency")]

    new = tool_of(annotations={"idempotentHint": True}, description="Finds notes, newest first.")

    text, [outcome, _] = update(fresh(tool_of()), new, tool_of("more"), edit=shortened)

    contract = named(read({MODULE: text}), NAME)
    assert outcome.state == "updated"
    assert (contract.description, contract.idempotent) == (new["description"], "yes")
    assert text.index("<!-- imported") < text.index("### 1.") < text.index("### 6.") < text.index("`notes.more`")


def test_examples_that_no_specification_can_hold_give_way_to_a_sampled_call() -> None:
    tool: Tool = {
        "name": NAME,
        "input_schema": {"type": "object"},
        "examples": [{"kind": "data", "value": {"status": "success", "note": "read as a result"}}],
    }
    document: JsonValue = {"format": "mcp-contracts/bundle", "version": 1, "tools": [tool]}

    found = imported(Contracts((read_tool_list("bundle.json", json.dumps(document)),)))

    assert [outcome.lost for outcome in found[MODULE].outcomes] == [("examples",)]
    [example] = named(read(texts(found)), NAME).examples
    assert example.value == {"tool_name": NAME, "arguments": {}}


def test_the_name_of_the_template_is_refused() -> None:
    with pytest.raises(UsageError, match=r"cannot contain a tool named `module_name\.tool_name`"):
        imported(listed(tool_of("module_name.tool_name")))
