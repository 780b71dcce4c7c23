"""The lock: the committed tool lists of servers, as a bundle with digests, and the drift since then."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import cast

from mcp_contracts.bundle import BundleTool, to_bundle
from mcp_contracts.contract import Contracts, JsonValue, ToolContract, ToolListFile
from mcp_contracts.errors import UsageError
from mcp_contracts.files.hashing import sha256
from mcp_contracts.records import dataclass, replace
from mcp_contracts.reporting.visible import json_text
from mcp_contracts.sources.tool_lists import read_tool_list

LOCK_FILE = "tools.lock.json"
_WRITE_AGAIN = "write it again with `mcp-contracts lock`, and review what changed"


@dataclass(frozen=True, slots=True)
class LockedServer:
    """A server of a lock. `source` tells people how it was reached; `file` contains its tools, sorted by name."""

    name: str
    source: str
    version: str | None
    file: ToolListFile

    @property
    def tools(self) -> list[BundleTool]:
        """Its tools in the lock, without digests."""
        return to_bundle(Contracts((self.file,)))["tools"]


@dataclass(frozen=True, slots=True)
class Drift:
    """The differences between a lock and its servers, besides their tools: one sentence each."""

    sentences: tuple[str, ...]
    has_tools: bool
    """Whether the tools of any server differ."""
    has_servers: bool
    """Whether the servers of the lock differ from those of this run."""

    def __bool__(self) -> bool:
        return bool(self.sentences) or self.has_tools


def locked_server(name: str, source: str, version: str | None, file: ToolListFile) -> LockedServer:
    """Return a server in its current state, with its tools under its name and sorted."""
    tools = sorted(file.contracts, key=lambda tool: (tool.name, json.dumps(tool.input_schema, sort_keys=True)))
    contracts = tuple(replace(tool, module=name) for tool in tools)
    return LockedServer(name, source, version, replace(file, module=name, contracts=contracts))


def lock_text(servers: Sequence[LockedServer]) -> str:
    """Return the content of a lock: the same bytes for the same servers, in any order."""
    ordered = sorted(servers, key=lambda server: server.name)
    entries: list[JsonValue] = []
    tools: list[JsonValue] = []
    for server in ordered:
        held = server.tools
        entry: dict[str, JsonValue] = {"name": server.name, "source": server.source}
        if server.version is not None:
            entry["version"] = server.version
        entries.append({**entry, "tools": len(held), "digest": _digest(list(held))})
        tools += [cast("dict[str, JsonValue]", {**tool, "digest": _digest(tool)}) for tool in held]
    bundle = to_bundle(Contracts())
    return json_text({"format": bundle["format"], "version": bundle["version"], "servers": entries, "tools": tools})


def read_lock(path: str, text: str) -> tuple[LockedServer, ...]:
    """Return the servers of a lock. Raises UsageError for a file that is not a lock, or was changed by hand."""
    file = read_tool_list(path, text)
    if file.faults:
        fault = file.faults[0]
        raise UsageError(f"`{path}`, line {fault.place.line}: {fault.message}", hint=_WRITE_AGAIN)
    entries = _objects(json.loads(text.removeprefix("\ufeff")), "servers")
    servers = tuple(_read_servers(path, entries, file))
    if not entries or sum(len(server.file.contracts) for server in servers) != len(file.contracts):
        raise UsageError(f"`{path}` is not a lock file", hint=_WRITE_AGAIN)
    return servers


def _read_servers(path: str, entries: Sequence[dict[str, JsonValue]], file: ToolListFile) -> Iterator[LockedServer]:
    start = 0
    for entry in entries:
        name, source, version, count = (entry.get(key) for key in ("name", "source", "version", "tools"))
        if not isinstance(name, str) or not isinstance(count, int) or count < 0:
            raise UsageError(f"`{path}` is not a lock file", hint=_WRITE_AGAIN)
        held = file.contracts[start : start + count]
        start += count
        server = LockedServer(
            name,
            source if isinstance(source, str) else "",
            version if isinstance(version, str) else None,
            replace(file, module=name, contracts=held),
        )
        if entry.get("digest") != _digest(list(server.tools)):
            raise UsageError(
                f"the digest of `{name}` in `{path}` does not match its tools: the file was changed by hand",
                hint=_WRITE_AGAIN,
            )
        yield server


def drift_between(locked: Sequence[LockedServer], live: Sequence[LockedServer]) -> Drift:
    """Return the differences between servers and lock, except tool changes, which a comparison shows."""
    before, now = ({server.name: server for server in side} for side in (locked, live))
    sentences = [f"`{name}` is not in the lock file" for name in now if name not in before]
    sentences += [
        f"`{name}` is in the lock file, but not among the servers of this run" for name in before.keys() - now
    ]
    has_servers = bool(sentences)
    both = [(before[name], now[name]) for name in before if name in now]
    sentences += [
        f"`{new.name}` reports version {new.version or 'none'}, but version {old.version or 'none'} is locked"
        for old, new in both
        if old.version != new.version
    ]
    return Drift(tuple(sorted(sentences)), any(old.tools != new.tools for old, new in both), has_servers)


def contracts_of(servers: Sequence[LockedServer], *, is_qualified: bool) -> Contracts:
    """Return the tools of some servers; with `is_qualified`, each is named `server.tool`, so that names are unique."""
    files = (server.file for server in servers)
    return Contracts(
        tuple(replace(file, contracts=tuple(map(_qualify, file.contracts))) for file in files)
        if is_qualified
        else tuple(files)
    )


def _qualify(tool: ToolContract) -> ToolContract:
    return replace(tool, name=f"{tool.module}.{tool.name}", source_name=tool.name)


def _digest(value: object) -> str:
    as_read = json.loads(json_text(value))  # writing converts lone surrogates to other text
    text = json.dumps(as_read, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _objects(document: JsonValue, key: str) -> list[dict[str, JsonValue]]:
    found = document.get(key) if isinstance(document, dict) else None
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []
