"""Earlier revisions of paths, for `diff` and `lint --against`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mcp_contracts.cli.output import say
from mcp_contracts.config import Config
from mcp_contracts.contract import Contracts
from mcp_contracts.reporting.visible import visible
from mcp_contracts.sources.table import source_of

if TYPE_CHECKING:
    from mcp_contracts.checks.remembered_contracts import ContractMemory  # a plain lint compares nothing
    from mcp_contracts.sources.git import Revision


def existing_paths(paths: Sequence[str], revision: Revision) -> tuple[str, ...]:
    """Return the paths without those that were removed since the revision."""
    return tuple(path for path in paths if os.path.lexists(path) or path in revision.missing)


def read_revision(ref: str, paths: Sequence[str], config: Config, memory: ContractMemory) -> Revision:
    """Return the contents of paths at a git revision."""
    from mcp_contracts.sources.git import load_revision  # starts processes

    then = [source_of(path).past_path(path) for path in paths]
    size = config.limits.max_file_size
    revision = load_revision(ref, then, max_file_size=size, is_excluded=config.is_excluded, read=memory.read)
    for name in revision.submodules:
        message = f"note: `{visible(name)}` is a submodule, whose files at `{visible(ref)}` were not read"
        say(f"{message}\n  help: run `mcp-contracts diff` inside it")
    for missing in revision.missing:
        say(f"note: `{visible(missing)}` did not exist at `{visible(ref)}`, so all its tools are new")
    for file in revision.contracts.files:
        if not file.contracts and not file.faults:
            say(f"note: `{visible(file.path)}` had no tools at that revision")
    return revision


def read_releases(paths: Sequence[str], config: Config, memory: ContractMemory) -> tuple[Contracts, ...]:
    """Return the contents of paths at the last releases."""
    from mcp_contracts.sources.git_releases import load_releases  # starts processes

    size = config.limits.max_file_size
    return load_releases(paths, max_file_size=size, is_excluded=config.is_excluded, read=memory.read)
