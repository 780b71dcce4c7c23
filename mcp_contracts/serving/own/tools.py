"""Lint, diff, explain, scaffold and fix as tools, which coding agents call while they write specifications."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from mcp_contracts.checks.catalog import catalog, known_codes
from mcp_contracts.checks.diff import diff as compare
from mcp_contracts.checks.fixing import fix_spec
from mcp_contracts.checks.lint import lint as check
from mcp_contracts.config import Config
from mcp_contracts.config.files import find_config_file
from mcp_contracts.config.reading import load_config
from mcp_contracts.contract import Contracts
from mcp_contracts.diagnostics import RuleSelection
from mcp_contracts.errors import ContractError, SourceError
from mcp_contracts.files.trees import is_in_git_folder, is_inside, repository_of
from mcp_contracts.messages import MCPToolResult, ResultStatus, ToolError
from mcp_contracts.parsing.discovery import SPEC_NAME, Unreadable, read_text, show
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.reporting.rules.listing import rule_values
from mcp_contracts.rule_names import rule_prefix, rule_suggestion
from mcp_contracts.rules.listing import known_rules
from mcp_contracts.runtime.registry import ToolRegistry
from mcp_contracts.serving.implementations import ImplementedTools
from mcp_contracts.sources.load import find_all, load
from mcp_contracts.sources.paths import NamedFile
from mcp_contracts.sources.source import Found, read_found
from mcp_contracts.tool_names import nearest_names
from mcp_contracts.writing import new_tool
from mcp_contracts.writing.files import replace_file
from mcp_contracts.writing.specs import add_tool


class Confinement:
    """A folder, which is also the working directory of the process, so that all paths are relative to it."""

    def __init__(self, root: Path) -> None:
        self.root = os.path.realpath(root)

    def path(self, named: str) -> Path:
        """Return a path inside the folder, which need not exist. Raises `ToolError` for any other."""
        if "\0" in named or named.startswith("~"):
            raise ToolError("PermissionError", "the path is outside the root folder", {"path": named})
        path = Path(self.root, named)
        if not is_inside(path, self.root) or is_in_git_folder(path):
            raise ToolError("PermissionError", "the path is outside the root folder", {"path": named})
        return Path(os.path.relpath(os.path.normpath(path), self.root))

    def existing(self, named: str) -> Path:
        """Return an existing path inside the folder. Raises `ToolError`."""
        path = self.path(named)
        if not os.path.lexists(Path(self.root, path)):
            raise ToolError("FileNotFoundError", "no such file or folder", {"path": named})
        return path

    def config(self, named: str | None = None) -> Config:
        """Return the configuration of the folder: a named file, or the folder's own. Parent folders are not read."""
        if named is not None:
            return load_config(Path(self.root), known=known_rules(), file=self.existing(named))
        found = find_config_file(Path(self.root))
        if found is None or not is_inside(found.path, self.root):
            return Config(None, Path(self.root))
        return load_config(Path(self.root), known=known_rules())

    def found(self, named: Sequence[str], config: Config) -> list[Found]:
        """Return the files that paths refer to. Raises `ToolError` for files outside the folder."""
        paths = [str(self.existing(one)) for one in named] or self._list_configured_paths(config)
        found = find_all(paths, is_excluded=config.is_excluded, max_file_size=config.limits.max_file_size)
        return list(self._inside(found))

    def contracts(self, named: Sequence[str], config: Config) -> Contracts:
        """Return the contracts of paths. Raises `ToolError` if no file can be read."""
        files = tuple(read_found(self.found(named, config), max_file_size=config.limits.max_file_size))
        if not files:
            raise ToolError("ResourceNotFound", "no specification was found", {"paths": list(named)})
        return Contracts(files)

    def revision(self, revision: str, named: Sequence[str], config: Config) -> Contracts:
        """Return the contracts that paths had at a git revision. Raises `ToolError`.

        The folder must be the root of a repository, because a link in a revision may lead anywhere in the repository.
        """
        if repository_of(self.root) != self.root:
            raise ToolError("PermissionError", "the root folder is not the root of a git repository")
        paths = [str(self.path(one)) for one in named] or self._list_configured_paths(config)
        sources = [f"git:{revision}:{Path(path).as_posix()}" for path in paths]
        found = find_all(sources, max_file_size=config.limits.max_file_size)
        return Contracts(tuple(read_found(found, max_file_size=config.limits.max_file_size)))

    def _list_configured_paths(self, config: Config) -> list[str]:
        if config.path is None:
            return ["."]
        return [str(self.existing(path)) for path in config.paths] or ["."]

    def _inside(self, found: Iterable[Found]) -> Iterator[Found]:
        for one in found:
            if not isinstance(one, NamedFile) or is_inside(one.path, self.root):
                yield one


_PACKAGE = Path(__file__).parents[2]
_P = ParamSpec("_P")
_Result = TypeVar("_Result")


def contracts() -> Contracts:
    """Return the contracts of our own tools: from the wheel or, in a checkout, from the specifications."""
    inside = Path(__file__).with_name(SPEC_NAME)
    return load(inside if inside.is_file() else _PACKAGE.parent / "specs" / "mcp_contracts" / SPEC_NAME)


def own_tools(root: Path) -> ImplementedTools:
    """Return our own tools, confined to a folder that is the working directory of the process."""
    tools = _OwnTools(Confinement(root))
    registry = ToolRegistry(contracts())
    for name in ("lint", "diff", "explain", "scaffold", "fix"):
        registry.implement(f"mcp_contracts.{name}")(_in_own_words(getattr(tools, name)))
    return ImplementedTools(registry)


def _in_own_words(function: Callable[_P, _Result]) -> Callable[_P, _Result]:
    """Pass on the errors of this package, which callers may see."""

    @wraps(function)
    def call(*arguments: _P.args, **named: _P.kwargs) -> _Result:
        try:
            return function(*arguments, **named)
        except ContractError as error:
            kind = "ResourceNotFound" if isinstance(error, SourceError) else "ValidationError"
            raise ToolError(kind, error.message, {"hint": error.hint} if error.hint else None) from error

    return call


class _OwnTools:
    """The functions, each named as its tool."""

    def __init__(self, confinement: Confinement) -> None:
        self._inside = confinement

    def lint(
        self,
        paths: Sequence[str] = (),
        config: str | None = None,
        select: Sequence[str] = (),
        extend_select: Sequence[str] = (),
        ignore: Sequence[str] = (),
    ) -> dict[str, Any]:
        settings = self._inside.config(config)
        selection = _selection(select, extend_select, ignore)
        found = self._inside.contracts(paths, settings)
        report = check(found, settings, selection=selection, today=date.today(), is_whole=not paths)
        return {**report.to_dict()}

    def diff(
        self,
        paths: Sequence[str] = (),
        against: str | None = None,
        old: str | None = None,
        policy: Any = "declared",
    ) -> dict[str, Any]:
        settings = self._inside.config()
        if (old is None) == (against is None):
            raise ToolError("ValidationError", "exactly one of `against` and `old` must be given")
        new = self._inside.contracts(paths, settings)
        if against is not None:
            before = self._inside.revision(against, paths, settings)
        else:
            before = self._inside.contracts([str(old)], settings)
        return {**compare(before, new, policy=policy, today=date.today()).to_dict()}

    def explain(self, rule: str) -> dict[str, Any]:
        names = known_codes()
        code = rule_prefix(rule, names) or rule_prefix(rule.upper(), names)
        info = next((one for one in catalog() if one.code == code), None)
        if info is None:
            nearest = nearest_names(rule, (*names, *names.values()))
            details = {"nearest": list(nearest), "hint": rule_suggestion(rule, names)}
            raise ToolError("ResourceNotFound", "no such rule", details)
        return {**rule_values(info), "rationale": info.rationale}

    def scaffold(
        self,
        name: str,
        into: str = "specs",
        description: str | None = None,
        parameters: Sequence[dict[str, Any]] = (),
        returns: Sequence[dict[str, Any]] = (),
        errors: Sequence[dict[str, Any]] = (),
        effects: str | None = None,
        idempotent: str | None = None,
        security: str | None = None,
    ) -> dict[str, Any]:
        tool = new_tool.NewTool(
            name=new_tool.read_name(name),
            description=description,
            parameters=new_tool.unique([new_tool.read_parameter(_parameter(one)) for one in parameters], "parameters"),
            returns=new_tool.unique([new_tool.read_return(_field(one)) for one in returns], "returns"),
            errors=tuple(new_tool.read_error(f"{one['type']}:{one['when']}") for one in errors),
            effects=None if effects is None else new_tool.read_effect_words(effects),
            idempotent=idempotent,
            security=security,
        )
        folder = self._inside.path(into)
        self._inside.path(str(folder / tool.module / SPEC_NAME))  # a link must not lead out of the folder
        written = add_tool(tool, folder)
        shown = show(written.path)
        placeholders = read_spec(shown, written.text).placeholders
        return {
            "path": shown,
            "created": written.is_new,
            "placeholders": [{"line": one.place.line, "text": one.text} for one in placeholders],
        }

    def fix(self, paths: Sequence[str] = (), unsafe: bool = False, dry_run: bool = False) -> MCPToolResult:
        settings = self._inside.config()
        files = []
        left = 0
        for item in self._inside.found(paths, settings):
            if not isinstance(item, NamedFile) or item.path.suffix.lower() == ".json":
                continue
            text = read_text(item.path, limit=settings.limits.max_file_size)
            if isinstance(text, Unreadable):
                continue  # `lint` reports it
            shown = show(item.path)
            fixed = fix_spec(shown, text, settings, RuleSelection(), has_unsafe=unsafe, today=date.today())
            if fixed.codes and not dry_run:
                replace_file(item.path, text, fixed.text)
            if fixed.codes:
                files.append({"path": shown, "fixed": dict(sorted(fixed.codes.items()))})
            after = check(Contracts((read_spec(shown, fixed.text),)), settings, today=date.today())
            left += len(after.shown())
        data: dict[str, Any] = {"files": files, "remaining": left}
        return MCPToolResult(status=ResultStatus.SUCCESS if files else ResultStatus.NO_CHANGE_NEEDED, data=data)


def _selection(select: Sequence[str], extend_select: Sequence[str], ignore: Sequence[str]) -> RuleSelection:
    for word in (*select, *extend_select, *ignore):
        if rule_prefix(word, known_rules()) is None:
            hint = {"hint": rule_suggestion(word, known_rules())}
            raise ToolError("ValidationError", f"unknown rule `{word}`", hint)
    return RuleSelection(select=tuple(select), extend_select=tuple(extend_select), ignore=tuple(ignore))


def _parameter(field: dict[str, Any]) -> str:
    """Return a parameter as the option `--param` writes it."""
    need = "required" if field.get("required", False) else "optional"
    return f"{field['name']}:{field['type']}:{need}:{field.get('description', '')}"


def _field(field: dict[str, Any]) -> str:
    return f"{field['name']}:{field['type']}:{field.get('description', '')}"
