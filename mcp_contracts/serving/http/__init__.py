"""The HTTP side of a server: access checks, MCP, and a plain interface for callers that do not speak MCP."""
