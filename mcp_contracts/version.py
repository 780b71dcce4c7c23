"""The version of mcp-contracts."""

__version__ = "0.1.0"
