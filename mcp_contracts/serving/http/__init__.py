"""The HTTP side of a server: who may come in, MCP, and a plain interface for callers that speak none."""
