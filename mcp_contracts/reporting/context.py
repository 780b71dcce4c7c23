"""What a report format may be told beside the report itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mcp_contracts.diagnostics import RuleInfo, Severity


@dataclass(frozen=True, slots=True)
class RenderContext:
    """How a report is rendered, and what it is rendered with. No format needs all of it.

    `version` is this program's; `rules` are all that may have run, in order. `texts` holds the text of every file that
    was linted by its path, clean ones too: `text` takes its excerpts from it, `junit` its passing test cases.
    `color`, `width` (in cells), `quiet`, `show_suppressed` and `statistics` change the formats for people (`text`,
    `concise`, `github`) alone; the machine formats always hold everything.

    `failing` are the severities that fail the run: `junit` calls them failures, and `quiet` prints only those; the
    summary still counts the rest. `show_suppressed` prints what was silenced, with the reason given (not as annotations
    on GitHub). `is_grouped` shows what is alike once, in `text`; `statistics` counts how often each rule spoke.
    """

    version: str = ""
    rules: Sequence[RuleInfo] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    color: bool = False
    width: int = 100
    quiet: bool = False
    show_suppressed: bool = False
    statistics: bool = False
    is_grouped: bool = True
    failing: frozenset[Severity] = frozenset({Severity.ERROR})
