"""Calls of tools as JSON objects, in the forms of clients, read as calls of the protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from mcp_contracts.contract import Example, JsonValue, Locator
from mcp_contracts.diagnostics import Place
from mcp_contracts.json_values.text import read_json
from mcp_contracts.records import dataclass
from mcp_contracts.rule_names import nearest

_NAMED_BY = ("tool_name", "tool", "toolName", "function", "name")
_ARGUMENTS = ("arguments", "parameters", "params", "input", "args", "inputs", "tool_input")
_BESIDE = frozenset(("jsonrpc", "id", "method", "type", "call_id", "server"))


@dataclass(frozen=True, slots=True)
class RenamedLocator:
    """Finds pointers of a call in JSON that has other names for its parts."""

    locator: Locator
    names: Mapping[str, str]

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        for name, written in self.names.items():
            if pointer == name or pointer.startswith(f"{name}/"):
                return self.locator.place(written + pointer[len(name) :], on_key=on_key)
        return self.locator.place(pointer, on_key=on_key)


def read_call(value: Mapping[str, JsonValue], locator: Locator, declared: AbstractSet[str]) -> Example | None:
    """Return the call that an object is; `declared` are the names of the tool's parameters, which are no fields."""
    params = value.get("params")
    if isinstance(params, dict) and ("jsonrpc" in value or _is_envelope(value, params)):
        return read_call(params, RenamedLocator(locator, {"": "/params"}), declared)
    by = next((key for key in _NAMED_BY if isinstance(value.get(key), str)), None)
    held = next((key for key in _ARGUMENTS if isinstance(value.get(key), dict)), None)
    if by in declared and (held is None or held in declared):
        return None  # the arguments of a tool that calls others
    if by is None or (held is None and by not in _NAMED_BY[:3]):
        if held == "arguments" and by is None and _misspells(value, _FULL_NAMES, str, declared):
            return Example("call", dict(value), locator)
        if held in ("arguments", "parameters") and "status" not in value and len(value) == 1:
            return Example("arguments", value[held], RenamedLocator(locator, {"": f"/{held}"}))
        return None
    if by == "tool_name":
        if held is None and _misspells(value, ("arguments",), dict, declared):
            return Example("call", dict(value), locator)
        if held == "arguments" or (held is None and set(value) <= {"tool_name"}):
            return Example("call", dict(value), locator)
        if "arguments" in value:
            return Example("call", dict(value), locator)
    names = {"/tool_name": f"/{by}"}
    if held is not None:
        names["/arguments"] = f"/{held}"
        arguments: JsonValue = value[held]
    else:
        rest = {key: member for key, member in value.items() if key != by and key not in _BESIDE}
        names["/arguments"] = ""
        arguments = rest
    call: JsonValue = {"tool_name": value[by], "arguments": arguments}
    return Example("call", call, RenamedLocator(locator, names), arguments_key=held or "")


def _is_envelope(value: Mapping[str, JsonValue], params: Mapping[str, JsonValue]) -> bool:
    """Whether an object is a message that calls a tool, by whatever method: `{"method": "tools/run", "params": …}`."""
    if value.get("method") == "tools/call":
        return True
    is_call = isinstance(params.get("name"), str) and isinstance(params.get("arguments"), dict)
    return isinstance(value.get("method"), str) and is_call


_FULL_NAMES = ("tool_name", "toolName")


def _misspells(value: Mapping[str, JsonValue], fields: tuple[str, ...], kind: type, declared: AbstractSet[str]) -> bool:
    """Whether a key of a call resembles a field that the call lacks; the rules suggest that field."""
    return any(
        isinstance(member, kind) and key not in declared and nearest(key, fields) for key, member in value.items()
    )


@dataclass(frozen=True, slots=True)
class _CallLocator:
    """Finds pointers of a call in the form of OpenAI. Arguments that are JSON in a string have the string's place."""

    locator: Locator
    base: str
    is_text: bool

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        if pointer.startswith("/tool_name"):
            return self.locator.place(f"{self.base}/name", on_key=on_key)
        rest = pointer.removeprefix("/arguments") if not self.is_text else ""
        return self.locator.place(f"{self.base}/arguments{rest}", on_key=on_key and bool(rest))


def openai_calls(value: Mapping[str, JsonValue], locator: Locator, base: str = "") -> Iterator[Example]:
    """Yield the calls in the form of OpenAI: `{"function": {"name": "x", "arguments": "{…}"}}`, or several of them in
    `tool_calls`.
    """
    several, call = value.get("tool_calls"), value.get("function")
    for index, one in enumerate(several if isinstance(several, list) else ()):
        if isinstance(one, dict):
            yield from openai_calls(one, locator, f"{base}/tool_calls/{index}")
    if not isinstance(call, dict) or not isinstance(call.get("name"), str):
        return
    arguments = call.get("arguments")
    is_text = isinstance(arguments, str)
    if isinstance(arguments, str):
        try:
            arguments = read_json(arguments)
        except ValueError:
            return
    if isinstance(arguments, dict):
        made = _CallLocator(locator, f"{base}/function", is_text)
        yield Example("call", {"tool_name": call["name"], "arguments": arguments}, made)
