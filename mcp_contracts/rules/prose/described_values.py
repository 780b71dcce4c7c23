"""Descriptions of single values of a tool: in its schemas, its tables and its purpose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Literal

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, PlacedText, SchemaOrigin, SchemaPart, SpecTool, TableRow, ToolContract
from mcp_contracts.diagnostics import Place
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.prose.choices import may_list_values
from mcp_contracts.rules.prose.forms import OF_A_FORM
from mcp_contracts.rules.prose.inner_contradictions import OF_AN_OBLIGATION
from mcp_contracts.rules.prose.limits_of_calls import may_state_unit
from mcp_contracts.rules.prose.schema_limits import listed_texts, plain_schema
from mcp_contracts.rules.prose.statements import NUMBERS, OF_A_DEFAULT
from mcp_contracts.rules.schemas.names import name_of
from mcp_contracts.rules.tables.cell_values import quotes_text, stated_value
from mcp_contracts.rules.texts import may_say, sentence_start, word_set
from mcp_contracts.schema.outline import child_of, find_place, root_of
from mcp_contracts.schema.walk import shared_subschemas

_SAYS = (
    NUMBERS
    | OF_A_DEFAULT
    | OF_A_FORM
    | word_set("one either must optional required mandatory always such example e g null")
)
_JOINS = word_set("or oder ou o")
"""Characters that join the values of a list, or clauses, like a comma."""
_AT_ROOT = 2


class DescribedValue(NamedTuple):
    """Text about one value, the schema of that value, and the place for findings about it.

    `row` is the row of a table that the text is in; MC322 compares its default and its values with the schema.
    `has_default` says whether a row with that name has a default, which MC333 compares with the schema. `quotes` says
    whether the table writes text in quotes.
    """

    text: str
    name: str
    schema: Mapping[str, JsonValue]
    part: SchemaPart
    pointer: str
    place: Place | None = None
    row: TableRow | None = None
    has_default: bool = False
    quotes: bool = False


def described_values(contract: ToolContract, tool: SpecTool | None) -> Iterator[DescribedValue]:
    """Yield the descriptions of single values of a tool, except rows that only repeat the schema."""
    stated = set[tuple[str, str, str]]()
    table = tool.input_table if tool is not None and not tool.signature else None
    with_default = {row.name for row in (table.rows if table is not None else ()) if row.default is not None}
    for part in (contract.input, contract.output):
        for node in shared_subschemas(part.value) if part is not None else ():
            text = node.value.get("description")
            if part is None or not isinstance(text, str):
                continue
            is_at_root = node.name is not None and node.pointer.count("/") == _AT_ROOT
            if is_at_root and part.origin is SchemaOrigin.SCHEMA and "type" in node.value:
                stated.add((part.part, node.name or "", text))
            if _says(text, node.name, node.value):
                pointer = f"{node.pointer}/description"
                has_default = is_at_root and part is contract.input and node.name in with_default
                name = name_of(node.pointer) or "the value"
                yield DescribedValue(text, name, node.value, part, pointer, has_default=has_default)
    for table, part in ((tool.input_table, contract.input), (tool.output_table, contract.output)) if tool else ():
        if table is None or part is None:
            continue
        rows = [row for row in table.rows if not _repeats(row, part, stated) and _says(row.description)]
        root = root_of(part.value) if rows else None
        quotes = bool(rows) and quotes_text(table.rows)
        for row in rows:
            parent = find_place(part.value, root, row.path[:-1]) if root is not None else None
            found = child_of(part.value, parent, row.path[-1]) if parent is not None else None
            schema = found.schema if found is not None else None
            if found is not None and isinstance(schema, dict) and _says(row.description, row.name, schema):
                yield DescribedValue(
                    row.description, row.name, schema, part, found.pointer, row.place, row, quotes=quotes
                )
    yield from _named_in_purpose(contract)


def pointer_of(words: DescribedValue) -> str:
    """Return the pointer of a value; that of text in a schema is the pointer of the text."""
    return words.pointer if words.place is not None else words.pointer.removesuffix("/description")


def _repeats(row: TableRow, part: SchemaPart, stated: AbstractSet[tuple[str, str, str]]) -> bool:
    """Whether a row only repeats the description of the parameter or field of that name in a schema."""
    is_plain = row.default is None and row.example is None and "enum" not in (row.schema or {})
    return is_plain and len(row.path) == 1 and (part.part, row.name, row.description) in stated


def _says(text: str, name: str | None = None, schema: Mapping[str, JsonValue] | None = None) -> bool:
    """Whether text may state a limit, a default or a list of values."""
    words = _words_of(text)
    if words != "joins" or name is None or schema is None:
        return words is not None
    return may_list_values(text, name) or bool(listed_texts(plain_schema(schema)))


@lru_cache(maxsize=256)  # the text of a schema is often in a table too
def _words_of(text: str) -> Literal["enough", "joins"] | None:
    """Return which words of text may state something: `joins` if the text may list the values of a parameter."""
    if may_say(_SAYS, text) or may_state_unit(text):
        return "enough"
    if ", " not in text and "`" not in text and not may_say(_JOINS, text):
        return None
    return "enough" if may_say(OF_AN_OBLIGATION, text) else "joins"


_DOCUMENTED = re.compile(
    r"^[ \t]+(?:[-*] )?`?(?P<name>[A-Za-z_]\w*)`?(?: ?\([^()\n]*\))?: (?P<said>[^\n]+)$", re.MULTILINE
)
"""The lines below `Args:` in a description, as in docstrings."""
_NAMED = re.compile(
    r"`(?P<name>[A-Za-z_]\w*)` (?=(?:must be|has to be|is|may be|can be|lies|ranges|defaults to|takes|accepts)\b)"
    r"(?P<said>(?:[^.;`\n]|`[-\d.,–]+`|[.](?=\d)){0,250})"
)


def _named_in_purpose(contract: ToolContract) -> Iterator[DescribedValue]:
    """Yield the sentences of a purpose that mention a parameter."""
    part, schema = contract.input, contract.input_schema
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if part is None or not isinstance(properties, dict):
        return
    for match in _DOCUMENTED.finditer(contract.description[:20_000]) if "\n" in contract.description else ():
        value = properties.get(match["name"])
        if isinstance(value, dict) and "description" not in value and _says(match["said"]):
            pointer = f"/properties/{escape(match['name'])}"
            yield DescribedValue(match["said"], match["name"], value, part, pointer, contract.place_of("description"))
    for match in _NAMED.finditer(contract.description[:20_000]) if "`" in contract.description else ():
        value = properties.get(match["name"])
        if isinstance(value, dict):
            pointer = f"/properties/{escape(match['name'])}"
            yield DescribedValue(match["said"], match["name"], value, part, pointer, contract.place_of("description"))


def is_required(words: DescribedValue) -> bool | None:
    """Whether an argument of a tool is required; None if that is not stated."""
    root = words.part.value
    is_at_root = pointer_of(words).count("/") == _AT_ROOT
    if not is_at_root or words.part.part != "input" or not isinstance(root, dict):
        return None
    required = root.get("required")
    if isinstance(required, list) and words.name in required:
        return True
    is_stated = words.part.origin is SchemaOrigin.SCHEMA or (words.row is not None and words.row.required is False)
    return False if is_stated else None


def refused_null(words: DescribedValue) -> str | None:
    """Return the words that say that null is a value, if the type is another one."""
    stated = words.schema.get("type")
    allows_null = words.schema.get("nullable") is not None or words.schema.get("default", "") is None
    if stated not in ("string", "number", "integer") or allows_null or "null" not in words.text.lower():
        return None
    text = _OTHER_CODE.sub("``", words.text)
    said = _NULL.search(text)
    before = text[sentence_start(text, said.start()) : said.start()] if said is not None else ""
    return said[0].strip(" ,") if said is not None and _NO_VALUE.search(before) is None else None


_OTHER_CODE = re.compile(r"`(?!null`)[^`]*`")
"""Code that is more than the value: a type, such as `string or null`."""
_NULL = re.compile(
    r"(?:, or|\b(?:or|use|pass|send)) `?null`?(?= for\b| to (?:clear|remove|unset|reset)\b|[.)]?\Z)", re.IGNORECASE
)
"""Words that say that null may be sent."""
_NO_VALUE = re.compile(
    r"\b(?:if|when|unless|whether|not|never|cannot|can't|don't|empty|undefined|missing|none|returns?)\b", re.IGNORECASE
)
"""Words before it that may deny it, or make it a condition."""


def default_of(words: DescribedValue) -> JsonValue:
    """Return the default in a row."""
    return _value_of(words, words.row.default if words.row is not None else None)


def example_of(words: DescribedValue) -> JsonValue:
    """Return the example in a row."""
    return _value_of(words, words.row.example if words.row is not None else None)


def _value_of(words: DescribedValue, written: PlacedText | None) -> JsonValue:
    """Return the value in a cell. In a column of text without quotes, every value is text."""
    stated = stated_value(written.text) if written is not None else None
    if stated is None or stated.value is None or written is None or words.row is None:
        return None
    is_text = words.row.schema == {"type": "string"} and not words.quotes
    return written.text.strip("`* ") if is_text and not isinstance(stated.value, str) else stated.value
