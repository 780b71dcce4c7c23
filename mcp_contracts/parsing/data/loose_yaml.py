"""Reads invalid YAML line by line, as its author meant it."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.data.documents import Document
from mcp_contracts.parsing.data.yaml_documents import read_yaml

_MEMBER = re.compile(r"([ \t]*+)(?:- )?[\w$-]+:[ \t]++(?=[^\"'\[{])")
_BLOCK = re.compile(r"[|>][-+0-9]{0,2}[ \t]*(?:#|$)")
_MISREAD = re.compile(r"[@`%&*!#|>]|(?:(?! #).)*?:(?:[ \t]|$)")


def read_loose_yaml(document: Document) -> Document:
    """Return the document, with unquoted text that YAML would misread kept whole.

    An example is `description: limit (default: 5)`. The value is None if the document has another fault. Such text is
    replaced with the same number of letters while the document is read, so every place is exact.
    """
    lines = []
    texts: dict[int, str] = {}
    offset = 0
    block_indent: int | None = None
    for line in document.text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if block_indent is not None and line.strip() and indent <= block_indent:
            block_indent = None
        match = _MEMBER.match(line) if block_indent is None else None
        if match and _BLOCK.match(line, match.end()):
            block_indent = indent
        elif match and _MISREAD.match(line, match.end()):
            text = line[match.end() :].rstrip()
            texts[offset + match.end()] = text
            line = f"{match[0]}{'x' * len(text)}{line[match.end() + len(text) :]}"
        lines.append(line)
        offset += len(lines[-1]) + 1
    return read_yaml(document.source, "\n".join(lines), document.first_row, replaced=texts)
