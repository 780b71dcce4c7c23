"""The forms of a tool call: which JSON objects are calls, which were meant as one, and which are data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.free_text.json_spans import JsonSpan, fault_of, read_span
from mcp_contracts.adapters.free_text.known_tools import KnownTools
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass
from mcp_contracts.schema.simple import one_or_more
from mcp_contracts.schema.wording import shown_text

NAME_KEYS = ("tool_name", "name", "tool", "function", "function_name", "recipient_name", "action")
ARGUMENT_KEYS = ("arguments", "args", "parameters", "input", "action_input", "tool_input", "params")

# Pairs of keys that are common in data as well. They are a call only if the name is a tool's.
_COMMON_NAME = "action"
_COMMON_ARGUMENTS = ("input", "params")
_RESULT_KEYS = ("result", "output", "response", "data", "content", "status", "error", "observation")
_NO_TOOL = ("finalanswer", "final", "finish", "none")  # the actions of ReAct that end the loop
_AS_OBJECT = 'write `{"name": "…", "arguments": {…}}`'
NO_CALL = "directly_answer"
"""The tool that Command R calls to say that it calls none."""
_NAMESPACE = "functions."
_PARALLEL = "multi_tool_use.parallel"

# Keys that contain calls: as the object itself, or as a list.
_HOLDERS = ("function_call", "functionCall", "tool_call", "toolCall", "function", "tool")
_LISTS = ("tool_calls", "toolCalls", "function_calls", "functionCalls", "tool_uses")
_CONTENTS = ("content", "parts")  # keys of a whole message, which may contain text in addition to calls

_QUOTE = r"\\?[\"'“”]?"
_NAME_KEY = re.compile(rf"(?<!\w){_QUOTE}(?:{'|'.join(NAME_KEYS)}){_QUOTE}\s{{0,20}}:")
_CALL_KEY = re.compile(rf"(?<!\w){_QUOTE}(?:{'|'.join((*ARGUMENT_KEYS, *_LISTS, *_HOLDERS[:4]))}){_QUOTE}\s{{0,20}}:")
_MOST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class SpelledCall:
    """A call in the model's form: the name as written, the arguments, and the object that contains both."""

    name: str
    arguments: dict[str, JsonValue]
    holder: dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Misfit:
    """Something meant as a call that is not one: the reason, a hint, and the value."""

    words: str
    hint: str
    holder: JsonValue


def resembles_call(text: str, *, is_cut_off: bool) -> bool:
    """Whether invalid JSON was definitely meant as a call: it has a call's keys, or only a name's if it is cut off."""
    return _NAME_KEY.search(text) is not None and (is_cut_off or _CALL_KEY.search(text) is not None)


def has_key_of_call(text: str) -> bool:
    """Whether JSON may contain a call in any form: it has a key of a call, or escaped keys."""
    return _NAME_KEY.search(text) is not None or _CALL_KEY.search(text) is not None or "\\u" in text


def spelled_calls(value: JsonValue, *, is_declared: bool, tools: KnownTools) -> Iterator[SpelledCall | Misfit]:
    """Yield the calls in a value, in order.

    `is_declared` means that the text declares a call. An object without a name and arguments is data, and so is its
    content, except for keys that are known to contain calls. The arguments of a call are never searched.
    """
    if isinstance(value, list):
        name, held = value if len(value) == 2 else (None, None)
        if isinstance(name, str) and isinstance(held, dict) and held.keys() & (tools.parameters(name) or ()):
            yield Misfit("a tool and its arguments in a list", _AS_OBJECT, value)
            return
        if is_declared and not all(isinstance(item, dict) for item in value):
            yield Misfit(
                "a list that contains something other than calls", "write objects with a name and arguments", value
            )
            return
        for item in value:
            yield from spelled_calls(item, is_declared=is_declared, tools=tools)
    elif isinstance(value, dict):
        yield from _calls_of_object(value, is_declared=is_declared, tools=tools)
    elif is_declared:
        yield Misfit("a call that is not an object", "write an object with a name and arguments", value)


def _calls_of_object(
    value: dict[str, JsonValue], *, is_declared: bool, tools: KnownTools
) -> Iterator[SpelledCall | Misfit]:
    names = {key: name for key in NAME_KEYS if isinstance(name := value.get(key), str)}
    given = [key for key in ARGUMENT_KEYS if key in value]
    action = names.get(_COMMON_NAME)
    if action is not None and not tools.is_meant(action):
        if is_no_tool(action) and not is_declared:
            return
        if "action_input" not in given:
            del names[_COMMON_NAME]
    if _is_definition(value, given):
        return
    if names and given:
        yield from _named_call(value, names, given, is_declared=is_declared, tools=tools)
        return
    is_holder = False
    for key, held in _members_with_calls(value):
        is_holder = True
        # `tool` and `content` are common in data as well; the other keys always contain calls
        declares = is_declared or key not in ("tool", *_CONTENTS)
        yield from spelled_calls(held, is_declared=declares, tools=tools)
    if is_holder or not value:
        if is_declared and not value:
            yield Misfit("an empty object", "write a name and arguments", value)
        return
    is_result = any(key in value for key in _RESULT_KEYS)
    if names and (is_declared or (not is_result and any(map(tools.is_meant, names.values())))):
        yield Misfit("a call without arguments", 'write `"arguments": {}` if the tool takes none', value)
    elif is_declared:
        yield Misfit("a call without a tool name", 'write `"name": "…"` next to the arguments', value)
    elif (place := _misplaced_name(value, given, tools)) is not None:
        shown = shown_text(place, limit=_MOST_SHOWN)
        yield Misfit(f"a tool in `{shown}`", _AS_OBJECT, value)


def _named_call(
    value: dict[str, JsonValue], names: dict[str, str], given: list[str], *, is_declared: bool, tools: KnownTools
) -> Iterator[SpelledCall | Misfit]:
    if "recipient_name" in names:
        names["recipient_name"] = names["recipient_name"].removeprefix(_NAMESPACE)
    if len(given) == 1 and given[0] in _COMMON_ARGUMENTS and not is_declared and value.get("type") != "tool_use":
        if tools.contracts is None:
            if tools.is_name(next(iter(names.values()))) and isinstance(value[given[0]], dict):
                yield Misfit(f"arguments in `{given[0]}`", "write them in `arguments`", value)
            return
        if not any(map(tools.resembles, names.values())):
            return
    found = _call(value, names, given, is_meant=lambda name: is_declared or tools.is_meant(name))
    if (
        isinstance(found, SpelledCall)
        and found.name == _PARALLEL
        and isinstance(found.arguments.get("tool_uses"), list)
    ):
        yield from spelled_calls(found.arguments, is_declared=True, tools=tools)
    elif found is not None:
        yield found


def keyed_calls(value: JsonValue) -> Iterator[SpelledCall | Misfit]:
    """Yield the calls of a list of objects whose only key is the name: `[{"forecast": {"city": "Paris"}}]`."""
    for item in one_or_more(value):
        held = next(iter(item.values())) if isinstance(item, dict) and len(item) == 1 else None
        if isinstance(item, dict) and isinstance(held, dict):
            yield SpelledCall(next(iter(item)), held, item)
        else:
            yield Misfit("an object that is not a name with its arguments", 'write `{"name": {…}}`', item)


def is_no_tool(name: str) -> bool:
    """Whether the action of ReAct says that no tool is called, such as `Final Answer`."""
    return re.sub(r"[\W_]", "", name[:40]).lower() in _NO_TOOL


def nested_call(value: JsonValue, tools: KnownTools) -> dict[str, JsonValue] | None:
    """Return the first object inside data that names a tool and has arguments, except in results."""
    if tools.contracts is None:
        return None
    pending = [value]
    while pending:
        held = pending.pop()
        if isinstance(held, list):
            pending.extend(held)
        elif isinstance(held, dict):
            named = any(isinstance(name := held.get(key), str) and tools.is_meant(name) for key in NAME_KEYS)
            given = [key for key in ARGUMENT_KEYS if key in held]
            if named and given and not _is_definition(held, given):
                return held
            pending.extend(inner for key, inner in held.items() if key not in _RESULT_KEYS)
    return None


def _misplaced_name(value: Mapping[str, JsonValue], given: list[str], tools: KnownTools) -> str | None:
    """Return the key that has the name of a tool, next to arguments, or that is the name of one."""
    if len(value) == 1:
        ((key, held),) = value.items()
        if isinstance(held, dict):
            return key if tools.is_called(key) or held.keys() & (tools.parameters(key) or ()) else None
        return key if tools.is_meant(key) else None
    has_arguments = any(key in given for key in ARGUMENT_KEYS if key not in _COMMON_ARGUMENTS)
    inner = {name for held in (value, *value.values()) if isinstance(held, dict) for name in held}
    for key, held in value.items():
        if isinstance(held, str) and (has_arguments or inner & (tools.parameters(held) or set())):
            if tools.is_meant(held) or (key in NAME_KEYS and key != "name" and tools.parameters(held) is not None):
                return key
        elif isinstance(held, dict) and tools.is_called(key) and held.keys() & (tools.parameters(key) or ()):
            return key
    return None


def _members_with_calls(value: Mapping[str, JsonValue]) -> Iterator[tuple[str, JsonValue]]:
    for key in _HOLDERS:
        if isinstance(held := value.get(key), dict):
            yield key, held
    for key in _LISTS:
        if isinstance(held := value.get(key), list):
            yield key, held
    for key in _CONTENTS:
        if isinstance(held := value.get(key), list):
            yield key, [item for item in held if isinstance(item, dict)]
    if value.get("method") == "tools/call" and isinstance(held := value.get("params"), dict):
        yield "params", held


def _is_definition(value: Mapping[str, JsonValue], given: list[str]) -> bool:
    """Whether an object describes a tool, such as in a tool list that the model repeats."""
    if "inputSchema" in value or "input_schema" in value or ("description" in value and not given):
        return True
    schema = value.get("parameters")
    return (
        given == ["parameters"]
        and isinstance(schema, dict)
        and schema.get("type") == "object"
        and isinstance(schema.get("properties"), dict)
    )


def _call(
    value: dict[str, JsonValue], names: Mapping[str, str], given: list[str], *, is_meant: Callable[[str], bool]
) -> SpelledCall | Misfit | None:
    if len(set(names.values())) > 1:
        shown = " and ".join(f"`{key}`" for key in names)
        return Misfit(f"two tool names, in {shown}", "keep one of them", value)
    if len(given) > 1:
        shown = " and ".join(f"`{key}`" for key in given)
        return Misfit(f"arguments twice, in {shown}", "keep one of them", value)
    name = next(iter(names.values()))
    key = given[0]
    arguments = value[key]
    if isinstance(arguments, dict):
        return SpelledCall(name, arguments, value)
    if isinstance(arguments, str) and (is_meant(name) or arguments.lstrip()[:1] == "{"):
        return _call_of_text(value, name, key, arguments)
    if is_meant(name):
        return Misfit(f"`{key}` is not an object", f'write `"{key}": {{…}}`', value)
    return None


def _call_of_text(value: dict[str, JsonValue], name: str, key: str, text: str) -> SpelledCall | Misfit | None:
    """Read a call whose arguments are JSON text, as in OpenAI's format."""
    start = len(text) - len(text.lstrip(" \t\r\n"))
    if text[start : start + 1] != "{":
        wrong = "is empty" if not text.strip() else f"is not a JSON object: `{shown_text(text, limit=_MOST_SHOWN)}`"
        return Misfit(f"the text in `{key}` {wrong}", "write a JSON object", value)
    span = read_span(text, start)
    fault = fault_of(text, span)
    if fault is not None:
        return Misfit(f"the text in `{key}` is not valid JSON: {fault.words}", fault.hint or "write JSON", value)
    if text[span.end :].strip(" \t\r\n"):
        return Misfit(f"the text in `{key}` continues after its object", "write one object and nothing else", value)
    if span.duplicates:
        return Misfit(f"the text in `{key}` has {repeated_key(span)}", "keep one of them", value)
    return SpelledCall(name, span.value, value) if isinstance(span.value, dict) else None


def repeated_key(span: JsonSpan) -> str:
    """Describe a value with a repeated key."""
    return f"the repeated key `{shown_text(span.duplicates[0][0], limit=_MOST_SHOWN)}`"
