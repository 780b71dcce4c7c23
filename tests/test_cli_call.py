"""`mcp-contracts call`: functions, mocks and live servers, arguments as people type them, and exit codes."""

from __future__ import annotations

import io
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.cli.app import run
from mcp_contracts.contract import JsonValue
from mcp_contracts.serving.calling import typed_arguments
from mcp_contracts.sources.load import load
from tests.hostile_http import hostile_http
from tests.serving_servers import DEMO, SERVE, TOOLS, program, running_http

HOSTILE = str(Path(__file__).with_name("hostile_servers.py"))
FUNCTIONS = ("--implementation", TOOLS)


def called(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(["call", *arguments])
    output = capfd.readouterr()
    return code, output.out, output.err


def test_a_function_is_called_and_only_the_result_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = called(capfd, str(DEMO), "demo.add", "a=1", "b=2", *FUNCTIONS, "--format", "json")

    assert code == 0
    assert json.loads(out) == {"status": "success", "data": {"sum": 3}, "error": None, "explanation": None}
    assert "and a program that it starts" in err


def test_the_last_part_of_a_name_suffices_and_text_is_readable(capfd: pytest.CaptureFixture[str]) -> None:
    assert called(capfd, str(DEMO), "add", "a=1", "b=2", "--mock")[:2] == (0, "sum: 3\n")


def test_a_failure_exits_with_1(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = called(capfd, str(DEMO), "lookup", "word=unknown", *FUNCTIONS)

    assert code == 1
    assert out == "failure\nResourceNotFound: nobody knows unknown\nnearest:\n- known\n"


def test_arguments_come_from_a_file_or_standard_input(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "arguments.json"
    file.write_text('{"a": 10, "b": 20}', encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"a": 10, "b": 1}')))

    from_file = called(capfd, str(DEMO), "add", "--mock", "--arguments", f"@{file}")
    from_input = called(capfd, str(DEMO), "add", "--mock", "--arguments", "-", "b=20")

    assert from_file[:2] == from_input[:2] == (0, "sum: 30\n")


@pytest.mark.parametrize("source", ["file", "standard input"])
def test_arguments_may_begin_with_a_byte_order_mark_but_must_be_utf_8(
    source: str, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "arguments.json"

    def call_with(content: bytes) -> tuple[int, str, str]:
        file.write_bytes(content)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        return called(capfd, str(DEMO), "add", "--mock", "--arguments", f"@{file}" if source == "file" else "-")

    marked = call_with(b'\xef\xbb\xbf{"a": 10, "b": 20}')
    latin = call_with(b'{"a": "\xff"}')

    assert marked[:2] == (0, "sum: 30\n")
    assert latin[0] == 2
    assert f"{f'`{file}`' if source == 'file' else source} is not UTF-8\n  help: pass an object" in latin[2]


def test_a_live_server_over_stdio_is_called(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    recording = tmp_path / "calls.jsonl"
    server = f"stdio:{shlex.join((program(), *SERVE))}"

    code, out, _ = called(capfd, server, "demo.add", "a=1", "b=40", "--record", str(recording))
    replayed = called(capfd, str(DEMO), "add", "a=1", "b=40", "--replay", str(recording))

    assert (code, out) == (0, "sum: 41\n")
    assert replayed[:2] == (0, "sum: 41\n")


def test_a_live_server_over_http_is_called(capfd: pytest.CaptureFixture[str]) -> None:
    with running_http() as running:
        found = called(capfd, running.mcp, "demo.add", "a=2", "b=3")
        refused = called(capfd, running.mcp, "demo.add", "a=two", "b=3")
        unknown = called(capfd, running.mcp, "demo.ad", "a=2", "b=3")

    assert found[0] == 0
    assert found[1].endswith("sum: 5\n")  # the server prints in this process
    assert refused[0] == 1
    assert "ValidationError: `a` is" in refused[1]
    assert unknown[0] == 2
    assert "did you mean `demo.add`?" in unknown[2]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((str(DEMO), "add"), 2, "nothing implements the tool"),
        ((str(DEMO), "ad", "--mock"), 2, "did you mean `demo.add`?"),
        ((str(DEMO), "add", "--mock", "a"), 2, "`a` is not `name=value`"),
        ((str(DEMO), "add", "--mock", "--arguments", "[]"), 2, "`--arguments` is not a JSON object"),
        ((str(DEMO), "add", "--mock", "--arguments", "{"), 2, "`--arguments` is not valid JSON: "),
        ((str(DEMO), "add", "--mock", "--arguments", '{"a": 1, "a": 2}'), 2, "a key appears twice"),
        (
            (str(DEMO), "add", "--mock", "--arguments", '{"a": 1e400}'),
            2,
            "`--arguments` is unreadable: a number",
        ),
        ((str(DEMO), "add", "--mock", "--arguments", '{"a": "\udcff"}'), 2, "`--arguments` is not UTF-8"),
        ((str(DEMO), "add", "--mock", "--arguments", "@no/such/file"), 2, "no/such/file"),
        (
            (str(DEMO), "add", "--mock", "--implementation", TOOLS),
            2,
            "`--implementation` cannot be combined with a mock",
        ),
        ((str(DEMO), "add", "--fail", "demo.add=TimeoutError", *FUNCTIONS), 2, "options of a mock"),
        (("stdio:no-such-command-here", "add"), 3, "no-such-command-here"),
        ((f"stdio:{shlex.join((sys.executable, HOSTILE, 'odd-entries'))}", "plain"), 3, "the tool `plain` twice"),
        (("http://127.0.0.1:9/mcp", "add"), 3, "cannot be reached"),
        (("http://127.0.0.1:9/mcp", "add", "--mock"), 2, "a live server handles its own calls"),
    ],
)
def test_a_tool_that_cannot_be_called_is_reported(
    capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...], code: int, words: str
) -> None:
    found, out, err = called(capfd, *arguments)

    assert (found, out) == (code, "")
    assert words in err


@pytest.mark.parametrize("method", ["list", "call"])
def test_a_server_that_answers_another_request_is_named(capfd: pytest.CaptureFixture[str], method: str) -> None:
    with hostile_http() as http:
        code, out, err = called(capfd, f"{http.address}/{method}", "plain", "--timeout", "0.5")

    assert (code, out) == (3, "")
    assert (
        f"did not respond to `tools/{method}` within 0.5 s: it sent a response with the id 99, which matches no request"
        in err
    )


@pytest.mark.parametrize(
    ("schema", "pairs", "value"),
    [
        ({"type": "string"}, ["5"], "5"),
        ({"type": "string"}, ["null"], "null"),
        ({"type": "integer"}, ["5"], 5),
        ({"type": ["string", "integer"]}, ["5"], 5),
        ({"type": "boolean"}, ["true"], True),
        ({"type": "number"}, ["five"], "five"),
        ({"type": "array", "items": {"type": "string"}}, ["a"], ["a"]),
        ({"type": "array", "items": {"type": "string"}}, ["1", "2"], ["1", "2"]),
        ({"type": "array", "items": {"type": "integer"}}, ["1", "2"], [1, 2]),
        ({"type": "array"}, ["[1, 2]"], [1, 2]),
        ({"type": "object"}, ['{"k": 1}'], {"k": 1}),
        ({"enum": ["1", 2]}, ["1"], "1"),
        ({}, ["a=b"], "a=b"),
    ],
)
def test_a_value_is_what_the_schema_makes_of_it(
    tmp_path: Path, schema: JsonValue, pairs: list[str], value: JsonValue
) -> None:
    tool: Any = {"name": "demo.any", "inputSchema": {"type": "object", "properties": {"x": schema}}}
    (tmp_path / "tools.json").write_text(json.dumps([tool]), encoding="utf-8")
    [contract] = load(tmp_path / "tools.json")

    assert typed_arguments(contract, [f"x={text}" for text in pairs]) == {"x": value}
