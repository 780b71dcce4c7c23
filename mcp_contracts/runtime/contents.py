"""Read what a registry is given as tools: contracts, remote tools, functions, or a JSON tool list."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Contracts, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.json_values.types import check_json
from mcp_contracts.masking.mask import SecretMask
from mcp_contracts.records import replace
from mcp_contracts.runtime.failures import ErrorTypes, check_error_types
from mcp_contracts.runtime.functions.binding import Binding
from mcp_contracts.runtime.functions.parameters import plain_function
from mcp_contracts.runtime.registered import RegisteredTool
from mcp_contracts.runtime.remote.tools import RemoteTool
from mcp_contracts.runtime.tools import Handler

_Tool = ToolContract | RemoteTool | Callable[..., Any] | Mapping[str, Any]
Tools = Contracts | Iterable[_Tool] | _Tool
"""Contracts, remote tools, functions, or the tools of a JSON tool list, in the form of MCP or of a provider."""

_NAME = re.compile(r"[^\W_][\w .-]*")
_FILE = re.compile(r".*\.(json|md|markdown|ya?ml|py|toml)", re.I | re.S)


def registry_name(name: object) -> str:
    """Check the name of a registry. Raises `UsageError`, also for a path, which is probably a source."""
    if isinstance(name, Path) or (isinstance(name, str) and ("/" in name or "\\" in name or _FILE.fullmatch(name))):
        raise UsageError(
            f"expected contracts or a name, got the path `{name}`",
            hint="load it first: `load(…)`, or `ToolRegistry.from_specs(…)`",
        )
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(f"a registry cannot have the name {name!r}", hint='use letters, digits and `_`, as in "demo"')
    return name


def tools_in(
    tools: Tools, module: str | None, from_function: Callable[[Any], Any]
) -> Iterator[tuple[ToolContract, Handler | None]]:
    """Yield the contract of each tool, and its handler if it has one. Raises `UsageError` for anything else.

    `module` qualifies the names of contracts that have neither a dot nor a module; `from_function` makes a function a
    tool.
    """
    if isinstance(tools, str | bytes | Path):
        raise UsageError(
            f"expected contracts, got `{str(tools)[:200]}`",
            hint="load it first: `load(…)`, or `ToolRegistry.from_specs(…)`",
        )
    if isinstance(tools, ToolContract | RemoteTool | RegisteredTool) or callable(tools):
        tools = (tools,)
    if not isinstance(tools, Iterable):
        raise UsageError(f"expected contracts, got `{type(tools).__name__}`", hint="pass what `load(…)` returns")
    given = tools if isinstance(tools, Contracts | Mapping) else list(tools)
    if isinstance(given, Mapping) and isinstance(given.get("name"), str):
        given = [given]
    if isinstance(given, Mapping) or any(isinstance(tool, Mapping) for tool in given):
        given = _read_listed_tools(given)
    if isinstance(given, Contracts):
        _refuse_faults(given)
    for tool in given:
        own = getattr(tool, "tool", tool)  # of a function that is a tool
        if isinstance(tool, ToolContract):
            is_bare = module is not None and tool.module is None and "." not in tool.name
            yield (replace(tool, module=module) if is_bare else tool), None
        elif isinstance(tool, RemoteTool):
            handler = Handler(tool.call, is_async=True, takes_context=True, home=tool.home, is_judged=True)  # type: ignore[arg-type]
            yield tool.contract, handler
        elif isinstance(own, RegisteredTool) and own.handler is not None:
            yield own.contract, own.handler
        elif callable(tool) and not isinstance(tool, RegisteredTool):
            made = from_function(tool).tool
            yield made.contract, made.handler
        else:
            raise UsageError(
                f"expected contracts, got `{type(tool).__name__}`",
                hint="pass contracts, functions, or the tools of a JSON tool list",
            )


def handler_of(binding: Binding, deadline: float | None, errors: ErrorTypes | None) -> Handler:
    """Return the handler of a function that is bound to a contract."""
    return Handler(
        binding.invoke,
        is_async=binding.is_async,
        takes_context=binding.takes_context,
        wraps_result=binding.wraps_result,
        deadline=deadline,
        errors=check_error_types(errors),
        package=str(getattr(plain_function(binding.function), "__module__", "")).partition(".")[0],
    )


def _read_listed_tools(tools: object) -> Contracts:
    from mcp_contracts.sources.tool_lists import read_tool_list  # a higher layer, see `ToolRegistry.from_specs`

    try:
        text = json.dumps(tools, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        check_json(tools, "the tool list")
        raise UsageError(
            f"the tool list is not valid JSON: {str(error)[:200]}",
            hint="pass JSON objects as in a response to `tools/list`, or contracts, but not both",
        ) from error
    return Contracts((read_tool_list("<tools>", text, may_be_mcp=False),))


def _refuse_faults(contracts: Contracts) -> None:
    faults = contracts.faults
    if faults:
        first = faults[0]
        message = SecretMask(file.text for file in contracts.files).text(first.message)  # which may cut a secret
        more = f" (and {len(faults) - 1} more errors)" if len(faults) > 1 else ""
        raise UsageError(
            f"{first.place.path}:{first.place.line}: {message}{more}",
            hint="run `mcp-contracts lint` on the source and fix what it finds",
        )
