"""The tools of mcp-contracts: a coding agent lints, compares, explains, scaffolds and fixes inside one folder."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from mcp_contracts.contract import Contracts
from mcp_contracts.serving.own.tools import contracts, own_tools
from tests.serving_servers import DEMO, program

Call = Callable[..., Any]
SPECS = Path(__file__).parents[1] / "specs"
NAME = "MCP_TOOL_SPECIFICATION.md"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    (root / "specs" / "demo").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    shutil.copy(DEMO / NAME, root / "specs" / "demo")
    shutil.copy(DEMO / NAME, tmp_path / "outside")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def call(project: Path) -> Call:
    registry = own_tools(Path()).registry

    def called(tool: str, /, **arguments: Any) -> Any:
        return registry.call({"tool_name": f"mcp_contracts.{tool}", "arguments": arguments})

    return called


def error_of(result: Any) -> str:
    assert result.error is not None, result
    return str(result.error.error_type)


def test_the_specification_describes_five_tools() -> None:
    found: Contracts = contracts()

    assert [one.name.partition(".")[2] for one in found] == ["lint", "explain", "diff", "scaffold", "fix"]


def test_lint_reports_what_the_command_reports(call: Call) -> None:
    data = call("lint", paths=["specs"]).data

    assert {key: data["summary"][key] for key in ("files", "tools", "errors", "notes")} == {
        "files": 1,
        "tools": 4,
        "errors": 0,
        "notes": 4,
    }
    assert {one["code"] for one in data["diagnostics"]} == {"MC408"}
    assert data["diagnostics"][0]["path"] == "specs/demo/MCP_TOOL_SPECIFICATION.md"
    assert call("lint", ignore=["MC4"]).data["diagnostics"] == []


def test_explain_shows_a_rule_or_the_nearest(call: Call) -> None:
    by_name = call("explain", rule="required-property-undefined").data
    missing = call("explain", rule="MC3O2")

    assert (by_name["code"], by_name["severity"]) == ("MC302", "error")
    assert call("explain", rule="BC207").data["name"] == "input-bounds-changed"
    assert error_of(missing) == "ResourceNotFound"
    assert "MC302" in missing.error.error_details["nearest"]


def test_scaffold_writes_a_file_and_then_adds_to_it(call: Call, project: Path) -> None:
    parameter = {"name": "place", "type": "array[string]", "required": True, "description": "Where: a town."}

    first = call("scaffold", name="weather.get", parameters=[parameter], errors=[{"type": "NoPlace", "when": "lost"}])
    second = call("scaffold", name="weather.set", effects="destructive")
    again = call("scaffold", name="weather.set")

    text = (project / "specs/weather" / NAME).read_text(encoding="utf-8")
    assert first.data["path"] == "specs/weather/MCP_TOOL_SPECIFICATION.md"
    assert (first.data["created"], second.data["created"]) == (True, False)
    assert first.data["placeholders"]
    assert "Where: a town." in text
    assert "`weather.set`" in text
    assert error_of(again) == "ValidationError"
    assert "already defines" in again.error.error_message


def test_fix_writes_what_needs_no_decision(call: Call, project: Path) -> None:
    file = project / "specs/demo" / NAME
    text = file.read_text(encoding="utf-8").replace("**Version**: 1.0.0", "**Version**: v1.0.0", 1)
    file.write_text(text, encoding="utf-8")

    tried = call("fix", dry_run=True)
    unchanged = file.read_text(encoding="utf-8")
    fixed = call("fix")
    again = call("fix")

    assert tried.data == fixed.data
    assert unchanged == text
    assert [one["path"] for one in fixed.data["files"]] == ["specs/demo/MCP_TOOL_SPECIFICATION.md"]
    assert "**Version**: v1.0.0" not in file.read_text(encoding="utf-8")
    assert (again.status, again.data["files"]) == ("no_change_needed", [])


def test_diff_compares_with_a_path_or_a_revision(call: Call, project: Path) -> None:
    shutil.copytree(project / "specs", project / "before")
    for command in (("init", "-q"), ("add", "specs"), ("commit", "-qm", "first")):
        identity = ("-c", "user.name=test", "-c", "user.email=test@example.com")
        subprocess.run(["git", *identity, *command], cwd=project, check=True)
    file = project / "specs/demo" / NAME
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"maximum": 60', '"maximum": 50'), encoding="utf-8")

    by_path = call("diff", paths=["specs"], old="before").data
    by_revision = call("diff", paths=["specs"], against="HEAD").data

    for data in (by_path, by_revision):
        assert data["summary"]["breaking"] == 1
        [changed] = [tool for tool in data["tools"] if tool["state"] == "changed"]
        assert changed["changes"][0]["witness"]["value"]["seconds"] > 50
    assert error_of(call("diff", against="no-such-branch")) == "ResourceNotFound"
    assert error_of(call("diff")) == "ValidationError"
    assert error_of(call("diff", against="HEAD", old="before")) == "ValidationError"


OUTSIDE = ["..", "../outside", "/etc/passwd", "specs/../../outside", "~/x", "escape", f"escape/{NAME}", ".git/config"]


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("tool", ["lint", "diff", "fix", "scaffold", "config"])
def test_no_path_leads_out_of_the_folder(call: Call, project: Path, tool: str, path: str) -> None:
    (project / "escape").symlink_to(project.parent / "outside")
    before = (project.parent / "outside" / NAME).read_bytes()

    match tool:
        case "diff":
            results = [call("diff", paths=["specs"], old=path), call("diff", paths=[path], old="specs")]
        case "scaffold":
            results = [call("scaffold", name="demo.new", into=path)]
        case "config":
            results = [call("lint", config=path)]
        case _:
            results = [call(tool, paths=[path])]

    assert {error_of(result) for result in results} == {"PermissionError"}
    assert (project.parent / "outside" / NAME).read_bytes() == before


def test_links_inside_folders_are_not_followed_out(call: Call, project: Path) -> None:
    for command in (("init", "-q"),):
        subprocess.run(["git", *command], cwd=project.parent, check=True)  # so that both are in one repository
    (project / "specs" / "leak").mkdir()
    (project / "specs" / "leak" / NAME).symlink_to(project.parent / "outside" / NAME)
    (project / "specs" / "whole").symlink_to(project.parent / "outside")

    assert call("lint", paths=["specs"]).data["summary"]["files"] == 1
    assert error_of(call("lint", paths=[f"specs/leak/{NAME}"])) == "PermissionError"
    assert error_of(call("scaffold", name="leak.new")) == "PermissionError"
    assert error_of(call("diff", against="HEAD")) == "PermissionError"


def test_a_configuration_above_the_folder_is_not_read(call: Call, project: Path) -> None:
    (project.parent / "mcp-contracts.yaml").write_text("ignore: [MC408]\n", encoding="utf-8")

    assert len(call("lint").data["diagnostics"]) == 4


def test_a_coding_agent_reaches_them_over_stdio(project: Path) -> None:
    async def lint() -> Any:
        parameters = StdioServerParameters(command=program(), args=["serve", "--self", "--root", str(project)])
        async with asyncio.timeout(120), Client(parameters) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            return names, (await client.call_tool("mcp_contracts.lint", {"paths": ["specs"]})).structured_content

    names, data = asyncio.run(lint())

    assert names == [f"mcp_contracts.{name}" for name in ("diff", "explain", "fix", "lint", "scaffold")]
    assert data["summary"]["tools"] == 4
