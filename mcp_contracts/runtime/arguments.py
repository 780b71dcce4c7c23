"""Errors for arguments, and for returned data, that do not match the contract."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.messages import MCPErrorDetail
from mcp_contracts.records import dataclass
from mcp_contracts.runtime.telemetry.redaction import visible_pointer
from mcp_contracts.schema import effort
from mcp_contracts.schema.references import follow
from mcp_contracts.schema.simple import properties_of, strings
from mcp_contracts.schema.validation.compiled import Outcome
from mcp_contracts.schema.validation.explanations import InstanceError
from mcp_contracts.schema.walk import is_within, subschemas
from mcp_contracts.schema.wording import is_cut, shown_text, shown_value

SUBJECT = "the arguments object"
"""The name of the whole arguments in messages; pass it as `instance_errors(…, subject=SUBJECT)`."""

_SHOWN_JSON = 200
_SHOWN_POINTER = 500
_SHOWN_CONSTRAINT = 40
_SHOWN_NESTING = 20

MAY_QUOTE_VALUE: Mapping[str, bool] = {
    **dict.fromkeys((
        "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
        "minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType", "dependentRequired",
        "dependencies", "anyOf", "oneOf", "not",
    ), True),
    **dict.fromkeys((
        "required", "additionalProperties", "unevaluatedProperties", "minProperties", "maxProperties", "propertyNames",
        "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "additionalItems",
        "unevaluatedItems", "falseSchema",
        "",  # the value is too large to locate the error
    ), False),
}  # fmt: skip
"""Whether a keyword's message may quote the rejected value (as opposed to names and counts); True if in doubt."""

# These reject the presence or absence of a name rather than a value: the value of `passwrod` may be a password.
_IS_ABOUT_NAMES = frozenset(
    {"required", "dependentRequired", "additionalProperties", "unevaluatedProperties", "propertyNames", "falseSchema"}
)


def detail(error_type: str, message: str, details: dict[str, Any] | None = None) -> MCPErrorDetail:
    """Create an error."""
    return MCPErrorDetail(error_type=error_type, error_message=message, error_details=details)


def argument_error(
    outcome: Outcome, schema: JsonValue, arguments: JsonValue, *, secret: Collection[str] = frozenset()
) -> MCPErrorDetail:
    """Return the error for rejected arguments, with all faults; `outcome` is the invalid outcome of their validation.

    It is a `ValidationError`, whose details contain `faults` and `more`, the number of other faults. Each fault has a
    `pointer`, `message`, `keyword`, `schema_pointer`, `constraint` (the schema at that pointer) and `value`; the last
    two have at most 200 characters of JSON, or are shortened text. `secret` contains JSON pointers into the arguments:
    values at, around or inside them are not shown, and neither are names inside them. Arguments that exceed the
    validation bounds are a `ToolExecutionError`, because no fault in them is known.
    """
    if outcome.unknown is not None:
        try:
            effort.size_of(arguments)
        except effort.UnfitValueError as error:  # not one of our bounds, but a value that JSON cannot represent
            return detail("ValidationError", f"{SUBJECT} {error}", {"reason": "not-json"})
        return _undecided_error("the arguments", outcome.unknown)
    faults = [_argument_fault(error, schema, arguments, secret) for error in outcome.errors]
    return detail("ValidationError", _summary(faults, outcome.more), {"faults": faults, "more": outcome.more})


def result_error(
    outcome: Outcome, schema: JsonValue, data: JsonValue, *, secret: Collection[str] = frozenset()
) -> MCPErrorDetail:
    """Return the error for returned data that the schema rejects. It is the tool's fault, so a `ToolExecutionError`.

    The details are those of `argument_error`, but without values, without names that the schema does not declare,
    because the data was never meant for this caller, and without names at or below the `secret` pointers.
    """
    if outcome.unknown is not None:
        return _undecided_error("the data that the tool returned", outcome.unknown)
    declared = _declared_names(schema)
    faults = [
        _result_fault(error, schema, _declared_part(error.pointer, data, declared), secret) for error in outcome.errors
    ]
    message = f"the tool returned data that its contract rejects: {_summary(faults, outcome.more)}"
    return detail("ToolExecutionError", message, {"faults": faults, "more": outcome.more})


def _result_fault(
    error: InstanceError, schema: JsonValue, declared_part: str, secret: Collection[str]
) -> dict[str, Any]:
    pointer = visible_pointer(declared_part, secret)
    may_quote = MAY_QUOTE_VALUE.get(error.keyword, True) or error.keyword == "propertyNames"
    is_plain = may_quote or pointer != error.pointer or pointer in secret
    message = _plain_message(error, schema, "the data", pointer) if is_plain else error.message
    return _fault(error, schema, pointer, message)


def _declared_names(schema: JsonValue) -> frozenset[str]:
    """Return the names that a schema states for properties, anywhere in it, as steps of JSON pointers."""
    found: set[str] = set()
    for node in subschemas(schema):
        found.update(properties_of(node.value), strings(node.value.get("required")))
    return frozenset(map(escape, found))


def _declared_part(pointer: str, data: JsonValue, declared: Collection[str]) -> str:
    """Return the beginning of a pointer into data, before the first name that the schema does not declare."""
    shown = ""
    for step in pointer.split("/")[1:]:
        if isinstance(data, dict) and step not in declared:
            break
        shown += f"/{step}"
        data = follow(data, f"/{step}")
    return shown


@dataclass(frozen=True, slots=True)
class PayloadBounds:
    """The maximum size of a call's arguments: characters of all strings and names, values, and nesting levels."""

    characters: int = 1_000_000
    values: int = 100_000
    depth: int = 64


def too_large(arguments: object, bounds: PayloadBounds) -> MCPErrorDetail | None:
    """Return the error for arguments (a value, or their JSON text) that exceed the bounds, or None.

    Visits no more values than are allowed, so it accepts any value, even a cyclic one. An integer counts its digits
    beyond twenty, and bytes count their length in base64.
    """
    values = 1
    characters = depth = 0
    level = [arguments]
    while level:
        below: list[object] = []
        is_nested = False
        for item in level:
            if isinstance(item, str):
                characters += len(item)
            elif isinstance(item, (dict, list, tuple)):  # a union of types takes three times as long here
                is_nested = True
                values += len(item)
                if values > bounds.values:
                    return _exceeds("values", bounds.values, f"contain {values:,} values or more")
                if isinstance(item, dict):
                    characters += sum([len(key) for key in item if isinstance(key, str)])
                    below += item.values()
                else:
                    below += item
            elif isinstance(item, int):
                characters += max(0, item.bit_length() * 3 // 10 - 20)
            elif isinstance(item, (bytes, bytearray)):
                characters += len(item) * 4 // 3
        depth += is_nested
        if depth > bounds.depth:
            return _exceeds("depth", bounds.depth, f"are nested {depth:,} levels deep or more")
        if characters > bounds.characters:
            return _exceeds("characters", bounds.characters, f"contain {characters:,} characters or more")
        level = below
    return None


def _exceeds(bound: str, allowed: int, arrived: str) -> MCPErrorDetail:
    message = f"the arguments {arrived}, and at most {allowed:,} are allowed"
    return detail("ValidationError", message, {"reason": "payload-bound", "bound": bound, "allowed": allowed})


def _undecided_error(subject: str, reason: str) -> MCPErrorDetail:
    # The engine's message for a value that it cannot read may quote the value.
    known = "it cannot be read" if " cannot be read: " in reason else reason
    return detail("ToolExecutionError", f"{subject} could not be validated: {known}", {"reason": "validation-bound"})


def _summary(faults: list[dict[str, Any]], more: int) -> str:
    rest = len(faults) - 1 + more
    if not faults:
        return "the schema rejects it"
    first = str(faults[0]["message"])
    return first if not rest else f"{first}, and {rest} more error{'' if rest == 1 else 's'}"


def _argument_fault(
    error: InstanceError, schema: JsonValue, arguments: JsonValue, secret: Collection[str]
) -> dict[str, Any]:
    pointer = error.pointer
    shown = visible_pointer(pointer, secret)
    if shown in secret:  # at a secret or inside one, where even names are secret
        return _fault(error, schema, shown, _plain_message(error, schema, SUBJECT, shown))
    if any(is_within(one, pointer) for one in secret):
        may_quote = MAY_QUOTE_VALUE.get(error.keyword, True)
        message = _plain_message(error, schema, SUBJECT, pointer) if may_quote else error.message
        return _fault(error, schema, pointer, message)
    fault = _fault(error, schema, pointer, error.message)
    if error.keyword not in _IS_ABOUT_NAMES:
        fault["value"] = _bound(follow(arguments, pointer))
    return fault


def _fault(error: InstanceError, schema: JsonValue, pointer: str, message: str) -> dict[str, Any]:
    return {
        "pointer": shown_text(pointer, limit=_SHOWN_POINTER) if len(pointer) > _SHOWN_POINTER else pointer,
        "message": message,
        "keyword": error.keyword,
        "schema_pointer": error.schema_pointer,
        "constraint": _bound(follow(schema, error.schema_pointer)),
    }


def _plain_message(error: InstanceError, schema: JsonValue, subject: str, pointer: str) -> str:
    """Describe a fault without any value of the caller."""
    name = f"`{shown_text(pointer)}`" if pointer else subject
    asked = shown_value(follow(schema, error.schema_pointer), limit=_SHOWN_CONSTRAINT)
    said = f"`{error.keyword}`" if is_cut(asked) else f"`{error.keyword}` {asked}"
    return f"{name} does not match the schema ({said})"


def _bound(value: JsonValue) -> JsonValue:
    """Return a copy of a JSON value, or shortened text if it is long or deep."""
    if isinstance(value, str):
        return value if len(value) <= _SHOWN_JSON else f"{value[: _SHOWN_JSON - 1]}…"
    if isinstance(value, int) and value.bit_length() > 200:
        return "a number of more than 60 digits"
    if not isinstance(value, dict | list):
        return value
    text = shown_value(value, limit=_SHOWN_JSON)
    if is_cut(text) or text.count("[") + text.count("{") > _SHOWN_NESTING:
        return text
    return json.loads(json.dumps(value))  # type: ignore[no-any-return]
