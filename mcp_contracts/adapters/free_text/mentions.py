"""Tell a call from a mention: names before a value, signatures, quotations and examples."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.free_text.known_tools import KnownTools
from mcp_contracts.adapters.free_text.notations import TOOL_NAME
from mcp_contracts.contract import JsonValue

_BETWEEN = (
    "with",
    "using",
    "these",
    "the",
    "following",
    "action",
    "arguments",
    "args",
    "input",
    "parameters",
    "params",
    "and",
)
# The text before a value is read backwards from the value, because a pattern that ends at an offset is slow to search.
_ANNOUNCING = re.compile(
    rf"""\s{{0,10}}+(?:\w{{0,10}}```\s{{0,10}})?(?:[:=]|>-|>=|>(?=-)|→|-<)?(?:\s{{0,3}}(?:{"|".join(word[::-1] for word in _BETWEEN)})(?!\w)){{0,5}}
    \s{{0,10}}+[`*"'\]]{{0,3}}(?P<name>[\w.\-]{{1,128}}+(?<=[A-Za-z_]))(?![\w.\-/])""",
    re.VERBOSE,
)
_WINDOW = 200
_NO_NAME_BEFORE = ("", "}", "]", ",", ".", ";", "!", "?")
_TYPE = r"(?:str|string|int|integer|float|number|bool|boolean|list|array|dict|object|any|none|null|optional)"
_PARAMETER = re.compile(
    rf"\s*(?:\*{{0,2}}(?P<name>[^\W\d]\w{{0,127}})\??(?:\s*:\s*{_TYPE}[\w\[\], |]{{0,40}})?"
    r"(?:\s*=\s*(?:none|null|\.\.\.))?|\.\.\.|…)\s*",
    re.IGNORECASE,
)
_MOST_SIGNATURE = 500

_EXAMPLE = re.compile(
    r"""\b(?:for\ (?:example|instance)|e\.g\.|such\ as|example|sample|looks?\ like|would\ (?:be|look|write)|like\ this
    |format|template|schema|syntax|documentation)\b[^.!?\n]{0,80}\s{0,5}(?:```\w{0,20}\s{0,5})?`?\Z""",
    re.VERBOSE | re.IGNORECASE,
)
# What each of these contains in small letters, since most text before a call has none of it.
_EXAMPLE_WORDS = (
    *("example", "for instance", "e.g.", "such as", "sample", "look", "would", "like this"),
    *("format", "template", "schema", "syntax", "documentation"),
)
_EXAMPLE_WINDOW = 160
_BLOCK_QUOTE = re.compile(r"[ \t]{0,3}>")
_WHOLE_LINE = re.compile(rf"\W{{0,3}}(?P<name>{TOOL_NAME})(?P<rest>[^\n]{{0,300}})")
_ARGUMENT_LIKE = re.compile(r"\s*\W{0,3}\Z|\s.{0,40}[=:\"']|\s+--?\w|:")


def announced_name(text: str, start: int, tools: KnownTools) -> str | None:
    """Return the name of a tool directly before a value, as in `forecast {"city": "Paris"}`."""
    before = text[max(0, start - 20) : start].rstrip()
    if tools.contracts is None or before[-1:] in _NO_NAME_BEFORE:
        return None
    match = _ANNOUNCING.match(text[max(0, start - _WINDOW) : start][::-1])
    name = "" if match is None else match["name"][::-1].rstrip("-.")
    return name if tools.is_called(name) else None


def may_be_arguments(value: JsonValue, name: str, tools: KnownTools, *, is_adjacent: bool) -> bool:
    """Whether a value after a tool's name may be its arguments.

    That is an object which is empty or has a property of the tool's input, or a list directly after the name.
    """
    if not isinstance(value, dict):
        return is_adjacent
    schema = tools.schema_of(name)
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return not value or not isinstance(properties, dict) or bool(value.keys() & properties.keys())


def is_mention(text: str, name: str, opening: int, tools: KnownTools) -> bool:
    """Whether a name before the bracket at `opening` is only spoken of.

    That is a signature, `forecast(city: str)`, or empty brackets in a sentence.
    """
    closing = text.find(")", opening, opening + _MOST_SIGNATURE)
    if closing < 0:
        return False
    inside = text[opening + 1 : closing]
    if not inside.strip():
        return not _is_alone(text, opening, closing + 1)
    schema = tools.schema_of(name)
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return False
    items = [_PARAMETER.fullmatch(item) for item in inside.split(",")]
    return all(item is not None and (item["name"] is None or item["name"] in properties) for item in items)


def is_block_quote(text: str, start: int) -> bool:
    """Whether the line of an offset is a block quote."""
    return _BLOCK_QUOTE.match(text, _line_start(text, start), start) is not None


def quotation(text: str, start: int, end: int) -> str | None:
    """Return why a call from `start` to `end` is quoted rather than made, or None."""
    if text[start - 1 : start] == "`" and text[end : end + 1] == "`" and not _is_alone(text, start, end):
        return "it is quoted in a sentence"
    before = text[max(0, start - _EXAMPLE_WINDOW) : start].lower()
    if any(word in before for word in _EXAMPLE_WORDS) and _EXAMPLE.search(before) is not None:
        return "it is given as an example"
    return None


def is_only_name(text: str, tools: KnownTools) -> str | None:
    """Return the name of a tool if a text of one line is only that name, with words that may be arguments."""
    text = text.strip()
    match = _WHOLE_LINE.fullmatch(text)
    if match is None or "{" in match["rest"] or _ARGUMENT_LIKE.match(match["rest"]) is None:
        return None
    name = match["name"].rstrip(".-")
    return name if tools.is_called(name) else None


def _line_start(text: str, position: int) -> int:
    earliest = max(0, position - 1_000)
    return max(earliest - 1, text.rfind("\n", earliest, position), text.rfind("\r", earliest, position)) + 1


def _is_alone(text: str, start: int, end: int) -> bool:
    """Whether the line of a span has no other words."""
    before = text[_line_start(text, start) : start]
    after = re.match(r"[^\r\n]{0,1000}", text[end : end + 1_000])
    rest = before.rpartition(" ")[0] + ("" if after is None else after[0])
    return re.search(r"\w{2}", rest) is None
