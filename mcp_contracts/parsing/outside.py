"""Reads content about tools outside their sections: calls collected in one place, descriptions in an overview."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Example, SpecTool
from mcp_contracts.diagnostics import Place
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.parsing.examples.code_spans import DISPATCHED, is_code, parameter_types
from mcp_contracts.parsing.markdown.blocks import Block, Fence, ListBlock, Paragraph, TableBlock, flatten_blocks
from mcp_contracts.parsing.parameters.table_faults import misshapen_rows
from mcp_contracts.parsing.parameters.tables import cells_of, plain_name
from mcp_contracts.parsing.schemas import is_data, read_fence
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.parsing.topics import about, label_of
from mcp_contracts.records import replace

_NAMED = re.compile(r"[*_]{0,2}\[?`?(?P<name>[A-Za-z][\w.-]*)(?:\([^()\n]*\))?`?(?:\](?:\([^)\n]*\))?)?[*_]{0,2}")
_SAID = re.compile(r"\s*(?::[*_]{0,2}|[–—-](?=\s))\s*(?=[A-Z])")
_SUBJECT = re.compile(r"`(?P<name>[A-Za-z][\w.-]*)(?:\([^()`\n]*\))?` (?=[a-z]+s\b)")
"""A tool that a sentence is about: `` `find_notes` returns … ``."""
_TITLES = frozenset(("tool", "tools", "tool name", "name", "mcp tool", "function", "command"))
_NUMBERS = frozenset(("", "#", "no", "no.", "nr", "nr."))
_PURPOSE = 1


def with_outer_text(source: SourceText, blocks: Sequence[Block], tools: list[SpecTool]) -> list[SpecTool]:
    """Return the tools with content from elsewhere: calls below `## Usage`, and missing descriptions."""
    outer = list(_outside(blocks, tools)) if tools else []
    found = _calls_of_siblings(source, blocks, tools)
    if not outer and not found:
        return tools
    for name, calls in _examples(source, outer, tools).items():
        found.setdefault(name, []).extend(calls)
    said: dict[str, Line] = {}
    if any(not tool.contract.description and tool.is_legacy for tool in tools):
        for name, line in _descriptions(outer):
            said.setdefault(name, line)
    shared = _shared_input(source, outer, min(tool.lines[0] for tool in tools))
    torn = _overview_faults(source, outer, tools)
    return [
        _with(
            source,
            _with_faults(_with_shared(tool, shared), torn.pop(tool.contract.name, ())),
            found.pop(tool.contract.name, ()),
            said.get(tool.contract.name),
        )
        for tool in tools
    ]


def _overview_faults(source: SourceText, outer: Sequence[Block], tools: Sequence[SpecTool]) -> dict[str, list[Fault]]:
    """Return the faults in the rows of tables that list tools with their own sections, by the tool.

    A row has too few or too many cells, or names the same tool as another row.
    """
    rows_of_tools = {tool.contract.place.line - 1 for tool in tools}
    names = {tool.contract.name.rpartition(".")[2]: tool.contract.name for tool in tools}
    found: dict[str, list[Fault]] = {}
    for block in outer:
        if not isinstance(block, TableBlock) or any(line.row in rows_of_tools for line in block.lines):
            continue
        if cells_of(block.lines[0])[0].text.strip("*` ").lower() not in _TITLES_OF_OVERVIEWS:
            continue
        rows = [(line, plain_name(cells_of(line)[0].text).partition("(")[0]) for line in block.lines[2:]]
        own = {line.row: names[last] for line, name in rows if (last := name.rpartition(".")[2]) in names}
        if len(own) * 2 <= len(rows):
            continue
        for fault in misshapen_rows(source, block):
            if fault.place.line - 1 in own:
                found.setdefault(own.pop(fault.place.line - 1), []).append(fault)
        first: set[str] = set()
        for line, _ in rows:
            name = own.get(line.row)
            if name in first and name is not None and _are_of_tools(block):
                message, hint = f"the table lists the tool `{name}` twice", "correct or remove one of the two rows"
                found.setdefault(name, []).append(Fault(FaultKind.MISSHAPEN_ROW, message, source.place_in(line), hint))
            first.add(name or "")
    return found


def _are_of_tools(block: TableBlock) -> bool:
    """Whether each row of a table is about a whole tool, not about a parameter, an error or a version of it."""
    titles = [cell.text.strip("*` ").lower() for cell in cells_of(block.lines[0])[1:]]
    return not any(_OF_PARTS.search(title) for title in titles)


_TITLES_OF_OVERVIEWS = frozenset(("tool", "tools", "tool name", "name", "mcp tool"))
_OF_PARTS = re.compile(
    r"\b(?:param\w*|arg\w*|field|type|error|code|version|date|change|example|case|scenario|input|action|operation|step"
    r"|role|scope|permission|event|value|request|query|call|issue|status|client|prompt|question)s?\b"
)


def _with_faults(tool: SpecTool, faults: Sequence[Fault]) -> SpecTool:
    return replace(tool, faults=(*tool.faults, *faults)) if faults else tool


def _shared_input(source: SourceText, outer: Sequence[Block], first: int) -> Place | None:
    """Return the place before the first tool where text states the input of all of them."""
    for lead, block in pairwise(outer):
        if block.row + 1 < first and isinstance(lead, Paragraph) and _OF_ALL.search(lead.text):
            items = block.items if isinstance(block, ListBlock) else ()
            for line in (item.lines[0] for item in items if item.lines):
                label = label_of(line)
                if label is not None and label.about == _INPUT and line.text[label.end :].strip():
                    return source.place_in(line)
    return None


_OF_ALL = re.compile(r"\b(?:all|every|each|these)\b[^.]{0,20}\btools?\b.{0,120}:\s*$", re.IGNORECASE)
_INPUT = 3


def _with_shared(tool: SpecTool, shared: Place | None) -> SpecTool:
    """Return a tool without its own input, with the place of the input that all tools share."""
    places = tool.contract.places
    if shared is None or tool.contract.input is not None or not tool.is_legacy or "unread_input" in places:
        return tool
    return replace(tool, contract=replace(tool.contract, places={"prose_input": shared, **places}))


def outer_faults(source: SourceText, blocks: Sequence[Block], tools: Sequence[SpecTool]) -> Iterator[Fault]:
    """Yield faults of JSON that is not in a tool's section. A part of an object, or a sketch, is not a mistake."""
    for fence in flatten_blocks(list(_outside(blocks, tools))):
        if isinstance(fence, Fence) and fence.language == "json" and fence.is_closed and fence.content.strip():
            for fault in read_fence(source, fence, None).faults[:1]:
                if fault.kind is FaultKind.INVALID_JSON and not _SKETCHED.search(fault.message):
                    yield replace(fault, kind=FaultKind.OUTER_JSON)


_SKETCHED = re.compile(r"a comment|stands for|enclosing braces|documents in one|not closed|heading")


def _outside(blocks: Sequence[Block], tools: Sequence[SpecTool]) -> Iterator[Block]:
    inner = sorted((tool.lines[0] - 1, tool.lines[1]) for tool in tools)
    at = end = 0
    for block in sorted(blocks, key=attrgetter("row")):
        while at < len(inner) and inner[at][0] <= block.row:
            end = max(end, inner[at][1])
            at += 1
        if block.row >= end:
            yield block


def _with(source: SourceText, tool: SpecTool, examples: Sequence[Example], said: Line | None) -> SpecTool:
    contract = tool.contract
    if examples:
        contract = replace(contract, examples=(*contract.examples, *examples))
    if said is not None and not contract.description and tool.is_legacy:
        places = {**contract.places, "description": source.place_in(said)}
        contract = replace(contract, description=said.text.strip(), places=places)
    return tool if contract is tool.contract else replace(tool, contract=contract)


def _examples(source: SourceText, outer: Sequence[Block], tools: Sequence[SpecTool]) -> dict[str, list[Example]]:
    """Return the calls in code and in JSON, by the tool that they name."""
    parameters = {tool.contract.name: list(parameter_types(tool.contract.input)) for tool in tools}
    names = {name.rpartition(".")[2]: name for name in parameters}
    found: dict[str, list[Example]] = {}
    for fence in flatten_blocks(outer):
        if isinstance(fence, Fence) and is_code(fence):
            from mcp_contracts.parsing.examples.code_examples import outer_examples  # few files contain code

            for name, example in outer_examples(source, fence, parameters):
                found.setdefault(name, []).append(example)
        elif isinstance(fence, Fence) and is_data(fence) and _HAS_ARGUMENTS.search(fence.content):
            from mcp_contracts.parsing.legacy.examples import calls_in  # few gather their calls

            document = read_fence(source, fence, "example")
            for example in calls_in(document.value, document):
                _add(found, example, names, parameters)
        elif isinstance(fence, Fence) and (DISPATCHED.search(fence.content) or _POSTS.search(fence.content)):
            from mcp_contracts.parsing.examples.other_calls import named_calls  # few files call their tools in code

            for example in named_calls(source, fence):
                _add(found, example, names, parameters)
    return found


def _calls_of_siblings(
    source: SourceText, blocks: Sequence[Block], tools: Sequence[SpecTool]
) -> dict[str, list[Example]]:
    """Return the calls of other tools in the Python code of each tool that calls itself there, by their names."""
    found: dict[str, list[Example]] = {}
    fences = [block for block in flatten_blocks(blocks) if isinstance(block, Fence) and is_code(block)]
    fences = [fence for fence in fences if fence.content.count("(") > 1]
    if len(tools) < _FEWEST or not fences:
        return found
    from mcp_contracts.parsing.examples.code_examples import outer_examples  # few files contain code

    parameters = {tool.contract.name: list(parameter_types(tool.contract.input)) for tool in tools}
    for fence in fences:
        owner = next((tool for tool in tools if tool.lines[0] <= fence.row < tool.lines[1]), None)
        calls = list(outer_examples(source, fence, parameters)) if owner is not None else []
        if owner is not None and any(name == owner.contract.name for name, _ in calls):
            for name, example in calls:
                called = example.value.get("tool_name") if isinstance(example.value, dict) else None
                if name != owner.contract.name and called == name:
                    found.setdefault(name, []).append(example)
    return found


_FEWEST = 2
_HAS_ARGUMENTS = re.compile(r"\"(?:arguments|args|parameters|params|inputs?|tool_input)\"\s*:")
_POSTS = re.compile(r"\bcurl\s")


def _add(
    found: dict[str, list[Example]],
    example: Example,
    names: Mapping[str, str],
    parameters: Mapping[str, Collection[str]],
) -> None:
    """Add a call to those of the tool that it is meant for, with or without the module."""
    from mcp_contracts.parsing.examples.code_examples import tool_called  # few files contain code

    value = example.value if isinstance(example.value, dict) else {}
    called = value.get("tool_name")
    name = tool_called(example, names, parameters)
    if example.kind == "call" and name is not None:
        if str(called).rpartition(".")[2] in names:
            example = replace(example, value={**value, "tool_name": name})
        found.setdefault(name, []).append(example)


def _descriptions(outer: Sequence[Block]) -> Iterator[tuple[str, Line]]:
    """Yield the text of lists, definition lists and tables about the names that they begin with."""
    for block in outer:
        if isinstance(block, ListBlock):
            for item in block.items:
                line = item.lines[0] if item.lines else None
                if line is not None and (subject := _SUBJECT.match(line.text)) is not None:
                    yield subject["name"], Line(line.text[subject.end() :], line.row, line.column + subject.end())
                named = _NAMED.match(line.text) if line is not None else None
                said = _SAID.match(line.text, named.end()) if named is not None and line is not None else None
                if line is not None and named is not None and said is not None:
                    yield named["name"], Line(line.text[said.end() :], line.row, line.column + said.end())
        elif isinstance(block, Paragraph):
            first = block.lines[0]
            if (named := _SUBJECT.match(first.text)) is not None:
                yield named["name"], Line(first.text[named.end() :], first.row, first.column + named.end())
            for term, line in zip(block.lines, block.lines[1:], strict=False):
                named = _NAMED.fullmatch(term.text.strip()) if line.text.startswith(": ") else None
                if named is not None:
                    yield named["name"], Line(line.text[2:], line.row, line.column + 2)
        elif isinstance(block, TableBlock) and (columns := _overview_columns(block)) is not None:
            for row in block.lines[2:]:
                cells = cells_of(row)
                if len(cells) > max(columns) and " " in (told := cells[columns[1]]).text:
                    name = plain_name(_LINK.sub(r"\1", cells[columns[0]].text)).partition("(")[0]
                    yield name.strip("`"), Line(told.text, told.row, told.column)


_LINK = re.compile(r"\[([^\]]{0,300})\]\([^)]{0,2000}\)")


def _overview_columns(block: TableBlock) -> tuple[int, int] | None:
    """Return the columns of a table that have the names of tools and what they do, in this order."""
    titles = [cell.text.strip("*` ").lower() for cell in cells_of(block.lines[0])]
    named = next((at for at, title in enumerate(titles[:2]) if title in _TITLES), None)
    if named is None or (named == 1 and titles[0] not in _NUMBERS) or "type" in titles:
        return None
    if len(titles) == named + 2:
        return named, named + 1
    return next(((named, at) for at, title in enumerate(titles) if at != named and about(title) == _PURPOSE), None)
