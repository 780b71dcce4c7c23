"""The definitions at the top of Python modules: classes, aliases and constants, as syntax."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from mcp_contracts.records import dataclass
from mcp_contracts.sources.python.modules import Names, ReadModule

_BRANCHES = (ast.If, ast.Try, ast.With)


@dataclass(frozen=True, slots=True)
class ModuleDefinition:
    """A class or an assigned expression, and its module."""

    path: str
    module: ReadModule
    node: ast.ClassDef | ast.expr


class Index:
    """The classes and assignments of some modules by their full paths."""

    def __init__(self, modules: Iterable[ReadModule], names: Names) -> None:
        self._names = names
        self._defined: dict[str, ModuleDefinition] = {}
        for module in modules:
            for name, node in _definitions(module.tree.body, ""):
                path = f"{module.name}.{name}"
                self._defined[path] = ModuleDefinition(path, module, node)

    def path_of(self, module: ReadModule, words: Sequence[str]) -> str | None:
        """Return the full path of a dotted name in a module, with all imports resolved; None if it is unknown."""
        return self._names.path_of(module, words)

    def get(self, path: str) -> ModuleDefinition | None:
        """Return the definition at a path, if one of the modules has it."""
        return self._defined.get(path)


def _definitions(body: Sequence[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.ClassDef | ast.expr]]:
    """Yield the classes and assignments of a body, including those in classes and branches."""
    stack = [(statement, prefix) for statement in reversed(body)]
    while stack:
        node, inside = stack.pop()
        if isinstance(node, ast.ClassDef):
            yield f"{inside}{node.name}", node
            stack += [(inner, f"{inside}{node.name}.") for inner in reversed(node.body)]
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            yield f"{inside}{node.targets[0].id}", node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            yield f"{inside}{node.target.id}", node.value
        elif type(node).__name__ == "TypeAlias":  # since Python 3.12
            yield f"{inside}{node.name.id}", node.value  # type: ignore[attr-defined]  # as the statement has them
        elif isinstance(node, _BRANCHES):
            stack += [(inner, inside) for inner in reversed(node.body)]
