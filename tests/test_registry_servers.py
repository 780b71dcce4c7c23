"""Published servers, if installed: imported, linted, locked, and verified against themselves.

Install them to run these tests: `pip install mcp-server-time mcp-server-git mcp-server-fetch` (in a separate
environment, because they need another SDK), and with npm `@modelcontextprotocol/server-everything`, `-memory` and
`-filesystem`. Their commands must be on the `PATH`.
"""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path

import pytest

from mcp_contracts.cli.app import run
from mcp_contracts.parsing.spec import read_spec

SERVERS = (
    "mcp-server-time",
    "mcp-server-git",
    "mcp-server-fetch",
    "mcp-server-everything",
    "mcp-server-memory",
    "mcp-server-filesystem",
)


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    command = shutil.which(request.param)
    if command is None:
        pytest.skip(f"{request.param} is not installed")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    arguments = [str(tmp_path / "data")] if "filesystem" in request.param else []
    return "stdio:" + shlex.join([command, *arguments])


def test_a_published_server_fits_the_specification_that_is_imported_from_it(
    server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["import", server, "--into", "specs"]) == 0
    (path,) = Path("specs").rglob("MCP_TOOL_SPECIFICATION.md")
    assert read_spec(str(path), path.read_text("utf-8")).tools

    assert run(["lint", "specs", "--isolated"]) == 0
    capsys.readouterr()
    assert (
        run(["verify", "specs", server, "--isolated", "--call", "none", "--format", "json", "--max-warnings", "0"]) == 0
    )
    assert json.loads(capsys.readouterr().out)["diagnostics"] == []


def test_a_published_server_is_as_its_lock_says(server: str) -> None:
    assert run(["lock", server]) == 0
    assert run(["lock", "--check", "--yes"]) == 0
