"""Tools of a live MCP server."""
