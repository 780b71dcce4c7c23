"""The tools of mcp-contracts itself, described by its own specification."""
