"""The rules about live servers (MC8), checked with their examples on real servers: a broken and an honest one."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.checks.catalog import EXAMPLES, read_example
from mcp_contracts.cli.app import run
from mcp_contracts.cli.output import EXIT_FINDINGS
from mcp_contracts.contract import Contracts, ErrorType
from mcp_contracts.diagnostics import RuleInfo, Severity
from mcp_contracts.records import replace
from mcp_contracts.rules.live.answers import undeclared_error
from mcp_contracts.rules.live.observed import Answer, LiveTool, ObservedCall, match
from mcp_contracts.rules.registry import LIVE_RULES
from mcp_contracts.sources.load import load

SCRIPTED = Path(__file__).with_name("scripted_server.py")
HOSTILE = Path(__file__).with_name("hostile_servers.py")
RULES = pytest.mark.parametrize("info", [rule.info for rule in LIVE_RULES], ids=lambda info: info.code)


def server(script: Path) -> str:
    return "stdio:" + shlex.join([sys.executable, str(SCRIPTED), str(script)])


def found(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, Any]]]:
    """Verify an example against its running server; return the exit code and the diagnostics."""
    code = run(["verify", str(folder / "tools.json"), server(folder / "server.json"), "--isolated", "-f", "json"])
    return code, json.loads(capsys.readouterr().out)["diagnostics"]


def said(diagnostic: dict[str, Any]) -> Iterator[str]:
    file = "server" if diagnostic["path"].startswith("stdio:") else Path(diagnostic["path"]).name
    yield "{}:{line}:{column} {severity} {code} {message}".format(file, **diagnostic)
    yield f"  help: {diagnostic['hint']}"


@RULES
def test_a_broken_server_triggers_exactly_what_is_expected(info: RuleInfo, capsys: pytest.CaptureFixture[str]) -> None:
    code, diagnostics = found(EXAMPLES / info.code / "bad", capsys)

    lines = [line for diagnostic in diagnostics for line in said(diagnostic)]
    listed = "\n".join(lines) or "none"
    assert lines == read_example(info.code).expected.splitlines(), f"the diagnostics that were found:\n{listed}"
    assert all(f" {info.severity} {info.code} " in line for line in lines[::2])
    assert code == (EXIT_FINDINGS if info.severity is Severity.ERROR else 0)


@RULES
def test_an_honest_server_triggers_no_rule_at_all(info: RuleInfo, capsys: pytest.CaptureFixture[str]) -> None:
    assert found(EXAMPLES / info.code / "good", capsys) == (0, [])


@RULES
def test_a_lint_runs_no_rule_about_servers(info: RuleInfo, capsys: pytest.CaptureFixture[str]) -> None:
    run(["lint", str(EXAMPLES / info.code / "bad" / "tools.json"), "--isolated", "--select", "MC8"])

    assert "MC8" not in capsys.readouterr().out


# Which tool corresponds to which contract


def contracts_named(path: Path, *names: str) -> Contracts:
    path.write_text(json.dumps({"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in names]}))
    return load(path)


@pytest.mark.parametrize(
    ("contract", "listed"),
    [
        ("weather.get_forecast", "weather.get_forecast"),
        ("weather.get_forecast", "get_forecast"),
        ("weather.get_forecast", "weather_get_forecast"),
        ("weather.get_forecast", "get-forecast"),
        ("weather.get_forecast", "Weather-Get-Forecast"),
    ],
)
def test_a_server_may_name_a_tool_in_its_own_way(tmp_path: Path, contract: str, listed: str) -> None:
    matches = match(contracts_named(tmp_path / "a.json", contract), contracts_named(tmp_path / "b.json", listed))

    assert [(one.name, other.name) for one, other in matches.pairs] == [(contract, listed)]
    assert (matches.missing, matches.extra) == ((), ())


def test_an_exact_name_is_preferred_and_no_tool_represents_two_contracts(tmp_path: Path) -> None:
    contracts = contracts_named(tmp_path / "a.json", "a.get", "b.get", "get")
    listed = contracts_named(tmp_path / "b.json", "get", "b_get", "other")

    matches = match(contracts, listed)

    assert [(one.name, other.name) for one, other in matches.pairs] == [("b.get", "b_get"), ("get", "get")]
    assert [one.name for one in matches.missing] == ["a.get"]
    assert [one.name for one in matches.extra] == ["other"]


# The command


def example(code: str, side: str = "bad") -> list[str]:
    folder = EXAMPLES / code / side
    return ["verify", str(folder / "tools.json"), server(folder / "server.json"), "--isolated"]


def test_without_calls_only_what_is_listed_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*example("MC816"), "--call", "none"]) == 0
    assert run([*example("MC803"), "--call", "none"]) == 1


def test_a_tool_with_effects_is_called_only_if_all_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = EXAMPLES / "MC816" / "bad"
    bundle = json.loads((folder / "tools.json").read_text())
    del bundle["tools"][0]["effects"]
    (tmp_path / "tools.json").write_text(json.dumps(bundle))
    words = ["verify", str(tmp_path / "tools.json"), server(folder / "server.json"), "--isolated"]

    assert run(words) == 0
    assert "skipped 1 tool not documented as read-only or idempotent" in capsys.readouterr().err
    assert run([*words, "--call", "all"]) == 1
    assert "made 2 calls to 1 tool" in capsys.readouterr().err


def test_a_call_that_ends_the_server_costs_no_other_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = EXAMPLES / "MC802" / "good"
    script = json.loads((folder / "server.json").read_text())
    script["answers"]["get_forecast"] = None
    (tmp_path / "server.json").write_text(json.dumps(script))

    code = run(["verify", str(folder / "tools.json"), server(tmp_path / "server.json"), "--isolated", "-f", "json"])

    report = json.loads(capsys.readouterr().out)
    assert code == 1
    assert [(one["code"], one["tool"]) for one in report["diagnostics"]] == [("MC817", "weather.get_forecast")]


@pytest.mark.parametrize(
    ("kind", "codes"),
    [("not-finite", {"MC304": "error", "MC801": "error"}), ("odd-entries", {"MC008": "error", "MC104": "error"})],
)
def test_unreadable_parts_of_a_list_are_reported(
    kind: str, codes: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contracts_named(tmp_path / "tools.json", "plain")
    words = ["verify", str(tmp_path / "tools.json"), "stdio:" + shlex.join([sys.executable, str(HOSTILE), kind])]

    code = run([*words, "--isolated", "--ignore", "MC809", "-f", "json"])

    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert ({one["code"]: one["severity"] for one in found}, code) == (codes, 1)


@pytest.mark.parametrize(
    ("message", "undeclared"),
    [
        ("DiskFull: no space is left", ["DiskFull"]),
        ("`KeyError`", ["KeyError"]),
        ("GitHub: too many requests", []),
        ("NotFound: no such file", []),
        ("Usage: find WORDS", []),
        ("no space is left", []),
    ],
)
def test_the_type_of_an_error_is_what_its_text_begins_with(message: str, undeclared: list[str]) -> None:
    [listed] = load(EXAMPLES / "MC815" / "bad" / "tools.json")
    contract = replace(listed, description="Finds files on GitHub.", errors=(ErrorType("NotFound", "", listed.place),))
    call = ObservedCall({}, Answer("failure", message), "example", is_valid=True)

    found = undeclared_error.check(LiveTool(contract, contract, calls=(call,)))

    assert [one.message.split("`")[1] for one in found] == undeclared


def test_rules_are_chosen_and_weighed_as_in_a_lint(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*example("MC816"), "--ignore", "MC816"]) == 0
    assert run([*example("MC816"), "--severity", "MC816=note"]) == 0
    assert run([*example("MC809"), "--max-warnings", "0"]) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["specs/"], 2, "`specs/` is not a live server"),
        (["nowhere", "stdio:x"], 2, "nowhere"),
        ([".", "stdio:no-such-command"], 3, "nothing to verify"),
    ],
)
def test_what_cannot_work_says_why(
    arguments: list[str],
    code: int,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)

    assert run(["verify", *arguments]) == code
    assert message in capsys.readouterr().err
