"""Reads code that describes the parameters or the result of a tool: signatures, interfaces, classes, shapes."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SchemaOrigin, SchemaPart, Table, TableRow
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.parsing.examples.code_examples import CodeLocator
from mcp_contracts.parsing.examples.code_spans import is_code
from mcp_contracts.parsing.examples.literals import read_object
from mcp_contracts.parsing.legacy.reading import DESCRIPTION, INPUT, INTRO, OUTPUT, Reading
from mcp_contracts.parsing.markdown.blocks import Fence
from mcp_contracts.parsing.parameters.code_signatures import Signature, fence_signature, lone_signature
from mcp_contracts.parsing.parameters.code_text import Code, Piece
from mcp_contracts.parsing.parameters.keywords import call_keywords
from mcp_contracts.parsing.parameters.python_classes import class_rows
from mcp_contracts.parsing.parameters.typed_signatures import member_lines, typed_signature
from mcp_contracts.parsing.parameters.typescript import call_rows, interface_rows
from mcp_contracts.parsing.parameters.zod import zod_rows
from mcp_contracts.parsing.schemas import is_schema
from mcp_contracts.parsing.text import Line

_LANGUAGES = frozenset(
    ("", "typescript", "ts", "tsx", "javascript", "js", "go", "golang", "csharp", "cs", "c#", "java", "kotlin", "text",
     "txt", "plaintext", "pseudo", "pseudocode", "swift", "rust", "signature")
)  # fmt: skip
COMMANDS = frozenset(("bash", "sh", "shell", "console", "http", "zsh", "powershell", "curl"))
"""Languages of fences that show commands and declare nothing."""
SIGNATURE_TITLES = frozenset(
    ("signature", "function signature", "call signature", "tool signature", "prototype", "synopsis", "syntax",
     "signatur", "firma", "assinatura")
)  # fmt: skip
"""Labels of a line with a signature."""
_IN_CODE = re.compile(r"(?:\**(?:Signature|Syntax|Prototype)[:.]?\**:? *)?\**`([^`][^`(]*\([^`)]*\)[^`]*)`\**\.?")
_ARROW = re.compile(r"(?:->|=>|→|\)\s*:)\s*(?=\{)")
_INPUT_NAME = re.compile(r"(?:Input|Args|Arguments|Params|Parameters|Request|Query|Options)$")
_OUTPUT_NAME = re.compile(r"(?:Output|Result|Results|Response|Return|Reply)$")
_OF_INPUT = re.compile(r"\b(?:interface|type|class|const)\s+\w*(?:Input|Args|Arguments|Params|Parameters|Request)\b")

_OF_OUTPUT = re.compile(r"\b(?:interface|type)\s+\w*(?:Output|Results?|Response)\b")
_REGISTERS = re.compile(r"\b\w+\s*\.\s*(?:tool|registerTool|addTool)\s*\(")


def read_code(reading: Reading, block: Fence, siblings: AbstractSet[str]) -> bool:
    """Read the parameters or the fields of the result that a fence of code declares; return whether there are any."""
    if reading.topic not in (INTRO, DESCRIPTION, INPUT, OUTPUT):
        return _read_python(reading, block, siblings) if is_code(block) else False
    place = reading.source.place(min(block.first_row, len(reading.source.lines) - 1))  # a file may end with the mark
    if is_code(block):
        if _read_python(reading, block, siblings):
            return True
        rows = class_rows(reading.source, block) if _is_due(reading, block) else None
        if (
            rows is None
            and reading.topic == INPUT
            and (called := call_keywords(reading.source, block, reading.raw.name))
        ):
            rows, reading.is_open = called, True
    elif block.language in _LANGUAGES and block.is_closed:
        code = Code.of(reading.source, block.content, block.first_row)
        part: Part = "output" if reading.topic == OUTPUT else "input"
        if (schema := _schema(code, part, place)) is not None:
            reading.take(part, schema)
            return True
        if reading.topic != OUTPUT and _OF_OUTPUT.search(code.text) and not _OF_INPUT.search(code.text):
            _read_output(reading, interface_rows(code, _OUTPUT_NAME), place)
            return True
        rows = call_rows(code, reading.raw.name) if reading.topic != OUTPUT else None
        if rows is None and _is_due(reading, block):
            rows = _read_declarations(code, reading.topic)
        if rows is None and (reading.topic == INPUT or "=" in block.content or not reading.description):
            rows = member_lines(code)
        if rows is not None and reading.topic != OUTPUT and (fields := interface_rows(code, _OUTPUT_NAME)) != rows:
            _read_output(reading, fields, place)
        if rows is None and reading.topic != OUTPUT:
            signature = typed_signature(code, reading.raw.name)
            reading.signature = reading.signature or signature
            return signature is not None
    else:
        return False
    if rows is None:
        return False
    if reading.topic == OUTPUT:
        _read_output(reading, rows, place)
    else:
        reading.places.setdefault("input", place)
        reading.signature = reading.signature or Signature(rows, "", "", place)
    return True


def _schema(code: Code, part: Part, place: Place) -> SchemaPart | None:
    """Return the JSON Schema that a piece of code consists of, as a JavaScript object."""
    begin = _SCHEMA_BEGINS.match(code.text)
    found = read_object(code, begin.end()) if begin is not None else None
    if found is None or found.computed or not found.is_whole or not is_schema(found.value) or not found.value:
        return None
    return SchemaPart(part, found.value, SchemaOrigin.SCHEMA, CodeLocator(place, found.places))


_SCHEMA_BEGINS = re.compile(r"\s*(?:(?:export )?(?:const|let|var) \w+(?: ?: ?\w+)? ?= ?|\w*[sS]chema ?[:=] ?)?(?=\{)")


def _read_output(reading: Reading, rows: tuple[TableRow, ...] | None, place: Place) -> None:
    if rows is not None:
        reading.tables.setdefault("output", Table(rows, place, "code"))


def _read_declarations(code: Code, topic: int) -> tuple[TableRow, ...] | None:
    rows = zod_rows(code)
    rows = interface_rows(code, _OUTPUT_NAME if topic == OUTPUT else _INPUT_NAME) if rows is None else rows
    return member_lines(code) if rows is None and topic == OUTPUT else rows


def _is_due(reading: Reading, block: Fence) -> bool:
    """Whether a type in a fence describes the parameters or the result, by its place or its name."""
    if reading.topic in (INPUT, OUTPUT) or _OF_INPUT.search(block.content) is not None:
        return True
    return reading.raw.name in block.content and _REGISTERS.search(block.content) is not None


def _read_python(reading: Reading, block: Fence, siblings: AbstractSet[str]) -> bool:
    signature = fence_signature(reading.source, block, reading.raw.name)
    if signature is None and reading.topic in (INTRO, DESCRIPTION, INPUT) and reading.signature is None:
        alone = lone_signature(reading.source, block)
        reading.alone = alone if alone is not None and alone.name not in siblings else None
    reading.signature = reading.signature or signature
    return signature is not None


def line_signature(reading: Reading, line: Line) -> bool:
    """Read the signature that a line of code consists of; return whether it is one of this tool."""
    match = _IN_CODE.fullmatch(line.text.strip())
    if match is None:
        return False
    start = line.text.index(match[1])
    code = Code.of(reading.source, match[1], line.row, column=line.column + start)
    signature = typed_signature(code, reading.raw.name)
    arrow = _ARROW.search(match[1]) if signature is not None else None
    if arrow is not None:
        column = line.column + start + arrow.end()
        returned = Code.of(reading.source, match[1][arrow.end() :], line.row, column=column)
        _read_output(reading, interface_rows(returned), code.place(Piece(match[1], 0)))
    reading.signature = reading.signature or signature
    return signature is not None


def may_give_parameters(name: str, code: str) -> bool:
    """Whether code may describe parameters, unlike a user's words to a model or the name of the tool."""
    plain = _QUOTED.sub("", code)
    called = re.search(rf"\b{re.escape(name.rpartition('.')[2])}\b *[^\s]", plain)
    return called is not None or _OF_PARAMETERS.search(plain) is not None


_QUOTED = re.compile(r"\"[^\"\n]*\"|^\s*>.*$", re.MULTILINE)
_OF_PARAMETERS = re.compile(r"[A-Za-z_]\w*\s*[=:?]|<[a-z_]\w*>|--\w|[{(]|^\s*[a-z]\w*\s*$", re.MULTILINE)
