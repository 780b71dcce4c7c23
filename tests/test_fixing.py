"""`lint --fix` applies the fixes of rules: it adds no finding, and changes only what a fix is for."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from mcp_contracts.checks.fixing import FixedText, fix_spec
from mcp_contracts.checks.lint import lint
from mcp_contracts.cli.app import run
from mcp_contracts.config import Config
from mcp_contracts.contract import Contracts
from mcp_contracts.diagnostics import RuleSelection
from mcp_contracts.parsing.discovery import SPEC_NAME
from mcp_contracts.parsing.spec import read_spec
from tests.fuzz import mutated, seeds
from tests.repositories import new_repository, spec, tool, write
from tests.sweeps import share, sweep

PATH = f"notes/{SPEC_NAME}"
TABLE = """\
| Parameter | Type | Required | Description |
|---|---|---|---|
| `words` | integer | no | What the notes must hold. |
| `limit` | integer (at most 100) | yes | How many. |

```json"""


def fixed(text: str, *, has_unsafe: bool = False) -> FixedText:
    return fix_spec(PATH, text, Config(None, Path()), RuleSelection(), has_unsafe=has_unsafe)


def found(text: str) -> Counter[tuple[str, str | None]]:
    """Return the findings in text, by code and tool."""
    return Counter((one.code, one.tool) for one in lint(Contracts((read_spec(PATH, text),))).shown())


def test_cells_that_disagree_with_the_schema_are_corrected() -> None:
    text = spec(tool()).replace("```json", TABLE, 1)

    result = fixed(text)

    assert result.codes == Counter(MC322=2)
    assert "| `words` | string | yes | What the notes must hold. |" in result.text
    assert "| `limit` | integer (at most 100) | no | How many. |" in result.text
    assert found(result.text) == Counter()


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_schema_that_is_in_a_table_only_is_written_out(newline: str) -> None:
    before, _, after = spec(tool()).partition("### 3. Input Schema (Parameters)\n\n")
    rest = after[after.index("### 4.") :]
    table = "| Parameter | Type | Required | Description |\n|---|---|---|---|\n| `words` | string | yes | Words. |\n\n"
    text = f"\ufeff{before}### 3. Input Schema (Parameters)\n\n{table}{rest}".replace("\n", newline)

    result = fixed(text)

    assert result.codes == Counter(MC323=1)
    assert result.text.startswith("\ufeff")
    assert set(re.findall(r"\r\n?|\n", result.text)) == {newline}
    assert not found(result.text)


def test_a_version_loses_its_v() -> None:
    result = fixed(spec(tool(version="v1.2.0"), version="v2.0.0"))

    assert result.codes == Counter(MC202=2)
    assert "**Version**: 1.2.0" in result.text
    assert "\nversion: 2.0.0\n" in result.text


def test_an_unsafe_fix_is_applied_only_when_asked_for() -> None:
    text = spec(tool()).replace("Name\n\n`notes.find`", "Name\n\n`notes.fnd`")

    assert fixed(text).text == text
    assert fixed(text, has_unsafe=True).text == spec(tool())


def test_a_suppressed_finding_is_not_fixed() -> None:
    text = spec(tool(version="v1.2.0")) + "\n<!-- mcp-contracts: ignore-file MC202 -- callers know it so -->\n"

    assert fixed(text).text == text


@sweep
@pytest.mark.parametrize("has_unsafe", [False, True])
@pytest.mark.parametrize("seed", share(range(15), 8))
def test_a_fix_adds_no_finding_and_keeps_the_tools(seed: int, has_unsafe: bool) -> None:
    text = mutated(seed, seeds()).replace("**Version**: ", "**Version**: v").replace(" | yes |", " | no |", 3)

    result = fixed(text, has_unsafe=has_unsafe)

    before, after = read_spec(PATH, text), read_spec(PATH, result.text)
    assert found(result.text) - found(text) == Counter()
    assert (result.text == text) == (not result.codes)
    assert [one.input_schema for one in after.contracts] == [one.input_schema for one in before.contracts]
    assert [one.description for one in after.contracts] == [one.description for one in before.contracts]
    assert fixed(result.text, has_unsafe=has_unsafe).text == result.text


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one fixable file, as the working directory."""
    new_repository(tmp_path)
    monkeypatch.chdir(tmp_path)
    write(PATH, spec(tool(version="v1.0.0")))
    return tmp_path


def test_lint_fixes_and_reports_the_rest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint"]) == 1
    capsys.readouterr()

    assert run(["lint", "--fix"]) == 0

    said = capsys.readouterr()
    assert said.err == "fixed 1 problem in 1 file: MC202 (1)\n"
    assert "no problems in 1 file" in said.out
    assert "**Version**: 1.0.0" in Path(PATH).read_text()


def test_lint_shows_what_it_would_fix(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "--diff"]) == 1

    said = capsys.readouterr()
    assert said.out.splitlines()[:2] == [f"--- a/{PATH}", f"+++ b/{PATH}"]
    assert "+**Version**: 1.0.0" in said.out.splitlines()
    assert "**Version**: v1.0.0" in Path(PATH).read_text()
    assert run(["lint", "--diff", "--ignore", "MC202"]) == 0


@pytest.mark.parametrize("options", [["--unsafe-fixes"], ["--fix", "--diff"]])
def test_options_that_do_not_go_together_are_refused(folder: Path, options: list[str]) -> None:
    assert run(["lint", *options]) == 2
