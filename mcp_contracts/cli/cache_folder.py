"""The folder of the cache: the option, the environment, or the user's cache folder."""

from __future__ import annotations

import os
import sys

VARIABLE = "MCP_CONTRACTS_CACHE_DIR"


def cache_folder(named: str | None, *, is_off: bool = False) -> str | None:
    """Return the folder of the cache, or None if none can be used."""
    if is_off:
        return None
    return named or os.environ.get(VARIABLE) or _users_folder()


def _users_folder() -> str | None:
    """Return the folder for caches according to the conventions of the system, or None without a home folder."""
    if sys.platform == "win32":
        above = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        above = os.path.expanduser("~/Library/Caches")
    else:
        above = os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(above):  # the specification says to ignore such a path
            above = os.path.expanduser("~/.cache")
    return os.path.join(above, "mcp-contracts") if os.path.isabs(above) else None
