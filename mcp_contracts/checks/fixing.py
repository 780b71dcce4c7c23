"""Apply the fixes of rules. A fix never adds a finding, and changes only the faulty part of a tool's meaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from mcp_contracts import lazy_re as re
from mcp_contracts.checks.lint import lint
from mcp_contracts.config import Config
from mcp_contracts.contract import Contracts, SpecFile, ToolContract
from mcp_contracts.diagnostics import Diagnostic, RuleSelection
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.records import NamedTuple
from mcp_contracts.sources.limits import limit_tools

_MOST_ROUNDS = 10
_MARK = "\ufeff"
_LINE_END = re.compile(r"\r\n?|\n")


class FixedText(NamedTuple):
    """Fixed text, and the number of fixed findings by code."""

    text: str
    codes: Counter[str]


def fix_spec(
    path: str, text: str, config: Config, selection: RuleSelection, *, has_unsafe: bool, today: date | None = None
) -> FixedText:
    """Apply the fixes of lint's findings in a specification; unsafe ones only on request.

    Each change is linted before it is kept. Line endings and a byte order mark are preserved.
    """
    mark = _MARK if text.startswith(_MARK) else ""
    spec = _read(path, text)
    fixed: Counter[str] = Counter()
    for _ in range(_MOST_ROUNDS):
        shown = lint(Contracts((spec,)), config, selection=selection, today=today).shown()
        due = [one for one in shown if one.fix is not None and (one.fix.is_safe or has_unsafe)]
        changed, done = _apply_fixes(spec, shown, _without_overlaps(due), config, selection, today)
        if not done:
            break
        spec = changed
        fixed.update(one.code for one in done)
    return FixedText(f"{mark}{spec.text}", fixed)


def _read(path: str, text: str) -> SpecFile:
    return limit_tools(read_spec(path, text))


def _apply_fixes(
    spec: SpecFile,
    shown: Sequence[Diagnostic],
    due: Sequence[Diagnostic],
    config: Config,
    selection: RuleSelection,
    today: date | None,
) -> tuple[SpecFile, Sequence[Diagnostic]]:
    """Return the file with all fixes that can be kept, and their findings."""

    def is_good(changed: SpecFile, fixes: Sequence[Diagnostic]) -> bool:
        after = lint(Contracts((changed,)), config, selection=selection, today=today).shown()
        if _counts(after) - _counts(shown) or len(after) >= len(shown):
            return False
        return _meaning(changed) == _meaning(spec) or not all(one.fix is not None and one.fix.is_safe for one in fixes)

    if not due:
        return spec, ()
    whole = _read(spec.path, _apply_edits(spec.text, due))
    if is_good(whole, due):
        return whole, due
    kept: list[Diagnostic] = []
    for one in due:
        tried = _read(spec.path, _apply_edits(spec.text, [*kept, one]))
        if is_good(tried, [*kept, one]):
            kept.append(one)
    return _read(spec.path, _apply_edits(spec.text, kept)), kept


def _without_overlaps(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings whose edits do not overlap, the first of each overlapping group."""
    taken: set[int] = set()
    chosen = []
    for one in diagnostics:
        edits = () if one.fix is None else one.fix.edits
        lines = {line for edit in edits for line in range(edit.place.line, edit.place.end_line + 1)}
        if lines and taken.isdisjoint(lines):
            taken |= lines
            chosen.append(one)
    return chosen


def _apply_edits(text: str, diagnostics: Iterable[Diagnostic]) -> str:
    """Apply the edits of some fixes to text, the last one first, with the file's own line endings."""
    ends = [match.span() for match in _LINE_END.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    newline = text[slice(*ends[0])] if ends else "\n"
    edits = [edit for one in diagnostics if one.fix is not None for edit in one.fix.edits]
    for edit in sorted(edits, key=lambda edit: edit.place, reverse=True):
        start = starts[edit.place.line - 1] + edit.place.column - 1
        end = starts[edit.place.end_line - 1] + edit.place.end_column - 1
        text = text[:start] + edit.text.replace("\n", newline) + text[end:]
    return text


def _counts(diagnostics: Iterable[Diagnostic]) -> Counter[tuple[str, str | None]]:
    return Counter((one.code, one.tool) for one in diagnostics)


def _meaning(spec: SpecFile) -> Sequence[object]:
    """Return the content of a file's tools, except for their versions, which a fix may change."""
    return [tuple(_content(contract)) for contract in spec.contracts]


def _content(contract: ToolContract) -> Iterator[object]:
    yield from (contract.name, contract.description, contract.input_schema, contract.output_schema, contract.status)
    yield from (contract.effects, contract.idempotent, contract.security, contract.migrations, contract.use_when)
    yield tuple((error.name, error.when) for error in contract.errors)
    yield tuple((example.kind, example.value) for example in contract.examples)
