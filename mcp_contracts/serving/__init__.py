"""Contracts that run as a server: MCP over stdio and HTTP, a plain HTTP interface, mocks, and our own tools."""
