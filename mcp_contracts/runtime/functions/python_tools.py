"""Create a tool from a Python function."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any, Unpack

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.fixed_places import NOWHERE, FixedLocator
from mcp_contracts.parsing.tool_entries import effects_of, idempotent_of, text_member
from mcp_contracts.records import dataclass
from mcp_contracts.runtime.functions.binding import Binding, bind
from mcp_contracts.runtime.functions.contracts import function_contract
from mcp_contracts.runtime.functions.docstrings import read_docstring
from mcp_contracts.runtime.functions.parameters import place_of, plain_function, signature_of
from mcp_contracts.runtime.tools import ToolFacts

_BARE_NAME = re.compile(r"[A-Za-z0-9_-]{1,128}")  # as in MCP


@dataclass(frozen=True, slots=True)
class PythonTool:
    """A tool defined in Python: the contract of its function, and the function bound to it."""

    contract: ToolContract
    binding: Binding


def python_tool(
    function: Callable[..., object],
    *,
    module: str | None = None,
    **facts: Unpack[ToolFacts],
) -> PythonTool:
    """Create a tool from a function: schemas from its type hints, descriptions from its docstring.

    `name` defaults to the function's name; without a dot, it is put under `module`, which defaults to the function's
    module. A return value that is not an object is put under `result`. Raises UsageError if the function or one of its
    facts cannot be used.
    """
    hints = _hints(facts.get("annotations"))
    binding = bind(function, None)  # first, to reject objects that cannot be called at all
    signature = signature_of(binding.function)
    place = place_of(binding.function) or NOWHERE
    name = facts.get("name")
    written_name = ""
    if name is None or (isinstance(name, str) and _BARE_NAME.fullmatch(name)):
        written_name = _qualified_name(binding.function, module, name)
        facts["name"] = None
    facts["title"] = facts.get("title") or text_member(hints, "title")
    if facts.get("effects") is None:
        facts["effects"] = effects_of(hints)
    if facts.get("idempotent") is None:
        facts["idempotent"] = idempotent_of(hints.get("idempotentHint"))
    documentation = read_docstring(_docstring(binding.function))
    contract, wraps_result = function_contract(
        signature, documentation, written_name, place, FixedLocator(place), facts
    )
    return PythonTool(contract, bind(binding.function, contract, wraps_result=wraps_result))


def _hints(annotations: object) -> dict[str, Any]:
    """Return the MCP annotations of a tool, given as a mapping or as the SDK's object."""
    if annotations is None:
        return {}
    dumped = getattr(annotations, "model_dump", None)
    hints = dumped(by_alias=True, exclude_none=True) if callable(dumped) else annotations
    if not isinstance(hints, Mapping):
        raise UsageError(f"`annotations` cannot be {hints!r}", hint='write it as `{"readOnlyHint": True}`')
    return dict(hints)


def _qualified_name(function: Callable[..., object], module: str | None, name: str | None) -> str:
    own = getattr(function, "__name__", None) if name is None else name
    if not isinstance(own, str) or own == "<lambda>":
        kind = "a lambda" if own == "<lambda>" else f"an object of type `{type(function).__name__}`"
        raise UsageError(f"{kind} has no name for the tool", hint='give it one: `name="module.tool"`')
    if module is not None:
        return f"{module}.{own}"
    module = str(getattr(function, "__module__", None) or "")
    if module == "__main__":
        place = place_of(function)
        module = "" if place is None or place.path.startswith("<") else PurePosixPath(place.path).stem
    return f"{module.rpartition('.')[2] or 'main'}.{own}"


def _docstring(function: Callable[..., object]) -> str | None:
    """Return the docstring of the function, or of the class of a callable object whose `__call__` has none."""
    own = getattr(plain_function(function), "__doc__", None)
    while isinstance(function, functools.partial):
        function = function.func
    return own if isinstance(own, str) or hasattr(function, "__name__") else type(function).__doc__
