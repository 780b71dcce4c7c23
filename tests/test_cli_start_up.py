"""The imports of commands: a linter that runs on every save must not import what it does not need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.cli.command_line.front_page import COMMANDS, module_of
from mcp_contracts.version import __version__
from tests.repositories import ROOT, spec, tool, write

VALIDATOR = {"jsonschema_rs"}
OPTIONAL = {"yaml", "_yaml"}
"""Packages that some files need."""
SLOW = {
    "argparse",
    "ast",
    "asyncio",
    "difflib",
    "hashlib",
    "inspect",
    "multiprocessing",
    "socket",
    "threading",
    "urllib3",
}
"""Modules of the standard library that count as other packages."""
RARE = (
    "mcp_contracts.parsing.legacy",
    "mcp_contracts.parsing.examples.code_examples",
    "mcp_contracts.parsing.locating.implied",
    "mcp_contracts.parsing.parameters.notes",
    "mcp_contracts.parsing.parameters.signatures",
    "mcp_contracts.writing.files",
)
"""Modules that a canonical specification never needs."""
OF_FINDINGS = (
    "mcp_contracts.change",
    "mcp_contracts.config.accepted",
    "mcp_contracts.providers.names",
    "mcp_contracts.schema.validation.lenient",
    "mcp_contracts.schema.validation.validators",
    "mcp_contracts.writing.types",
)
"""Modules that a lint without findings does not need either."""
CHECKING = (
    "mcp_contracts.parsing.canonical",
    "mcp_contracts.parsing.spec",
    "mcp_contracts.rules.registry",
    "mcp_contracts.schema.validation",
    "mcp_contracts.schema.vocabulary",
)
"""Modules that an unchanged file does not need."""


def imported(folder: Path, *arguments: str) -> tuple[list[str], set[str], set[str]]:
    """Return the lines that a command prints, and our modules and the other packages that it imports."""
    code = (
        "import os, sys\nbefore = set(sys.modules)\nos._exit = sys.exit\n"
        f"sys.argv = ['mcp-contracts', *{list(arguments)!r}]\nfrom mcp_contracts.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\nprint()\nprint(*sorted(set(sys.modules) - before))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=True,
    )
    *printed, names = result.stdout.splitlines()
    ours = {name for name in names.split() if name.partition(".")[0] == "mcp_contracts"}
    others = (
        {name.partition(".")[0] for name in names.split()} - {"mcp_contracts"} - (set(sys.stdlib_module_names) - SLOW)
    )
    return printed, ours, {name for name in others if not name.startswith(("_cython", "cython", "__"))}


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version_is_printed_without_typer(tmp_path: Path, option: str) -> None:
    printed, ours, others = imported(tmp_path, option)

    assert printed[0] == f"mcp-contracts {__version__}"
    assert ours == {"mcp_contracts", "mcp_contracts.cli", "mcp_contracts.cli.main", "mcp_contracts.version"}
    assert others == set()


@pytest.mark.parametrize("arguments", [("--help",), ("-h",), ()])
def test_the_help_of_the_application_is_printed_without_typer(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    printed, ours, others = imported(tmp_path, *arguments)

    assert printed[0].startswith("Usage: mcp-contracts ")
    assert ours == {
        "mcp_contracts",
        "mcp_contracts.cli",
        "mcp_contracts.cli.main",
        "mcp_contracts.cli.command_line",
        "mcp_contracts.cli.command_line.front_page",
    }
    assert others == set()


def test_a_lint_imports_no_package_of_others_but_for_yaml_and_one_of_an_unchanged_file_no_rules(
    tmp_path: Path,
) -> None:
    write(tmp_path / "specs" / "a" / "MCP_TOOL_SPECIFICATION.md", spec(tool("a.b")))

    _, ours, others = imported(tmp_path, "lint", "specs")

    assert others <= OPTIONAL
    assert not {name for name in ours if name.startswith(("mcp_contracts.comparison", "mcp_contracts.inclusion"))}
    assert "mcp_contracts.sources.git" not in ours
    assert not {name for name in ours if name.startswith((*RARE, *OF_FINDINGS))}

    imported(tmp_path, "lint", "--cache-dir", "kept", "specs")
    _, ours, others = imported(tmp_path, "lint", "--cache-dir", "kept", "specs")

    assert others == set()
    assert not {name for name in ours if name.startswith((*RARE, *CHECKING))}


def test_a_diff_with_a_break_imports_neither_a_second_validator_nor_what_few_files_need(tmp_path: Path) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}}
    for side in ("old", "new"):
        write(tmp_path / side / "MCP_TOOL_SPECIFICATION.md", spec(tool("a.b", input=schema)))
        schema = {"type": "object", "properties": {"a": {"type": "null"}}}

    printed, ours, others = imported(tmp_path, "diff", "old", "new")

    assert any("BC" in line for line in printed)
    assert others == VALIDATOR
    assert not {name for name in ours if name.startswith(RARE)}


@pytest.mark.parametrize(
    "arguments", [("lint",), ("diff", "specs", "specs"), ("rules",), ("explain", "MC305"), ("init",)]
)
def test_a_command_line_that_is_clear_is_read_without_typer(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    write(tmp_path / "specs" / "a" / "MCP_TOOL_SPECIFICATION.md", spec(tool("a.b")))

    _, _, others = imported(tmp_path, *arguments)

    assert "typer" not in others


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks a process for each command")
def test_a_command_imports_the_module_of_no_other(tmp_path: Path) -> None:
    modules = {name: module_of(name) for name in COMMANDS}
    code = (
        "import json, os, sys, typer\n"
        "import mcp_contracts.cli.app, mcp_contracts.cli.command_line.typer_app, mcp_contracts.cli.reports\n"
        f"for name in {list(COMMANDS)!r}:\n"
        "    if os.fork() == 0:\n"
        "        sys.argv, printed, sys.stdout = ['mcp-contracts', name, '--help'], sys.stdout, open(os.devnull, 'w')\n"
        "        end, os._exit = os._exit, sys.exit\n"
        "        from mcp_contracts.cli.main import main\n"
        "        try:\n            main()\n        except SystemExit:\n            pass\n"
        "        print(json.dumps([name, *sys.modules]), file=printed, flush=True)\n"
        "        end(0)\n"
        "    os.wait()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, env=environment, check=True)

    found = {name: set(names) for name, *names in map(json.loads, ran.stdout.splitlines())}
    assert {name: names & {*modules.values()} for name, names in found.items()} == {
        name: {module} for name, module in modules.items()
    }
    assert not any(names & {"jsonschema", "rich"} for names in found.values())
