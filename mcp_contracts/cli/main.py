"""The entry point: handles instant requests itself, and imports everything else on demand."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Run `mcp-contracts` with the process's arguments, and exit."""
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        from mcp_contracts.version import __version__

        try:
            print(f"mcp-contracts {__version__}", flush=True)
            return
        except OSError:  # the command reports that standard output is closed
            pass
    if arguments in ([], ["--help"], ["-h"]):
        from mcp_contracts.cli.command_line.front_page import COMPLETION, front_page, help_width

        if COMPLETION not in os.environ:
            try:
                print(front_page(help_width()), flush=True)
                sys.exit(0 if arguments else 2)  # as `app.run` does without arguments
            except OSError:  # as above
                pass
    gc.disable()  # imported modules contain no garbage; `run` collects again
    gc.set_threshold(20_000, 20, 20)  # most objects live until the end of the run, so collections free little
    code = _repeat(arguments)
    if code is None:
        from mcp_contracts.cli.app import run  # not needed by instant requests

        code = run(arguments)
    if arguments[:1] in (["lint"], ["diff"]) and "threading" not in sys.modules:
        # Nothing is running and everything is written: tearing down the modules takes a tenth of a run.
        for stream in (sys.stdout, sys.stderr):
            try:  # noqa: SIM105  # `contextlib` takes as long to import as all that is instant here
                stream.flush()
            except (OSError, ValueError, AttributeError):  # closed, or without a reader
                pass
        os._exit(code)
    sys.exit(code)


def _repeat(arguments: list[str]) -> int | None:
    """Print the cached output of the same command line, and return its exit code; None if it has to run."""
    from mcp_contracts.cli.repeating import answer

    try:
        known = answer(arguments)
        if known is None:
            return None
        from mcp_contracts.cli.output import write_output

        code, output = known
        write_output(output)
    except BaseException as error:
        from mcp_contracts.cli.app import fail  # reports the errors of all commands

        return fail(error)
    return code
