"""The tools of a weather service."""

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("weather")


@mcp.tool()
def find_places(*names: str) -> list[str]:
    """Find the places that have one of some names.

    Args:
        names: The names, in any language.
    """
    return list(names)
