"""`mcp-contracts cache`: remove what earlier runs cached."""

from __future__ import annotations

from typing import Annotated, Literal

from mcp_contracts.cli.cache_folder import cache_folder
from mcp_contracts.cli.command_line.parameters import Argument, command_app
from mcp_contracts.cli.options import CacheFolder
from mcp_contracts.errors import UsageError
from mcp_contracts.files.cache import remove_cache
from mcp_contracts.parsing.discovery import show
from mcp_contracts.reporting.visible import visible


@command_app(
    "Remove the cache: cache clean",
)
def app(
    action: Annotated[Literal["clean"], Argument("clean", "Remove the cache of `lint` and `diff`.")],
    cache_dir: CacheFolder = None,
) -> int:
    """Remove the cache of `lint` and `diff`."""
    folder = cache_folder(cache_dir)
    if folder is None:
        raise UsageError("the user's cache folder cannot be determined", hint="pass one with `--cache-dir DIR`")
    size = remove_cache(folder)
    shown = visible(show(folder))
    print(f"no cache found in `{shown}`" if size is None else f"removed {size:,} bytes from `{shown}`")
    return 0
