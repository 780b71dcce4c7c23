"""`mcp-contracts call`: one validated tool call, for people and scripts."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from mcp_contracts.cli.command_line.parameters import REPORT, Argument, Option, command_app
from mcp_contracts.cli.options import SOURCE_FORMS, deliver
from mcp_contracts.cli.output import say
from mcp_contracts.cli.servers import ServerOptions
from mcp_contracts.cli.serving.options import MockOptions
from mcp_contracts.cli.serving.tools import load_implemented, load_mocked
from mcp_contracts.errors import UsageError
from mcp_contracts.sources.servers.access import is_server, server_of

if TYPE_CHECKING:
    from mcp_contracts.contract import JsonValue, ToolContract
    from mcp_contracts.messages import MCPToolResult
    from mcp_contracts.runtime.context import Progress
    from mcp_contracts.serving.calling import Arguments
    from mcp_contracts.serving.implementations import ImplementedTools


@command_app(
    "Call your own function: call specs/weather get_forecast --implementation weather.tools place=Oslo days=3",
    'Call a mock, with arguments in JSON: call specs/weather weather.get_forecast --mock --arguments \'{"place": '
    '"Oslo"}\'',
    "Call a live server: call 'stdio:python server.py' add a=1 b=2 --format json",
)
def app(
    *,
    source: Annotated[str, Argument("SOURCE", f"The source of the tool: {SOURCE_FORMS}.", show_default=False)],
    name: Annotated[str, Argument("NAME", "The tool; the last part of its name is enough.", show_default=False)],
    pairs: Annotated[
        list[str] | None,
        Argument("[NAME=VALUE]...", "Arguments: JSON where the schema allows it, otherwise text.", show_default=False),
    ] = None,
    arguments: Annotated[
        str | None, Option("--arguments JSON|@FILE|-", "All arguments as a JSON object; `-` reads standard input.")
    ] = None,
    implementation: Annotated[
        list[str] | None,
        Option("--implementation MODULE", "The Python module of the functions. Importing it runs its code."),
    ] = None,
    is_mock: Annotated[bool, Option("--mock", "Respond like `mcp-contracts mock`.")] = False,
    mock: MockOptions,
    channel: Annotated[str | None, Option("--channel NAME", "The channel of the call.")] = None,
    version: Annotated[str | None, Option("--version RANGE", "Which version to call, such as ^1.2.")] = None,
    deadline: Annotated[float | None, Option("--deadline SECONDS", "The maximum duration of the call.")] = None,
    servers: ServerOptions,
    format_name: Annotated[
        Literal["text", "json"],
        Option("--format", "Print the result for people (`text`) or as a message (`json`).", REPORT),
    ] = "text",
    record: Annotated[
        Path | None, Option("--record FILE", "Append the call to a file for `mock --replay`.", REPORT)
    ] = None,
) -> int:
    """Call one tool of a specification or of a live server.

    Arguments and result are validated against the contract. The exit code is 1 if the result is a failure.
    """
    from mcp_contracts.runtime.context import CallContext
    from mcp_contracts.serving.calling import call_server, call_tool
    from mcp_contracts.serving.mocking import Exchange, recorded_line

    access = servers.access([source])
    read = partial(_arguments, _read_arguments(arguments), tuple(pairs or ()))
    received: list[Mapping[str, JsonValue]] = []
    context = CallContext(channel=channel, deadline=deadline, on_progress=_show_progress, on_answer=received.append)
    if is_server(source):
        if implementation or is_mock:
            raise UsageError("a live server handles its own calls", hint="omit `--implementation` and `--mock`")
        called, given, result = call_server(server_of(source), access, name, read, context, version=version)
    else:
        load = _loader(source, implementation or [], mock, is_mock=is_mock)
        with _divert_output():
            registry = load().registry
            called, given, result = asyncio.run(call_tool(registry, name, read, context, version=version))
    if record is not None:
        answer = received[-1] if received else None
        with record.open("a", encoding="utf-8", newline="\n") as file:
            file.write(recorded_line(Exchange(called, given, result, answer)))
    deliver(result.to_json(indent=2) + "\n" if format_name == "json" else _readable(result), None)
    return 1 if result.status == "failure" else 0


def _loader(source: str, implementation: list[str], mock: MockOptions, *, is_mock: bool) -> partial[ImplementedTools]:
    mocks = is_mock or mock.replay is not None
    if mocks and implementation:
        raise UsageError(
            "`--implementation` cannot be combined with a mock", hint="omit `--implementation` or `--mock`"
        )
    if mocks:
        return partial(load_mocked, (source,), mock)
    if mock.failures or mock.latency:
        raise UsageError("`--fail` and `--latency` are options of a mock", hint="add `--mock`")
    if not implementation:
        raise UsageError(
            "nothing implements the tool",
            hint="name the module of the functions with `--implementation MODULE`, or add `--mock`",
        )
    return partial(load_implemented, (source,), tuple(implementation))


def _read_arguments(text: str | None) -> Arguments:
    """Return the arguments that `--arguments` states."""
    from mcp_contracts.serving.calling import read_arguments

    if text is None:
        return {}
    if text == "-":
        return read_arguments(sys.stdin.buffer.read(), what="standard input")
    if not text.startswith("@"):
        return read_arguments(text.encode("utf-8", "surrogateescape"), what="`--arguments`")
    path = Path(text[1:])
    return read_arguments(path.read_bytes(), what=f"`{path}`")


def _arguments(given: Arguments, pairs: tuple[str, ...], contract: ToolContract) -> Arguments:
    """Return all arguments of a command line; pairs take precedence over the JSON."""
    from mcp_contracts.serving.calling import typed_arguments

    return {**given, **typed_arguments(contract, pairs)}


@contextlib.contextmanager
def _divert_output() -> Iterator[None]:
    """Redirect the output of a tool, and of programs that it starts, to standard error."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def _show_progress(progress: Progress) -> None:
    if sys.stderr is None or not sys.stderr.isatty():
        return
    done = "" if progress.completed is None else f"{progress.completed:g}"
    total = "" if progress.total is None else f"/{progress.total:g}"
    say(" ".join(filter(None, (f"{done}{total}", progress.message))))


def _readable(result: MCPToolResult) -> str:
    """Return a result for people: its status unless it is a plain success, then its data."""
    from mcp_contracts.reporting.visible import visible

    lines = []
    if result.status != "success":
        lines.append(result.status.replace("_", " "))
    if result.error is not None:
        lines.append(f"{result.error.error_type}: {result.error.error_message}")
        if result.error.error_details is not None:
            lines.append(_indent(result.error.error_details))
    if result.explanation:
        lines.append(result.explanation)
    if result.data is not None:
        lines.append(_indent(result.data))
    return "".join(f"{visible(line)}\n" for text in lines for line in text.splitlines())


def _indent(value: JsonValue) -> str:
    """Return a value in YAML, which reads better than JSON."""
    import yaml  # slow to import, and only needed for text

    if isinstance(value, str):
        return value
    return str(yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=100)).rstrip("\n")
