"""Tools in rare forms, each read as its author means it, and text that only resembles a tool."""

from __future__ import annotations

from textwrap import dedent

from tests.said import said
from tests.tables import each

INDEX = """# Chain tools

| Tool | Parameters |
|---|---|
| `eth_balance_tool` | `address` |

## Tool descriptions

HEADING

**Purpose**: Gets the balance of an address.

**Parameters**:
- `address` (string, required): The wallet.

**Returns**: `balance` (string)
"""


def test_the_section_of_a_tool_in_an_index_table_is_read_below_any_of_these_headings() -> None:
    headings = (
        "### 1. **ETH Balance Tool** (`eth_balance_tool`)",
        "### 1) *ETH Balance* (`eth_balance_tool`)",
        "### 🔧 ETH Balance (eth_balance_tool)",
        "### 1. ETH Balance — `eth_balance_tool`",
        "### **1. ETH Balance [`eth_balance_tool(address)`]**",
        "### `eth_balance_tool` ⚠️ beta",
        "### POST eth_balance_tool (tool)",
    )

    assert [heading for heading in headings if said(INDEX.replace("HEADING", heading))] == []


@each(
    ("text", "expected"),
    [
        (
            """
            # Queue tools

            It exposes no *write* tools. It has two.

            ## `peek`

            Returns the first item of the queue.

            ## `count`

            Returns how many items the queue holds.
            """,
            ["peek(…)", "count(…)"],
        ),
        (
            """
            # Tool catalog

            ## `note_find`

            Returns the notes with a word.

            Takes no parameters.

            ## Mutations

            `note_add`, `note_move`, and `note_drop`.
            """,
            ["MC016 3 tools are described in a form that is not supported: `note_add` and 2 more"],
        ),
        (
            "# bistro\n\n## MCP Tools\n\n| Name | Description |\n|:--|:--|\n| [`table_book`](#a) | Books one. |\n\n"
            "No other tools are planned.\n\n<a id='a'></a>\n",
            ["table_book(…)"],
        ),
        (
            "# Kiln\n\n## Tool — kiln_fire (experimental)\n\nFires the kiln at once. Takes no parameters.\n\n"
            "**Returns**: a text.\n",
            [],
        ),
        ("# Table\n\nThe agent may call `book(guests)` to book one.\n", ["MC004 no tools were found in the file"]),
        ("# Agent functions\n\n1. book(guests: int) -> bool\n   Books.\n", ["MC004 no tools were found in the file"]),
        (
            "# pathlib2\n\n`pip install pathlib2`\n\n### parse_args(argv)\n\nParses.\n",
            ["MC004 no tools were found in the file"],
        ),
        (
            "# Developer tools\n\n## Tools\n\n| Tool | Purpose |\n|---|---|\n| `ruff` | Formats |\n",
            ["MC004 no tools were found in the file"],
        ),
        (
            "# Queue\n\n## Tools considered\n\n| Tool | Verdict |\n|---|---|\n| `rq_queue` | chosen |\n",
            ["MC004 no tools were found in the file"],
        ),
        (
            """
            # Discourse MCP

            A Model Context Protocol (MCP) stdio CLI server that exposes a forum as tools.

            A selected domain can contribute no tools under the current configuration.

            The reader domain adds **zero** write tools.
            """,
            ["MC028 no tools were found, and line 5 may say that the module has none"],
        ),
        (
            """
            # Tool ref

            ## list_markets

            Lists the markets. Free.

            | Input | Type | Required | Description |
            |---|---|---|---|
            | `symbol` | string | yes | Market ticker. |

            | Output field | Type | Description |
            |---|---|---|
            | `count` | number | Number of markets. |
            """,
            [],
        ),
        (
            """
            # Tool ref

            ## list_markets

            Lists the markets. Free.

            | Parameter | Type | Required | Description |
            |---|---|---|---|
            | `symbol` | string | yes | Market ticker. |

            | Response property | Type | Description |
            |---|---|---|
            | `count` | number | Number of markets. |
            """,
            [],
        ),
        (
            """
            # Tools

            ### get_rates

            Gets rates by currency or year.

            | Parameter | Type | Required | Default | Description |
            |---|---|---|---|---|
            | `currency` | `string` | No\\* | — | ISO code |
            | `year` | `integer` | No† | — | Year |
            | `month` | `integer` | No[^1] | — | Month |
            | `day` | `integer` | no* | — | Day |
            | `week` | `integer` | Yes¹ | — | Week |

            \\* At least one parameter is required.
            """,
            ["MC336 the tool does not say what it returns"],
        ),
        (
            """
            # Tool surface

            ## spawn

            Starts a detached agent.

            | field | required | notes |
            | --- | --- | --- |
            | `title` | yes | Short phrase. |
            | `cwd` | no | Defaults to the server's. |
            """,
            ["spawn(title, cwd?)"],
        ),
        (
            """
            # bistro

            ## Tool name

            `reserve_table`

            ## Description

            Reserve a table for a party.

            ## Input schema

            ```json
            {"type": "object", "properties": {"guests": {"type": "string"}}, "required": ["guests"]}
            ```

            ## Output schema

            ```json
            {"type": "object"}
            ```
            """,
            ["MC305 property `guests` has no description"],
        ),
        (
            """
            # bistro

            ## Tool

            ### Name

            reserve_table

            ### Description

            Reserve a table.

            ### Parameters

            | Parameter | Type | Required | Description |
            |---|---|---|---|
            | `guests` | integer | yes | How many. |

            ## Tool

            ### Name

            cancel_table

            ### Description

            Cancel a table.

            ### Parameters

            None.
            """,
            [
                "MC336 2 of 2 tools do not say what they return",
                "MC509 the description only repeats the name",
                "MC509 the description only repeats the name",
            ],
        ),
        (
            """
            # Contributing

            Run the tools `ruff` and `mypy` before you push.

            ## Tools you need

            | Tool | Version |
            |---|---|
            | `node` | 20 |
            | `make` | 4 |
            """,
            ["MC004 no tools were found in the file"],
        ),
        (
            """
            # Pager MCP tools

            No tool is left in this module.

            ## Removed tools

            | Tool | Replacement |
            |---|---|
            | `pager_send` | `email_send` |
            | `pager_list` | `email_list` |
            """,
            [],
        ),
        (
            """
            # Broker

            The broker itself has no tools.

            ## Where tools are

            | Module | Tools |
            |---|---|
            | `cache` | `cache_get`, `cache_set` |
            | `email` | `email_send` |
            """,
            [
                "MC028 3 functions are not read as tools: `cache_get`, `cache_set`, `email_send`; line 3 may say "
                "that the module has none"
            ],
        ),
        (
            """
            # x MCP

            `tools/list` answers:

            ```json
            {
             "jsonrpc": "2.0",
             "id": 1,
             "result": {
              "tools": [
               {
                "name": "kiln_fire",
                "description": "Fires it at once.",
                "inputSchema": {
                 "type": "object",
                 "properties": {
                  "t": {
                   "type": "integer",
                   "description": "Heat."
                  }
                 }
                }
               }
              ]
             }
            }
            ```
            """,
            [],
        ),
        (
            """
            # x MCP tools

            ## Tools

            - **airbnb_search**
              - Searches listings.
              - Parameters:
                - `adults` (optional): Number of adults (default: 1)
                - `place` (required): String to search
            """,
            ["airbnb_search(adults?, place)"],
        ),
        (
            """
            # Tool ref

            ### mc_get_state

            The open screen's class name (`null` when none), and the
            player's position and rotation (`null` outside a world).

            ```json
            { "screen": null, "connected": true }
            ```

            `windowFocused` turns `false` only after the window had focus.
            """,
            ["mc_get_state(…)"],
        ),
    ],
)
def test_a_document_in_a_rare_form_has_these_findings(text: str, expected: list[str]) -> None:
    assert said(dedent(text).lstrip()) == expected
