"""Reads types in the notations of tables and signatures as JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.parsing.parameters.type_words import LISTS, MAPS, OF_PYTHON, SIMPLE, THINGS, Schema
from mcp_contracts.parsing.placeholder_texts import TEMPLATE_WORD
from mcp_contracts.rule_names import nearest

_LINK = re.compile(r"\[([^\[\]]+)\]\((?:#|\.{0,2}/|https?:)[^()\s]*\)")
_MARKS = (("`", ""), ("**", ""), ("\\|", "|"), ("\\ |", "|"), ("\\[", "["), ("\\]", "]"))
_NOTE = re.compile(
    r"\((?!\s*[\"'\d])[^()]*\)|(?<=object) ?\{[^{}]*\}|(?<=objects) ?\{[^{}]*\}"
    r"|,? ?\b(?:optional|required|nullable|unique)\b|\?$|^\?|!$|(?<!\s)\s*+(?<![<>=!])=[^=<>]*$|(?<=\s)=[^=<>]*$",
    re.IGNORECASE,
)
_GENERIC = re.compile(r"(?:(?:typing|t|np|pd|numpy|collections|abc|typing_extensions)\.)*([A-Za-z]+) ?"
                      r"(?:\[(.*)\]|<(.*)>|\((.*)\))")  # fmt: skip
_LIST_OF = re.compile(r"(?:an? )?(?:non-?empty )?(?:array|list|sequence|set)s? of (?:an? |the )?(.+)", re.IGNORECASE)
_LIST_ABROAD = re.compile(
    r"(?:liste|lista|lijst|array|tableau|arreglo|matriz|elenco) (?:de |d['’]|von |di |van |av |af )(.+)", re.IGNORECASE
)
_MAP_OF = re.compile(r"(?:an? )?(?:dict|map|mapping|dictionary|object) (?:of|from) .+", re.IGNORECASE)
_CHOICES = re.compile(
    r"(?:string )?(?:enum|one of|oneof|either|choice|literal) ?:? ?[\[({]?([^\])}]+)[\])}]?", re.IGNORECASE
)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?|true|false", re.IGNORECASE)
_IN_CODE = re.compile(r"`[^`|]+`(?: ?(?:\\?\||,|/|or|, or) ?`[^`|]+`)+")
_STRING_IN_CODE = re.compile(r"(?:string|str|text|enum) ?\((?=`)([^()]*)\)", re.IGNORECASE)
_QUOTED_VALUES = re.compile(
    r"(?:string|str|text)(?:: ?| ?\((?:enum|one of|values|choices)?:? ?)"
    r"(\"[^\"]+\"(?:(?: ?\\?\| ?|, ?| or | ?/ ?)\"[^\"]+\")+)\)?",
    re.IGNORECASE,
)
"""A string with its values: `string (enum: "png", "jpg")`, `string: "png" | "jpg"`."""
_EPOCH = re.compile(r"(?:unix|epoch)[ -]?time(?:stamp)?\b.*|epoch(?: (?:seconds|ms|milliseconds))?", re.IGNORECASE)
_MOST_DIGITS = 6
_ADJECTIVES = re.compile(
    r"(?:(?:positive|negative|non-?negative|unsigned|signed|non-?empty|comma-?separated|base64(?:-?encoded)?|utf-?8|json"
    r"|iso[ -]?8601|iso|uuid|url|uri|hex|date|datetime|absolute|relative|file|directory|free|nested|numpy|python|plain"
    r"|markdown|raw|sorted|optional|required|nullable|serialized|encoded|unix|an?|\d+-?(?:bit|char|digit)|semver|xml|html"
    r"|regex|sql|email|key-?value|case-insensitive|short|long|double|single) ){1,4}(\w+)",
    re.IGNORECASE,
)  # fmt: skip
_LIMITS = re.compile(
    r"(.+?),? ?(?:(?:in |from |between )?(?:-*+[<>=≤≥∈\[(])++ ?-?\d.*"
    r"|(?:in |from |between )?-?\d[\d.,_]{0,40} ?(?:\.{2,9}|-|–|to|and) ?-?\d[\d.,_]{0,40}%?[\])]?)"
)
_REMARK = re.compile(
    r"(.+?)(?:[,;:] ?| [—–-]+ |\. | (?:with|in|containing|matching|like|such|e\.g\.?|formatted|representing|as|from"
    r"|between|that|which|where|using|per|keyed|mapping|max|min|up|default|defaults|for|to|see|path|value|values|each|key"
    r"|name|id|url|timestamp|date|code|format|flag|content|data)\b ?).*",
    re.IGNORECASE | re.DOTALL,
)
_PLAIN_PHRASE = re.compile(r"(string|str|text|number|integer|int|float) of .+", re.IGNORECASE)
_ENDS_IN_TYPE = re.compile(
    r"(?!.*\b(?:of|or|and|not?|maybe|sometimes|string|object|number)\b.* )"
    r"(?:[\w-]+ ){1,2}(string|object|number|integer|boolean|int|float)s?",
    re.IGNORECASE,
)
_BARE_CHOICES = re.compile(r"[A-Za-z][\w-]*(?: ?\\?[|/] ?[A-Za-z][\w-]*)+")
_CLEAR = ("string", "number", "integer", "boolean", "object", "array", "float", "null")
_TRAILING_LIST = re.compile(r"(\w+) (?:array|list)", re.IGNORECASE)
_MODULE = re.compile(r"(?<![\w.])(?:[A-Za-z_]\w*+\.)++(?=[A-Za-z]\w*+$)")
_CLASS = re.compile(r"(?:[a-z_]\w*\.)*[A-Z][a-z0-9]+[A-Z][a-zA-Z0-9]*|(?:[a-z_]\w*\.)+[A-Z]\w+")
_COORDINATE = re.compile(r"(?:[xyzwhuvrgb]|lat|lon|lng|width|height)\d?")
_MAX_LENGTH = 2_000
_MAX_REMARKED = 300
_MAX_NESTING = 20


def read_type(text: str) -> Schema | None:
    """Return the JSON Schema that a written type means, or None if that cannot be determined.

    Understood: `string`, `int`, `float`, `array[string]`, `List[str]`, `string[]`, `array of strings`, `enum["a","b"]`,
    `Literal["a"]`, `"a" | "b"`, `string or null`, `str | None`, `Optional[int]`, `dict[str, Any]`, with notes such as
    `string (optional)`, limits such as `int >= 0`, and a remark after the type. A class name of two words
    (`UserProfile`) means any type. The result is shared: copy it before changing it.
    """
    return _meaning(text) if len(text) <= _MAX_LENGTH else None


@lru_cache(maxsize=4096)
def _meaning(text: str) -> Schema | None:
    if text in SIMPLE and text.isalpha():
        return dict(SIMPLE[text])
    if (listed := _STRING_IN_CODE.fullmatch(text)) is not None and _IN_CODE.fullmatch(listed[1]):
        text = listed[1]  # `string (`a`, `b`)`
    if (quoted := _QUOTED_VALUES.fullmatch(clean_type(text))) is not None:
        return {"enum": list(re.findall(r"\"([^\"]+)\"", quoted[1]))}
    if _EPOCH.fullmatch(text):
        return {"type": "number"}
    if _IN_CODE.fullmatch(text) and _read(clean_type(text), 0) is None:
        values = [part for part in re.findall(r"`([^`]+)`", text) if re.fullmatch(r"[\w.-]+", part)]
        return {"enum": [_value(value) for value in values]} if len(values) == text.count("`") // 2 else None
    text = clean_type(text)
    if not text or text in ("-", "—", "–", "--"):
        return None
    read = _read(text, 0)
    if read is None:
        without_notes = _NOTE.sub("", _NOTE.sub("", text).strip(" ,;.*")).strip(" ,;.*")  # `Guid? (string)`
        read = _read(without_notes, 0) if without_notes and without_notes != text else None
        read = _read_remarked_type(without_notes or text) if read is None and len(text) <= _MAX_REMARKED else read
    return read


def _read_remarked_type(text: str) -> Schema | None:
    """Return a type with more than its name: choices, a limit, an adjective before it, or a remark after it."""
    if text.count("[") != text.count("]"):
        return None
    choices = _CHOICES.fullmatch(text)
    if choices:
        parts = [part for part in re.split(r"(?:(?<!\s)\s++)?(?:[,|/]|\bor\b)\s*+", choices[1]) if part.strip()]
        return {"enum": [_value(part) for part in parts]} if len(parts) > 1 else None
    bare = re.split(r" ?\\?[|/] ?", text) if _BARE_CHOICES.fullmatch(text) else []
    if bare and not any(part.lower() in SIMPLE or nearest(part.lower(), _CLEAR) for part in bare):
        return {"enum": list(bare)}
    union = [SIMPLE.get(part.lower()) for part in re.split(r",? or |, ?", text)]
    if len(union) > 1 and None not in union:
        return _union([dict(part) for part in union if part is not None])
    listed = _TRAILING_LIST.fullmatch(text)
    if listed and listed[1].lower() in SIMPLE:
        return _array(_read(listed[1], 0), {"type": "array"})
    if text.lower().startswith("any "):
        return {}
    for pattern in (_LIMITS, _ADJECTIVES, _PLAIN_PHRASE, _ENDS_IN_TYPE, _REMARK):
        match = pattern.fullmatch(text)
        # `maybe, string` does not begin with a type, and `1, 2 or 3 things` does not begin with the name of one.
        read = _read(match[1], 0) if match and re.match(r"[A-Za-z{\[(\"']", match[1]) else None
        if read is not None:
            return read
    return None


def clean_type(text: str) -> str:
    """Return a type without the Markdown around it: backticks, emphasis, escaped pipes and brackets."""
    if text.isalpha():
        return text
    return (_clean if len(text) <= _MAX_LENGTH else _clean.__wrapped__)(text)


@lru_cache(maxsize=1024)
def _clean(text: str) -> str:
    for mark, meaning in _MARKS:
        text = text.replace(mark, meaning)
    text = re.sub(r"(string|integer|number) enum\s*$", r"\1", _LINK.sub(r"\1", text))  # its values are elsewhere
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
    simple = SIMPLE.get(lowered) or SIMPLE.get(_MODULE.sub("", lowered))
    if simple is not None or lowered in SIMPLE:
        return dict(simple or {})
    if text.endswith("[]"):
        return _array(_read(text[:-2], depth + 1), {"type": "array"})
    generic = _GENERIC.fullmatch(text)
    if generic and generic[2] is not None and generic[2].isdecimal():
        return _array_of(int(generic[2][:_MOST_DIGITS]), _read(generic[1], depth + 1))
    if generic:
        read = _generic(generic[1].lower(), next(group for group in generic.groups()[1:] if group is not None), depth)
        if read is not None:
            return read
    if text[:1] in tuple("[{("):
        return _read_bracketed_type(text, depth)
    if text[:1] == "<" and text.find(">") == len(text) - 1:  # a placeholder: `<string>`, `<name>`
        return _read(text[1:-1], depth + 1) or {}
    if (phrase := _LIST_ABROAD.fullmatch(text)) is not None:
        item = _item(phrase[1], depth + 1)
        return _array(item or _item(phrase[1].rstrip("sn"), depth + 1), {"type": "array"})
    phrase = _LIST_OF.fullmatch(text)
    if phrase:
        return _array(_item(phrase[1], depth + 1), {"type": "array"})
    if _MAP_OF.fullmatch(text):
        return {"type": "object"}
    return {} if _CLASS.fullmatch(text) else None


def _item(text: str, depth: int) -> Schema | None:
    """Return the schema of a list's items: a type, or things that only a noun names."""
    read = _read(text, depth)
    if read is not None:
        return read
    last = (re.sub(r" ?\(.*", "", text).lower().split() or [""])[-1]
    if last in SIMPLE or last in THINGS:
        return dict(SIMPLE.get(last, {"type": "string"}))
    return {} if last.isalpha() and last.endswith("s") and nearest(last, _CLEAR) is None else None  # things, or a typo


def _read_bracketed_type(text: str, depth: int) -> Schema | None:
    """Return the type of `[string]`, `{string: int}`, `{name, value}` or `(float, float)`."""
    if TEMPLATE_WORD.fullmatch(text):
        return {}
    inside, closing = text[1:-1].strip(), {"[": "]", "{": "}", "(": ")"}[text[0]]
    if not text.endswith(closing) or _depth(inside):
        return None
    parts = [part.strip() for part in _split(inside, ",") if part.strip() not in ("...", "…", "")]
    if text[0] == "{":
        key, _, value = inside.partition(":")
        member = _read(value, depth + 1) if len(parts) == 1 and key.strip() in ("str", "string") else {}
        if member is None or not re.match(r"[\w\"'\[]", inside or "a"):
            return None
        return {"type": "object", "additionalProperties": member} if member else {"type": "object"}
    members = [_read(part, depth + 1) for part in parts]
    if len(parts) == 1:
        return members[0] if text[0] == "(" else _array(members[0], {"type": "array"})
    if text[0] == "[" and all(map(_COORDINATE.fullmatch, parts)) and parts:
        return _tuple([{"type": "number"} for _ in parts])
    return _tuple(members) if parts else None


def _tuple(members: list[Schema | None]) -> Schema | None:
    """Return an array with a fixed number of values, each with a type."""
    schemas = [member for member in members if member is not None]
    if len(schemas) < len(members):
        return None
    length: Schema = {"type": "array", "minItems": len(schemas), "maxItems": len(schemas)}
    if all(schema == schemas[0] for schema in schemas):
        return _array(schemas[0], length)
    return {**length, "prefixItems": list(schemas)}


def _generic(name: str, inside: str, depth: int) -> Schema | None:
    if name in ("enum", "literal", "oneof", "choice", "choices"):
        separator = next((mark for mark in "|,/" if mark in inside), ",")
        values = [_value(part) for part in _split(inside, separator)]
        if name == "enum" and len(values) == 1 and re.fullmatch(r"[A-Z]\w+", inside):
            return {}  # the class of an enumeration
        return {"enum": values} if values else None
    if name in OF_PYTHON:
        return {}
    if name == "optional":
        return _union([_read(inside, depth + 1), {"type": "null"}])
    if name in ("union", "anyof"):
        return _union([_read(part, depth + 1) for part in _split(inside, ",")])
    if name in ("annotated", "required", "notrequired", "readonly", "final", "classvar"):
        return _read(next(iter(_split(inside, ","))), depth + 1)
    if name in LISTS:
        schema: Schema = {"type": "array", "uniqueItems": True} if name in ("set", "frozenset") else {"type": "array"}
        parts = [part for part in _split(inside, ",") if part.strip() != "..."]
        if name == "tuple" and len(parts) > 1 and "..." not in inside:
            return _tuple([_read(part, depth + 1) for part in parts])
        return _array(_read(inside if len(parts) != 1 else parts[0], depth + 1), schema)
    if name in SIMPLE and name not in MAPS:
        # `string ("fast" or "slow")`, `varchar(255)`
        stated = _union([_read(part, depth + 1) for part in _alternatives(inside)]) or {}
        is_enum = "enum" in stated and all(isinstance(value, str) for value in _list_types(stated))
        return stated if is_enum else dict(SIMPLE[name])
    if name in MAPS:
        parts = list(_split(inside, ",")) if inside.strip() else []
        if len(parts) < 2:
            parts = list(_split(inside, ":"))
        member = _read(parts[1], depth + 1) if len(parts) == 2 else {}
        if member is None:
            return None
        return {"type": "object", "additionalProperties": member} if member else {"type": "object"}
    return None


def _array_of(count: int, items: Schema | None) -> Schema | None:
    """Return the type of `float[3]`. `string[80]` states a length."""
    if items is None or items.get("type") not in ("integer", "number"):
        return items
    return {"type": "array", "minItems": count, "maxItems": count, "items": items}


def _array(items: Schema | None, schema: Schema) -> Schema | None:
    if items is None:
        return None
    return {**schema, "items": items}


def _union(members: list[Schema | None]) -> Schema | None:
    """Return one schema for several; None if one of them is unknown."""
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
            values.extend(_list_types(schema))
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
        return {"enum": [*_list_types(others[0]), None]}
    return {"anyOf": list(schemas)}


def _list_types(schema: Schema) -> list[JsonValue]:
    values = schema["enum"]
    return values if isinstance(values, list) else []


def _literal(text: str) -> list[JsonValue] | None:
    """Return the values of `"a"`, `"a", "b"`, `'a'` or `3`, if there are only values."""
    if _NUMBER.fullmatch(text):
        return [_value(text)]
    if text[:1] not in ('"', "'"):
        return None
    values = [part.strip() for part in _split(text, ",")]
    return [_value(value) for value in values] if all(map(_QUOTED.fullmatch, values)) else None


def _value(text: str) -> JsonValue:
    """Return a value inside an enum: JSON, a Python literal, or the bare word itself."""
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
    if re.fullmatch(r"\w+( ?/ ?\w+)+|[\"'][\w-]+[\"']( ?/ ?[\"'][\w-]+[\"'])+", rest):
        yield from rest.split("/")
    else:
        yield rest


def _split(text: str, separator: str) -> Iterator[str]:
    """Split at a separator outside brackets and quotes."""
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
