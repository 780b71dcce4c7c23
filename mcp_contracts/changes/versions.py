"""Version bumps: the bump that changes require, the one that was made, and whether it suffices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mcp_contracts.change import Bump, Change, ModuleDiff, ToolDiff, ToolState, Verdict
from mcp_contracts.contract import Contracts, SpecFile
from mcp_contracts.records import dataclass, replace
from mcp_contracts.version_ranges import read_version

_ORDER = (Bump.NONE, Bump.PATCH, Bump.MINOR, Bump.MAJOR)
_LEAST = {Verdict.BREAKING: Bump.MAJOR, Verdict.UNKNOWN: Bump.MINOR, Verdict.COMPATIBLE: Bump.NONE}


@dataclass(frozen=True, slots=True)
class DeclaredStep:
    """The version step for judging a tool: from its own versions, or from those of `module` if that is not None."""

    old: str | None
    new: str | None
    module: str | None = None


def required_bump(changes: Iterable[Change], old_version: str | None) -> Bump:
    """Return the bump that changes require together. Accepted changes require none; below 1.0.0 see `require_bump`."""
    return max((require_bump(change, old_version) for change in changes), key=_ORDER.index, default=Bump.NONE)


def require_bump(change: Change, old_version: str | None) -> Bump:
    """Return the bump that one change requires.

    Below 1.0.0, a break or a possible break requires a minor bump, and other changes require a patch. A break that is
    not an error in this project counts as any other change.
    """
    if change.accepted is not None:
        return Bump.NONE
    verdict = Verdict.COMPATIBLE if change.is_lowered else change.verdict
    bump = Bump.MINOR if change.is_lowered else max(change.bump, _LEAST[verdict], key=_ORDER.index)
    version = read_version(old_version)
    if version is None or version.major > 0 or bump is Bump.NONE:
        return bump
    return Bump.PATCH if verdict is Verdict.COMPATIBLE else Bump.MINOR


def covers(old: str | None, new: str | None, required: Bump) -> bool | None:
    """Whether the step between two versions suffices, or None if one of them is not stated or cannot be read.

    Equal versions suffice only if no bump is required, and a lower version never does. A pre-release guarantees
    nothing, so any version above it suffices.
    """
    if read_version(old) is None or read_version(new) is None:
        return None
    taken = step(old, new)
    return taken is not None and _ORDER.index(taken) >= _ORDER.index(required)


def step(old: str | None, new: str | None) -> Bump | None:
    """Return the bump between two versions; None if the version decreases, is not stated, or cannot be read.

    A bump to a pre-release counts as one to the release (`1.2.0` to `2.0.0-rc.1` is major), and any bump from a
    pre-release as major. Build metadata is ignored.
    """
    before, after = read_version(old), read_version(new)
    if before is None or after is None or after < before:
        return None
    if after == before:
        return Bump.NONE
    if before.prerelease or after.major != before.major:
        return Bump.MAJOR
    return Bump.MINOR if after.minor != before.minor else Bump.PATCH


def is_decrease(old: str | None, new: str | None) -> bool:
    """Whether a version is lower than the one before it."""
    before, after = read_version(old), read_version(new)
    return before is not None and after is not None and after < before


def is_prerelease(version: str | None) -> bool:
    """Whether a version is a pre-release, such as `2.0.0-rc.1`."""
    read = read_version(version)
    return read is not None and read.prerelease is not None


def next_version(old: str | None, required: Bump) -> str | None:
    """Return the lowest release with the required bump, or None if none is required or the version cannot be read."""
    version = read_version(old)
    if version is None or required is Bump.NONE:
        return None
    if version.prerelease:
        return str(version.release)
    return str(version.after(required.value))


def line_of(version: str | None) -> str | None:
    """Return the compatible range of a version: `1.x`, below 1.0.0 `0.3.x`; None if it cannot be read."""
    read = read_version(version)
    if read is None:
        return None
    return f"{read.major}.x" if read.major > 0 else f"0.{read.minor}.x"


def module_diffs(tools: Sequence[ToolDiff], old: Contracts, new: Contracts) -> tuple[ModuleDiff, ...]:
    """Return the version steps of all modules that contain a tool or state a version, by module name.

    A module requires the combined bump of its tools, based on its own old version. Only specifications state a module's
    version. If two files of a module state different ones, it has none.
    """
    before, after = _module_versions(old), _module_versions(new)
    changes: dict[str, list[Change]] = {name: [] for name in (*before, *after)}
    for tool in tools:
        if tool.module is not None:
            changes.setdefault(tool.module, []).extend(tool.changes)
    return tuple(_module_diff(name, changes[name], before.get(name), after.get(name)) for name in sorted(changes))


def with_coverage(tools: Iterable[ToolDiff], modules: Iterable[ModuleDiff]) -> tuple[ToolDiff, ...]:
    """Return the tools with their required bump, and whether the declared step suffices (see `declared_step`)."""
    by_name = {module.module: module for module in modules}
    return tuple(_with_required_bump(tool, declared_step(tool, by_name)) for tool in tools)


def declared_step(tool: ToolDiff, modules: Mapping[str, ModuleDiff]) -> DeclaredStep:
    """Return the version step for judging a tool.

    It is the tool's own step, or its module's if the tool was added or removed or has no version.
    """
    module = modules.get(tool.module) if tool.module is not None else None
    came_or_went = tool.state in (ToolState.ADDED, ToolState.REMOVED)
    states_version = tool.old_version is not None or tool.new_version is not None
    if states_version and not came_or_went:
        return DeclaredStep(tool.old_version, tool.new_version)
    if module is not None and (module.old_version is not None or module.new_version is not None):
        return DeclaredStep(module.old_version, module.new_version, module.module)
    return DeclaredStep(None, None)


def _module_diff(name: str, changes: Sequence[Change], old: str | None, new: str | None) -> ModuleDiff:
    bump = required_bump(changes, old)
    return ModuleDiff(name, old, new, bump, covers(old, new, bump))


def _with_required_bump(tool: ToolDiff, declared: DeclaredStep) -> ToolDiff:
    bump = required_bump(tool.changes, declared.old)
    return replace(tool, owed_bump=bump, covered=covers(declared.old, declared.new, bump))


def _module_versions(contracts: Contracts) -> dict[str, str]:
    """Return the versions of modules, except for those that state several."""
    stated: dict[str, set[str]] = {}
    for file in contracts.files:
        if isinstance(file, SpecFile) and file.module is not None and file.module_version is not None:
            stated.setdefault(file.module, set()).add(file.module_version)
    return {name: next(iter(versions)) for name, versions in stated.items() if len(versions) == 1}
