"""Finds calls of a tool in TypeScript, JavaScript and `curl` commands."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Example, JsonValue
from mcp_contracts.diagnostics import Place
from mcp_contracts.json_values.pointers import unescape
from mcp_contracts.parsing.examples.code_examples import calls_meant
from mcp_contracts.parsing.examples.code_spans import DISPATCHED, is_code
from mcp_contracts.parsing.examples.literals import Literal, read_object
from mcp_contracts.parsing.examples.requests import posted_calls
from mcp_contracts.parsing.markdown.blocks import Fence
from mcp_contracts.parsing.parameters.code_text import Code, Piece
from mcp_contracts.parsing.text import MappedLocator, SourceText
from mcp_contracts.rule_names import nearest

_CODE = frozenset(("typescript", "ts", "tsx", "javascript", "js", "jsx", "mjs", "http", "node", "text", "txt", ""))
_LONGEST = 20_000
_MOST = 20
_NAMED_BY = ("name", "tool_name", "tool", "toolName")
_ONLY_CALL = re.compile(r"\s*(?:await )?([a-z]\w*)\(\{.*\}\)\s*")


def other_calls(source: SourceText, fence: Fence, name: str) -> Iterator[Example]:
    """Yield the calls in a fence of code, or in a code span, that is not Python."""
    if posted := list(posted_calls(source, fence)):
        own = [call for call in posted if is_call_of(call, name)]
        yield from own or (posted if len(posted) == 1 else ())  # a single call of another tool is a mistake
    elif _is_due(fence):
        code = _code_of(source, fence)
        named = calls_meant(list(_read_dispatched_calls(code)), name.rpartition(".")[2])
        found = [*named, *_direct(code, name)]
        other = _ONLY_CALL.fullmatch(code.text) if fence.first_row == fence.row and not found else None
        yield from found if other is None else _direct(code, other[1])  # a code span is an example of this tool


def named_calls(source: SourceText, fence: Fence) -> Iterator[Example]:
    """Yield the calls in a fence of code that state the name of any tool as a string."""
    if posted := list(posted_calls(source, fence)):
        yield from posted
    elif _is_due(fence):
        yield from _read_dispatched_calls(Code.of(source, fence.content, fence.first_row))


def is_call_of(example: Example, name: str) -> bool:
    """Whether a call names a tool, with or without its module, or misspells it."""
    called = example.value.get("tool_name") if isinstance(example.value, dict) else None
    last = called.rpartition(".")[2] if isinstance(called, str) else ""
    short = name.rpartition(".")[2]
    return last == short or nearest(last, [short]) is not None


def _is_due(fence: Fence) -> bool:
    return not is_code(fence) and fence.is_closed and len(fence.content) <= _LONGEST and fence.language in _CODE


def _code_of(source: SourceText, fence: Fence) -> Code:
    """Return the code of a fence, or of a code span, which is indented by its column."""
    text = fence.content.lstrip(" ") if fence.first_row == fence.row else fence.content
    return Code.of(source, text, fence.first_row, column=len(fence.content) - len(text))


def _read_dispatched_calls(code: Code) -> Iterator[Example]:
    """Yield the calls by `callTool({ name: "x", arguments: {…} })` or `callTool("x", {…})`."""
    for match in list(DISPATCHED.finditer(code.text))[:_MOST]:
        given = read_object(code, match.end())
        if given is None or not isinstance(given.value, dict):
            continue
        if match["name"] is not None:
            place = code.place(Piece(match["name"], match.start("name")))
            yield _example(given, match["name"], given.value, None, place)
        elif "arguments" not in given.value and not match[0]:
            continue  # an object with other members, which may be anything
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
    names = frozenset(unescape(name.partition("/")[0]) for name in computed)
    is_whole = found.is_whole and is_known
    key = "arguments" if base is not None else ""
    return Example("call", value, MappedLocator(whole, places), names, is_whole=is_whole, arguments_key=key)
