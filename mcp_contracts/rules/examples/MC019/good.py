"""The tools of a weather service."""

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("weather")
DAYS = 3


@mcp.tool()
def count_days(days: int = DAYS) -> int:
    """Count the days of the next forecast.

    Args:
        days: How many days to look ahead.
    """
    return days
