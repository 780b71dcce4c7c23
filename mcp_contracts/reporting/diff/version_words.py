"""Version bumps in words: the bump that was made, and the one that is required."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.change import Bump, ModuleDiff, ToolDiff
from mcp_contracts.reporting.visible import visible

_VERSION = re.compile(r"(0|[1-9][0-9]{0,17})\.(0|[1-9][0-9]{0,17})\.(0|[1-9][0-9]{0,17})")


def version_step(diff: ToolDiff | ModuleDiff) -> str:
    """The versions of a tool or module as `1.2.0 → 1.2.1`: one where they are equal, nothing where none is stated."""
    versions = [visible(version) for version in (diff.old_version, diff.new_version) if version is not None]
    return " → ".join(dict.fromkeys(versions))


def next_version(version: str | None, bump: Bump) -> str | None:
    """Return the next version by a bump, or None if `version` is not three numbers or no bump is required."""
    match = _VERSION.fullmatch(version or "")
    if match is None:
        return None
    major, minor, patch = map(int, match.groups())
    return {
        Bump.MAJOR: f"{major + 1}.0.0",
        Bump.MINOR: f"{major}.{minor + 1}.0",
        Bump.PATCH: f"{major}.{minor}.{patch + 1}",
        Bump.NONE: None,
    }[bump]


def describe_owed_version(diff: ToolDiff | ModuleDiff) -> str:
    """The version that a tool or module needs, as `2.0.0` or `a major bump`; empty if it needs none."""
    if diff.covered is not False or diff.owed_bump is Bump.NONE:
        return ""
    return next_version(diff.old_version, diff.owed_bump) or f"a {diff.owed_bump.value} bump"


def owed_words(diff: ToolDiff | ModuleDiff) -> str:
    """The bump that a tool or module needs as a phrase: `needs a major bump (2.0.0)`; empty if it needs none."""
    if not (what := describe_owed_version(diff)):
        return ""
    step = f"a {diff.owed_bump.value} bump"
    return f"needs {step}" if what == step else f"needs {step} ({what})"


def version_words(module: ModuleDiff) -> str:
    """Return the remark after the versions of a module: `should be 2.0.0`, or that the bump suffices."""
    if what := describe_owed_version(module):
        return f"{'needs' if what.startswith('a ') else 'should be'} {what}"
    if module.covered and module.owed_bump is not Bump.NONE:
        return f"covers the required {module.owed_bump.value} bump"
    return ""
