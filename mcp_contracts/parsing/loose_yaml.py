"""YAML that no parser accepts, read line by line for what its author meant."""

from __future__ import annotations

import re

from mcp_contracts.contract import JsonValue
from mcp_contracts.parsing.documents import Document
from mcp_contracts.parsing.yaml_documents import read_yaml

_UNQUOTED = re.compile(r"(\s*(?:- )?[\w$-]+:\s+)(.*:.*|.* #.*|[@`%&*!|>].*)$")


def read_loose_yaml(document: Document) -> Document:
    """The document with every text in quotes that YAML would misread, such as `description: limit (default: 5)`.

    Its value is None where that was not the only fault. Offsets of quoted texts shift by one column at most.
    """
    lines = [_quoted(line) for line in document.text.split("\n")]
    return read_yaml(document.source, "\n".join(lines), document.first_row)


def _quoted(line: str) -> str:
    match = _UNQUOTED.match(line)
    if match is None or match[2][:1] in ('"', "'", "[", "{"):
        return line
    value: JsonValue = match[2].rstrip()
    return f"{match[1]}'{str(value).replace(chr(39), chr(39) * 2)}'"
