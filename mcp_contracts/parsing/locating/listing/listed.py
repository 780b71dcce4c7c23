"""Finds tools in the rows of an overview table (`| Tool | Summary | Parameters |`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import LISTED_ONLY, SpecTool
from mcp_contracts.parsing.canonical import states_nothing
from mcp_contracts.parsing.locating.headings import (
    IDENTIFIER,
    OF_AUTHORS,
    OF_TOOLS_ELSEWHERE,
    PLACEHOLDER_NAMES,
    is_no_name,
    is_of_authors,
    speaks_of_tools,
)
from mcp_contracts.parsing.locating.listing.kind_tables import tools_of_kinds
from mcp_contracts.parsing.locating.listing.shared_tables import shared_tables
from mcp_contracts.parsing.locating.odd_headings import denies_tools
from mcp_contracts.parsing.locating.other_languages import DISABLED, TITLE_OF_TOOLS, names_tools
from mcp_contracts.parsing.markdown.blocks import Block, Heading, Item, ListBlock, Paragraph, TableBlock
from mcp_contracts.parsing.parameters.code_text import parts
from mcp_contracts.parsing.parameters.table_faults import misshapen_rows
from mcp_contracts.parsing.parameters.tables import Cell, cells_of, is_parameter_table, plain_name
from mcp_contracts.parsing.placeholder_texts import traces_in
from mcp_contracts.parsing.placeholders import read_marks
from mcp_contracts.parsing.raw import RawSection, RawTool
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.parsing.topics import about
from mcp_contracts.records import replace

_TITLES = frozenset(("tool", "tools", "tool name", "mcp tool", "mcp tools", "invocation", "invocation name"))
_OTHER_TITLES = frozenset(("name", "function", "command", "method", "operation", "action"))
_NUMBERS = frozenset(("", "#", "no", "no.", "nr", "nr."))
_DESCRIPTION, _PARAMETERS, _RETURNS = 1, 3, 4
IN_TABLE = "it is only listed in a table"


def with_listed_tools(
    source: SourceText, blocks: Sequence[Block], tools: list[SpecTool], module: str | None
) -> list[SpecTool]:
    """Return the tools, including those that are only in an overview table, in order of appearance.

    `blocks` are those before the first tool. If no tool has a section, a table with their parameters may be anywhere.
    """
    by_name = {tool.contract.name: tool for tool in reversed(tools)}
    listed: dict[str, SpecTool] = {}
    again: list[SpecTool] = []  # named by another row of the same table
    is_under_tools = False
    level = 0  # the level of the heading about tools
    is_led_above = False  # whether that heading says that the file offers them
    other_level = 0  # the level of the heading about former tools, or an author's
    lead = ""
    for block in blocks:
        if isinstance(block, Paragraph):
            lead = block.text
        elif isinstance(block, Heading):
            lead = block.text.strip("*_: ")
            is_about_tools = speaks_of_tools(block.text) or names_tools(block.text)
            is_about_tools = is_about_tools and not is_of_authors(block.text)
            is_about_tools = is_about_tools and (block.level > 1 or bool(_LEADS.search(block.text)))
            if not 0 < level < block.level:
                level = block.level if is_about_tools else 0
                is_led_above = is_about_tools and _LEADS.search(lead) is not None
            is_inside = level > 0 and (not tools or (is_led_above and not _ELSEWHERE.search(block.text)))
            is_under_tools = is_about_tools or is_inside
            is_of_others = are_not_offered(block.text) or (
                block.level == 1 and "MCP" not in block.text and is_of_authors(block.text)
            )
            other_level = (
                min(block.level, other_level or 6) if is_of_others else other_level * (block.level > other_level)
            )
        elif other_level:
            continue
        elif isinstance(block, TableBlock) and (shared := shared_tables((block,))):
            for name, table in shared.items():
                if name not in by_name and name not in listed:
                    cell = cells_of(next(line for line in block.lines if line.row == table.row))[0]
                    listed[name] = _read_row(source, name, cell, module, (table,), (), table.end)
        elif isinstance(block, TableBlock) and (is_under_tools or not tools):
            whole, of_kinds = block, tools_of_kinds(block)
            block = of_kinds or block
            is_said = is_under_tools or of_kinds is not None or _OFFERS.search(lead) is not None
            is_led = not tools and is_under_tools and _LEADS.search(lead) is not None and _are_names(block)
            is_led = is_led or (is_under_tools and _counts_rows(lead, block))
            rows: set[str] = set()
            gone = next(
                (at for at, cell in enumerate(cells_of(block.lines[0])) if _REMOVED_IN.fullmatch(cell.text)), None
            )
            torn = {fault.place.line: fault for fault in misshapen_rows(source, whole)}
            for name, line, cells, at in _rows(block, is_under_tools=is_said, has_tools=bool(tools), is_led=is_led):
                is_again = name in listed and name not in by_name and name in rows
                if any(_IS_REMOVED.fullmatch(cell.text.strip("*_ ")) for cell in cells[at + 1 :]):
                    continue
                if gone is not None and gone < len(cells) and any(map(str.isalnum, cells[gone].text)):
                    continue
                if name == "none" or name in PLACEHOLDER_NAMES or (name in listed and not is_again):
                    continue
                tool = by_name.get(name) or _read(source, block, name, line, cells, at, module)
                if name not in by_name and (fault := torn.pop(line.row + 1, None)) is not None:
                    tool = replace(tool, faults=(*tool.faults, fault))
                rows.add(name)
                if is_again:
                    again.append(tool)
                else:
                    listed[name] = tool
    found = sorted([*listed.values(), *again], key=lambda tool: tool.lines) if again else [*listed.values()]
    return [*found, *(tool for tool in tools if listed.get(tool.contract.name) is not tool)] if listed else tools


def are_not_offered(title: str) -> bool:
    """Whether a title is about tools that are former, planned or disabled, or about what is not a tool."""
    if denies_tools(title) or (names_tools(title) and DISABLED.search(title)):
        return True
    return "tool" in title.lower() and _OF_OTHERS.search(title) is not None


_OF_OTHERS = re.compile(
    r"\b(?:removed|former|old|retired|dropped|planned|future|upcoming|considered|evaluated|rejected"
    r"|disabled|inactive|unregistered|unimplemented)\b.{0,200}\btools?\b"
    r"|\btools?\b.{0,40}\b(?:not (?:yet )?(?:enabled|registered|implemented)|disabled|commented out)\b"
    r"|\btools?\W{1,3}(?:removed|retired|dropped|planned|considered|evaluated|rejected|(?:switched|turned) off)\b"
    r"|\btest (?:results?|plan|report)\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(f"{OF_AUTHORS.pattern}|{OF_TOOLS_ELSEWHERE.pattern}", re.IGNORECASE)
_REMOVED_IN = re.compile(r"[*_]{0,2}removed(?: in| on| since)?[*_]{0,2}", re.IGNORECASE)
"""The title of a column that says since when a tool is gone."""
_IS_REMOVED = re.compile(r"(?:removed|withdrawn|retired)(?: (?:in|since|with) v?[\w.]+)?", re.IGNORECASE)
_NOTE = re.compile(r" ?\([^()]*\)$")
_LEADS = re.compile(
    r"\btools\b[^.]{0,200}\b(?:available|provided|exposed|offered|supported|follow\w*)\b"
    r"|\b(?:available|following|provides|exposes|offers|supports)\b[^.]{0,200}\btools\b|^(?:MCP )?tools$",
    re.IGNORECASE,
)


_OFFERS = re.compile(r"\b(?:exposes|offers|provides) (?:[\w-]+ ){0,3}tools:?$", re.IGNORECASE)
_COUNT = re.compile(r"\b(\d{1,3}) (?:MCP )?tools\b", re.IGNORECASE)


def _counts_rows(lead: str, block: TableBlock) -> bool:
    """Whether a title counts the tools, and the table has as many rows."""
    counted = _COUNT.search(lead)
    return counted is not None and int(counted[1]) == len(block.lines) - 2


def _are_names(block: TableBlock) -> bool:
    """Whether a table has no types, and its first cells are names, most of them with several words."""
    names = [_name_in(cells_of(line)[0]) for line in block.lines[2:]]
    joined = sum("_" in name for name in names)
    return not is_parameter_table(block) and all(map(IDENTIFIER.fullmatch, names)) and joined * 2 > len(names)


def _are_in_code(block: TableBlock, at: int) -> bool:
    """Whether the names of a table are in code, and most of them have several words, as only those of tools do."""
    cells = [row[at].text for line in block.lines[2:] if at < len(row := cells_of(line))]
    joined = sum(re.search(r"\w[_ -]\w", cell) is not None for cell in cells)
    return all(cell.startswith(("`", "[`")) for cell in cells) and joined * 2 > len(cells)


def _rows(
    block: TableBlock, *, is_under_tools: bool, has_tools: bool, is_led: bool
) -> Iterator[tuple[str, Line, Sequence[Cell], int]]:
    """Yield the tools of a table: the name, the row, its cells, and the index of the cell with the name."""
    titles = [_NOTE.sub("", cell.text.strip("*` ").lower()) for cell in cells_of(block.lines[0])]
    first = 1 if titles[0] in _NUMBERS and len(titles) > 1 else 0
    of_tools = [title in _TITLES or TITLE_OF_TOOLS.fullmatch(title) is not None for title in titles]
    at = of_tools.index(True) if True in of_tools else first
    gives_parameters = any(about(title) == _PARAMETERS for title in titles[at + 1 :])
    is_due = of_tools[at] and (is_under_tools or gives_parameters or (not has_tools and _are_in_code(block, at)))
    is_due = is_due or (is_led and titles[at] in _OTHER_TITLES)
    is_of_others = titles[at] in _OTHER_TITLES and not is_parameter_table(block)
    is_due = is_due or (is_of_others and gives_parameters and is_under_tools and not has_tools)
    found = [
        (_name_in(cell), line, [*cells[:at], cell, *cells[at + 1 :]])
        for line in (block.lines[2:] if is_due else ())
        if at < len(cells := cells_of(line))
        for cell in _divided(cells[at])
    ]
    groups = {_name_in(cells_of(line)[0]) for line in block.lines[2:]} if at and titles[at] == "tools" else set()
    found = [one for one in found if one[0] not in groups]  # a profile that includes the tools of another
    valid = sum(_NAME.fullmatch(name) is not None for name, _, _ in found)
    for name, line, cells in found:
        # An invalid name among valid ones is a tool as well.
        is_one = _NAME.fullmatch(name) or (valid * 2 >= len(found) and _IN_CODE.fullmatch(cells[at].text))
        if is_one and not is_no_name(name) and name.rpartition("_")[2] in cells[at].text:
            yield name, line, cells, at


def _name_in(cell: Cell) -> str:
    return plain_name(cell.text).partition("(")[0].strip("[]`")  # without its link


_NAME = re.compile(r"[a-z]\w*(?:[.-]\w+)*")
_IN_CODE = re.compile(r"`[^`]+`")
_BETWEEN = re.compile(r"(?:\([a-z ,-]{1,40}\)|<br ?/?>|[^\w`]|\b(?:and|or)\b)*+")


def _divided(cell: Cell) -> Iterator[Cell]:
    """Yield the parts of a cell with the names of several tools: `` `archive` / `delete` ``."""
    names = list(_IN_CODE.finditer(cell.text))
    if not names or not _BETWEEN.fullmatch(_IN_CODE.sub("·", cell.text)):
        yield cell
        return
    first = names[0][0].strip("`")
    for one in names:
        text = one[0]
        if text.startswith("`_") and "_" in first.strip("_"):  # `shelf_open` / `_close`
            text = f"`{first.rpartition('_')[0]}{text[1:]}"
        yield Cell(text, cell.column + one.start(), cell.column + one.end(), cell.row)


_SIGNATURE = re.compile(r"(?:(?:function|call|tool) )?signature|prototype|syntax|call", re.IGNORECASE)


_NOT_DESCRIBING = re.compile(
    r"(?:mcp |tool )?(?:annot(?:ation)?s?\.?|hints?|flags?|access|mode|permissions?|scopes?|auth\w*|status|state|since"
    r"|version|added(?: in)?|category|categories|group|tags?|type|kind|tier|plan|cost|credits|price|risk(?: level)?"
    r"|safety|side effects?|destructive\??|read-?only\??|idempotent\??|endpoint|api(?: endpoint)?|route|source|file"
    r"|module|implementation|owner|who\b.*|(?:allowed|available) (?:to|for)|used by|users?|audience|roles?)",
    re.IGNORECASE,
)
"""Titles of columns whose cells are properties of a tool, not descriptions."""
_LISTED_NAME = re.compile(r"[a-z]\w*\??(?: \([^()]*\))?(?:,|$)")
_LETTERS = re.compile(r"(?!(?:yes|no)\b)[^\W\d_]{2}", re.IGNORECASE)


def _read(
    source: SourceText, block: TableBlock, name: str, line: Line, cells: Sequence[Cell], at: int, module: str | None
) -> SpecTool:
    """Return the tool of a row, with each of its other cells as a section whose title is that of the column."""
    intro: list[Block] = []
    signature: list[Block] = []
    sections: list[RawSection] = []
    titled = list(zip(cells_of(block.lines[0]), cells, strict=False))
    others = titled[at + 1 :]
    if (
        at and others and not any(_LETTERS.search(cell.text) for _, cell in others)
    ):  # `| List notes | `list_notes` | ✅ |`
        others = titled[:at]
    texts = [
        cell
        for title, cell in others
        if about(title.text) is None
        and not _SIGNATURE.fullmatch(title.text)
        and not _NOT_DESCRIBING.fullmatch(title.text.strip("*`_ "))
        and not _IN_CODE.fullmatch(cell.text)
    ]
    described = next((cell for title, cell in others if about(title.text) == _DESCRIPTION), None)
    described = described or max(texts, key=lambda cell: len(cell.text), default=None)
    for title, cell in others:
        said = Line(cell.text, cell.row, cell.column)
        paragraph = Paragraph((said,), cell.row, cell.row + 1)
        number = about(title.text)
        if _SIGNATURE.fullmatch(title.text.strip("*` ")) and cell.text.startswith("`("):  # without the name
            said = Line(f"`{name}{cell.text[1:]}", cell.row, cell.column - len(name))
            signature.append(Paragraph((said,), cell.row, cell.row + 1))
        elif cell.text and cell is described:
            intro.append(paragraph)
        elif cell.text and number is not None:
            heading = Heading(6, Line(title.text, title.row, title.column), title.row, title.row + 1)
            content = (_list_of(cell) if number == _PARAMETERS else None) or paragraph
            sections.append(RawSection(heading, None, number, title.text, (content,)))
    return _read_row(source, name, cells[at], module, [*intro, *signature], sections, line.row + 1)


def _list_of(cell: Cell) -> ListBlock | None:
    """Return the plain names in a cell as the items of a list, `id, limit (optional)`; None if it begins otherwise."""
    if not _LISTED_NAME.match(cell.text) or states_nothing(cell.text):
        return None
    found = []
    for piece in parts(cell.text, 0):
        if piece.text.strip(". …") in ("", "etc"):
            piece = piece._replace(text="(others)")  # not a parameter, so the list is open
        marked = re.sub(r"^([A-Za-z]\w*)(\??)(?!\w)", r"`\1\2`", piece.text)  # read as a name in code
        line = Line(marked, cell.row, cell.column + piece.start - (marked != piece.text))
        found.append(Item(cell.row, cell.row + 1, (Paragraph((line,), cell.row, cell.row + 1),)))
    return ListBlock(tuple(found), cell.row, cell.row + 1)


def _read_row(
    source: SourceText,
    name: str,
    cell: Cell,
    module: str | None,
    intro: Sequence[Block],
    sections: Sequence[RawSection],
    end_row: int,
) -> SpecTool:
    """Return the tool that a cell names, with the content of its row."""
    gives_parameters = any(isinstance(block, TableBlock) for block in intro) or any(
        section.meaning == _PARAMETERS for section in sections
    )
    start = cell.column + cell.text.index(name)
    end = min(start + len(name), cell.end)  # the name may be longer than what the cell abbreviates
    raw = RawTool(
        heading=Heading(6, Line(cell.text, cell.row, cell.column), cell.row, cell.row + 1),
        name=name,
        name_place=source.place(cell.row, start, end),
        module=module,
        intro=tuple(intro),
        sections=tuple(sections),
        end_row=end_row,
        extent=source.place(cell.row, end_row=end_row - 1),
    )
    from mcp_contracts.parsing.legacy.tool import read_legacy  # few files list tools

    tool = read_legacy(source, raw, (LISTED_ONLY,))
    if gives_parameters or tool.contract.input is not None:
        tool = replace(tool, deviations=(IN_TABLE,))
    traces = traces_in(source.lines[cell.row])
    said = (*intro, *(block for section in sections for block in section.blocks))
    marks = tuple(read_marks(source, said, traces)) if traces else ()
    return replace(tool, contract=replace(tool.contract, placeholders=marks)) if marks else tool
