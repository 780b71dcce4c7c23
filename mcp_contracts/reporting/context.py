"""The options for rendering a document, and the identity of this program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mcp_contracts.diagnostics import RuleInfo, Severity
from mcp_contracts.records import dataclass

if TYPE_CHECKING:
    from pathlib import Path  # imports urllib, which plain text does not need


@dataclass(frozen=True, slots=True)
class RenderContext:
    """The options for rendering a document. No format uses all of them.

    `version` is this program's version; `rules` are all rules that may have run, in order. `color`, `width` (in cells),
    `quiet`, `show_all`, `statistics`, `is_grouped` and `changelog` change only the formats for people (`text`,
    `concise`, `markdown`, `github`, and `gitlab`, which people read there); the machine formats always contain
    everything.

    `failing` are the severities that fail the run: `junit` calls them failures, and `quiet` prints only them, although
    the summary counts all. `show_all` adds what was suppressed, with the reason (not as annotations on GitHub), and
    tools that did not change. `statistics` counts the diagnostics by rule, `is_grouped` shows similar entries once,
    `changelog` makes `markdown` write release notes. `links_root` is the folder that paths are relative to, if files
    become links in colored output.
    """

    version: str = ""
    rules: Sequence[RuleInfo] = ()
    color: bool = False
    width: int = 100
    quiet: bool = False
    show_all: bool = False
    statistics: bool = False
    is_grouped: bool = True
    changelog: bool = False
    failing: frozenset[Severity] = frozenset({Severity.ERROR})
    links_root: Path | None = None

    def link(self, path: str) -> str:
        """Return the address of a file for a terminal that shows links; empty without links."""
        if self.links_root is None or not self.color:
            return ""
        from urllib.parse import quote  # only for links, which a terminal with color shows

        return f"file://{quote((self.links_root / path).as_posix())}"
