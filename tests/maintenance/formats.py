"""What each format writes of a lint and of a diff, kept so that a change of a format is seen."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.reporting.render import FORMATS
from tests import change_examples, reporting_examples


def format_files() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each report in each format."""
    for name in FORMATS:
        lint = reporting_examples.rendered(name, reporting_examples.REPORT, reporting_examples.CONTEXT)
        yield f"tests/golden/formats/lint.{name}", lint
        yield f"tests/golden/formats/diff.{name}", change_examples.rendered(name, change_examples.REPORT)
