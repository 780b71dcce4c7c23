"""Findings in documents of others, in their own styles: every fault, and nothing else."""

from __future__ import annotations

from mcp_contracts.parsing.spec import read_spec
from tests.said import said
from tests.tables import each

SCHEMA = """
    ## `stock_sale`

    > Records the sale of a product, and returns it.

    **Input schema:**
    ```json
    {"type": "object", "properties": {"product": {"type": "integer"}, "count": {"type": "integer", "default": 1}}, "required": ["product"]}
    ```
    `product` — required `int`, the product that was sold. `count` — optional `int`, how many, defaults to `1`.

    **Output — success:**
    ```json
    {"success": true, "product": 4}
    ```

    **Output — not found:**
    ```json
    {"success": false, "error": "not_found"}
    ```
    """  # noqa: E501 -- a schema on one line, as people write it
CALLED = """
    # Todo

    ### `todo_delete`

    Deletes a task, and returns its name.

    | Parameter | Type | Required | Description |
    |---|---|---|---|
    | `key` | string | yes | The key of the task |

    **Example Agent Usage**:
    ```python
    {call}
    ```
    """
VALUES = """
    ### `publish_story`
    Publishes a story, and returns its identifier.

    **Parameters:**
    - `story` (int, required) - The story
    - `final` (bool, optional, default: false) - How far it is
      - `false` → still editable
      - `true` → locked
    - `format` (str, optional, default: "text") - How it is written
      - `"text"` - Plain text
      - `"html"` - Raw HTML
    """
INPUTS = """
    ### batch_add

    Add a value to an array property of many files.

    | Parameter | Type | Description |
    |---|---|---|
    | `glob` | string | Which files |
    | `property` | string | Name of the property |

    ```json
    // Input
    { "glob": "*.md", "property": "tags" }

    // Output
    { "updated": ["a.md", ...] }
    ```
    """
CODES = """
    ## Tool: `circuit_run`

    ### 1. Tool Purpose and Description

    Runs a circuit of gates and returns the counts.

    ### 2. Invocation Name

    `circuit_run`

    ### 3. Input Schema (Parameters)

    | Parameter | Type | Required | Description |
    |---|---|---|---|
    | `gates` | array[string] | Yes | The gates |

    ### 5. Error Handling

    - `INVALID_CIRCUIT`: a gate is unknown
    - `TOO_MANY_GATES`: there are over 100
    """
ROWS = """
    # Renders

    ## Tools

    | Tool | Args | Returns |
    |---|---|---|
    | `queue_render` | `episode: str, preset: str, retry: bool = False` | Queues a render job. |
    | `render_status` | `job: int` | The status of a job. |
    | `cancel_render` | `job: int` | Whether it was cancelled. |
    """
SILENT = """
    # Boats

    ## `boat_move`

    SAID

    | Parameter | Type | Required | Description |
    |---|---|---|---|
    | `boat` | string | yes | Which boat |
    """

MENTIONED = """
    # Entries

    | Tool | Use |
    |---|---|
    | `entry_index` | Rereads the index |
    | `entry_find` | Finds entries |
    | `entry_drop` | Drop entry |

    ## Tools

    ### `entry_index`

    No parameters. **Returns:** the number of entries.

    ### `entry_get` - Entry access

    No parameters. **Returns:** an entry.

    ### `entry_clear`

    - Drops entries.

    No parameters. **Returns:** the number of entries.
    """
"""Descriptions in a table, after a heading and in a list, and one of a row without room for more."""

NAMED = """
    # Tickets

    ## ticket_close

    Closes a ticket. It can be opened again with ticket_reopen. Returns nothing.

    | Parameter | Type | Required | Description | Example |
    |---|---|---|---|---|
    | `ticket` | string | yes | The ticket, from `ticket_find` | See `ticket_find` |
    | `notify` | boolean | no | Whether to tell its author | `true` |

    ### Idempotency

    Idempotent: yes. `notify=true` sends a message at each call, and so the parameter `notify` is false at first.

    ## ticket_reopen

    Opens a ticket again. Takes no parameters. Returns nothing.

    ## ticket_find

    Finds tickets. Takes no parameters. Returns their identifiers.
    """
COPIED = """
    # Boxes

    ## find_boxes

    Finds boxes by a word, and returns their numbers.

    | Parameter | Type | Required | Description |
    |---|---|---|---|
    | `word` | string | yes | How many boxes per page |
    | `per_page` | integer | no | How many boxes per page |

    ## find_lids

    Finds lids, and returns their colours.

    | Parameter | Type | Required | Description |
    |---|---|---|---|
    | `perPage` | integer | no | How many lids per page |

    ## find_rooms

    Finds rooms, and returns their doors.

    | Parameter | Type | Required | Description |
    |---|---|---|---|
    | `per_page` | integer | no | How many rooms |
    """
KEYS = """
    # Parking

    ## Tools

    | Tool | Key args | Returns |
    |---|---|---|
    | `parking_find` | `run_id, place, limit?` | The free places near one. |
    | `parking_rules` | `place, day` | The rules of a place on a day. |

    Both tools describe what is written on the signs.
    """
PARTS = """
    # Parts

    ## parts_list

    Lists the parts of a box.

    **Parameters:**

    - **detail** (enum: `summary`, `full`) _(optional)_: How much is told.
      Default is `full`.

    **Returns:**

    | Field | Type | Description |
    |---|---|---|
    | `parts` | integer | How many |

    **Example response:**

    ```json
    {"jsonrpc": "2.0", "id": 1, "result": {"content": [], "structuredContent": {"parts": 3}}}
    ```
    """
BESIDE = """
    # Towns

    ## Tools

    ### `town_find`

    Finds towns, and returns their names.

    **Inputs**

    - `word`: what the name holds

    ## Local tools

    - `town_save(name, town)` saves a town, and returns its key
    - `town_read(key)` returns a town
    """
SENTENCES = """
    # Gifts

    ## gift_find

    Finds gifts, and returns their names.

    Required: a positive `gift`. Optional: `from`, `to`, allowlisted `kinds`, and opaque `cursor`. `kinds` is sorted.

    ## gift_move

    Moves a gift, and returns it. Parameters: `gift` (string, required): its number.

    ## gift_fetch

    Fetches one gift.

    Inputs:

    - `gift` (string): its number

    Response must include:

    - `gift`
    - `name`

    ## gift_set

    Sets many properties, and returns how many.

    **Parameters:**

    | Name | Type | Required | Description |
    |---|---|---|---|
    | `operations` | array | yes | What is to be set |

    Each operation in the array:

    | Name | Type | Required | Description |
    |---|---|---|---|
    | `method` | string | yes | The property |

    ## gift_health

    Takes an empty object, and returns the state.

    ## gift_ask

    Asks for a gift, and returns the answer.

    **Input:** `{ question, limit? }`
    """
SHARED = """
    # Drone

    | Tool | Parameter | Type | Required | Description |
    |---|---|---|---|---|
    | `drone_climb` | `metres` | number | yes | The height, 2 to 120 |
    | | `speed` | number | no | How fast |
    | `drone_land` | - | - | - | |

    ## drone_climb

    Climbs, and returns the height.

    Call: `drone_climb(metres=30)`

    ## drone_land

    Lands, and returns the place.
    """
COLUMNS = """
    # Rowing

    ## row_list

    Arguments: `{}`.

    Lists the rows of a season, and returns them.

    ## row_find

    | Argument | Type | Default and limits |
    |---|---|---|
    | `page` | integer | `1`; minimum `1` |
    | `size` | integer | `50`; range `1..250` |

    `data` contains what was found on one page.

    ## row_draw

    **Tool name:** `row_draw`

    Draws rows, and returns the file.

    | Name | Type | Required? | Allowed values | What it is for |
    |---|---|---|---|---|
    | `width` | int | no (1920) | | The width of the picture |
    | `kind` | string | yes | `png`, `svg` | The form of the file |

    **Example:**

        row_draw(width=800, kind="png")

    ```javascript
    await mcp__rows__row_draw({ kind: "svg" });
    ```

    **Result**

    - `drawn` — boolean. Whether it was drawn.
    """
OBJECTS = """
    # Figures

    | Tool | Input object | Returns |
    |---|---|---|
    | `figure_list` | Optional `cursor`, `limit` from 1 through 50 | The figures on a page |
    | `figure_read` | `keys`; optional `fields` | The figures with these keys |
    | `figure_fonts` | None | The fonts of all figures |
    """
KOREAN = """
    # MCP Tools API

    ## `studio_add`

    부모 인스턴스 하위에 Script 를 추가한다.

    ### 입력 스키마

    | 필드 | 타입 | 필수 | 설명 |
    |---|---|---|---|
    | `parent` | string | ✓ | 부모 인스턴스 GUID |
    | `depth` | integer |  | 트리 깊이 제한 |

    ### 예제

    ```json
    {"parent": "B19F", "depth": 2}
    ```

    ### 반환

    텍스트.

    ## `studio_apply`

    디스크의 변경분을 라이브 씬에 반영한다.

    ### 입력 스키마

    _입력 없음._

    ### 예제

    ```json
    {}
    ```

    ### 반환

    텍스트.
    """
MAILS = """
    # Mail

    ## Tools

    ### 1. Send Mail (`mail_send`)

    Sends a mail, and returns its key.

    ```json
    {"to": "a@example.org"}
    ```

    ### 2. Read Mail (`mail_read`)

    Reads a mail, and returns its text.

    | Parameter | Type | Required | Description |
    |---|---|---|---|
    | `key` | string | yes | The key of the mail |

    ```python
    >>> mail_read(key="m-1")
    'text'
    ```

    ## Examples

    ```javascript
    // Reads one
    { "tool": "mail_read", "arguments": { "key": "m-2" } }
    ```

    ```javascript
    use_mcp_tool({ server_name: "mail", tool_name: "mail_read", arguments: { key: "m-3" } });
    ```

    ```json
    {"tool_name": "office.mail_read", "arguments": {"key": "m-4"}}
    ```
    """
BARE = """
    # Shell tools

    ### `shell_run`

    Runs a command, and returns what it prints.

    ### `shell_stop`

    Stops a command, and returns its state.

    ### `shell_list` 📋

    Lists commands, and returns them. `shell_run` helps.
    """
ACTIONS = """
    # Menus

    ## ping (tool)

    Sends a ping, and returns the time it took.

    Parameters:

    * `actions` (array): What is sent. Each action can be one of the following types:
      * `postback`: sends a postback
      * `uri`: opens an address
    * `kind` (enum): What it is

    **Returns**: `{status, time}`

    **Example call**:

    ```json
    {"actions": [1]}
    ```
    """
UNKNOWN = "which the tool does not have"
MISSING = "which does not exist"

PRINTER = """
    # Printer

    ## Dependency

    Requires `mermaid_to_svg` tool FIRST. This tool renders to SVG.

    ## Tool: `mermaid_to_pdf`

    Renders code into a PDF, and returns its path.

    - `code` (string, required): The code.

    ## Output convention

    Follows the conventions of `mermaid_to_svg`.
    """


@each(
    ("text", "expected"),
    [
        (PRINTER.replace("FIRST", "to be implemented first"), []),
        (PRINTER.replace(" FIRST", ""), []),  # the other tool may have a file of its own
        (
            KEYS,
            ["parking_find(run_id, place, limit?)", "parking_rules(place?, day?)"],
        ),
        (PARTS, []),
        ("---\ntools: []\n---\n\n# Nulls\n\nSee the Python API.\n", []),
        (
            OBJECTS,
            ["figure_list(cursor?, limit?)", "figure_read(keys, fields?)", "figure_fonts()"],
        ),
        (KOREAN, []),
        (KOREAN.replace('"depth": 2', '"depth": "2"'), ['MC404 `depth` is "2", not of type integer']),
        (MAILS, ["MC025 the parameters of the tool are only in sentences or examples, which are not read"]),
        *(
            (
                MAILS.replace(old, new),
                [
                    "MC025 the parameters of the tool are only in sentences or examples, which are not read",
                    "MC404 `key` is 1, not of type string",
                ],
            )
            for old, new in (('"m-1"', "1"), ('"m-2"', "1"), ('"m-3"', "1"), ('"m-4"', "1"))
        ),
        (
            BARE,
            [
                "shell_run(…)",
                "shell_stop(…)",
                "shell_list(…)",
            ],
        ),
        ("# Tool: translate\n\nTranslates a text, and returns it.\n\nTakes no parameters.\n", []),
        (
            "### `find`\n\nDevuelve notas.\n\n**Parámetros:**\n\n- `word` (str, requerido): Lo que se busca.\n",
            [],
        ),
        ("## Tool: find\n\nReturns notes.\n\n### MCP Input Schema\n\n```json\n{}\n```\n(No inputs)\n", []),
        (
            '### `list_tables`\n\nLists the tables.\n\n**Input:** `{ "table"?: string }`\n\n- Without `table`:\n\n'
            '```json\n["a"]\n```\n',
            [],
        ),
        (ACTIONS, ["MC313 array `actions` does not say what its items are", "MC335 `kind` has no type"]),
        *(
            (
                ACTIONS.replace(old, new),
                ["MC313 array `actions` does not say what its items are", "MC335 `kind` has no type", message],
            )
            for old, new, message in (
                ("{status, time}", "{status, time", "MC402 the shape of the result has no closing bracket"),
                ('"actions"', '"work"', "MC404 `work` is not a parameter of the tool"),
            )
        ),
        (
            ROWS.replace("Queues a render job.", "TODO"),
            ["MC007 the placeholder `TODO` has not been filled in"],
        ),
        (SHARED, []),
        (
            SHARED.partition("## drone_climb")[0],
            ["MC336 2 of 2 tools do not say what they return"],
        ),
        (SHARED.replace("number | no", "numbre | no"), ["MC308 `numbre` is not a type"]),
        (
            SHARED.replace("metres=30", "metres=130"),
            ["MC337 the description of `metres` says `2 to 120`, but an example has 130"],
        ),
        (COLUMNS, []),
        (
            COLUMNS.replace("**Tool name:** `row_draw`", "**Tool name:** `row_find`"),
            ["MC102 its text names the tool `row_find`, but its heading names `row_draw`"],
        ),
        (COLUMNS.replace("(1920)", '("wide")'), ['MC333 the default of `width` is "wide", not of type integer']),
        (COLUMNS.replace('kind="png"', 'kind="gif"'), ['MC404 `kind` is "gif", not "png" or "svg"']),
        (
            COLUMNS.replace('kind: "svg"', "width: 3"),
            ["MC404 the call lacks the required property `kind`"],
        ),
        (COLUMNS.replace("— boolean.", "— boolen."), ["MC308 `boolen` is not a type"]),
        (SENTENCES, [f"MC335 none of the {count} values has a type" for count in (5, 2)]),
        (
            SENTENCES.replace("opaque `cursor`", "`to`"),
            [
                *(f"MC335 `{name}` has no type" for name in ("gift", "from", "kinds")),
                "MC331 the list has `to` twice",
                "MC335 none of the 2 values has a type",
            ],
        ),
        *(
            (
                SENTENCES.replace(old, new),
                [
                    "MC025 the parameters of the tool are only in sentences or examples, which are not read",
                    "MC335 none of the 2 values has a type",
                ],
            )
            for old, new in (
                ("Optional: `from`", "Optional: filters of its trait, `from`"),
                ("Required: a positive `gift`", "Requires `gift` or `name`"),
            )
        ),
        (
            SENTENCES.replace("Takes an empty object", "Accepts a name"),
            [
                "MC335 none of the 5 values has a type",
                "MC025 the parameters of the tool are only in sentences or examples, which are not read",
                "MC335 none of the 2 values has a type",
            ],
        ),
        (BESIDE.replace("town_read(key)", "town_find(key)"), ["town_find(word?)"]),
        (BESIDE.replace("Local tools", "Planned tools"), ["town_find(word?)"]),
        (
            "# Firewall\n\n## Tools\n\n### Projects (2 tools)\n\n- `list_projects` - Lists the projects of an account\n"
            "- `get_project` - Gets one project of the account\n\n### Security (3 tools)\n\n"
            "- `list_rules` - Lists the rules of the firewall\n- `add_rule` - Adds a rule to the firewall\n",
            [
                "MC020 the heading mentions 3 tools, but the group has 2",
                "list_projects(…)",
                "get_project(…)",
                "list_rules(…)",
                "add_rule(…)",
            ],
        ),
        (
            "# Sites\n\n## Available tools\n\n| Tool | Description | Key Parameters |\n|---|---|---|\n"
            "| site_find | Finds the sites that match | domain, se, size |\n"
            "| site_open | Opens a site in the browser | `{ siteId }` |\n"
            "| site_close | Closes the site that is open | none |\n",
            ["site_find(domain?, se?, size?)", "site_open(siteId?)", "site_close()"],
        ),
        (
            PARTS.replace("Default is `full`", "Default is `short`"),
            ['MC333 the default of `detail` is "short", not "summary" or "full"'],
        ),
        (PARTS.replace('"parts": 3', '"parts": "3"'), ['MC406 `parts` is "3", not of type integer']),
        ("# Text\n\nNo tools are exposed.\n\n````markdown\n```json\n{}\n```\n````\n", []),
        (ROWS, []),
        (
            ROWS.replace("bool = False", 'bool = "no"'),
            ['MC333 the default of `retry` is "no", not of type boolean'],
        ),
        (
            ROWS.replace("`cancel_render`", "`queue_render`"),
            ["MC104 `queue_render` is already the name of another tool"],
        ),
        (
            ROWS.replace("# Renders\n", "# Renders\n\n    The server exposes 4 read-only tools.\n", 1),
            ["MC020 the text mentions 4 tools, but the file defines 3"],
        ),
        (
            ROWS.replace("# Renders\n", "# Renders\n\n    The server exposes renders as 4 MCP tools.\n", 1),
            ["MC020 the text mentions 4 tools, but the file defines 3"],
        ),
        (
            ROWS.replace("# Renders\n", "# Renders\n\n    4 read-only tools, each: typed, and pure.\n", 1),
            ["MC020 the text mentions 4 tools, but the file defines 3"],
        ),
        (SILENT.replace("SAID", "Moves a boat."), ["MC336 the tool does not say what it returns"]),
        (SILENT.replace("SAID", "Reports the depth of a boat."), []),
        (SILENT.replace("SAID", "Mueve una barca del puerto."), []),
        (SILENT.replace("SAID", "Moves a boat.\n\n    Возвращает глубину."), []),
        (SILENT.replace("SAID", "Moves a boat, including its name, crew and depth."), []),
        (SILENT.replace("SAID", "Moves a boat.") + "\n    ## Notes\n\n    Fast. Every tool returns JSON.\n", []),
        (SILENT.replace("SAID", "Moves a boat.\n\n    返回：深度").replace("| yes |", "| 三选一 |"), ["boat_move(…)"]),
        (SILENT.replace("SAID", "Retrieves a text summary."), []),
        (SILENT.replace("SAID", "Extract the limits of a boat."), []),
        (MENTIONED.replace("| `entry_drop` | Drop entry |", "| `entry_drop` | None |"), []),
        (SILENT.replace("SAID", "Reports a boat.").replace("`boat`", "`boat.mast`"), []),
        (MENTIONED, []),
        (MENTIONED + "\n    ## More\n\n    1. `entry_sort`\n    2. `entry_copy`\n", []),
        (MENTIONED + "\n    ## More\n\n    - `entry_sort`: Sorts entries\n    - `entry_copy`, `entry_move`\n", []),
        (MENTIONED.replace("- Drops entries.\n", ""), ["MC509 the description is empty"]),
        (MENTIONED.replace(" - Entry access", ""), ["MC509 the description is empty"]),
        (MENTIONED.replace("| Rereads the index |", "| |"), ["MC509 the description is empty"]),
        (NAMED, []),
        (
            NAMED.replace("with ticket_reopen", "with ticket_restore"),
            [f"MC515 the description mentions the tool `ticket_restore`, {MISSING}"],
        ),
        (
            NAMED.replace("See `ticket_find`", "See `ticket_list`"),
            [f"MC515 the text mentions the tool `ticket_list`, {MISSING}"],
        ),
        (
            NAMED.replace("`notify=true`", "`simulate=true`"),
            [f"MC515 the text mentions the parameter `simulate`, {UNKNOWN}"],
        ),
        (
            NAMED.replace("parameter `notify`", "parameter `force`"),
            [f"MC515 the text mentions the parameter `force`, {UNKNOWN}"],
        ),
        ("# bistro API\n\n### function book(guests)\n\nBooks.\n", ["MC004 no tools were found in the file"]),
        (
            "# isexe\n\n```js\nvar isexe = require('isexe')\n```\n\n### `isexe.sync(path, [options])`\n\nChecks.\n\n"
            "#### Options\n\n- `uid` (number): the user.\n",
            ["MC004 no tools were found in the file"],
        ),
        (
            "# MCP Tool Contract\n\n| Lifecycle | Document |\n|---|---|\n| `create_session` | `open_document` |\n\n"
            "The registry is closed.\n",
            ["MC004 no tools were found in the file"],
        ),
        ("# Exceptions\n\nNo tool is exposed by this module.\n\n## Tool: none\n\nN/A\n", []),
        (
            "# API\n\n## GET /notes\n\n| Parameter | Type | Required |\n|---|---|---|\n| `limit` | integer | No |\n",
            ["MC004 no tools were found in the file"],
        ),
        (
            COPIED,
            [
                "MC340 `word` has the same description as `per_page`",
                "MC339 `perPage` is named `per_page` in 2 other tools",
            ],
        ),
        (
            COPIED.replace("How many rooms", "How many rooms (50-10)").replace("perPage", "per_page"),
            [
                "MC340 `word` has the same description as `per_page`",
                "MC337 the description of `per_page` says `50-10`, a range that ends before it begins",
            ],
        ),
        (
            COPIED.replace("How many lids per page", 'What to show, e.g. "all lids"').replace("perPage", "per_page"),
            [
                "MC340 `word` has the same description as `per_page`",
                "MC337 the description of `per_page` gives the example `all lids`, but its type is integer",
            ],
        ),
        (
            COPIED.replace("How many rooms", "How many rooms XXX look this up").replace("perPage", "per_page"),
            [
                "MC340 `word` has the same description as `per_page`",
                "MC007 the placeholder `XXX look this up` has not been filled in",
            ],
        ),
        (
            """
            # Search

            ### Search Tool

            - `box_search` - Finds boxes, and returns their numbers
              - Required parameter: `query` (string, the words)
              - Optional parameter: `count` (number of results, 1-20, default 10)
              - Optional parameter: `safe` (level: strict/off, default off)
              - `place` (optional): { latitude: number, longitude: number }
            """,
            ["MC335 `safe` has no type"],
        ),
        (SCHEMA, []),
        (
            SCHEMA.replace("optional `int`", "required `int`"),
            [
                "MC322 `count` is required in the list but optional in the schema",
                "MC325 `count` is required but has a default",
            ],
        ),
        (
            SCHEMA.replace("required `int`", "required `str`"),
            ["MC322 `product` is string in the list but integer in the schema"],
        ),
        (
            SCHEMA.replace("defaults to `1`", "defaults to `5`"),
            ["MC322 the default of `count` is 5 in the list but 1 in the schema"],
        ),
        (VALUES, []),
        (
            VALUES.replace('default: "text"', 'default: "markdown"'),
            ['MC333 the default of `format` is "markdown", not "text" or "html"'],
        ),
        (INPUTS, []),
        (INPUTS.replace('"property": "tags"', '"propery": "tags"'), ["MC404 `propery` is not a parameter of the tool"]),
        (
            CODES,
            [],  # the codes of a dialect, all in one style
        ),
        (
            """
            # Words

            ## Current surface

            | Tool | Signature | Description |
            |---|---|---|
            | `find_word` | `(word: strr) -> dict[str, Any]` | Finds a word in the dictionary. |
            | `count of words` | `(text: str) -> int` | Counts the words of a text. |
            """,
            [
                "MC308 `strr` is not a type",
                "MC101 name `count of words` contains a space, but only lowercase letters, digits, `_` and `.` are"
                " allowed",
            ],
        ),
        (
            """
            # Research tools

            | Tool | Source | Notes | Tokens |
            |---|---|---|---:|
            | `search_news` | GDELT | Global news on a topic | 481 |
            | `read_feed` | Bluesky | The recent posts of a user | 228 |
            """,
            ["search_news(…)", "read_feed(…)"],
        ),
        (
            """
            ## Tools

            ### `generate_image`

            Generates an image, and returns its address.

            | Parameter | Type | Required | Default | Description |
            |---|---|---|---|---|
            | `ratio` | enum | No | `1:1` | `1:1`, `9:16`, and more |
            | `size` | enum | No | `1K` | `1K`, `2K` |
            """,
            [],
        ),
        (
            """
            # Data MCP Server

            ## Available Tools

            ### `retrieve`

            Gets records by ID, and returns them.

            - **Models**: `card`, `table`
            - **Pagination**: `offset` and `limit` for large tables
            """,
            ["retrieve(…)"],
        ),
        (
            """
            # Agents tools

            | Tool | Parameters | Description |
            |---|---|---|
            | `list_agents` | none | Lists the agents that are registered, and returns them. |
            | `execute_agent` | `name` (string) | Executes an agent, and returns its result. |

            The names are those above. Older names such as `execute_agent_request` and
            `list_available_agents` are not registered and must not be used.
            """,
            [],
        ),
        (
            CODES.replace("`TOO_MANY_GATES`", "`TooManyGates`"),
            ["MC502 error type `INVALID_CIRCUIT` is neither a standard type nor in PascalCase"],
        ),
        (
            CODES.replace("`TOO_MANY_GATES`", "`TimeoutEror`").replace("`INVALID_CIRCUIT`", "`InvalidCircuit`"),
            ["MC502 error type `TimeoutEror` resembles `TimeoutError`"],
        ),
        (
            """
            # Search

            ### find_boxes

            Finds boxes by colour, and returns their numbers.

            | Field | Type | Required |
            |---|---|---|
            | `colour` | string | yes — the colour of the box |
            | `limit` | number | no — default 20 |
            | `shelf` | number | no |
            """,
            ["MC305 property `shelf` has no description"],
        ),
        (
            """
            # 工具

            ### find_boxes
            按颜色查找箱子。

            **输入参数：**
            - `colour` (string): 箱子的颜色

            **返回信息：**
            - 箱子编号
            """,
            [],
        ),
        (
            """
            # Tools

            ### find_sources

            Inputs:

            - `from`: optional `YYYY-MM-DD`.

            Output: the sources.

            The tool refuses requests for all sources.

            ### list_sources

            Inputs: none.

            Output: the sources.

            ### get_source

            Inputs:

            - `code` (string): the code of the source.

            Output envelope:

            ```json
            {"code": "BOE"}
            ```
            """,
            ["MC509 the description is empty"] * 2,
        ),
        (  # titles of groups are not sections, and values that a table explains are not tools
            """
            # Screen MCP server

            ## Available tools

            ### App Management
            - **`app_list`** - List the installed apps
            - **`app_open`** - Open an app by its identifier

            ### Input & Navigation
            - **`app_type_keys`** - Type text into the focused field
            - **`app_open_url`** - Open an address in the browser
            """,
            ["app_list(…)", "app_open(…)", "app_type_keys(…)", "app_open_url(…)"],
        ),
        (
            """
            # Issues

            ### `issue_workflow`

            Manages the status of issues, and returns it. Always call `get_transitions` first.

            | Name | Type | Required | Description |
            |---|---|---|---|
            | `action` | string | yes | What to do. |

            | Action | Description |
            |---|---|
            | `get_transitions` | List what is possible |
            | `transition` | Move an issue |

            ### `issue_search`

            Searches issues, and returns them.

            **Required**: `text` (string): what the issues hold

            **Tips**:
            - Run `issue_workflow` first, since statuses differ.
            - Use `list` to find an issue.
            """,
            [],
        ),
        (  # a description that is the result; titles that contain a known word; one description of two tools in a row
            """
            # Topics

            ## list_topics

            No parameters. The topics of this account, with their identifiers.

            ## find_topics

            All topics that match.

            **Filter Parameters**

            - `word` (string, required): What they hold.
            - `page` (integer, optional): Which page.

            ## drop_topic

            A tool to drop a topic.

            **Parameters**

            - `topic` (string, required): Which topic.
            """,
            ["MC336 the tool does not say what it returns"],
        ),
        (
            """
            # Boxes

            ### list_boxes

            List all boxes with their weights.

            - `shelf_names` (array, required): Array of shelf names
            - `tags` (array, optional): What is on them (e.g., ["red", "old"])
            - `order` (object, optional): The order, with:
              - `keys`: List of what to sort by
              - `down`: The direction
            - `depots` (array, optional): Where they are
            """,
            ["MC335 `order.down` has no type", "MC313 array `depots` does not say what its items are"],
        ),
        (
            """
            # Stores

            ## Tools

            | Tool | Description |
            |---|---|
            | `store_list` | Every store |
            | `store_open(name: str)` | The store of a name |
            | `store_create` / `store_drop` | |

            ## Prompts

            - `store_list_guide`: How to list stores.
            """,
            ["MC509 the description is empty", "MC509 the description is empty"],
        ),
        (  # clients, errors and commands are not tools, and a hyphen before a remark is not part of the name
            """
            # Papers MCP server

            ## Installation

            ### Client-specific setup

            - Name: `papers`
            - Command: `npx`
            - Arguments: `-y, papers@latest`

            | Risk | Command |
            |---|---|
            | Tools can poison texts | `scan-mcp` |

            ## Tools

            ### `find_papers`

            Finds papers, and returns them.

            - `word` (string, required): What they hold.

            ### rate-papers - Rating

            Rates papers, and returns the rates.

            **Parameters**

            - `paper` (string, required): Which paper.

            ### `call_tool`

            Calls a tool of another server, and returns its result.

            - `port` (integer, required): The port of the server.
            - `toolName` (string, required): Which tool.

            ```json
            {"port": 3000, "toolName": "get_errors"}
            ```

            ## Troubleshooting

            ### `PAPERS_EMAIL environment variable is required`

            Set `PAPERS_EMAIL` in the configuration.
            """,
            ["MC101 name `rate-papers` contains `-`, but only lowercase letters, digits, `_` and `.` are allowed"],
        ),
        (  # the things that tools are about
            """
            # Broker tools

            | Tool | Needs |
            |---|---|
            | `get_open_positions` | Lists what is held, by the capability `open_positions` of a broker |
            | `get_open_orders` | Lists what is ordered; needs `open_orders` |
            | `draft_order` | Drafts an order |
            """,
            ["get_open_positions(…)", "get_open_orders(…)", "draft_order(…)"],
        ),
        (  # tools that this file does not describe
            """
            # Tool catalog

            `desk_create_issue`, `desk_update_issue`, `desk_set_custom_field`, and `desk_execute_plan`.

            ## `desk_execute_plan`

            Executes a plan, and returns what happened.

            - `plan` (string, required): Which plan.
            """,
            ["MC016 3 tools are described in a form that is not supported: `desk_create_issue` and 2 more"],
        ),
        (  # a definition below a sentence
            """
            # Notes

            ## note_links

            Gets the links of a note, and returns them.

            ```json
            {
              "name": "note_links",
              "description": "TODO",
              "inputSchema": {"type": "object", "properties": {"path": {"type": "string", "description": "Which."}}}
            }
            ```
            """,
            ["MC007 the placeholder `TODO` has not been filled in"],
        ),
        (  # remarks in brackets, and a file that describes only some of its tools
            """
            # Forum MCP server

            Select `forum_list_groups` for groups, `forum_list_users` for users, and `forum_list_tags` for tags. Poll
            `forum_list_runs`.

            ## Tools

            - `forum_read_topic` (only when the site allows it; see Safety)
              - Input: `{ topic_id: number }`
              - Output: `{ title, posts }`
            - `forum_list_topics` (only when the site allows it; see Safety)
              - Input: `{ page: number }`
              - Output: `{ topics }`
            """,
            [],
        ),
        (  # a description before the name, and an example of the output without marks
            """
            # Billing tools

            | Operation | Tool | Read only |
            |---|---|---|
            | Every product of the shop, by name | `list_products` | ✅ |
            | Adds a product to the shop | `create_product` | ❌ |

            ### `fetch_status`

            Retrieves the status of a build.

            **Parameters**

            - `build` (string, required): Which build.

            Example output:

            ```
            Status: running
            ```
            """,
            [],
        ),
        (
            """
            # Player tools

            ### `player_status`

            Returns the song that plays.

            **When to call:** the user asks "what plays?".

            **Response handling:**
            - Empty response `{}`: nothing plays; say so after `player_status`.
            """,
            ["player_status(…)"],
        ),
        (
            """
            # Player tools

            ### `player_search`

            Searches songs, and returns them.

            **Required parameters:**
            - `prompt` (string): the words of the user

            **Supports:**
            - Recommendations: "something like this", "more of that"
            """,
            [],
        ),
        (
            """
            # Mail

            ### `mail_list`

            Lists mails.

            | Parameter | Type | Required | Description |
            |---|---|---|---|
            | `box` | string | yes | The name of the box |

            **Output:** plain text, one block for each mail:

            ```
            [id={id}] {time} from={sender}
            {body}
            ```
            """,
            [],
        ),
        (
            CALLED.format(call="tool_call = {'tool_name': 'todo_delete', 'arguments': {'key': 'a'}}"),
            [],
        ),
        (
            CALLED.format(call="tool_call = {'tool_name': 'todo_erase', 'arguments': {'key': 'a'}}"),
            ["MC403 the call names `todo_erase`, not `todo_delete`"],
        ),
        (  # a test of several tools
            CALLED.format(
                call="await call_tool('todo_delete', {'key': 'a'}); await call_tool('todo_add', {'key': 'b'})"
            ),
            [],
        ),
        (
            CALLED.format(
                call="await call_tool('todo_delete', {'key': 'a'}); await call_tool('todo_dlete', {'key': 'b'})"
            ),
            ["MC403 the call names `todo_dlete`, not `todo_delete`"],
        ),
        (
            CALLED.format(call="tool_call = {'tool': 'todo_delete', 'args': {}}"),
            ["MC404 the value of `args` lacks the required property `key`"],
        ),
        *(
            (
                f"# Model tools\n\n### `model_open`\n\nOpens a model, and returns it.\n"
                f"- **Params**: `{{ path: string }}`\n- **Example**: `{call}`\n",
                expected,
            )
            for call, expected in (
                ("model_open({ path: 'a' })", []),
                ("model_load({ path: 'a' })", ["MC403 the call names `model_load`, not `model_open`"]),
                ('model_load(path="a")', ["MC403 the call names `model_load`, not `model_open`"]),
            )
        ),
        (  # sections whose content is deeper sections, or items with labels
            "# Mail tools\n\n## `mail_send`\n\nSends a mail, and returns its key.\n\n"
            "Input:\n- `to` (string): The contact\n\n"
            "### Notes\n\n#### Two ways\n\n##### By hand\n\nAsk first.\n\n#### Steps\n\n1. **Checks**\n   - The size\n",
            [],
        ),
        *(  # a list says what the tool does
            (
                f"# Mail tools\n\n## `mail_send`\n\n{label}\n- {text}\n\nInput:\n- `to` (string): The contact\n\n"
                "**Returns**: text\n",
                [],
            )
            for label, text in (
                ("Behavior:", "Sends a mail to one of the contacts of the caller"),
                ("行为：", "发送一封邮件给联系人"),
            )
        ),
        (  # the parameters of another tool
            "# Flights\n\n### `find_flights`\n\nReturns flights.\n\n**Parameters:**\n- `city` (string): Where\n\n"
            "### `cheap_flights`\n\nReturns cheap flights.\n\n**Parameters:** Same as `find_flights`\n",
            ["MC025 the parameters of the tool are only in sentences or examples, which are not read"],
        ),
        (  # broken JSON next to a call
            """
            # Notes

            ### Tool 1: `find_notes`

            Finds notes, and returns them.

            #### Input Schema
            ```json
            {"type": "object", "properties": {"word": {"type": "string"} "limit": {"type": "integer"}}}
            ```

            #### Query
            `find_notes(word=...)`

            ### Tool 2: `put_note`

            Puts a note, and returns it.

            #### Input Schema
            ```json
            {"type": "object", "properties": {"word": {"type": "string", "description": "The word"}}}
            ```
            """,
            ["MC304 invalid JSON: a missing comma or an extra character (line 1, column 62 of the JSON)"],
        ),
        (  # one of several calls, without arguments
            "# Relay tools\n\n### `relay_inbox(limit: int = 5)`\n\nReads the inbox, and returns it.\n\n"
            "### `relay_who`\n\nReturns the agents.\n\n"
            "```\nrelay_who()  # all\nrelay_who(include_idle=false)  # the active ones\n```\n",
            ["MC025 the tool does not describe any parameters, unlike other tools of the file"],
        ),
        (
            """
            # Tool Catalog

            The server exposes **2 tools**.

            | Tool | Kind | Purpose |
            | --- | --- | --- |
            | [`issue_list`](./issue-list.md) | read | Searches issues, and returns them. |
            | [`issue_get`](./issue-get.md) | read | Returns one issue with its journal. |
            """,
            ["issue_list(…)", "issue_get(…)"],
        ),
        (
            """
            # Page tools

            ### `list_pages` / `get_page`

            Access to the pages of a file.

            | Tool | Parameters | Result |
            |---|---|---|
            | `list_pages` | `path` (string) | the names of all pages |
            | `get_page` | `path` (string), `page` (string) | the page |
            """,
            [],
        ),
        (
            """
            # Docs MCP Server

            ## Available Tools

            - `resolve_page`: Resolves a name.
              - `word` (string, required): The name

            - `get_page`: Returns a page.
              - `page` (string, required): The page

            ## 💻 Development

            Clone it.

            ### CLI Arguments

            - `--port <number>` – Port to listen on (default `3000`).
            """,
            [],
        ),
        (
            """
            # Hayloft API

            ## Class `Loft`

            ### `Loft.add(bale: Bale, shelf: int = 0) -> None`

            Puts a bale on a shelf.

            **Parameters**

            | Name | Type | Description |
            |---|---|---|
            | `bale` | `Bale` | The bale. |
            """,
            ["MC004 no tools were found in the file"],
        ),
        (
            """
            # Books MCP Server

            ## Available Tools

            | Group | Tools |
            |---|---|
            | Books | `book_open`, `book_close`, `book_list`, `book_export`, `book_import` |
            | Pages | `page_open`, `page_close`, `page_list`, `page_export`, `page_import` |

            `book_open` opens a book by its name.
            """,
            [
                "book_open(…)",
                "book_close(…)",
                "book_list(…)",
                "book_export(…)",
                "book_import(…)",
                "page_open(…)",
                "page_close(…)",
                "page_list(…)",
                "page_export(…)",
                "page_import(…)",
            ],
        ),
        (
            """
            # Body tools

            ### `body_index`

            Calculates the index.

            **Parameters:**
            - `height` (number, required): In meters

            **Returns:**
            - `index`: The value

            **Example:**

            Input:
            ```json
            {"height": 1.75}
            ```

            Output:
            ```json
            {"index": 22}
            ```
            """,
            [],
        ),
        (
            """
            # paths

            A tool for paths.

            ```js
            const pw = new PathScurry('/')
            ```

            ### `pw.iterate(entry, opts)`

            Iterates. Parameters: the entry.

            ### `pw.cwd()`

            Returns the path.
            """,
            ["MC004 no tools were found in the file"],
        ),
        (
            """
            # Tide tool contract

            ```text
            find_tides({harbour, day?})
            book_berth({harbour, length})
            ```

            `book_berth` only returns a proposal. There is deliberately no signature, payment, or approval MCP tool.
            """,
            [
                "MC016 2 tools are described in a form that is not supported: `find_tides`, `book_berth`",
            ],
        ),
        (
            """
            # Boat tool - all actions

            ## Actions

            ### list_boats
            Lists the boats.
            ```json
            {"action": "list_boats", "harbour": "Kiel"}
            ```

            ### sell_boat
            Sells a boat.
            ```json
            {"action": "sell_boat", "id": 3}
            ```

            ## Parameters
            - `harbour` - The harbour (for list_boats)
            - `id` - The boat (for sell_boat)
            """,
            ["MC004 no tools were found in the file"],
        ),
        (
            """
            # Boats

            ## Tool sets

            | Set | Tools |
            |---|---|
            | `small` | `find_boat`, `sell_boat` |
            | `large` | `small` + `rent_boat`, `paint_boat` |
            """,
            ["find_boat(…)", "sell_boat(…)", "rent_boat(…)", "paint_boat(…)"],
        ),
        (
            """
            # Page checks

            All tools are registered through `Server.addTool` with:

            - **Input**: `address` (string, required) and `kind` (`"a"` | `"b"`)
            - **Output**: a text

            ## 1. `check_links`
            Checks links, and returns the broken ones.

            ## 2. `check_all`
            Runs every check at once, and returns the sum.

            ### Score
            The weights are equal.
            """,
            ["check_links(…)", "check_all(…)"],
        ),
        (
            """
            # Boats

            ## Tool — `rent_boat`

            Rents a boat, and returns its number.

            |  | jetty | hours |
            |---|---|---|
            | Type | string | integer |
            | Required | yes | no |
            | Description | The jetty. | How long. |
            """,
            ["rent_boat(…)"],
        ),
        (
            """
            # Boats

            ## Tools

            ### `watch_port`

            Watches the port, and returns what happens.

            | Parameter | Type | Required | Description |
            |---|---|---|---|
            | `jetty_id` | string | yes | The jetty |
            | `boat_name` | string | mode=boat | The boat |
            | `from_day` | string | no | The first day |
            | `mode` | string | yes | `boat` or `jetty` |

            **Kinds of events:**
            - `arrival` - A boat comes
            - `departure` - A boat goes
            - `rope_cut` - A rope is cut

            ```typescript
            const seen = [{
              kind: "arrival",
              seenAt: "2026-07-23",
            }];
            ```

            `seenAt` must be a day in UTC.

            > **v2**: Renamed from `watch_jetty` for clarity.
            """,
            [],
        ),
        (
            """
            # Boats

            ## Available Tools

            ### `sell_boat`

            Sells a boat.

            - `id` (string, required): The boat

            ### `lend_boat`

            Lends a boat.

            - `id` (string, required): The boat

            ## Results

            Each tool call returns:

            - whether it worked
            """,
            [],
        ),
        (
            """
            # tideArgs

            ## `lib.tideArgs([config])`

            * `config` {Object} How to read.
              * `depth` {integer} How deep.
            * Returns: {Object} The tides.

            ```mjs
            import { tideArgs } from 'node:lib';
            ```

            It is not necessarily intended for authors; it is intended for simple CLI tools.
            """,
            ["MC004 no tools were found in the file"],
        ),
        (
            """
            # Tools in the shed

            | Tool | Where | Description |
            |---|---|---|
            | Rake | wall | For leaves. |
            | Spade | corner | For holes. |

            Bring each tool back.
            """,
            ["MC004 no tools were found in the file"],
        ),
        (
            """
            # Boat tools

            <h3>sell_boat</h3>
            <p>Sells a boat, and returns its price.</p>
            <ul>
            <li><code>id</code> <em>string</em> The boat.</li>
            </ul>
            """,
            ["sell_boat(…)"],
        ),
    ],
)
def test_a_document_of_others_has_these_findings(text: str, expected: list[str]) -> None:
    assert said(text) == expected


def test_the_only_tool_of_a_file_may_be_named_in_a_title_in_any_order() -> None:
    titles = (
        "Contract: MCP tool `store_history`",
        "Spec: `store_history` tool",
        "`store_history` tool contract",
        "Contract for the MCP tool store_history",
        "Tool contract — `store_history`",
        "The `store_history` tool",
    )
    table = "| Parameter | Type | Description |\n|---|---|---|\n| `project` | string | The project |\n"
    texts = (f"# {title}\n\nStores the history.\n\n## Input schema\n\n{table}" for title in titles)

    assert [[tool.contract.name for tool in read_spec("notes.md", text).tools] for text in texts] == [
        ["store_history"]
    ] * 6


def test_a_call_below_the_tools_of_an_unknown_tool_is_reported() -> None:
    text = """
        # Harbor: tool specification

        ## Tools

        | Tool | Parameters | Returns |
        |---|---|---|
        | `boat_find` | `name: str` | `boats` |
        | `boat_sell` | `boat_id: str`, `price: int` | `receipt` |

        ## Example

        ```json
        {"tool_name": "harbor.boat_seek", "arguments": {"name": "Anna"}}
        ```
        """

    assert said(text) == ["MC403 the call names `harbor.boat_seek`, not `boat_find`"]


def test_the_lists_of_an_informal_document_are_compared_with_its_tools() -> None:
    text = """
        # Harbor: tool contracts

        The server has these tools:

        1. `find_boats`
        2. `sell_boat`
        3. `scrap_boat`

        ## Semantics

        ### `find_boats`

        Input: `name`. Finds boats.

        ### `sell_boat`

        Input: `boat_id`. Sells a boat.

        ### `repair_boat`

        Input: `boat_id`. Repairs a boat.
        """

    assert "MC022 the tool `scrap_boat` is listed, but the file does not define it" in said(text)


CODES = """
    # Harbor: tool specification

    ### `boat_find`

    Finds boats.

    **Parameters**:
    - `name` (string, required): The name of the boat

    **Output (error)**:
    ```json
    {"ok": false, "error": {"code": "%s", "message": "no"}}
    ```

    ### `boat_sell`

    Sells a boat.

    **Parameters**:
    - `boat` (string, required): The boat

    **Errors**:
    - Sold before → `{"error": {"code": "BOAT_SOLD", "message": "…"}}`

    ## Error codes

    | Code | Meaning |
    |---|---|
    | `BOAT_SOLD` | It is sold |
    | `BOAT_UNKNOWN` | No such boat |
    | `HARBOR_CLOSED` | Come back later |
    """


def test_the_codes_of_sample_errors_are_in_the_table_of_codes() -> None:
    told = "MC515 the text mentions the error `BOAT_UNKNWON`, which the tool does not list"

    assert (told in said(CODES % "BOAT_UNKNWON"), told in said(CODES % "BOAT_UNKNOWN")) == (True, False)


NUMBERED = """
    # Tool spec: `make_deck`

    Makes a deck of pages, and returns it.

    ## 1. Output contract

    Returns `pages`.

    ## 2. Arguments reference

    | Argument | Type | Required | Notes |
    |---|---|---|---|
    | `files` | string[] | yes | The files |
    | `speed` | string | no | How fast |

    ### PageMotion schema

    ```json
    {"page": 0, "speed": "slow"}
    ```

    ## 5. Motions

    | Type | Description | Direction |
    |---|---|---|
    | `fade` | Fades | none |
    | `pushOut` | Pushes | left |

    ## 6. Recipes

    Fade each page in.
    """


def test_sections_with_numbers_of_their_own_are_not_those_of_the_format() -> None:
    assert said(NUMBERED) == []


def test_a_row_that_a_line_break_splits_is_reported_once() -> None:
    table = '| Field | Type | Example |\n| :--- | :--- | :--- |\n| `out` | `string` | `"Hello\n"` |\n'

    found = said(f"### `run_code`\n\nRuns it.\n\n**Returns**:\n\n{table}")

    assert [one for one in found if one.startswith(("MC024", "MC330"))] == [
        "MC330 a line break splits the row of `out`"
    ]
