"""`mcp-contracts lock`: write the tool lists of servers to a file to commit, and report what changed since."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Annotated

from mcp_contracts.checks.catalog import catalog
from mcp_contracts.checks.diff import compare
from mcp_contracts.checks.lock import (
    LOCK_FILE,
    Drift,
    LockedServer,
    contracts_of,
    drift_between,
    lock_text,
    locked_server,
    read_lock,
)
from mcp_contracts.cli import reports
from mcp_contracts.cli.command_line.parameters import REPORT, Argument, Option, command_app
from mcp_contracts.cli.options import Isolated, deliver, read_config
from mcp_contracts.cli.output import EXIT_FINDINGS, EXIT_SOURCE, complain, say
from mcp_contracts.cli.servers import ServerOptions
from mcp_contracts.config import Config
from mcp_contracts.errors import SourceError, UsageError
from mcp_contracts.parsing.discovery import Unreadable, read_text, show
from mcp_contracts.records import replace
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.diff.document import diff_document
from mcp_contracts.reporting.document import pluralize
from mcp_contracts.reporting.visible import visible
from mcp_contracts.runtime.remote.sessions import require_mcp
from mcp_contracts.sources.servers.access import ServerAccess, is_server, server_of
from mcp_contracts.sources.servers.client_config import ConfiguredServer, read_client_config

_MAX_LOCK = 20_000_000  # bytes
_CHECK = "Check"
_ADVICE = "check the callers of these tools, then write the lock file again and commit it"


@command_app(
    "Lock the tools of a server: lock 'stdio:npx -y @modelcontextprotocol/server-memory'",
    "Lock all servers of a project: lock --config .mcp.json",
    "Fail in CI if a server has drifted: lock --check --yes",
    "Fail only on breaking changes: lock --config .mcp.json --check --breaking-only --yes",
)
def app(
    *,
    sources: Annotated[list[str] | None, Argument("[SOURCE]...", "Live servers: `stdio:COMMAND`, or a URL.")] = None,
    client_config: Annotated[
        Path | None,
        Option(
            "--config FILE",
            "Read the servers from an MCP client's configuration, such as `.mcp.json` or `claude_desktop_config.json`.",
        ),
    ] = None,
    lock: Annotated[Path, Option("--lock FILE", "The lock file to write or check.")] = Path(LOCK_FILE),
    yes: Annotated[
        bool, Option("--yes -y", "Start and contact the servers of --config or of the lock file without asking.")
    ] = False,
    check: Annotated[
        bool, Option("--check", "Write nothing; show what changed, and fail if the lock file is out of date.", _CHECK)
    ] = False,
    breaking_only: Annotated[
        bool,
        Option(
            "--breaking-only",
            "With --check: fail only if a change breaks callers, or a server was added or is missing.",
            _CHECK,
        ),
    ] = False,
    server_options: ServerOptions,
    report: reports.ReportOptions,
    show_all: Annotated[
        bool, Option("--all", "With --check: also list compatible changes and unchanged tools.", REPORT)
    ] = False,
    isolated: Isolated = False,
) -> int:
    """Record the tools of servers in a lock file, or check what has changed since.

    Use it for servers without a specification, both your own and those that you depend on. The lock file is a bundle,
    which every command reads.
    """
    named = sources or []
    report.read_copies()  # errors in them are reported first
    if breaking_only and not check:
        raise UsageError("`--breaking-only` requires `--check`", hint="add `--check`")
    access = server_options.access(named)
    locked = _lock(lock) if check else ()
    is_recorded = bool(locked) and not named and client_config is None
    servers = _read_recorded_servers(locked, lock) if is_recorded else _servers(named, client_config)
    require_mcp()
    asked_for = lock if is_recorded else client_config
    if asked_for is not None and not _is_agreed(servers, asked_for, is_agreed=yes):
        say("nothing was started")
        return EXIT_FINDINGS
    live, failures = _list_servers(servers, access)
    if failures:
        for failure in failures:
            complain(failure.message, failure.hint)
        if not check:
            say(f"nothing was written to `{visible(show(lock))}`")
        return EXIT_SOURCE
    if not check:
        _write(lock, live)
        return 0
    config = read_config(Path.cwd(), None, isolated=isolated)
    has_failed = _report(lock, locked, live, report, config, show_all=show_all)
    drift = drift_between(locked, live)
    is_stale = bool(drift) and (not breaking_only or drift.has_servers)
    _tell(drift, lock, is_failure=is_stale or bool(has_failed))
    return EXIT_FINDINGS if is_stale else has_failed


def _servers(named: Sequence[str], client_config: Path | None) -> tuple[ConfiguredServer, ...]:
    """Return the servers of a run. Servers on the command line have no name until they answer."""
    for source in named:
        if not is_server(source):
            raise UsageError(
                f"`{visible(source)}` is not a live server",
                hint="pass a client configuration with `--config`; files do not need a lock",
            )
    servers = tuple(ConfiguredServer("", server_of(source)) for source in named)
    if client_config is not None:
        servers += read_client_config(client_config, os.environ)
    if not servers:
        none = "no server is given" if client_config is None else f"`{client_config}` has no enabled server"
        raise UsageError(none, hint="pass one, such as `'stdio:python server.py'`, or `--config .mcp.json`")
    return servers


def _read_recorded_servers(locked: Sequence[LockedServer], lock: Path) -> tuple[ConfiguredServer, ...]:
    """Return the servers that a lock was written from."""
    for server in locked:
        if not is_server(server.source) or re.search(r"\*\*\*|\$\{", server.source):
            raise UsageError(
                f"`{visible(show(lock))}` does not say how to start `{visible(server.name)}`",
                hint="pass the server, or `--config FILE`, as when the lock was written",
            )
    return tuple(ConfiguredServer(server.name, server_of(server.source), source=server.source) for server in locked)


def _is_agreed(servers: Sequence[ConfiguredServer], path: Path, *, is_agreed: bool) -> bool:
    """Show the commands that a configuration starts, and ask the user for confirmation."""
    say(f"`{visible(show(path))}` starts or contacts:")
    for server in servers:
        if server.name:
            say(f"  {visible(server.shown)}")
    if is_agreed:
        return True
    if not sys.stdin.isatty():
        raise UsageError(
            "nothing was started: asking for confirmation requires a terminal",
            hint="review the commands, and add `--yes`",
        )
    # Not `typer.confirm`, which prints a part of the question on standard output, where the report goes.
    print("start them? [y/N]: ", end="", file=sys.stderr, flush=True)
    answer = ""
    try:
        answer = sys.stdin.readline()
    finally:
        if not answer:  # the end of the input, or an interrupt, leaves the cursor after the question
            print(file=sys.stderr)
    return answer.strip().lower() in ("y", "yes")


def _list_servers(
    servers: Sequence[ConfiguredServer], access: ServerAccess
) -> tuple[tuple[LockedServer, ...], list[SourceError]]:
    """Return the tools that the servers list now, and the errors of the others."""
    from mcp_contracts.sources.servers.listing import listed_servers  # the SDK, which `--help` does not need

    found: dict[str, LockedServer] = {}
    failures: list[SourceError] = []
    for server, outcome in zip(servers, listed_servers([one.server for one in servers], access), strict=True):
        if isinstance(outcome, SourceError):
            failures.append(outcome)
            continue
        file = outcome.read(limit=_MAX_LOCK)
        name = server.name or outcome.name or "server"
        if file.faults and not file.contracts:
            fault = file.faults[0]
            message = f"the tools of the server `{name}` cannot be read: {fault.message}"
            failures.append(SourceError(message, hint=fault.hint))
            continue
        if name in found:
            raise UsageError(
                f"two servers are named `{visible(name)}`",
                hint="read them from a client's configuration with `--config`, where each has its own name",
            )
        found[name] = locked_server(name, server.source or server.server.shown, outcome.version, file)
    return tuple(found.values()), failures


def _lock(path: Path) -> tuple[LockedServer, ...]:
    text = read_text(path, limit=_MAX_LOCK)
    if isinstance(text, Unreadable):
        raise UsageError(
            f"`{visible(show(path))}`: {text.fault.message}",
            hint="create it first: run the same command without `--check`",
        )
    return read_lock(show(path), text)


def _write(path: Path, servers: Sequence[LockedServer]) -> None:
    for server in servers:
        for fault in server.file.faults:
            say(f"note: `{visible(server.name)}`: {visible(fault.message)}")
    deliver(lock_text(servers), path)
    tools = pluralize(sum(len(server.file.contracts) for server in servers), "tool")
    say(f"locked {tools} of {pluralize(len(servers), 'server')}; commit `{visible(show(path))}`")


def _report(
    path: Path,
    locked: Sequence[LockedServer],
    live: Sequence[LockedServer],
    options: reports.ReportOptions,
    config: Config,
    *,
    show_all: bool,
) -> int:
    """Print the changes of the tools; return 1 if a change is breaking."""
    is_qualified = len({server.name for server in (*locked, *live)}) > 1
    old, new = (contracts_of(side, is_qualified=is_qualified) for side in (locked, live))
    comparison = compare(old, new, policy=config.diff.policy, today=date.today(), config=config)
    names = ", ".join(server.source if len(live) == 1 else server.name for server in live)
    document = diff_document(comparison.report, show(path), names)
    if document.advice:
        document = replace(document, advice=_ADVICE)
    return reports.print_report(
        document, RenderContext(rules=catalog(), show_all=show_all), options, reports.ExitOptions(), config
    )[0]


def _tell(drift: Drift, path: Path, *, is_failure: bool) -> None:
    """Report on standard error how a lock is out of date."""
    if not drift:
        return
    for sentence in drift.sentences:
        say(f"note: {visible(sentence)}")
    say(f"{'error' if is_failure else 'note'}: `{visible(show(path))}` is out of date")
    say("  help: review the changes, run the same command without `--check`, and commit the file")
