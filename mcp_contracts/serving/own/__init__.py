"""The tools of mcp-contracts itself, by its own specification."""
