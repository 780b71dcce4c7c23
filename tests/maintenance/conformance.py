"""Run MCP's official conformance suite against `mcp-contracts serve`: `python -m tests.maintenance.conformance`.

Requires Node.js 22 or newer and downloads the suite with `npx`. Another command that runs the suite can be passed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "conformance"
SERVE = (sys.executable, "-m", "mcp_contracts", "serve", str(FOLDER / "tools.json"))
FUNCTIONS = ("--implementation", str(FOLDER / "conformance_tools.py"))
SUITE = ("npx", "--yes", "@modelcontextprotocol/conformance")
SCENARIOS = (
    "server-initialize",
    "ping",
    "logging-set-level",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-logging",
    "tools-call-error",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "json-schema-2020-12",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
)
"""The scenarios about tools and the transport; our server has no prompts, resources and completions, and
resumes no stream (`server-sse-polling`)."""
_PASSED = re.compile(r"Passed: (\d+)/(\d+), (\d+) failed")


def main(suite: tuple[str, ...]) -> int:
    """Run each scenario, print a line for it, and return 0 if all checks passed."""
    failed = 0
    server = subprocess.Popen(
        [*SERVE, *FUNCTIONS, "--transport", "http", "--port", "0", "--no-access-log"], stderr=subprocess.PIPE, text=True
    )
    try:
        assert server.stderr is not None
        started = next(line for line in server.stderr if line.startswith("serving "))
        url = started.split()[-1].replace("127.0.0.1", "localhost")
        for scenario in SCENARIOS:
            command = [*suite, "server", "--url", url, "--scenario", scenario]
            output = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120).stdout
            found = _PASSED.search(output)
            is_passed = found is not None and found[1] == found[2] != "0"
            failed += not is_passed
            print(
                f"{'passed' if is_passed else 'FAILED'}  {scenario}  {found[0] if found else 'no result'}", flush=True
            )
    finally:
        server.terminate()
        server.communicate()
    print(f"{len(SCENARIOS) - failed} of {len(SCENARIOS)} scenarios passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:]) or SUITE))
