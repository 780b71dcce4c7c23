"""A specification in any dialect, migrated to the canonical form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from mcp_contracts.contract import SpecFile, SpecTool
from mcp_contracts.formatting.rows import Edit, with_edits
from mcp_contracts.formatting.specs import format_spec
from mcp_contracts.migration.facts import Facts, are_kept, facts_of
from mcp_contracts.migration.passages import closing_line, passages_of, passages_of_contract
from mcp_contracts.migration.tools import Original, tool_text
from mcp_contracts.parsing.data.front_matter import read_front_matter
from mcp_contracts.parsing.locating.headings import ToolHeading, tool_headings
from mcp_contracts.parsing.markdown.blocks import Block, TableBlock
from mcp_contracts.parsing.markdown.reading import parse_blocks
from mcp_contracts.parsing.parameters.tables import cells_of, plain_name
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.records import NamedTuple
from mcp_contracts.tool_names import qualified_name

_MARK = "\ufeff"


class MigratedText(NamedTuple):
    """Text in canonical form. `missing` counts the placeholders by what is missing. `left` lists the tools, with their
    lines, that could not be rewritten without changing their meaning.
    """

    text: str
    tools: int
    missing: Mapping[str, int]
    left: tuple[tuple[str, int], ...]


def migrate_spec(path: str, text: str) -> MigratedText:
    """Return a specification with each tool in an older dialect rewritten, then formatted.

    Names, schemas, descriptions and everything else are kept and compared with the original. A tool that would be
    parsed differently is left unchanged.
    """
    mark = _MARK if text.startswith(_MARK) else ""
    spec = read_spec(path, text)
    legacy = [tool for tool in spec.tools if tool.is_legacy]
    refused: set[int] = set()
    for _ in range(len(legacy) + 1):
        changed = _rewrite(spec, refused)
        wrong = _wrong(spec, read_spec(path, changed), refused)
        if not wrong:
            break
        refused |= wrong
    else:
        changed = spec.text
    formatted = format_spec(path, changed).text
    read = read_spec(path, formatted)
    if not _names(spec) <= _names(read):  # an unchanged heading would become a part of the tool before it
        formatted = format_spec(path, spec.text).text
        read = read_spec(path, formatted)
    left = tuple((tool.contract.name, tool.lines[0]) for tool in read.tools if tool.is_legacy)
    return MigratedText(f"{mark}{formatted}", len(legacy) - len(left), placeholder_counts(read), left)


def _rewrite(spec: SpecFile, refused: set[int]) -> str:
    """Return the text with every tool in an older dialect rewritten, except those that begin on certain lines.

    A tool without a heading, such as a row of a table, is added at the end, and its text is kept.
    """
    source = SourceText.of(spec.path, spec.text)
    _, skip_rows, _ = read_front_matter(source)
    blocks = parse_blocks(source, skip_rows=skip_rows)
    headings = {found.heading.row + 1: found for found in tool_headings(blocks)}
    edits: list[Edit] = []
    names: dict[str, str] = {}
    added: list[str] = []
    for tool in spec.tools:
        if not tool.is_legacy or tool.lines[0] in refused:
            continue
        found = headings.get(tool.lines[0])
        name = qualified_name(tool.contract)
        names[tool.contract.name] = name
        if found is None:
            added += ["", *tool_text(Original(source, tool, name, passages_of_contract(tool, name))).split("\n")]
        else:
            edits.append(_edit(source, blocks, found, tool, name))
    first = min((edit.start for edit in edits), default=0)
    edits += _overview_edits(source, [block for block in blocks if block.row < first], names)
    end = len(source.lines)
    closing = closing_line(source, blocks[-1]) if blocks and blocks[-1].end >= end - 1 else None
    edits += [Edit(end, end, (*([closing] if closing else []), *added))] if added else []
    return with_edits(spec.text, edits)


def _edit(source: SourceText, blocks: Sequence[Block], found: ToolHeading, tool: SpecTool, name: str) -> Edit:
    original = Original(source, tool, name, passages_of(source, blocks, found, tool))
    end = min(tool.lines[1], len(source.lines))
    return Edit(found.heading.row, end, tuple(tool_text(original).split("\n")))


def _overview_edits(source: SourceText, blocks: Sequence[Block], names: Mapping[str, str]) -> Iterator[Edit]:
    """Yield edits for overview tables, with the new names of the tools."""
    for block in blocks:
        for line in block.lines[2:] if isinstance(block, TableBlock) else ():
            for cell in cells_of(line)[:2]:
                old = plain_name(cell.text).partition("(")[0]
                if old in names and names[old] != old:
                    text = source.lines[line.row]
                    at = text.index(old, cell.column)
                    yield Edit(line.row, line.row + 1, (f"{text[:at]}{names[old]}{text[at + len(old) :]}",))
                    break


def _wrong(before: SpecFile, after: SpecFile, refused: set[int]) -> set[int]:
    """Return the lines of the tools that would be parsed differently."""
    read: dict[str, list[Facts]] = {}
    for tool in after.tools:
        read.setdefault(qualified_name(tool.contract), []).append(facts_of(tool))
    wrong = set()
    for tool in before.tools:
        facts = facts_of(tool)
        is_kept = any(are_kept(facts, other) for other in read.get(str(facts["name"]), []))
        if tool.is_legacy and tool.lines[0] not in refused and not is_kept:
            wrong.add(tool.lines[0])
    return wrong


def _names(spec: SpecFile) -> Counter[str]:
    return Counter(qualified_name(contract) for contract in spec.contracts)


def placeholder_counts(spec: SpecFile) -> Mapping[str, int]:
    """Count the placeholders, by their first words."""
    found = (placeholder.text.strip("{} ").partition(":")[0] for placeholder in spec.placeholders)
    return Counter(sorted(found))
