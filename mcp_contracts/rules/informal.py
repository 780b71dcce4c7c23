"""Distinguishes specifications from other documents, which are not checked, and from informal ones, which are only
checked in part.
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SourceFile, SpecFile, SpecTool
from mcp_contracts.parsing.locating.other_languages import names_tools
from mcp_contracts.parsing.raw import number_of_title

CHECKED_IN_OTHERS = frozenset(("MC001", "MC002", "MC027"))
"""Rules that apply to documents that are not specifications."""

CHECKED_IN_INFORMAL = frozenset(
    (
        *("MC001", "MC002", "MC003", "MC004", "MC005", "MC006", "MC007", "MC013", "MC014", "MC021", "MC023", "MC024"),
        "MC028",  # functions that are not read as tools
        *("MC020", "MC022", "MC101", "MC104", "MC331", "MC403", "MC515"),  # names
        *("MC304", "MC306", "MC324", "MC330", "MC402"),  # JSON, and the rows of tables
        *("MC506", "MC507", "MC508"),  # secrets, and text that harms readers
    )
)
"""Rules that depend neither on parameters nor on descriptions: about Markdown and JSON, names, and safety."""
_HEADING = re.compile(
    r"^ {0,3}(#{1,6})[ \t]+(.{1,200})|^(\S.{0,200})\n=+[ \t]*$|<h1\b[^>]{0,400}>([^<]{1,200})", re.MULTILINE
)
_FORMAT = re.compile(
    r"spec(?:s|ifications?)?(?![a-z])|tools?[ _-]+contracts?(?![a-z])"
    r"|spezifikation|sp[ée]cification|especificaci[oó]n|especificação|specifica(?:zione|tie|zioni)\b|specyfikacj"
    r"|спецификаци|специфікаці|仕様|规范|規範|规格|規格|명세"
    r"|^(?=.*\bMCP\b)(?:MCP )?contracts?(?: ?[:—–-]| (?:for|of)) .*\btools?\b"
    r"|^contracts?: (?!an? |the )(?:\w+ )?tools?\b"
    r"|\btools?(?: ?[:—–]| -) (?:[\w-]+ )?contracts?$"
    r"|vertr[aä]ge?(?![a-z])|\bcontrats?\b|\bcontratos?\b|\bcontratt[oi]\b|контракт|契约|契約|合约|合約|合同|계약",
    re.IGNORECASE,
)
_TOOL_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(?:\d[\d.]*\)?[ \t]+)?(?:MCP )?Tool(?: Name)?:", re.MULTILINE)
_FEWEST_NUMBERED = 3
_FAMILIES = ("MC2", "MC6", "MC7", "MC8")
"""Versions and lifecycle, and what is only checked on demand."""


def is_specification(file: SourceFile) -> bool:
    """Whether a file says that it is a tool specification: in its name or its title, by a heading `Tool: …`, by the
    numbered sections of a tool, or by the `protocol` in its front matter. Tool lists and Python modules always are.
    """
    if not isinstance(file, SpecFile) or any(not tool.is_legacy or _has_numbers(tool) for tool in file.tools):
        return True
    if file.front_matter is not None and "protocol" in file.front_matter.values:
        return True
    titles = (file.path.rpartition("/")[2], *_titles(file.text))
    return any(map(_names_format, titles)) or _TOOL_HEADING.search(file.text) is not None


def _has_numbers(tool: SpecTool) -> bool:
    numbers = (number_of_title(section.title) for section in tool.sections if section.number is not None)
    return sum(number is not None for number in numbers) >= _FEWEST_NUMBERED


def _titles(text: str) -> Iterator[str]:
    """Yield the first heading of a text, and every other heading of the first level."""
    for number, heading in enumerate(_HEADING.finditer(text)):
        if number == 0 or heading[1] in (None, "#"):
            yield heading[2] or heading[3] or heading[4]


def _names_format(title: str) -> bool:
    return ("tool" in title.lower() or names_tools(title)) and _FORMAT.search(title) is not None


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


def states_obligations(tool: SpecTool) -> bool:
    """Whether a tool says for each of its parameters whether it is required, so that calls can be checked."""
    rows = tool.input_table.rows if tool.input_table is not None else ()
    return bool(rows) and all(row.required is not None for row in rows)


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
