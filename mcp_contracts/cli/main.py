"""The entry point: what must be instant is done here, the rest is imported when it is needed."""

from __future__ import annotations

import sys
from contextlib import suppress


def main() -> None:
    """Run `mcp-contracts` with the process's arguments, and exit."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from mcp_contracts import __version__

        with suppress(OSError):  # the command says what is wrong with standard output
            print(f"mcp-contracts {__version__}", flush=True)
            return
    from mcp_contracts.cli.app import run  # typer, which nothing instant needs

    sys.exit(run(sys.argv[1:]))
