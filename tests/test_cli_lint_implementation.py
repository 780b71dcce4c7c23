"""`lint --implementation` on the command line: a package compared with its specifications, and the report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mcp_contracts.cli.app import run
from mcp_contracts.cli.output import EXIT_FINDINGS, EXIT_USAGE
from tests.commands import fresh_process

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

TOOLS = """
import somewhere
from typing import Annotated, Literal, TypedDict

from mcp_contracts import NoChangeNeeded, ToolContext, ToolRegistry
from pydantic import Field

from .models import Units

ALERTS = "weather.get_alerts"
registry = ToolRegistry()


class Alerts(TypedDict):
    alerts: list[dict[str, object]]


@registry.implement("weather.get_forecast")
async def get_forecast(
    place: str, country: str | None = None, days: int = 3, units: Units = Units.METRIC, *, context: ToolContext
) -> dict[str, object]:
    return await somewhere.ask(place, country, days, units, seconds=context.remaining)


class Warnings:
    def __init__(self, service: somewhere.Service) -> None:
        self.service = service

    def alerts(
        self,
        where: Annotated[str | list[str], Field(alias="area")],
        minimum_severity: Literal["minor", "moderate", "severe", "extreme"] = "minor",
    ) -> Alerts | NoChangeNeeded:
        return self.service.alerts(where, minimum_severity)

    def register(self) -> None:
        registry.implement(ALERTS, channel="sms")(self.alerts)


def _register(registry: ToolRegistry) -> None:
    @registry.implement("weather.forecast")
    def forecast(city, days=3):
        return somewhere.ask(city, days)
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> Path:
    """A project as the working directory: a specification, and a package that follows it in several ways."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "specs" / "weather" / "MCP_TOOL_SPECIFICATION.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(SPEC.read_bytes())
    package = tmp_path / "src" / "weather"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "models.py").write_text(MODELS, encoding="utf-8")
    (package / "tools.py").write_text(TOOLS, encoding="utf-8")
    capsys.readouterr()
    return tmp_path


def damage(old: str, new: str) -> None:
    path = Path("src/weather/tools.py")
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize("name", ["weather", "weather.tools", "src/weather", "src/weather/tools.py"])
def test_a_package_that_keeps_to_its_specification_passes(name: str, capsys: Captured) -> None:
    code = run(["lint", "specs", "--implementation", name])

    assert (code, capsys.readouterr().out) == (0, "no problems in 1 file (3 tools); 1 suppressed\n")


def test_a_fault_is_shown_with_the_line_of_the_function(capsys: Captured) -> None:
    damage("    place: str,", "    secret, place: str,")

    code = run(["lint", "specs", "--implementation", "weather", "--color", "never"])

    out = capsys.readouterr().out
    assert code == EXIT_FINDINGS
    assert "src/weather/tools.py\n  20:5 error MC706 `get_forecast` requires `secret`" in out
    assert "    secret, place: str, country: str | None = None" in out
    assert "specs/weather/MCP_TOOL_SPECIFICATION.md" in out


@pytest.mark.parametrize("name", ["json", "sarif", "github", "junit", "concise"])
def test_every_format_can_say_it(name: str, capsys: Captured) -> None:
    damage('@registry.implement("weather.get_forecast")', '@registry.implement("storm.watch")')

    code = run(["lint", "specs", "--implementation", "weather", "--format", name])

    out = capsys.readouterr().out
    assert code == EXIT_FINDINGS
    assert "MC701" in out
    assert "MC702" in out
    assert "src/weather/tools.py" in out


def test_json_says_what_it_is_about(capsys: Captured) -> None:
    damage("    place: str,", "    secret, place: str,")

    run(["lint", "specs", "--implementation", "weather", "--format", "json"])

    diagnostics = json.loads(capsys.readouterr().out)["diagnostics"]
    (one,) = [one for one in diagnostics if one["suppressed"] is None]
    assert (one["code"], one["tool"], one["part"]) == ("MC706", "weather.get_forecast", "input")
    assert (one["path"], one["line"], one["column"]) == ("src/weather/tools.py", 20, 5)
    assert one["related"][0]["path"] == "specs/weather/MCP_TOOL_SPECIFICATION.md"


def test_several_modules_are_one_implementation(capsys: Captured) -> None:
    first, second = TOOLS.split("def _register")
    Path("src/weather/tools.py").write_text(first, encoding="utf-8")
    Path("more.py").write_text(f"def register{second}", encoding="utf-8")

    code = run(["lint", "specs", "--implementation", "weather", "--implementation", "more"])

    assert code == 0
    assert "no problems" in capsys.readouterr().out


def test_a_missing_module_is_a_mistake_in_the_options(capsys: Captured) -> None:
    code = run(["lint", "specs", "--implementation", "wether"])

    err = capsys.readouterr().err
    assert code == EXIT_USAGE
    assert "no module named `wether` here or in `src/`" in err
    assert "did you mean `weather`?" in err


def test_broken_syntax_is_a_diagnostic(capsys: Captured) -> None:
    damage("registry = ToolRegistry()", "registry = ToolRegistry(")

    code = run(["lint", "specs", "--implementation", "weather", "--format", "concise"])

    out = capsys.readouterr().out
    assert code == EXIT_FINDINGS
    assert "src/weather/tools.py:11:24: error MC713 the module cannot be read" in out
    assert "MC701" not in out


def test_rules_are_chosen_and_weighed_like_others(capsys: Captured) -> None:
    damage("    place: str,", "    secret, place: str,")

    ignored = run(["lint", "specs", "--implementation", "weather", "--ignore", "MC7"])
    lowered = run(["lint", "specs", "--implementation", "weather", "--severity", "MC706=note"])

    assert (ignored, lowered) == (0, 0)


def test_the_family_without_an_implementation_reports_nothing_false(capsys: Captured) -> None:
    code = run(["lint", "specs", "--select", "MC7"])

    assert code == 0
    assert "no problems" in capsys.readouterr().out


def test_a_configuration_silences_it_with_a_reason(capsys: Captured) -> None:
    damage("    place: str,", "    secret, place: str,")
    configuration = "suppressions:\n  - code: MC706\n    path: src/weather/\n    reason: filled in by a decorator\n"
    Path("mcp-contracts.yaml").write_text(f"paths: [specs]\n{configuration}", encoding="utf-8")

    code = run(["lint", "--implementation", "weather", "--show-suppressed"])
    without = run(["lint"])

    out = capsys.readouterr().out
    assert (code, without) == (0, 0)
    assert "filled in by a decorator" in out
    assert "MC011" not in out


def test_a_comment_silences_what_is_in_the_specification(capsys: Captured) -> None:
    damage('@registry.implement("weather.get_forecast")', "")
    spec = Path("specs/weather/MCP_TOOL_SPECIFICATION.md")
    text = spec.read_text(encoding="utf-8")
    comment = "<!-- mcp-contracts: ignore MC701 -- another team writes it -->"
    heading = "## Tool: `weather.get_forecast`"
    spec.write_text(text.replace(heading, f"{comment}\n{heading}", 1), encoding="utf-8")

    code = run(["lint", "specs", "--implementation", "weather"])

    assert (code, capsys.readouterr().out) == (0, "no problems in 1 file (3 tools); 2 suppressed\n")


def test_nothing_of_the_package_is_run() -> None:
    damage("import somewhere", "raise SystemExit('it ran')")

    done = fresh_process("lint", "specs", "--implementation", "weather")

    assert (done.returncode, done.stderr) == (0, b"")


def test_without_an_implementation_griffe_is_not_imported() -> None:
    code = (
        "import sys; from mcp_contracts.cli.app import run; run(['lint', 'specs']);"
        "print([name for name in ('griffe', 'mcp_contracts.implementation',"
        " 'mcp_contracts.rules.schemas.annotated_values') if name in sys.modules])"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False
    )

    assert done.stdout.decode().splitlines()[-1] == "[]"
