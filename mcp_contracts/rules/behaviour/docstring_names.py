"""The names of arguments that a docstring in a description gives, where they differ from those of the schema."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import ToolContract

_ARGUMENTS = re.compile(
    r"^[ \t]*(?:Args|Arguments|Parameters):[ \t]*\n(?P<lines>(?:[ \t]+\S[^\n]*(?:\n|\Z))+)", re.MULTILINE
)
_ARGUMENT = re.compile(r"^[ \t]+(?P<name>[A-Za-z_]\w*)(?: ?\([^()\n]*\))?: ", re.MULTILINE)


def renamed_arguments(contract: ToolContract) -> Iterator[str]:
    """The arguments of a docstring that are a word away from a parameter of which it says nothing."""
    listed = _ARGUMENTS.search(contract.description) if "rg" in contract.description else None
    schema = contract.input_schema
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if listed is None or not isinstance(properties, dict):
        return
    names = [match["name"] for match in _ARGUMENT.finditer(listed["lines"])]
    silent = [name for name in properties if name not in names]
    for name in names if len(silent) < len(properties) else ():
        shared = {word.rstrip("s") for word in words_of(name)}
        if name not in properties and any(shared & {word.rstrip("s") for word in words_of(other)} for other in silent):
            yield name


def words_of(name: str) -> list[str]:
    """The words of a name, in small letters."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().replace("-", "_").split("_")
