"""Diff reports to render in the tests of the formats."""

from __future__ import annotations

from typing import Any

from mcp_contracts.change import (
    Bump,
    Change,
    DiffReport,
    Direction,
    ModuleDiff,
    Reason,
    ToolDiff,
    ToolState,
    UnknownPolicy,
    Verdict,
    Witness,
)
from mcp_contracts.diagnostics import Diagnostic, Place, RuleInfo, Severity
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.diff.document import diff_document
from mcp_contracts.reporting.render import render

PATH = "specs/weather/MCP_TOOL_SPECIFICATION.md"
_DIRECTIONS: dict[str, Direction] = {"1": "tool", "2": "input", "3": "output"}


def place(line: int, path: str = PATH) -> Place:
    """Return a place that covers six characters of a line."""
    return Place(path, line, 3, line, 9)


def change(code: str, rule: str, message: str, verdict: Verdict = Verdict.COMPATIBLE, **others: Any) -> Change:
    """Return a change; its code determines its subject."""
    others.setdefault("bump", Bump.MAJOR if verdict is Verdict.BREAKING else Bump.MINOR)
    others.setdefault("direction", _DIRECTIONS[code[2]])
    others.setdefault("fingerprint", f"{code.lower()}0000000000")
    return Change(code=code, rule=rule, message=message, verdict=verdict, **others)


BREAK = change(
    "BC207",
    "input-bounds-changed",
    "`days`: `maximum` 14 became 7",
    Verdict.BREAKING,
    hint="keep the old maximum, or release 2.0.0 with a migration note",
    old_pointer="/properties/days/maximum",
    new_pointer="/properties/days/maximum",
    place=place(31),
    witness=Witness({"city": "Paris", "days": 8}, "8 is greater than the maximum of 7, at /days"),
)
LONG_BREAK = change(
    "BC311",
    "output-items-changed",
    "`forecast`: `maxItems` 7 was removed",
    Verdict.BREAKING,
    place=place(58),
    witness=Witness(
        {"city": "Paris", "forecast": list(range(1, 121)), "summary": "rain " * 40},
        "the array has 120 items, more than the maximum of 7, at /forecast",
    ),
)
UNDECIDED = change(
    "BC216",
    "input-condition-changed",
    "`unit`: `not` changed",
    Verdict.UNKNOWN,
    hint="write the condition as `enum`, or accept the change with a reason",
    place=place(40),
    reason=Reason("not", "/properties/unit/not", "a negated object cannot be compared"),
)
OPTIONAL = change("BC203", "input-property-added", "`language` was added", place=place(36), tags=("open-content",))
DEPRECATED = change("BC105", "tool-deprecated", "the tool is deprecated, use `weather.get_forecast`", place=place(90))
WORDS = change(
    "BC111",
    "description-changed",
    "the description changed: “Forecast for a city” became “Forecast for a city, up to a week ahead”",
    bump=Bump.PATCH,
    tags=("words",),
    place=place(12),
)
LOST = change(
    "BC107",
    "guarantee-lost",
    "the tool was read-only and is destructive",
    Verdict.BREAKING,
    place=place(5, "specs/files/MCP_TOOL_SPECIFICATION.md"),
)
ACCEPTED = change(
    "BC302",
    "output-property-removed",
    "`legacy_id` was removed, no branch of the new schema declares it",
    Verdict.BREAKING,
    place=place(71),
    accepted="nobody reads it, agreed with the two consumers",
)
RENAMED = change(
    "BC103",
    "tool-renamed",
    "`weather.now` is gone, and `weather.get_current` is much like it",
    Verdict.BREAKING,
    tags=("guess",),
    place=place(77),
)
ADDED = change("BC102", "tool-added", "the tool is new", place=place(120))

FORECAST = ToolDiff(
    "weather.get_forecast",
    ToolState.CHANGED,
    Verdict.BREAKING,
    (OPTIONAL, BREAK, WORDS, UNDECIDED, LONG_BREAK),
    module="weather",
    old_version="1.2.0",
    new_version="1.2.1",
    owed_bump=Bump.MAJOR,
    covered=False,
    place=place(10),
)
NOW = ToolDiff(
    "weather.now",
    ToolState.REMOVED,
    Verdict.BREAKING,
    (RENAMED,),
    module="weather",
    renamed_to="weather.get_current",
    old_version="1.0.0",
    owed_bump=Bump.MAJOR,
    covered=False,
    place=place(77),
)
CURRENT = ToolDiff("weather.get_current", ToolState.ADDED, Verdict.COMPATIBLE, (ADDED,), "weather", new_version="1.0.0")
HISTORY = ToolDiff(
    "weather.get_history",
    ToolState.CHANGED,
    Verdict.BREAKING,
    (ACCEPTED, DEPRECATED),
    module="weather",
    old_version="1.1.0",
    new_version="1.2.0",
    owed_bump=Bump.MINOR,
    covered=True,
    place=place(60),
)
COVERED = ToolDiff(
    "files.remove",
    ToolState.CHANGED,
    Verdict.BREAKING,
    (LOST,),
    module="files",
    old_version="1.4.0",
    new_version="2.0.0",
    owed_bump=Bump.MAJOR,
    covered=True,
    place=place(3, "specs/files/MCP_TOOL_SPECIFICATION.md"),
)
UNCHANGED = ToolDiff(
    "files.list", ToolState.UNCHANGED, Verdict.COMPATIBLE, (), "files", old_version="1.0.0", new_version="1.0.0"
)
UNCHANGED_REPORT = DiffReport(tools=(UNCHANGED,))

UNREADABLE = Diagnostic(
    "MC301", "schema-invalid", Severity.ERROR, "the input schema is not JSON", None, place(7, "specs/mail/X.md")
)
UNUSED = Diagnostic(
    "MC212",
    "accepted-change-unused",
    Severity.WARNING,
    "an accepted change no longer occurs",
    "remove it",
    place(4, "accepted-changes.yaml"),
)

REPORT = DiffReport(
    modules=(
        ModuleDiff("files", "1.4.0", "2.0.0", Bump.MAJOR, True),
        ModuleDiff("weather", "1.2.0", "1.2.1", Bump.MAJOR, False),
    ),
    tools=(UNCHANGED, COVERED, CURRENT, FORECAST, HISTORY, NOW),
    diagnostics=(UNUSED, UNREADABLE),
)
RULES = (
    RuleInfo("BC207", BREAK.rule, Severity.ERROR, "0.1.0", "The bounds of a number changed.", "A call may fail."),
    RuleInfo("BC203", OPTIONAL.rule, Severity.NOTE, "0.1.0", "An optional property was added.", "Nothing breaks."),
)
CONTEXT = RenderContext(version="0.1.0", rules=RULES, width=80)

HOSTILE = (
    "\x1b[2J\x07 \u202eevil\u202c \r\n::error::x \x00 \x9b31m \ud800 \ufffe \U000e0041 ]]> <script>alert(1)</script> "
    "<!-- </details> ``` `a` **b** @octocat #1 | 100%, a:b, [x](http://x) https://x.example &amp; 城市 e\u0301"
)
"""What a hostile file may put into a name, a message or a value."""


def rendered(
    format_name: str,
    report: DiffReport,
    context: RenderContext = CONTEXT,
    *,
    old_name: str = "git:main",
    unknown: UnknownPolicy = "warn",
) -> str:
    """Render a diff report in a format."""
    return render(format_name, diff_document(report, old_name, "specs/", unknown=unknown), context)


def hostile_report() -> DiffReport:
    """Return a report in which everything that an author may choose is hostile."""
    others = {
        "hint": HOSTILE,
        "place": place(1, HOSTILE),
        "old_pointer": HOSTILE,
        "new_pointer": HOSTILE,
        "witness": Witness({HOSTILE: [HOSTILE]}, HOSTILE),
        "reason": Reason(HOSTILE, HOSTILE, HOSTILE),
    }
    changes = (
        *(change("BC207", "input-bounds-changed", HOSTILE, verdict, **others) for verdict in Verdict),
        change("BC307", "output-bounds-changed", HOSTILE, Verdict.BREAKING, accepted=HOSTILE, **others),
        change("BC111", "description-changed", HOSTILE, tags=("words",), place=place(1, HOSTILE)),
    )
    tool = ToolDiff(
        HOSTILE,
        ToolState.CHANGED,
        Verdict.BREAKING,
        changes,
        HOSTILE,
        HOSTILE,
        HOSTILE,
        HOSTILE,
        Bump.MAJOR,
        False,
        place(1, HOSTILE),
    )
    fault = Diagnostic("MC301", "schema-invalid", Severity.ERROR, HOSTILE, HOSTILE, place(1, HOSTILE))
    return DiffReport("declared", (ModuleDiff(HOSTILE, HOSTILE, HOSTILE, Bump.MAJOR, False),), (tool,), (fault,))
