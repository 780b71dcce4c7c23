"""Properties whose name and schema say everything that a description would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.schemas.names import words_of
from mcp_contracts.rules.vocabulary import UNITS
from mcp_contracts.schema.references import follow

_TOGETHER = (
    (frozenset(("red", "green", "blue")), "alpha"),
    (frozenset(("x", "y")), "z"),
    (frozenset(("a", "b")), "c"),
    (frozenset(("width", "height")), "depth"),
    (frozenset(("latitude", "longitude")), "altitude"),
    (frozenset(("lat", "lng")), "alt"),
    (frozenset(("lat", "lon")), "alt"),
)
"""The names of the parts of a color, a point, a size and a place on Earth, each with an optional one."""
_OF_PAGES = frozenset(
    ("cursor", "limit", "next cursor", "next page token", "offset", "page", "page number", "page size", "page token",
     "per page")
)  # fmt: skip
_LOOKS = frozenset(
    ("all", "angle", "background", "border", "bottom", "color", "colour", "corner", "device", "end", "factor", "family",
     "fill", "font", "foreground", "height", "left", "line", "margin", "max", "min", "offset", "opacity", "padding",
     "radius", "right", "scale", "size", "spacing", "start", "stroke", "style", "text", "top", "weight", "width")
)  # fmt: skip
"""Words of which two together make a clear name, as in `paddingTop`, `strokeColor` and `font_size`."""
_OF_RECORDS = frozenset(
    ("city", "country", "description", "email", "email address", "language", "name", "nickname", "notes", "phone",
     "phone number", "title", "username")
)  # fmt: skip
_WRITTEN = frozenset(("body", "first name", "full name", "last name", "tags", "time zone", "timezone", "title"))
"""Names of values that users write or know about themselves."""
_OF_PARTS = _OF_RECORDS | {
    "bottom", "color", "colour", "depth", "height", "id", "index", "label", "left", "opacity", "right", "text", "top",
    "transparency", "uri", "url", "width",
}  # fmt: skip
_OF_RESULTS = _OF_PARTS | _OF_PAGES | {"count", "error", "message", "source", "success", "total"}
_OF_SPACE = ("position", "rotation", "size", "scale")
"""The names of numbers along the axes of a space."""
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
_DEEPEST = 8
_RESOLVED = ("$ref", "anyOf", "oneOf", "allOf")
_SAYS_LITTLE = frozenset(
    ("code", "config", "content", "contents", "data", "expression", "filter", "format", "id", "ids", "info", "key",
     "keys", "kind", "level", "metadata", "mode", "option", "options", "order", "params", "payload", "props", "query",
     "ref", "rule", "rules", "schema", "scope", "settings", "source", "state", "status", "target", "token", "type",
     "types", "value", "values", *_TIMES, *_UNITS)
)  # fmt: skip
"""Last words of names that do not say which values are possible, or where they come from."""


class Surroundings(NamedTuple):
    """What surrounds a property: its object, the name of that object in another one, whether that object has a
    description, and whether it is part of a result.
    """

    holder: Mapping[str, JsonValue]
    owner: str | None
    is_described: bool
    is_output: bool


def explains_itself(name: str, schema: Mapping[str, JsonValue], around: Surroundings) -> bool:
    """Whether a description could only repeat what a property's name, values and object say.

    A required argument needs one, because callers must know where the value comes from, unless it is an object with
    declared parts, or a URL, an address or a date in a declared form. For an optional argument, a part of an object
    (`owner`) and a field of a result, a list of values, the name of a flag (`include_archived`), a unit (`weight_kg`),
    a time in a declared form, or a name that means the same everywhere is sufficient.
    """
    holder, owner, _, is_output = around
    if _is_one_of_a_group(name, holder) or _is_end_of_range(name, schema, around) or _has_own_title(name, schema):
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
        is_listed = "default" in schema and _lists_words(schema)
        is_most = kind in _NUMBERS and "max" in words and (words[-1] == "count" or _is_plural(words[-1]))
        is_of_record = kind == "string" and (
            phrase in _OF_RECORDS or (len(words) > 1 and words[-1] in ("name", "email"))
        )
        return is_listed or is_most or is_page or is_of_record
    is_number_of_things = kind in _NUMBERS and (words[-1] == "count" or _is_plural(words[-1]))
    is_bound = owner is not None and words_of(owner)[-1] == "range" and phrase in _OTHER_END
    is_list_of_things = is_output and kind == "array" and _is_plural(words[-1]) and words[-1] not in _SAYS_LITTLE
    is_vector = kind == "array" and phrase in _OF_SPACE and _kind_of(as_meant(None, _items(schema))) in _NUMBERS
    if (
        kind == "boolean"
        or is_page
        or is_number_of_things
        or is_list_of_things
        or is_vector
        or is_bound
        or _lists_words(schema)
    ):
        return True
    if owner and words[0] in (owner.lower(), owner.lower().removesuffix("s")):
        phrase = " ".join(words[1:])
    return kind in _PLAIN_TYPES and phrase in (_OF_RESULTS if is_output else _OF_PARTS)


def is_clear_among_others(name: str, schema: Mapping[str, JsonValue], around: Surroundings, description: str) -> bool:
    """Whether a property whose neighbors lack descriptions as well needs none: a list of values, what people write
    (`title`), a string in an object or result with a name of several words (`logoAltText`), or an argument that the
    tool's description names (`by name`).
    """
    words = words_of(name)
    if _lists_words(schema) or " ".join(words) in _WRITTEN:
        return True
    if around.owner is None and not around.is_output:
        is_id = words[-1] in ("id", "ids", "key", "token")
        lead = r"\bby (?:\w+ ){0,3}" if len(words) == 1 or is_id else r"\b"
        lowered = description.lower()
        if _is_named(name, words, description):
            return True
        said = words[-1] if is_id and words[0] in lowered else " ".join(words)  # "a ticket by id"
        if said not in lowered and description.isascii():
            return False  # without a pattern for each of thousands of names
        return re.search(rf"{lead}{re.escape(said)}\b", description, re.IGNORECASE) is not None
    items = schema.get("items")
    kinds = {_kind_of(one) for one in (schema, items) if isinstance(one, dict)}
    return kinds in ({"string"}, {"string", "array"}) and len(words) > 1 and words[-1] not in _SAYS_LITTLE


def is_clear_to_callers(name: str, schema: Mapping[str, JsonValue], tool: ToolContract) -> bool:
    """Whether callers know what to send for a required argument: one of the listed words, what people write or know
    about themselves, a page, one of two things (`issueIdOrKey`), the query of a search, the ID or the name of what the
    tool is about (`boat_id` in `rent_boat`), or something that the tool's description names (`a URL`, `by city_id`).

    A long description in another language counts as an explanation, because only English is understood here.
    """
    words = words_of(name)
    phrase = " ".join(words)
    if _lists_words(schema) or " or " in phrase or phrase in _WRITTEN | _OF_RECORDS | _OF_PAGES | _MESSAGES:
        return True
    said = f"{tool.name} {tool.description}"
    if words[-1] in _OF_SEARCHES:
        return re.search(r"search|quer|find|look[ _-]?up|\bsql\b", said, re.IGNORECASE) is not None
    subject = _subject_of(words)
    if subject is not None and f"_{subject}_" in _separated(tool.name):
        return True
    is_foreign = _is_in_another_language(tool.description)
    if _is_named(name, words, tool.description) or (is_foreign and len(tool.description) >= _LONG):
        return True
    noun = words[0].removesuffix("s") if len(words) == 1 and words[0] not in _SAYS_LITTLE else subject
    lead = r"\b" if is_foreign else _ARTICLE
    return noun is not None and (
        re.search(rf"{lead}{re.escape(noun).replace('_', '[ -]')}s?\b", tool.description, re.IGNORECASE) is not None
    )


def _is_named(name: str, words: Sequence[str], description: str) -> bool:
    """Whether a description names a property as an identifier: in code, in quotes, or a name of several words."""
    if name not in description:
        return False
    written = rf"\b{re.escape(name)}\b" if len(words) > 1 else rf"([\"'`]){re.escape(name)}\1"
    return re.search(written, description) is not None


def _is_in_another_language(text: str) -> bool:
    """Whether text has letters that English lacks, and none of the most frequent words of English."""
    return not text.isascii() and _ENGLISH.search(text) is None and any(map(str.isalpha, filter(_is_beyond, text)))


def _is_beyond(character: str) -> bool:
    return not character.isascii()


_ENGLISH = re.compile(r"\b(?:and|for|of|the|this|to|with)\b", re.IGNORECASE)
_LONG = 120


def _subject_of(words: Sequence[str]) -> str | None:
    """Return the thing that an ID, a name or a text belongs to: `content_type` for `contentTypeId`, `post` for
    `postid`.
    """
    *owner, last = words
    if not owner and len(last) > len("id") + 2 and last.endswith("id"):
        return last[:-2]
    return "_".join(owner) if owner and last in ("id", "ids", "name", "names", "text") else None


def _separated(name: str) -> str:
    """Return the words of a tool's name, each without its plural ending, between underscores."""
    return f"_{'_'.join(word[:-1] if _is_plural(word) else word for word in words_of(name.replace('.', '_')))}_"


_MESSAGES = frozenset(("comment", "content", "message", "password", "question", "subject", "text"))
_OF_SEARCHES = ("keyword", "keywords", "q", "query", "sql", "term")
_ARTICLE = r"\b(?:an?|the|one|each|single|given|specific|specified|multiple|several|for|of|from) (?:[\w-]+ ){0,2}"


def as_meant(root: JsonValue, schema: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Return a schema with its reference followed, and a union with null replaced by the other branch."""
    for _ in range(_DEEPEST):
        reference = schema.get("$ref")
        target = follow(root, reference[1:]) if isinstance(reference, str) and reference.startswith("#/") else None
        if not isinstance(target, dict):
            for keyword in _RESOLVED[1:]:
                branches = schema.get(keyword)
                given = [one for one in branches if one != {"type": "null"}] if isinstance(branches, list) else []
                target = given[0] if len(given) == 1 else target
        if not isinstance(target, dict):
            break
        schema = {key: value for key, value in schema.items() if key not in _RESOLVED} | target
    return schema


def _kind_of(schema: Mapping[str, JsonValue]) -> str | None:
    """Return the type of a schema, without the null that represents a missing value. If it has several types, return
    the type of the default.
    """
    kind = schema.get("type")
    kinds = [one for one in kind if one != "null"] if isinstance(kind, list) else [kind]
    default = schema.get("default")
    of_default = "boolean" if isinstance(default, bool) else "number" if isinstance(default, int | float) else None
    return kinds[0] if len(kinds) == 1 and isinstance(kinds[0], str) else of_default


def _items(schema: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    items = schema.get("items")
    return items if isinstance(items, dict) else {}


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
    """Whether a property is an end of a range (`cost_from`, `cost_to`), and another property or the object says what it
    limits. If the other end has a description, this end needs one too.
    """
    end = _END.search(name)
    properties = around.holder.get("properties")
    if name.startswith("$") and around.is_described:
        return True  # an operator of a query: `$eq`
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
    if around.is_described or not base:
        return around.is_described or (around.owner is not None and _is_plural(around.owner))
    return base in properties or explains_itself(base, schema, around)


def _has_own_title(name: str, schema: Mapping[str, JsonValue]) -> bool:
    """Whether the title of a property says more than its name, unlike those that generators make from names."""
    title = schema.get("title")
    if not isinstance(title, str):
        return False
    words = title.lower().split()
    return (len(words) > 1 or not title.isascii()) and not {*words} <= {*words_of(name)}


def _lists_words(schema: Mapping[str, JsonValue]) -> bool:
    """Whether a schema lists its values, or those of its items, and some values are words rather than numbers or
    codes."""
    items = schema.get("items")
    values = schema.get("enum", items.get("enum") if isinstance(items, dict) else None)
    if not isinstance(values, list):
        return False
    given = [value for value in values if value is not None]
    is_word = (isinstance(one, str) and len(one) >= _SHORTEST_WORD and one[0].isalpha() for one in given)
    return len(given) == 1 or any(is_word)


def declares_parts(root: JsonValue, schema: Mapping[str, JsonValue], depth: int = 0) -> bool:
    """Whether a schema describes an object with declared properties, one of several such objects, or a list."""
    meant = as_meant(root, schema)
    inner = [meant.get("items")]
    for keyword in ("anyOf", "oneOf"):
        branches = meant.get(keyword)
        inner = [one for one in branches if one != {"type": "null"}] if isinstance(branches, list) else inner
    is_empty = meant.get("properties") == {} and meant.get("additionalProperties") is False
    return (
        is_empty
        or bool(meant.get("properties"))
        or (depth < _DEEPEST and all(isinstance(one, dict) and declares_parts(root, one, depth + 1) for one in inner))
    )


def described_names(description: str) -> AbstractSet[str]:
    """Return the parameters that the description of a tool describes line by line, as docstrings do."""
    names = {name for found in _PARAM.findall(description) for name in found if name}
    for listed in _ARGS.finditer(description):
        names.update(name for found in _ARG.findall(listed[1]) for name in found)
    return frozenset(names)


_PARAM = re.compile(
    r"^[ \t]*[:@]param[ \t]+(?:\{[^{}\n]*\}[ \t]+)?(?:\w+[ \t]+(\w+):|\[?(\w+)\]?(?::|[ \t]))[ \t]*(?:[-–—][ \t]*)?\w",
    re.MULTILINE,
)
"""`:param int limit: …`, `@param limit …` or `@param {number} limit - …`"""
_ARGS = re.compile(
    r"^[ \t]*(?:#+ |\*\*)?(?:Args|Arguments|Parameters|Params)\b[:*]*[ \t]*\n"
    r"(?:[ \t]*-{3,}\n)?((?:[ \t]*\S.*(?:\n|\Z))+)",
    re.MULTILINE,
)
_ARG_NAME = r"[`*]*+(\w+)[`*]*+[ \t]*+"
_ARG = re.compile(
    rf"^[ \t]*(?:[-*][ \t]+)?{_ARG_NAME}(?:(?:[|,/]|or)[ \t]*{_ARG_NAME})?(?:\([^()\n]*\))?[`*]*:[ \t]*\S", re.MULTILINE
)
