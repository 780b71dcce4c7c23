"""`mcp-contracts lock`: the tools of servers in a committed file, and what has changed since."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.cli.app import run
from mcp_contracts.sources.load import load
from tests.hostile_http import hostile_http

SCRIPT = Path(__file__).parent / "hostile_servers.py"
Captured = pytest.CaptureFixture[str]


def source(kind: str, *words: str) -> str:
    return "stdio:" + shlex.join([sys.executable, str(SCRIPT), kind, *words])


def entry(kind: str, *words: str, **members: Any) -> dict[str, Any]:
    return {"command": sys.executable, "args": [str(SCRIPT), kind, *words], **members}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_config(servers: dict[str, Any], *, key: str = "mcpServers") -> None:
    Path(".mcp.json").write_text(json.dumps({key: servers}))


# Writing


def test_a_lock_is_a_bundle_with_digests_and_the_same_bytes_each_time(capsys: Captured) -> None:
    assert run(["lock", source("honest", "7.1")]) == 0
    first = Path("tools.lock.json").read_bytes()
    assert run(["lock", source("honest", "7.1")]) == 0

    assert Path("tools.lock.json").read_bytes() == first
    document = json.loads(first)
    assert [(one["name"], one["version"], one["tools"]) for one in document["servers"]] == [("hostile", "7.1", 1)]
    assert all(one["digest"].startswith("sha256:") for one in (*document["servers"], *document["tools"]))
    assert [tool.name for tool in load("tools.lock.json")] == ["plain"]
    assert "locked 1 tool of 1 server; commit `tools.lock.json`" in capsys.readouterr().err


def test_a_server_that_cannot_be_had_leaves_the_lock_as_it_was(capsys: Captured) -> None:
    run(["lock", source("honest")])
    before = Path("tools.lock.json").read_bytes()

    assert run(["lock", source("dying")]) == 3

    assert Path("tools.lock.json").read_bytes() == before
    assert "nothing was written to `tools.lock.json`" in capsys.readouterr().err


def test_a_list_of_which_nothing_can_be_read_is_not_locked(capsys: Captured) -> None:
    assert run(["lock", source("not-finite")]) == 3

    assert not Path("tools.lock.json").exists()
    assert "the tools of the server `hostile` cannot be read: invalid JSON: `Infinity`" in capsys.readouterr().err


def test_two_servers_of_one_name_need_a_configuration(capsys: Captured) -> None:
    assert run(["lock", source("honest"), source("limited", "3")]) == 2
    assert "two servers are named `hostile`" in capsys.readouterr().err


# Checking


def test_a_lock_is_checked_against_the_servers_that_it_names(capsys: Captured) -> None:
    run(["lock", source("honest", "7.1")])
    capsys.readouterr()

    assert run(["lock", "--check"]) == 2
    said = capsys.readouterr().err
    assert "`tools.lock.json` starts or contacts:\n  hostile: stdio:" in said
    assert "nothing was started" in said
    assert run(["lock", "--check", "--yes"]) == 0


def test_a_lock_that_hides_how_its_server_is_started_is_not_enough(capsys: Captured) -> None:
    write_config({"mine": entry("honest", "--token=${TOKEN:-x}")})
    assert run(["lock", "--config", ".mcp.json", "--yes"]) == 0
    capsys.readouterr()

    assert run(["lock", "--check", "--yes"]) == 2
    assert "does not say how to start `mine`" in capsys.readouterr().err


def test_nothing_drifted_exits_with_zero() -> None:
    run(["lock", source("limited", "10")])

    assert run(["lock", source("limited", "10"), "--check"]) == 0


def test_a_break_is_shown_with_the_call_that_fails_now(capsys: Captured) -> None:
    run(["lock", source("limited", "10")])

    assert run(["lock", source("limited", "5"), "--check", "--breaking-only", "--format", "json"]) == 1

    report = json.loads(capsys.readouterr().out)
    assert report["format"] == "mcp-contracts/diff"
    [change] = report["tools"][0]["changes"]
    assert change["verdict"] == "breaking"
    assert change["witness"]["value"]["limit"] > 5


def test_compatible_drift_makes_the_lock_stale_unless_only_breaks_count(capsys: Captured) -> None:
    run(["lock", source("limited", "10")])

    assert run(["lock", source("limited", "20"), "--check"]) == 1
    assert "error: `tools.lock.json` is out of date" in capsys.readouterr().err
    assert run(["lock", source("limited", "20"), "--check", "--breaking-only"]) == 0
    assert "note: `tools.lock.json` is out of date" in capsys.readouterr().err


def test_another_version_of_the_server_makes_the_lock_stale(capsys: Captured) -> None:
    run(["lock", source("honest", "1")])

    assert run(["lock", source("honest", "2"), "--check"]) == 1
    assert "`hostile` reports version 2, but version 1 is locked" in capsys.readouterr().err


def test_a_server_that_is_gone_from_the_run_makes_the_lock_stale(capsys: Captured) -> None:
    write_config({"a": entry("honest"), "b": entry("limited", "3")})
    run(["lock", "--config", ".mcp.json", "--yes"])
    write_config({"a": entry("honest")})

    assert run(["lock", "--config", ".mcp.json", "--yes", "--check", "--breaking-only"]) == 1
    assert "`b` is in the lock file, but not among the servers of this run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("Returns nothing.", "Returns all."), "the file was changed by hand"),
        (lambda text: "{}", "the file contains no list of tools"),
        (lambda text: '{"tools": []}', "is not a lock file"),
        (lambda text: "nonsense", "line 1"),
    ],
)
def test_a_lock_that_was_changed_by_hand_is_refused(change: Any, message: str, capsys: Captured) -> None:
    run(["lock", source("honest")])
    lock = Path("tools.lock.json")
    lock.write_text(change(lock.read_text()))

    assert run(["lock", source("honest"), "--check"]) == 2
    assert message in capsys.readouterr().err


def test_a_missing_lock_says_how_to_write_it(capsys: Captured) -> None:
    assert run(["lock", source("honest"), "--check"]) == 2
    assert "the same command without `--check`" in capsys.readouterr().err


# Configurations of clients


@pytest.mark.parametrize("key", ["mcpServers", "servers"])
def test_the_servers_of_a_configuration_are_locked_under_its_names(key: str, capsys: Captured) -> None:
    write_config(
        {"b": entry("honest"), "a": entry("limited", "3"), "off": {**entry("dying"), "disabled": True}}, key=key
    )

    assert run(["lock", "--config", ".mcp.json", "--yes"]) == 0

    document = json.loads(Path("tools.lock.json").read_text())
    assert [(one["name"], one["tools"]) for one in document["servers"]] == [("a", 1), ("b", 1)]
    assert [tool["module"] for tool in document["tools"]] == ["a", "b"]
    assert run(["lock", "--config", ".mcp.json", "--yes", "--check"]) == 0


def test_a_configuration_may_have_comments_and_trailing_commas(capsys: Captured) -> None:
    write_config({"a": entry("honest", "// [1,]")})
    text = Path(".mcp.json").read_text().replace("}}}", "}, // the last one, ]\n}, /* that is all */}")
    Path(".mcp.json").write_text(text)

    assert run(["lock", "--config", ".mcp.json", "--yes"]) == 0
    assert [one["version"] for one in json.loads(Path("tools.lock.json").read_text())["servers"]] == ["// [1,]"]


def test_what_a_configuration_starts_is_shown_and_not_started_unasked(folder: Path, capsys: Captured) -> None:
    write_config({"a": entry("stubborn", str(folder / "process"), env={"MY_KEY": "very-secret"})})

    assert run(["lock", "--config", ".mcp.json"]) == 2

    told = capsys.readouterr().err
    assert "hostile_servers.py stubborn" in told
    assert "(environment: MY_KEY)" in told
    assert "review the commands, and add `--yes`" in told
    assert "very-secret" not in told
    assert not (folder / "process").exists()


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="this system has no pseudo-terminals")
@pytest.mark.parametrize(
    ("typed", "code", "end"),
    [
        ("y\n", 0, "[y/N]: locked 1 tool of 1 server; commit `tools.lock.json`\n"),
        ("\n", 1, "[y/N]: nothing was started\n"),
        ("maybe\n", 1, "[y/N]: nothing was started\n"),
        ("\x04", 1, "[y/N]: \nnothing was started\n"),
    ],
)
def test_a_person_at_a_terminal_is_asked(
    typed: str, code: int, end: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    write_config({"one": entry("honest")})
    person, terminal = os.openpty()
    os.write(person, typed.encode())
    with os.fdopen(person), os.fdopen(terminal, encoding="utf-8") as keyboard:
        monkeypatch.setattr(sys, "stdin", keyboard)

        assert run(["lock", "--config", ".mcp.json"]) == code

    printed, told = capsys.readouterr()
    assert printed == ""
    assert "  one: stdio:" in told
    assert told.endswith(f"start them? {end}")
    assert Path("tools.lock.json").exists() is (code == 0)


def test_variables_are_resolved_and_passed_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REAL_KEY", "twelve chars")
    monkeypatch.setenv("UNRELATED", "of this process only")
    write_config({"a": entry("named", env={"SECRET_KEY": "${REAL_KEY}${NOWHERE:-!}"})})

    assert run(["lock", "--config", ".mcp.json", "--yes"]) == 0

    text = Path("tools.lock.json").read_text()
    assert "Knows 13 characters." in text
    assert "twelve chars" not in text


def test_the_source_of_a_locked_server_is_the_same_on_every_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERE", str(SCRIPT.parent))
    write_config({"a": {"command": sys.executable, "args": ["${HERE}/hostile_servers.py", "honest"]}})

    assert run(["lock", "--config", ".mcp.json", "--yes"]) == 0

    [server] = json.loads(Path("tools.lock.json").read_text())["servers"]
    assert server["source"].endswith(" ${HERE}/hostile_servers.py honest")


def test_a_value_that_a_server_prints_is_hidden(capsys: Captured) -> None:
    write_config({"a": entry("secretive", env={"SECRET_KEY": "very-secret"})})

    assert run(["lock", "--config", ".mcp.json", "--yes"]) == 3

    told = "".join(capsys.readouterr())
    assert "cannot use ***" in told
    assert "very-secret" not in told


def test_an_address_with_headers_is_contacted_and_its_headers_are_not_shown(capsys: Captured) -> None:
    with hostile_http() as http:
        headers = {"Authorization": "Bearer right-token"}
        write_config({"a": {"type": "http", "url": f"{http.address}/guarded", "headers": headers}})

        assert run(["lock", "--config", ".mcp.json", "--yes"]) == 0

    told = "".join(capsys.readouterr()) + Path("tools.lock.json").read_text()
    assert "(headers: Authorization)" in told
    assert "right-token" not in told


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{,", "`.mcp.json` is not valid JSON at line 1"),
        ("[]", "contains no MCP servers"),
        ('{"mcpServers": {}}', "has no enabled server"),
        ('{"mcpServers": {"a": 1}}', "the server `a` of `.mcp.json` is not an object"),
        ('{"mcpServers": {"a": {}}}', "has no `command`"),
        ('{"mcpServers": {"a": {"command": "x", "args": [1]}}}', "is not an array of strings"),
        ('{"mcpServers": {"a": {"command": "x", "env": {"A": 1}}}}', "is not an object of strings"),
        ('{"mcpServers": {"a": {"command": "${NOWHERE_SET}"}}}', "needs the environment variable `NOWHERE_SET`"),
        ('{"mcpServers": {"a": {"command": "x", "env": {"A": "${input:key}"}}}}', "prompts the user for a value"),
        ('{"mcpServers": {"a": {"type": "sse", "url": "https://host/sse"}}}', "uses the transport `sse`"),
        ('{"mcpServers": {"a": {"url": "nowhere"}}}', "the URL of a server is invalid"),
    ],
)
def test_a_configuration_that_cannot_be_used_says_why(text: str, message: str, capsys: Captured) -> None:
    Path(".mcp.json").write_text(text)

    assert run(["lock", "--config", ".mcp.json", "--yes"]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no server is given"),
        (["specs/"], "`specs/` is not a live server"),
        (["--config", "nowhere.json"], "nowhere.json"),
        (["stdio:x", "--breaking-only"], "`--breaking-only` requires `--check`"),
    ],
)
def test_a_wrong_option_says_why(arguments: list[str], message: str, capsys: Captured) -> None:
    assert run(["lock", *arguments]) == 2
    assert message in capsys.readouterr().err
