"""Whether a text contains anything that its replacement does not."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_contracts import lazy_re as re

_WORD = re.compile(r"\w+")
_STRUCTURE = frozenset(
    ("parameter", "parameters", "param", "params", "name", "type", "required", "optional", "default", "description",
     "field", "fields", "value", "example", "examples", "yes", "no", "true", "false", "none", "null", "input",
     "output", "inputs", "arguments", "args", "inputschema", "input_schema", "outputschema", "output_schema",
     "returns", "return", "properties", "object", "string", "integer", "number", "boolean", "array", "any", "str",
     "int", "float", "bool", "list", "dict", "json", "yaml", "tool", "tool_name", "toolname", "function", "call",
     "method", "tools", "id", "jsonrpc", "of", "or", "and", "the", "a", "is", "status")
)  # fmt: skip


def is_said(text: str, replacements: Iterable[str]) -> bool:
    """Whether all words of a text are in the texts that replace it, except for those that only name its parts."""
    said = {word for replacement in replacements for word in _words(replacement)}
    return _words(text) - _STRUCTURE <= said


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text.replace("\\", " "))}
