"""Finds tools in forms that are not supported."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecTool
from mcp_contracts.parsing.locating.headings import (
    OF_TOOLS_ELSEWHERE,
    is_about_others,
    is_no_name,
    is_of_authors,
    speaks_of_tools,
)
from mcp_contracts.parsing.locating.odd_headings import denies_tools, says_none
from mcp_contracts.parsing.locating.siblings import names_of
from mcp_contracts.parsing.markdown.blocks import (
    Block,
    Fence,
    Heading,
    Html,
    Item,
    ListBlock,
    Paragraph,
    TableBlock,
    flatten_blocks,
)
from mcp_contracts.parsing.parameters.tables import cells_of, is_parameter_table, plain_name
from mcp_contracts.parsing.schemas import is_data
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.parsing.topics import about
from mcp_contracts.sections import Mention

_NAME = r"(?P<name>[A-Za-z][\w-]*(?:\.[\w-]+)*)"
_REGISTRATION = re.compile(
    r"(?<![@#\[])[@#\[]+[\w.]*?tool[^\n]*+(?:\n[ \t]*[@#\[][^\n]*)*\n\s*"
    rf"(?:(?:async|pub|public|static|def|fn|func|fun|Task\S*)\s+)+(?:\w+\s+)?{_NAME.replace('name', 'defined')}\s*\("
    r"|\b(?!call|invoke|run|use)(?=\w*?[tT]ool)\w++\(\s*+\{?\s*+"
    rf"(?:name\s*+[:=]\s*+)?[\"']{_NAME}[\"']"
)
_LABELED = re.compile(
    rf"\**(?:MCP )?(?:Tool|Function)(?: name)?\s*+(?::\s*+\**+|\**+\s*+:)\s*+`?{_NAME}`?\s*$", re.IGNORECASE
)
_LED = re.compile(rf"(?:\*\*`?|`){_NAME}(?:\([^`]*\))?(?:`?\*\*|`)(?=\s*(?:[:(–—-]|$))")
_PARAMETERS = re.compile(
    r"\b(?:param(?:eter)?s?|arg(?:ument)?s?|inputs?|accepts|takes|returns?)\b|\((?:str(?:ing)?|int(?:eger)?|number|bool\w*"
    r"|float|object|array|list)\b",
    re.IGNORECASE,
)
_EXPOSED = re.compile(
    r"\b(?:expos|provid|offer|defin|regist|add|implement|publish|contribut|ha[sv])\w* (?:[\w-]+ ){0,4}?tools?\b"
    rf"[^.`]{{0,30}}`{_NAME}`(?!\s+(?:module|package|server|library|crate|extension|plugin)\b)",
    re.IGNORECASE,
)
_SUMMARY = re.compile(
    rf"<(?:summary|dt|li)\b[^>]*>\s*(?:<(?:b|code|strong|a)\b[^>]*>\s*)*{_NAME}(?:\([^<]*\))?\s*<", re.IGNORECASE
)
_CELLS = re.compile(rf"<tr\b[^>]*>\s*<td\b[^>]*>\s*(?:<\w+\b[^>]*>\s*)*{_NAME}(?:\([^<]*\))?\s*<", re.IGNORECASE)
_AFTER_NAME = 200
"""The maximum number of characters after a name in HTML that are searched for a type."""
_HTML_HEAD = re.compile(
    r"<t[hd]\b[^>]*>\s*(?:<\w+>\s*)*(?:MCP )?(?:tools?|functions?|commands?)(?: names?)?\s*<", re.IGNORECASE
)
_AVAILABLE = re.compile(
    r"\btools?\b[^.`]{0,60}\b(?:available|exposed|provided|offered|registered|callable|defined|published|listed)\b"
    r"[^.`]{0,60}(?=[*`])"
    r"|\b(?:available|exposed|callable|registered) tools?\b[^.`]{0,40}(?=[*`])",
    re.IGNORECASE,
)
_NAME_IN_CODE = re.compile(rf"`{_NAME}(?:\([^`]*\))?`")
_FROM = re.compile(r"\b(?:from|in|with|by|via|see) \W{0,3}$", re.IGNORECASE)
"""Words before the module that tools come from."""
_REMARK = r" \((?:[^()`]|`[^`]*`){0,300}\)"
_ONE_NAME = rf"`[a-z][\w.-]*(?:\([^`]*\))?`(?:{_REMARK})?"
_NAMES_ALONE = re.compile(
    rf"(?:\*\*[^*`]{{1,60}}\*\*:? ?(?:[—–-] ?)?)?{_ONE_NAME}(?: ?(?:,|;|·|\|| and|, and) ?{_ONE_NAME})++[.,]?\s*"
)
_OBJECT = re.compile(
    rf"[\"']?\bname[\"']?\s*:\s*[\"']?{_NAME}[\"']?\s*+,?\s*+[^{{}}]{{0,400}}?"
    r"\b(?:inputSchema|input_schema|parameters)\b"
)
_LONGEST = 4_000
_OF_PROTOCOL = re.compile(
    r"MCP|model ?context ?protocol|registerTool|addTool|\.tool\b|inputSchema|input_schema", re.IGNORECASE
)
_RELATED = re.compile(r"\b(?:related|see also|other modules?|depend\w+|tests?|testing)\b", re.IGNORECASE)
"""Headings above modules that have their own tools, and above tests."""
_IMPORTS = re.compile(r"^ *from +[\w.]+ +import +\(?([\w, \n]+)|^ *import +\{([\w, \n]+)\}", re.MULTILINE)
"""Functions that code imports; they and those in the same table are not tools."""


def unread_tools(source: SourceText, blocks: Sequence[Block], *, is_template: bool = False) -> Iterator[Mention]:
    """Yield the tools that a file without tools describes in an unsupported form: each name and its place.

    The name is empty if there are parameters without a tool's name, except in a template, which has a placeholder for
    it.
    """
    from mcp_contracts.parsing.locating.code.fenced import fenced_faults  # only for files without tools

    title = next((block.text for block in blocks if isinstance(block, Heading)), "")
    if is_about_others(blocks) or OF_TOOLS_ELSEWHERE.match(title):
        return
    fences = [block for block in flatten_blocks(blocks) if isinstance(block, Fence)]
    imports = [match[1] or match[2] for one in fences for match in _IMPORTS.finditer(one.content[:_LONGEST])]
    imported = {f"`{name}`" for text in imports for name in re.findall(r"\w+", text)}
    is_of_protocol = _OF_PROTOCOL.search(source.text) is not None
    names: set[str] = set()
    under = lead = ""
    for block in flatten_blocks(blocks):
        under = block.text if isinstance(block, Heading) else under
        if _RELATED.search(under) or denies_tools(under) or says_none(under):
            continue
        if isinstance(block, TableBlock) and any(name in line.text for name in imported for line in block.lines):
            continue
        if isinstance(block, Fence) and not is_of_protocol and not speaks_of_tools(under):
            continue  # code of an application, whose tools no server offers
        if isinstance(block, Fence) and any(fenced_faults(source, [block])):
            continue  # the fault says why the tool is not read
        yield from _find_listed_names(source, block, f"{under}\n{lead}", names)
        for line, start, name in _names(block, f"{under}\n{lead}"):
            if name not in names and not is_no_name(name):
                names.add(name)
                yield Mention(name, source.place_in(line, start, start + len(name)))
        lead = block.text if isinstance(block, Paragraph) else ""
    for block in blocks if not names and not is_template else ():
        under = block.text if isinstance(block, Heading) else under
        lead, before = (block.text if isinstance(block, Paragraph) else ""), lead
        if (
            isinstance(block, TableBlock)
            and not _OF_SEVERAL.search(before)
            and not ROUTE.match(under)
            and is_parameter_table(block)
            and _is_of_parameters(block)
        ):
            yield Mention("", source.place_in(block.lines[0]))
            return


def tools_beside(source: SourceText, blocks: Sequence[Block], tools: Sequence[SpecTool]) -> Iterator[Mention]:
    """Yield the tools that a file describes in an unsupported form outside its other tools.

    Only certain definitions count: an object with an input schema, a label that names a tool, a summary above
    parameters, and rows of names below a heading about tools.
    """
    names = {form for tool in tools for form in names_of(tool)}
    ends = sorted(tool.lines for tool in tools)
    starts = [first for first, _ in ends]
    title = next((block.text for block in blocks if isinstance(block, Heading)), "")
    is_titled = speaks_of_tools(title)
    under = lead = ""
    for index, block in enumerate(blocks):
        if isinstance(block, Heading):
            under, lead = block.text, ""
            continue
        at = bisect_right(starts, block.row + 1) - 1
        is_one = (at < 0 or block.row + 1 > ends[at][1]) and _may_name(block)
        is_one = is_one and not (denies_tools(under) or says_none(under))
        if is_one and not OF_TOOLS_ELSEWHERE.search(under) and not OF_TOOLS_ELSEWHERE.search(lead):
            yield from _find_listed_names(source, block, f"{under}\n{lead}", names, is_titled=is_titled)
            for line, start, name in _sure_names(block, blocks[index + 1 : index + 4]):
                if name not in names and not is_no_name(name):
                    names.add(name)
                    yield Mention(name, source.place_in(line, start, start + len(name)))
        lead = block.text if isinstance(block, Paragraph) else ""


def _may_name(block: Block) -> bool:
    """Whether a block may define or name tools: a paragraph only with a name in code, or after a colon."""
    if isinstance(block, Paragraph):
        return any("`" in line.text or ":" in line.text for line in block.lines)
    return isinstance(block, Fence | Html)


def _sure_names(block: Block, following: Sequence[Block]) -> Iterator[tuple[Line, int, str]]:
    """Yield the names of tools that a block definitely defines."""
    if isinstance(block, Fence) and is_data(block):
        for match in _OBJECT.finditer(block.content[:_LONGEST]):
            above = block.content[: match.start()]
            if above.count("{") - above.count("}") > 1 and '"tools"' not in above:
                continue  # a part of an example
            yield from _at(block.content, block.first_row, match.start("name"), match["name"])
    elif isinstance(block, Html) and not block.is_comment:
        is_over_parameters = any(isinstance(one, TableBlock) and is_parameter_table(one) for one in following)
        for match in _SUMMARY.finditer(block.content[:_LONGEST]) if is_over_parameters else ():
            yield from _at(block.content, block.row, match.start("name"), match["name"])
    elif isinstance(block, Paragraph):
        for line in block.lines:
            if (stated := _LABELED.match(line.text) or _ACCEPTS.match(line.text)) is not None:
                yield line, stated.start("name"), stated["name"]


def _find_listed_names(
    source: SourceText, block: Block, under: str, names: set[str], *, is_titled: bool = False
) -> Iterator[Mention]:
    """Yield the lines of a paragraph that consist only of names in code, below a heading about tools.

    `is_titled` says that the title of the file is about tools.
    """
    heading = under.partition("\n")[0]
    is_about_tools = speaks_of_tools(heading) or (is_titled and about(heading) is None)
    if not isinstance(block, Paragraph) or not is_about_tools or is_of_authors(under):
        return
    goes_on = False  # a sentence, whose next line may begin with a name
    for line in block.lines:
        is_alone = not goes_on and _NAMES_ALONE.fullmatch(line.text[:_LONGEST]) is not None
        goes_on = not is_alone and not line.text.rstrip("*_ ").endswith((":", "."))
        if is_alone:
            text = re.sub(_REMARK, lambda remark: " " * len(remark[0]), line.text[:_LONGEST])
            found = [name for name in _NAME_IN_CODE.finditer(text) if name["name"] not in names]
            names.update(name["name"] for name in found)
            if found:
                yield Mention(found[0]["name"], source.place_in(line, *found[0].span("name")), len(found) - 1)


def _is_of_parameters(block: TableBlock) -> bool:
    """Whether the header of a table says that its rows are parameters, not options or variables of something else."""
    first = cells_of(block.lines[0])[0].text
    names = [plain_name(cells_of(line)[0].text) for line in block.lines[2:]]
    return about(first) == 3 and not all(name.isupper() for name in names)  # the names of variables are in capitals


def _names(block: Block, under: str) -> Iterator[tuple[Line, int, str]]:
    """Yield the names of tools in a block, each with its line and column.

    `under` is the heading above the block, followed by the introductory paragraph on the next line.
    """
    if isinstance(block, Fence):
        text = block.content[:_LONGEST]
        if speaks_of_tools(under) and not is_of_authors(under):
            yield from _calls_alone(block)
        for match in (_OBJECT if is_data(block) else _REGISTRATION).finditer(text):
            group = "defined" if not is_data(block) and match["defined"] else "name"
            yield from _at(block.content, block.first_row, match.start(group), match[group])
    elif isinstance(block, Html):
        from mcp_contracts.parsing.parameters.notes import read_note  # only for files without tools

        text = _COMMENT.sub(lambda comment: " " * len(comment[0]), block.content[:_LONGEST])
        for match in (*_SUMMARY.finditer(text), *_html_cells(text)):
            after = re.sub(r"<[^<>]{0,100}>", "", text[match.end() - 1 : match.end() + _AFTER_NAME])
            is_parameter = read_note(after).type is not None
            if not is_parameter and not re.fullmatch("[A-Z][a-z]+", match["name"]):  # a client, or any other word
                yield from _at(block.content, block.row, match.start("name"), match["name"])
    elif isinstance(block, TableBlock):
        yield from _properties(block)
        yield from _rows_of_tools(block, under)
    elif isinstance(block, ListBlock) and about(under.partition("\n")[2]) is None and not _OF_MODELS.search(under):
        for item in block.items:
            labeled = _LABELED_ITEM.match(item.lines[0].text) if item.lines else None
            if labeled is not None and speaks_of_tools(under):
                yield item.lines[0], labeled.start("name"), labeled["name"]
            elif not _is_parameter(item):
                yield from _find_leading_names(item.lines, _text_of(item))
    elif isinstance(block, Paragraph):
        for line in block.lines:
            stated = _LABELED.match(line.text) or _EXPOSED.search(line.text[:_LONGEST])
            if stated is not None and _NEGATED.search(line.text[: stated.start("name")]):
                stated = None
            available = _AVAILABLE.search(line.text[:_LONGEST])
            if stated is not None:
                yield line, stated.start("name"), stated["name"]
            elif available is not None and not _NEGATED.search(line.text[: available.end()]):
                several = re.search(r"\btools\b", available[0], re.IGNORECASE) is not None
                found = [
                    name
                    for name in _NAME_IN_CODE.finditer(line.text, available.end())
                    if not _FROM.search(line.text[: name.start()])
                ]
                for name in found[: None if several else 1]:
                    yield line, name.start("name"), name["name"]
        if any(line.text.startswith(":") for line in block.lines[1:]):  # a definition list
            yield from _find_leading_names(block.lines, block.text)


def _calls_alone(block: Fence) -> Iterator[tuple[Line, int, str]]:
    """Yield the names in a fence without a language that has nothing but calls, one on each line: `find({query})`."""
    rows = [(number, text) for number, text in enumerate(block.content[:_LONGEST].splitlines()) if text.strip()]
    calls = [(number, text, call) for number, text in rows if (call := _CALL_ALONE.fullmatch(text)) is not None]
    if block.language in ("", "text", "txt", "plaintext") and len(calls) == len(rows) > 1:
        for number, text, call in calls:
            yield Line(text, block.first_row + number, 0), call.start("name"), call["name"]


_ACCEPTS = re.compile(rf"`{_NAME}` (?:accepts|takes|expects)\b[^.]{{0,100}}:\s*$")
_NEGATED = re.compile(r"\b(?:no|nobody|none|not|never|without|nothing)\b|n[’']t\b", re.IGNORECASE)
_OF_SEVERAL = re.compile(r"\b(?:all|every|each|common|shared|several)\b", re.IGNORECASE)
"""Words before parameters that several tools share."""
_COMMENT = re.compile(r"<!--.*?(?:-->|$)", re.DOTALL)
_LABELED_ITEM = re.compile(
    rf"[*_]{{0,2}}(?:tool )?name[*_]{{0,2}}: ?[*_]{{0,2}} ?`?{_NAME}`?[*_]{{0,2}}\s*$", re.IGNORECASE
)
_CALL_ALONE = re.compile(rf"\s*{_NAME}\([^()]*\)(?:\s*(?:->|=>|→|:)\s*\S.*)?;?\s*")
_OF_MODELS = re.compile(r"\bmodels?\W*(?:\n|$)", re.IGNORECASE)
ROUTE = re.compile(r"\W*(?:GET|POST|PUT|PATCH|DELETE|HEAD)\b\W+/")
"""A heading of a REST interface."""


def _at(text: str, first_row: int, start: int, name: str) -> Iterator[tuple[Line, int, str]]:
    begin = text.rfind("\n", 0, start) + 1
    yield Line(text[begin:].partition("\n")[0], first_row + text.count("\n", 0, start), 0), start - begin, name


def _properties(block: TableBlock) -> Iterator[tuple[Line, int, str]]:
    """Yield the name in a table of one tool's properties: `| Name | `x` |` above `| Input | … |`."""
    rows = [cells_of(line) for line in block.lines if "---" not in line.text]
    titles = [row[0].text.strip("*_` ").lower() for row in rows if len(row) == 2]
    if len(titles) != len(rows) or not any(about(title) in (3, 4) for title in titles):
        return
    for line, row, title in zip([line for line in block.lines if "---" not in line.text], rows, titles, strict=True):
        name = row[1].text.strip("*` ")
        if title in ("name", "tool", "tool name") and re.fullmatch(_NAME, name):
            yield line, line.text.index(name, row[1].column - line.column), name


def _find_leading_names(lines: Sequence[Line], text: str) -> Iterator[tuple[Line, int, str]]:
    """Yield the name that begins an item, if the item mentions parameters."""
    match = _LED.match(lines[0].text) if lines else None
    if match is not None and (is_no_name(match["name"]) or about(match["name"]) is not None):
        return
    if match is not None and "`" not in match[0] and not re.search(r"[_.-]", match["name"]):
        return  # a word in bold
    if match is not None and _PARAMETERS.search(text[match.end() :][:_LONGEST]):
        yield lines[0], match.start("name"), match["name"]


def _text_of(item: Item) -> str:
    """Return an item's text with that of the lists in it."""
    parts = [item.text]
    for block in item.blocks:
        if isinstance(block, ListBlock):
            parts.extend(_text_of(inner) for inner in block.items[:20])
    return "\n".join(parts)


_SHORT = 12


def _is_parameter(item: Item) -> bool:
    """Whether an item is a parameter with its type rather than a tool."""
    match = _LED.match(item.lines[0].text) if item.lines else None
    if match is None:
        return False
    from mcp_contracts.parsing.parameters.notes import read_note  # only for files without tools

    note = read_note(item.text[:_LONGEST], match.end())
    says_default = note.default is not None or "default" in item.text[match.end() :][:_SHORT].lower()
    return note.type is not None or note.required is not None or says_default


def _html_cells(text: str) -> Iterator[re.Match[str]]:
    """Yield the first cells of an HTML table, if its header says that they are tools."""
    if _HTML_HEAD.search(text):
        yield from _CELLS.finditer(text)


def _rows_of_tools(block: TableBlock, under: str) -> Iterator[tuple[Line, int, str]]:
    """Yield the names in a table of one tool, below its name, or of several, one in each row."""
    if is_of_authors(under):
        return
    under = under.partition("\n")[0]
    head = cells_of(block.lines[0])
    first = re.fullmatch(rf"\**`{_NAME}(?:\([^`]*\))?`\**", head[0].text)
    if first is not None and speaks_of_tools(under):
        yield block.lines[0], block.lines[0].text.index(first["name"]), first["name"]
        return
    titles = [cell.text.strip("*_` ").lower() for cell in head]
    named = next((at for at, title in enumerate(titles) if title in _TITLES_OF_TOOLS), None)
    if named is None and speaks_of_tools(under):
        named = next((at for at, title in enumerate(titles) if title == "name"), None)
        described = {about(title) for title in titles}
        named = named if described & {3, 4} else None
    is_sure = named is not None and titles[named] != "command" and _holds_joined(block, named)
    rows = block.lines[2:] if named is not None and (speaks_of_tools(under) or is_sure) else ()
    for line in rows:
        cells = cells_of(line)
        if named is not None and named < len(cells):
            name = plain_name(cells[named].text)
            is_word = re.fullmatch("[A-Z][a-z]+", name) and name == cells[named].text.strip()  # a tool of another kind
            if re.fullmatch(_NAME, name) and name in line.text and about(name) is None and not is_word:
                yield line, line.text.index(name, cells[named].column - line.column), name


def _holds_joined(block: TableBlock, at: int) -> bool:
    """Whether any name in a column has several words, unlike `jq` and `sed`."""
    cells = [row[at].text for line in block.lines[2:] if at < len(row := cells_of(line))]
    return any(re.search(r"\w[_.-]\w|[a-z][A-Z]", cell) for cell in cells)


_TITLES_OF_TOOLS = frozenset(("tool", "tools", "tool name", "mcp tool", "function", "command"))
