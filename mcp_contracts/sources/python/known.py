"""The types that annotations may name although the code does not define them: Python's and pydantic's.

They are looked up in a fixed list of modules, which are imported here. The code that is read is never imported."""

from __future__ import annotations

import builtins
from functools import lru_cache
from importlib import import_module

_MODULES = frozenset(
    (
        *("builtins", "typing", "typing_extensions", "collections", "collections.abc", "datetime", "decimal", "uuid"),
        *("enum", "fractions", "ipaddress", "numbers", "pathlib", "re", "types", "dataclasses", "annotated_types"),
        *("pydantic", "pydantic.types", "pydantic.networks", "pydantic.fields", "pydantic.dataclasses"),
        "pydantic.functional_validators",
    )
)
_OWN = {
    "ToolContext": "mcp_contracts.runtime.context",
    "Image": "mcp_contracts.runtime.blocks",
    "Audio": "mcp_contracts.runtime.blocks",
    "Progress": "mcp_contracts.runtime.context",
    "NoChangeNeeded": "mcp_contracts.runtime.outcomes",
    "PartialSuccess": "mcp_contracts.runtime.outcomes",
    "MCPToolResult": "mcp_contracts.messages",
    "JsonValue": "mcp_contracts.contract",
    "Effects": "mcp_contracts.contract",
}
_SERVERS = ("mcp.", "fastmcp.")
"""Packages whose `Context` is passed by the server, not by the call."""

TYPES_OF_VALUES = frozenset(
    (
        *("datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta", "decimal.Decimal", "uuid.UUID"),
        *("pathlib.Path", "pathlib.PurePath", "pathlib.PurePosixPath", "builtins.frozenset", "builtins.set"),
        *("builtins.list", "builtins.dict", "builtins.tuple"),
    )
)
"""The callables that a default may use."""
METADATA = frozenset(
    (
        *("pydantic.Field", "pydantic.fields.Field", "pydantic.StringConstraints", "pydantic.WithJsonSchema"),
        *("pydantic.Discriminator", "pydantic.Tag", "pydantic.Strict", "typing_extensions.Doc"),
        *("pydantic.conint", "pydantic.confloat", "pydantic.constr", "pydantic.conlist", "pydantic.conset"),
        *(f"annotated_types.{name}" for name in ("Ge", "Gt", "Le", "Lt", "Len", "MinLen", "MaxLen", "MultipleOf")),
        *("annotated_types.Interval", "annotated_types.Timezone", "pydantic.ConfigDict", "dataclasses.field"),
    )
)
"""Functions that may be called in an annotation or in the body of a class."""
VALIDATORS = frozenset(("AfterValidator", "BeforeValidator", "WrapValidator"))
"""Functions that change values but not their schema."""


@lru_cache(maxsize=1024)
def find_known(path: str) -> object | None:
    """Return the object at a full path, or None if it is unknown."""
    module, _, name = path.rpartition(".")
    if path.startswith("mcp_contracts."):
        return getattr(import_module(_OWN[name]), name) if name in _OWN else None
    if path.startswith(_SERVERS):
        return find_known("mcp_contracts.ToolContext") if name == "Context" else None
    if module not in _MODULES:
        return None
    if module == "typing" and name in ("TypedDict", "NamedTuple"):
        module = "typing_extensions"  # pydantic reads it on every version of Python
    if module == "builtins" and not isinstance(getattr(builtins, name, None), type):
        return None
    found: object = getattr(import_module(module), name, None)
    if found is None and module == "typing":
        found = getattr(import_module("typing_extensions"), name, None)
    return type(None) if path == "types.NoneType" else found
