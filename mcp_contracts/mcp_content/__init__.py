"""MCP's content blocks, read as results and written from them."""
