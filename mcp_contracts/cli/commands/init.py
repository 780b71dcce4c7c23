"""`mcp-contracts init`: an initial configuration with comments and, with `--github`, a workflow."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

from mcp_contracts.cli.command_line.parameters import Argument, Option, command_app
from mcp_contracts.config.files import find_config_file
from mcp_contracts.errors import UsageError
from mcp_contracts.parsing.discovery import show
from mcp_contracts.reporting.visible import visible
from mcp_contracts.version import __version__
from mcp_contracts.writing.files import write_atomically

_CONFIGURATION = Path("mcp-contracts.yaml")
_WORKFLOW = Path(".github", "workflows", "mcp-contracts.yml")

_CONFIGURATION_TEXT = """\
# Settings of mcp-contracts. Remove the `#` before a key to set it; each line shows an example.
# `mcp-contracts lint --show-settings` prints the settings that apply.

# What `lint` and `diff --against` read: specifications, folders and tool lists.
paths: [{paths}]

# Files and folders to skip, as in .gitignore.
# exclude: ["**/drafts/"]

# Rules not to run, by code, code prefix, or name. `mcp-contracts rules` lists them.
# ignore: [MC305]

# The severity of a rule: error, warning, note or off.
# severity: {{MC404: error}}

# Findings to count and hide, so that only new ones fail: `mcp-contracts lint --write-baseline FILE` writes the file.
# baseline: mcp-contracts-baseline.json

# The providers that the tools are exported to: openai, openai-strict, anthropic, gemini, mcp.
# targets: [openai]

# Fail if there are more warnings than this.
# max_warnings: 0

# diff:
#   against: origin/main   # what `mcp-contracts diff` compares with if no revision is given
#   policy: declared       # or sets, strict
"""

_WORKFLOW_TEXT = """\
# Lints the tools of each pull request, and reports changes that break their callers.
name: mcp-contracts
on: pull_request
permissions:
  contents: read
  pull-requests: write # for the comment
jobs:
  contracts:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0 # the base branch and the released versions, to compare with
      - uses: mcp-contracts/mcp-contracts@v{version}
"""


@command_app(
    "Write a configuration for the specifications in specs/: init",
    "Write one for two folders, and a workflow for GitHub: init specs/ tools/ --github",
)
def app(
    paths: Annotated[
        list[str] | None, Argument("[PATH]...", "The folders and files to check (default: specs, if it exists).")
    ] = None,
    github: Annotated[
        bool, Option("--github", f"Also write {_WORKFLOW.as_posix()}, which checks pull requests.")
    ] = False,
) -> int:
    """Write an initial configuration, mcp-contracts.yaml, into the working directory.

    An existing file is never overwritten.
    """
    named = paths or ["specs" if os.path.isdir("specs") else "."]
    for path in named:
        if not os.path.exists(path):
            raise UsageError(
                f"`{visible(path)}`: no such file or directory", hint="pass an existing path, or create it first"
            )
    found = find_config_file(Path.cwd())
    if found is not None and found.path.parent == Path.cwd():
        raise UsageError(f"`{show(found.path)}` is already a configuration file", hint="edit it, or remove it first")
    texts = {_CONFIGURATION: _CONFIGURATION_TEXT.format(paths=", ".join(map(_quote, named)))}
    if github:
        texts[_WORKFLOW] = _WORKFLOW_TEXT.format(version=__version__)
    for file in texts:
        if os.path.lexists(file):
            raise UsageError(f"`{show(file)}` already exists", hint="edit it, or remove it first")
    for file, text in texts.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, text)
        print(f"wrote {show(file)}")
    print("next: `mcp-contracts lint`")
    return 0


def _quote(path: str) -> str:
    """Return a path as a JSON string, which is also valid YAML."""
    return json.dumps(path, ensure_ascii=False)
