"""What `exclude` omits, and the message if nothing is left."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_contracts.cli.app import run
from mcp_contracts.formatting.specs import format_spec
from mcp_contracts.parsing.discovery import SPEC_NAME
from tests.repositories import PATH, git, listed, new_repository, spec, tool, tool_list, write

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(PATH, format_spec(PATH, spec(tool(version="v1"))).text)


def exclude(*globs: str) -> None:
    """Write a configuration."""
    write("mcp-contracts.yaml", f"exclude: {json.dumps(globs)}\n")


@pytest.mark.parametrize(
    ("glob", "arguments", "what"),
    [
        ("specs/", ["lint"], "nothing to check in `.`: `specs/` is excluded by the configuration"),
        (
            "specs/notes/*.md",
            ["lint", "specs"],
            f"nothing to check in `specs`: `{PATH}` is excluded by the configuration",
        ),
        ("specs/", ["fmt"], "no specification found in `.`: `specs/` is excluded by the configuration"),
        ("specs/", ["migrate"], "no specification found in `.`: `specs/` is excluded by the configuration"),
    ],
)
def test_an_exclusion_is_the_reason_if_nothing_is_left(
    glob: str, arguments: list[str], what: str, capsys: Captured
) -> None:
    exclude(glob)

    assert run(arguments) == 3
    assert capsys.readouterr().err.splitlines() == [
        f"error: {what}",
        "  help: `exclude` in `mcp-contracts.yaml` lists what is skipped",
    ]


def test_several_reasons_are_counted(capsys: Captured) -> None:
    new_repository(Path())
    exclude("specs/")
    write(".gitignore", "build/\n")
    write(f"build/{SPEC_NAME}", "x")
    write(f"node_modules/{SPEC_NAME}", "x")

    assert run(["lint"]) == 3
    assert (
        "nothing to check in `.`: 3 files and folders are skipped "
        "(1 a folder of third-party files, 1 excluded by the configuration, 1 ignored by git)"
    ) in capsys.readouterr().err


def test_an_empty_folder_says_what_is_searched_for(capsys: Captured) -> None:
    Path("empty").mkdir()

    assert run(["lint", "empty"]) == 3
    assert capsys.readouterr().err.splitlines() == [
        "error: nothing to check in `empty`",
        f"  help: pass a file of any name, or a folder that contains an `{SPEC_NAME}` or a `*.tools.json`; "
        "`mcp-contracts new MODULE.TOOL` creates a specification",
    ]


@pytest.mark.parametrize("command", ["lint", "fmt", "migrate"])
def test_named_files_are_read_unless_exclusion_is_forced(command: str, capsys: Captured) -> None:
    exclude("specs/")

    assert run([command, PATH, *(["--check"] if command != "lint" else [])]) == (1 if command == "lint" else 0)
    assert run([command, PATH, "--force-exclude"]) == 0


def test_other_named_files_are_still_linted(capsys: Captured) -> None:
    other = f"specs/other/{SPEC_NAME}"
    write(other, spec(tool("other.find", version="v1"), module="other"))
    exclude("specs/notes/")
    capsys.readouterr()

    code = run(["lint", PATH, other, "--force-exclude", "--format", "json"])

    report = json.loads(capsys.readouterr().out)
    assert code == 1
    assert {one["path"] for one in report["diagnostics"]} == {other}
    assert report["summary"]["skipped"] == 1


class TestToolLists:
    def test_a_search_finds_tool_lists_by_their_name(self, capsys: Captured) -> None:
        write("lists/git.tools.json", tool_list(listed()))
        write("lists/Time.TOOLS.json", tool_list(listed("now")))
        write("lists/package.json", "{}")
        capsys.readouterr()

        run(["lint", "lists", "--format", "json"])

        assert json.loads(capsys.readouterr().out)["summary"] == {
            **dict.fromkeys(("errors", "warnings", "notes", "suppressed", "known", "skipped"), 0),
            "files": 2,
            "tools": 2,
        }

    def test_they_are_excluded_and_ignored_like_specifications(self, capsys: Captured) -> None:
        new_repository(Path())
        for name in ("kept", "tracked", "ignored", "excluded"):
            write(f"lists/{name}.tools.json", tool_list(listed()))
        git("add", "lists/tracked.tools.json")
        write(".gitignore", "tracked.*\nignored.*\n")
        exclude("lists/excluded*")
        capsys.readouterr()

        run(["lint", "lists", "--format", "json"])

        summary = json.loads(capsys.readouterr().out)["summary"]
        assert (summary["files"], summary["skipped"]) == (2, 2)

    @pytest.mark.parametrize("command", ["fmt", "migrate"])
    def test_commands_that_rewrite_specifications_pass_over_those_that_a_search_finds(
        self, command: str, capsys: Captured
    ) -> None:
        text = tool_list(listed())
        write("specs/git.tools.json", text)

        assert run([command, "specs"]) == 0
        assert run([command, "specs/git.tools.json"]) == 2
        assert Path("specs/git.tools.json").read_text(encoding="utf-8") == text
        assert "`specs/git.tools.json` is a tool list, not a specification" in capsys.readouterr().err

    def test_a_revision_has_them_as_well(self, capsys: Captured, tmp_path_factory: pytest.TempPathFactory) -> None:
        new_repository(Path())
        write("lists/git.tools.json", tool_list(listed()))
        git("add", "--all")
        git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "--message", "x")
        Path("lists/git.tools.json").unlink()
        capsys.readouterr()

        assert run(["diff", "--against", "HEAD", "."]) == 1
        assert "find" in capsys.readouterr().out


def test_migrate_does_not_claim_to_have_migrated_what_is_canonical(capsys: Captured) -> None:
    canonical = format_spec(PATH, spec(tool())).text
    write(PATH, canonical)

    assert run(["migrate", "specs"]) == 0
    assert capsys.readouterr().err == "1 file unchanged\n"

    assert run(["migrate", "specs", "--into", "out"]) == 0
    assert capsys.readouterr().err.splitlines() == [f"copied: {PATH}", "1 file copied"]
    assert Path(f"out/notes/{SPEC_NAME}").read_text(encoding="utf-8") == canonical

    assert run(["migrate", "specs", "--into", "other", "--check"]) == 0
    assert capsys.readouterr().err == "1 file unchanged\n"

    write(PATH, canonical.replace("### 3. Input Schema", "\n\n### 3. Input Schema"))
    assert run(["migrate", "specs"]) == 0
    assert capsys.readouterr().err.splitlines() == [f"formatted: {PATH}", "1 file formatted"]
