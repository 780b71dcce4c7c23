"""The words that the rules recognize: supported versions, states, effects, error types, units."""

from __future__ import annotations

SUPPORTED_PROTOCOLS = ("1.0.0",)
"""The versions of the specification format that are read; the newest last."""

FRONT_MATTER_KEYS = ("module", "version", "protocol", "owner")
"""The keys of the front matter that are read."""

STATES = ("experimental", "stable", "deprecated")
"""The possible values of `**Status**`."""

STATE_SYNONYMS = {
    "active": "stable",
    "alpha": "experimental",
    "beta": "experimental",
    "draft": "experimental",
    "ga": "stable",
    "legacy": "deprecated",
    "live": "stable",
    "obsolete": "deprecated",
    "preview": "experimental",
    "production": "stable",
    "released": "stable",
    "retired": "deprecated",
    "unstable": "experimental",
}
"""Other words that people write for one of `STATES`."""

EFFECTS = ("read-only", "additive", "destructive", "open-world", "closed-world")
"""The possible values of `**Effects**`."""

EFFECT_SYNONYMS = {
    "create": "additive",
    "delete": "destructive",
    "external": "open-world",
    "idempotent": "",
    "local": "closed-world",
    "mutating": "destructive",
    "network": "open-world",
    "none": "read-only",
    "read": "read-only",
    "safe": "read-only",
    "write": "destructive",
}
"""Other words that people write for one of `EFFECTS`; empty where the word belongs elsewhere."""

STANDARD_ERROR_TYPES = (
    "ValidationError",
    "FileNotFoundError",
    "AuthenticationError",
    "ResourceNotFound",
    "ToolExecutionError",
    "ApiLimitExceeded",
    "TimeoutError",
    "PermissionError",
)
"""The error types of the protocol, as in `messages`, which is slow to import; a test compares the two."""

UNITS = (
    {"ms": "ms", "millis": "ms", "milliseconds": "ms", "s": "s", "sec": "s", "secs": "s", "seconds": "s",
     "minutes": "min", "mins": "min", "hours": "h", "days": "d", "weeks": "w", "months": "mo", "years": "y"},
    {"bytes": "B", "kb": "kB", "kilobytes": "kB", "kib": "kB", "mb": "MB", "megabytes": "MB", "mib": "MB",
     "gb": "GB", "gigabytes": "GB"},
    {"g": "g", "grams": "g", "kg": "kg", "kilograms": "kg", "mg": "mg", "milligrams": "mg", "pounds": "lb",
     "lbs": "lb"},
    {"mm": "mm", "millimetres": "mm", "millimeters": "mm", "cm": "cm", "centimetres": "cm", "centimeters": "cm",
     "metres": "m", "meters": "m", "km": "km", "kilometres": "km", "kilometers": "km",
     "miles": "mi", "feet": "ft", "inches": "in"},
    {"celsius": "C", "fahrenheit": "F", "kelvin": "K"},
    {"percent": "%", "pct": "%"},
    {"degrees": "°", "radians": "rad"},
    {"pixels": "px", "px": "px"},
    {"cents": "ct", "cent": "ct", "euro": "EUR", "euros": "EUR", "dollars": "USD", "usd": "USD", "eur": "EUR"},
)  # fmt: skip
"""The units of measures: each name with the symbol of its unit."""
