"""A specification in its canonical form: the same contracts, laid out in one way."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SchemaPart, SpecFile, SpecTool
from mcp_contracts.formatting.headings import heading_edits, in_order
from mcp_contracts.formatting.layout import Layout, is_at_margin, read_layout
from mcp_contracts.formatting.lines import blank_edits, property_edits
from mcp_contracts.formatting.rows import Edit, newline_of, rows_of, with_edits
from mcp_contracts.formatting.tables import table_edits
from mcp_contracts.parsing.data.documents import read_json
from mcp_contracts.parsing.markdown.blocks import Fence
from mcp_contracts.parsing.schemas import is_data
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.records import NamedTuple
from mcp_contracts.writing.json_text import format_json

Meaning = tuple[object, ...]


def meaning_of(spec: SpecFile) -> Meaning:
    """Return the content of the contracts and the faults of the file, in a form that can be compared."""
    return (
        spec.module,
        spec.module_version,
        None if spec.front_matter is None else spec.front_matter.values,
        spec.states_no_tools,
        sorted(placeholder.text for placeholder in spec.placeholders),
        sorted(comment.text for comment in spec.comments),
        sorted(fault.kind for fault in spec.faults),
        tuple(tuple(_tool(tool)) for tool in spec.tools),
    )


def _tool(tool: SpecTool) -> Iterator[object]:
    contract = tool.contract
    yield from (contract.name, contract.source_name, contract.title, contract.module, contract.version)
    yield contract.description
    yield from (contract.status, contract.effects, contract.category, contract.tags, contract.optional)
    yield from (contract.use_when, contract.channels, contract.idempotent, contract.security, contract.migrations)
    yield from (_schema(contract.input), _schema(contract.output))
    yield tuple((error.name, error.when) for error in contract.errors)
    yield tuple((example.kind, _exact(example.value)) for example in contract.examples)
    yield sorted(placeholder.text for placeholder in contract.placeholders)
    yield (tool.invocation_name, tool.idempotency_text, tool.deviations)
    yield sorted(fault.kind for fault in tool.faults)
    yield tuple((line.name, line.value) for line in sorted(tool.property_lines, key=lambda line: line.name))


def _schema(part: SchemaPart | None) -> object:
    return None if part is None else (part.origin, _exact(part.value))


def _exact(value: JsonValue) -> object:
    """Return a value that distinguishes `1`, `1.0` and `true`, and the order of keys."""
    if isinstance(value, dict):
        return tuple((key, _exact(member)) for key, member in value.items())
    if isinstance(value, list):
        return [_exact(member) for member in value]
    return type(value).__name__, value


_OPENING = re.compile(r"(`{3,}|~{3,})[ \t]*+(json)?[ \t]*+")
_SECTIONS = (3, 4, 7)


def fence_edits(layout: Layout) -> Iterator[Edit]:
    """Yield edits for the JSON in schemas and examples. Invalid JSON is left unchanged."""
    for tool in layout.tools:
        for section in tool.sections:
            for block in section.blocks if section.meaning in _SECTIONS else ():
                if isinstance(block, Fence) and is_data(block) and is_at_margin(layout.source, block.row):
                    yield from _edits(layout.source, block)


def _edits(source: SourceText, fence: Fence) -> Iterator[Edit]:
    opening = _OPENING.fullmatch(source.lines[fence.row])
    if opening is None or not fence.is_closed:
        return
    content = fence.content.removesuffix("\n")
    document = read_json(source, content, fence.first_row)
    if document.value is None or document.faults:
        return
    lines = (f"{opening[1]}json", *format_json(content).split("\n"))
    if lines != source.lines[fence.row : fence.end - 1]:
        yield Edit(fence.row, fence.end - 1, lines)


_MOST_ROUNDS = 4
_MARK = "\ufeff"


class FormattedText(NamedTuple):
    """Text in canonical form. `legacy` counts the tools in an older dialect, which are left unchanged."""

    text: str
    legacy: int


_Step = Callable[[Layout], str]


def format_spec(path: str, text: str) -> FormattedText:
    """Return the canonical form of a specification. Formatting it again changes nothing.

    Contracts do not change: a step that would change one is skipped. Tools in an older dialect and ambiguous parts are
    left unchanged. A byte order mark and line endings are kept.
    """
    mark = _MARK if text.startswith(_MARK) else ""
    spec = read_spec(path, text)
    legacy = sum(1 for tool in spec.tools if tool.is_legacy)
    before = meaning_of(spec)
    for _ in range(_MOST_ROUNDS):
        changed = _round(spec, before)
        if changed.text == spec.text:
            return FormattedText(f"{mark}{spec.text}", legacy)
        spec = changed
    return FormattedText(text, legacy)


def _round(spec: SpecFile, meaning: object) -> SpecFile:
    """Return the text after all steps that keep its meaning."""
    changed = spec
    for step in _STEPS:
        changed = _after(changed, step)
    if changed is spec or meaning_of(changed) == meaning:
        return changed
    for step in _SINGLE_STEPS:
        tried = _after(spec, step)
        spec = tried if meaning_of(tried) == meaning else spec
    return spec


def _after(spec: SpecFile, step: _Step) -> SpecFile:
    text = step(read_layout(spec))
    return spec if text == spec.text else read_spec(spec.path, text)


def _make_step(*edits: Callable[[Layout], Iterator[Edit]]) -> _Step:
    """Return a step that applies edits to separate rows."""

    def step(layout: Layout) -> str:
        found = [edit for kind in edits for edit in kind(layout)]
        return with_edits(layout.source.text, found) if found else layout.source.text

    return step


def _end_last_line(layout: Layout) -> str:
    """Return the text with a final line ending, if the file ends with a canonical tool."""
    text = layout.source.text
    if not layout.tools or layout.tools[-1].end < len(layout.source.lines) or text.endswith(("\n", "\r")):
        return text
    return text + newline_of(rows_of(text))


_LAST_STEPS: tuple[_Step, ...] = (in_order, _make_step(blank_edits), _end_last_line)
_STEPS: tuple[_Step, ...] = (_make_step(heading_edits, property_edits, table_edits, fence_edits), *_LAST_STEPS)
_SINGLE_STEPS: tuple[_Step, ...] = (
    *map(_make_step, (heading_edits, property_edits, table_edits, fence_edits)),
    *_LAST_STEPS,
)
