"""Run the tools of a specification: `python examples/registry_from_spec.py`."""

from pathlib import Path

from mcp_contracts import ToolError, ToolRegistry

registry = ToolRegistry.from_specs(Path(__file__).parents[1] / "specs" / "weather")
KNOWN = {"name": "Oslo", "country": "NO", "latitude": 59.91, "longitude": 10.75}


@registry.implement("weather.get_forecast")
def get_forecast(place: str, country: str | None, days: int, units: str) -> dict[str, object]:
    """Return the data that section 4 of the specification describes; defaults come from section 3."""
    if place != "Oslo":
        raise ToolError("ResourceNotFound", f"no place is named {place}", {"candidates": ["Oslo, NO"]})
    rain = {"summary": "Rain", "temperature_min": 2, "temperature_max": 5, "wind_speed": 4}
    if days == 13:
        return {"forecast": "unlucky"}  # not what the specification promises, so the caller never sees it
    forecast = [{"date": f"2026-11-{22 + day}", **rain, "precipitation_probability": 90} for day in range(days)]
    return {"place": KNOWN, "issued_at": "2026-11-22T06:00:00Z", "units": units, "days": forecast}


for name, arguments in (
    ("weather.get_forecast", {"place": "Oslo", "days": 1}),
    ("weather.get_forecast", {"place": "", "days": "two", "when": "now"}),
    ("weather.get_forecast", {"place": "Oslø"}),
    ("weather.get_forecast", {"place": "Oslo", "days": 13}),
    ("weather.get_forcast", {"place": "Oslo"}),
    ("weather.get_alerts", {"area": "NO"}),
):
    result = registry.call({"tool_name": name, "arguments": arguments})
    print(name, arguments)
    if result.error is None:
        print(f"  {result.status}: {result.data}")
    else:
        print(f"  {result.status}: {result.error.error_type}: {result.error.error_message}")
        details = result.error.error_details
        for fault in details.get("faults", ()) if isinstance(details, dict) else ():
            print(f"    {fault['pointer'] or '/'}: {fault['message']}")
