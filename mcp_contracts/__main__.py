"""`python -m mcp_contracts` is `mcp-contracts`."""

import os
import sys

# `python -m` searches the working directory first, so a `yaml.py` among the linted files would be executed. Remove that
# folder from the path, unless this package is in it.
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if not sys.flags.safe_path and sys.path and os.path.abspath(sys.path[0]) != _OWN:
    del sys.path[0]

from mcp_contracts.cli.main import main  # noqa: E402  # only now is it safe to import

if __name__ == "__main__":
    main()
