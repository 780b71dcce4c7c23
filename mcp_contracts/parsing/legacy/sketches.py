"""Reads JSON as people sketch it in documents: with comments, with `...` for omissions, several values in one fence."""

from __future__ import annotations

import json
from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.faults import FaultKind
from mcp_contracts.parsing.data.comments import blank, without_gaps
from mcp_contracts.parsing.data.documents import Document, read_json
from mcp_contracts.parsing.markdown.blocks import Fence
from mcp_contracts.parsing.schemas import is_yaml, read_fence
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.records import NamedTuple

_STRING = r'(?<!\\)"(?:[^"\\\n]|\\.)*"'
_COMMENT = re.compile(rf"{_STRING}|(?<![:\w])(?://|#)[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_IN_COMMENTS = re.compile(r"^[ \t]*(?://|#|/\*)[ \t]*(?:[A-Za-z][\w ]{0,40}:?(?=[ \t]*[{\[]))?", re.MULTILINE)
"""What precedes a value that is in a comment: `// output {"id": 4}`."""
_TYPE = re.compile(
    rf"{_STRING}|(?<=[:\[,{{|])(\s*)((?:string|str|number|int|integer|float|boolean|bool|object|array|any|list|dict|null(?=\s*\|)"
    r"|datetime|date|uuid)(?:\[\w*\]|<\w*>)?(?:\s*\|\s*(?:\w+|\"[^\"\n]*\")(?:\[\])?){0,50})(?=\s*[,\]}\n])"
)
_PLACEHOLDER = re.compile(rf"{_STRING}|<[\w .-]+>")
_NAMES_ONLY = re.compile(r"\s*\{[\w\s,.?…]*\}\s*")
_MOST_DOCUMENTS = 20
_LONGEST = 50_000
_decoder = json.JSONDecoder()


class Sketch(NamedTuple):
    """A document of a fence. `is_exact` is False if parts of it are only indicated; `lead` is the comment above it."""

    document: Document
    is_exact: bool
    lead: str = ""


def read_sketches(source: SourceText, fence: Fence) -> Iterator[Sketch]:
    """Yield the documents of a fence. If even a sketch cannot be read, return one document with its fault.

    `{a, b, ...}` contains only names and is not a document.
    """
    strict = read_fence(source, fence, "example")
    is_broken = any(fault.kind is FaultKind.INVALID_JSON for fault in strict.faults)
    text = fence.content.removesuffix("\n")
    if not is_broken or not fence.is_closed or is_yaml(fence) or len(text) > _LONGEST:
        yield Sketch(strict, is_exact=True)
        return
    plain = _COMMENT.sub(lambda match: match[0] if match[0][0] == '"' else blank(match[0]), text)
    is_commented = bool(text.strip()) and not plain.strip()
    if is_commented:
        plain = _IN_COMMENTS.sub(lambda match: blank(match[0]), text)
    sketched = _without_gaps_and_types(plain)
    if _NAMES_ONLY.fullmatch(text):
        return
    parts = _documents(sketched)
    if is_commented and not parts:
        return  # words
    if parts is None or not sketched.strip():
        # The likely cause is clearest once comments are removed.
        document = read_json(source, plain, fence.first_row, part="example") if plain != text else strict
        yield Sketch(document if document.faults else strict, is_exact=True)
        return
    before = 0
    for start, end in parts:
        only = f"{blank(sketched[:start])}{sketched[start:end]}{blank(sketched[end:])}"
        above = text[before:start].strip().rpartition("\n")[2].lstrip("/*# ")
        is_exact = sketched[start:end] == plain[start:end]
        yield Sketch(read_json(source, only, fence.first_row, part="example"), is_exact, above)
        before = end


def _without_gaps_and_types(text: str) -> str:
    """Remove `...`, type names and `<placeholders>`, or replace them with values of the same length."""
    text = without_gaps(text)
    text = _TYPE.sub(lambda match: match[0] if match[2] is None else f"{match[1]}0{blank(match[2][1:])}", text)
    return _PLACEHOLDER.sub(lambda match: match[0] if match[0][0] == '"' else f"0{blank(match[0][1:])}", text)


def _documents(text: str) -> list[tuple[int, int]] | None:
    """Return the place of each of several JSON values, or None if there is anything else."""
    found: list[tuple[int, int]] = []
    at = 0
    while True:
        at += len(text[at:]) - len(text[at:].lstrip(" \t\r\n"))
        if at >= len(text):
            return found
        if len(found) == _MOST_DOCUMENTS:
            return None
        try:
            _, end = _decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return None
        found.append((at, end))
        at = end
