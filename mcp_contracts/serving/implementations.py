"""The functions behind a specification: imports a module, whose registry or functions answer the calls."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType

from mcp_contracts.contract import Contracts, ToolContract
from mcp_contracts.diagnostics import Place
from mcp_contracts.errors import UsageError
from mcp_contracts.implementation import Function, Implementation, Mark, match_functions
from mcp_contracts.records import dataclass, field
from mcp_contracts.runtime.registry import ToolRegistry
from mcp_contracts.sources.python.modules import find_modules
from mcp_contracts.tool_names import qualified_name

_SHOWN_TOOLS = 5
_OWN_PACKAGE = __name__.partition(".")[0]


@dataclass(frozen=True, slots=True)
class ImplementedTools:
    """A registry whose tools have functions, and the names of the tools to serve (None: all). `files` are the files
    that were read.
    """

    registry: ToolRegistry
    only: frozenset[str] | None = None
    files: tuple[Path, ...] = field(default=(), repr=False)


def load_tools(contracts: Contracts | None, named: Sequence[str]) -> ImplementedTools:
    """Return the tools of some contracts with the functions of modules.

    A module is named as for `lint --implementation` (`weather.tools`, `src/weather/tools.py`), or as `module:name` for
    a registry in it, or for a function without parameters that returns one. Without a name, the module's own registry
    is used if it has one; otherwise its functions are matched to the contracts by their names, as `lint` does.

    Raises `UsageError` if a module cannot be imported, or a contract has no function.
    """
    registry, modules = None, []
    for name in named:
        module_name, colon, attribute = name.rpartition(":")
        if not attribute.isidentifier() or not colon:
            module_name, colon, attribute = name, "", ""
        imported = list(_import_modules(module_name))
        modules += imported
        if colon:
            registry = _join(registry, _named_registry(imported, name, attribute), name)
        else:
            for found in _registries(imported):
                registry = _join(registry, found, name)
    files = tuple(Path(module.__file__) for module in modules if module.__file__)
    if registry is None:
        if contracts is None:
            raise UsageError(
                f"`{named[0]}` has no registry", hint="name the specification as well, or `module:registry`"
            )
        registry = _bind(contracts, modules)
    elif contracts is not None:
        registry.add(contracts)
    only = None if contracts is None else frozenset(qualified_name(contract) for contract in contracts)
    _require_functions(registry, only, named)
    return ImplementedTools(registry, only, files)


def forget_modules(folder: Path) -> None:
    """Forget the imported modules of a project, so that they are imported anew. Modules from elsewhere are kept. The
    bytecode is removed as well, because Python considers it current after an edit within a second that keeps the size
    of the file.
    """
    root = os.path.join(os.path.realpath(folder), "")

    @cache
    def is_inside(parent: str) -> bool:
        path = os.path.join(os.path.realpath(parent), "")
        return path.startswith(root) and f"{os.sep}site-packages{os.sep}" not in path

    for name, module in tuple(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if not file or name == "__main__" or name.partition(".")[0] == _OWN_PACKAGE:
            continue
        if is_inside(os.path.dirname(os.path.realpath(file) if os.path.islink(file) else file)):
            del sys.modules[name]
            if file.endswith(".py"):
                with suppress(OSError):
                    os.remove(importlib.util.cache_from_source(file))
    importlib.invalidate_caches()


def _import_modules(named: str) -> Iterator[ModuleType]:
    """Import the modules that a name or a path refers to, found as in `lint`, or installed ones by name."""
    try:
        files = find_modules([named])
    except UsageError:
        if not all(part.isidentifier() for part in named.split(".")) or not _is_installed(named):
            raise
        yield _import(named)
        return
    for file in files:
        if file.path.name == "__main__.py":
            continue
        root = _root_of(file.path)
        if str(root) not in sys.path:
            sys.path.insert(0, str(root))
        parts = file.path.resolve().relative_to(root).with_suffix("").parts
        yield _import(".".join(parts[:-1] if parts[-1] == "__init__" else parts))


def _is_installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name.partition(".")[0]) is not None
    except (ImportError, ValueError):
        return False


def _root_of(path: Path) -> Path:
    """Return the folder from which a file is imported: the parent of its outermost package."""
    folder = path.resolve().parent
    here = Path.cwd().resolve()
    for root in (here / "src", here):
        inner = folder.relative_to(root).parts if folder.is_relative_to(root) else None
        if inner is not None and all(part.isidentifier() for part in inner):
            return root
    while (folder / "__init__.py").exists():
        folder = folder.parent
    return folder


def _import(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # whatever the code of a module does
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename]
        own = [frame for frame in frames if not frame.filename.startswith(os.path.dirname(__file__))]
        at = f" ({os.path.relpath(own[-1].filename)}:{own[-1].lineno})" if own else ""
        message = f"`{name}` cannot be imported: {type(error).__name__}: {error}{at}"
        raise UsageError(message, hint="fix it, and run `python -c 'import …'` to see the whole traceback") from error


# Registries


def _named_registry(modules: Iterable[ModuleType], name: str, attribute: str) -> ToolRegistry:
    found = next((vars(module)[attribute] for module in modules if attribute in vars(module)), None)
    if found is None:
        raise UsageError(f"`{name}`: the module has no `{attribute}`", hint="name a registry of the module")
    if callable(found) and not isinstance(found, ToolRegistry):
        try:
            found = found()
        except Exception as error:
            raise UsageError(f"`{name}` raised {type(error).__name__}: {error}") from error
    if not isinstance(found, ToolRegistry):
        raise UsageError(
            f"`{name}` is of type `{type(found).__name__}`",
            hint="name a `ToolRegistry`, or a function without parameters that returns one",
        )
    return found


def _registries(modules: Iterable[ModuleType]) -> list[ToolRegistry]:
    found: list[ToolRegistry] = []
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, ToolRegistry) and not any(value is one for one in found):
                found.append(value)
    return found


def _join(first: ToolRegistry | None, second: ToolRegistry, name: str) -> ToolRegistry:
    if first is not None and first is not second:
        raise UsageError(
            f"`{name}` has more than one registry", hint="name the one to use: `--implementation module:registry`"
        )
    return second


# Functions by their names


def _bind(contracts: Contracts, modules: Sequence[ModuleType]) -> ToolRegistry:
    functions = {
        (module.__name__, name): function for module in modules for name, function in _public_functions(module)
    }
    place = Place("", 1, 1, 1, 1)
    known = tuple(Function(name, place, module, Mark.NAME) for module, name in functions)
    pairs = match_functions(contracts, Implementation(functions=known)).tools
    registry = ToolRegistry(contracts)
    for pair in pairs:
        function = functions[pair.function.module, pair.function.name]
        registry.implement(qualified_name(pair.contract), version=pair.contract.version)(function)
    return registry


def _public_functions(module: ModuleType) -> Iterator[tuple[str, Callable[..., object]]]:
    exports = getattr(module, "__all__", None)
    for name, value in vars(module).items():
        is_public = name in exports if exports is not None else not name.startswith("_")
        is_own = exports is not None or getattr(value, "__module__", None) == module.__name__
        if is_public and is_own and callable(value) and not inspect.isclass(value):
            yield name, value


def _require_functions(registry: ToolRegistry, only: frozenset[str] | None, named: Sequence[str]) -> None:
    missing = [one.name for one in _without_function(registry) if only is None or one.name in only]
    if not missing:
        return
    shown = ", ".join(f"`{name}`" for name in missing[:_SHOWN_TOOLS])
    more = f" and {len(missing) - _SHOWN_TOOLS} more" if len(missing) > _SHOWN_TOOLS else ""
    where = ", ".join(f"`{name}`" for name in named)
    function = missing[0].rpartition(".")[2]
    raise UsageError(
        f"no function implements {shown}{more} in {where}",
        hint=f'define `{function}` there, or decorate its function with `@registry.implement("{missing[0]}")`',
    )


def _without_function(registry: ToolRegistry) -> Iterator[ToolContract]:
    for contract in registry.tools(implemented=False):
        if not any(contract in registry.tools(channel=channel, implemented=True) for channel in contract.channels):
            yield contract
