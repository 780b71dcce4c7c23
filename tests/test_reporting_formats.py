"""Laws of every report in every format."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.diagnostics import Diagnostic, Place, Related, Report, RuleInfo, Severity
from mcp_contracts.errors import UsageError
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.lint_document import lint_document
from mcp_contracts.reporting.render import FORMATS, render
from tests.reporting_examples import CONTEXT, REPORT, TEXTS, rendered

ROOT = Path(__file__).resolve().parents[1]
_WORDS = st.text(st.characters(codec=None, exclude_categories=()), max_size=30)  # lone surrogates, too
_PATHS = st.sampled_from(["a.md", "specs/b.md", "/tmp/c.json", "-", "\x1b[2J\n::error::"]) | _WORDS
_ROWS = st.integers(0, 60)
_PLACES = st.builds(Place, _PATHS, _ROWS, _ROWS, _ROWS, _ROWS)
_DIAGNOSTICS = st.builds(
    Diagnostic,
    code=st.sampled_from(["MC101", "MC302", "BC201"]),
    rule=_WORDS,
    severity=st.sampled_from(Severity),
    message=_WORDS,
    hint=st.none() | _WORDS,
    place=_PLACES,
    tool=st.none() | _WORDS,
    part=st.none() | st.sampled_from(["input", "output", "example"]),
    pointer=st.none() | _WORDS,
    related=st.lists(st.builds(Related, _PLACES, _WORDS), max_size=2).map(tuple),
    suppressed=st.none() | _WORDS,
    fingerprint=st.sampled_from(["", "0123456789abcdef"]),
)
_REPORTS = st.builds(Report, st.lists(_DIAGNOSTICS, max_size=6).map(tuple), st.integers(0, 9), st.integers(0, 9))
_RULES = st.builds(RuleInfo, st.just("MC302"), _WORDS, st.sampled_from(Severity), _WORDS, _WORDS, _WORDS)
_CONTEXTS = st.builds(
    RenderContext,
    version=st.sampled_from(["", "0.1.0"]),
    rules=st.lists(_RULES, max_size=1),
    color=st.booleans(),
    width=st.integers(0, 200),
    quiet=st.booleans(),
    show_all=st.booleans(),
    statistics=st.booleans(),
)
_TEXTS = st.dictionaries(_PATHS, st.text(), max_size=3)


@pytest.fixture(scope="module")
def formats() -> tuple[str, ...]:
    """All formats. Each has a module: hypothesis would search minutes for the smallest report that lacks one."""
    for name in FORMATS:
        import_module(f"mcp_contracts.reporting.formats.{name}")
    return FORMATS


@given(report=_REPORTS, texts=_TEXTS, context=_CONTEXTS)
def test_every_report_can_be_written_in_every_format(
    formats: tuple[str, ...], report: Report, texts: dict[str, str], context: RenderContext
) -> None:
    document = lint_document(report, texts)
    count = len(report.diagnostics)
    clean = set(texts) - {diagnostic.place.path for diagnostic in report.diagnostics}

    written = {name: render(name, document, context) for name in formats}

    for name, text in written.items():
        assert text.endswith("\n")
        assert text.encode("utf-8")
        assert text == render(name, document, context)
    assert len(json.loads(written["json"])["diagnostics"]) == count
    assert len(json.loads(written["sarif"])["runs"][0]["results"]) == count
    assert len(list(ElementTree.fromstring(written["junit"]).iter("testcase"))) == count + len(clean)
    for name in set(formats) - {"json", "sarif", "junit"}:  # these escape in their own way
        text = render(name, document, replace(context, color=False))
        assert not any(character < " " and character != "\n" for character in text)
        assert not any("\x7f" <= character <= "\x9f" for character in text)
        assert not set(text) & set("\u200b\u200e\u200f\u202a\u202d\u202e\u2028\u2066\u2069\ufeff\U000e0041")


def test_a_line_of_ten_thousand_characters_is_cut_to_the_width() -> None:
    text = rendered("text", REPORT, CONTEXT, dict.fromkeys(TEXTS, "x" * 10000))

    assert max(map(len, text.splitlines())) < 100


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="unknown format `yaml`") as refused:
        rendered("yaml", REPORT, CONTEXT)

    assert refused.value.hint == f"choose one of {', '.join(FORMATS)}"


def test_the_page_on_formats_has_a_row_for_each() -> None:
    rows = re.findall(r"(?m)^\| `(\w+)` \|", (ROOT / "docs" / "formats.md").read_text(encoding="utf-8"))

    assert rows == list(FORMATS), "docs/formats.md needs a row for each format, in the order of `FORMATS`"


def test_every_module_that_renders_is_a_format() -> None:
    modules = (ROOT / "mcp_contracts" / "reporting" / "formats").glob("*.py")

    found = {path.stem for path in modules if "\ndef render(" in path.read_text(encoding="utf-8")}

    assert sorted(set(FORMATS) - found) == [], "write `reporting/formats/NAME.py` with `render(document, context)`"
    assert sorted(found - set(FORMATS)) == [], "add the module's name to `Format` in `reporting/render.py`"


def test_text_does_not_pay_for_the_other_formats() -> None:
    script = (
        "import sys\n"
        "from mcp_contracts.diagnostics import Report\n"
        "from mcp_contracts.reporting.context import RenderContext\n"
        "from mcp_contracts.reporting.lint_document import lint_document\n"
        "from mcp_contracts.reporting.render import render\n"
        "render('text', lint_document(Report()), RenderContext())\n"
        "print(sorted({'xml', 'urllib', 'pydantic', 'rich', 'yaml', 'pathspec', 'jsonschema'} & set(sys.modules)))\n"
    )

    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert ran.stdout == "[]\n"
