"""The definitions at the top of Python modules: classes, aliases and constants, as syntax."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mcp_contracts.records import dataclass
from mcp_contracts.sources.python.modules import ReadModule

_BRANCHES = (ast.If, ast.Try, ast.With)


@dataclass(frozen=True, slots=True)
class ModuleDefinition:
    """A class or an assigned expression, and its module."""

    path: str
    module: ReadModule
    node: ast.ClassDef | ast.expr


def definitions_in(modules: Iterable[ReadModule]) -> dict[str, ModuleDefinition]:
    """Return the classes and assignments of some modules, by their full paths."""
    found = ((module, f"{module.name}.{name}", node) for module in modules for name, node in _definitions(module))
    return {path: ModuleDefinition(path, module, node) for module, path, node in found}


def _definitions(module: ReadModule) -> Iterator[tuple[str, ast.ClassDef | ast.expr]]:
    """Yield the classes and assignments of a module, including those in classes and branches."""
    stack = [(statement, "") for statement in reversed(module.tree.body)]
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
