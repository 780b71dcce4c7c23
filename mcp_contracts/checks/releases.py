"""Check versions against changes: missing, too small, decreasing or unexplained bumps, and undecided changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.change import Bump, Change, ModuleDiff, ToolDiff, ToolState, UnknownPolicy, Verdict, level_of
from mcp_contracts.changes.versions import (
    DeclaredStep,
    declared_step,
    is_decrease,
    is_prerelease,
    line_of,
    next_version,
    require_bump,
)
from mcp_contracts.contract import Contracts, SpecFile, ToolContract
from mcp_contracts.diagnostics import Diagnostic, Finding, Part, Place, Related, RuleInfo, Severity
from mcp_contracts.records import dataclass, replace
from mcp_contracts.rules.releases import (
    BREAKING_CHANGE_NOT_ANNOUNCED,
    CHANGE_NOT_DECIDED,
    MAJOR_STEP_WITHOUT_MIGRATION,
    VERSION_DECREASED,
    VERSION_STEP_TOO_SMALL,
)
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.wording import shown_value

_UNREADABLE = "BC113"
_WITNESS_LENGTH = 120
_MAXIMUM_RELATED = 10
_ACCEPT = "accept it with `mcp-contracts diff --accept`"
_BY_WEIGHT = (Severity.NOTE, Severity.WARNING, Severity.ERROR).index
_LINE = re.compile(r"(?<![0-9.])v?([0-9]+)(?:\.([0-9]+|x|\*))?", re.IGNORECASE)


def release_diagnostics(
    tools: Sequence[ToolDiff],
    modules: Sequence[ModuleDiff],
    old: Contracts,
    new: Contracts,
    *,
    unknown: UnknownPolicy = "warn",
) -> Iterator[Diagnostic]:
    """Yield the faults in the versions of tools and modules, one diagnostic for each (MC207 to MC211).

    `tools` include their coverage and their accepted changes. Diagnostics are at the version in the new text.
    """
    releases = _Releases(modules, old, new)
    # Until the reported fault is fixed, the required bump of a tool that cannot be read is unknown.
    unread = {id(tool) for tool in tools if any(change.code == _UNREADABLE for change in tool.changes)}
    for tool in tools:
        if id(tool) not in unread:
            yield from releases.about_tool(tool, declared_step(tool, releases.modules))
        yield from releases.about_undecided(tool, unknown)
    for module in modules:
        if not any(id(tool) in unread and tool.module == module.module for tool in tools):
            yield from releases.about_module(module, tools)


@dataclass(frozen=True, slots=True)
class _Words:
    """The wording of a version bump: the versions before and after, and the required one."""

    subject: str
    declared: DeclaredStep
    required: Bump

    @property
    def version(self) -> str | None:
        """The required version, for a message."""
        return next_version(self.declared.old, self.required)

    def describe(self) -> str | None:
        """Describe the version change, or return None if it is unknown."""
        old, new = self.declared.old, self.declared.new
        if old is None:
            return None
        if new is None:
            return f"{self.subject} {show(old)} was removed"
        if line_of(old) is None:
            return None
        if line_of(new) is None:
            return f"{self.subject} `{show(new)}` is not a semantic version"
        return f"{self.subject} stays {new}" if old == new else f"{self.subject} only increased from {old} to {new}"


class _Releases:
    """Two sets of contracts by name, with the version checks."""

    def __init__(self, modules: Iterable[ModuleDiff], old: Contracts, new: Contracts) -> None:
        self.modules = {module.module: module for module in modules}
        self._old = {contract.name: contract for contract in reversed(old.tools)}
        self._new = {contract.name: contract for contract in reversed(new.tools)}
        specs = [file for file in new.files if isinstance(file, SpecFile)]
        self._specified = frozenset(contract.name for file in specs for contract in file.contracts)
        stating = (file for file in reversed(specs) if file.module_version is not None)
        self._specs = {file.module: file for file in stating if file.module is not None}

    def about_tool(self, tool: ToolDiff, declared: DeclaredStep) -> Iterator[Diagnostic]:
        if is_decrease(declared.old, declared.new):
            if declared.module is None:  # a module's decrease is reported once, not for each tool
                message = f"the version of `{show(tool.tool)}` decreased from {declared.old} to {declared.new}"
                yield self._at_version(VERSION_DECREASED, tool, declared, message, _upwards(declared, tool.owed_bump))
        elif tool.uncovered_breaks:
            yield self._unannounced_break(tool, tool.uncovered_breaks, declared)
        elif tool.lowered_breaks:
            severity = max((Severity(level_of(change) or "note") for change in tool.lowered_breaks), key=_BY_WEIGHT)
            yield replace(self._unannounced_break(tool, tool.lowered_breaks, declared), severity=severity)
        elif tool.covered is False and declared.module is None:
            yield self._too_small(tool, declared)
        elif tool.covered and tool.open_breaks:
            yield from self._without_migration(tool, declared)

    def about_undecided(self, tool: ToolDiff, unknown: UnknownPolicy) -> Iterator[Diagnostic]:
        for change in tool.changes:
            level = level_of(change, unknown)
            if change.verdict is Verdict.UNKNOWN and change.accepted is None and level not in (None, "off"):
                why = ""
                if change.reason is not None and (change.reason.message or "-") not in change.message:
                    why = f" ({change.reason.message or f'`{change.reason.keyword}` prevented a proof'})"
                message = f"cannot tell whether this breaks callers of `{show(tool.tool)}`: {change.message}{why}"
                if change.code == _UNREADABLE:  # the fault is reported at its place
                    message = (
                        f"cannot tell what changed in `{show(tool.tool)}` because one of its schemas cannot be read"
                    )
                place = change.place or self._place(tool)
                hint = change.hint or f"review it, or {_ACCEPT}"
                found = _at_change(CHANGE_NOT_DECIDED, tool, change, message, hint, place)
                yield replace(found, severity=Severity(level))

    def about_module(self, module: ModuleDiff, tools: Iterable[ToolDiff]) -> Iterator[Diagnostic]:
        own = [tool for tool in tools if tool.module == module.module]
        spec = self._specs.get(module.module)
        place = _version_place(spec) if spec is not None else None
        if module.covered is not False or place is None:
            return
        name = show(module.module)
        declared = DeclaredStep(module.old_version, module.new_version, module.module)
        if is_decrease(module.old_version, module.new_version):
            message = f"the version of module `{name}` decreased from {module.old_version} to {module.new_version}"
            yield Diagnostic.of(VERSION_DECREASED, Finding(message, _upwards(declared, module.owed_bump)), place)
        elif not any(
            (tool.uncovered_breaks or tool.lowered_breaks) and declared_step(tool, self.modules).module for tool in own
        ):
            words = _Words("its version", declared, module.owed_bump)
            changes = [change for tool in own for change in tool.changes]
            asking = _changes_requiring(changes, module.old_version, module.owed_bump)
            message = f"module `{name}` requires {_step(module.owed_bump)}, but {words.describe()}: {_summary(asking)}"
            finding = Finding(message, f"write {words.version}", related=_related_places(asking))
            yield Diagnostic.of(VERSION_STEP_TOO_SMALL, finding, place)

    def _unannounced_break(self, tool: ToolDiff, breaks: Sequence[Change], declared: DeclaredStep) -> Diagnostic:
        """Report a break that is not announced, at the version or, without one, at the change."""
        subject = "its version" if declared.module is None else f"the version of module `{show(declared.module)}`"
        words = _Words(subject, declared, tool.owed_bump)
        described = words.describe()
        said = f"{_summary(breaks)}{_call(breaks)}"
        if described is None:
            message = f"`{show(tool.tool)}` breaks callers: {said}"
            place = breaks[0].place or self._place(tool)
            hint = f"keep the old form, or {_ACCEPT}"
            return replace(
                _at_change(BREAKING_CHANGE_NOT_ANNOUNCED, tool, breaks[0], message, hint, place),
                related=_related_places(breaks[1:]),
            )
        requirement = f" where {words.version} is required" if words.version else ""
        hint = f"write {words.version}, or {_ACCEPT}" if words.version else f"keep the old form, or {_ACCEPT}"
        message = f"`{show(tool.tool)}` breaks callers, but {described}{requirement}: {said}"
        found = self._at_version(BREAKING_CHANGE_NOT_ANNOUNCED, tool, declared, message, hint)
        return replace(found, related=_related_places(breaks))

    def _too_small(self, tool: ToolDiff, declared: DeclaredStep) -> Diagnostic:
        words = _Words("its version", declared, tool.owed_bump)
        asking = _changes_requiring(tool.changes, declared.old, tool.owed_bump)
        message = f"`{show(tool.tool)}` requires {_step(tool.owed_bump)}, but {words.describe()}: {_summary(asking)}"
        found = self._at_version(VERSION_STEP_TOO_SMALL, tool, declared, message, f"write {words.version}")
        return replace(found, related=_related_places(asking))

    def _without_migration(self, tool: ToolDiff, declared: DeclaredStep) -> Iterator[Diagnostic]:
        """Report a missing migration note. Only a specification can contain one, and a removed tool has none."""
        contract = self._new.get(tool.tool)
        line = line_of(declared.old)
        if contract is None or line is None or tool.tool not in self._specified or tool.state is ToolState.REMOVED:
            return
        if not is_prerelease(declared.old) and not any(_is_for(note.since, line) for note in contract.migrations):
            message = (
                f"`{show(tool.tool)}` goes from {declared.old} to {declared.new} without saying what callers of "
                f"{line} must change: {_summary(tool.open_breaks)}"
            )
            hint = f"write `**From {line}**: …` under `### 9. Migration`"
            found = self._at_version(MAJOR_STEP_WITHOUT_MIGRATION, tool, declared, message, hint)
            yield replace(found, related=_related_places(tool.open_breaks))

    def _at_version(
        self, rule: RuleInfo, tool: ToolDiff, declared: DeclaredStep, message: str, hint: str
    ) -> Diagnostic:
        place = None
        if declared.module is not None and declared.module in self._specs:
            place = _version_place(self._specs[declared.module])
        return Diagnostic.of(rule, Finding(message, hint), place or self._place(tool), tool.tool)

    def _place(self, tool: ToolDiff) -> Place:
        """Return the place of the tool's version in the new text, or of the tool, in the new or old text."""
        contract: ToolContract | None = self._new.get(tool.tool) or self._old.get(tool.tool)
        if contract is not None:
            return contract.place_of("version")
        return tool.place or Place("", 1, 1, 1, 1)


def _upwards(declared: DeclaredStep, required: Bump) -> str:
    version = next_version(declared.old, required)
    return f"write {version}" if version else f"write {declared.old}, or a higher one"


def _step(required: Bump) -> str:
    return f"a {required.value} bump"


def _changes_requiring(changes: Iterable[Change], old_version: str | None, required: Bump) -> tuple[Change, ...]:
    """Return the changes that require the largest bump."""
    return tuple(change for change in changes if require_bump(change, old_version) is required)


def _summary(changes: Sequence[Change]) -> str:
    """Return the message of the first change, and the number of other changes."""
    if not changes:
        return "it changed"
    others = len(changes) - 1
    more = f", and {others} other change{'' if others == 1 else 's'}" if others else ""
    return f"{changes[0].message}{more}"


def _call(changes: Sequence[Change]) -> str:
    """Describe the first failing call, or the first unexpected result."""
    for change in changes:
        if change.witness is not None:
            value = shown_value(change.witness.value, limit=_WITNESS_LENGTH)
            if change.direction == "output":
                return f"; callers may now receive `{value}`"
            return f"; `{value}` worked before and fails now"
    return ""


def _is_for(since: str, line: str) -> bool:
    """Whether a migration note is for a range of versions: `1.x` by `1`, `v1.x`, `1.2.0` or `0.9 and 1.x`."""
    major, minor = line.split(".")[:2]
    for match in _LINE.finditer(since):
        if match[1] == major and (minor == "x" or match[2] in (None, minor) or match[2] in "xX*"):
            return True
    return False


def _version_place(spec: SpecFile) -> Place | None:
    """Return the place where a file states the version of its module, or its beginning."""
    if spec.front_matter is not None:
        keys = spec.front_matter.keys
        return keys.get("/version") or keys.get("version") or spec.front_matter.place
    return Place(spec.path, 1, 1, 1, 1)


def _related_places(changes: Sequence[Change]) -> tuple[Related, ...]:
    placed = (Related(change.place, change.message) for change in changes if change.place is not None)
    return tuple(placed)[:_MAXIMUM_RELATED]


def _at_change(rule: RuleInfo, tool: ToolDiff, change: Change, message: str, hint: str, place: Place) -> Diagnostic:
    part: Part | None = None if change.direction == "tool" else change.direction
    pointer = change.new_pointer if part is not None else None
    return Diagnostic.of(rule, Finding(message, hint, part=part, pointer=pointer), place, tool.tool)
