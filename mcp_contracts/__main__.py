"""`python -m mcp_contracts` is `mcp-contracts`."""

import os
import sys

# `python -m` looks for every module in the working folder first, so a `yaml.py` among the files that are linted would
# run. Nothing is taken from there, unless this package itself lies there.
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if not sys.flags.safe_path and sys.path and os.path.abspath(sys.path[0]) != _OWN:
    del sys.path[0]

from mcp_contracts.cli.main import main  # noqa: E402  # only now is it safe to import

if __name__ == "__main__":
    main()
