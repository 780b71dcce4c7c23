"""Describe the constraint of a single keyword in a few words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.prompts.text import json_line
from mcp_contracts.contract import JsonValue

LONGEST = 200
"""Maximum length of a pattern, a default or a JSON Schema fragment in a prompt, in characters."""


def ranges_in_words(part: Mapping[str, JsonValue]) -> Iterator[str]:
    """Yield the bounds of numbers, strings, arrays and objects in a subschema: `1 to 14`, `at most 100 items`."""
    for low, high, unit in _RANGES:
        least, most = _number(part.get(low)), _number(part.get(high))
        if unit and least == "0":
            least = None
        singular = unit.removesuffix("s") if (most or least) == "1" else unit
        words = f" {singular}" if unit else ""
        if least is not None and most is not None:
            yield f"{least}{words}" if least == most and unit else f"{least} to {most}{words}"
        elif least is not None:
            yield f"at least {least}{words}"
        elif most is not None:
            yield f"at most {most}{words}"


_RANGES = (
    ("minimum", "maximum", ""),
    ("minLength", "maxLength", "characters"),
    ("minItems", "maxItems", "items"),
    ("minProperties", "maxProperties", "fields"),
)


def is_bound(keyword: str, value: JsonValue) -> bool:
    """Whether a keyword is one of those bounds and its value is a number."""
    return any(keyword in names[:2] for names in _RANGES) and _number(value) is not None


def _number(value: JsonValue) -> str | None:
    return json_line(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _one(prefix: str, value: JsonValue) -> Iterator[str]:
    number = _number(value)
    if number is not None:
        yield f"{prefix} {number}"


def _of_pattern(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield f"matching the pattern {json_line(value)}"


def _of_word(prefix: str, value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield f"{prefix} {value if _WORD.fullmatch(value) else json_line(value)}"


_WORD = re.compile("[A-Za-z0-9][A-Za-z0-9+./-]*")


def _of_default(value: JsonValue) -> Iterator[str]:
    yield f"default {json_line(value)}"


def _of_examples(value: JsonValue) -> Iterator[str]:
    if isinstance(value, list) and value:
        yield f"such as {' or '.join(map(json_line, value))}"


def _of_flag(words: str, value: JsonValue) -> Iterator[str]:
    if value is True:
        yield words


LIMITS: Mapping[str, Callable[[JsonValue], Iterator[str]]] = {
    "exclusiveMinimum": partial(_one, "more than"),
    "exclusiveMaximum": partial(_one, "less than"),
    "multipleOf": partial(_one, "a multiple of"),
    "pattern": _of_pattern,
    "format": partial(_of_word, "format"),
    "contentEncoding": partial(_of_word, "encoded in"),
    "contentMediaType": partial(_of_word, "content of type"),
    "default": _of_default,
    "examples": _of_examples,
    "uniqueItems": partial(_of_flag, "no duplicate items"),
    "deprecated": partial(_of_flag, "deprecated"),
    "readOnly": partial(_of_flag, "read-only"),
    "writeOnly": partial(_of_flag, "write-only"),
}
"""The wording of each keyword that can be described independently."""

WORDLESS = frozenset(
    (
        *("not", "if", "then", "else", "contains", "minContains", "maxContains", "prefixItems", "additionalItems"),
        *("patternProperties", "propertyNames", "dependentRequired", "dependentSchemas", "dependencies"),
        *("unevaluatedProperties", "unevaluatedItems", "contentSchema", "items", "required"),
    )
)
"""Keywords without a wording, including `items` and `required` if no array or object is described."""
