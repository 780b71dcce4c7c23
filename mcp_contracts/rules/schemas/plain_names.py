"""Properties whose name and schema say all that a description would."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.schemas.names import words_of
from mcp_contracts.rules.vocabulary import UNITS

_TOGETHER = (
    (frozenset(("red", "green", "blue")), "alpha"),
    (frozenset(("x", "y")), "z"),
    (frozenset(("width", "height")), "depth"),
    (frozenset(("latitude", "longitude")), "altitude"),
    (frozenset(("lat", "lng")), "alt"),
    (frozenset(("lat", "lon")), "alt"),
)
"""The names of a color, a point, a size and a place on Earth, each with one that may be added."""
_OF_PAGES = frozenset(
    ("cursor", "limit", "next cursor", "next page token", "offset", "page", "page number", "page size", "page token",
     "per page")
)  # fmt: skip
_LOOKS = frozenset(
    ("all", "angle", "background", "border", "bottom", "color", "colour", "corner", "end", "family", "fill", "font",
     "foreground", "height", "left", "line", "margin", "offset", "opacity", "padding", "radius", "right", "size",
     "spacing", "start", "stroke", "style", "text", "top", "weight", "width")
)  # fmt: skip
"""Words of names such as `paddingTop`, `strokeColor` and `font_size`, which are clear together."""
_OF_RECORDS = frozenset(
    ("city", "country", "description", "email", "email address", "first name", "last name", "name", "notes", "phone",
     "phone number", "title", "username")
)  # fmt: skip
_OF_PARTS = _OF_RECORDS | {
    "bottom", "color", "colour", "depth", "height", "id", "index", "label", "left", "right", "text", "top", "uri",
    "url", "width",
}  # fmt: skip
_OF_RESULTS = _OF_PARTS | _OF_PAGES | {"count", "error", "message", "success", "total"}
_UNITS = frozenset(unit for units in UNITS for unit in units)
_TIMES = ("at", "date", "time", "timestamp")
_FORMS = frozenset(("date", "email", "uri", "url"))
_BOUNDS = (
    ("start", "end"), ("min", "max"), ("minimum", "maximum"), ("from", "to"), ("since", "until"), ("after", "before"),
    ("lower", "upper"), ("gt", "lt"), ("gte", "lte"),
)  # fmt: skip
"""The words for the two ends of a range."""
_OTHER_END = {one: other for ends in _BOUNDS for one, other in (ends, ends[::-1])}
_END = re.compile(
    rf"(?<![A-Za-z])(?:{'|'.join(_OTHER_END)})(?![a-z])"
    rf"|(?<=[a-z0-9])(?:{'|'.join(map(str.capitalize, _OTHER_END))})(?![a-z])"
)
"""The word for an end of a range, in a name such as `cost_from` or `maxPrice`."""
_NUMBERS = ("number", "integer")
_PLAIN_TYPES = ("string", "boolean", *_NUMBERS)
_SHORTEST_WORD = 3


class Surroundings(NamedTuple):
    """What is around a property: its object, the name of that object in another one, whether that has a description,
    and whether it is a part of a result.
    """

    holder: Mapping[str, JsonValue]
    owner: str | None
    is_described: bool
    is_output: bool


def explains_itself(name: str, schema: Mapping[str, JsonValue], around: Surroundings) -> bool:
    """Whether a description could only repeat what a property's name, its values and the object around it say.

    A required argument needs one, unless it is an object with declared parts, or a URL, an address or a date of a
    declared form: its caller has to know where the value comes from. What may be left out of a call, a
    part of an object (`owner`) and a field of a result say enough with a list of values, a name of a flag
    (`include_archived`), a unit (`weight_kg`), a time of a declared form, or a name that means the same everywhere.
    """
    holder, owner, _, is_output = around
    if _is_one_of_a_group(name, holder) or _declares_parts(schema) or _is_end_of_range(name, schema, around):
        return True
    kind = _kind_of(schema)
    words = words_of(name)
    phrase = " ".join(words)
    has_form = "format" in schema or "pattern" in schema
    is_page = kind != "array" and phrase in _OF_PAGES
    is_optional = owner is None and not is_output
    if is_optional:
        required = holder.get("required")
        if isinstance(required, list) and name in required:
            return has_form and phrase in _FORMS
    is_look = kind in _PLAIN_TYPES and len(words) > 1 and {*words} <= _LOOKS
    is_amount = kind in _NUMBERS and len(words) > 1 and words[-1] in _UNITS
    is_time = kind == "string" and words[-1] in _TIMES and (has_form or is_output)
    if is_look or is_amount or is_time:
        return True
    if is_optional:
        if kind == "boolean":
            return len(words) > 1
        is_listed = "default" in schema and lists_words(schema)
        return is_listed or is_page or (kind == "string" and phrase in _OF_RECORDS)
    target = schema.get("$ref")
    is_reported_there = isinstance(target, str) and target.endswith(f"/properties/{name}")
    is_number_of_things = kind in _NUMBERS and (words[-1] == "count" or _is_plural(words[-1]))
    is_bound = owner is not None and words_of(owner)[-1] == "range" and phrase in _OTHER_END
    if kind == "boolean" or is_reported_there or is_number_of_things or is_bound or lists_words(schema):
        return True
    if owner and words[0] in (owner.lower(), owner.lower().removesuffix("s")):
        phrase = " ".join(words[1:])
    return kind in _PLAIN_TYPES and phrase in (_OF_RESULTS if is_output else _OF_PARTS)


def _kind_of(schema: Mapping[str, JsonValue]) -> JsonValue:
    """Return the type of a schema, without the null that stands for a value that is not given."""
    kind = schema.get("type")
    kinds = [one for one in kind if one != "null"] if isinstance(kind, list) else [kind]
    return kinds[0] if len(kinds) == 1 else None


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("as", "is", "ss", "us"))


def _is_one_of_a_group(name: str, siblings: Mapping[str, JsonValue]) -> bool:
    """Whether a property is a part of a point, a size or a color whose parts are all numbers."""
    properties = siblings.get("properties")
    for names, further in _TOGETHER:
        if (name in names or name == further) and isinstance(properties, dict) and names <= properties.keys():
            parts = [properties[part] for part in (*names, name)]
            return all(isinstance(part, dict) and _kind_of(part) in _NUMBERS for part in parts)
    return False


def _is_end_of_range(name: str, schema: Mapping[str, JsonValue], around: Surroundings) -> bool:
    """Whether a property is an end of a range (`cost_from`, `cost_to`), and another property or the object says of
    what. If the other end has a description, this one lacks it.
    """
    end = _END.search(name)
    properties = around.holder.get("properties")
    if end is None or not isinstance(properties, dict):
        return False
    word = _OTHER_END[end[0].lower()]
    other = properties.get(
        f"{name[: end.start()]}{word.capitalize() if end[0][0].isupper() else word}{name[end.end() :]}"
    )
    if not isinstance(other, dict) or "description" in other:
        return False
    before, after = name[: end.start()].rstrip("_-"), name[end.end() :]
    base = f"{before}{after}" if before else after[1:] if after[:1] in ("_", "-") else f"{after[:1].lower()}{after[1:]}"
    return base in properties or explains_itself(base, schema, around) if base else around.is_described


def lists_words(schema: Mapping[str, JsonValue]) -> bool:
    """Whether a schema lists its values, or those of its items, and all are words rather than numbers or codes."""
    items = schema.get("items")
    values = schema.get("enum", items.get("enum") if isinstance(items, dict) else None)
    return isinstance(values, list) and all(
        value is None or (isinstance(value, str) and len(value) >= _SHORTEST_WORD) for value in values
    )


def _declares_parts(schema: Mapping[str, JsonValue]) -> bool:
    """Whether a schema is that of an object with declared properties, or of a list of these."""
    items = schema.get("items")
    return any(isinstance(one, dict) and bool(one.get("properties")) for one in chain((schema,), (items,)))
