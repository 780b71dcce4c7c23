"""The table of sources: the claims of each row, which the help and the documents list."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_contracts.cli.app import run
from mcp_contracts.sources.source import Form, Source
from mcp_contracts.sources.table import SOURCES, forms, source_of

ROOT = Path(__file__).parent.parent
ROWS = pytest.mark.parametrize("source", SOURCES, ids=lambda source: type(source).__name__)
FORMS = pytest.mark.parametrize("form", forms(), ids=lambda form: form.what)


@ROWS
def test_a_row_recognizes_its_own_examples_before_any_other_does(source: Source) -> None:
    for form in source.forms:
        for example in form.examples:
            assert source_of(example) is source


@ROWS
def test_only_the_last_row_recognizes_any_name(source: Source) -> None:
    assert source.recognizes("some name") is (source is SOURCES[-1])


@FORMS
@pytest.mark.parametrize("document", ["README.md", "docs/sources.md"])
def test_every_form_is_in_the_documents(form: Form, document: str) -> None:
    rows = [line for line in (ROOT / document).read_text(encoding="utf-8").splitlines() if line.startswith("| ")]

    examples = ", ".join(f"`{example}`" for example in form.examples)

    has_row = any(row.startswith(f"| {form.what}") and row.endswith(f"| {examples} |") for row in rows)
    assert has_row, f"{document} lacks the row `| {form.what} | {examples} |`"


@pytest.mark.parametrize("command", ["lint", "diff", "export"])
def test_every_form_is_in_the_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    run([command, "--help"])

    words = " ".join(capsys.readouterr().out.split())
    for form in forms():
        assert f"{form.what} ({', '.join(form.examples)})" in words
