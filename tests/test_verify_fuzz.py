"""`verify --fuzz`: the planted faults of a server are found, shrunk and replayed; an honest server has none."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.checks.verification.fuzzing import sampled_calls
from mcp_contracts.checks.verification.plan import is_accepted
from mcp_contracts.cli.app import run
from mcp_contracts.sources.load import load

SCRIPT = Path(__file__).with_name("faulty_server.py")
Captured = pytest.CaptureFixture[str]


def server(kind: str) -> str:
    return "stdio:" + shlex.join([sys.executable, str(SCRIPT), kind])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the contracts of the server."""
    code = f"import sys; sys.argv = ['x', 'honest']; sys.path.insert(0, {str(SCRIPT.parent)!r})\n"
    code += "import json, faulty_server as server; print(json.dumps([server.INPUT, server.OUTPUT, server.NAMES]))"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    inputs, outputs, names = json.loads(printed)
    tools = [
        {
            "name": f"planted.{name}",
            "effects": {"change": "read-only", "world": None},
            "input_schema": inputs,
            "output_schema": outputs,
            "errors": [{"type": "Busy", "when": "It is busy."}],
        }
        for name in names
    ]
    (tmp_path / "tools.json").write_text(json.dumps({"format": "mcp-contracts/bundle", "version": 1, "tools": tools}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def verified(kind: str, *options: str) -> int:
    return run(["verify", "tools.json", server(kind), "-f", "json", "--severity", "MC807=off", *options])


def codes(captured: str) -> dict[str, str]:
    return {one["tool"]: one["code"] for one in json.loads(captured)["diagnostics"]}


PLANTED = {
    "planted.accepts": "MC813",
    "planted.refuses": "MC814",
    "planted.returns": "MC816",
    "planted.fails": "MC815",
    "planted.crashes": "MC817",
}


def test_an_honest_server_has_no_finding(capsys: Captured) -> None:
    assert verified("honest", "--fuzz", "40") == 0
    assert json.loads(capsys.readouterr().out)["diagnostics"] == []
    assert not Path("verify_cases.json").exists()


def test_the_planted_faults_are_found_shrunk_and_replayed(capsys: Captured) -> None:
    assert verified("faulty", "--fuzz", "60") == 1
    first = capsys.readouterr()
    assert codes(first.out) == PLANTED
    assert "commit it, so that `verify` repeats the calls" in first.err

    cases = {case["tool"]: case["arguments"] for case in json.loads(Path("verify_cases.json").read_text())["cases"]}
    assert cases["planted.refuses"].keys() == {"number"}
    assert cases["planted.crashes"] == {"number": 14}
    assert len(cases["planted.returns"]["flags"]) == 2
    assert len(cases["planted.fails"]["text"]) == 5

    assert verified("faulty") == 1
    assert codes(capsys.readouterr().out) == PLANTED
    assert verified("honest") == 0


def test_the_same_seed_gives_the_same_calls_of_both_kinds() -> None:
    contract = load("tools.json")[0]

    calls = [list(islice(sampled_calls(contract, contract, seed), 80)) for seed in (1, 1, 2)]

    assert calls[0] == calls[1] != calls[2]
    assert {call.is_valid for call in calls[0]} == {True, False}
    assert all(is_accepted(contract, call.arguments) is call.is_valid for call in calls[0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not valid JSON"),
        ("[]", "is not a file of `verify` cases"),
        ('{"format": "mcp-contracts/verify-cases", "version": 1, "cases": [{"tool": 1}]}', "case 1 of"),
    ],
)
def test_a_file_of_cases_that_cannot_be_read_says_why(text: Any, message: str, capsys: Captured) -> None:
    Path("cases.json").write_text(text)

    assert verified("honest", "--cases", "cases.json") == 2
    assert message in capsys.readouterr().err


def test_whole_numbers_are_sent_without_a_fraction(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 1000}}, "required": ["n"]}
    (tmp_path / "n.json").write_text(json.dumps([{"name": "n", "inputSchema": schema}]))
    [contract] = load(tmp_path / "n.json")

    calls = list(islice(sampled_calls(contract, contract, 1), 60))

    sent = [call.arguments["n"] for call in calls if call.is_valid]  # type: ignore[index, call-overload]
    assert 500 in sent
    assert {type(number) for number in sent} == {int}


def test_a_missing_file_of_cases_and_calls_without_calls_are_wrong_options(capsys: Captured) -> None:
    assert verified("honest", "--cases", "nowhere.json") == 2
    assert "nowhere.json" in capsys.readouterr().err
    assert verified("honest", "--fuzz", "5", "--call", "none") == 2
    assert "`--fuzz` cannot be combined with `--call none`" in capsys.readouterr().err
