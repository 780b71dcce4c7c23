"""`import` writes specifications for the tools of a source, updates them, and reports the outcome for each tool."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from mcp_contracts.cli.app import run
from mcp_contracts.formatting.specs import format_spec
from mcp_contracts.parsing.discovery import SPEC_NAME
from mcp_contracts.sources.load import load
from tests.commands import process
from tests.imported_lists import Tool, tool_of
from tests.repositories import ROOT, new_repository, write

PATH = f"specs/notes/{SPEC_NAME}"
IMPORT = ["import", "tools.json", "--into", "specs", "--module", "notes"]
READ = tool_of("read", description="Reads one note of the user.", annotations={"readOnlyHint": True})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a tool list, as the working directory."""
    new_repository(tmp_path)
    monkeypatch.chdir(tmp_path)
    save(tool_of(), READ)
    return tmp_path


def save(*tools: Tool) -> None:
    write("tools.json", json.dumps({"tools": [*tools]}))


def text() -> str:
    return Path(PATH).read_bytes().decode()


def test_a_tool_list_becomes_a_specification(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(IMPORT)

    out, err = capsys.readouterr()
    assert (code, out) == (0, "")
    assert err.splitlines() == [
        f"imported: {PATH}",
        "  added `notes.find`",
        "  added `notes.read`",
        "  10 placeholders to fill in: errors (2), examples (2), idempotency (2), result (2), security (2)",
        "1 file written, 2 added",
    ]
    assert run(["fmt", "--check", "specs"]) == 0
    assert run(["lint", "specs", "-q", "--fail-on", "error"]) == 0


def test_an_export_gives_the_list_back(capsys: pytest.CaptureFixture[str]) -> None:
    run(IMPORT)
    capsys.readouterr()

    code = run(["export", "specs", "--to", "mcp"])

    tools = json.loads(capsys.readouterr().out)["tools"]
    assert code == 0
    assert [{key: value for key, value in tool.items() if key != "_meta"} for tool in tools] == [tool_of(), READ]


def test_a_second_import_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    run(IMPORT)
    before = os.stat(PATH).st_mtime_ns
    capsys.readouterr()

    assert run([*IMPORT, "--check"]) == 0
    assert run([*IMPORT, "--diff"]) == 0
    assert run(IMPORT) == 0

    assert capsys.readouterr() == ("", "2 unchanged\n" * 3)
    assert os.stat(PATH).st_mtime_ns == before


def test_a_newer_list_updates_each_tool_and_says_what_became_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    run(IMPORT)
    write(PATH, text().replace("Reads one note of the user.", "Reads a note. Call `notes.find` first."))
    save(tool_of(title="Find", description="Finds notes by their text."), READ, tool_of("write"))
    capsys.readouterr()

    code = run(IMPORT)

    assert code == 0
    assert capsys.readouterr().err.splitlines() == [
        f"imported: {PATH}",
        "  updated `notes.find`: the title, the description",
        "  kept in `notes.read`: the description",
        "  added `notes.write`",
        "  15 placeholders to fill in: errors (3), examples (3), idempotency (3), result (3), security (3)",
        "1 file written, 1 added, 1 updated, 1 unchanged",
    ]
    assert "Reads a note. Call `notes.find` first." in text()


def test_a_tool_that_is_gone_is_reported_and_pruned_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    run(IMPORT)
    save(tool_of())
    capsys.readouterr()

    assert run(IMPORT) == 0
    assert capsys.readouterr().err.splitlines() == [
        f"unchanged: {PATH}",
        "  missing `notes.read`: the source does not contain it; `--prune` removes it",
        "1 unchanged, 1 missing",
    ]
    assert run([*IMPORT, "--prune", "--check"]) == 1
    assert run([*IMPORT, "--prune"]) == 0
    assert [tool.name for tool in load("specs")] == ["notes.find"]


def test_a_check_and_a_diff_write_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*IMPORT, "--check"]) == 1
    assert f"would be imported: {PATH}" in capsys.readouterr().err
    assert not Path("specs").exists()

    assert run([*IMPORT, "--diff"]) == 1

    patch = capsys.readouterr().out
    assert not Path("specs").exists()
    subprocess.run(["git", "apply"], input=patch.encode(), check=True)
    assert run([*IMPORT, "--check"]) == 0


def test_a_diff_of_an_update_is_a_patch(capsys: pytest.CaptureFixture[str]) -> None:
    run(IMPORT)
    save(tool_of(description="Finds notes by their text."), READ)
    capsys.readouterr()

    assert run([*IMPORT, "--diff"]) == 1

    subprocess.run(["git", "apply"], input=capsys.readouterr().out.encode(), check=True)
    assert "Finds notes by their text." in text()
    assert run([*IMPORT, "--check"]) == 0


def test_only_chosen_tools_are_imported_and_none_counts_as_missing(capsys: pytest.CaptureFixture[str]) -> None:
    run(IMPORT)
    capsys.readouterr()

    assert run([*IMPORT, "--tool", "find"]) == 0
    assert capsys.readouterr().err == "1 unchanged\n"
    assert run([*IMPORT, "--exclude", "find", "--prune"]) == 2
    assert "`--prune` cannot be combined" in capsys.readouterr().err
    assert run([*IMPORT, "--tool", "fnd"]) == 2
    assert "unknown tool `fnd`" in capsys.readouterr().err


def test_the_module_is_the_server_s_by_default() -> None:
    write("tools.json", json.dumps({"serverInfo": {"name": "Example/Notes"}, "tools": [tool_of()]}))

    assert run(["import", "tools.json", "--into", "specs"]) == 0

    assert [tool.name for tool in load(f"specs/example_notes/{SPEC_NAME}")] == ["example_notes.find"]


def test_a_wrong_module_name_is_refused_with_a_fitting_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["import", "tools.json", "--into", "specs", "--module", "../My Notes"]) == 2

    assert capsys.readouterr().err.splitlines() == [
        "error: `--module ../My Notes` is not a module name: lowercase letters, digits and `_`",
        "  help: write `_._._my_notes`",
    ]


def test_python_functions_become_specifications(capsys: pytest.CaptureFixture[str]) -> None:
    write(
        "server.py",
        'from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP("notes")\n\n\n@mcp.tool()\n'
        'def find(query: str, limit: int = 10) -> list[str]:\n    """Find notes.\n\n    Args:\n'
        "        query: What to look for.\n        limit: How many.\n"
        '    """\n    return []\n',
    )

    assert run(["import", "python:server.py", "--into", "specs"]) == 0

    [tool] = load("specs")
    assert (tool.name, tool.description) == ("server.find", "Find notes.")
    assert isinstance(tool.input_schema, dict)
    assert list(tool.input_schema["properties"]) == ["query", "limit"]  # type: ignore[arg-type] # an object
    assert run(["import", "python:server.py", "--into", "specs", "--check"]) == 0


def test_standard_input_and_a_revision_are_sources() -> None:
    subprocess.run(["git", "add", "."], check=True)
    subprocess.run(["git", "commit", "-qm", "list"], check=True)

    ran = process("import", "-", "--into", "specs", "--module", "notes", stdin=Path("tools.json").read_bytes())

    assert ran.returncode == 0
    before = text()
    assert run(["import", "git:HEAD:tools.json", "--into", "specs", "--module", "notes"]) == 0
    assert text() == before


BROKEN = [
    ("{", 3, "MC304"),
    ("[]", 3, "no tools to import in `tools.json`"),
    ('{"tools": []}', 3, "no tools to import in `tools.json`"),
    ('{"tools": 1}', 3, "MC008"),
    ('{"tools": [1]}', 3, "MC008"),
    ("", 3, "MC304"),
]


@pytest.mark.parametrize(("content", "code", "said"), BROKEN)
def test_a_broken_list_is_reported_and_nothing_is_written(
    content: str, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("tools.json", content)

    assert run(IMPORT) == code

    assert said in capsys.readouterr().err
    assert not Path("specs").exists()


def test_what_can_be_read_of_a_broken_list_is_imported_and_nothing_is_pruned(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(IMPORT)
    write("tools.json", json.dumps({"tools": [tool_of(title="Find"), {"name": 7}]}))
    capsys.readouterr()

    assert run([*IMPORT, "--prune"]) == 1

    err = capsys.readouterr().err
    assert "MC008" in err
    assert "nothing is pruned" in err
    assert [(tool.name, tool.title) for tool in load("specs")] == [("notes.find", "Find"), ("notes.read", None)]


def test_of_tools_with_one_name_the_first_is_imported_and_the_others_are_reported(
    capsys: pytest.CaptureFixture[str],
) -> None:
    save(tool_of(), READ, {**READ, "description": "Reads another note."})

    assert run(IMPORT) == 1

    assert "tools.json:1:" in (told := capsys.readouterr().err)
    assert "error MC104 `read` is already the name of another tool" in told
    assert "Reads one note of the user." in text()
    assert "Reads another note." not in text()


def test_names_that_collide_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    save(tool_of("get-it"), tool_of("get.it"), tool_of("Get_It"))

    assert run(IMPORT) == 2

    assert "two tools get the name `notes.get_it`" in capsys.readouterr().err
    assert not Path("specs").exists()


def test_a_target_that_is_a_file_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    write("specs", "not a folder")

    assert run(IMPORT) == 2

    assert capsys.readouterr().err.splitlines()[0].startswith("error: ")
    assert Path("specs").read_text(encoding="utf-8") == "not a folder"


@pytest.mark.parametrize("name", ["specs", "specs/notes", PATH])
def test_nothing_is_written_through_a_link_that_leads_outside(
    name: str, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    if name == PATH:
        (outside / "target.md").write_text("outside", encoding="utf-8")
        Path(name).symlink_to(outside / "target.md")
    else:
        Path(name).symlink_to(outside, target_is_directory=True)

    assert run(IMPORT) == 2

    assert capsys.readouterr().err.startswith("error: ")
    assert [path.read_text(encoding="utf-8") for path in outside.rglob("*") if path.is_file()] in ([], ["outside"])


_AS_OTHERS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
"""Runs root's commands without root's permission to write everywhere."""


@pytest.mark.skipif(
    os.name == "nt" or (os.geteuid() == 0 and which("setpriv") is None), reason="nothing is refused to this user"
)
def test_a_folder_that_cannot_be_written_is_reported() -> None:
    Path("specs").mkdir(mode=0o555)
    command = [sys.executable, "-m", "mcp_contracts", *IMPORT]

    ran = subprocess.run(
        [*_AS_OTHERS, *command] if os.geteuid() == 0 else command,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 2
    assert "cannot be created" in ran.stderr
    assert list(Path("specs").iterdir()) == []


def test_one_module_that_cannot_be_written_does_not_stop_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    save(tool_of("a.x"), tool_of("b.y"))
    write("specs/a", "not a folder")

    assert run(IMPORT) == 2

    assert [tool.name for tool in load("specs")] == ["b.y"]
    assert capsys.readouterr().err.endswith("1 file written, 1 file not written, 1 added\n")


def test_a_specification_that_exists_under_another_case_is_updated() -> None:
    run(IMPORT)
    os.rename(PATH, "specs/notes/mcp_tool_specification.md")
    save(tool_of(title="Find"), READ)

    assert run(IMPORT) == 0

    assert os.listdir("specs/notes") == ["mcp_tool_specification.md"]


def test_the_result_is_formatted_whatever_the_descriptions_hold() -> None:
    save(tool_of(description="# A\n\n```\n| b"), tool_of("read", description="---\nx: y\n---"))

    run(IMPORT)

    assert format_spec(PATH, text()).text == text()
    assert [tool.description for tool in load("specs")] == ["# A\n\n```\n| b", "---\nx: y\n---"]
