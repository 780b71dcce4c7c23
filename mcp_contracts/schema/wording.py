"""How messages write values, paths, types and the requirements of keywords."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue

MAXIMUM_SHOWN = 60
"""The maximum number of characters of a value that a message shows."""

Path = Sequence[str | int]
"""The keys and indexes that lead from a value to one inside it."""

_ENCODER = json.JSONEncoder(ensure_ascii=False)
_MAXIMUM_LISTED = 5
_TYPE_ORDER = ("string", "integer", "number", "boolean", "array", "object", "null")


def writable(text: str) -> str:
    """Escape characters that UTF-8 cannot encode."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def shown_value(value: JsonValue, *, limit: int = MAXIMUM_SHOWN) -> str:
    """Write a value as JSON on one line, shortened, with unprintable characters escaped."""
    text = ""
    try:
        # In chunks, so that only the part of a large value that is shown is written.
        for chunk in _ENCODER.iterencode(value[: limit + 1] if isinstance(value, str) else value):
            text += chunk[: limit + 1]
            if len(text) > limit:
                break
    except (RecursionError, TypeError, ValueError):
        text = f"{text}…"
    if len(text) <= limit:
        return shown_text(text, limit=limit)
    # Cut outside escapes, and close a string that is cut, so that it does not end in the middle of an escape.
    cut = _HALF_ESCAPE.sub(r"\1", text[: limit - 2])
    is_in_string = _ESCAPE.sub("", cut).count('"') % 2 == 1
    return shown_text(f'{cut}…"' if is_in_string else f"{text[: limit - 1]}…", limit=limit)


def is_cut(shown: str) -> bool:
    """Whether `shown_value` has shortened a value."""
    return shown.endswith(("…", '…"'))


_ESCAPE = re.compile(r"\\.")
_HALF_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\\Z|\\u[0-9a-f]{0,3}\Z")


def shown_text(text: str, *, limit: int = MAXIMUM_SHOWN) -> str:
    """Write text for use between backticks: on one line, shortened, with unprintable characters escaped."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return short if short.isprintable() else "".join(map(_visible, short))


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def pointer_to(path: Path) -> str:
    """Write a path as a JSON pointer (RFC 6901)."""
    from mcp_contracts.json_values.pointers import escape

    return "".join(f"/{escape(token) if isinstance(token, str) else token}" for token in path)


def value_at(value: JsonValue, path: Path) -> JsonValue:
    """Return the value at a path, or None if it does not exist."""
    for token in path:
        if isinstance(value, dict) and isinstance(token, str):
            value = value.get(token)
        elif isinstance(value, list) and isinstance(token, int) and token < len(value):
            value = value[token]
        else:
            return None
    return value


def name_at(path: Path, subject: str) -> str:
    """Name the value at a path, such as `filter.tags[0]`; `subject` names the whole value."""
    name = ""
    for token in path:
        if isinstance(token, int):
            name += f"[{token}]"
        else:
            name += f".{token}" if name else token
    # The end of a long path is more informative than its beginning.
    short = name if len(name) <= MAXIMUM_SHOWN else f"…{name[1 - MAXIMUM_SHOWN :]}"
    return f"`{''.join(map(_visible, short))}`" if path else subject


def options(values: Sequence[JsonValue]) -> str:
    """List the first values, with the number of the others: `"a", "b" or one of 7 more`."""
    return one_of([shown_value(value, limit=20) for value in values[:_MAXIMUM_LISTED]], total=len(values))


def one_of(words: Sequence[str], conjunction: str = "or", total: int | None = None) -> str:
    """Join words: `a`, `a or b`, `a, b or c`, `a, b, c, d, e or one of 7 more`.

    `words` are the first of `total`, or all.
    """
    total = len(words) if total is None else total
    if total > _MAXIMUM_LISTED:
        rest = total - _MAXIMUM_LISTED
        last = f"one of {rest} more" if conjunction == "or" else f"{rest} more"
        words = [*words[:_MAXIMUM_LISTED], last]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def type_names(types: Iterable[str]) -> str:
    """List types in a fixed order, `null` last: `string or null`."""
    return one_of(sorted(types, key=lambda name: _TYPE_ORDER.index(name) if name in _TYPE_ORDER else -1))


def refusal(keyword: str, detail: JsonValue, value: JsonValue, name: str) -> str:
    """Say why `value`, named `name`, violates a keyword: "`limit` is 51, greater than the maximum of 50".

    `detail` is the keyword's value or, for `required` and `additionalProperties`, the property.
    """
    text = shown_value(value)
    asked = shown_value(detail)
    match keyword:
        case "type":
            types = detail if isinstance(detail, list) else [detail]
            return f"{name} is {text}, not of type {type_names(str(item) for item in types)}"
        case "enum":
            return f"{name} is {text}, not {options(detail if isinstance(detail, list) else [])}"
        case "const":
            return f"{name} is {text}, not {asked}"
        case "required":
            return f"{name} lacks the required property `{shown_text(str(detail))}`"
        case "additionalProperties" | "unevaluatedProperties":
            return f"{name} is a property that the schema does not allow"
        case "additionalItems" | "unevaluatedItems":
            return f"{name} contains more items than the schema allows"
        case "falseSchema":
            return f"{name} is a value that the schema does not allow"
        case "pattern":
            return f"{name} is {text}, which does not match the pattern `{_unquote(asked)}`"
        case "propertyNames":
            return f"{name} has a property name that `propertyNames` rejects"
        case "uniqueItems":
            return f"{name} contains the same item twice"
        case "not":
            return f"{name} is {text}, which `not` forbids"
        case "oneOf":
            return f"{name} is {text}, which matches more than one alternative of `oneOf`"
        case "contains" | "minContains":
            return f"{name} contains too few items that match `contains`"
        case "maxContains":
            return f"{name} contains too many items that match `contains`"
    template = _BOUNDS.get(keyword)
    if template is None:
        return f"{name} is {text}, which `{keyword}` rejects"
    size = len(value) if isinstance(value, str | list | dict) else 0
    return template.format(name=name, text=text, asked=asked, size=size, s="" if size == 1 else "s")


def _unquote(text: str) -> str:
    """Return a JSON string without its quotes and doubled backslashes."""
    return text[1:].removesuffix('"').replace("\\\\", "\\")


_BOUNDS = {
    "minimum": "{name} is {text}, less than the minimum of {asked}",
    "maximum": "{name} is {text}, greater than the maximum of {asked}",
    "exclusiveMinimum": "{name} is {text}, not greater than {asked}",
    "exclusiveMaximum": "{name} is {text}, not less than {asked}",
    "multipleOf": "{name} is {text}, not a multiple of {asked}",
    "minLength": "{name} is {text}, which has {size} character{s}, fewer than the minimum of {asked}",
    "maxLength": "{name} is {text}, which has {size} character{s}, more than the maximum of {asked}",
    "minItems": "{name} has {size} item{s}, fewer than the minimum of {asked}",
    "maxItems": "{name} has {size} item{s}, more than the maximum of {asked}",
    "minProperties": "{name} has fewer properties than the minimum of {asked}",
    "maxProperties": "{name} has more properties than the maximum of {asked}",
}
