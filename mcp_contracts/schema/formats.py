"""Texts that are surely not of the `format` that a schema asks for."""

from __future__ import annotations

from calendar import isleap
from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.walk import escape
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
"""Marks of a text that only stands for a value."""
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DEEPEST = 10
_MOST_ITEMS = 50


def wrong_formats(schema: JsonValue, value: JsonValue, base: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """The texts in a value that are not of the format of their schema: where, and why not.

    A time without an offset passes, since many servers take one, and so does a text that only stands for a value.
    """
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return
    asked = schema.get("format")
    if isinstance(value, str) and isinstance(asked, str) and not _LEFT_OPEN.search(value):
        words, form = _FORMS.get(asked, ("", None))
        if form is not None and not (form.fullmatch(value) and _is_a_day(asked, value)):
            yield base, f"{shown_value(value)} is not {words}, which `format` asks for"
    properties = schema.get("properties")
    if isinstance(value, list):
        for index, item in enumerate(value[:_MOST_ITEMS]):
            yield from wrong_formats(schema.get("items"), item, f"{base}/{index}", depth + 1)
    elif isinstance(value, dict) and isinstance(properties, dict):
        for name, member in value.items():
            yield from wrong_formats(properties.get(name), member, f"{base}/{escape(name)}", depth + 1)


def _is_a_day(asked: str, value: str) -> bool:
    """Whether a text that begins with a date begins with one of the calendar."""
    if not asked.startswith("date"):
        return True
    year, month, day = map(int, value[:10].split("-"))
    return 0 < month <= len(_DAYS) and 0 < day <= _DAYS[month - 1] and (month, day, isleap(year)) != (2, 29, False)
