"""Tables that say of what kind each row is: `| Kind | Name | For agents |` above `| tool | `find_bike` | yes |`."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.markdown.blocks import TableBlock
from mcp_contracts.parsing.parameters.columns import plain_title
from mcp_contracts.parsing.parameters.tables import cells_of
from mcp_contracts.records import replace

_KINDS = frozenset(("", "kind", "type", "what", "category", "class", "kind of entry"))
_NAMES = frozenset(("name", "item", "symbol", "entry", "export", "identifier", "function", "what", "element"))
_TOOL = re.compile(r"[*_`]{0,3}(?:(?:MCP|agent) )?tool[*_`]{0,3}", re.IGNORECASE)
_OFFERED = re.compile(r"\b(?:agents?|exposed|MCP|models?|LLMs?|callable)\b", re.IGNORECASE)
_NOT = re.compile(r"[*_`]{0,3}(?:no|not\b.*|false|never|none|—|–|-|✗|✘|❌|❎)?[*_`]{0,3}", re.IGNORECASE)


def tools_of_kinds(block: TableBlock) -> TableBlock | None:
    """Return only the rows of tools, below the title `Tool`; None for a table without a column of kinds."""
    header = cells_of(block.lines[0])
    titles = [plain_title(cell.text) for cell in header]
    kinds = [at for at, title in enumerate(titles) if title in _KINDS]
    named = next((at for at, title in enumerate(titles) if title in _NAMES and at not in kinds[:1]), None)
    if not kinds or named is None or len(header[named].text) < len("Tool"):
        return None
    offered = [at for at, title in enumerate(titles) if at != named and _OFFERED.search(title)]
    rows = []
    for line in block.lines[2:]:
        cells = cells_of(line)
        is_tool = max(named, kinds[0]) < len(cells) and _TOOL.fullmatch(cells[kinds[0]].text.strip()) is not None
        if is_tool and not any(at < len(cells) and _NOT.fullmatch(cells[at].text.strip()) for at in offered):
            rows.append(line)
    if not rows:
        return None
    first = block.lines[0]
    start, end = (column - first.column for column in (header[named].column, header[named].end))
    title = first._replace(text=f"{first.text[:start]}{'Tool':{end - start}}{first.text[end:]}")
    return replace(block, lines=(title, block.lines[1], *rows))
