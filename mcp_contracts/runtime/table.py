"""The table of registered tools, replaced as a whole so that calls read it without a lock."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping

from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UnknownToolError, UsageError
from mcp_contracts.runtime.arguments import PayloadBounds
from mcp_contracts.runtime.telemetry.events import ToolsChanged
from mcp_contracts.runtime.tools import Family, Handler, Tool, family, tool_of, with_handler
from mcp_contracts.tool_names import nearest_names, qualify

MOST_VERSIONS = 200
"""Maximum number of versions of one tool in a registry; a range is compared with each of them."""


class ToolTable:
    """Tools by their dotted names. `families` is replaced at every change and never modified."""

    __slots__ = ("_bounds", "_disabled", "_lock", "families")

    def __init__(self, bounds: PayloadBounds) -> None:
        self._bounds = bounds
        self._lock = threading.Lock()
        self._disabled: dict[str, Family] = {}
        self.families: Mapping[str, Family] = {}

    def defaults(self) -> Iterator[Tool]:
        """Yield each tool in its default version, sorted by name."""
        return (held.default for _, held in sorted(self.families.items()))

    def add(self, tools: Iterable[tuple[ToolContract, Handler | None]], *, replace: bool) -> ToolsChanged:
        """Add tools, some with their function: all of them, or none if it raises `UsageError`."""
        given = list(tools)
        contracts = qualify(contract for contract, _ in given)
        with self._lock:
            touched: dict[str, dict[str | None, Tool]] = {}
            for contract, (_, handler) in zip(contracts, given, strict=True):
                if contract.name in self._disabled:
                    raise UsageError(f"`{contract.name}` is disabled", hint="enable it before you change it")
                held = touched.get(contract.name)
                if held is None:
                    before = self.families.get(contract.name)
                    held = {} if before is None else {tool.contract.version: tool for tool in before.tools}
                same = held.pop(contract.version, None)
                if same is not None:
                    if not replace:
                        is_same = all(
                            getattr(same.contract, field) == getattr(contract, field)
                            for field in ("input_schema", "output_schema", "source_name")
                        )
                        if is_same and handler is None:
                            held[contract.version] = same
                            continue
                        raise _clash(same.contract, contract)
                elif held:
                    _refuse_other_source(next(iter(held.values())).contract, contract)
                tool = tool_of(contract, self._bounds)
                held[contract.version] = tool if handler is None else with_handler(tool, None, handler)
                if len(held) > MOST_VERSIONS:
                    raise UsageError(
                        f"`{contract.name}` has more than {MOST_VERSIONS} versions",
                        hint="leave out versions that have no callers",
                    )
                touched[contract.name] = held
            self.families = {**self.families, **{name: family(held.values()) for name, held in touched.items()}}
        return ToolsChanged(added=tuple(sorted(touched)))

    def remove(self, name: str, version: str | None) -> ToolsChanged:
        """Remove a tool, or one version of it. Raises `UsageError` if it is not registered."""
        with self._lock:
            if version is None and self._disabled.pop(name, None) is not None:
                return ToolsChanged()
            held = self.family_of(name)
            kept = [tool for tool in held.tools if version is not None and tool.contract.version != version]
            if len(kept) == len(held.tools):
                raise UsageError(f"`{name}` has no version `{version}`", hint=_hint_of_versions(held))
            families = dict(self.families)
            del families[name]
            if kept:
                families[name] = family(kept)
            self.families = families
        return ToolsChanged(removed=(name,))

    def disable(self, name: str) -> ToolsChanged:
        """Hide a tool, which keeps its versions and functions. Raises `UnknownToolError`."""
        with self._lock:
            if name in self._disabled:
                return ToolsChanged()
            families = dict(self.families)
            self._disabled[name] = self.family_of(name)
            del families[name]
            self.families = families
        return ToolsChanged(removed=(name,))

    def enable(self, name: str) -> ToolsChanged:
        """Show a tool again. Raises `UnknownToolError`."""
        with self._lock:
            if name not in self._disabled:
                self.family_of(name)
                return ToolsChanged()
            self.families = {**self.families, name: self._disabled.pop(name)}
        return ToolsChanged(added=(name,))

    def find(self, name: str, version: str | None) -> tuple[Tool, ...]:
        """Return the versions that a range allows, or the newest one. Raises `UsageError` if no version matches."""
        held = self.family_of(name)
        if version is None:
            return held.tools[:1]
        try:
            found = held.fitting(version)
        except ValueError as error:
            raise UsageError(str(error), hint="write a range such as `^1.2`, `1.x` or `>=1.2 <2`") from error
        if not found:
            raise UsageError(f"no version of `{name}` matches `{version}`", hint=_hint_of_versions(held))
        return found

    def implement(
        self,
        name: str,
        version: str | None,
        channel: str | None,
        handler: Callable[[ToolContract], Handler],
        *,
        replace: bool = False,
    ) -> None:
        """Assign a function to the versions that a range allows, or to the newest one. Raises `UsageError`."""
        with self._lock:
            served = {
                tool.contract.version: with_handler(tool, channel, handler(tool.contract), replaces=replace)
                for tool in self.find(name, version)
            }
            tools = (served.get(tool.contract.version, tool) for tool in self.families[name].tools)
            self.families = {**self.families, name: family(tools)}

    def family_of(self, name: str) -> Family:
        """Return all versions of a tool. Raises `UnknownToolError`."""
        held = self.families.get(name)
        if held is not None:
            return held
        if name in self._disabled:
            raise UnknownToolError(f"`{name}` is disabled", hint="enable it first: `registry.enable(…)`")
        near = nearest_names(str(name), self.families, limit=1)
        hint = f"did you mean `{near[0]}`?" if near else "add its contract first: `registry.add(load(…))`"
        raise UnknownToolError(f"unknown tool `{str(name)[:200]}`", hint=hint)


def _clash(one: ToolContract, other: ToolContract) -> UsageError:
    stated = f" {one.version}" if one.version is not None else ""
    places = f"`{one.place.path}:{one.place.line}` and `{other.place.path}:{other.place.line}`"
    return UsageError(
        f"two contracts are named `{one.name}`{stated}, in {places}",
        hint="give one of them a different version, or pass `replace=True` to replace the old one",
    )


def _refuse_other_source(one: ToolContract, other: ToolContract) -> None:
    if (one.source_name or one.name) != (other.source_name or other.name):
        raise UsageError(
            f"`{one.source_name or one.name}` and `{other.source_name or other.name}` would both be `{one.name}`",
            hint="rename one of them, or load it under another module",
        )


def _hint_of_versions(held: Family) -> str:
    is_or_are = "is" if len(held.tools) == 1 else "are"
    return f"there {is_or_are} " + ", ".join(f"`{tool.contract.version or 'unversioned'}`" for tool in held.tools)
