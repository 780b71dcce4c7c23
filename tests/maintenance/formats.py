"""The output of each format for a lint and a diff, committed to make changes of a format visible."""

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
