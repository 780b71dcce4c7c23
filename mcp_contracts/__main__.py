"""`python -m mcp_contracts` is `mcp-contracts`."""

from mcp_contracts.cli.main import main

if __name__ == "__main__":
    main()
