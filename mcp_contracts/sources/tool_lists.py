"""Contracts from JSON: `{"tools": […]}`, a bare array, a JSON-RPC `tools/list` response, or our own bundle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mcp_contracts import bundle
from mcp_contracts.contract import Example, JsonValue, ToolContract, ToolListFile
from mcp_contracts.diagnostics import Part
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.parsing.data.documents import Document, read_json
from mcp_contracts.parsing.text import SourceText, shorten
from mcp_contracts.parsing.tool_entries import bundle_contract, mcp_contract, schema_part
from mcp_contracts.records import replace
from mcp_contracts.schema.wording import shown_value
from mcp_contracts.sources.limits import limit_tools

_SHAPES = (
    'write `{"tools": […]}`, a bare array of tools, a `tools/list` response, or a bundle '
    "(each tool with `name` and `inputSchema`)"
)


MOST_TOOLS = 2_000
"""The maximum number of tools that are read from one list, twice the size of the largest known list."""


def read_tool_list(path: str, text: str, *, may_be_mcp: bool = True) -> ToolListFile:
    """Read a JSON tool list. Never raises, regardless of its content; errors are in the result.

    If it `may_be_mcp`, a single tool with a provider's keys is a mistake in MCP's format, unless other keys show the
    format.
    """
    source = SourceText.of(path, text)
    document = read_json(source, source.body)
    if document.value is None:
        nothing = (_fault(document, "", "the file contains `null` instead of tools"),)
        return ToolListFile(path, source.text, faults=document.faults or nothing)
    pointer, entries = _entries(document.value)
    if entries is None:
        return ToolListFile(path, source.text, faults=(*document.faults, _no_tools(document, pointer)))
    is_bundle = isinstance(document.value, dict) and document.value.get("format") == bundle.FORMAT
    module = _server_name(document.value)
    contracts: list[ToolContract] = []
    faults = list(document.faults)
    if is_bundle and isinstance(document.value, dict) and document.value.get("version") != bundle.VERSION:
        message = f"the version of the bundle is not supported, expected {bundle.VERSION}"
        hint = "write the bundle again with this release, or use the release that wrote it"
        faults.append(Fault(FaultKind.INVALID_TOOL_LIST, message, document.place("/version"), hint))
    if len(entries) > MOST_TOOLS:
        message = f"the list contains {len(entries):,} tools, and only the first {MOST_TOOLS:,} are read"
        place = document.place(f"{pointer}/{MOST_TOOLS}")
        faults.append(Fault(FaultKind.OVERSIZED, message, place, "split it: no model can choose among that many tools"))
    faults.extend(_more_pages(document))
    members = list(_members(pointer, entries))
    is_foreign = not is_bundle and (not may_be_mcp or _is_of_provider(document.value, members))
    for index, (here, entry) in enumerate(members[:MOST_TOOLS]):
        if not isinstance(entry, dict):
            faults.append(_fault(document, here, f"tool {index + 1} is not an object"))
        elif not isinstance(entry.get("name"), str) or not entry["name"]:
            is_there = "name" in entry
            what = "is empty" if entry.get("name") == "" else "is not a string"
            message = f"the `name` of tool {index + 1} {what}" if is_there else f"tool {index + 1} has no `name`"
            place = document.place(f"{here}/name" if is_there else here)
            faults.append(Fault(FaultKind.INVALID_TOOL_LIST, message, place, "add the `name` that callers use"))
        elif is_bundle:
            faults.extend(_wrong_types(document, here, entry, _BUNDLE_TEXTS, ("input_schema", "output_schema")))
            contracts.append(bundle_contract(document, here, entry))
        else:
            faults.extend(_wrong_types(document, here, entry, _TEXTS, ("inputSchema", "outputSchema")))
            if not is_foreign:
                faults.extend(_misspelled(document, here, entry))
                faults.extend(_wrong_hints(document, here, entry))
                faults.extend(_wrong_execution(document, here, entry))
            contract = _with_schemas(document, here, entry, mcp_contract(document, here, entry, module))
            if is_foreign and contract.input is None and _may_lack_schema(here, entry):
                from mcp_contracts.parsing.canonical import empty_input  # few tools lack a schema

                contract = replace(contract, input=empty_input(contract.place))
            contracts.append(contract)
    return limit_tools(ToolListFile(path, source.text, module, tuple(contracts), tuple(faults)))


def _entries(value: JsonValue) -> tuple[str, list[JsonValue] | None]:
    """Return the tools with their location, or None if the JSON has no known form."""
    if isinstance(value, list):
        return "", value
    if isinstance(value, dict):
        for key in _DECLARATIONS:
            if isinstance(declared := value.get(key), list):
                return f"/{key}", declared
        for pointer, holder in (("/tools", value), ("/result/tools", value.get("result")), ("/functions", value)):
            key = pointer.rpartition("/")[2]
            if isinstance(holder, dict):
                tools = holder.get(key)
                if isinstance(tools, list):
                    return pointer, tools
                if key in holder:
                    return pointer, None
    return "", None


def _more_pages(document: Document) -> Iterator[Fault]:
    """Yield the fault of a page of a `tools/list` response that is not the last one."""
    value = document.value
    for pointer, page in (("", value), ("/result", value.get("result") if isinstance(value, dict) else None)):
        if isinstance(page, dict) and page.get("nextCursor"):
            message = "the list is incomplete: it is one page, and `nextCursor` leads to more tools"
            hint = "request the other pages as well, and save all tools in one list without `nextCursor`"
            yield Fault(FaultKind.INCOMPLETE, message, document.place(f"{pointer}/nextCursor", on_key=True), hint)


def _no_tools(document: Document, pointer: str) -> Fault:
    value = document.value
    if isinstance(value, dict) and "error" in value and "jsonrpc" in value:
        return _fault(document, "/error", "the file contains a JSON-RPC error, not a list of tools")
    if pointer:
        return _fault(document, pointer, f"`{pointer.rpartition('/')[2]}` is not an array")
    return _fault(document, "", "the file contains no list of tools")


def _fault(document: Document, pointer: str, message: str) -> Fault:
    return Fault(FaultKind.INVALID_TOOL_LIST, message, document.place(pointer), _SHAPES)


_TEXTS = ("title", "description")
_BUNDLE_TEXTS = (*_TEXTS, "module", "source_name", "version", "category", "use_when", "security")


def _wrong_types(
    document: Document, here: str, entry: Mapping[str, JsonValue], texts: Sequence[str], schemas: Sequence[str]
) -> Iterator[Fault]:
    """Yield members of a tool whose type makes them unusable. The rules about schemas handle a null input schema."""
    name = shorten(str(entry["name"]))
    for key in texts:
        if not isinstance(entry.get(key), str | None):
            hint = f"write `{key}` as a string, or remove it"
            place = document.place(f"{here}/{key}")
            yield Fault(FaultKind.INVALID_TOOL_LIST, f"`{key}` of `{name}` is not a string", place, hint)
    parts: tuple[Part, Part] = ("input", "output")
    for key, part in zip(schemas, parts, strict=True):
        if not isinstance(entry.get(key), dict | bool | None):
            place = document.place(f"{here}/{key}")
            hint = 'write a JSON Schema object: `{"type": "object", "properties": {…}}`'
            yield Fault(FaultKind.INVALID_TOOL_LIST, f"`{key}` of `{name}` is not a JSON Schema", place, hint, part)


_MEANT: tuple[tuple[Part, str, tuple[str, ...]], ...] = (
    ("input", "inputSchema", ("input_schema", "parameters", "inputschema", "parametersJsonSchema")),
    ("output", "outputSchema", ("output_schema", "outputschema", "responseJsonSchema")),
)
"""The names of schemas in the interfaces of providers."""

_OF_MCP = ("inputSchema", "outputSchema", "annotations", "execution", "_meta", "title")
_Member = tuple[str, JsonValue]


def _members(pointer: str, entries: Sequence[JsonValue]) -> Iterator[_Member]:
    """Yield the tools of a list, each with its pointer, including those in `{"type": "function", "function": {…}}`
    (OpenAI) and `{"functionDeclarations": […]}` (Gemini), but not a provider's own tools such as `{"type":
    "web_search"}`."""
    for index, entry in enumerate(entries):
        here = f"{pointer}/{index}"
        if isinstance(entry, dict) and "name" not in entry:
            if isinstance(entry.get("function"), dict):
                yield f"{here}/function", entry["function"]
                continue
            key = next((key for key in _DECLARATIONS if isinstance(entry.get(key), list)), None)
            declared = entry[key] if key is not None else None
            if isinstance(declared, list):
                yield from ((f"{here}/{key}/{at}", member) for at, member in enumerate(declared))
                continue
        kind = entry.get("type") if isinstance(entry, dict) else None
        has_schema = isinstance(entry, dict) and bool(entry.keys() & {*_OF_MCP, *_MEANT[0][2]})
        if isinstance(kind, str) and kind not in _OF_FUNCTIONS and not has_schema:
            continue
        yield here, entry


_OF_FUNCTIONS = ("function", "custom")
_DECLARATIONS = ("functionDeclarations", "function_declarations")


def _is_of_provider(value: JsonValue, members: Sequence[_Member]) -> bool:
    """Whether all tools of a list have a provider's format and none has MCP's, so that no key is misspelled.

    OpenAI and Gemini allow a tool without a schema.
    """
    if isinstance(value, dict) and ("jsonrpc" in value or "result" in value or "nextCursor" in value):
        return False
    tools = [entry for _, entry in members if isinstance(entry, dict)]
    keys = [next((key for key in _MEANT[0][2] if isinstance(tool.get(key), dict)), None) for tool in tools]
    is_wrapped = all(map(_is_wrapped, (here for here, _ in members)))
    is_typed = all(tool.get("type") in _OF_FUNCTIONS for tool in tools)
    is_legacy = isinstance(value, dict) and "functions" in value and "tools" not in value
    may_lack_schema = is_wrapped or is_typed or is_legacy
    is_clear = len(tools) > 1 or may_lack_schema
    is_one_form = len({*keys} - ({None} if may_lack_schema else set())) == 1 and any(keys) and is_clear
    is_without = bool(tools) and (is_wrapped or is_typed) and not any(keys)
    return (is_one_form or is_without) and not any(key in tool for tool in tools for key in _OF_MCP)


def _is_wrapped(here: str) -> bool:
    """Whether a tool is inside the object of a function or in a list of declarations."""
    return here.rpartition("/")[2] == "function" or "eclarations/" in here


def _may_lack_schema(here: str, entry: Mapping[str, JsonValue]) -> bool:
    """Whether a tool of OpenAI or Gemini leaves its parameters out, which means that it has none."""
    has_schema = any(entry.get(key) is not None for key in _MEANT[0][2])
    return not has_schema and (_is_wrapped(here) or entry.get("type") in _OF_FUNCTIONS)


def _with_schemas(
    document: Document, here: str, entry: Mapping[str, JsonValue], contract: ToolContract
) -> ToolContract:
    """Return a contract with the schemas and examples that an entry has under the names of other interfaces."""
    for part, name, others in _MEANT:
        other = next((key for key in others if isinstance(entry.get(key), dict)), None)
        if name in entry or other is None:
            continue
        schema = schema_part(document, here, entry, other, part)
        if schema is not None and isinstance(schema.value, dict) and schema.value.get("type") == "OBJECT":
            schema = replace(schema, value=_convert_gemini(schema.value))
        contract = replace(contract, input=schema) if part == "input" else replace(contract, output=schema)
    examples = entry.get("input_examples")  # Anthropic's
    if not isinstance(entry.get("input_schema"), dict) or not isinstance(examples, list):
        return contract
    read = (
        Example("arguments", value, document.at(f"{here}/input_examples/{index}"))
        for index, value in enumerate(examples)
    )
    return replace(contract, examples=tuple(read))


_OF_GEMINI = frozenset(("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"))
_SIZES = frozenset(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"))


def _convert_gemini(value: JsonValue) -> JsonValue:
    """Convert a schema of Gemini, which writes types in capitals and 64-bit integers as strings, to JSON Schema."""
    if isinstance(value, list):
        return [_convert_gemini(member) for member in value]
    if not isinstance(value, dict):
        return value
    read = {key: _convert_gemini(member) for key, member in value.items()}
    kind = value.get("type")
    if isinstance(kind, str) and kind in _OF_GEMINI:
        nullable = read.pop("nullable", None) is True
        read["type"] = [kind.lower(), "null"] if nullable else kind.lower()
        for key in _SIZES & read.keys():
            size = read[key]
            if isinstance(size, str) and size.isascii() and size.isdigit() and len(size) < 20:
                read[key] = int(size)
    return read


def _misspelled(document: Document, here: str, entry: Mapping[str, JsonValue]) -> Iterator[Fault]:
    """Yield schemas under the names of other interfaces, which MCP does not read."""
    for part, name, others in _MEANT:
        other = next((key for key in others if isinstance(entry.get(key), dict)), None)
        if name not in entry and other is not None:
            place = document.place(f"{here}/{other}", on_key=True)
            message = f"`{other}` of `{entry['name']}` is named `{name}` in MCP, and clients only read that name"
            yield Fault(FaultKind.INVALID_TOOL_LIST, message, place, f"rename it to `{name}`", part)


_HINTS = {hint.lower(): hint for hint in ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")}


def _wrong_hints(document: Document, here: str, entry: Mapping[str, JsonValue]) -> Iterator[Fault]:
    """Yield annotations of a wrong type, for which clients reject the list, and misspelled ones."""
    hints = entry.get("annotations")
    if not isinstance(hints, dict):
        if hints is not None:
            message = f"`annotations` of `{entry['name']}` is {shown_value(hints)}, not an object"
            hint = 'write an object of hints: `{"readOnlyHint": true}`'
            yield Fault(FaultKind.INVALID_TOOL_LIST, message, document.place(f"{here}/annotations"), hint)
        return
    for key, value in hints.items():
        plain = key.replace("_", "").replace("-", "").lower()
        meant = _HINTS.get(plain, _HINTS.get(f"{plain}hint"))
        if key in _HINTS.values() and not isinstance(value, bool | None):
            message = f"`{key}` of `{entry['name']}` is {shown_value(value)}, not a boolean"
            hint = "write `true` or `false`, without quotes"
            yield Fault(FaultKind.INVALID_TOOL_LIST, message, document.place(f"{here}/annotations/{escape(key)}"), hint)
        elif meant is not None and meant not in hints:
            place = document.place(f"{here}/annotations/{escape(key)}", on_key=True)
            message = f"the annotation `{shorten(key)}` is unknown and ignored"
            yield Fault(FaultKind.UNKNOWN_HINT, message, place, f"write `{meant}`")


_TASK_SUPPORT = ("forbidden", "optional", "required")


def _wrong_execution(document: Document, here: str, entry: Mapping[str, JsonValue]) -> Iterator[Fault]:
    """Yield an `execution` that is not an object, and an unknown `taskSupport`; clients reject a list with either."""
    execution = entry.get("execution")
    if execution is None:
        return
    message = f"`execution` of `{entry['name']}` is {shown_value(execution)}, not an object"
    hint, pointer = 'write an object: `{"taskSupport": "optional"}`', f"{here}/execution"
    if isinstance(execution, dict):
        value = execution.get("taskSupport")
        if value is None or value in _TASK_SUPPORT:
            return
        message = f"`taskSupport` of `{entry['name']}` is {shown_value(value)}, not a value that MCP defines"
        hint = "write `forbidden` (the default), `optional` or `required`: whether the tool can be called as a task"
        pointer += "/taskSupport"
    yield Fault(FaultKind.INVALID_TOOL_LIST, message, document.place(pointer), hint)


def _server_name(value: JsonValue) -> str | None:
    info = value.get("serverInfo") if isinstance(value, dict) else None
    name = info.get("name") if isinstance(info, dict) else None
    return name if isinstance(name, str) and name else None
