"""Reads the signature of a tool in a line or a block of code, and recognizes code that may describe parameters."""

from __future__ import annotations

from itertools import islice

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.leads import names_type
from mcp_contracts.parsing.legacy.docstrings import read_docstring
from mcp_contracts.parsing.legacy.reading import INPUT, INTRO, OTHER, Reading
from mcp_contracts.parsing.markdown.blocks import Fence
from mcp_contracts.parsing.parameters.code_text import LONGEST, Code, inside
from mcp_contracts.parsing.parameters.object_types import object_rows
from mcp_contracts.parsing.parameters.typed_signatures import declared_lines, typed_signature
from mcp_contracts.parsing.text import Line

COMMANDS = frozenset(("bash", "sh", "shell", "console", "http", "zsh", "powershell", "curl"))
"""Languages of fences that show commands and declare nothing."""
SIGNATURE_TITLES = frozenset(
    ("signature", "function signature", "call signature", "tool signature", "prototype", "synopsis", "syntax",
     "signatur", "firma", "assinatura")
)  # fmt: skip
"""Labels of a line with a signature."""
_IN_CODE = re.compile(r"(?:\**(?:Signature|Syntax|Prototype)[:.]?\**+:? *+)?\**+`([^`][^`(]*\([^`)]*\)[^`]*)`\**\.?")

_RESULT = re.compile(r"\)\s*(?:->|=>|→|:)\s*\w")
"""The result type of a function."""


def line_signature(reading: Reading, line: Line) -> bool:
    """Read the signature that a line of code consists of; return whether it is the signature of this tool."""
    match = _IN_CODE.fullmatch(line.text.strip())
    if match is None:
        return False
    return _take(reading, Code.of(reading.source, match[1], line.row, column=line.column + line.text.index(match[1])))


def fence_signature(reading: Reading, fence: Fence) -> bool:
    """Read the signature in a block of code; return whether it is the signature of this tool."""
    is_declared = reading.topic == OTHER and _RESULT.search(fence.content) is not None
    is_titled = reading.lead.strip("*: ").lower() in SIGNATURE_TITLES
    is_code = (
        (is_declared or is_titled or reading.topic in (INTRO, INPUT))
        and fence.is_closed
        and fence.language not in COMMANDS
    )
    if not is_code:
        return False
    code = Code.of(reading.source, fence.content, fence.first_row)
    if _take(reading, code):
        read_docstring(reading, fence)
        return True
    is_of_type = names_type(reading.last)
    if reading.topic in (INTRO, INPUT) and not reading.rows and not is_of_type and (rows := declared_lines(code)):
        reading.rows.extend(rows)
        return True
    if reading.topic in (INTRO, INPUT) and not is_of_type and _named_objects(reading, code):
        return True
    return reading.topic == INPUT and _declared_object(reading, code)


def _named_objects(reading: Reading, code: Code) -> bool:
    """Read the object types whose names say that they are the input or the output of a tool: `FindNotesInput`."""
    is_read = False
    for head in islice(_NAMED.finditer(code.text), _MOST_TYPES if len(code.text) <= LONGEST else 0):
        end = inside(code.text, head.end())
        if end is None:
            continue
        before, after = (_OTHERS.sub(" ", one) for one in (code.text[: head.end()], code.text[end + 1 :]))
        own = f"{before}{code.text[head.end() : end + 1]}{after}"
        rows = object_rows(Code(code.source, own, code.first_row, code.comments, code.column))
        if rows is not None:
            (reading.rows if head["input"] else reading.output_rows).extend(rows)
            is_read = is_read or bool(head["input"])
            reading.states_no_parameters = reading.states_no_parameters or (bool(head["input"]) and not rows)
    return is_read


_MOST_TYPES = 20
_OTHERS = re.compile(r"[^\n]")
_NAMED = re.compile(
    r"(?<![^\s;}])(?:export\s+)?(?:interface\s+|type\s+)\w*?(?:(?P<input>Input|Args|Arguments|Params|Parameters|Request)"
    r"|Output|Result|Response)(?:\s*=\s*|\s+)(?=\{)"
)


def _declared_object(reading: Reading, code: Code) -> bool:
    """Read the members of the object type that a block of code declares, and nothing else."""
    head = _DECLARED.match(code.text)
    members = Code(code.source, code.text[head.end() :], code.first_row, code.comments, code.column) if head else None
    if head is None or members is None or (rows := object_rows(members)) is None:
        return False
    reading.rows.extend(rows)
    reading.states_no_parameters = reading.states_no_parameters or not rows
    return True


_DECLARED = re.compile(r"\s*(?:export\s+)?(?:interface\s+\w+|type\s+\w+\s*=)\s*(?=\{)")


def _take(reading: Reading, code: Code) -> bool:
    signature = typed_signature(code, reading.raw.name)
    reading.signature = reading.signature or signature
    return signature is not None


def may_give_parameters(name: str, code: str, *, are_given: bool) -> bool:
    """Whether code may describe parameters, unlike a user's words to a model or the name of the tool.

    If the parameters are given elsewhere, a call with values is an example.
    """
    plain = _QUOTED.sub("", code)
    if are_given and _only_calls(name, code):
        return False
    called = re.search(rf"\b{re.escape(name.rpartition('.')[2])}\b *[^\s]", plain)
    return called is not None or _OF_PARAMETERS.search(plain) is not None


def _only_calls(name: str, code: str) -> bool:
    """Whether code is a single call of a tool with values: `close_ticket(4711, by="me")`."""
    call = _ONE_CALL.fullmatch(_QUOTED.sub('""', code))
    return call is not None and call[1] == name.rpartition(".")[2] and _DECLARED_TYPE.search(call[2]) is None


_ONE_CALL = re.compile(r"\s*(?:\w+ = )?(?:await )?(?:\w+\.)?(\w+)\(([^()]*)\)\s*")
_DECLARED_TYPE = re.compile(r"\w\??: ?[A-Za-z]")
_QUOTED = re.compile(r"\"[^\"\n]*\"|^[^\S\n]*>.*$", re.MULTILINE)
_OF_PARAMETERS = re.compile(
    r"(?<!\w)(?=\w*?[A-Za-z_])\w++\s*+[=:?]|<[a-z_]\w*>|--\w|[{(]|^[^\S\n]*[a-z]\w*[^\S\n]*$", re.MULTILINE
)
