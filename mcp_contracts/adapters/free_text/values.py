"""Complete the arguments of a call whose notation leaves names or types to the contract."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.free_text.mark_readers import json_of
from mcp_contracts.adapters.free_text.notations import WrittenCall
from mcp_contracts.adapters.free_text.shapes import Misfit
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.validation.validators import compile_shared, instance_errors
from mcp_contracts.schema.wording import pointer_to, shown_text

_MOST_SHOWN = 60
_NO_TEXT = re.compile(r"(?:none|null|n/a|nothing)\Z|\w{1,60}(?:\s?=|:\s)", re.IGNORECASE)  # or members without braces
_ADDING = ("$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "dependentRequired", "patternProperties")


def complete_arguments(call: WrittenCall, schema: JsonValue) -> dict[str, JsonValue] | Misfit:
    """Return the arguments of a call, or why the contract does not determine them. `schema` is None if it is unknown.

    A value without a type is text if it is not valid JSON, or if the schema rejects the JSON value but not the text. If
    the schema accepts both, the call is ambiguous.
    """
    arguments = dict(call.arguments)
    texts = dict(call.texts)
    if call.positional or call.text is not None:
        name = _only_parameter(schema)
        if name is None or name in arguments or len(call.positional) > 1:
            words = "an argument without a name" if call.positional else "arguments that are not an object"
            return Misfit(words, "write every argument with its name", arguments)
        if call.positional:
            arguments[name] = call.positional[0]
        elif call.text is not None:
            quoted = json_of(call.text)
            if quoted is not None and isinstance(quoted[0], str):
                arguments[name] = quoted[0]
            elif call.text[:1] in "\"'" or _NO_TEXT.match(call.text) is not None:
                return Misfit("arguments that are not an object", "write a JSON object", arguments)
            else:
                texts[name] = call.text
    read = {key: found[0] for key, text in texts.items() if (found := json_of(text)) is not None}
    if read and schema is not None:
        as_text = _find_rejected_names(schema, {**arguments, **texts})
        as_json = _find_rejected_names(schema, {**arguments, **texts, **read})
        for key in list(read):
            if key in as_text and key not in as_json:
                arguments[key] = read.pop(key)
            elif key in as_text or key in as_json:
                del read[key]
    for key in read:
        shown = shown_text(texts[key].strip(), limit=_MOST_SHOWN)
        words = f"`{shown_text(key, limit=_MOST_SHOWN)}` may be the text or the JSON value `{shown}`"
        return Misfit(words, "write the call as a JSON object", arguments)
    return {**texts, **arguments}


def _find_rejected_names(schema: JsonValue, arguments: Mapping[str, JsonValue]) -> set[str]:
    """Return the names of the arguments that contain an error."""
    outcome = instance_errors(compile_shared(schema), dict(arguments), subject="the arguments object")
    starts = {pointer_to([key]): key for key in arguments}
    rejected = (starts.get("/".join(error.pointer.split("/")[:2])) for error in outcome.errors)
    return {key for key in rejected if key is not None}


def _only_parameter(schema: JsonValue) -> str | None:
    """Return the only parameter that an argument without a name can mean.

    It is the only one, or the only required one: parameters that are required come first in every language.
    """
    if not isinstance(schema, dict) or any(keyword in schema for keyword in _ADDING):
        return None
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict):
        return None
    if isinstance(required, list) and len(required) == 1 and required[0] in properties:
        return str(required[0])
    return next(iter(properties)) if len(properties) == 1 else None
