"""Strings that definitely do not match the `format` that a schema requires."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.schema.applicable import CERTAIN, in_place, of_item, of_property
from mcp_contracts.schema.wording import shown_value

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d.*)?")
_FORMS = {
    "date": ("a date (`2026-01-31`)", _DATE),
    "date-time": ("a date and time (`2026-01-31T12:00:00Z`)", _DATE_TIME),
    "email": ("an email address", re.compile(r"[^@\s]+@[^@\s]+")),
    "uri": ("a URI", re.compile(r"[a-z][a-z0-9+.-]*:.*", re.IGNORECASE)),
}
_LEFT_OPEN = re.compile(r"[<>{}$…]|\.\.\.|\A\s*\Z|\byour\b", re.IGNORECASE)
"""Marks of text that is only a placeholder for a value."""
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DEEPEST = 10
_MOST_ITEMS = 50


def wrong_formats(schema: JsonValue, value: JsonValue) -> Iterator[tuple[str, str]]:
    """Yield the pointers of strings in a value that definitely violate the format of their schema, and why.

    References are not followed. A time without an offset passes, because many servers accept it, and so do a date
    without a time and a placeholder for a value.
    """
    yield from dict.fromkeys(_wrong_formats(schema, value, "", 0))


def _wrong_formats(schema: JsonValue, value: JsonValue, base: str, depth: int) -> Iterator[tuple[str, str]]:
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return
    asked = schema.get("format")
    if isinstance(value, str) and isinstance(asked, str) and not _LEFT_OPEN.search(value):
        words, form = _FORMS.get(asked, ("", None))
        if form is not None and not (form.fullmatch(value) and _is_a_day(asked, value)):
            yield base, f"{shown_value(value)} is not {words}, as `format` requires"
    for branch in in_place(schema, CERTAIN):
        yield from _wrong_formats(branch.schema, value, base, depth + 1)
    if isinstance(value, list):
        for index, item in enumerate(value[:_MOST_ITEMS]):
            for branch in of_item(schema, index):
                if branch.keyword not in ("contains", "unevaluatedItems"):
                    yield from _wrong_formats(branch.schema, item, f"{base}/{index}", depth + 1)
    elif isinstance(value, dict):
        for name, member in value.items():
            for branch in of_property(schema, name, lambda pattern: None):
                if branch.keyword == "properties":
                    yield from _wrong_formats(branch.schema, member, f"{base}/{escape(name)}", depth + 1)


def _is_a_day(asked: str, value: str) -> bool:
    """Whether the date at the beginning of text exists in the calendar."""
    if not asked.startswith("date"):
        return True
    year, month, day = map(int, value[:10].split("-"))
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)  # `calendar` is slow to import
    return 0 < month <= len(_DAYS) and 0 < day <= _DAYS[month - 1] and (month, day, is_leap) != (2, 29, False)
