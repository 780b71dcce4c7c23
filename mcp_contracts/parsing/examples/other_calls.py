"""Finds calls of a tool in code other than Python: TypeScript, requests with curl, and command lines."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Example, Fault, FaultKind, JsonValue
from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.examples.code_examples import CodeLocator
from mcp_contracts.parsing.examples.code_spans import DISPATCHED, is_code
from mcp_contracts.parsing.examples.literals import Literal, read_object
from mcp_contracts.parsing.markdown.blocks import Fence
from mcp_contracts.parsing.parameters.code_text import Code, Piece, inside
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.rule_names import nearest
from mcp_contracts.schema.walk import escape

_COMMANDS = frozenset(
    ("bash", "sh", "shell", "console", "zsh", "terminal", "shell-session", "powershell", "cmd", "curl")
)
_CODE = frozenset(("typescript", "ts", "tsx", "javascript", "js", "jsx", "mjs", "http", "node", "text", "txt", ""))
_LONGEST = 20_000
_MOST = 20
_REQUEST = re.compile(r"[\"']?method[\"']?\s*:\s*[\"']tools/call[\"']")
_NAMED_BY = ("name", "tool_name", "tool", "toolName")
_RUNS = frozenset(("call", "run", "invoke", "exec", "execute", "tool", "tools", "use", "call-tool", "call_tool"))
_AS_JSON = frozenset(
    ("params", "args", "arguments", "input", "input-json", "json", "data", "p", "a", "payload", "tool-arg", "tool-args")
)
_ONLY_CALL = re.compile(r"\s*(?:await )?([a-z]\w*)\(\{.*\}\)\s*")
_LEFT_OUT = re.compile(r"\.\.\.|…|<[A-Za-z][\w -]*>|\$\{|\$[A-Z]")


def other_calls(
    source: SourceText, fence: Fence, name: str, siblings: AbstractSet[str], types: Mapping[str, JsonValue]
) -> Iterator[Example]:
    """Yield the calls in a fence of code that is not Python; `types` are the schemas of the parameters by name."""
    if is_code(fence) or not fence.is_closed or len(fence.content) > _LONGEST:
        return
    is_command = fence.language in _COMMANDS
    if not is_command and fence.language not in _CODE:
        return
    code = _as_written(source, fence) if is_command else _code_of(source, fence)
    found = [*_requests(code), *_read_dispatched_calls(code), *(() if is_command else _direct(code, name))]
    other = _ONLY_CALL.fullmatch(code.text) if fence.first_row == fence.row and not found else None
    if other is not None:  # a code span, which is an example of this tool
        found.extend(_direct(code, other[1]))
    yield from found
    if is_command and not found:
        yield from _command_lines(code, name, siblings, types)


def named_calls(source: SourceText, fence: Fence) -> Iterator[Example]:
    """Yield the calls in a fence of code that state the name of any tool as a string."""
    if not is_code(fence) and fence.is_closed and len(fence.content) <= _LONGEST and fence.language in _CODE:
        code = Code.of(source, fence.content, fence.first_row)
        yield from _requests(code)
        yield from _read_dispatched_calls(code)


def _code_of(source: SourceText, fence: Fence) -> Code:
    """Return the code of a fence, or of a code span, which is indented by its column."""
    text = fence.content.lstrip(" ") if fence.first_row == fence.row else fence.content
    return Code.of(source, text, fence.first_row, column=len(fence.content) - len(text))


def _as_written(source: SourceText, fence: Fence) -> Code:
    """Return code in which `//` does not begin a comment."""
    return Code(source, fence.content, fence.first_row, {})


def other_faults(source: SourceText, fence: Fence) -> Iterator[Fault]:
    """Yield a fault for each request in a command whose JSON is never closed."""
    if fence.language not in _COMMANDS or not fence.is_closed or len(fence.content) > _LONGEST:
        return
    code = _as_written(source, fence)
    for start in _request_starts(code):
        end = inside(code.text, start) if start >= 0 else None
        if end is None and not _LEFT_OUT.search(code.text):
            line = code.text[start:].partition("\n")[0]
            place = code.place(Piece(line, start))
            hint = "fix it, so that it can be copied and checked"
            yield Fault(FaultKind.INVALID_CODE, "the JSON of the request is not closed", place, hint, "example")


def _request_starts(code: Code) -> Iterator[int]:
    """Yield the start of each object that names the method of a call; -1 if it has no bracket."""
    for match in list(_REQUEST.finditer(code.text))[:_MOST]:
        start, depth = match.start(), 0
        while start > 0 and depth >= 0:
            start -= 1
            depth += {"}": 1, "{": -1}.get(code.text[start], 0)
        yield start if depth < 0 else -1


def _requests(code: Code) -> Iterator[Example]:
    """Yield the JSON-RPC requests in code, in JSON or as literals of a language."""
    for start in _request_starts(code):
        request = read_object(code, start) if start >= 0 else None
        params = request.value.get("params") if request is not None and isinstance(request.value, dict) else None
        if request is not None and isinstance(params, dict) and isinstance(params.get("name"), str):
            yield _example(request, str(params["name"]), params.get("arguments"), "/params")


def _read_dispatched_calls(code: Code) -> Iterator[Example]:
    """Yield the calls by `callTool({ name: "x", arguments: {…} })` or `callTool("x", {…})`."""
    for match in list(DISPATCHED.finditer(code.text))[:_MOST]:
        given = read_object(code, match.end())
        if given is None or not isinstance(given.value, dict):
            continue
        if match["name"] is not None:
            place = code.place(Piece(match["name"], match.start("name")))
            yield _example(given, match["name"], given.value, None, place)
        elif (key := next((key for key in _NAMED_BY if isinstance(given.value.get(key), str)), None)) is not None:
            yield _example(given, str(given.value[key]), given.value.get("arguments"), "", given.places[f"/{key}"][0])


def _direct(code: Code, name: str) -> Iterator[Example]:
    """Yield the calls of a function with the tool's own name and an object: `await findNotes({ word: "tea" })`."""
    short = name.rpartition(".")[2]
    pattern = re.compile(rf"(?<![\w\"'`-])(?:[\w-]+__)?(?P<name>{re.escape(short)})\s*\(\s*(?=\{{)")
    for match in list(pattern.finditer(code.text))[:_MOST]:
        if re.search(r"\b(?:function|def|interface|type)\s+$", code.text[: match.start()]):
            continue
        given = read_object(code, match.end())
        if given is not None and isinstance(given.value, dict) and given.value:
            yield _example(given, name, given.value, None, code.place(Piece(short, match.start("name"))))


def _example(
    found: Literal, called: str, arguments: JsonValue, base: str | None, place: Place | None = None
) -> Example:
    """Return a call whose arguments are the whole value (`base` is None) or the `arguments` member at `base`."""
    held = "" if base is None else f"{base}/arguments"
    whole = place if place is not None else found.places[f"{base}/name"][0]
    places = {"/tool_name": (whole, whole)}
    for pointer, where in found.places.items():
        if pointer == held or pointer.startswith(f"{held}/"):
            places[f"/arguments{pointer[len(held) :]}"] = where
    computed = {pointer[len(held) + 1 :] for pointer in found.computed if pointer.startswith(f"{held}/")}
    is_known = held not in found.computed and (arguments is None or isinstance(arguments, dict))
    value: JsonValue = {"tool_name": called, "arguments": arguments if isinstance(arguments, dict) else {}}
    names = frozenset(name.partition("/")[0].replace("~1", "/").replace("~0", "~") for name in computed)
    return Example("call", value, CodeLocator(whole, places), names, is_whole=found.is_whole and is_known)


def _command_lines(
    code: Code, name: str, siblings: AbstractSet[str], types: Mapping[str, JsonValue]
) -> Iterator[Example]:
    """Yield the calls in command lines: `mcp call find_notes --word tea`."""
    joined = code.text.replace("\\\n", " \n")
    start = 0
    for line in re.split(r"(?<! )\n", joined)[:_MOST]:
        if not _LEFT_OUT.search(line) and not line.lstrip(" $>").startswith("#"):
            example = _command_line(code, line, start, name, siblings, types)
            if example is not None:
                yield example
        start += len(line) + 1


def _command_line(
    code: Code, line: str, start: int, name: str, siblings: AbstractSet[str], types: Mapping[str, JsonValue]
) -> Example | None:
    try:
        words = shlex.split(line.lstrip(" $>"), comments=True)
    except ValueError:
        return None
    at = _find_called_word(words, name, siblings)
    if at is None:
        return None
    place = code.place(Piece(words[at], start + max(line.find(words[at]), 0)))
    arguments, is_any, is_sure = _options(words[at + 1 :], types)
    if arguments is None or not (is_any or (words[at] != name and is_sure)):
        return None
    places: dict[str, tuple[Place, Place]] = {"/tool_name": (place, place)}
    for given in arguments:
        option = re.search(rf"(?<![\w-])-*{re.escape(given).replace('_', '[_-]')}\b", line)
        where = code.place(Piece(option[0], start + option.start())) if option is not None else place
        places[f"/arguments/{escape(given)}"] = where, where
    value: JsonValue = {"tool_name": words[at], "arguments": arguments}
    return Example("call", value, CodeLocator(place, places))


def _find_called_word(words: Sequence[str], name: str, siblings: AbstractSet[str]) -> int | None:
    """Return the index of the word in a command line that names a tool, or almost, behind a word such as `call`."""
    short = name.rpartition(".")[2]
    for at, word in enumerate(words):
        if word in (name, short, short.replace("_", "-")):
            return at
    for at, word in enumerate(words[1:], 1):
        is_name = re.fullmatch(r"[A-Za-z][\w.-]+", word) is not None and word not in siblings
        if words[at - 1] in _RUNS and is_name and nearest(word, [short]):
            return at
    return None


def _options(words: Sequence[str], types: Mapping[str, JsonValue]) -> tuple[dict[str, JsonValue] | None, bool, bool]:
    """Return the arguments that options give, whether there are any, and whether all options are those of the tool.

    An option that does not resemble a parameter belongs to the program that makes the call.
    """
    arguments: dict[str, JsonValue] = {}
    rest, is_sure = list(words), True
    while rest:
        word = rest.pop(0)
        option = re.fullmatch(r"(?:--?)?([A-Za-z][\w-]*)(?:=(.*))?", word, re.DOTALL)
        if option is None or (not word.startswith("-") and option[2] is None):
            if word in ("|", "&&", ";", ">", ">>"):
                break
            continue
        name = _parameter(option[1], types)
        value = option[2]
        if value is None and rest and not rest[0].startswith("--"):
            value = rest.pop(0)
        if name is None and value is not None and value.startswith("{") and option[1] in _AS_JSON:
            given = _json_object(value)
            return given, bool(given), True
        if name is None:
            is_sure = False
        else:
            arguments[name] = _convert_option(value, types.get(name))
    return arguments, bool(arguments), is_sure


def _json_object(text: str) -> dict[str, JsonValue] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _parameter(option: str, types: Mapping[str, JsonValue]) -> str | None:
    """Return the parameter that an option gives, or the name that it resembles."""
    plain = option.replace("-", "_")
    for name in types:
        if (
            option == name
            or plain == name.replace("-", "_")
            or plain == re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name).lower()
        ):
            return name
    return plain if nearest(plain, types) else None


def _convert_option(value: str | None, schema: JsonValue) -> JsonValue:
    """Return the text of an option as a program would convert it for the required type."""
    kind = schema.get("type") if isinstance(schema, dict) else None
    if value is None:
        return True
    if kind in ("integer", "number") and re.fullmatch(r"-?\d+(?:\.\d+)?", value):
        return float(value) if "." in value else int(value)
    if kind == "boolean" and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if kind == "array":
        return [_convert_option(item, None) for item in value.split(",")] if not value.startswith("[") else []
    return {} if kind == "object" else value
