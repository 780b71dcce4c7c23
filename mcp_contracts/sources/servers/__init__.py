"""Live MCP servers as sources: how one is reached, started, listed and stopped."""
