"""Types in the notation of the format's tables, such as `array[string]`, converted from a schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.parsing.parameters.types import clean_type, read_type
from mcp_contracts.schema.outline import ITEM, SchemaPlace, child_of, place_of, stated_types
from mcp_contracts.schema.simple import one_or_more, value_key

_ORDER = ("string", "integer", "number", "boolean", "array", "object", "null")
_FORMATS = {"date-time": "datetime", "date": "date", "time": "time", "uri": "uri", "uuid": "uuid", "email": "email"}
_NOTATION = frozenset((*_ORDER, *_FORMATS.values(), "any", "dict", "enum", "or", "path", "bytes"))
_WORDS = re.compile(r"[A-Za-z_][\w.-]*")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_OF_TYPES = frozenset(("optional", "union", "literal", "or", "of", "typing", "enum", "an", "a"))
_LISTED = re.compile(r"\b(?:enum|literal)\[[^\]]{0,1000}\]", re.IGNORECASE)
_TYPES_ONLY = re.compile(r"[A-Za-z_.\-\s\[\]<>|,/]*")
_LONGEST_ENUM = 60
_DEEPEST = 4
_MOST_BRANCHES = 5
_UNSAID = ("format", "contentEncoding", "uniqueItems", "minItems", "maxItems")


def type_cell(cell: str, root: JsonValue, place: SchemaPlace) -> str:
    """Return the cell `Type` for a value's place, in the format's notation.

    The author's text is kept if it means the same in that notation (`datetime` for text with a format), or says more
    than a type.
    """
    said = read_type(cell) if cell else None
    if cell and not _is_bare(cell):
        return cell
    meant = type_of_place(root, place)
    if said is None or not (_plainly(said) == _plainly(meant) or _lists_same(said, place)):
        return written_type(meant)
    plain = clean_type(cell)
    is_canonical = plain == cell and all(word in _NOTATION for word in _WORDS.findall(_QUOTED.sub("", plain)))
    return cell if is_canonical else written_type(said)


def _lists_same(said: Mapping[str, JsonValue], place: SchemaPlace) -> bool:
    """Whether a type lists the same values as the schema, in any order."""
    values, listed = said.get("enum"), next((s["enum"] for s in place.schemas if "enum" in s), None)
    if not isinstance(values, list) or not isinstance(listed, list):
        return False
    return {value_key(value) for value in values} == {value_key(value) for value in listed}


def type_of_place(root: JsonValue, place: SchemaPlace, depth: int = 0) -> dict[str, JsonValue]:
    """Return what a table can state about a place: types, listed values, items of an array, members of a map."""
    values = next((schema["enum"] for schema in place.schemas if isinstance(schema.get("enum"), list)), None)
    if isinstance(values, list) and _is_short(values):
        return {"enum": values}
    branches = _branches(root, place, depth)
    if branches is not None:
        return branches
    types = stated_types(root, place.schema)
    ordered: list[JsonValue] = [name for name in _ORDER if name in types]
    if not ordered or len(ordered) == len(_ORDER):
        return {}
    meant: dict[str, JsonValue] = {"type": ordered[0] if len(ordered) == 1 else ordered}
    if "array" in types and depth < _DEEPEST and set(types) <= {"array", "null"}:
        items = child_of(root, place, ITEM)
        if items is not None and isinstance(items.schema, dict):
            meant["items"] = type_of_place(root, items, depth + 1)
    if "object" in types and set(types) <= {"object", "null"} and place.is_open and depth < _DEEPEST:
        members = next((s["additionalProperties"] for s in place.schemas if s.get("additionalProperties")), None)
        if isinstance(members, dict):
            said = type_of_place(root, place_of(root, members), depth + 1)
            meant.update({"additionalProperties": said} if said else {})
    return meant


def _branches(root: JsonValue, place: SchemaPlace, depth: int) -> dict[str, JsonValue] | None:
    """Return the text of alternatives that differ in more than their types, or None."""
    if not isinstance(place.schema, dict) or "type" in place.schema or depth >= _DEEPEST:
        return None
    listed = place.schema.get("anyOf", place.schema.get("oneOf"))
    if not isinstance(listed, list) or not 1 < len(listed) <= _MOST_BRANCHES:
        return None
    said = [type_of_place(root, place_of(root, branch), depth + 1) for branch in listed]
    others = [branch for branch in said if branch != {"type": "null"}]
    if any(not branch or "enum" in branch for branch in said) or all(branch.keys() == {"type"} for branch in said):
        return None
    if len(others) == 1 and isinstance(others[0]["type"], str):
        return {**others[0], "type": [others[0]["type"], *["null"] * (len(others) < len(said))]}
    unions: list[JsonValue] = [*said]
    return {"anyOf": unions}


def written_type(schema: Mapping[str, JsonValue]) -> str:
    """Return the format's notation for a schema that contains only types."""
    values = schema.get("enum")
    if isinstance(values, list):
        shown = ", ".join(json.dumps(value, ensure_ascii=False) for value in values)
        return f"enum[{shown}]"
    branches = schema.get("anyOf")
    if isinstance(branches, list):
        return " or ".join(written_type(branch) for branch in branches if isinstance(branch, dict)) or "any"
    return " or ".join(_names(schema, one_or_more(schema.get("type")))) if schema.get("type") else "any"


def _names(schema: Mapping[str, JsonValue], names: list[JsonValue]) -> Iterator[str]:
    for name in names:
        items, members = schema.get("items"), schema.get("additionalProperties")
        form = schema.get("format")
        if name == "array" and isinstance(items, dict):
            yield f"array[{written_type(items)}]"
        elif name == "object" and isinstance(members, dict):
            yield f"dict[string, {written_type(members)}]"
        elif name == "string" and isinstance(form, str) and form in _FORMATS:
            yield _FORMATS[form]
        elif name == "string" and schema.get("contentEncoding") == "base64":
            yield "bytes"
        else:
            yield str(name)


def _is_short(values: list[JsonValue]) -> bool:
    """Whether listed values fit into a cell: a few scalars, without characters that would break a table."""
    if not values or any(isinstance(value, list | dict | float) for value in values):
        return False
    text = written_type({"enum": values})
    return len(text) <= _LONGEST_ENUM and not set(text) & set("|`\\\n") and read_type(text) == {"enum": values}


def _is_bare(cell: str) -> bool:
    """Whether a cell contains a type without a remark."""
    left = _QUOTED.sub("", _LISTED.sub("", clean_type(cell)))
    words = _WORDS.findall(left)
    return _TYPES_ONLY.fullmatch(left) is not None and all(
        word.lower() in _OF_TYPES or read_type(word) is not None for word in words
    )


def _plainly(schema: Mapping[str, JsonValue]) -> JsonValue:
    """Return a schema in a canonical order, without parts that a table need not state."""
    plain: dict[str, JsonValue] = {key: value for key, value in schema.items() if key not in _UNSAID}
    stated = plain.get("type")
    if isinstance(stated, list):
        plain["type"] = [name for name in _ORDER if name in stated]
    for key in ("items", "additionalProperties"):
        inner = plain.get(key)
        if isinstance(inner, dict):
            plain[key] = _plainly(inner)
    if plain.get("items") == {} and plain.get("type") == "array":
        del plain["items"]
    branches = plain.get("anyOf")
    if isinstance(branches, list):
        plain["anyOf"] = [_plainly(branch) if isinstance(branch, dict) else branch for branch in branches]
    return plain
