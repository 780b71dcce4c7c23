"""A specification in its canonical form: the same contracts, laid out in one way."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcp_contracts.contract import SpecFile
from mcp_contracts.formatting.fences import fence_edits
from mcp_contracts.formatting.headings import heading_edits, in_order
from mcp_contracts.formatting.layout import Layout, read_layout
from mcp_contracts.formatting.lines import blank_edits, property_edits
from mcp_contracts.formatting.meaning import meaning_of
from mcp_contracts.formatting.rows import Edit, newline_of, rows_of, with_edits
from mcp_contracts.formatting.tables import table_edits
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.records import NamedTuple

_MOST_ROUNDS = 4
_MARK = "\ufeff"


class FormattedText(NamedTuple):
    """A text in canonical form. `legacy` counts the tools that were left alone, since they are in an older dialect."""

    text: str
    legacy: int


_Step = Callable[[Layout], str]


def format_spec(path: str, text: str) -> FormattedText:
    """The canonical form of a specification; formatting it once more changes nothing.

    Contracts are equal before and after: a step that would change one is left out. Tools in an older dialect, and what
    cannot be read for sure, stay as they are. A byte order mark and line ends are kept.
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
    """The text after all steps, or after those that keep its meaning."""
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
    """A step that makes edits of different rows."""

    def step(layout: Layout) -> str:
        found = [edit for kind in edits for edit in kind(layout)]
        return with_edits(layout.source.text, found) if found else layout.source.text

    return step


def _end_last_line(layout: Layout) -> str:
    """The text of a file that ends with a canonical tool, with an end to its last line."""
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
