"""The names of arguments that a docstring in a description gives, where they differ from those of the schema."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import ToolContract

_ARGUMENTS = re.compile(
    r"^[ \t]*(?:Args|Arguments|Parameters):[ \t]*\n(?P<lines>(?:[ \t]+\S[^\n]*(?:\n|\Z))+)", re.MULTILINE
)
_ARGUMENT = re.compile(r"^(?P<indent>[ \t]+)(?P<name>[a-z_]\w*)(?: ?\([^()\n]*\))?: ", re.MULTILINE)
_NO_ARGUMENTS = frozenset(
    ("ctx", "context", "self", "cls", "request", "state", "session", "db", "conn", "client", "config", "settings",
     "logger", "deps", "callback", "progress", "user", "kwargs", "args", "tool_context", "run_context", "mcp_context",
     "default", "example", "examples", "format", "note", "raises", "returns", "type", "values")
)  # fmt: skip
"""What frameworks pass themselves, and what explains an argument on a line of its own."""


def renamed_arguments(contract: ToolContract) -> Iterator[str]:
    """The arguments of a docstring that the tool does not have, except for those that frameworks pass themselves.

    One of those counts as well if it is a word away from a parameter without an explanation.
    """
    listed = _ARGUMENTS.search(contract.description) if "rg" in contract.description else None
    schema = contract.input_schema
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if listed is None or not isinstance(properties, dict):
        return
    lines = list(_ARGUMENT.finditer(listed["lines"]))
    names = [match["name"] for match in lines if match["indent"] == lines[0]["indent"]]
    silent = [name for name in properties if name not in names]
    for name in names:
        shared = {word.rstrip("s") for word in words_of(name)}
        is_passed = name in _NO_ARGUMENTS and not any(
            shared & {word.rstrip("s") for word in words_of(other)} for other in silent
        )
        if name not in properties and not is_passed:
            yield name


def words_of(name: str) -> list[str]:
    """The words of a name, in small letters."""
    parted = name if name.islower() else re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    return parted.replace("-", "_").split("_")
