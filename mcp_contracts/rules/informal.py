"""Tells formal specifications from informal ones, of which only names, descriptions and text are checked."""

from __future__ import annotations

from mcp_contracts.contract import SourceFile, SpecFile, SpecTool

CHECKED_IN_INFORMAL = frozenset(
    (
        *("MC001", "MC002", "MC003", "MC004", "MC005", "MC006", "MC007", "MC013", "MC014", "MC021", "MC023", "MC024"),
        *("MC020", "MC022", "MC101", "MC104", "MC509", "MC514", "MC515"),  # names and descriptions
        *("MC304", "MC306", "MC324", "MC330", "MC402"),  # JSON, and the rows of tables
        *("MC506", "MC507", "MC508"),  # secrets, and text that harms readers
    )
)
"""Rules that do not depend on parameters: about Markdown and JSON, names and descriptions, and safety."""
_FAMILIES = ("MC2", "MC6", "MC7", "MC8")
"""Versions and lifecycle, and what is only checked on demand."""


def is_checked_in_informal(code: str) -> bool:
    """Whether a rule also applies to informal specifications."""
    return code in CHECKED_IN_INFORMAL or code.startswith(_FAMILIES)


def is_informal(file: SourceFile) -> bool:
    """Whether a specification gives few types: fewer than half of the tools that describe their parameters give types,
    or fewer than a quarter of all tools.
    """
    if not isinstance(file, SpecFile) or not file.tools:
        return False
    stated = [states_types(tool) for tool in file.tools]
    typed = stated.count(True)
    return typed < stated.count(False) or typed * 4 < len(stated)


def states_types(tool: SpecTool) -> bool | None:
    """Whether a tool is in the canonical form, or gives types for at least half of its parameters; None if it says
    nothing about parameters.

    A place for parameters also counts if it says that the tool takes none, or if it is empty.
    """
    if not tool.is_legacy:
        return True
    rows = (tool.input_table.rows if tool.input_table is not None else ()) or tool.signature
    if rows:
        return sum(row.type is not None or row.schema is not None for row in rows) * 2 >= len(rows)
    if tool.contract.input is not None:
        return True
    if "prose_input" in tool.contract.places:
        return False
    return True if any(3 in (one.number, one.about) for one in tool.sections) else None
