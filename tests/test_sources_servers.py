"""Live servers as sources: read in both eras, rejected with one sentence in any case, and always ended."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_contracts.cli.app import run
from mcp_contracts.cli.servers import ServerOptions
from mcp_contracts.errors import ConfigurationError, SourceError, UsageError
from mcp_contracts.rules.base import RuleOptions
from mcp_contracts.rules.registry import LINT_RULES
from mcp_contracts.rules.running.engine import run_rules
from mcp_contracts.sources.load import load
from mcp_contracts.sources.servers.access import ServerAccess, header_of, server_of
from mcp_contracts.sources.table import source_of
from tests.commands import is_alive, process, process_in, programs
from tests.hostile_http import HostileServer, hostile_http

_TESTS = Path(__file__).parent
_SOON = ServerAccess(timeout=20)


def _command(script: str, *words: str) -> str:
    return "stdio:" + shlex.join([sys.executable, str(_TESTS / script), *words])


def _hostile(kind: str, *words: str) -> str:
    return _command("hostile_servers.py", kind, *words)


@pytest.fixture(scope="module")
def http() -> Iterator[HostileServer]:
    """Servers over HTTP."""
    with hostile_http() as server:
        yield server


# What is read


@pytest.mark.parametrize("era", [(), ("--legacy",)])
def test_all_pages_are_read_as_sent_in_both_eras(era: tuple[str, ...]) -> None:
    contracts = load(_command("remote_raw_server.py", "odd", *era), servers=_SOON)

    assert [tool.name for tool in contracts] == ["plain", "without_type", "null_schema", "bad_header"]
    assert contracts["without_type"].input_schema == {"properties": {"a": {"type": "integer"}}}
    assert [fault.message for fault in contracts.faults] == ["tool 5 has no `name`", "tool 6 is not an object"]


def test_a_server_over_http_is_read_with_its_name() -> None:
    with hostile_http() as server:
        contracts = load(f"{server.address}/honest", servers=_SOON)

    assert [(tool.module, tool.name) for tool in contracts] == [("stand", "plain")]


@pytest.mark.parametrize(("listed", "declared"), [(None, ["elicitation", "roots", "sampling"]), ("roots", ["roots"])])
def test_the_client_declares_the_capabilities_of_its_option(listed: str | None, declared: list[str]) -> None:
    contracts = load(_hostile("capable"), servers=ServerOptions(timeout=20, capabilities=listed).access(()))

    assert [tool.name for tool in contracts] == declared


def test_a_schema_that_is_nested_deeper_than_the_sdk_reads_is_a_diagnostic() -> None:
    [fault] = load(_hostile("nested"), servers=_SOON).faults

    assert fault.hint == "flatten it, or move parts into `$defs`"


def test_a_server_that_prints_a_banner_and_answers_in_batches_is_read() -> None:
    assert len(load(_hostile("banner"), servers=_SOON)) == 1


def test_an_invalid_notification_is_not_reported() -> None:
    ran = process("lint", _hostile("odd-progress"), "--isolated")

    assert (ran.returncode, ran.stderr) == (0, b"")


def test_of_too_many_tools_the_first_are_read_and_a_diagnostic_says_so() -> None:
    contracts = load(_hostile("many"), servers=_SOON)

    assert len(contracts) == 2_000
    rules = [rule for rule in LINT_RULES if rule.info.code == "MC002"]
    assert [one.code for one in run_rules(contracts, rules, RuleOptions())] == ["MC002"]
    assert "lists more than 2,000 tools" in contracts.faults[0].message


# What is refused


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("dying", "exited with code 3 before it responded to `initialize`"),
        ("killed", "was terminated by signal SIGKILL before it responded to `initialize`"),
        ("half", "exited with code 4 before it responded to `initialize`"),
        ("chatter", "wrote more than 1,000 lines that are not JSON-RPC to its standard output"),
        ("long-line", "wrote a line of more than 32,000,000 bytes to its standard output"),
        ("pages", "the tool list of the server"),
        ("cursor", "the tool list of the server"),
        ("nonsense", "responded to `initialize` with the error -32700: the response is not a valid JSON-RPC message"),
        ("no-array", "responded to `tools/list` without an array `tools`"),
        ("refusing", "responded to `tools/list` with the error -32603: the database is down"),
        ("no-tools", "offers no tools: it does not support `tools/list`"),
        ("not-text", "responded to `tools/list` with the error -32700"),
        ("digits", "responded to `tools/list` with the error -32700: the response is not a valid JSON-RPC message"),
        ("deep", "responded to `initialize` with the error -32700: the response is nested too deeply"),
        ("number", "lists more tools under a `nextCursor` that is not a string"),
    ],
)
def test_a_server_that_goes_wrong_is_one_sentence(kind: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        load(_hostile(kind), servers=_SOON)

    assert message in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("kind", ["silent", "notifications"])
def test_a_server_that_does_not_answer_ends_with_the_deadline(kind: str) -> None:
    with pytest.raises(SourceError, match=r"did not respond to `initialize` within 0\.5 s"):
        load(_hostile(kind), servers=ServerAccess(timeout=0.5))


_NO_REQUEST = "exited with code 0 before it responded to `initialize`: it sent"


@pytest.mark.parametrize(
    ("said", "message", "hint"),
    [
        ('"id": 99, "result": {}', f"{_NO_REQUEST} a response with the id 99, which matches no request", None),
        ('"id": "one", "result": {}', f'{_NO_REQUEST} a response with the id "one", which matches no request', None),
        (
            '"id": null, "error": {"code": -32700, "message": "Parse error"}',
            f"{_NO_REQUEST} an error with the id null, which matches no request: Parse error",
            None,
        ),
        ('"result": {}', "exited with code 0 before it responded to `initialize`", "where only JSON-RPC is allowed"),
    ],
)
def test_an_answer_with_the_id_of_no_request_is_named(said: str, message: str, hint: str | None) -> None:
    with pytest.raises(SourceError) as caught:
        load(_hostile("says", f'{{"jsonrpc": "2.0", {said}}}'), servers=_SOON)

    assert message in caught.value.message
    assert (hint or "") in str(caught.value.hint)


def test_the_most_telling_line_of_standard_error_is_shown() -> None:
    with pytest.raises(SourceError) as caught:
        load(_hostile("dying"), servers=_SOON)

    assert caught.value.hint == "its standard error says: ModuleNotFoundError: No module named 'nothing'"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("guarded", "responded to `initialize` with HTTP status 401 (Unauthorized)"),
        ("down", "responded to `initialize` with HTTP status 500 (Internal Server Error)"),
        ("page", "responded to `initialize` with `text/html`, not with JSON"),
        ("elsewhere", "responded to `initialize` with HTTP status 308 (Permanent Redirect)"),
        ("big", "sent more than 32,000,000 bytes"),
        ("bomb", "compressed its response, although the client accepts no compression"),
        ("nowhere", "responded to `initialize` with HTTP status 404 (Not Found)"),
        ("words", "responded to `initialize` with something that is not JSON-RPC"),
        ("events", "responded to `initialize` with something that is not JSON-RPC"),
        ("busy", "responded to `initialize` with HTTP status 429 (Too Many Requests)"),
        ("broken-off", "closed the connection before it responded to `initialize`: peer closed connection"),
    ],
)
def test_an_address_that_goes_wrong_is_one_sentence(http: HostileServer, path: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        load(f"{http.address}/{path}", servers=_SOON)

    assert message in caught.value.message


def test_an_address_that_does_not_answer_ends_with_the_deadline(http: HostileServer) -> None:
    with pytest.raises(SourceError, match=r"did not respond to `initialize` within 0\.3 s"):
        load(f"{http.address}/slow", servers=ServerAccess(timeout=0.3))


def test_an_answer_of_an_address_with_the_id_of_no_request_is_named(http: HostileServer) -> None:
    with pytest.raises(SourceError) as caught:
        load(f"{http.address}/initialize", servers=ServerAccess(timeout=0.4))

    assert "0.4 s: it sent a response with the id 99, which matches no request" in caught.value.message


def test_an_unused_address_gives_one_sentence() -> None:
    with pytest.raises(SourceError, match="cannot be reached"):
        load("http://127.0.0.1:1/mcp", servers=_SOON)


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("stdio:", "has no command"),
        ("stdio:'python", "an unclosed quote"),
        ("http://", "the URL of a server is invalid"),
        ("https://host:port/mcp", "the URL of a server is invalid"),
        ("http://a b/mcp", "the URL of a server is invalid"),
    ],
)
def test_a_server_that_cannot_be_named_so_is_a_wrong_option(named: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load(named)


def test_a_command_that_does_not_exist_is_one_sentence() -> None:
    with pytest.raises(SourceError, match="the command `no-such-command` was not found"):
        load("stdio:no-such-command")


@pytest.mark.parametrize("named", ["stdio:python server.py", "https://host/mcp"])
def test_a_configuration_starts_and_contacts_nothing(named: str) -> None:
    with pytest.raises(ConfigurationError, match="`paths` in the configuration names the live server"):
        source_of(named).in_project(named, Path())


# Secrets


@pytest.mark.parametrize("command", [["lint", "--isolated"], ["import", "--into", "specs"]])
def test_a_token_reaches_the_server_and_no_output(
    command: list[str],
    http: HostileServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MY_TOKEN", "right-token")

    code = run([*command, f"{http.address}/guarded", "--token-env", "MY_TOKEN"])

    assert code == 0
    assert http.headers[-1]["authorization"] == "Bearer right-token"
    assert "right-token" not in "".join(capsys.readouterr())


def test_a_header_reaches_the_server(http: HostileServer) -> None:
    assert len(load(f"{http.address}/guarded", servers=ServerAccess(dict((header_of("X-Key: right-key"),))))) == 1


def test_a_token_that_the_server_sends_back_is_hidden(http: HostileServer) -> None:
    access = ServerAccess({"Authorization": "Bearer very-secret"})

    with pytest.raises(SourceError) as caught:
        load(f"{http.address}/echo", servers=access)

    assert "no access with ***" in caught.value.message
    assert "very-secret" not in f"{caught.value.message} {caught.value.hint} {access!r}"


@pytest.mark.parametrize(
    ("named", "shown"),
    [
        ("https://user:pass@host/mcp?key=1#x", "https://host/mcp"),
        ("stdio:server --api-key abc --port 1", "stdio:server --api-key *** --port 1"),
        ("stdio:server --token=abc 'a b'", "stdio:server --token=*** 'a b'"),
        ("stdio:env GITHUB_TOKEN=abc server", "stdio:env GITHUB_TOKEN=*** server"),
    ],
)
def test_what_looks_like_a_secret_is_not_part_of_the_shown_name(named: str, shown: str) -> None:
    server = server_of(named)

    assert server.shown == shown
    assert "pass" not in repr(server)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--token-env", "NOWHERE_SET"], "the environment variable `NOWHERE_SET` of `--token-env` is not set"),
        (["--header", "secret-value"], "a header has no name"),
        (["--header", "X-Key: a\nb"], "contains characters that a header cannot carry"),
        (["--header", "Mcp-Session-Id: 1"], "is set by the protocol"),
        (["--timeout", "0"], "`--timeout 0` is not a valid timeout"),
        (["--client-capabilities", "roots,tools"], "unknown capability `tools`"),
    ],
)
def test_a_wrong_option_shows_no_value(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "https://host/mcp", *options]) == 2

    told = capsys.readouterr().err
    assert message in told
    assert "secret-value" not in told


def test_a_header_without_a_server_over_http_is_a_wrong_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", _hostile("honest"), "--header", "a: b"]) == 2
    assert "`--header` has no effect" in capsys.readouterr().err


# Commands


def test_every_command_takes_a_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    honest, file = _hostile("honest"), tmp_path / "tools.json"

    assert run(["lint", honest, "--isolated"]) == 0
    assert run(["export", honest, "--to", "mcp", "-o", str(file)]) == 0
    assert run(["diff", str(file), honest, "--isolated"]) == 0
    assert run(["lint", _hostile("dying"), "--isolated"]) == 3
    assert run(["lint", "--against", "HEAD", honest, "--isolated"]) == 2
    assert "has no git revision" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["lint"], ["lock"], ["verify", "."]], ids=lambda words: words[0])
def test_without_the_sdk_one_sentence_says_how_to_install_it(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "MCP_TOOL_SPECIFICATION.md").write_text("# Nothing\n\nThis module exposes no tools.\n")

    assert run([*words, "stdio:python server.py"]) == 2

    told = capsys.readouterr().err
    assert told.splitlines() == [
        "error: live MCP servers require the package `mcp`",
        "  help: pip install 'mcp-contracts[mcp]'",
    ]


# The end of processes


linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@linux
def test_the_children_of_a_server_end_with_it(tmp_path: Path) -> None:
    file = tmp_path / "process"

    assert len(load(_hostile("parent", str(file)), servers=_SOON)) == 1

    assert not is_alive(process_in(file))


@linux
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_leaves_no_process(tmp_path: Path, number: int, code: int) -> None:
    file = tmp_path / "process"
    words = [str(programs() / "mcp-contracts"), "lint", _hostile("stubborn", str(file)), "--isolated"]
    command = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ})
    process = process_in(file)

    command.send_signal(number)
    _, told = command.communicate(timeout=30)

    assert command.returncode == code, told
    assert "Traceback" not in told
    assert not is_alive(process)


@linux
def test_a_deadline_leaves_no_process(tmp_path: Path) -> None:
    file = tmp_path / "process"

    with pytest.raises(SourceError):
        load(_hostile("stubborn", str(file)), servers=ServerAccess(timeout=1))

    assert not is_alive(process_in(file))
