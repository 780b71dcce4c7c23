"""The limits of MCP clients."""

from __future__ import annotations

from mcp_contracts.providers.limits.provider import Basis, NameLimit, Provider, Target

MCP_2025_11_25 = Target("mcp-2025-11-25", "clients of that revision of MCP")
MCP_2026_07_28 = Target("mcp-2026-07-28", "clients of that revision of MCP")
_BOTH = (MCP_2025_11_25, MCP_2026_07_28)

MCP = Provider(
    "mcp",
    _BOTH,
    tool_names=NameLimit(Basis("MCP", _BOTH, "documented", "MCP 2025-11-25, server/tools, Tool Names"), "_-.", 128),
)

OUTPUT_ROOT = Basis("MCP 2025-11-25", (MCP_2025_11_25,), "documented", "MCP 2025-11-25, server/tools")
"""Requires `"type": "object"` at the root of an output schema."""

HEADER_ANNOTATION = Basis(
    "MCP 2026-07-28", (MCP_2026_07_28,), "documented", "MCP 2026-07-28, server/tools and transports (SEP-2243)"
)
"""Reads `x-mcp-header`, and drops a tool that misuses it."""

HEADER_KEYWORD = "x-mcp-header"
HEADER_TYPES = ("string", "integer", "boolean")
"""The types of a property that can be mirrored in a header."""
