"""Several processes check many files, and the report is the same as from one process."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from benchmarks.corpus import write_corpus
from mcp_contracts.checks import many
from mcp_contracts.cli.app import run
from mcp_contracts.rules.base import RuleOptions
from mcp_contracts.sources.documents import read_source
from tests.sweeps import size, sweep
from tests.test_safe_output import TOKEN


def report(arguments: list[str], capfdbinary: pytest.CaptureFixture[bytes]) -> object:
    run(["lint", *arguments, "--format", "json"])
    return json.loads(capfdbinary.readouterr().out)


def text(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> str:
    run(["lint", str(folder), "--no-cache"])
    return capfdbinary.readouterr().out.decode()


def test_processes_and_one_process_write_the_same_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    write_corpus(tmp_path, 10, seed=3)
    twin = tmp_path / "twin" / "MCP_TOOL_SPECIFICATION.md"
    twin.parent.mkdir()
    twin.write_bytes(next(tmp_path.rglob("MCP_TOOL_SPECIFICATION.md")).read_bytes())
    (tmp_path / "mcp-contracts.yaml").write_text("limits: {max_file_size: 30000}\n", encoding="utf-8")

    with twin.open("a", encoding="utf-8") as file:
        file.write(f"\nCall it with {TOKEN}.\n")

    monkeypatch.setattr(many, "MANY", 1)
    monkeypatch.setattr(many, "FIRST", 2)
    by_processes, remembered = (report([str(tmp_path)], capfdbinary) for _ in range(2))
    shown_by_processes = text(tmp_path, capfdbinary)
    monkeypatch.setattr(many, "MANY", 10_000)
    by_one = report([str(tmp_path)], capfdbinary)

    assert by_processes == remembered == by_one
    assert shown_by_processes == text(tmp_path, capfdbinary)  # of the parent's texts, only lines that are shown
    assert TOKEN not in shown_by_processes
    assert f"Call it with {TOKEN[:4]}" in shown_by_processes
    assert isinstance(by_one, dict)
    codes = {diagnostic["code"] for diagnostic in by_one["diagnostics"]}
    assert "MC104" in codes  # found across files, only by the parent


@pytest.mark.parametrize("can_fork", [True, False])
def test_any_number_of_processes_writes_the_same_bytes(
    can_fork: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    write_corpus(tmp_path, 16, seed=3)
    monkeypatch.setattr(many, "_CAN_FORK", can_fork)
    monkeypatch.setattr(many, "MANY", 12)  # so that one process keeps no details either

    run(["lint", str(tmp_path), "--no-cache", "--jobs", "1"])
    by_one = capfdbinary.readouterr().out
    run(["lint", str(tmp_path), "--no-cache", "-j", "3"])
    by_processes = capfdbinary.readouterr().out

    assert by_one == by_processes
    assert b"in 16 files" in by_one


def test_processes_are_as_many_as_are_asked_for_and_have_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    monkeypatch.setattr(many, "_CAN_FORK", True)

    counts = [many._processes(files, jobs) for files, jobs in ((49, None), (50, None), (30, 8), (500, 1), (0, 4))]

    assert counts == [1, 3, 2, 1, 0]


@sweep
def test_a_file_of_many_tools_takes_time_in_proportion(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    tools = size(10_000, 5)
    text = "\n".join(f"## Tool: `a.t{number}`" for number in range(tools))
    (tmp_path / "MCP_TOOL_SPECIFICATION.md").write_text(text, encoding="utf-8")

    found = report([str(tmp_path)], capfdbinary)  # it took minutes when each finding searched all tools for its own

    assert isinstance(found, dict)
    assert found["summary"]["tools"] == tools


@pytest.mark.parametrize("processes", [False, True])
def test_past_the_work_of_a_run_one_diagnostic_represents_the_files_that_are_left(
    processes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    write_corpus(tmp_path, 12, seed=3)
    monkeypatch.setattr(many, "MANY", 1 if processes else 10_000)
    monkeypatch.setattr(many, "FIRST", 1)
    monkeypatch.setattr(many, "RUN_STEPS", 100)
    monkeypatch.setattr(many, "STEPS_PER_FILE", 10)

    code = run(["lint", str(tmp_path), "--format", "json"])

    found = json.loads(capfdbinary.readouterr().out)
    told = [one for one in found["diagnostics"] if "not checked" in one["message"]]
    assert code == 1
    assert [one["code"] for one in told] == ["MC001"]
    assert told[0]["severity"] == "error"
    assert "used up the work limit of the run" in told[0]["message"]
    assert found["summary"]["files"] < 12


@pytest.mark.skipif(not many._CAN_FORK, reason="processes are not copied here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_process_that_is_to_end_as_it_begins_does_end() -> None:
    with many._hold_signals():
        process = os.fork()
        if process == 0:
            signal.signal(signal.SIGTERM, lambda number, frame: None)  # as if the parent did nothing
            os.kill(os.getpid(), signal.SIGTERM)
            many._start_worker()
            os._exit(0)

    assert os.WTERMSIG(os.waitpid(process, 0)[1]) == signal.SIGTERM


def test_a_hundred_ordinary_files_are_all_checked(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_corpus(tmp_path, 100, seed=5)

    found = report([str(tmp_path)], capfdbinary)

    assert isinstance(found, dict)
    assert found["summary"]["files"] == 100


def test_the_work_of_hostile_files_is_counted_though_they_are_small(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {f"p{index}": {"minimum": index} for index in range(2_000)}}
    (tmp_path / "tools.json").write_text(json.dumps([{"name": "a", "inputSchema": schema}]), encoding="utf-8")

    file = read_source(str(tmp_path / "tools.json"), (tmp_path / "tools.json").read_text(encoding="utf-8"))

    assert many._check(file, RuleOptions()).steps > 40_000
