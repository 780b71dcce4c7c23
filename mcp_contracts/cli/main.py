"""The entry point: what must be instant is done here, the rest is imported when it is needed."""

from __future__ import annotations

import sys


def main() -> None:
    """Run `mcp-contracts` with the process's arguments, and exit."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from mcp_contracts import __version__

        print(f"mcp-contracts {__version__}")
        return
    from mcp_contracts.cli.app import run  # click and all commands

    sys.exit(run(sys.argv[1:]))
