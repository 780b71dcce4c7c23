"""Standard input instead of a file: the name that it represents, and its fixes on standard output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_contracts.parsing.discovery import SPEC_NAME
from tests.commands import Ran, process
from tests.repositories import PATH, spec, tool, write

FAULTY = spec(tool(version="v1.2.0"))
FIXED = spec(tool(version="1.2.0"))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def piped(text: str, *arguments: str) -> Ran:
    """Run a command that reads a text."""
    return process(*arguments, stdin=text.encode())


class TestFixes:
    @pytest.mark.parametrize("text", [FAULTY, FAULTY.replace("\n", "\r\n"), f"\ufeff{FAULTY}"])
    def test_the_fixed_text_goes_to_standard_output_and_the_report_to_standard_error(self, text: str) -> None:
        ran = piped(text, "lint", "--fix", "-")

        assert ran.returncode == 0
        assert ran.stdout == text.replace("v1.2.0", "1.2.0").encode()
        assert ran.stderr.decode().splitlines() == [
            "fixed 1 problem in standard input: MC202 (1)",
            "no problems in 1 file (1 tool)",
        ]

    def test_what_is_left_is_reported_and_fails(self) -> None:
        ran = piped(FAULTY.replace("### 8. Security Considerations", "### Safety"), "lint", "--fix", "-")

        assert ran.returncode == 1
        assert b"1.2.0" in ran.stdout
        assert b"MC105" not in ran.stdout
        assert b"error MC105" in ran.stderr

    @pytest.mark.parametrize("text", [FIXED, '{"tools": []}\n'])
    def test_what_needs_no_fix_or_cannot_be_fixed_is_passed_on(self, text: str) -> None:
        assert piped(text, "lint", "--fix", "-").stdout == text.encode()

    def test_a_report_for_programs_goes_to_standard_error_or_to_a_file(self) -> None:
        ran = piped(FAULTY, "lint", "--fix", "-", "--format", "json")
        filed = piped(FAULTY, "lint", "--fix", "-", "--format", "json", "--output", "report.json")

        assert ran.stdout == filed.stdout == FIXED.encode()
        report = ran.stderr.decode().partition("\n")[2]
        assert json.loads(report) == json.loads(Path("report.json").read_text(encoding="utf-8"))

    def test_a_patch_goes_to_standard_output(self) -> None:
        ran = piped(FAULTY, "lint", "--diff", "-", "--stdin-filename", PATH)

        assert ran.returncode == 1
        assert ran.stdout.decode().startswith(f"--- a/{PATH}\n+++ b/{PATH}\n")
        assert b"+**Version**: 1.2.0" in ran.stdout

    def test_other_sources_next_to_it_are_refused(self) -> None:
        write(PATH, FIXED)

        ran = piped(FAULTY, "lint", "--fix", "-", PATH)

        assert (ran.returncode, ran.stdout) == (2, b"")
        assert b"`-` cannot be fixed together with other sources" in ran.stderr

    def test_bytes_that_are_no_text_are_not_passed_on(self) -> None:
        ran = process("lint", "--fix", "-", stdin=b"\xff")

        assert (ran.returncode, ran.stdout) == (1, b"")
        assert b"MC001" in ran.stderr


class TestTheName:
    def test_reports_use_it_and_the_folder_names_the_module(self) -> None:
        ran = piped(
            FAULTY.replace("module: notes\n", "owner: me\n"), "lint", "-", "--stdin-filename", PATH, "-f", "json"
        )

        [diagnostic] = json.loads(ran.stdout)["diagnostics"]
        assert (diagnostic["path"], diagnostic["code"]) == (PATH, "MC202")

    def test_the_configuration_above_it_applies_with_its_overrides(self) -> None:
        write("specs/mcp-contracts.yaml", "overrides: [{paths: [notes/], severity: {MC202: note}}]\n")

        assert piped(FAULTY, "lint", "-", "--stdin-filename", PATH).returncode == 0
        assert piped(FAULTY, "lint", "-").returncode == 1

    @pytest.mark.parametrize("command", ["fmt", "migrate"])
    def test_formatting_takes_it_as_well(self, command: str) -> None:
        text = FIXED.replace(
            "**Category**: notes\n**Tags**: notes, search\n", "**Tags**: notes, search\n**Category**: notes\n"
        )

        ran = piped(text, command, "-", "--diff", "--stdin-filename", PATH)

        assert ran.returncode == 1
        assert f"--- a/{PATH}\n".encode() in ran.stdout

    @pytest.mark.parametrize("command", ["lint", "fmt", "migrate"])
    def test_without_standard_input_it_is_refused(self, command: str) -> None:
        write(PATH, FIXED)

        ran = process(command, "specs", "--stdin-filename", PATH)

        assert ran.returncode == 2
        assert b"`--stdin-filename` names standard input, which is not read" in ran.stderr

    @pytest.mark.parametrize("command", ["fmt", "migrate"])
    def test_an_excluded_name_is_passed_on_unchanged(self, command: str) -> None:
        write("mcp-contracts.yaml", "exclude: [specs/]\n")

        ran = piped("# x\n\n\n\n# y", command, "-", "--stdin-filename", PATH, "--force-exclude")

        assert (ran.returncode, ran.stdout) == (0, b"# x\n\n\n\n# y")

    def test_an_excluded_name_is_not_linted(self) -> None:
        write("mcp-contracts.yaml", "exclude: [specs/]\n")

        named = ("lint", "-", "--stdin-filename", f"specs/x/{SPEC_NAME}")

        assert piped(FAULTY, *named).returncode == 1
        assert piped(FAULTY, *named, "--force-exclude").returncode == 0
