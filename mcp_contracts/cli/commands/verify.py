"""`mcp-contracts verify`: check a live server against its contracts, with the reports and exit codes of `lint`."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

from mcp_contracts.checks.verification.cases import CASES_FILE, cases_text, read_cases
from mcp_contracts.checks.verification.fuzzing import Fuzz
from mcp_contracts.checks.verification.plan import CallPolicy
from mcp_contracts.checks.verification.verify import Verification, verify
from mcp_contracts.cli import options, reports
from mcp_contracts.cli.command_line.parameters import RULES, Argument, Option, command_app
from mcp_contracts.cli.output import say
from mcp_contracts.cli.servers import ServerOptions
from mcp_contracts.errors import UsageError
from mcp_contracts.parsing.discovery import SPEC_NAME, show
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.document import pluralize
from mcp_contracts.reporting.lint_document import lint_document
from mcp_contracts.reporting.visible import visible
from mcp_contracts.rules.listing import all_rule_infos
from mcp_contracts.sources.servers.access import is_server, server_of

_FUZZING = "Sampled calls"


@command_app(
    "Check a server against its specification: verify specs/ 'stdio:python server.py'",
    "Check only the tool list, without calling any tool: verify specs/ https://host/mcp --call none",
    "Make 100 sampled calls to each tool: verify specs/ 'stdio:python server.py' --fuzz 100",
    "Call every tool, on a test system: verify specs/ 'stdio:python server.py' --call all",
)
def app(
    *,
    sources: Annotated[
        list[str],
        Argument(
            "[SPEC]... SERVER",
            "The contracts (any source) and the live server: `stdio:COMMAND`, or a URL. Without SPEC, the "
            "`paths` in the configuration are used.",
        ),
    ],
    call: Annotated[
        CallPolicy,
        Option(
            "--call",
            "Which tools to call with their examples and with invalid arguments: `safe` (read-only or idempotent "
            "according to their contracts), `all`, or `none`.",
        ),
    ] = "safe",
    fuzz: Annotated[
        int | None,
        Option(
            "--fuzz N",
            "Also make N sampled calls to each tool that --call selects, valid and invalid, and reduce failing calls.",
            _FUZZING,
            min=1,
            max=10_000,
        ),
    ] = None,
    seed: Annotated[int, Option("--seed N", "With --fuzz: the seed of the samples.", _FUZZING)] = 0,
    cases: Annotated[
        Path,
        Option("--cases FILE", "Repeat the calls in this file; with --fuzz, failing calls are added to it.", _FUZZING),
    ] = Path(CASES_FILE),
    servers: ServerOptions,
    select: Annotated[list[str] | None, Option("--select CODES", "Run only these rules.", RULES)] = None,
    ignore: options.IgnoredRules = None,
    severity: options.Severities = None,
    report: reports.ReportOptions,
    exits: reports.ExitOptions,
    config_file: options.ConfigFile = None,
    isolated: options.Isolated = False,
) -> int:
    """Check a live server against its contracts (MC8).

    Every tool must be listed. Its input schema must accept all calls that the contract allows, and its output schema
    must allow only results that the contract allows. The examples of the contracts are called, and the results are
    checked against the output schemas and the documented errors.
    """
    report.read_copies()  # errors in them are reported first
    *specs, server = sources
    if not is_server(server):
        raise UsageError(
            f"`{visible(server)}` is not a live server", hint="pass it last: `'stdio:python server.py'`, or a URL"
        )
    access = servers.access(sources)
    config = options.read_config(options.common_folder(specs), config_file, isolated=isolated)
    named = options.configured_sources(specs, config)
    lack = f"nothing to verify: no `{SPEC_NAME}` in {', '.join(f'`{visible(name)}`' for name in named)}"
    contracts = options.read_contracts(named, config, access, lack=lack, hint=options.NO_SPEC)
    selection = options.read_selection(select or (), (), ignore or (), severity or ())
    if fuzz is not None and call == "none":
        raise UsageError("`--fuzz` cannot be combined with `--call none`", hint="omit one of the two")
    known = read_cases(cases) if cases.exists() or (cases != Path(CASES_FILE) and fuzz is None) else ()
    verified = verify(
        contracts,
        server_of(server),
        access,
        config,
        selection=selection,
        policy=call,
        fuzz=None if fuzz is None else Fuzz(fuzz, seed),
        cases=known,
        today=date.today(),
    )
    _tell(verified, call)
    if verified.found:
        options.deliver(cases_text((*known, *verified.found)), cases)
        number = pluralize(len(verified.found), "case")
        say(f"added {number} to `{visible(show(cases))}`; commit it, so that `verify` repeats the calls")
    document = lint_document(verified.report, verified.texts)
    code, _ = reports.print_report(document, RenderContext(rules=all_rule_infos()), report, exits, config)
    return code


def _tell(verified: Verification, policy: CallPolicy) -> None:
    """Report on standard error which tools were called, and which were not."""
    if policy == "none":
        return
    say(f"made {pluralize(verified.calls, 'call')} to {pluralize(verified.called, 'tool')}")
    if verified.not_called:
        say(
            f"note: skipped {pluralize(verified.not_called, 'tool')} not documented as read-only or idempotent\n"
            "  help: `--call all` also calls such tools; use a test system"
        )
