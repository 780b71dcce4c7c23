"""`lint` on the command line: its input, its output, and its exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mcp_contracts.cli.app import run
from tests.commands import process

ROOT = Path(__file__).resolve().parents[1]
SPEC = ROOT / "specs" / "weather" / "MCP_TOOL_SPECIFICATION.md"


@pytest.fixture
def clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one valid specification, outside any configuration, as the working directory."""
    path = tmp_path / "specs" / "weather" / "MCP_TOOL_SPECIFICATION.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(SPEC.read_bytes())
    monkeypatch.chdir(tmp_path)
    return path


def damage(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_clean_folder_exits_with_zero(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["lint", "specs"])

    assert code == 0
    assert "no problems in 1 file (3 tools)" in capsys.readouterr().out


def test_without_sources_the_working_folder_is_linted(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["lint"])

    assert code == 0
    assert "1 file" in capsys.readouterr().out


def test_the_paths_of_the_configuration_are_linted_from_any_folder_below(
    clean: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (clean.parents[2] / "mcp-contracts.yaml").write_text("paths: [specs]\n", encoding="utf-8")
    (clean.parents[2] / "deep" / "down").mkdir(parents=True)
    monkeypatch.chdir(clean.parents[2] / "deep" / "down")

    code = run(["lint"])

    assert code == 0
    assert "1 file" in capsys.readouterr().out


def test_what_follows_from_a_fault_stays_out_where_the_fault_is_ignored(
    clean: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = ROOT / "tests" / "cases" / "precedence" / "a-duplicate-key-loses-a-property.md"

    both = run(["lint", str(case), "--format", "concise"])
    found = capsys.readouterr().out
    left = run(["lint", str(case), "--format", "concise", "--ignore", "MC306"])

    assert (both, left) == (1, 0)
    assert ("MC306" in found, "MC302" in found) == (True, False)
    assert "MC302" not in capsys.readouterr().out


def test_a_virtual_environment_is_not_searched(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packages = clean.parents[2] / "env" / "lib"
    packages.mkdir(parents=True)
    (packages.parent / "pyvenv.cfg").touch()
    (packages / "MCP_TOOL_SPECIFICATION.md").write_bytes(clean.read_bytes())

    code = run(["lint"])

    assert code == 0
    assert "1 file" in capsys.readouterr().out


def test_an_error_exits_with_one_and_names_the_place(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damage(clean, "**Version**: ", "**Version**: v")

    code = run(["lint", "specs", "--format", "concise"])

    assert code == 1
    assert "specs/weather/MCP_TOOL_SPECIFICATION.md:" in capsys.readouterr().out


def test_exit_zero_reports_and_exits_with_zero(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damage(clean, "**Version**: ", "**Version**: v")

    code = run(["lint", "specs", "--exit-zero"])

    assert code == 0
    assert "MC202" in capsys.readouterr().out


def test_more_warnings_than_allowed_exit_with_one(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damage(clean, "**Effects**: read-only", "**Effects**: read-onyl")

    assert run(["lint", "specs"]) == 0
    assert run(["lint", "specs", "--max-warnings", "1"]) == 0
    assert run(["lint", "specs", "--max-warnings", "0"]) == 1
    assert "1 warning is more than the 0 allowed" in capsys.readouterr().err


@pytest.mark.parametrize(("level", "code"), [("error", 0), ("warning", 1), ("note", 1)])
def test_the_mildest_severity_that_fails_is_chosen_by_option_or_configuration(
    clean: Path, level: str, code: int
) -> None:
    damage(clean, "**Effects**: read-only", "**Effects**: read-onyl")

    by_option = run(["lint", "specs", "--fail-on", level])
    Path("mcp-contracts.yaml").write_text(f"fail-on: {level}\n", encoding="utf-8")
    by_configuration = run(["lint", "specs"])

    assert (by_option, by_configuration) == (code, code)
    assert run(["lint", "specs", "--fail-on", "error"]) == 0


@pytest.mark.parametrize("option", ["--max-warnings=0", "--fail-on=warning"])
def test_a_warning_that_fails_the_run_fails_in_junit_and_is_printed_when_quiet(
    clean: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    damage(clean, "**Effects**: read-only", "**Effects**: read-onyl")

    assert run(["lint", "specs", option, "--format", "junit"]) == 1
    assert 'failures="1"' in capsys.readouterr().out
    assert run(["lint", "specs", option, "--quiet"]) == 1
    assert "MC511" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["lint", "nowhere"], 2, "`nowhere`: no such file or directory"),
        (["lint", "--select", "MC999"], 2, "no such rule"),
        (["lint", "--select", "misssing-version"], 2, "did you mean `missing-version`?"),
        (["lint", "--severity", "MC305=loud"], 2, "is not `CODE=LEVEL`"),
        (["lint", "--format", "xml"], 2, "invalid value `xml` for `--format`"),
        (["lint", "--max-warnings", "-1"], 2, "is not in the range"),
        (["lint", "--config", "nowhere.yaml"], 2, "nowhere.yaml"),
        (["lint", "--output", "no/such/folder/report.txt"], 2, "cannot be written"),
        (["lint", "empty"], 3, "nothing to check"),
        (["lint", "git:main"], 3, "the working directory is not in a git repository"),
        (["lint", "stdio:no-such-server"], 3, "was not found"),
        (["lnt"], 2, "did you mean `lint`?"),
    ],
)
def test_what_cannot_work_says_why_and_exits_as_documented(
    clean: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, words: str
) -> None:
    (clean.parents[2] / "empty").mkdir()

    found = run(arguments)

    assert found == code
    assert words in capsys.readouterr().err


def test_a_report_is_written_whole_to_a_file(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["lint", "specs", "--format", "json", "--output", "report.json"])

    report = json.loads(Path("report.json").read_text(encoding="utf-8"))
    assert report["format"] == "mcp-contracts/lint"
    assert capsys.readouterr().out == ""
    assert [path.name for path in Path().glob(".report*")] == []


def test_standard_input_is_read_as_a_spec_or_as_a_tool_list(clean: Path) -> None:
    tools = json.dumps(
        [{"name": "get", "description": "Returns one thing by its name.", "inputSchema": {"type": "object"}}]
    )

    as_spec = process("lint", "-", cwd=clean.parent, stdin=clean.read_bytes())
    as_list = process("lint", "-", cwd=clean.parent, stdin=tools.encode())

    assert (as_spec.returncode, as_list.returncode) == (0, 0)
    assert b"(3 tools)" in as_spec.stdout
    assert b"(1 tool)" in as_list.stdout


def test_a_closed_pipe_ends_quietly(clean: Path) -> None:
    damage(clean, "**Version**: ", "**Version**: v")
    command = f"{sys.executable} -m mcp_contracts lint specs | true"

    result = subprocess.run(
        ["bash", "-c", command],
        cwd=clean.parents[2],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=False,
    )

    assert result.stderr == b""


def test_colors_follow_the_terminal_and_the_environment(clean: Path) -> None:
    damage(clean, "**Version**: ", "**Version**: v")
    folder = clean.parents[2]

    plain = process("lint", "specs", cwd=folder, NO_COLOR="", FORCE_COLOR="")
    forced = process("lint", "specs", cwd=folder, NO_COLOR="", FORCE_COLOR="1")
    refused = process("lint", "specs", cwd=folder, NO_COLOR="1", FORCE_COLOR="1")

    assert b"\x1b[" not in plain.stdout
    assert b"\x1b[" in forced.stdout
    assert b"\x1b[" not in refused.stdout


def test_output_is_utf_8_whatever_the_locale_says(clean: Path) -> None:
    damage(clean, "**Version**: ", "**Version**: ü")

    result = process("lint", "specs", cwd=clean.parents[2], LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")

    assert "`ü" in result.stdout.decode("utf-8")
    assert b"Traceback" not in result.stderr


def test_the_same_input_gives_the_same_bytes(clean: Path) -> None:
    damage(clean, "**Version**: ", "**Version**: v")
    folder = clean.parents[2]

    first = process("lint", "specs", "--format", "sarif", cwd=folder, PYTHONHASHSEED="1")
    second = process("lint", "specs", "--format", "sarif", cwd=folder, PYTHONHASHSEED="2")

    assert first.stdout == second.stdout


def test_a_bug_of_ours_is_a_sentence_and_no_traceback(
    clean: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.path.commonpath", lambda paths: 1 / 0)

    code = run(["lint", "specs"])

    assert code == 70
    assert "this is a bug in mcp-contracts: ZeroDivisionError" in capsys.readouterr().err


def test_an_installation_without_a_dependency_says_which_one_is_missing(
    clean: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(paths: object) -> str:
        raise ModuleNotFoundError("No module named 'yaml.nodes'", name="yaml.nodes")

    monkeypatch.setattr("os.path.commonpath", fail)

    code = run(["lint", "specs"])

    assert code == 2
    assert "the package `yaml`, which mcp-contracts needs, is not installed" in capsys.readouterr().err


def test_no_report_prints_a_secret_that_it_finds(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secret = "ghp_" + "aZ09bY18cX27dW36eV45fU54gT63hS72iR81"
    damage(clean, "### 8. Security Considerations", f"The token is {secret}.\n\n### 8. Security Considerations")

    for format_name in ("text", "concise", "json", "github", "sarif", "junit"):
        run(["lint", "specs", "--format", format_name])

        printed = capsys.readouterr().out
        assert "MC506" in printed
        assert secret not in printed


def test_empty_standard_input_is_nothing_to_check(clean: Path) -> None:
    result = process("lint", "-", cwd=clean.parent, stdin=b" \n")

    assert result.returncode == 3
    assert b"standard input is empty" in result.stderr


def test_a_configured_suppression_that_silences_nothing_is_unused_where_all_was_linted(
    clean: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = clean.parents[2]
    (folder / "mcp-contracts.yaml").write_text(
        "paths: [specs]\nsuppressions:\n  - {code: MC302, reason: because}\n", encoding="utf-8"
    )

    run(["lint", "--format", "concise"])
    of_all = capsys.readouterr().out
    run(["lint", "specs/weather", "--format", "concise"])

    assert "MC011" in of_all
    assert "MC011" not in capsys.readouterr().out


def test_an_unknown_level_lists_the_levels(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "specs", "--severity", "MC305=loud"]) == 2

    assert "help: the levels are `error`, `warning`, `note` and `off`" in capsys.readouterr().err


def test_isolated_ignores_the_configuration(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mcp-contracts.yaml").write_text("unknown_key: 1\n", encoding="utf-8")

    assert run(["lint", "specs"]) == 2
    assert run(["lint", "specs", "--isolated"]) == 0
    assert run(["lint", "specs", "--isolated", "--config", "mcp-contracts.yaml"]) == 2
    assert "`--config` has no effect with `--isolated`" in capsys.readouterr().err


def test_the_settings_are_shown_and_nothing_is_checked(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mcp-contracts.yaml").write_text("paths: [specs]\nignore: [MC305]\n", encoding="utf-8")

    code = run(["lint", "--show-settings", "--ignore", "MC501", "--severity", "MC302=note"])

    settings = json.loads(capsys.readouterr().out)
    assert code == 0
    assert settings["configuration"] == "mcp-contracts.yaml"
    assert settings["paths"] == ["specs"]
    assert settings["ignore"] == ["MC305", "MC501"]
    assert settings["severity"] == {"MC302": "note"}
    assert settings["limits"] == {"max_file_size": 2_000_000, "description_length": 1024}


def test_no_color_is_a_short_form_of_color_never(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["lint", "specs", "--color", "always"])
    run(["lint", "specs", "--color", "always", "--no-color"])

    colored, plain = capsys.readouterr().out.splitlines()
    assert "\x1b[" in colored
    assert "\x1b[" not in plain
