"""Names of tools and parameters in the text of a file that do not exist (MC515)."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.rules.behavior.mentions import unknown_name_in_description
from mcp_contracts.sections import Mention
from mcp_contracts.sources.tool_lists import read_tool_list
from tests.support_schemas import found
from tests.tables import each

ORCHARD = """\
# Orchard: tool specification

The module exposes tools for orchards.{head}

## `orchard_list_trees`

Lists the trees of an orchard.{purpose}

**Parameters**

- `orchard_id` (string, required): Which orchard.{cell}
- `max_trees` (integer, optional): How many trees.

**Returns**

- `trees` (array): The trees.

## `orchard_prune_tree`

Prunes one tree.

**Parameters**

- `tree_id` (string, required): Which tree.

**Returns**

- `done` (boolean): Whether it is pruned.
{between}
## `orchard_find_pests`

Finds pests on a tree.

**Parameters**

- `tree_id` (string, required): Which tree.

**Returns**

- `pests` (array): The pests.

{tail}
"""
_TOOL = re.compile(r"\borchard_(?=[a-z]+_)")


def names_told(text: str, name: str = "spec.md") -> list[str]:
    file = read_tool_list(name, text) if name.endswith(".json") else read_spec(name, text)
    found = lint(Contracts((file,))).shown()
    return [one.message.split("`")[1] for one in found if one.code in ("MC515", "MC022")]


def orchard(field: str, text: str) -> str:
    fields = dict.fromkeys(("head", "purpose", "cell", "between", "tail"), "")
    return ORCHARD.format(**fields | {field: text})


@each(
    ("field", "text", "name"),
    [
        ("head", " Start with `orchard_list_plants`.", "orchard_list_plants"),
        ("head", "\n\n| Goal | Tool |\n|---|---|\n| Look | `orchard_show_trees` |", "orchard_show_trees"),
        ("purpose", " Pair it with `orchard_search_pests` for a full check.", "orchard_search_pests"),
        ("purpose", " Combine with orchard_search_pests.", "orchard_search_pests"),
        ("cell", " Comes from `orchard_list_orchards`.", "orchard_list_orchards"),
        ("between", "\n**Dependencies**: `orchard_scan_trees`\n", "orchard_scan_trees"),
        ("tail", "## Notes\n\nRun `orchard_list_trees`, then `orchard_spray_tree`.\n", "orchard_spray_tree"),
        (
            "tail",
            "## Errors\n\n| Error | When |\n|---|---|\n| Busy | `orchard_check_tree` runs |",
            "orchard_check_tree",
        ),
        ("tail", "## Behavior\n\n- `orchard_list_trees` reads.\n- `orchard_cut_tree` writes.\n", "orchard_cut_tree"),
        ("tail", "> `orchard_remove_tree()` needs the pruning license.", "orchard_remove_tree"),
    ],
)
def test_a_name_in_any_text_that_differs_from_a_tool_s_in_one_word_is_reported(
    field: str, text: str, name: str
) -> None:
    assert names_told(orchard(field, text)) == [name]
    assert names_told(_TOOL.sub("", orchard(field, text))) == [name.removeprefix("orchard_")]


@each(
    ("field", "text"),
    [
        ("head", " Start with `orchard_list_trees`."),
        ("head", " Implemented in the module `orchard_tree_server`."),
        ("head", "\n\n| Key | Value |\n|---|---|\n| Namespace | `orchard_trees` |"),
        ("purpose", " Reads the table `orchard_tree_rows`."),
        ("cell", " The field `orchard_tree_id` of the export."),
        ("purpose", " Set the environment variable `ORCHARD_PRUNE_LIMIT` first."),
        ("between", "\n**Category**: `orchard_tools`\n"),
        ("tail", "## Notes\n\nFormerly `orchard_show_trees`; the old name is gone.\n"),
        (
            "tail",
            "| Key | Meaning |\n|---|---|\n| `orchard_list_cache` | Its size |\n\nSee `orchard_list_cache` above.\n",
        ),
        ("tail", "The package `orchard_core` does the work, with the function `orchard_list_all`.\n"),
        ("tail", "```sh\norchard_list_all\n```\n\nThat is `orchard_list_all`, a program.\n"),
        ("purpose", " Needs the permission `orchard_list_all`. See orchard_data.json."),
        ("purpose", " Also gives the orchard a `orchard_list_mark`."),
        ("head", "\n\n- **Dependencies**: `orchard_list_store`, `sheds`\n"),
        ("tail", "`orchard_list_shears` is planned.\n"),
        ("tail", "The `orchard_list_shears` submodule has no tools.\n"),
        ("tail", "~~`orchard_list_shears`~~ was an idea.\n"),
        ("tail", "## Future work\n\nPerhaps `orchard_list_shears`.\n"),
        ("purpose", " ¿Por qué no hay `orchard_list_marks`?"),
        (
            "tail",
            "Run `orchard_list_trees`, then `orchard_spray_tree` (all of `orchard_spray_<part>`, `spray_<part>`).\n",
        ),
    ],
)
def test_a_name_that_the_text_gives_something_else_is_not_a_tool(field: str, text: str) -> None:
    assert names_told(orchard(field, text)) == []
    assert names_told(_TOOL.sub("", orchard(field, text))) == []


def test_a_file_whose_tools_may_not_all_be_read_has_only_misspelled_ones() -> None:
    misspelled = " Pair it with `orchard_list_tree` for a full check."
    file = read_spec("spec.md", orchard("purpose", misspelled + " Combine with `orchard_search_pests`."))
    unread = replace(file, unread_siblings=(Mention("orchard_spray", Place("spec.md", 1, 1, 1, 2)),))

    told = [finding.message.split("`")[1] for finding in found(unknown_name_in_description, unread)]

    assert len(found(unknown_name_in_description, file)) == 2
    assert told == ["orchard_list_tree"]


def tool_list(description: str, of_parameter: str) -> str:
    def tool(name: str, text: str, said: str) -> dict[str, object]:
        properties = {"tree_id": {"type": "string", "description": said}}
        return {"name": name, "description": text, "inputSchema": {"type": "object", "properties": properties}}

    others = (tool(f"{verb}_trees", f"{verb.title()}s some of the trees.", "Whose.") for verb in ("list", "count"))
    return json.dumps({"tools": [tool("prune_tree", description, of_parameter), *others]})


@each(
    ("description", "of_parameter", "names"),
    [
        ("Prunes a tree found with find_trees.", "Which.", ["find_trees"]),
        ("Prunes. Use list_plants to see which.", "Which.", ["list_plants"]),
        ("Prunes.", "The id of the tree, see show_trees.", ["show_trees"]),
        ("Prunes. Do not call after remove_tree.", "Which.", ["remove_tree"]),
        ("Prunes.", "Id of the tree, from get_plants.", ["get_plants"]),
        ("Prunes. First call tree_info for details.", "Which.", ["tree_info"]),
        ("Prunes. After calling 'mark_trees', call it again.", "Which.", ["mark_trees"]),
        ("Given a 'treeKey', prunes that tree.", "Which.", ["treeKey"]),
        ("Prunes. To burn the rest, call `start_fire` afterwards.", "Which.", ["start_fire"]),
        ("Prunes. Instead of `remove_leaves`, cuts whole boughs.", "Which.", ["remove_leaves"]),
        ("Prunes, followed by `burn_leaves`.", "Which.", []),
        ("Prunes, followed by `check_leaves`.", "Which.", ["check_leaves"]),
        ("Prunes. Then run `check_leaves`.", "Which.", ["check_leaves"]),
        ("Commands:\n- 'check_leaves': looks.\nUse 'check_leaves' first.", "Which.", []),
        ("Prunes. Calls `fetch_all()` if it is `read_only`.", "Which.", []),
        ("Prunes, as 'list_trees' says, in the state 'in_progress'.", "Which.", []),
        ("Prunes a tree from list_trees.", "Which.", []),
        ("Prunes. Sets tree_id and max_trees; logs start_time.", "Which, as tree_key in the file.", []),
        ("Prunes; needs read_write access. Writes list_trees.json.", "Which.", []),
        ("Prunes. Calls /v1/list_all/trees, and find_peaks() of a library.", "Which, in snake_case.", []),
    ],
)
def test_a_name_without_marks_is_judged_in_tool_lists(description: str, of_parameter: str, names: list[str]) -> None:
    assert names_told(tool_list(description, of_parameter), "list.json") == names


FERRY = """\
## Tool: `ferry.book`

**Version**: 1.0.0

### 1. Tool Purpose and Description

Books a ferry.{purpose}

### 2. Invocation Name

`ferry.book`

### 3. Input Schema (Parameters)

| Parameter | Type | Required | Description |
|---|---|---|---|
| `departs_at` | datetime | yes | When it departs.{cell} |
| `car_length` | number | no | The length of the car. |
| `passenger_count` | integer | no | How many persons. |
| `origin` | string | yes | Where. |
| `port` | string | yes | Where to. |

### 4. Output Schema (Return Value)

| Field | Type | Description |
|---|---|---|
| `ticket_id` | string | The ticket. |

### 5. Error Handling

- `PortClosed`: the port is closed.{error}

### 6. Idempotency

**Idempotent**: no

Each call books another place.{repetition}
"""


def ferry(field: str, text: str) -> str:
    return FERRY.format(**dict.fromkeys(("purpose", "cell", "error", "repetition"), "") | {field: text})


@each(
    ("field", "text", "name"),
    [
        ("purpose", " The place is held for `passenger_total` persons.", "passenger_total"),
        ("purpose", " Sails from `origin` to `destination`.", "destination"),
        ("purpose", " Give `vehicle_length` in metres.", "vehicle_length"),
        ("purpose", " With `both_ways` (default false) there and back.", "both_ways"),
        ("cell", " Not before `arrives_at`.", "arrives_at"),
        ("error", " Or `num_passengers` is above 9.", "num_passengers"),
        ("error", "\n\n| Error | When |\n|---|---|\n| `Late` | Not at `returns_at`; late. |", "returns_at"),
        ("error", "\n- `CarTooLong`: `car_size` or `car_length` is too much.", "car_size"),
        ("repetition", " A second call with the same `departs_on` books again.", "departs_on"),
        ("repetition", " A second call fails with `AlreadyBooked`.", "AlreadyBooked"),
        ("repetition", " A second call of the same person fails with\n`TicketUsed`; nothing is sold.", "TicketUsed"),
        ("purpose", " Raises `ShipFull` at once.", "ShipFull"),
        ("cell", " Only used if `pets` is `true`.", "pets"),
        ("error", " Or the trip was cut off at `max_stops`.", "max_stops"),
        ("repetition", " Run it after `check_in`.", "check_in"),
        ("error", " The `success` field says so.", "success"),
        ("purpose", " Use `ferry.book` once, then `ferry.book`, and `ferry.confirm`.", "ferry.confirm"),
        ("repetition", " The harbor checks `quay`.", "quay"),
        ("purpose", " Finds ships containing a word, which is given as `orgiin`.", "orgiin"),
        ("purpose", " Do not send both origin and port_of_call.", "port_of_call"),
        ("purpose", " Never pass both `portOfCall` and `origin`.", "portOfCall"),
    ],
)
def test_a_name_next_to_or_like_a_parameter_s_is_reported(field: str, text: str, name: str) -> None:
    assert names_told(ferry(field, text)) == [name]


@each(
    ("field", "text"),
    [
        ("purpose", " Sails from `origin` to `port`."),
        ("purpose", " Returns `origin` and `sold_at`."),
        ("purpose", " Lists ships with `origin` and `sold_at` of each."),
        ("purpose", " Do not send both origin and money."),
        ("purpose", " The word `tea` also finds `teas`."),
        ("purpose", " The module `ferry` checks it."),
        ("cell", ' Unknown values use `open` (default `"open"`).'),
        ("purpose", " Returns `ticket_id`, never `ticket_number`. Prices come from the column `car_price`."),
        ("purpose", " A value such as `day_return` is no ticket. Uses `asyncio.wait_for`."),
        ("cell", " As in `date_time` of RFC 3339."),
        ("error", " The error has `retry_after`. See `passenger_rules` in the configuration."),
        ("repetition", " The key `car_width` of the old file is gone. The server setting `max_passengers` limits it."),
        ("repetition", " Set `FERRY_TOKEN`; reads `ferry_rules.json`. The role `port_count` is needed."),
        ("repetition", " A second call fails with `PortClosed`, like the `ShipFull` of older ferries."),
        ("purpose", " Only used if `true`. Each dict needs `deck`. Ends with `error`."),
        ("error", " The function `cut_off` logs; `big_ship`/`sea_line` and `low_tide` stay out."),
        ("repetition", " Gives deck_number, cabin_key, berth_side."),
        ("repetition", " Lost cars are returned as `is_lost=true`."),
        ("repetition", ' Pass an empty list for `deck_codes`, omit `deck_codes`, or send {"deck_codes": []}.'),
        ("repetition", " After boarding, automatically sets `closing_day`."),
        ("purpose", " Uses car_count, `deck_number` and more."),
        ("repetition", " Older names such as `ferry.buy` and `ferry.take` must not be used."),
        ("repetition", "\n\nReturns `car_count`, `berth_count` and more: `berth_count` is 0 then."),
    ],
)
def test_a_name_of_another_thing_is_not_a_parameter(field: str, text: str) -> None:
    assert names_told(ferry(field, text)) == []


@each(("field", "names"), [("status", []), ("done", []), ("success", ["success"])])
def test_a_field_that_a_description_explains_is_one_of_the_output(field: str, names: list[str]) -> None:
    output = {"type": "object", "properties": {"status": {"type": "string"}, "done": {"type": "boolean"}}}
    tool = {"name": "run", "description": f"Runs. The `{field}` field says whether it did.", "outputSchema": output}

    asked = {"type": "object", "properties": {"word": {"type": "string"}}}

    assert names_told(json.dumps({"tools": [tool | {"inputSchema": asked}]}), "list.json") == names


@each(
    ("text", "names"),
    [
        ("It affects later calls to the `reason` tool.", ["reason"]),
        ("It is empty before any `reason` call.", ["reason"]),
        ("It affects later calls to the `think` tool.", []),
        ("Use the `grep` tool. Calls of `sleep` wait; `sleep` blocks.", []),
    ],
)
def test_a_single_word_that_is_called_is_a_tool_where_tools_have_single_words(text: str, names: list[str]) -> None:
    tools = "".join(
        f"## Tool: `{name}`\n\n{says}\n\n### Input\n\n- `depth` (string, required): How deep.\n\n"
        for name, says in (("think", "Thinks about a question."), ("recall", f"Recalls an answer. {text}"))
    )

    assert names_told(f"# Mind\n\n{tools}") == names


def test_a_description_in_which_most_names_are_of_other_things_mentions_no_parameter() -> None:
    attributes = ("exitX", "exitY", "startSize", "endSize", "entryX", "entryY", "fillColor", "parent", "value")
    about = " ".join(f"Set `{name}` to change a cell." for name in attributes)
    schema = {"type": "object", "properties": {"xml": {"type": "string"}}, "additionalProperties": False}

    def told(description: str) -> list[str]:
        text = json.dumps({"tools": [{"name": "draw", "description": description, "inputSchema": schema}]})
        return [one.message for one in found(unknown_name_in_description, read_tool_list("a.json", text))]

    assert told(f"Draws. {about}") == []
    assert len(told("Draws. Set `parent` to move a cell. Pass `xml`.")) == 1


def test_former_tools_that_a_tool_replaces_are_not_mentioned() -> None:
    tools = [
        {"name": "get_component_docs", "description": "Returns docs. It replaces get_component_info. Call SECOND."},
        {"name": "get_component_list", "description": "Lists components, and returns their names."},
    ]

    def told(second: str) -> list[str]:
        text = json.dumps({"tools": tools}).replace("SECOND", second)
        return [one.message for one in found(unknown_name_in_description, read_tool_list("a.json", text))]

    assert told("get_component_list first") == []
    assert told("get_component_lists first") == [
        "the description mentions the tool `get_component_lists`, which does not exist"
    ]


def test_a_name_that_is_reported_as_a_tool_is_not_also_reported_as_a_parameter() -> None:
    text = (
        "## Tool: `scan_harbor_berths`\n\nScans the berths of a harbor.\n\n- `deep` (boolean, required): How.\n\n"
        "## Tool: `get_harbor_status`\n\nReads the state. For one berth, use `scan_berths`.\n\n"
        "- `include_berths` (boolean, required): Whether to add the berths.\n"
    )

    assert names_told(text) == ["scan_berths"]


def _sailing(description: str, of_parameter: str = "The crew.") -> list[str]:
    properties = {"crew_id": {"type": "string", "description": of_parameter}, "boat_id": {"type": "string"}}
    tools = [
        {"name": "get-crew", "description": description, "inputSchema": {"type": "object", "properties": properties}},
        {"name": "get-all-boats", "description": "Lists the boats.", "inputSchema": {"type": "object"}},
        {"name": "read-logbook", "inputSchema": {"type": "object"}},
        {"name": "sell-boat", "inputSchema": {"type": "object", "properties": {"harbor_id": {"type": "string"}}}},
    ]
    text = json.dumps({"tools": tools})
    return [one.message for one in found(unknown_name_in_description, read_tool_list("a.json", text))]


@each(
    "said, name",
    [
        ("As listed by the get-boats tool.", "get-boats"),
        ("As listed by the get-all-boats tool.", None),
        ("This is the read-only tool.", None),
        ("Needs the built-in tool of the harbor.", None),
    ],
)
def test_a_name_with_hyphens_that_is_called_a_tool_is_one(said: str, name: str | None) -> None:
    expected = [f"the description mentions the tool `{name}`, which does not exist"] if name else []

    assert _sailing(f"Reads. {said}") == expected
    assert _sailing("Reads.", said) == expected


@each(
    "said, name",
    [
        ("The crew. Cannot be used with boat_ids.", "boat_ids"),
        ("The crew. Cannot be combined with `harbor_id`.", "harbor_id"),
        ("The crew. Mutually exclusive with boat_id.", None),
        ("The crew. Must not be used with set_sail of the harbor.", None),
        ("The crew. Cannot be used with sails.", None),
    ],
)
def test_a_parameter_is_only_excluded_by_one_of_the_same_tool(said: str, name: str | None) -> None:
    expected = [f"the description mentions the parameter `{name}`, which the tool does not have"] if name else []

    assert _sailing("Reads.", said) == expected
