"""Which tools a model is offered: a selection from a registry, in a provider's format, without those that it
rejects."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

from mcp_contracts.adapters.base import NotPortableError, ToolSet
from mcp_contracts.agents.messages import Message
from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.providers.limits.provider import Provider
from mcp_contracts.runtime.registry import ToolRegistry
from mcp_contracts.tool_names import nearest_names, qualified_name

ToolSelection = Iterable[Any] | Callable[[Sequence[Message]], Iterable[Any]]
"""Names or globs of tools, decorated functions or their contracts, or a function that returns these for the
conversation so far, before each request."""


class ToolLeftOutWarning(UserWarning):
    """A tool is not offered to a model, because its provider would refuse the whole request."""


def offered_contracts(registry: ToolRegistry, channel: str | None) -> tuple[ToolContract, ...]:
    """Return the tools that a call over the channel can run, without deprecated ones whose replacement is available."""
    tools = registry.tools(implemented=True) if channel is None else registry.tools(channel=channel)
    names = {tool.name for tool in tools}
    return tuple(
        tool
        for tool in tools
        if tool.status is None or tool.status.state != "deprecated" or tool.status.replacement not in names
    )


def read_selection(selection: ToolSelection | None) -> ToolSelection | None:
    """Return a selection that can be read repeatedly. Raises UsageError for a tool that has no contract."""
    if selection is None or callable(selection):
        return selection
    return [_name_of(one) for one in ([selection] if isinstance(selection, str) else selection)]


def _name_of(tool: object) -> str:
    contract = getattr(tool, "contract", tool)
    name = contract.name if isinstance(contract, ToolContract) else contract
    if not isinstance(name, str):
        raise UsageError(
            f"a tool is selected by its name, not by a `{type(tool).__name__}`",
            hint="pass functions as the first argument of an agent: `Agent([add], model)`",
        )
    return name


def select_tools(
    contracts: Sequence[ToolContract], selection: ToolSelection | None, messages: Sequence[Message]
) -> tuple[ToolContract, ...]:
    """Return the contracts that a selection names, in their order: by name, by the name at the source, or by a glob.

    Raises UsageError for a name that no tool has.
    """
    if selection is None:
        return tuple(contracts)
    wanted = selection(messages) if callable(selection) else selection
    chosen: set[str] = set()
    for pattern in map(_name_of, [wanted] if isinstance(wanted, str) else wanted):
        found = {tool.name for tool in contracts if fnmatchcase(tool.name, pattern) or tool.source_name == pattern}
        if not found and not callable(selection) and not any(mark in pattern for mark in "*?["):
            near = nearest_names(pattern, [tool.name for tool in contracts])
            raise UsageError(
                f"unknown tool `{pattern}`",
                hint=f"did you mean `{near[0]}`?" if near else "pass names of the registry's tools, or globs",
            )
        chosen |= found
    return tuple(tool for tool in contracts if tool.name in chosen)


class ToolForms:
    """Contracts as the tools of one provider. The last ones are cached, because most requests offer the same tools.

    A tool that the provider refuses is left out with a `ToolLeftOutWarning`, or raises `NotPortableError` if
    `is_strict`. `use_when` is added to the description, because providers have no other field for it.
    """

    __slots__ = ("_convert", "_is_strict", "_last", "_provider")

    def __init__(
        self, provider: Provider, convert: Callable[[Sequence[ToolContract]], ToolSet], *, is_strict: bool = False
    ) -> None:
        self._provider = provider
        self._convert = convert
        self._is_strict = is_strict
        self._last: tuple[tuple[ToolContract, ...], ToolSet] | None = None

    def of(self, contracts: Iterable[ToolContract]) -> ToolSet:
        """Return the tools for a request, and the names in both directions."""
        every = tuple(contracts)
        last = self._last
        if last is None or len(last[0]) != len(every) or any(a is not b for a, b in zip(last[0], every, strict=True)):
            last = self._last = (every, self._convert_all([_with_use(contract) for contract in every]))
        return last[1]

    def _convert_all(self, contracts: list[ToolContract]) -> ToolSet:
        for limit in self._provider.tool_counts:
            if len(contracts) > limit.most:
                message = f"{limit.basis.provider} accepts {limit.most} tools, and {len(contracts)} are offered"
                if self._is_strict:
                    raise UsageError(message, hint="select some of them with `tools`")
                warnings.warn(ToolLeftOutWarning(f"{message}: the request may be refused"), stacklevel=2)
        try:
            return self._convert(contracts)
        except NotPortableError as error:
            if self._is_strict:
                raise
            refused = {loss.tool for loss in error.losses}
            left = [contract for contract in contracts if qualified_name(contract) not in refused]
            if len(left) == len(contracts):
                raise
            warnings.warn(
                ToolLeftOutWarning(f"{error.message}; not offered: {', '.join(sorted(refused))}"), stacklevel=2
            )
            return self._convert(left)


def _with_use(contract: ToolContract) -> ToolContract:
    if not contract.use_when:
        return contract
    return replace(
        contract, description="\n".join(filter(None, [contract.description, f"Use when {contract.use_when}."]))
    )
