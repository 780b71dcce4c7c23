"""Every example runs unchanged, in a separate process, with only the package on its path."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"

# Lines of what each prints, in order.
PRINTED: dict[str, tuple[str, ...]] = {
    "compare_schemas.py": (
        "declared: breaking",
        "    worked before and fails now: {'query': 'text', 'limit': 51}, "
        "`limit` is 51, greater than the maximum of 50",
        "strict: breaking",
    ),
    "lint_from_python.py": (
        "tickets.search v1.2",
        "examples/five_faults/MCP_TOOL_SPECIFICATION.md:10:14: error MC202 version `v1.2` is not a semantic version",
    ),
    "registry_from_spec.py": (
        "weather.get_forecast {'place': 'Oslo', 'days': 1}",
        "  failure: ValidationError: `when` is a property that the schema does not allow, and 2 more errors",
        '    /days: `days` is "two", not of type integer',
        "  failure: ResourceNotFound: no place is named Oslø",
        "    /: the data lacks the required property `place`",
        "  failure: ToolExecutionError: `weather.get_alerts` 1.0.1 has a contract, but no function",
    ),
    "tools_from_python.py": (
        "library.search {",
        "library.search {'words': 'the'}",
        '  {"status":"no_change_needed","data":null,"error":null,"explanation":"It is already lent."}',
        "  1 of 2: Emma",
        "  2 of 2: Pride and Prejudice",
    ),
    "typed_use.py": (
        "right: {'result': 'ho ho ho'}",
        'wrong: `times` is "three", not of type integer',
        "missing: failure",
        "by name: {'result': 'HELLO'}",
        "many: [{'result': 'A'}, {'result': 'B'}, {'result': 'C'}]",
        "long: finished {'b': 1, 'a': 3, 'n': 2} Progress(completed=6, total=6, message=None, data=None)",
    ),
}

TESTED_ELSEWHERE = {
    "agent.py": "it needs a model: tests/test_example_agent.py",
    "remote_tools.py": "it needs the SDK: tests/test_runtime_remote.py",
}


@pytest.fixture
def path_of_the_package(tmp_path: Path) -> Path:
    (tmp_path / "mcp_contracts").symlink_to(ROOT / "mcp_contracts")
    return tmp_path


def run(script: str, *arguments: str, path: Path, folder: Path) -> str:
    """Return the output of an example, with every warning as an error."""
    environment = {**os.environ, "PYTHONPATH": str(path), "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / script), *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        env=environment,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def in_order(lines: tuple[str, ...], output: str) -> Iterator[str]:
    """Return the lines that do not follow the lines before them in the output."""
    left = iter(output.splitlines())
    return (line for line in lines if line not in left)


def test_every_example_is_tested_and_described() -> None:
    scripts = {path.name for path in EXAMPLES.glob("*.py")}
    described = (EXAMPLES / "README.md").read_text(encoding="utf-8")

    assert scripts == {*PRINTED, *TESTED_ELSEWHERE}
    assert [script for script in sorted(scripts) if f"]({script})" not in described] == []


@pytest.mark.parametrize("script", PRINTED)
def test_an_example_prints_what_it_promises(script: str, path_of_the_package: Path, tmp_path: Path) -> None:
    anywhere = script in ("registry_from_spec.py", "tools_from_python.py", "typed_use.py")
    output = run(script, path=path_of_the_package, folder=tmp_path if anywhere else ROOT)

    assert list(in_order(PRINTED[script], output)) == []
