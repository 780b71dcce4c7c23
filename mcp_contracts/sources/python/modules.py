"""Finds Python modules by name or path, and resolves the names in them, without running them."""

from __future__ import annotations

import ast
import builtins
import logging
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_contracts import lazy_re as re
from mcp_contracts.errors import UsageError
from mcp_contracts.implementation import CodeFault
from mcp_contracts.parsing.discovery import MAX_FILE_SIZE, Unreadable, read_text, show
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.records import dataclass
from mcp_contracts.rule_names import nearest

if TYPE_CHECKING:
    import griffe

_ROOTS = (".", "src")
_MODULE_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
_PACKAGE = "__init__.py"
_NEVER = frozenset(("__pycache__", "node_modules", "site-packages"))
_MAXIMUM_MODULES = 2_000
_MAXIMUM_DEPTH = 32
_MOST_EFFORT = 8_000_000  # 4,000 constants in a row, or 10,000 functions
_EFFORT_OF_FUNCTION = 800
_MAXIMUM_STEPS = 32  # from an imported name to its definition
_BUILTINS = frozenset(dir(builtins))


@dataclass(frozen=True, slots=True)
class ModuleFile:
    """A module that was found: its dotted name, as in an import, and its file."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class ReadModule:
    """A module that was read: its text, its syntax tree, and its names from griffe."""

    name: str
    source: SourceText
    tree: ast.Module
    names: griffe.Module


def find_modules(named: Iterable[str], *, written: str = "--implementation ") -> tuple[ModuleFile, ...]:
    """Return the modules that some names or paths refer to, each once, in order of name and path.

    A dotted name is searched below the working directory, then below `src/`; a package or a folder means all its
    modules. Installed packages are never searched, because a linter checks the current project. `written` is the prefix
    of a name on the command line. Raises `UsageError` if it finds nothing, or far more files than a project has.
    """
    found: dict[str, ModuleFile] = {}
    for name in named:
        for module in _modules(name, written):
            found.setdefault(os.path.abspath(module.path), module)
            if len(found) > _MAXIMUM_MODULES:
                raise UsageError(
                    f"`{written}{show(name)}` contains more than {_MAXIMUM_MODULES:,} modules",
                    hint="pass the packages that contain the tools' functions",
                )
    return tuple(sorted(found.values(), key=lambda module: (module.name, str(module.path))))


def _modules(name: str, written: str) -> Iterator[ModuleFile]:
    path = locate(name, Path(), written=written)
    if path.is_dir():
        prefix = name if _is_dotted(name) else _dotted_name(path)
        files = list(_below(path, prefix, 0))
        if not files:
            raise UsageError(
                f"`{show(name)}` contains no Python module", hint="pass a module, a package or a `.py` file"
            )
        yield from files
    else:
        yield ModuleFile(name if _is_dotted(name) and not name.endswith(".py") else _dotted_name(path), path)


def _is_dotted(name: str) -> bool:
    return _MODULE_NAME.fullmatch(name) is not None and not name.endswith(".py")


def locate(name: str, folder: Path, *, written: str) -> Path:
    """Return the file or folder that a name refers to, below a folder. Raises `UsageError` if it does not exist."""
    if "\0" in name or not name:
        raise UsageError(f"`{written.strip()}` does not name a module", hint=f"write `{written}package.module`")
    if _is_dotted(name):
        for root in _ROOTS:
            base = folder.joinpath(root, *name.split("."))
            for path in (base / _PACKAGE, base.with_name(f"{base.name}.py"), base):
                if path.is_file() or (path is base and base.is_dir()):
                    return base if path.name == _PACKAGE else path
    path = folder / name
    if os.path.exists(path) and (path.is_dir() or path.suffix == ".py"):
        return path
    if os.path.exists(path):
        raise UsageError(f"`{show(name)}` is not a Python file", hint="pass a module, a package or a `.py` file")
    if "/" in name or os.sep in name or name.endswith(".py"):
        raise UsageError(f"`{show(name)}`: no such file or directory", hint="check the spelling of the path")
    raise UsageError(f"no module named `{show(name)}` here or in `src/`", hint=_suggestion(name, folder, written))


def _suggestion(name: str, folder: Path, written: str) -> str:
    first = re.split(r"[./\\]", name)[0]
    beside: set[str] = set()
    for root in _ROOTS:
        try:
            beside.update(
                entry.name.removesuffix(".py") for entry in os.scandir(folder / root) if _may_be_module(entry)
            )
        except OSError:
            continue
    near = nearest(first, beside - {first})
    if near is not None:
        return f"did you mean `{near}`?"
    return f"run it in the project's root, or pass the file: `{written}path/to/module.py`"


def _may_be_module(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(".py") or (entry.name.isidentifier() and entry.is_dir())


def _below(folder: Path, prefix: str, depth: int) -> Iterator[ModuleFile]:
    """Yield the modules of a folder and its subfolders. Links to folders are not followed, which avoids cycles."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    if depth and any(entry.name == "pyvenv.cfg" for entry in found):
        return
    for entry in found:
        name = entry.name
        inner = f"{prefix}.{name.removesuffix('.py')}" if prefix else name.removesuffix(".py")
        if entry.is_dir(follow_symlinks=False):
            if not name.startswith(".") and name not in _NEVER and depth < _MAXIMUM_DEPTH:
                yield from _below(folder / name, inner, depth + 1)
        elif name == _PACKAGE:
            yield ModuleFile(prefix or folder.absolute().name, folder / name)
        elif name.endswith(".py"):
            yield ModuleFile(inner, folder / name)


def _dotted_name(path: Path) -> str:
    """Return the name of a module with its packages; empty for a folder that is not a package."""
    absolute = path.absolute()
    parts = [] if absolute.name == _PACKAGE else [absolute.stem if path.suffix == ".py" else absolute.name]
    if path.is_dir() and not (absolute / _PACKAGE).is_file():
        return ""
    for parent in absolute.parents:
        if not (parent / _PACKAGE).is_file():
            break
        parts.append(parent.name)
    return ".".join(reversed(parts))


def read_module(file: ModuleFile, *, limit: int = MAX_FILE_SIZE) -> ReadModule | CodeFault:
    """Read a module, or return the reason why it cannot be read. Never raises, regardless of the content."""
    text = read_text(file.path, limit=limit)
    if isinstance(text, Unreadable):
        fault = text.fault
        return CodeFault(fault.message, fault.place, fault.hint)
    path = show(file.path)
    source = SourceText.of(path, text)
    try:
        with silence_griffe():
            tree = ast.parse(source.body)
            if _effort(tree) > _MOST_EFFORT:
                message = "the file defines too many names to be read"
                return CodeFault(message, source.place(0, 0, 0), "split it into several modules")
            return ReadModule(file.name, source, tree, _names(file, source.body))
    except SyntaxError as error:
        row = min(max((error.lineno or 1) - 1, 0), len(source.lines) - 1)
        start = min(max((error.offset or 1) - 1, 0), len(source.lines[row]))
        reason = (error.msg or "invalid syntax").partition(". ")[0]  # the rest differs between versions
        message = f"the module cannot be read: {reason.lower()}"
        return CodeFault(message, source.place(row, start, start), "fix the syntax")
    except (RecursionError, MemoryError):
        return CodeFault("the module cannot be read: it is nested too deeply", source.place(0, 0, 0))
    except Exception as error:  # third-party code over arbitrary text: no file may end a lint
        reason = str(error).lower() if isinstance(error, ValueError) else f"griffe fails with {type(error).__name__}"
        return CodeFault(f"the module cannot be read: {reason}", source.place(0, 0, 0))


def _effort(tree: ast.Module) -> int:
    """Estimate the work of griffe, which is constant for a function, and proportional to the statements after it for an
    assignment.
    """
    effort = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            effort += _EFFORT_OF_FUNCTION
        body = getattr(node, "body", ())
        if isinstance(body, list):
            count = len(body)
            effort += sum(
                count - row for row, inner in enumerate(body) if isinstance(inner, ast.Assign | ast.AnnAssign)
            )
    return effort


def _names(file: ModuleFile, text: str) -> griffe.Module:
    """Return the names of a module. Its packages are only included by name, for relative imports."""
    import griffe  # slow to import, and only an implementation needs it

    *packages, own = file.name.split(".")
    parent: griffe.Module | None = None
    for package in packages:
        parent = griffe.Module(package, filepath=file.path.parent / _PACKAGE, parent=parent)
    return griffe.visit(own, file.path, text, parent=parent, extensions=griffe.Extensions())


@contextmanager
def silence_griffe() -> Iterator[None]:
    """Silence griffe's log and the compiler's warnings, which do not concern a lint."""
    logger = logging.getLogger("griffe")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


class Names:
    """The meaning of names across the modules that were read."""

    def __init__(self, modules: Iterable[ReadModule]) -> None:
        self._modules: Mapping[str, griffe.Module] = {module.name: module.names for module in modules}
        self._stars: dict[str, tuple[str, ...]] = {}

    def path_of(self, module: ReadModule, words: Sequence[str]) -> str | None:
        """Return the full path of a dotted name at the top of a module: its definition or its import.

        A builtin is `builtins.str`. None if it is unknown.
        """
        import griffe  # see _names

        first, *rest = words
        try:
            path = module.names.resolve(first)
        except griffe.NameResolutionError:
            star = self._by_star(module.names, first)
            if star is None and first not in _BUILTINS:
                return None
            path = star or f"builtins.{first}"
        return self._follow_imports(".".join((path, *rest)))

    def has_stars(self, module: ReadModule) -> bool:
        """Whether `from … import *` brings names into a module, some of which may be unknown."""
        return bool(self._stars_of(module.names))

    def definition(self, path: str) -> griffe.Object | None:
        """Return the object that is defined at a path, or imported to it, if one of the modules contains it."""
        found = self._member(self._follow_imports(path))
        return None if found is None or found.is_alias else found  # type: ignore[return-value]  # not an alias, so an object

    def _by_star(self, names: griffe.Module, name: str) -> str | None:
        """Return the full path of a name that `from … import *` brings into a module, if that module was read."""
        if name.startswith("_"):
            return None
        for star in self._stars_of(names):
            imported = names.members[star]
            if imported.is_alias:
                path = f"{imported.target_path}.{name}"  # type: ignore[union-attr]  # aliases have it
                if self._member(path) is not None:
                    return path
        return None

    def _stars_of(self, names: griffe.Module) -> tuple[str, ...]:
        """Return the members of a module that represent `from … import *`."""
        if names.path not in self._stars:
            self._stars[names.path] = tuple(member for member in names.members if member.endswith("/*"))
        return self._stars[names.path]

    def _follow_imports(self, path: str) -> str:
        """Return a path with all imports of the read modules resolved."""
        for _ in range(_MAXIMUM_STEPS):
            found = self._member(path)
            if found is None or not found.is_alias or found.target_path == path:  # type: ignore[union-attr]  # aliases have it
                break
            path = found.target_path  # type: ignore[union-attr]  # see above
        return path

    def _member(self, path: str) -> griffe.Object | griffe.Alias | None:
        words = path.split(".")
        for split in range(len(words) - 1, 0, -1):
            here: griffe.Object | griffe.Alias | None = self._modules.get(".".join(words[:split]))
            if here is None:
                continue
            for word in words[split:]:
                if here is None or here.is_alias:
                    return None
                here = here.members.get(word)
            return here
        return None
