"""Reports to render in the tests of the formats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_contracts.diagnostics import Diagnostic, Place, Related, Report, RuleInfo, Severity
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.lint_document import lint_document
from mcp_contracts.reporting.render import render

PATH = "specs/weather/MCP_TOOL_SPECIFICATION.md"
CLEAN = "specs/calendar/MCP_TOOL_SPECIFICATION.md"
TEXT = """\
## Tool: `weather.get`

```json
{
  "required": ["city", "unit"]
}
```
"""

UNDEFINED = RuleInfo(
    "MC302",
    "required-property-undefined",
    Severity.ERROR,
    "0.1.0",
    "A schema requires a property that it does not define.",
    "A caller cannot know\nwhat to send.\n\nSecond paragraph.",
)
UNDESCRIBED = RuleInfo(
    "MC305", "property-without-description", Severity.NOTE, "0.1.0", "A property has no description.", "Say it."
)
NAMES = {"MC302": UNDEFINED.name, "MC305": UNDESCRIBED.name, "MC105": "missing-section", "MC507": "hidden-characters"}


def diagnostic(
    code: str = "MC302",
    severity: Severity = Severity.ERROR,
    message: str = "the schema requires `unit`, which it does not define",
    *,
    path: str = PATH,
    span: tuple[int, int, int, int] = (5, 24, 5, 30),
    **others: Any,
) -> Diagnostic:
    """Return a diagnostic with a line, a column, an end line and an end column."""
    hint = others.pop("hint", None)
    return Diagnostic(code, NAMES[code], severity, message, hint, Place(path, *span), **others)


FULL = diagnostic(
    hint="define `unit` under `properties`",
    tool="weather.get",
    part="input",
    pointer="/required/1",
    related=(Related(Place(PATH, 1, 10, 1, 21), "the tool is defined here"),),
    fingerprint="0123456789abcdef",
)
NOTE = diagnostic(
    "MC305", Severity.NOTE, "parameter `city` has no description", span=(5, 16, 5, 22), tool="weather.get"
)
WARNING = diagnostic(
    "MC105", Severity.WARNING, "`weather.get` has no section 8", span=(1, 1, 1, 22), tool="weather.get"
)
SUPPRESSED = diagnostic(
    "MC105", Severity.WARNING, "`weather.get` has no section 6", span=(1, 1, 1, 22), suppressed="not ours to write"
)

REPORT = Report((SUPPRESSED, WARNING, NOTE, FULL), files=2, tools=3)
CONTEXT = RenderContext(version="0.1.0", rules=(UNDEFINED, UNDESCRIBED), width=80)
TEXTS = {PATH: TEXT, CLEAN: ""}

HOSTILE = (
    "\x1b[2J\x07 \u202eevil\u202c \r\n::error::x \x00 \x9b31m "
    "\ud800 \ufffe \U000e0041 ]]> <&\"' 100%, a:b, 城市 e\u0301 [x](http://x)"
)
"""What a hostile file may put into a name or a message."""


def rendered(format_name: str, report: Report, context: RenderContext, texts: Mapping[str, str] = TEXTS) -> str:
    """Render a lint report in a format, with the texts of the linted files."""
    return render(format_name, lint_document(report, texts), context)
