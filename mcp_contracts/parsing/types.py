"""Types as people write them in a table or a signature, read as JSON Schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from mcp_contracts.contract import JsonValue

Schema = dict[str, JsonValue]

_MEANINGS: tuple[tuple[str, Schema], ...] = (
    ("string str text char varchar strings path filepath pathlib.path", {"type": "string"}),
    ("integer int long int32 int64 uint integers ints", {"type": "integer"}),
    ("number float double decimal numeric numbers floats float32 float64", {"type": "number"}),
    ("boolean bool flag booleans bools", {"type": "boolean"}),
    ("null none nil void", {"type": "null"}),
    ("object dict map mapping dictionary json record struct objects dicts", {"type": "object"}),
    ("array list tuple sequence iterable arrays lists", {"type": "array"}),
    ("set frozenset", {"type": "array", "uniqueItems": True}),
    ("any mixed unknown jsonvalue", {}),
    ("datetime date-time timestamp", {"type": "string", "format": "date-time"}),
    ("date", {"type": "string", "format": "date"}),
    ("time", {"type": "string", "format": "time"}),
    ("url uri", {"type": "string", "format": "uri"}),
    ("uuid", {"type": "string", "format": "uuid"}),
    ("email", {"type": "string", "format": "email"}),
    ("bytes", {"type": "string", "contentEncoding": "base64"}),
)
_SIMPLE: Mapping[str, Schema] = {word: schema for words, schema in _MEANINGS for word in words.split()}
_LISTS = ("list", "array", "sequence", "iterable", "tuple", "set", "frozenset", "collection")
_MAPS = ("dict", "map", "mapping", "record", "object", "dictionary")
_MARKS = (("`", ""), ("**", ""), ("\\|", "|"), ("\\ |", "|"), ("\\[", "["), ("\\]", "]"))
_NOTE = re.compile(r"\((?!\s*[\"'\d])[^()]*\)|,? ?\b(?:optional|required|nullable)\b|\?$", re.IGNORECASE)
_GENERIC = re.compile(r"(?:typing\.|t\.)?([A-Za-z]+) ?(?:\[(.*)\]|<(.*)>|\((.*)\))")
_LIST_OF = re.compile(r"(?:an? )?(?:array|list|sequence|set)s? of (?:an? )?(.+)", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?|true|false")
_MAX_LENGTH = 2_000
_MAX_NESTING = 20


def read_type(text: str) -> Schema | None:
    """The JSON Schema that a written type means, or None where nobody can tell.

    Understood: `string`, `int`, `float`, `array[string]`, `List[str]`, `string[]`, `array of strings`,
    `enum["a","b"]`, `Literal["a"]`, `"a" | "b"`, `string or null`, `str | None`, `Optional[int]`, `dict[str, Any]`,
    with notes such as `string (optional)`. The result is shared: copy it before changing it.
    """
    return _meaning(text) if len(text) <= _MAX_LENGTH else None


@lru_cache(maxsize=4096)
def _meaning(text: str) -> Schema | None:
    text = clean_type(text)
    if not text or text in ("-", "—", "–", "--"):
        return None
    read = _read(text, 0)
    if read is None:
        without_notes = _NOTE.sub("", text).strip(" ,;")
        if without_notes and without_notes != text:
            read = _read(without_notes, 0)
    return read


def clean_type(text: str) -> str:
    """A type without the Markdown around it: backticks, emphasis, escaped pipes and brackets."""
    for mark, meaning in _MARKS:
        text = text.replace(mark, meaning)
    return " ".join(text.split()).strip("*\\ ")


def _read(text: str, depth: int) -> Schema | None:
    if depth > _MAX_NESTING:
        return None
    text = text.strip()
    parts = list(_alternatives(text))
    if len(parts) > 1:
        return _union([_read(part, depth + 1) for part in parts])
    literal = _literal(text)
    if literal is not None:
        return {"enum": literal}
    lowered = text.lower()
    if lowered in _SIMPLE:
        return dict(_SIMPLE[lowered])
    if text.endswith("[]"):
        return _array(_read(text[:-2], depth + 1), {"type": "array"})
    generic = _GENERIC.fullmatch(text)
    if generic:
        read = _generic(generic[1].lower(), next(group for group in generic.groups()[1:] if group is not None), depth)
        if read is not None:
            return read
    phrase = _LIST_OF.fullmatch(text)
    return _array(_read(phrase[1], depth + 1), {"type": "array"}) if phrase else None


def _generic(name: str, inside: str, depth: int) -> Schema | None:
    if name in ("enum", "literal", "oneof", "choice"):
        values = [_value(part) for part in _split(inside, ",")]
        return {"enum": values} if values else None
    if name == "optional":
        return _union([_read(inside, depth + 1), {"type": "null"}])
    if name in ("union", "anyof"):
        return _union([_read(part, depth + 1) for part in _split(inside, ",")])
    if name in ("annotated", "required", "notrequired", "readonly"):
        return _read(next(iter(_split(inside, ","))), depth + 1)
    if name in _LISTS:
        schema: Schema = {"type": "array", "uniqueItems": True} if name in ("set", "frozenset") else {"type": "array"}
        parts = [part for part in _split(inside, ",") if part.strip() != "..."]
        if name == "tuple" and len(parts) > 1:
            return schema
        return _array(_read(inside if len(parts) != 1 else parts[0], depth + 1), schema)
    if name in _SIMPLE and name not in _MAPS:
        # `string ("fast" or "slow")`, `varchar(255)`
        stated = _union([_read(part, depth + 1) for part in _alternatives(inside)]) or {}
        is_enum = "enum" in stated and all(isinstance(value, str) for value in _listed(stated))
        return stated if is_enum else dict(_SIMPLE[name])
    if name in _MAPS:
        parts = list(_split(inside, ",")) if inside.strip() else []
        if len(parts) < 2:
            parts = list(_split(inside, ":"))
        member = _read(parts[1], depth + 1) if len(parts) == 2 else {}
        if member is None:
            return None
        return {"type": "object", "additionalProperties": member} if member else {"type": "object"}
    return None


def _array(items: Schema | None, schema: Schema) -> Schema | None:
    if items is None:
        return None
    return {**schema, "items": items} if items else schema


def _union(members: list[Schema | None]) -> Schema | None:
    """One schema for several; None where one of them is unknown."""
    schemas: list[Schema] = []
    for member in members:
        if member is None:
            return None
        if member not in schemas:
            schemas.append(member)
    if any(not schema for schema in schemas):
        return {}
    if len(schemas) == 1:
        return schemas[0]
    if all(set(schema) == {"enum"} for schema in schemas):
        values: list[JsonValue] = []
        for schema in schemas:
            values.extend(_listed(schema))
        return {"enum": values}
    null = {"type": "null"}
    others = [schema for schema in schemas if schema != null]
    if all(isinstance(schema.get("type"), str) for schema in others) and (
        len(others) == 1 or all(set(schema) == {"type"} for schema in others)
    ):
        merged: Schema = {}
        for schema in others:
            merged.update(schema)
        merged["type"] = [*(schema["type"] for schema in others), *(["null"] if null in schemas else [])]
        return merged
    if len(others) == 1 and "enum" in others[0]:
        return {"enum": [*_listed(others[0]), None]}
    return {"anyOf": list(schemas)}


def _listed(schema: Schema) -> list[JsonValue]:
    values = schema["enum"]
    return values if isinstance(values, list) else []


def _literal(text: str) -> list[JsonValue] | None:
    """The values of `"a"`, `"a", "b"`, `'a'` or `3`, where nothing but values stands there."""
    if _NUMBER.fullmatch(text):
        return [_value(text)]
    if text[:1] not in ('"', "'"):
        return None
    values = [part.strip() for part in _split(text, ",")]
    return [_value(value) for value in values] if all(map(_QUOTED.fullmatch, values)) else None


def _value(text: str) -> JsonValue:
    """A value inside an enum: JSON, a Python literal, or the bare word itself."""
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] == "'":
        return text[1:-1]
    try:
        value: JsonValue = json.loads({"True": "true", "False": "false", "None": "null"}.get(text, text))
    except (ValueError, RecursionError):
        return text.strip("\"'")
    return value


def _alternatives(text: str) -> Iterator[str]:
    for part in _split(text, "|"):
        yield from _split_words(part)


def _split_words(text: str) -> Iterator[str]:
    """Split at ` or ` outside brackets and quotes, and at `/` between plain words."""
    start = 0
    for match in re.finditer(r" or ", text):
        if _depth(text[start : match.start()]) == 0:
            yield text[start : match.start()].rstrip(", ")
            start = match.end()
    rest = text[start:]
    if re.fullmatch(r"\w+( ?/ ?\w+)+", rest):
        yield from rest.split("/")
    else:
        yield rest


def _split(text: str, separator: str) -> Iterator[str]:
    """Split at a separator that stands outside brackets and quotes."""
    if separator not in text:
        yield text
        return
    depth, quote, start = 0, "", 0
    for index, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "[(<{":
            depth += 1
        elif character in "])>}":
            depth -= 1
        elif character == separator and depth <= 0:
            yield text[start:index]
            start = index + 1
    yield text[start:]


def _depth(text: str) -> int:
    return sum(text.count(mark) for mark in "[(<{") - sum(text.count(mark) for mark in "])>}") + text.count('"') % 2
