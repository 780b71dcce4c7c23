"""The entry point: what must be instant is done here, the rest is imported when it is needed."""

from __future__ import annotations

import os
import sys
from contextlib import suppress


def main() -> None:
    """Run `mcp-contracts` with the process's arguments, and exit."""
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        from mcp_contracts.version import __version__

        with suppress(OSError):  # the command says what is wrong with standard output
            print(f"mcp-contracts {__version__}", flush=True)
            return
    if arguments in ([], ["--help"], ["-h"]):
        from mcp_contracts.cli.front_page import COMPLETION, front_page, help_width

        with suppress(OSError):  # as above
            if COMPLETION not in os.environ:
                print(front_page(help_width()), flush=True)
                sys.exit(0 if arguments else 2)  # as `app.run` does without arguments
    from mcp_contracts.cli.app import run  # what runs commands, which nothing instant needs

    sys.exit(run(sys.argv[1:]))
