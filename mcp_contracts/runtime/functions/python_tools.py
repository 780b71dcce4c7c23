"""Create a tool from a Python function."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Literal

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Effects, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.fixed_places import NOWHERE, FixedLocator
from mcp_contracts.parsing.tool_entries import effects_of, idempotent_of, text_member
from mcp_contracts.records import dataclass
from mcp_contracts.runtime.functions.binding import Binding, bind
from mcp_contracts.runtime.functions.contracts import StatedProperties, function_contract
from mcp_contracts.runtime.functions.docstrings import read_docstring
from mcp_contracts.runtime.functions.parameters import place_of, plain_function, signature_of

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
    name: str | None = None,
    version: str | None = None,
    title: str | None = None,
    description: str | None = None,
    status: str | None = None,
    effects: Effects | None = None,
    category: str | None = None,
    tags: Sequence[str] | set[str] = (),
    optional: bool | None = None,
    use_when: str | None = None,
    channels: Sequence[str] = (),
    idempotent: Literal["yes", "no", "conditional"] | None = None,
    annotations: object = None,
) -> PythonTool:
    """Create a tool from a function: schemas from its type hints, texts from its docstring.

    `name` defaults to that of the function; without a dot it is put under `module`, which defaults to the function's.
    `version` is a semantic version, `status` one of `experimental`, `stable` and `deprecated`, and `annotations` are
    those of MCP, which the other values take precedence over. A return value that is not an object is put under
    `result`. Raises UsageError if the function or one of these values cannot be used.
    """
    hints = _hints(annotations)
    binding = bind(function, None)  # first, to reject objects that cannot be called at all
    signature = signature_of(binding.function)
    place = place_of(binding.function) or NOWHERE
    words = StatedProperties(
        name=None if _is_bare(name) else name,
        version=version,
        title=title or text_member(hints, "title"),
        description=description,
        status=status,
        effects=effects_of(hints) if effects is None else effects,
        category=category,
        tags=tags,
        optional=optional,
        use_when=use_when,
        channels=channels,
        idempotent=idempotent_of(hints.get("idempotentHint")) if idempotent is None else idempotent,
    )
    written_name = "" if words["name"] is not None else _qualified_name(binding.function, module, name)
    documentation = read_docstring(_docstring(binding.function))
    contract, wraps_result = function_contract(
        signature, documentation, written_name, place, FixedLocator(place), words
    )
    return PythonTool(contract, bind(binding.function, contract, wraps_result=wraps_result))


def _hints(annotations: object) -> dict[str, Any]:
    """Return MCP's annotations of a tool, given as a mapping or as the SDK's object."""
    if annotations is None:
        return {}
    dumped = getattr(annotations, "model_dump", None)
    hints = dumped(by_alias=True, exclude_none=True) if callable(dumped) else annotations
    if not isinstance(hints, Mapping):
        raise UsageError(f"`annotations` cannot be {hints!r}", hint='write it as `{"readOnlyHint": True}`')
    return dict(hints)


def _is_bare(name: object) -> bool:
    """Whether a name has no dot, and is put under that of a module."""
    return isinstance(name, str) and _BARE_NAME.fullmatch(name) is not None


def _qualified_name(function: Callable[..., object], module: str | None, name: str | None) -> str:
    own = getattr(function, "__name__", None) if name is None else name
    if not isinstance(own, str) or own == "<lambda>":
        kind = "a lambda" if own == "<lambda>" else f"an object of type `{type(function).__name__}`"
        raise UsageError(f"{kind} has no name to call the tool by", hint='give it one: `name="module.tool"`')
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
