"""Changes of a tool as a whole, and which old tool corresponds to which new one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from mcp_contracts.bundle import FORMAT
from mcp_contracts.change import Bump, Change, Verdict
from mcp_contracts.changes.base import ToolPair
from mcp_contracts.changes.matching import pair_tools
from mcp_contracts.changes.registry import TOOL_RULES
from mcp_contracts.checks.diff import diff
from mcp_contracts.contract import (
    Contracts,
    Effects,
    ErrorType,
    SchemaOrigin,
    SchemaPart,
    SourceFile,
    SpecFile,
    SpecTool,
    Status,
    ToolContract,
)
from mcp_contracts.diagnostics import Place
from mcp_contracts.faults import FaultKind
from mcp_contracts.sources.documents import read_source
from tests.support_names import FixedLocator
from tests.tables import each

SCHEMA = {"type": "object", "properties": {"bed": {"type": "string"}}, "required": ["bed"]}


def place(line: int = 1) -> Place:
    return Place("garden.md", line, 1, line, 2)


def tool(name: str = "garden.find", **fields: Any) -> ToolContract:
    """Return a contract with a few fields."""
    return ToolContract(name, place(), **fields)


def changes(old: ToolContract | None, new: ToolContract | None, **fields: Any) -> list[Change]:
    """Return the changes that all rules find in a pair."""
    pair = ToolPair(old, new, **fields)
    return [change for rule in TOOL_RULES for change in rule.changes(pair)]


def codes(found: Sequence[Change]) -> list[str]:
    return [change.code for change in found]


def effects(change: Any = None, world: Any = None, idempotent: Any = None) -> ToolContract:
    return tool(effects=Effects(change, world), idempotent=idempotent)


def listed(*tools: dict[str, Any], **more: Any) -> Contracts:
    """Return the contracts of a tool list."""
    return contracts(("tools.json", json.dumps({"tools": tools, **more})))


def contracts(*files: tuple[str, str]) -> Contracts:
    read: list[SourceFile] = [read_source(path, text) for path, text in files]
    return Contracts(tuple(read))


def entry(name: str, description: str = "Finds the plants of a bed.", schema: Any = SCHEMA) -> dict[str, Any]:
    return {"name": name, "description": description, "inputSchema": schema}


def spec(name: str = "garden.find", fence: str = json.dumps(SCHEMA)) -> str:
    return f"""\
## Tool: `{name}`

**Version**: 1.0.0

### 1. Tool Purpose and Description

Finds the plants of a bed.

### 3. Input Schema (Parameters)

```json
{fence}
```
"""


_KINDS_OF_CALLS = {
    None: {"plain"},
    "forbidden": {"plain"},
    "optional": {"plain", "task"},
    "required": {"task"},
}
"""How a tool may be called, by its `taskSupport` (MCP 2025-11-25, Tasks)."""


@each(("old", "new"), [*product(_KINDS_OF_CALLS, repeat=2)])
def test_task_support_breaks_callers_whose_kind_of_call_is_no_longer_possible(old: str | None, new: str | None) -> None:
    before, after = (
        listed(entry("garden.find") | ({} if support is None else {"execution": {"taskSupport": support}}))
        for support in (old, new)
    )

    found = [change.verdict for _, change in diff(before, after).changes()]

    lost, gained = _KINDS_OF_CALLS[old] - _KINDS_OF_CALLS[new], _KINDS_OF_CALLS[new] - _KINDS_OF_CALLS[old]
    assert found == ([Verdict.BREAKING] if lost else [Verdict.COMPATIBLE] if gained else [])


def test_a_specification_says_nothing_about_tasks() -> None:
    required = listed(entry("garden.find") | {"execution": {"taskSupport": "required"}})
    written = contracts(("garden.md", spec()))

    assert "BC114" not in {change.code for _, change in diff(written, required).changes()}
    assert "BC114" not in {change.code for _, change in diff(required, written).changes()}


def test_a_tool_that_did_not_change_is_silent() -> None:
    same = tool(
        status=Status("stable"), effects=Effects("additive", "closed-world"), errors=(ErrorType("A", "x", place()),)
    )

    assert changes(same, same) == []


@pytest.mark.parametrize(
    ("status", "renamed_to", "code"),
    [
        (None, None, "BC104"),
        (Status("stable"), None, "BC104"),
        (Status("deprecated"), None, "BC101"),
        (None, "garden.search", "BC103"),
        (Status("deprecated", replacement="garden.search"), "garden.search", "BC103"),
    ],
)
def test_a_removed_tool_is_one_break(status: Status | None, renamed_to: str | None, code: str) -> None:
    (found,) = changes(tool(status=status), None, renamed_to=renamed_to)

    assert (found.code, found.verdict, found.bump) == (code, Verdict.BREAKING, Bump.MAJOR)
    assert "`garden.find`" in found.message
    assert (found.old_pointer, found.new_pointer) == ("", None)
    assert found.tags == (("guess",) if renamed_to else ())


def test_a_new_tool_breaks_no_caller_and_names_what_it_may_replace() -> None:
    (plain,) = changes(None, tool())
    (guessed,) = changes(None, tool(), renamed_from="garden.old")

    assert (plain.code, plain.verdict, plain.bump) == ("BC102", Verdict.COMPATIBLE, Bump.MINOR)
    assert plain.message == "`garden.find` is new"
    assert guessed.message == "`garden.find` is new; it probably replaces `garden.old`"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (None, Status("deprecated"), "BC105"),
        (Status("stable"), Status("deprecated", "1.2.0"), "BC105"),
        (Status("deprecated"), Status("stable"), "BC106"),
        (Status("deprecated"), None, "BC106"),
        (Status("experimental"), Status("stable"), "BC106"),
        (Status("deprecated", removed_in="3.0.0"), Status("deprecated", removed_in="2.0.0"), "BC106"),
    ],
)
def test_a_change_of_the_status_is_reported_once(old: Status | None, new: Status | None, code: str) -> None:
    (found,) = changes(tool(status=old), tool(status=new))

    assert (found.code, found.verdict, found.bump) == (code, Verdict.COMPATIBLE, Bump.MINOR)


def test_a_tool_without_a_status_counts_as_stable() -> None:
    assert changes(tool(), tool(status=Status("stable"))) == []


def test_both_states_are_named() -> None:
    (found,) = changes(tool(status=Status("experimental")), tool(status=Status("stable")))

    assert found.message == "the status of `garden.find` changed from `experimental` to `stable`"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (effects("read-only"), effects("additive")),
        (effects("read-only"), effects("destructive")),
        (effects("read-only"), effects()),
        (effects("read-only"), tool()),
        (effects("additive"), effects("destructive")),
        (effects("additive"), effects()),
        (effects(world="closed-world"), effects(world="open-world")),
        (effects(world="closed-world"), effects()),
        (effects(idempotent="yes"), effects(idempotent="no")),
        (effects(idempotent="yes"), effects(idempotent="conditional")),
        (effects(idempotent="yes"), effects()),
    ],
)
def test_a_lost_guarantee_breaks_and_is_gained_the_other_way_round(old: ToolContract, new: ToolContract) -> None:
    (lost,) = changes(old, new)
    (gained,) = changes(new, old)

    assert (lost.code, lost.verdict, lost.bump) == ("BC107", Verdict.BREAKING, Bump.MAJOR)
    assert (gained.code, gained.verdict, gained.bump) == ("BC108", Verdict.COMPATIBLE, Bump.MINOR)
    assert lost.hint is not None


@pytest.mark.parametrize("new", ["no", None])
def test_to_be_idempotent_on_a_condition_was_no_promise(new: str | None) -> None:
    (found,) = changes(effects(idempotent="conditional"), effects(idempotent=new))

    assert (found.code, found.verdict, found.bump) == ("BC107", Verdict.COMPATIBLE, Bump.MINOR)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (effects("destructive"), effects()),
        (effects(world="open-world"), effects()),
        (effects(idempotent="no"), effects()),
        (effects("read-only", idempotent="yes"), effects("read-only")),
        (tool(), effects()),
    ],
)
def test_without_a_statement_the_weakest_guarantee_applies(old: ToolContract, new: ToolContract) -> None:
    assert changes(old, new) == []
    assert changes(new, old) == []


def test_each_lost_guarantee_is_named_with_both_values() -> None:
    old, new = effects("read-only", "closed-world"), effects("additive", "open-world")

    assert [change.message for change in changes(old, new)] == [
        "`garden.find` was `read-only` and is now `additive`",
        "`garden.find` was `closed-world` and is now `open-world`",
    ]


def test_errors_are_compared_only_by_type() -> None:
    old = tool(errors=(ErrorType("A", "when it rains", place(3)), ErrorType("B", "", place(4))))
    new = tool(errors=(ErrorType("C", "at night.", place(8)), ErrorType("A", "when it snows", place(9))))

    added, removed = changes(old, new)

    assert added.message == "`garden.find` now documents the error `C`: at night"
    assert (added.code, added.old_pointer, added.new_pointer, added.place) == ("BC109", None, "/errors/C", place(8))
    assert removed.message == "`garden.find` no longer documents the error `B`"
    assert (removed.code, removed.old_pointer, removed.new_pointer) == ("BC110", "/errors/B", None)


def test_an_error_listed_twice_is_one() -> None:
    twice = tool(errors=(ErrorType("A", "", place()), ErrorType("A", "again", place())))

    assert codes(changes(tool(), twice)) == ["BC109"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Finds old plants.", "Finds young plants.", "`old` became `young`"),
        ("Finds plants.", "Finds all plants.", "`all` was added"),
        ("Finds all plants.", "Finds plants.", "`all` was removed"),
        ("", "Finds plants.", "`Finds plants.` was added"),
        ("a b c d e f g h i j", "x", "`a b c d e f g h …` became `x`"),
        (
            "Subdirectories within these allowed directories are also accessible to it",
            "x",
            "`Subdirectories within these allowed directories are also …` became `x`",
        ),
        ("Runs `ls`.", "Runs `rm`.", "`'ls'.` became `'rm'.`"),
    ],
)
def test_the_words_that_changed_are_shown(old: str, new: str, said: str) -> None:
    (found,) = changes(tool(description=old), tool(description=new))

    assert (found.code, found.bump, found.tags) == ("BC111", Bump.PATCH, ("words",))
    assert found.message == f"the description of `garden.find`: {said}"


def test_space_and_line_breaks_are_no_words() -> None:
    assert changes(tool(description="Finds  plants.\n"), tool(description="Finds\nplants.")) == []


@pytest.mark.parametrize(
    ("field", "old", "new", "bump"),
    [
        ("title", "Find", "Find plants", Bump.PATCH),
        ("use_when", "at night", "by day", Bump.PATCH),
        ("category", None, "garden", Bump.PATCH),
        ("tags", ("a", "b"), ("b", "c"), Bump.PATCH),
        ("channels", (), ("chat",), Bump.MINOR),
        ("optional", None, True, Bump.MINOR),
        ("optional", True, False, Bump.MINOR),
    ],
)
def test_what_helps_to_choose_is_shown(field: str, old: Any, new: Any, bump: Bump) -> None:
    (found,) = changes(tool(**{field: old}), tool(**{field: new}))

    assert (found.code, found.verdict, found.bump) == ("BC112", Verdict.COMPATIBLE, bump)
    assert found.tags == (("words",) if bump is Bump.PATCH else ())


def test_the_order_of_tags_does_not_matter() -> None:
    assert changes(tool(tags=("a", "b")), tool(tags=("b", "a"))) == []


def test_security_notes_and_versions_are_no_changes() -> None:
    assert changes(tool(security="a", version="1.0.0"), tool(security="b", version="2.0.0")) == []


def test_what_cannot_be_seen_is_written_out() -> None:
    (found,) = changes(tool("a\u200bb"), None)

    assert found.message.startswith("`a\\u200bb` was removed")


def test_a_fence_that_no_longer_parses_is_undecided() -> None:
    (pair,) = pair_tools(contracts(("garden.md", spec())), contracts(("garden.md", spec(fence='{"type": '))))

    (found,) = (change for rule in TOOL_RULES for change in rule.changes(pair))
    assert (found.code, found.verdict, found.bump) == ("BC113", Verdict.UNKNOWN, Bump.MINOR)
    assert found.message.startswith("the input schema of `garden.find` cannot be read: invalid JSON")
    assert found.reason is not None
    assert pair.unreadable_parts == {"input"}


def test_a_table_that_replaces_a_broken_fence_is_not_compared() -> None:
    table = (
        "| Parameter | Type | Required | Description |\n|---|---|---|---|\n| `bed` | string | yes | A bed. |\n\n```json"
    )
    broken = spec(fence='{"type": ').replace("```json", table, 1)

    (pair,) = pair_tools(contracts(("garden.md", spec())), contracts(("garden.md", broken)))

    assert pair.new is not None
    assert pair.new.input is not None
    assert pair.unreadable_parts == {"input"}


def test_an_unchanged_fault_is_not_a_change() -> None:
    broken = spec(fence='{"type": ')

    (pair,) = pair_tools(contracts(("a.md", broken)), contracts(("a.md", f"# Garden\n\n{broken}")))

    assert pair.unreadable_parts == frozenset()
    assert [change for rule in TOOL_RULES for change in rule.changes(pair)] == []


@pytest.mark.parametrize("text", ["{", '{"tools": 1}'])
def test_a_tool_that_may_be_in_an_unreadable_file_is_not_gone(text: str) -> None:
    (gone,) = pair_tools(listed(entry("a.b")), contracts(("tools.json", text)))
    (came,) = pair_tools(contracts(("tools.json", text)), listed(entry("a.b")))

    for pair in (gone, came):
        (found,) = (change for rule in TOOL_RULES for change in rule.changes(pair))
        assert (found.code, found.verdict) == ("BC113", Verdict.UNKNOWN)
        assert "`tools.json` could not be read" in found.message


def test_tools_are_paired_by_name_in_order_of_name() -> None:
    old = listed(entry("b", schema={}), entry("a"), entry("c", "Counts."))
    new = listed(entry("c", "Counts."), entry("d", "Draws.", {}), entry("a"))

    pairs = pair_tools(old, new)

    assert [(pair.name, pair.old is not None, pair.new is not None) for pair in pairs] == [
        ("a", True, True),
        ("b", True, False),
        ("c", True, True),
        ("d", False, True),
    ]


def test_of_several_tools_of_one_name_the_first_counts() -> None:
    (pair,) = pair_tools(listed(entry("a", "One."), entry("a", "Two.")), listed(entry("a", "One.")))

    assert changes(pair.old, pair.new) == []


def test_a_qualified_name_is_paired_with_that_of_its_source() -> None:
    bundle = json.dumps(
        {"format": FORMAT, "version": 1, "tools": [{"name": "fs.read_file", "source_name": "read-file"}]}
    )
    qualified = contracts(("bundle.json", bundle))
    plain = listed({"name": "read-file"})

    assert [(pair.old is None, pair.new is None) for pair in pair_tools(qualified, plain)] == [(False, False)]
    assert [(pair.old is None, pair.new is None) for pair in pair_tools(plain, qualified)] == [(False, False)]


def test_what_a_tool_list_cannot_say_is_not_compared() -> None:
    text = spec().replace("**Version**: 1.0.0", "**Version**: 1.0.0\n**Status**: deprecated\n**Tags**: plants")

    (pair,) = pair_tools(contracts(("garden.md", text)), listed(entry("garden.find")))

    assert pair.is_partial
    assert [change for rule in TOOL_RULES for change in rule.changes(pair)] == []


def renamed(old: Contracts, new: Contracts) -> dict[str, str]:
    return {pair.name: pair.renamed_to for pair in pair_tools(old, new) if pair.renamed_to is not None}


def test_a_tool_with_the_same_parameters_and_words_was_probably_renamed() -> None:
    old, new = listed(entry("garden.find")), listed(entry("garden.search", "Finds the plants of one bed."))

    assert renamed(old, new) == {"garden.find": "garden.search"}
    assert [pair.renamed_from for pair in pair_tools(old, new)] == [None, "garden.find"]


def test_a_tool_whose_name_is_only_written_otherwise_was_probably_renamed() -> None:
    old, new = listed(entry("getTinyImage", "Returns one.", {})), listed(entry("get-tiny-image", "An image.", {}))

    assert renamed(old, new) == {"getTinyImage": "get-tiny-image"}


def test_a_tool_that_names_its_replacement_was_probably_renamed() -> None:
    old = spec().replace("1.0.0", "1.0.0\n**Status**: deprecated (use search)")
    new = spec("garden.search", '{"type": "object"}')

    assert renamed(contracts(("a.md", old)), contracts(("a.md", new))) == {"garden.find": "garden.search"}


@pytest.mark.parametrize(
    "new",
    [
        [entry("garden.search", "Orders a pizza with olives.")],
        [entry("kitchen.search")],
        [entry("kitchen.find", "Finds the plants of one bed, and waters them.")],
        [entry("kitchen.find"), entry("shed.find")],
        [entry("garden.search", schema={**SCHEMA, "required": []})],
        [entry("garden.one", "Finds a plant of a bed."), entry("garden.two", "Finds the plants of beds.")],
    ],
    ids=[
        "other words",
        "other module",
        "other module and words",
        "two other modules",
        "other parameters",
        "two candidates",
    ],
)
def test_nothing_less_is_guessed(new: list[dict[str, Any]]) -> None:
    assert renamed(listed(entry("garden.find")), listed(*new)) == {}


@each(
    "old, new", [("find", "garden.find"), ("garden.find", "find"), ("garden.find", "home.find"), ("a.b.find", "b.find")]
)
def test_a_tool_that_only_moved_to_another_module_was_probably_renamed(old: str, new: str) -> None:
    assert renamed(listed(entry(old)), listed(entry(new))) == {old: new}
    assert renamed(listed(entry(old, schema={})), listed(entry(new, schema={}))) == {old: new}


def test_a_name_in_another_unicode_normalization_is_a_rename_that_says_so() -> None:
    gone, came = pair_tools(listed(entry("caf\u00e9", "Old.")), listed(entry("cafe\u0301", "New.")))[::-1]
    found = [change for rule in TOOL_RULES for change in rule.changes(gone)]

    assert came.old is None
    assert codes(found) == ["BC103"]
    assert found[0].message.endswith("differs only in its Unicode normalization")


@pytest.mark.parametrize("more", [{"nextCursor": "p2"}, {"result": {"nextCursor": 2, "tools": []}}])
def test_a_tool_that_is_missing_from_one_page_of_a_list_is_not_known_to_be_removed(more: dict[str, Any]) -> None:
    whole, page = listed(entry("a"), entry("b")), listed(entry("a"), **more)

    for old, new in ((whole, page), (page, whole)):
        (pair,) = (pair for pair in pair_tools(old, new) if pair.name == "b")
        found = [change for rule in TOOL_RULES for change in rule.changes(pair)]

        assert [(change.code, change.verdict) for change in found] == [("BC113", Verdict.UNKNOWN)]
        assert "`tools.json` is incomplete" in found[0].message


@pytest.mark.parametrize("cursor", [None, ""])
def test_the_last_page_of_a_list_is_complete(cursor: str | None) -> None:
    assert listed(entry("a"), nextCursor=cursor).faults == ()


@each("annotations", [["x"], "x", True, 1])
def test_annotations_that_are_not_an_object_are_an_invalid_tool_list(annotations: Any) -> None:
    (fault,) = listed({**entry("a"), "annotations": annotations}).faults

    assert fault.kind is FaultKind.INVALID_TOOL_LIST
    assert fault.message.endswith("not an object")


def test_many_tools_that_moved_at_once_were_probably_renamed() -> None:
    names = [f"find_{number}" for number in range(800)]

    found = renamed(listed(*map(entry, names)), listed(*(entry(f"garden.{name}") for name in names)))

    assert found == {name: f"garden.{name}" for name in names}


def test_tools_without_parameters_are_too_much_alike_to_guess() -> None:
    old, new = (listed(entry(name, schema={"type": "object"})) for name in ("garden.a", "garden.b"))

    assert renamed(old, new) == {}


def test_of_several_candidates_the_one_with_the_same_words_is_chosen() -> None:
    new = listed(entry("garden.other", "Finds the plants of one bed."), entry("garden.search"))

    assert renamed(listed(entry("garden.find")), new) == {"garden.find": "garden.search"}


def test_a_guess_takes_each_tool_once_and_looks_at_each_once() -> None:
    count = 1000
    old = listed(*(entry(f"garden.old_{number}") for number in range(count)))
    new = listed(*(entry(f"garden.new_{number}") for number in range(count)))

    assert renamed(old, new) == {}


def test_schemas_made_in_python_need_not_be_json() -> None:
    endless: dict[str, Any] = {"properties": {"a": {}}}
    endless["properties"]["a"] = endless
    sides = []
    for name in ("garden.a", "garden.b"):
        part = SchemaPart("input", endless, SchemaOrigin.SCHEMA, FixedLocator(place()))
        contract = tool(name, input=part)
        sides.append(Contracts((_file(contract),)))

    assert renamed(*sides) == {}


def _file(contract: ToolContract) -> SourceFile:
    return SpecFile("a.md", "", tools=(SpecTool(contract, (1, 1), "## a"),))


@each("old, new", [("Old title", "New title"), (None, "New title"), ("Old title", None)])
def test_a_title_that_changed_in_a_tool_list_is_words(old: str | None, new: str | None) -> None:
    before, after = ({"name": "find", **({} if title is None else {"title": title})} for title in (old, new))

    (pair,) = pair_tools(listed(before), listed(after))
    found = [change for rule in TOOL_RULES for change in rule.changes(pair)]

    assert [(change.code, change.bump) for change in found] == [("BC112", Bump.PATCH)]


def test_a_title_that_only_a_tool_list_states_is_not_a_change() -> None:
    (pair,) = pair_tools(contracts(("garden.md", spec())), listed({**entry("garden.find"), "title": "Find"}))

    assert [change for rule in TOOL_RULES for change in rule.changes(pair)] == []
