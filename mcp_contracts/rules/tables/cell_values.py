"""The value that a table cell states as a default or an example, if it is unambiguous."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, TableRow
from mcp_contracts.records import NamedTuple

_LONGEST = 500
_IN_CODE = re.compile(r"(`+)([^`]*)\1")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_WORDS: Mapping[str, JsonValue] = {"none": None, "null": None, "true": True, "false": False, "nil": None}
# Words that people write for a number or a flag that is determined at run time.
_FOUND_OUT = re.compile(
    r"(?:auto\w*|unlimited|inf(?:inity|inite)?|nan|dynamic|varies|current|now|today|system|env\w*|config\w*|inherit\w*"
    r"|computed|unset|undefined|all|any|random|module|provider|server|global|same|see|yes|no|on|off|default|max|min"
    r"|required|optional|empty|never|always|various|depends|derived|detected|calculated|session|utc|local"
    r"|active|selected|focused|latest|last|first|next|previous)\b"
    r"|\.\.\.|…",
    re.IGNORECASE,
)
_NO_FLAGS = frozenset(("never", "always", "sometimes", "all", "max", "min", "unlimited", "now", "today", "empty"))
"""Words for a number that is determined at run time, which are neither true nor false."""
_TWO_WORDS = re.compile(r"(?:yes|no|on|off) [a-z]+")
# Numbers in words, and undecided values, which no type but text accepts.
_IN_WORDS = re.compile(
    r"(?:(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty"
    r"|a hundred|hundred|thousand|half|quarter|a dozen)\b"
    r"(?:[ -](?:and|an?|of|one|two|three|four|five|half|quarter|third|thirds"
    r"|tenths?|hundred|thousand|million|dozen|seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|items?|times"
    r"|milliseconds?|bytes|kilobytes|megabytes))*)"
    r"|(?:none|nothing|not|undecided|unknown)(?: \w+)? yet|to be (?:decided|defined|determined)|tbd"
    r"|[一二两三四五六七八九十百千]+",
    re.IGNORECASE,
)
_WITH_UNIT = re.compile(
    r"\d+(?:\.\d+)? ?(?:ms|s|secs?|m|mins?|h|d|[KMG]i?B|[kKMG]|[kmg]b|%|seconds?|minutes?|hours?|days?|items|bytes)"
)
_NEARLY_NUMBER = re.compile(r"(?=\D*\d)(?!\d+,\d+$)[\dOl]+(?:[.,][\dOl]+){0,3}")
"""A number with a letter in place of a digit, or with more than one point: `O.5`, `1.2.3`."""
_BARE_WORD = re.compile(r"[a-z][a-z-]*")
_SHORT_TYPES = frozenset(("integer", "number", "boolean"))


class CellValue(NamedTuple):
    """A value that a cell shows."""

    value: JsonValue


def may_be_found_out(text: str) -> bool:
    """Whether text represents a value that is determined at run time, or no value, such as `auto`."""
    return _FOUND_OUT.match(text) is not None or text.lower() in _WORDS


def quotes_text(rows: Iterable[TableRow]) -> bool:
    """Whether the defaults and examples of text are in quotes, as in JSON, at least once."""
    of_text = (row for row in rows if (row.schema or {}).get("type") == "string")
    shown = (written.text for row in of_text for written in (row.default, row.example) if written is not None)
    return any(_QUOTED.fullmatch(_strip_marks(text)[0]) for text in shown)


def cell_value(text: str, schema: Mapping[str, JsonValue], type_text: str, *, quotes: bool) -> CellValue | None:
    """Return the value in a cell; None if it is missing or ambiguous.

    `quotes` says that other cells write text in quotes, so that `5` is a number even in a text column.
    """
    shown, is_code = _strip_marks(text)
    if not shown or len(shown) > _LONGEST or (not is_code and "`" in shown):
        return None
    kinds = _kinds(schema)
    listed = schema.get("enum")
    is_one_of_texts = isinstance(listed, list) and all(isinstance(item, str) for item in listed)
    literal = _literal(shown)
    if literal is not None:
        value = literal.value
        if is_one_of_texts and value is not None and not isinstance(value, str):
            return CellValue(shown)
        takes_text = "string" in kinds or "enum" in schema
        if value is None or (
            takes_text and not isinstance(value, str) and not _is_surely_typed(value, type_text, quotes)
        ):
            return None
        if isinstance(value, str) and kinds & {"object", "array"} and value[:1] in ("{", "["):
            return None
        return literal
    if is_code and kinds and kinds <= {"object", "array"} and _is_torn(shown):
        return CellValue(shown)
    if kinds == {"boolean"} and (shown.lower() in _NO_FLAGS or (is_code and _TWO_WORDS.fullmatch(shown))):
        return CellValue(shown)
    if (
        kinds
        and "string" not in kinds
        and "enum" not in schema
        and _IN_WORDS.fullmatch(shown.strip("."))
        and shown != "a"
    ):
        return CellValue(shown)
    is_number = bool(kinds) and kinds <= {"integer", "number"}
    if is_number and (_NEARLY_NUMBER.fullmatch(shown) or (is_code and _WITH_UNIT.fullmatch(shown))):
        return CellValue(shown)
    parts = schema.get("items")
    items = _kinds(parts) if is_code and kinds == {"array"} and isinstance(parts, dict) else kinds
    if items and items <= _SHORT_TYPES and _is_plain_word(shown, is_code=is_code):
        return CellValue(shown)
    is_word = re.fullmatch(r"[\w-]+", shown) is not None
    return CellValue(shown) if is_code and is_word and is_one_of_texts else None


_LIMITS = (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"))
_CLOSER = ("pattern", "const", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "$ref", "anyOf", "oneOf", "allOf")


def may_reject(schema: Mapping[str, JsonValue], value: JsonValue) -> bool:
    """Whether a schema may reject a value of its own type, so that a validator must decide. Few do."""
    listed, items = schema.get("enum"), schema.get("items")
    if any(map(schema.__contains__, _CLOSER)) or (isinstance(listed, list) and value not in listed):
        return True
    if isinstance(value, list) and isinstance(items, dict) and any(may_reject(items, one) for one in value):
        return True
    if isinstance(value, bool) or not isinstance(value, str | list | int | float):
        return False
    amount = len(value) if isinstance(value, str | list) else value
    for lowest, highest in _LIMITS:
        low, high = schema.get(lowest), schema.get(highest)
        if (isinstance(low, int | float) and amount < low) or (isinstance(high, int | float) and amount > high):
            return True
    return False


def _is_torn(text: str) -> bool:
    """Whether text has an unmatched bracket."""
    bare = _QUOTED.sub("", text)
    opened, closed = sum(bare.count(mark) for mark in "[{"), sum(bare.count(mark) for mark in "]}")
    return opened != closed and "..." not in bare and "…" not in bare


def stated_value(text: str) -> CellValue | None:
    """Return the unambiguous value in a cell of any type: a literal, or any text in code or in quotes."""
    shown, is_code = _strip_marks(text)
    if not shown or len(shown) > _LONGEST or (not is_code and "`" in shown):
        return None
    literal = _literal(shown)
    if literal is not None:
        return literal
    return CellValue(shown) if is_code and re.fullmatch(r"[\w./:@%+-]+", shown) else None


def _is_surely_typed(value: JsonValue, type_text: str, quotes: bool) -> bool:
    """Whether a value is not text, in a column where text has quotes."""
    return quotes and "json" not in type_text.lower() and not isinstance(value, float)


def _is_plain_word(text: str, *, is_code: bool) -> bool:
    if _FOUND_OUT.match(text):
        return False
    if _BARE_WORD.fullmatch(text):
        return True
    return is_code and re.fullmatch(r"[a-z][a-z ]*|[A-Z]{2,3}", text) is not None


def _kinds(schema: Mapping[str, JsonValue]) -> set[str]:
    """Return the types that the schema of a cell allows, if it states them."""
    stated = schema.get("type")
    if isinstance(stated, str):
        return {stated}
    if isinstance(stated, list):
        return {kind for kind in stated if isinstance(kind, str)} - {"null"}
    branches = schema.get("anyOf")
    kinds: set[str] = set()
    for branch in branches if isinstance(branches, list) else ():
        kinds |= _kinds(branch) if isinstance(branch, dict) else set()
    return kinds


def _strip_marks(text: str) -> tuple[str, bool]:
    """Return a cell's text without code marks, and whether it had any. A remark after them is dropped."""
    text = text.strip().strip("*_").strip()
    match = _IN_CODE.match(text)
    if match is None:
        return text, False
    rest = text[match.end() :].strip()
    if rest and rest[0] not in "(,;—–-":
        return "", False
    return match[2].strip().replace("\\|", "|"), True


def _literal(text: str) -> CellValue | None:
    """Read text as JSON or as a Python literal."""
    if text.lower() in _WORDS:
        return CellValue(_WORDS[text.lower()])
    if text[:1] not in "\"'[{(-.0123456789" or re.match(r"0\d|[\d.]+[^\d.eE_]", text):
        return None
    try:
        value: JsonValue = json.loads(text)
        if isinstance(value, str | int):
            return CellValue(value)  # others may contain a number that is not finite
    except (ValueError, RecursionError):
        from ast import literal_eval  # most cells are JSON

        try:
            value = literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            return None
        if isinstance(value, tuple):
            value = list(value)
    try:
        return CellValue(json.loads(json.dumps(value, allow_nan=False)))
    except (ValueError, TypeError, RecursionError):
        return None
