"""Create a tool from a Python function."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Literal

from mcp_contracts.contract import Effects, ToolContract
from mcp_contracts.diagnostics import Place
from mcp_contracts.errors import UsageError
from mcp_contracts.records import dataclass
from mcp_contracts.runtime.functions.binding import Binding, bind
from mcp_contracts.runtime.functions.contracts import Words, function_contract
from mcp_contracts.runtime.functions.docstrings import read_docstring
from mcp_contracts.runtime.functions.parameters import place_of, plain_function, signature_of

_NOWHERE = Place("<python>", 1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class PythonTool:
    """A tool defined in Python: the contract of its function, and the function bound to it."""

    contract: ToolContract
    binding: Binding


@dataclass(frozen=True, slots=True)
class FunctionLocator:
    """Locates every pointer of a schema that was derived from a function at the function itself."""

    function_place: Place

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        """Return the place of the function."""
        return self.function_place


def python_tool(
    function: Callable[..., object],
    *,
    name: str | None = None,
    version: str | None = None,
    title: str | None = None,
    description: str | None = None,
    status: str | None = None,
    effects: Effects | None = None,
    category: str | None = None,
    tags: Sequence[str] = (),
    optional: bool | None = None,
    use_when: str | None = None,
    channels: Sequence[str] = (),
    idempotent: Literal["yes", "no", "conditional"] | None = None,
) -> PythonTool:
    """Create a tool from a function: schemas from its type hints, texts from its docstring.

    `name` defaults to `module.function`, `version` is a semantic version, `status` one of `experimental`, `stable` and
    `deprecated`. A return value that is not an object is put under `result`. Raises UsageError if the function or one
    of these values cannot be used.
    """
    binding = bind(function, None)  # first, to reject objects that cannot be called at all
    signature = signature_of(binding.function)
    place = place_of(binding.function) or _NOWHERE
    words = Words(
        name=name,
        version=version,
        title=title,
        description=description,
        status=status,
        effects=effects,
        category=category,
        tags=tags,
        optional=optional,
        use_when=use_when,
        channels=channels,
        idempotent=idempotent,
    )
    written_name = "" if name is not None else _qualified_name(binding.function)
    documentation = read_docstring(_docstring(binding.function))
    contract, wraps_result = function_contract(
        signature, documentation, written_name, place, FunctionLocator(place), words
    )
    return PythonTool(contract, bind(binding.function, contract, wraps_result=wraps_result))


def _qualified_name(function: Callable[..., object]) -> str:
    own = getattr(function, "__name__", None)
    if not isinstance(own, str) or own == "<lambda>":
        kind = "a lambda" if own == "<lambda>" else f"an object of type `{type(function).__name__}`"
        raise UsageError(f"{kind} has no name to call the tool by", hint='give it one: `name="module.tool"`')
    module = getattr(function, "__module__", None) or ""
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
