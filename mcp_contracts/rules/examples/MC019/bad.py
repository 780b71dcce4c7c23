"""The tools of a weather service."""

import os

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("weather")


@mcp.tool()
def count_days(days: int = int(os.environ["DAYS"])) -> int:
    """Count the days of the next forecast.

    Args:
        days: How many days to look ahead.
    """
    return days
