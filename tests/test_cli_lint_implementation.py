"""`lint --implementation` from the command line: a package held to its specifications, and how it is reported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.cli.app import EXIT_FINDINGS, EXIT_USAGE, run

ROOT = Path(__file__).resolve().parents[1]
SPEC = ROOT / "specs" / "weather" / "MCP_TOOL_SPECIFICATION.md"
Captured = pytest.CaptureFixture[str]

MODELS = '''
"""What the tools take."""

from enum import StrEnum


class Units(StrEnum):
    METRIC = "metric"
    IMPERIAL = "imperial"
'''


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> Path:
    """A project as the working folder: a specification, and a package whose functions are made of its contracts."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "specs" / "weather" / "MCP_TOOL_SPECIFICATION.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(SPEC.read_bytes())
    package = tmp_path / "src" / "weather"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "models.py").write_text(MODELS, encoding="utf-8")
    (package / "tools.py").write_text(tools(), encoding="utf-8")
    capsys.readouterr()
    return tmp_path


TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "list", "object": "dict"}


def tools() -> str:
    """A module with one right function for each contract of the specification."""
    from mcp_contracts.sources.load import load

    lines = ["import somewhere", "from mcp_contracts import ToolContext, ToolRegistry", "registry = ToolRegistry()", ""]
    for contract in load(SPEC):
        schema: Any = contract.input_schema
        parameters = ["context: ToolContext", "*"]
        for name, one in schema["properties"].items():
            kinds = one["type"] if isinstance(one["type"], list) else [one["type"]]
            annotation = " | ".join(TYPES.get(kind, "None") for kind in kinds)
            is_required = name in schema.get("required", ())
            default = one.get("default")
            if is_required or default is not None:
                parameters.append(f"{name}: {annotation}" + ("" if is_required else f" = {default!r}"))
            else:
                parameters.append(f"{name}: {annotation} | None = None")
        lines += [
            f'@registry.implement("{contract.name}")',
            f"async def {contract.name.rpartition('.')[2]}({', '.join(parameters)}) -> dict:",
            "    return await somewhere.ask()",
            "",
        ]
    return "\n".join(lines)


def damage(old: str, new: str) -> None:
    path = Path("src/weather/tools.py")
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def process(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("name", ["weather", "weather.tools", "src/weather", "src/weather/tools.py"])
def test_a_package_that_keeps_to_its_specification_passes(name: str, capsys: Captured) -> None:
    code = run(["lint", "specs", "--implementation", name])

    assert (code, capsys.readouterr().out) == (0, "no problems in 1 file (3 tools)\n")


def test_a_fault_is_shown_with_the_line_of_the_function(capsys: Captured) -> None:
    damage(
        "async def get_forecast(context: ToolContext, *, ", "async def get_forecast(context: ToolContext, *, secret, "
    )

    code = run(["lint", "specs", "--implementation", "weather", "--color", "never"])

    out = capsys.readouterr().out
    assert code == EXIT_FINDINGS
    assert "src/weather/tools.py:6:50: error MC706 `get_forecast` requires `secret`" in out
    assert "async def get_forecast(context: ToolContext, *, secret" in out
    assert "specs/weather/MCP_TOOL_SPECIFICATION.md" in out


@pytest.mark.parametrize("name", ["json", "sarif", "github", "junit", "concise"])
def test_every_format_can_say_it(name: str, capsys: Captured) -> None:
    damage('@registry.implement("weather.get_forecast")', '@registry.implement("weather.get_forcast")')

    code = run(["lint", "specs", "--implementation", "weather", "--format", name])

    out = capsys.readouterr().out
    assert code == EXIT_FINDINGS
    assert "MC701" in out
    assert "MC702" in out
    assert "src/weather/tools.py" in out


def test_json_says_what_it_is_about(capsys: Captured) -> None:
    damage(
        "async def get_forecast(context: ToolContext, *, ", "async def get_forecast(context: ToolContext, *, secret, "
    )

    run(["lint", "specs", "--implementation", "weather", "--format", "json"])

    (one,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (one["code"], one["tool"], one["part"]) == ("MC706", "weather.get_forecast", "input")
    assert (one["path"], one["line"], one["column"]) == ("src/weather/tools.py", 6, 50)
    assert one["related"][0]["path"] == "specs/weather/MCP_TOOL_SPECIFICATION.md"


def test_several_modules_are_one_implementation(capsys: Captured) -> None:
    text = Path("src/weather/tools.py").read_text(encoding="utf-8").split("@registry")
    Path("src/weather/tools.py").write_text("@registry".join(text[:2]), encoding="utf-8")
    Path("more.py").write_text("@registry".join(text[:1] + text[2:]), encoding="utf-8")

    code = run(["lint", "specs", "--implementation", "weather", "--implementation", "more"])

    assert code == 0
    assert "no problems" in capsys.readouterr().out


def test_a_module_that_is_not_there_is_a_mistake_in_the_options(capsys: Captured) -> None:
    code = run(["lint", "specs", "--implementation", "wether"])

    err = capsys.readouterr().err
    assert code == EXIT_USAGE
    assert "there is no module `wether` here or in `src/`" in err
    assert "did you mean `weather`?" in err


def test_broken_syntax_is_a_diagnostic(capsys: Captured) -> None:
    damage("registry = ToolRegistry()", "registry = ToolRegistry(")

    code = run(["lint", "specs", "--implementation", "weather", "--format", "concise"])

    out = capsys.readouterr().out
    assert code == EXIT_FINDINGS
    assert "src/weather/tools.py:3:24: error MC713 the module cannot be read" in out
    assert "MC701" not in out


def test_rules_are_chosen_and_weighed_like_others(capsys: Captured) -> None:
    damage(
        "async def get_forecast(context: ToolContext, *, ", "async def get_forecast(context: ToolContext, *, secret, "
    )

    ignored = run(["lint", "specs", "--implementation", "weather", "--ignore", "MC7"])
    lowered = run(["lint", "specs", "--implementation", "weather", "--severity", "MC706=note"])

    assert (ignored, lowered) == (0, 0)


def test_the_family_alone_without_an_implementation_says_nothing_false(capsys: Captured) -> None:
    code = run(["lint", "specs", "--select", "MC7"])

    assert code == 0
    assert "no problems" in capsys.readouterr().out


def test_a_configuration_silences_it_with_a_reason(capsys: Captured) -> None:
    damage(
        "async def get_forecast(context: ToolContext, *, ", "async def get_forecast(context: ToolContext, *, secret, "
    )
    configuration = "suppressions:\n  - code: MC706\n    path: src/weather/\n    reason: filled in by a decorator\n"
    Path("mcp-contracts.yaml").write_text(f"paths: [specs]\n{configuration}", encoding="utf-8")

    code = run(["lint", "--implementation", "weather", "--show-suppressed"])
    without = run(["lint"])

    out = capsys.readouterr().out
    assert (code, without) == (0, 0)
    assert "filled in by a decorator" in out
    assert "MC011" not in out


def test_nothing_of_the_package_is_run() -> None:
    damage("import somewhere", "raise SystemExit('it ran')")

    done = process("-m", "mcp_contracts", "lint", "specs", "--implementation", "weather")

    assert (done.returncode, done.stderr) == (0, b"")


def test_without_an_implementation_griffe_is_not_imported() -> None:
    code = (
        "import sys; from mcp_contracts.cli.app import run; run(['lint', 'specs']);"
        "print([name for name in ('griffe', 'mcp_contracts.implementation', 'mcp_contracts.rules.annotated_values')"
        " if name in sys.modules])"
    )

    done = process("-c", code)

    assert done.stdout.decode().splitlines()[-1] == "[]"
