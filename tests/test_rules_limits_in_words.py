"""The rule about limits, defaults and values in a description next to a schema."""

from __future__ import annotations

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, JsonValue, SpecFile
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.rules.prose.limits_in_words import words_and_schema_disagree
from tests.support_names import findings, listed, messages
from tests.tables import each

LIMIT: dict[str, JsonValue] = {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}
OPEN_LIMIT: dict[str, JsonValue] = {"type": "integer", "minimum": 1, "maximum": 100}
RATIO: dict[str, JsonValue] = {"type": "number", "exclusiveMinimum": 0, "maximum": 1}
NAME: dict[str, JsonValue] = {"type": "string", "maxLength": 36}
TAGS: dict[str, JsonValue] = {"type": "array", "items": {"type": "string"}, "maxItems": 5}
ORDER: dict[str, JsonValue] = {"type": "string", "enum": ["newest", "oldest"], "default": "newest"}


def told(schema: dict[str, JsonValue], description: str) -> list[str]:
    value: JsonValue = {"type": "object", "properties": {"x": {**schema, "description": description}}}
    return messages(words_and_schema_disagree, listed({"inputSchema": value}))


@pytest.mark.parametrize("said", ["the page may have at most 50 entries", "each row contains up to 50 cells"])
def test_a_number_of_things_that_something_else_has_is_no_limit(said: str) -> None:
    assert told(LIMIT, f"The last one; {said}") == []


@pytest.mark.parametrize(
    ("schema", "description", "message"),
    [
        (LIMIT, "How many, between 1 and 50.", "says `between 1 and 50`, but the schema allows at most 100"),
        (LIMIT, "How many (1-50)", "says `1-50`, but the schema allows at most 100"),
        (LIMIT, "How many, from 0 to 100", "says `from 0 to 100`, but the schema allows at least 1"),
        (LIMIT, "How many; at most 1,000", "says `at most 1,000`, but the schema allows at most 100"),
        (LIMIT, "How many. Max: 50", "says `Max: 50`, but the schema allows at most 100"),
        (LIMIT, "How many (default 10)", "says `default 10`, but its default is 20"),
        (LIMIT, "How many. Defaults to 10 entries", "says `Defaults to 10`, but its default is 20"),
        (RATIO, "A share greater than 0.5", "says `greater than 0.5`, but the schema allows more than 0"),
        (NAME, "A name of at most 64 characters", "says `at most 64`, but the schema allows at most 36 characters"),
        (LIMIT, "Width in pixels (1-50)", "says `1-50`, but the schema allows at most 100"),
        (LIMIT, "How many (default: 20, max: 50)", "says `max: 50`, but the schema allows at most 100"),
        (TAGS, "Up to 10 tags", "says `Up to 10`, but the schema allows at most 5 items"),
        (LIMIT, "How many. Ten by default", "says `Ten by default`, but its default is 20"),
        (LIMIT, "How many entries, 10 when left out.", "says `10 when left out`, but its default is 20"),
        (LIMIT, "How many. If not given, 10 are used.", "says `If not given, 10 are used`, but its default is 20"),
        (OPEN_LIMIT, "How many. Defaults to 200.", "says `Defaults to 200`, but the schema allows at most 100"),
        (OPEN_LIMIT, "How many; 0 unless set", "says `0 unless set`, but the schema allows at least 1"),
        (RATIO, "A share, 0 by default", "says `0 by default`, but the schema allows more than 0"),
        (ORDER, "The order; `oldest` by default", 'says ``oldest` by default`, but its default is "newest"'),
    ],
)
def test_words_that_contradict_the_schema_are_reported(
    schema: dict[str, JsonValue], description: str, message: str
) -> None:
    assert told(schema, description) == [f"the description of `x` {message}"]


def test_the_unit_in_a_name_may_be_a_letter() -> None:
    value: JsonValue = {"properties": {"depth_m": {"type": "number", "description": "How deep it is, in feet."}}}

    assert messages(words_and_schema_disagree, listed({"inputSchema": value})) == [
        "the description of `depth_m` says `in feet`, which is not the unit in its name"
    ]


WHEN: dict[str, JsonValue] = {"type": "string", "default": "2026-02-01"}
DAY: dict[str, JsonValue] = {"type": "string", "format": "date"}
CODE: dict[str, JsonValue] = {"type": "string", "pattern": "^[0-9]{5}$"}
PLACE: dict[str, JsonValue] = {"type": "string", "default": "NOR"}


@pytest.mark.parametrize(
    ("schema", "description", "message"),
    [
        (WHEN, "The first day (DD.MM.YYYY)", 'says `DD.MM.YYYY`, but its default is "2026-02-01"'),
        (WHEN, "The first day (YYYY-MM-DD)", None),
        (WHEN, "The first day (DD.MM.YYYY or YYYY-MM-DD)", None),
        (WHEN, "When it begins, as HH:MM", 'says `HH:MM`, but its default is "2026-02-01"'),
        (WHEN, "When it begins, as ISO 8601", None),
        ({"type": "string", "default": "2026-13-01"}, "ISO date", 'says `ISO date`, but its default is "2026-13-01"'),
        ({"type": "string", "default": "today"}, "The day (YYYY-MM-DD)", None),
        ({"type": "string", "default": "default"}, "`default`, `title` or `code` (default `default`)", None),
        ({"type": "string", "default": "{year}-01-01"}, "The day (YYYY-MM-DD)", None),
        (DAY, "The day, as DD.MM.YYYY", "says `DD.MM.YYYY`, but the schema has the format `date`"),
        (DAY, "The day, as YYYY-MM-DD", None),
        (CODE, "A postal code, six digits", "says `six digits`, but the schema has the pattern `^[0-9]{5}$`"),
        (CODE, "A postal code of 5 digits", None),
        (CODE, "A postal code, such as `1011`", "gives the example `1011`, which the schema does not allow"),
        (CODE, 'A postal code (e.g. "10115")', None),
        (
            CODE,
            "A postal code, such as `1011` or `10115`, as `1…`",
            "gives the example `1011`, which the schema does not allow",
        ),
        (DAY, "The day, such as `2.1.2026`", "gives the example `2.1.2026`, which the schema does not allow"),
        (CODE, "A postal code; the last two digits name the town", None),
        (PLACE, "A two-letter country code", 'says `two-letter`, but its default is "NOR"'),
        (PLACE, "A three-letter country code", None),
        ({"type": "string", "default": "all"}, "A two-letter country code", None),
        ({"type": "string", "default": "default"}, "`default`, `title` or `code`", None),
        (
            {"type": "string", "default": "best"},
            "`default`, `title` or `code`",
            'lists `default`, `title` or `code`, but its default is "best"',
        ),
        ({"type": "string"}, "road, rail, sea. Default: air", 'lists road, rail, sea, but its default is "air"'),
        (
            {"type": "string"},
            "Options: 'road', 'rail', 'sea', default is 'air'",
            "lists 'road', 'rail', 'sea', but its default is \"air\"",
        ),
        ({"type": "string"}, "Roads, rails, seas. Default: air", None),
        ({"type": "string"}, "road, rail, sea. Default: sea", None),
        (OPEN_LIMIT, "Small files: 1-20 s. Medium: 20-60 s. Large: 60-100 s", None),
        ({"type": "integer"}, "The tab (default: active)", None),
        ({"type": "integer"}, "The tab (default: upper)", "says `default: upper`, which is not a number"),
        ({"type": "integer"}, "The tab (default 'upper')", "says `default 'upper'`, which is not a number"),
        ({"type": "integer", "default": 0}, "How close, 0-255 (default exact)", None),
        ({"type": "integer", "default": 0}, "How close (default: exact)", None),
        ({"type": "integer"}, "How close, 0-255 (default exact)", None),
    ],
)
def test_a_form_in_words_is_that_of_the_schema_and_the_default(
    schema: dict[str, JsonValue], description: str, message: str | None
) -> None:
    assert told(schema, description) == ([f"the description of `x` {message}"] if message is not None else [])


@pytest.mark.parametrize(
    ("description", "message"),
    [
        ("One of `newest`, `oldest`, `random`", "lists `random`, which the schema does not allow"),
        ("Either 'newest' or 'best'", "lists `best`, which the schema does not allow"),
        ("The order: newest, oldest or random", "lists `random`, which the schema does not allow"),
        ("Order: newest (default), oldest, random", "lists `random`, which the schema does not allow"),
        ("`newest`: the last first. `random`: any order.", "lists `random`, which the schema does not allow"),
        ("`newest` puts the last first, `best` the most read", None),
        ("`newest` puts the last first, `best` puts the most read", "lists `best`, which the schema does not allow"),
        ("By newest (the last first), oldest (the first), best (most read)", None),
        (
            "The order: newest (last first), best (most read), oldest (the first)",
            "lists `best`, which the schema does not allow",
        ),
        ("`newest`: the last first. `NULL`: any order.", None),
        ("`newest`: the last first. `x`: the text.", None),
        ("`newest` is the last first. `best` is not supported.", None),
        ("The word `best` puts the most read first.", None),
    ],
)
def test_listed_values_are_those_of_the_schema(description: str, message: str | None) -> None:
    assert told(ORDER, description) == ([f"the description of `x` {message}"] if message is not None else [])


def test_a_value_that_a_whole_list_leaves_out_is_reported() -> None:
    order: dict[str, JsonValue] = {"type": "string", "enum": ["newest", "oldest", "random"]}

    assert told(order, "One of newest, oldest.") == [
        "the description of `x` leaves out `random`, which the schema allows"
    ]


@each(
    ("schema", "description"),
    [
        (LIMIT, "How many, between 1 and 100, 20 by default"),
        (LIMIT, "How many; for free accounts at most 10"),
        (LIMIT, "How many to return, retried at most 3 times"),
        (LIMIT, "How many, typically between 1 and 10"),
        (LIMIT, "How many, at most 10 per page"),
        (LIMIT, "How many; if `all` is set, at most 10"),
        (LIMIT, "As defined in section 1.2, with version 3 to 4 digits"),
        (LIMIT, "How many; defaults to 10 if `all` is set"),
        (LIMIT, "How many, less than 101"),
        (LIMIT, "How many, or percent (1-10)"),
        ({"type": "number", "exclusiveMinimum": 0}, "How many (1-200)"),
        ({"type": "integer", "maximum": 2**53 - 1, "minimum": 1 - 2**53}, "How many (max 2000, min 5)"),
        (LIMIT, "Since 2024-01-01 to 2024-12-31"),
        ({"type": "integer", "maximum": 3_600_000}, "Milliseconds to wait, at most 60 minutes"),
        ({"type": "integer", "default": 300}, "Seconds to wait; defaults to 5 minutes"),
        (RATIO, "A share, between 0 and 1"),
        (RATIO, "A share greater than 0"),
        (NAME, "A name; up to 3 of them are kept"),
        (TAGS, "Tags of at most 64 characters"),
        ({"type": "integer", "default": 12, "minimum": 1}, "How many ideas (default: 10-15)"),
        ({"type": "integer", "default": 12, "minimum": 1}, "How many ideas, default 10 to 15"),
        (ORDER, "The order, such as newest, oldest, random"),
        (ORDER, "The order: newest (the default) or oldest"),
        (ORDER, "newest, oldest"),
        ({"type": "string", "enum": ["hull", "bow-and-keel", "mast"]}, "One of: hull, bow-and-keel, mast."),
        ({"type": "string", "enum": ["none", "gzip", "zstd"]}, "One of `none`, `gzip`, `zstd`."),
        (ORDER, "How to sort, search and list"),
        ({"type": "string", "default": "."}, "The folder; defaults to the current one"),
        ({"type": "boolean", "default": False}, "Whether to sort; default false"),
        ({"type": "string", "default": None}, "Defaults to all"),
    ],
)
def test_words_that_agree_or_speak_of_other_things_are_not_reported(
    schema: dict[str, JsonValue], description: str
) -> None:
    assert told(schema, description) == []


def test_an_optional_value_is_read_through_its_alternative() -> None:
    value: dict[str, JsonValue] = {"anyOf": [{"type": "integer", "maximum": 100}, {"type": "null"}], "default": None}

    assert told(value, "How many, at most 50") == [
        "the description of `x` says `at most 50`, but the schema allows at most 100"
    ]


TABLE = """## `find`

Finds notes. {purpose}

| Name | Type | Required | Default | Description |
|---|---|---|---|---|
| `limit` | integer | no | {default} | How many, 1 to 50 |

```json
{{"tool_name": "find", "arguments": {{"limit": {given}}}}}
```
"""


def spec(*, purpose: str = "", default: str = "5", given: str = "5") -> SpecFile:
    return read_spec("notes/SPEC.md", TABLE.format(purpose=purpose, default=default, given=given))


@pytest.mark.parametrize(
    ("changed", "told_of", "line"),
    [
        ({"default": "80"}, "says `1 to 50`, but its default is 80", 7),
        ({"given": "80"}, "says `1 to 50`, but an example has 80", 10),
    ],
)
def test_defaults_and_examples_are_compared_with_limits_that_are_only_in_words(
    changed: dict[str, str], told_of: str, line: int
) -> None:
    (finding,) = findings(words_and_schema_disagree, spec(**changed))

    assert finding.message == f"the description of `limit` {told_of}"
    assert finding.place is not None
    assert finding.place.line == line
    assert findings(words_and_schema_disagree, spec()) == []


def test_a_sentence_of_the_purpose_about_a_parameter_is_read() -> None:
    value: JsonValue = {"type": "object", "properties": {"limit": LIMIT}}
    file = listed({"description": "Finds notes. `limit` must be between 1 and 500.", "inputSchema": value})

    assert messages(words_and_schema_disagree, file) == [
        "the description of `limit` says `between 1 and 500`, but the schema allows at most 100"
    ]


ROUTES: dict[str, JsonValue] = {
    "stops": {"type": "array", "description": "Tour stops, in order.", "minItems": 2, "maxItems": 12},
    "payload_kg": {"type": "number", "description": "Payload in kilograms.", "minimum": 5, "maximum": 800},
    "days": {"type": "integer", "description": "How many days the tour takes.", "maximum": 10},
    "limit": {"type": "integer", "description": "How many routes to return.", "maximum": 25},
    "celsius": {"type": "number", "description": "Temperature in degrees Celsius.", "minimum": -20, "maximum": 25},
    "until": {"type": "string", "description": "The last day, at most 30 weeks after the first."},
}


@each(
    ("description", "told"),
    [
        ("Plans routes over up to 20 stops.", "`up to 20 stops`, but `stops` allows at most 12"),
        (
            "Plans. Payloads above 900 kilograms are refused.",
            "`above 900 kilograms`, but `payload_kg` allows at most 800",
        ),
        ("Plans tours of at most 14 days.", "`at most 14 days`, but `days` allows at most 10"),
        ("Plans tours of up to 13 days.", "`up to 13 days`, but `days` allows at most 10"),
        ("Plans. Returns up to 50 routes.", "`up to 50 routes`, but `limit` allows at most 25"),
        ("Keeps between 2 and 30 degrees Celsius.", "`between 2 and 30 degrees`, but `celsius` allows at most 25"),
        ("More than 15 stops fail with TooMany.", "`More than 15 stops`, but `stops` allows at most 12"),
        ("Plans routes of two to fifteen stops.", "`two to fifteen stops`, but `stops` allows at most 12"),
        ("Plans with no more than thirty stops.", "`no more than thirty stops`, but `stops` allows at most 12"),
        ("Refuses tours longer than 60 weeks.", "`longer than 60 weeks`, but `until` allows at most 30"),
        ("Plans routes over up to 12 stops.", None),
        ("Plans. Payloads above 800 kilograms are refused.", None),
        ("Plans for today and up to 9 days after it.", None),
        ("Plans; results are cached for at most 14 days.", None),
        ("Plans routes. Waits up to 30 seconds.", None),
        ("Plans. If the account is free, at most 3 routes.", None),
        ("Plans over up to 4 depots. Each stop takes up to 20 minutes.", None),
        ("Plans. More than 50 routes exist in town.", None),
        ("Retries up to 3 times. Lasts for up to 60 weeks.", None),
        ("Refuses tours longer than 30 weeks.", None),
    ],
)
def test_an_amount_in_a_sentence_is_compared_with_what_limits_such_things(description: str, told: str | None) -> None:
    schema: JsonValue = {"type": "object", "properties": ROUTES}
    file = listed({"name": "plan_routes", "description": description, "inputSchema": schema})

    assert messages(words_and_schema_disagree, file) == ([f"the text says {told}"] if told else [])


@each(
    ("description", "told"),
    [
        ("Searches trials. Returns up to 50 trials, most recent first.", None),
        ("Searches trials. Finds up to 50 trials.", None),
        ("Finds up to 50 free sites.", "`up to 50 free`, but `sites` allows at most 30"),
        ("Finds up to 50 sites in the free plan.", None),
        ("Searches up to 50 trials.", "`up to 50 trials`, but `countries` allows at most 10"),
        ("Searches trials. Returns up to 50 sites.", "`up to 50 sites`, but `sites` allows at most 30"),
    ],
)
def test_a_limit_on_results_is_not_one_of_another_list_that_the_tool_takes(description: str, told: str | None) -> None:
    sites: dict[str, JsonValue] = {"type": "integer", "description": "How many sites each has.", "maximum": 8}
    countries: dict[str, JsonValue] = {"type": "array", "items": {"type": "string"}, "maxItems": 10}
    tool: dict[str, JsonValue] = {
        "name": "search_trials",
        "description": description,
        "inputSchema": {"type": "object", "properties": {"countries": countries, "least": sites}},
        "outputSchema": {"type": "object", "properties": {"sites": {**countries, "maxItems": 30}, "notes": countries}},
    }
    found = messages(words_and_schema_disagree, listed(tool))

    assert found == ([f"the text says {told}"] if told else [])


@each(
    ("name", "description", "told_of"),
    [
        ("id", "The id. If not provided, all are shown.", "says `If not provided`, but it is required"),
        ("id", "The id. If not provided, ask the user for it.", None),
        ("id", "The id. Small ones: 30-60 seconds. Large ones: 120-300 seconds.", None),
        ("id", "The id, at least 100 and at most 50.", "says both `at least 100` and `at most 50`"),
        ("id", "The id. If not provided, first call `list_ids`.", None),
        ("id", "The id. The leading 0 is added if omitted.", None),
        ("id", "The id (of a boat: hull and mast; if omitted, any).", None),
        ("id", "The id. Defaults to the last one if omitted.", "says `if omitted`, but it is required"),
        ("id", "The id, with a gap if wait_ms >= 500, and 3 at least; gap_ms < 3.", None),
        ("id", "The id. Default: 9. With a mast, default: 18.", None),
        ("id", "The id. Default: 9. Then default: 18.", "says both `Default: 9` and `default: 18`"),
        ("SizeGigaBytes", "The size, in GB.", None),
        ("SizeMegaBytes", "The size, in GB.", "says `in GB`, which is not the unit in its name"),
        ("size_bytes", "The size, in KB.", "says `in KB`, which is not the unit in its name"),
    ],
)
def test_an_obligation_and_a_unit_in_words_are_those_of_the_schema(
    name: str, description: str, told_of: str | None
) -> None:
    size: dict[str, JsonValue] = {"type": "integer", "description": description}
    schema: JsonValue = {"type": "object", "properties": {name: size}, "required": [name]}

    found = messages(words_and_schema_disagree, listed({"inputSchema": schema}))

    assert found == ([f"the description of `{name}` {told_of}"] if told_of else [])


NESTED = """## `feed`

Feeds an animal.

- `food` (object, required): What it gets:
  - `kind` (string, required): {said}
  - `grams` (integer, required): Weight in grams, between 10 and 20000
- `refresh`: {flag}

```json
{{"tool_name": "feed", "arguments": {{"food": {{"kind": "{kind}", "grams": {grams}}}}}}}
```
"""


@each(
    ("changed", "told_of"),
    [
        ({}, None),
        ({"grams": "45000"}, "`food.grams` says `between 10 and 20000`, but an example has 45000"),
        ({"kind": "fish"}, '`food.kind` lists `meat`, `hay` oder `fruit`, but an example has "fish"'),
        ({"kind": "fish", "said": "What it eats (left to the zoo: `ZOO_FOOD` or `./food`)"}, None),
        ({"kind": "fish", "said": "What it eats (a fallback: `ZOO_FOOD` or `hay`)"}, None),
        ({"flag": "defaults to `maybe`. When `true`, waits."}, "defaults to `maybe`"),
    ],
)
def test_nested_arguments_and_flags_without_a_type_are_compared_with_words(
    changed: dict[str, str], told_of: str | None
) -> None:
    said = "What it eats: `meat`, `hay` oder `fruit`"
    fields = {"kind": "hay", "grams": "300", "flag": "defaults to `false`. When `true`, waits.", "said": said} | changed
    found = messages(words_and_schema_disagree, read_spec("zoo/SPEC.md", NESTED.format(**fields)))

    assert [told_of is not None and told_of in message for message in found] == ([True] if told_of else [])


@each(
    ("schema", "description", "said"),
    [
        ({"enum": ["flash", "pro"]}, "'quick' (default) for speed.", "which the schema does not allow"),
        ({"enum": ["1:1", "16:9"]}, "The ratio. Defaults to 1:2.", "which the schema does not allow"),
        ({"enum": ["1:1", "16:9"]}, "The ratio. Defaults to 1:1.", None),
        ({"type": "integer", "enum": [80, 120]}, "80, 120 or 300 grams", "lists `300`, which the schema does not"),
        ({"type": "integer", "enum": [80, 120]}, "80 or 120 grams", None),
        ({"type": "integer", "maximum": 24}, "People below 18.", None),
        ({"type": "string", "default": "loar"}, 'One of "lora", "prefix", "ia3"', 'but its default is "loar"'),
        ({"type": "string", "default": "loar"}, 'One of "lora", "ia3", or any other adapter', None),
        ({"type": "string", "default": "U1"}, "Defaults to DESTINATION_USER_ID", None),
        ({"type": "string", "default": "en"}, "Default is server-dependent.", None),
        ({"type": "array", "maxItems": 2}, "The look (up to 256 sub-events).", None),
        ({"enum": ["A", "B"]}, "Way:\n- `A` — one.\n- `B` — two, set by `env`: `PORT` (of 80), `PATH` (of it).", None),
        ({"enum": ["a", "b"]}, 'Way: "a" shows uses (default), "b" shows names and others (best)', None),
        (
            {"type": "string", "default": "why"},
            "Why (10 to 200 characters)",
            "`10 to 200`, but its default has 3 characters",
        ),
        ({"type": "string", "default": "why"}, "Why, at least 10 characters long.", "but its default has 3 characters"),
        ({"type": "string", "default": "why"}, "A reason of 10-200 characters.", "but its default has 3 characters"),
        ({"type": "string", "default": "why"}, "Why, 2 to 200 characters", None),
        ({"type": "string", "default": "Because <reason>"}, "Why, at least 40 characters", None),
        ({"type": "string", "default": "a long text"}, "A text; previews show at most 5 characters", None),
        ({"type": "array", "default": [1]}, "Of 2 to 4 items.", "but its default has 1"),
        ({"type": "integer", "default": 500}, "Those with fewer are left out (1 to 100)", "but its default is 500"),
        ({"type": "number", "default": 50}, "Only with at least this share, between 0 and 1.", "but its default is 50"),
        ({"type": "integer", "maximum": 120}, "How far, 5 to 180 minutes. Defaults to 60.", "at most 120"),
        ({"type": "integer", "maximum": 7_200}, "How far, 5 to 120 minutes. Defaults to 60.", None),
        ({"type": "integer", "default": 900}, "How long; `1..500`.", "but its default is 900"),
        ({"type": "integer", "default": 900}, "One of 2 to 5 files", None),
        ({"type": "array", "maxItems": 10}, "Two to twelve medicines, each by its code.", "`Two to twelve`, but the"),
        ({"type": "array", "maxItems": 10}, "Two to ten medicines; at most ten.", None),
        ({"type": "array", "maxItems": 5}, "When to remind, up to four weeks.", None),
        ({"type": "number", "default": 1.0}, "The heat (>1=diverse, <1=focused, 1=unchanged)", None),
        ({"type": "number", "default": 1.0}, "The heat (>1 = more uniform, < 1: more peaked)", None),
        ({"type": "number", "default": 1.0, "maximum": 5}, "Below 7 yields no verdict.", None),
        ({"type": "number", "default": 1.0}, "The heat, >1.", "says `>1`, but its default is 1"),
        ({"enum": ["mail", "sms"]}, "mail or push.", "lists `push`, which the schema does not allow"),
        ({"enum": ["mail", "sms"]}, "mail or sms.", None),
        ({"type": "string", "default": "speed"}, "`general`, `security`, `style`", 'but its default is "speed"'),
        ({"type": "string", "default": "speed"}, "`general`, `security`, `style` and others", None),
        ({"type": "string", "default": "c"}, 'For int8: "a" or "b" (ignored for fp4)', 'but its default is "c"'),
        ({"type": "string"}, "When it ends, options: 'load', 'idle', default is 'ready'", 'but its default is "ready"'),
        ({"type": "string"}, "When it ends, options: 'load', 'idle', default is 'idle'", None),
        ({"type": "string", "default": "id"}, "Sort by due_date, likes (default: id)", 'but its default is "id"'),
        ({"type": "string", "default": "id"}, "Sort by due_date, likes or the like", None),
        ({**TAGS, "default": ["d"]}, "Which parts to read: `a`, `b`, `c`.", "but its default is"),
        ({"enum": ["metric", "imperial"]}, "Defaults to the setting of the server", None),
        ({"enum": ["metric", "imperial"]}, "Preferred units (defaults to available)", None),
        ({"enum": ["EARNINGS", "VIEWS"]}, "Which (default: earnings, page views)", None),
        ({"enum": ["metric", "imperial"]}, "Its units; default is `english`.", "which the schema does not allow"),
        ({"enum": ["metric", "imperial"]}, "Its units; the default is metric.", None),
        ({"enum": ["metric", "imperial"]}, "Defaults to 'english'. Optional.", "which the schema does not allow"),
    ],
)
def test_defaults_and_numbers_in_words_are_those_of_the_enum(
    schema: dict[str, JsonValue], description: str, said: str | None
) -> None:
    assert [said is not None and said in message for message in told(schema, description)] == ([True] if said else [])


@each(
    ("sentence", "told_of"),
    [
        ('If it is late, `status` will be "timed_out".', '`status` will be "timed_out"'),
        ("Then `status` is `late`.", "`status` is `late`"),
        ('If it is late, `status` will be "timeout".', None),
    ],
)
def test_a_value_that_a_sentence_gives_a_field_is_one_that_its_description_lists(
    sentence: str, told_of: str | None
) -> None:
    status: JsonValue = {"type": "string", "description": 'How it ended: "success", "timeout", "error".'}
    tool: dict[str, JsonValue] = {
        "description": f"Runs. {sentence}",
        "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object", "properties": {"status": status}},
    }
    found = messages(words_and_schema_disagree, listed(tool))

    assert found == ([f"the text says {told_of}, but `status` does not allow that value"] if told_of else [])


def test_a_value_that_a_sentence_gives_a_parameter_is_one_of_its_enum() -> None:
    schema: JsonValue = {"type": "object", "properties": {"if_exists": {"enum": ["fail", "replace"]}}}

    def told_of(value: str) -> list[str]:
        file = listed({"description": f"Fails when `if_exists` is `{value}`.", "inputSchema": schema})
        return messages(words_and_schema_disagree, file)

    assert told_of("fail") == []
    assert told_of("error") == ["the text says `if_exists` is `error`, but `if_exists` does not allow that value"]


VALUES = """## Tool: `notes.write`

### 3. Input Schema (Parameters)

```json
{{"type": "object", "properties": {{"mode": {{"enum": ["fail", "replace"]}}, "path": {{"type": "string"}}}}}}
```

{lines}

### 4. Output Schema (Return Value)
"""


@each(
    ("lines", "unknown"),
    [
        ("| `mode` | Effect |\n|---|---|\n| `fail` | None |\n| `replace` | Writes it |", []),
        ("| `mode` | Effect |\n|---|---|\n| `fail` | None |\n| `append` | Writes it |", [(12, "append")]),
        ("| Mode | Effect |\n|---|---|\n| `fail` | None |\n| `append` | Writes it |", [(12, "append")]),
        ("The modes:\n\n- `fail`: none\n- `replace`: writes it\n- `append`: adds to it", [(13, "append")]),
        # Fewer values in common, and nothing that names the parameter.
        ("Words:\n\n- `fail`: none\n- `append`: adds to it", []),
        ("The mode:\n\n- `fail`: none\n- `append`: adds\n- `insert`: adds", []),
        ("The mode and others:\n\n- `fail`: none\n- `path`: the file", []),
        ("The mode and its errors:\n\n- `fail`: none\n- `FileExists`: there is one", []),
        ("| Parameter | Type |\n|---|---|\n| `mode` | string |\n| `path` | string |", []),
    ],
)
def test_values_that_a_table_or_a_list_explains_are_those_of_the_schema(
    lines: str, unknown: list[tuple[int, str]]
) -> None:
    file = read_spec("notes/MCP_TOOL_SPECIFICATION.md", VALUES.format(lines=lines))

    found = findings(words_and_schema_disagree, file)

    assert [(one.place.line if one.place else 0, one.message) for one in found] == [
        (line, f"the text lists `{value}` as a value of `mode`, which does not allow it") for line, value in unknown
    ]


def test_a_parameter_may_be_called_description() -> None:
    text = (
        "# Lists: tool specification\n\n### add_item\n\nAdds it.\n\n| Parameter | Type | Required | Constraints |\n"
        "|---|---|---|---|\n| `title` | string | yes | The title. |\n| `description` | string | no | 0-9 chars |\n\n"
        '```json\n{"title": "a", "description": "more than nine"}\n```\n'
    )

    found = lint(Contracts((read_spec("lists.md", text),))).shown()

    assert [one.message for one in found if one.code == "MC337"] == [
        "the description of `description` says `0-9`, but an example has one of 14"
    ]
