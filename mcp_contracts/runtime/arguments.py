"""What a call is told when its arguments, or the data that came back, are not what the contract says."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import MCPErrorDetail
from mcp_contracts.schema import effort
from mcp_contracts.schema.references import pointed_at
from mcp_contracts.schema.validation.compiled import Outcome
from mcp_contracts.schema.validation.explanations import InstanceError
from mcp_contracts.schema.walk import is_within
from mcp_contracts.schema.wording import is_cut, shown_text, shown_value

SUBJECT = "the arguments object"
"""What messages call the arguments as a whole; for `instance_errors(…, subject=SUBJECT)`."""

_SHOWN_JSON = 200
_SHOWN_POINTER = 500
_SHOWN_CONSTRAINT = 40
_SHOWN_NESTING = 20

TELLS_VALUE: Mapping[str, bool] = {
    **dict.fromkeys((
        "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
        "minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType", "dependentRequired",
        "dependencies", "anyOf", "oneOf", "not",
    ), True),
    **dict.fromkeys((
        "required", "additionalProperties", "unevaluatedProperties", "minProperties", "maxProperties", "propertyNames",
        "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "additionalItems",
        "unevaluatedItems", "falseSchema",
        "",  # of a value that is too large to say where it does not fit
    ), False),
}  # fmt: skip
"""Whether a keyword's message may quote the value that it refuses, or tells names and counts alone; in doubt it may."""

# Not the value is refused, but that a name is there or is not: `passwrod` may hold a password.
_IS_ABOUT_NAMES = frozenset(
    {"required", "dependentRequired", "additionalProperties", "unevaluatedProperties", "propertyNames", "falseSchema"}
)


def argument_error(
    outcome: Outcome, schema: JsonValue, arguments: JsonValue, *, secret: Collection[str] = frozenset()
) -> MCPErrorDetail:
    """Why arguments are refused, all faults at once; `outcome` is what their schema says of them and is not valid.

    A `ValidationError`, whose details hold `faults` (each with `pointer`, `message`, `keyword`, `schema_pointer`,
    `constraint`, which is what the schema says there, and `value`, both at most 200 characters of JSON and else a
    shortened text) and `more`, how many faults there are past those. `secret` are JSON pointers into the arguments: no
    value at them, around them or inside of them is shown, nor a name inside of them. Arguments that could not be judged
    within the bounds are a `ToolExecutionError`, since nothing is known against them.
    """
    if outcome.unknown is not None:
        try:
            effort.size_of(arguments)
        except effort.UnfitValueError as error:  # no bound of ours, but what no JSON text holds
            return MCPErrorDetail(
                error_type="ValidationError", error_message=f"{SUBJECT} {error}", error_details={"reason": "not-json"}
            )
        return _undecided_error("the arguments", outcome.unknown)
    faults = [_argument_fault(error, schema, arguments, secret) for error in outcome.errors]
    return MCPErrorDetail(
        error_type="ValidationError",
        error_message=_summary(faults, outcome.more),
        error_details={"faults": faults, "more": outcome.more},
    )


def result_error(outcome: Outcome, schema: JsonValue) -> MCPErrorDetail:
    """Why the data that a tool returned is refused: the tool's fault, so a `ToolExecutionError`.

    The details are those of `argument_error`, but tell no value, since the data was never meant for this caller.
    """
    if outcome.unknown is not None:
        return _undecided_error("the data that the tool returned", outcome.unknown)
    faults = [_result_fault(error, schema) for error in outcome.errors]
    return MCPErrorDetail(
        error_type="ToolExecutionError",
        error_message=f"the tool returned data that its contract rejects: {_summary(faults, outcome.more)}",
        error_details={"faults": faults, "more": outcome.more},
    )


def _result_fault(error: InstanceError, schema: JsonValue) -> dict[str, Any]:
    tells = TELLS_VALUE.get(error.keyword, True)
    message = _plain_message(error, schema, "the data") if tells else error.message
    return _fault(error, schema, error.pointer, message)


@dataclass(frozen=True, slots=True)
class PayloadBounds:
    """How large the arguments of a call may be: characters of all texts and names, values, and levels of nesting."""

    characters: int = 1_000_000
    values: int = 100_000
    depth: int = 64


def too_large(arguments: object, bounds: PayloadBounds) -> MCPErrorDetail | None:
    """Why arguments (a value, or their JSON text) exceed the bounds, or None where they do not.

    Looks at no more values than are allowed, so it takes any value, one that holds itself as well. A number counts the
    digits that it has past twenty, and bytes what they take in base64.
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
    return MCPErrorDetail(
        error_type="ValidationError",
        error_message=f"the arguments {arrived}, and at most {allowed:,} are allowed",
        error_details={"reason": "payload-bound", "bound": bound, "allowed": allowed},
    )


def _undecided_error(subject: str, reason: str) -> MCPErrorDetail:
    # What an engine says of a value that it cannot read may quote the value.
    known = "it cannot be read" if " cannot be read: " in reason else reason
    return MCPErrorDetail(
        error_type="ToolExecutionError",
        error_message=f"{subject} could not be validated: {known}",
        error_details={"reason": "validation-bound"},
    )


def _summary(faults: list[dict[str, Any]], more: int) -> str:
    rest = len(faults) - 1 + more
    if not faults:
        return "the schema rejects it"
    first = str(faults[0]["message"])
    return first if not rest else f"{first}, and {rest} more fault{'' if rest == 1 else 's'}"


def _argument_fault(
    error: InstanceError, schema: JsonValue, arguments: JsonValue, secret: Collection[str]
) -> dict[str, Any]:
    pointer = error.pointer
    hiding = next((one for one in secret if is_within(pointer, one)), None)
    if hiding is not None:  # at the secret or inside of it, where even the names are part of it
        return _fault(error, schema, hiding, _plain_message(error, schema, SUBJECT, hiding))
    if any(is_within(one, pointer) for one in secret):
        tells = TELLS_VALUE.get(error.keyword, True)
        message = _plain_message(error, schema, SUBJECT) if tells else error.message
        return _fault(error, schema, pointer, message)
    fault = _fault(error, schema, pointer, error.message)
    if error.keyword not in _IS_ABOUT_NAMES:
        fault["value"] = _bound(pointed_at(arguments, pointer))
    return fault


def _fault(error: InstanceError, schema: JsonValue, pointer: str, message: str) -> dict[str, Any]:
    return {
        "pointer": shown_text(pointer, limit=_SHOWN_POINTER) if len(pointer) > _SHOWN_POINTER else pointer,
        "message": message,
        "keyword": error.keyword,
        "schema_pointer": error.schema_pointer,
        "constraint": _bound(pointed_at(schema, error.schema_pointer)),
    }


def _plain_message(error: InstanceError, schema: JsonValue, subject: str, pointer: str | None = None) -> str:
    """What is wrong, without any value of the caller."""
    place = error.pointer if pointer is None else pointer
    name = f"`{shown_text(place)}`" if place else subject
    asked = shown_value(pointed_at(schema, error.schema_pointer), limit=_SHOWN_CONSTRAINT)
    said = f"`{error.keyword}`" if is_cut(asked) else f"`{error.keyword}` {asked}"
    return f"{name} does not match the schema ({said})"


def _bound(value: JsonValue) -> JsonValue:
    """A value of our own, or a text that shows its beginning where it is long or deep."""
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
