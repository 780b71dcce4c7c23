"""Rules about missing or unreadable schemas and examples (MC301, MC303, MC304, MC306, MC316, MC324, MC402)."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SchemaOrigin, SourceFile, SpecFile, SpecTool, ToolContract
from mcp_contracts.diagnostics import Finding, Related, Severity
from mcp_contracts.faults import FaultKind
from mcp_contracts.rules.base import LEGACY, findings_of, rule
from mcp_contracts.rules.texts import offset_of
from mcp_contracts.rules.wording import show


@rule("MC301", Severity.ERROR, since="0.1.0")
def missing_input_schema(tool: ToolContract) -> Iterator[Finding]:
    """A tool has no input schema.

    A model fills in arguments from the schema, and MCP requires one for every tool: `inputSchema` must be an object,
    never null (specification 2025-11-25 and 2026-07-28, server/tools). Official clients reject the whole list if one
    tool has none.

    A tool in an older dialect is only reported if its section has a place for parameters that contains none. MC025
    reports tools that say nothing about parameters.
    """
    has_input = tool.input is not None and tool.input.value is not None
    if has_input or not tool.places.keys().isdisjoint(("prose_input", "open_input")):
        return
    if "input" in tool.places:
        yield Finding(
            "the input schema is `null`",
            'write `{"type": "object", "additionalProperties": false}` for a tool without parameters',
            tool.places["input"],
            part="input",
        )
    elif "unread_input" in tool.places:
        yield Finding(
            "the parameters of the tool are in a form that is not supported",
            "write a JSON Schema, or a table with the columns Parameter, Type, Required and Description",
            tool.places["unread_input"],
            part="input",
        )
    else:
        yield Finding(
            "the tool has no input schema",
            'add one; for a tool without parameters, use `{"type": "object", "additionalProperties": false}`',
            tool.place_of("section:3"),
            part="input",
        )


@rule("MC303", Severity.ERROR, since="0.1.0")
def missing_output_schema(tool: SpecTool) -> Iterator[Finding]:
    """A specification does not describe what a tool returns.

    Callers that do not know the shape of a result can only pass the whole result to a model. With a schema, programs
    can read results, breaking changes are detected, and a server's responses can be validated. The format requires an
    output schema.
    """
    section = tool.section(4)
    if section is None or tool.contract.output is not None:
        return
    if not any(fault.part == "output" for fault in tool.faults):
        yield Finding(
            "the tool has no output schema",
            "add a `json` block with the JSON Schema of a result's `data`",
            section.place,
            part="output",
        )


@rule("MC336", Severity.WARNING, since="0.2.0", needs=[LEGACY])
def output_not_described(file: SpecFile) -> Iterator[Finding]:
    """A tool in an older dialect does not describe its result.

    Callers that do not know the shape of a result can only pass the whole result to a model. A schema, a table, a
    section or a sentence is sufficient. A file is checked only if one of its tools has a place for the result, or if
    the file never mentions results. If most of its tools do not describe their results, they are reported once for the
    file. Tools that were only partly read are ignored, and so are descriptions in other languages if no tool has such a
    place.
    """
    due = [tool for tool in file.tools if tool.is_legacy and not tool.is_listed_only]
    has_places = any(map(_has_place_for_output, due))
    if (_STATED_FOR_ALL if has_places else _MAY_SPEAK_OF_OUTPUT).search(file.text) is not None:
        return
    silent = [tool.contract for tool in due if not _describes_output(tool) and not _shows_output(file, tool)]
    said = "\n".join(contract.description for contract in silent)
    if not has_places and _OF_OTHER_LANGUAGE.search(said) and not _ENGLISH.search(said):
        return
    hint = "describe the result in a table of its fields or a JSON Schema"
    if len(silent) > 1 and len(silent) * 2 > len(due):
        related = tuple(Related(tool.place, show(tool.name)) for tool in silent)
        message = f"{len(silent)} of {len(due)} tools do not say what they return"
        yield Finding(message, hint, silent[0].place, part="output", related=related)
        return
    for tool in silent:
        yield Finding("the tool does not say what it returns", hint, tool.place, part="output")


def _has_place_for_output(tool: SpecTool) -> bool:
    has_section = any(4 in (section.number, section.about) and not section.is_empty for section in tool.sections)
    return has_section or tool.contract.output is not None


def _describes_output(tool: SpecTool) -> bool:
    if _has_place_for_output(tool) or not tool.contract.places.keys().isdisjoint(_OPEN):
        return True  # unread parts may describe it
    return _SPEAKS_OF_OUTPUT.search(tool.contract.description) is not None


_OPEN = ("unread_input", "prose_input", "open_input")


def _shows_output(file: SpecFile, tool: SpecTool) -> bool:
    """Whether a tool's part of a file shows an example of its output, says what the tool reports or returns, or has
    JSON that is not read as a call.
    """
    start, end = offset_of(file.text, tool.lines[0], 1), offset_of(file.text, tool.lines[1], 1_000_000)
    is_in_json = tool.contract.input is not None and tool.contract.input.origin is SchemaOrigin.SCHEMA
    is_unread = not tool.contract.examples and not is_in_json and "```json" in file.text[start:end]
    return is_unread or _LEADS_TO_OUTPUT.search(file.text, start, end) is not None


_STATED_FOR_ALL = re.compile(
    r"(?:^\W{0,4}|[.:] )(?:each|every|all) (?:MCP )?(?:tools?(?: calls?)? returns?|responses? (?:is|are))\b",
    re.MULTILINE | re.IGNORECASE,
)
"""The beginning of a sentence about the result of all tools."""
_MAY_SPEAK_OF_OUTPUT = re.compile(
    r"return|respon|output|result|report|yield|answer|json|print|\b(?:gives?|including|includes|provides)\b|[^\W\d_\x00-\u02ff]",
    re.IGNORECASE,
)
"""A word about a result, or a letter of another script, in which it may be described."""
_LEADS_TO_OUTPUT = re.compile(
    r"^[ \t]*(?:->|=>|→|⇒) ?[\[{\"\d]"
    r"|^\W{0,6}(?:(?:example|sample) (?:output|response|result|return)|пример ответа|exemple de réponse"
    r"|no (?:response|result|output|return value)\b"
    r"|ejemplo de respuesta|extracts? )|\b(?:reports|outputs|prints|displays|liefert|gibt)\b|返回|返し|戻り値|возвраща"
    r"|devuelve|devolve|retorna|renvoie|retourne|zurück|반환|\bincluding\b[^.\n]*,"
    r"|\b(?:retrieves|generates|builds) an? (?:\w+ )?(?:summary|chart|report|image|list|text)\b",
    re.MULTILINE | re.IGNORECASE,
)
_OF_OTHER_LANGUAGE = re.compile(
    r"\b(?:del?|des|du|une?|una|le|les|la|el|los|las|uma|da|das|dos?|il|della|per|par|pour|para|por|der|die|das|ein|eine[nmrs]?"
    r"|und|von|het|een|van|ett|och|og|ve|bir|dla)\b",
    re.IGNORECASE,
)
_ENGLISH = re.compile(r"\b(?:the|of|and|with|from|for|to|by|is|are|this)\b", re.IGNORECASE)
# The last alternative begins with a noun: the description is the result.
_SPEAKS_OF_OUTPUT = re.compile(
    r"\b(?:return|respon|output|result|yield|(?:gives|hands|sends) back\b|answers with|^\W*gives\b)"
    r"|\bdata`? (?:contains|holds|has|is)\b"
    r"|^\W*(?:lists?|gets?|shows?|finds?|fetch(?:es)?)\b[^.:\n]{1,80}\b(?:with|including) (?:their|its)\b"
    r"|^\W*(?:(?:takes )?no (?:parameters|arguments|input)\W+)?"
    r"(?:the|an?(?! (?:[\w-]+ )?(?:tool|helper|function|wrapper|utility|way|command|shortcut)\b)|all|every|each|what"
    r"|which|whether|who|how (?:many|much|long)|current|latest|inferred|body|details|statistics|metadata|summary"
    r"|list of)\b",
    re.IGNORECASE,
)


@rule("MC304", Severity.ERROR, since="0.1.0", needs=[FaultKind.INVALID_JSON])
def invalid_json(file: SourceFile) -> Iterator[Finding]:
    """A schema, or a whole tool list, is not valid JSON.

    No program can read it, so none of its constraints apply. The finding is located where the JSON parser stopped, and
    the message names the likely cause: a comment, a trailing comma, single quotes, or something missing.
    """
    yield from _of_schemas(file, FaultKind.INVALID_JSON)


@rule("MC306", Severity.ERROR, since="0.1.0", needs=[FaultKind.DUPLICATE_KEY])
def duplicate_key(file: SourceFile) -> Iterator[Finding]:
    """A key occurs twice in one object of a schema.

    Parsers keep the last one and silently drop the first (RFC 8259, section 4, leaves this open), so a property or a
    limit that is visible in the file does not apply.
    """
    yield from _of_schemas(file, FaultKind.DUPLICATE_KEY)


@rule("MC316", Severity.ERROR, since="0.1.0", needs=[FaultKind.EXAMPLE_FOR_SCHEMA])
def example_instead_of_schema(tool: SpecTool) -> Iterator[Finding]:
    """An example or a plain map of properties is used as a schema.

    An example shows a single value, but not which other values are allowed or what may be omitted. Older dialects often
    describe a result this way; there, it is one of the reasons that `legacy-dialect` gives.
    """
    faults = (fault for fault in tool.faults if not (tool.is_legacy and fault.part == "output"))
    yield from findings_of(faults, FaultKind.EXAMPLE_FOR_SCHEMA)


@rule("MC324", Severity.ERROR, since="0.1.0", needs=[FaultKind.TOO_DEEP])
def too_deeply_nested(file: SourceFile) -> Iterator[Finding]:
    """A schema is nested too deeply.

    Parsers and validators are recursive and fail or crash at some depth, many JSON parsers at 128 levels. Such a schema
    is either a generator's mistake or an attack.
    """
    yield from _of_schemas(file, FaultKind.TOO_DEEP)


@rule("MC402", Severity.ERROR, since="0.1.0")
def invalid_example_json(tool: SpecTool) -> Iterator[Finding]:
    """An example is not valid JSON, or not valid Python if it is a call in code.

    Models copy examples more faithfully than they follow schemas. An example that cannot be parsed cannot be checked,
    mocked or called.
    """
    for fault in tool.faults:
        if fault.part == "example":
            yield Finding(fault.message, fault.hint, fault.place, fault.part, fault.pointer)


def _of_schemas(file: SourceFile, kind: FaultKind) -> Iterator[Finding]:
    tools = file.tools if isinstance(file, SpecFile) else ()
    faults = (*file.faults, *(fault for tool in tools for fault in tool.faults))
    yield from findings_of((fault for fault in faults if fault.part != "example"), kind)
