"""The check that the keys of a Python value are strings, as in JSON."""

from __future__ import annotations

from mcp_contracts.errors import UsageError


def check_keys(value: object, name: str) -> None:
    """Raise UsageError if an object inside a value has a key that is not a string, unlike any object in JSON."""
    pending = [value]
    seen = set()
    while pending:
        item = pending.pop()
        if not isinstance(item, dict | list) or id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, list):
            pending.extend(item)
            continue
        for key in item:
            if not isinstance(key, str):
                message = f"`{name}` has the key `{key!r}`, which is not a string"
                raise UsageError(message, hint="JSON requires strings as keys")
        pending.extend(item.values())
