"""What a format of `diff` may be told beside the report itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mcp_contracts.change import UnknownPolicy
from mcp_contracts.diagnostics import RuleInfo, Severity


@dataclass(frozen=True, slots=True)
class DiffContext:
    """How a diff report is rendered, and what it is rendered with. No format needs all of it.

    `version` is this program's; `rules` are all that may speak of changes, in order. `old_name` and `new_name` say what
    is compared, such as `git:main` and `specs/`. `color`, `width` (in cells), `quiet` and `show_all` change the formats
    for people (`text`, `markdown`, `github`) alone; the machine formats always hold everything.

    `quiet` leaves what fails; the summary still counts the rest. `show_all` adds tools that did not change and what was
    suppressed. `changelog` makes `markdown` a piece of release notes. `unknown` is how undecided changes count,
    `failing` the severities that fail the run.
    """

    version: str = ""
    rules: Sequence[RuleInfo] = ()
    old_name: str = ""
    new_name: str = ""
    color: bool = False
    width: int = 100
    quiet: bool = False
    show_all: bool = False
    changelog: bool = False
    unknown: UnknownPolicy = "warn"
    failing: frozenset[Severity] = frozenset((Severity.ERROR,))
