"""Live MCP servers as sources: how to reach, start, list and stop them."""
