"""How findings name a place in a schema: `filter.tags[].name` rather than a pointer."""

from __future__ import annotations

from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import unescape
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.vocabulary import Effect, names
from mcp_contracts.schema.walk import MAPS

_DEFINITIONS = names(Effect.NAMES, holds="map")
_ITEMS = names(Effect.INSIDE, of="array", holds="one")
_MEMBERS = frozenset(names(Effect.INSIDE, of="object", holds="one")) - {"propertyNames"}


@lru_cache(maxsize=500)  # several rules name the same places
def name_of(pointer: str) -> str | None:
    """Return the dotted name of the property, item or definition that a pointer leads to, or None for the root."""
    tokens = pointer.split("/")[1:]
    name = ""
    index = 0
    while index < len(tokens):
        token = tokens[index]
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if token in MAPS and following is not None:
            step = unescape(following)
            name = step if token in _DEFINITIONS or not name else f"{name}.{step}"
            index += 2
        elif token == "prefixItems" and following is not None:
            name += f"[{following}]"
            index += 2
        else:
            name += "[]" if token in _ITEMS else ".*" if token in _MEMBERS else ""
            index += 1
    return show(name.removeprefix(".")) or None


def of_place(pointer: str) -> str:
    """Name the owner of a keyword: " of `filter.tags`", or "" for the root."""
    name = name_of(pointer)
    return f" of `{name}`" if name is not None else ""


def within(pointer: str) -> str:
    """Return the place of a fault, to append to a statement: " in `filter.tags`", or nothing for the root."""
    name = name_of(pointer)
    return f" in `{name}`" if name is not None else ""


def texts(value: JsonValue) -> bool:
    """Whether a description or title says something."""
    return isinstance(value, str) and bool(value.strip())


def fold_name(name: str) -> str:
    """Return a name without the marks of its style: `user_id`, `user-id` and `userId` are the same."""
    return name.replace("_", "").replace("-", "").casefold()


def words_of(name: str) -> list[str]:
    """Return the words of a name, in lowercase."""
    parted = name if name.islower() else re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    return parted.replace("-", "_").split("_")
