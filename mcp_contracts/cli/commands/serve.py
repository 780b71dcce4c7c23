"""`mcp-contracts serve`: a specification and its functions as a server."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from mcp_contracts.cli.command_line.parameters import Argument, Option, command_app
from mcp_contracts.cli.options import SOURCE_FORMS
from mcp_contracts.cli.serving.options import ServingOptions
from mcp_contracts.cli.serving.plan import plan_server
from mcp_contracts.cli.serving.running import run
from mcp_contracts.cli.serving.tools import load_contracts, load_implemented, load_own, load_own_contracts
from mcp_contracts.errors import UsageError


@command_app(
    "Serve a module to the client that starts this command: serve specs/weather --implementation weather.tools",
    "Serve HTTP on this machine, and reload changes: serve specs/weather --implementation weather.tools --transport "
    "http --watch",
    "Serve other machines, with a token and shared limits: serve specs --implementation app:registry --transport http "
    "--host 0.0.0.0 --workers 4 --token-env API_TOKEN --rate-per-caller 60/minute --redis-env REDIS_URL",
    "Serve the tools of mcp-contracts itself to a coding agent: serve --self --root .",
)
def app(
    *,
    sources: Annotated[list[str] | None, Argument("[SPEC]...", f"The contracts: {SOURCE_FORMS}.")] = None,
    implementation: Annotated[
        list[str] | None,
        Option(
            "--implementation MODULE",
            "The Python module or package of the functions, or MODULE:NAME for a registry in it. Importing it "
            "runs its code.",
        ),
    ] = None,
    is_self: Annotated[
        bool, Option("--self", "Serve the tools of mcp-contracts itself: lint, diff, explain, scaffold and fix.")
    ] = False,
    root: Annotated[
        Path | None, Option("--root DIR", "With --self: the folder that the tools are confined to.")
    ] = None,
    server: ServingOptions,
) -> int:
    """Serve the tools of specifications over MCP and HTTP.

    Arguments and results are validated against the contracts. Over HTTP, MCP is at /mcp; callers that do not speak MCP
    use /tools and /tools/call, described in /openapi.json. On SIGTERM, the server lets running calls finish and exits.
    """
    _check(sources or [], implementation or [], root, is_self=is_self)
    named = tuple(sources or ())
    modules = tuple(implementation or ())
    load = partial(load_own, str(root or ".")) if is_self else partial(load_implemented, named, modules)
    return run(plan_server(server, named, load, load_own_contracts if is_self else partial(load_contracts, named)))


def _check(sources: list[str], implementation: list[str], root: Path | None, *, is_self: bool) -> None:
    if is_self and (sources or implementation):
        raise UsageError("`--self` serves the tools of mcp-contracts itself", hint="omit SPEC and `--implementation`")
    if root is not None and not is_self:
        raise UsageError("`--root` requires `--self`", hint="omit it, or add `--self`")
    if is_self or implementation:
        return
    if sources:
        hint = "name their module, `--implementation MODULE`, or mock them: `mcp-contracts mock SPEC`"
        raise UsageError("nothing implements the tools", hint=hint)
    raise UsageError(
        "no specification is given", hint="write `mcp-contracts serve SPEC --implementation MODULE`, or `--self`"
    )
