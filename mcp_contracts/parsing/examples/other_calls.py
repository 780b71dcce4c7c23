"""Finds calls of a tool in code other than Python: TypeScript, and requests with curl."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Example, Fault, FaultKind, JsonValue
from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.examples.code_examples import CodeLocator
from mcp_contracts.parsing.examples.code_spans import DISPATCHED, is_code
from mcp_contracts.parsing.examples.literals import Literal, read_object
from mcp_contracts.parsing.markdown.blocks import Fence
from mcp_contracts.parsing.parameters.code_text import Code, Piece, inside
from mcp_contracts.parsing.text import SourceText

_COMMANDS = frozenset(
    ("bash", "sh", "shell", "console", "zsh", "terminal", "shell-session", "powershell", "cmd", "curl")
)
_CODE = frozenset(("typescript", "ts", "tsx", "javascript", "js", "jsx", "mjs", "http", "node", "text", "txt", ""))
_LONGEST = 20_000
_MOST = 20
_REQUEST = re.compile(r"[\"']?method[\"']?\s*:\s*[\"']tools/call[\"']")
_NAMED_BY = ("name", "tool_name", "tool", "toolName")
_LEFT_OUT = re.compile(r"\.\.\.|…|<[A-Za-z][\w -]*>|\$\{|\$[A-Z]")


def other_calls(source: SourceText, fence: Fence, name: str) -> Iterator[Example]:
    """Yield the calls in a fence of code that is not Python."""
    if is_code(fence) or not fence.is_closed or len(fence.content) > _LONGEST:
        return
    is_command = fence.language in _COMMANDS
    if not is_command and fence.language not in _CODE:
        return
    code = Code.of(source, fence.content, fence.first_row) if not is_command else _as_written(source, fence)
    yield from (*_requests(code), *_read_dispatched_calls(code), *(() if is_command else _direct(code, name)))


def named_calls(source: SourceText, fence: Fence) -> Iterator[Example]:
    """Yield the calls in a fence of code that state the name of any tool as a text."""
    if not is_code(fence) and fence.is_closed and len(fence.content) <= _LONGEST and fence.language in _CODE:
        code = Code.of(source, fence.content, fence.first_row)
        yield from _requests(code)
        yield from _read_dispatched_calls(code)


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
            hint = "correct it, so that it can be copied and checked"
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
    """The calls by `callTool({ name: "x", arguments: {…} })` or `callTool("x", {…})`."""
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
    """The calls of a function with the tool's own name and an object: `await findNotes({ word: "tea" })`."""
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
    """A call whose arguments are all of what was read (`base` is None), or under `arguments` of a part of it."""
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
