"""Rules about versions and the life cycle of a tool (MC2)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_contracts.contract import SpecFile, SpecTool
from mcp_contracts.diagnostics import Finding, Fix, Place, Severity, TextEdit
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.structure.property_lines import misspelled_line
from mcp_contracts.rules.vocabulary import STATE_SYNONYMS, STATES
from mcp_contracts.rules.wording import nearest, show
from mcp_contracts.schema.wording import one_of
from mcp_contracts.version_ranges import SEMANTIC_VERSION

_LOOSE = r"(?:version|ver|v)?[.\s:=]*([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(?:[-._ ]?([a-z+][0-9a-z.+-]*))?"
_LONGEST = 200


@rule("MC201", Severity.ERROR, since="0.1.0")
def missing_version(tool: SpecTool) -> Iterator[Finding]:
    """A tool has no version.

    Without a version, it is unclear which contract a caller was written for, and no version bump can announce a
    breaking change.
    """
    if not tool.contract.version:
        hint, place = "write `**Version**: 1.0.0` under the heading", tool.contract.place
        if (misspelled := misspelled_line(tool, "version")) is not None:
            hint, place = f"write `**Version**` for `**{show(misspelled.name)}**`", misspelled.place
        yield Finding(f"`{show(tool.contract.name)}` has no version", hint, place)


@rule("MC202", Severity.ERROR, since="0.1.0")
def invalid_version(file: SpecFile) -> Iterator[Finding]:
    """A version is not a semantic version.

    Comparing versions shows whether a change breaks callers. This requires the form `MAJOR.MINOR.PATCH` of Semantic
    Versioning 2.0.0 (semver.org).
    """
    if file.front_matter is not None:
        written = file.front_matter.values.get("version")
        if isinstance(written, (str, int, float)) and not isinstance(written, bool):
            keys = file.front_matter.keys
            place = keys.get("/version", keys.get("version", file.front_matter.place))
            yield from _version_findings(str(written), place)
    for contract in file.contracts:
        if contract.version:
            yield from _version_findings(contract.version, contract.place_of("version"))


@rule("MC203", Severity.WARNING, since="0.1.0")
def deprecated_without_since(tool: SpecTool) -> Iterator[Finding]:
    """A deprecated tool does not say which version deprecated it.

    Callers need this version to plan their migration: a tool that was deprecated a year ago is more urgent than one
    deprecated yesterday.
    """
    status = tool.contract.status
    if status is not None and status.state == "deprecated" and status.since is None:
        yield Finding(
            f"`{show(tool.contract.name)}` is deprecated, but does not say which version deprecated it",
            f"write `deprecated (since 1.2.0, use {show(status.replacement or 'module.other')})`",
            tool.contract.place_of("status"),
        )


@rule("MC204", Severity.WARNING, since="0.1.0")
def deprecated_without_replacement(tool: SpecTool) -> Iterator[Finding]:
    """A deprecated tool does not name a replacement.

    A model that must not use a tool looks for another one. Without a name, it chooses the tool with the most similar
    description.
    """
    status = tool.contract.status
    if status is not None and status.state == "deprecated" and status.replacement is None:
        yield Finding(
            f"`{show(tool.contract.name)}` is deprecated, but does not say what to use instead",
            f"write `deprecated (since {show(status.since or '1.2.0')}, use module.other)`",
            tool.contract.place_of("status"),
        )


@rule("MC206", Severity.WARNING, since="0.1.0")
def unknown_status(tool: SpecTool) -> Iterator[Finding]:
    """A tool's status is not experimental, stable or deprecated.

    Other words mean different things to different people, and programs do not recognize them.
    """
    status = tool.contract.status
    if status is None or status.state in STATES or "{{" in status.state:
        return
    message = "the status is empty" if not status.state else f"status `{show(status.state)}` is not {one_of(STATES)}"
    first = re.match(r"[a-z-]*", status.state)
    word = first[0] if first else ""
    meant = word if word in STATES else STATE_SYNONYMS.get(word) or nearest(word, STATES)
    hint = f"write `{meant or 'stable'}`"
    if re.match(r"v?\d", status.state):
        hint = "write a state such as `stable`, and the version in its own line: `**Version**: 1.2.0`"
    if meant == "deprecated":
        hint = "write `deprecated (since 1.2.0, use module.other)`"
    yield Finding(message, hint, tool.contract.place_of("status"))


@rule("MC215", Severity.WARNING, since="0.2.0")
def invalid_lifecycle_version(tool: SpecTool) -> Iterator[Finding]:
    """The versions of a deprecated tool are invalid, or it is removed before it is deprecated.

    A migration note about a version that the tool has not reached is reported as well. Callers use these versions to
    plan their migration, and programs compare them with the module's version.
    """
    yield from _migrations_from_later_versions(tool)
    status = tool.contract.status
    if status is None or status.state != "deprecated":
        return
    place = tool.contract.place_of("status")
    stated = {"since": status.since, "removed in": status.removed_in}
    for word, version in stated.items():
        if version is not None and "{{" not in version and not _is_version(version):
            suggestion = suggested_version(version) or ("1.2.0" if word == "since" else "2.0.0")
            message = f"`{word} {show(version)}` is not a version"
            yield Finding(message, f"write a version of the module: `{word} {suggestion}`", place)
    since, removed = status.since, status.removed_in
    if since is None or removed is None or not (_is_version(since) and _is_version(removed)):
        return
    if _release(removed) <= _release(since):
        message = f"the tool is removed in {show(removed)}, which is not after {show(since)}"
        yield Finding(message, "name a later version in `removed in`", place)


def _migrations_from_later_versions(tool: SpecTool) -> Iterator[Finding]:
    version, section = tool.contract.version, tool.section(9)
    if version is None or section is None or not _is_version(version):
        return
    for migration in tool.contract.migrations:
        since = re.match(r"v?(\d+)(?:\.|$)", migration.since)
        if since is not None and int(since[1]) > _release(version)[0]:
            message = f"the migration is from {show(migration.since)}, but the version of the tool is {show(version)}"
            yield Finding(message, "fix the version that is wrong", section.place)


def _is_version(written: str) -> bool:
    return len(written) <= _LONGEST and re.fullmatch(SEMANTIC_VERSION, written) is not None


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.split(r"[-+]", version, maxsplit=1)[0].split("."))


def suggested_version(written: str) -> str | None:
    """Return the semantic version that was most likely meant, or None if it cannot be guessed."""
    match = re.fullmatch(_LOOSE, written.strip().lower()) if len(written) <= _LONGEST else None
    if match is None:
        return None
    numbers = ".".join((part or "0").lstrip("0") or "0" for part in match.groups()[:3])
    rest = match[4] or ""
    version = f"{numbers}{rest}" if rest.startswith("+") else f"{numbers}-{rest}" if rest else numbers
    return version if re.fullmatch(SEMANTIC_VERSION, version) else None


def _version_findings(written: str, place: Place) -> Iterator[Finding]:
    if _is_plain(written) or "{{" in written or (len(written) <= _LONGEST and re.fullmatch(SEMANTIC_VERSION, written)):
        return
    suggestion = suggested_version(written)
    hint = f"write `{suggestion}`" if suggestion else "write MAJOR.MINOR.PATCH, such as `1.0.0`"
    yield Finding(f"version `{show(written)}` is not a semantic version", hint, place, fix=_without_v(written, place))


def _without_v(written: str, place: Place) -> Fix | None:
    """Return a version without its leading `v`, if nothing else is wrong with it."""
    is_plain_text = place.line == place.end_line and place.end_column - place.column == len(written)
    if written[:1] not in ("v", "V") or not _is_plain(written[1:]) or not is_plain_text:
        return None
    return Fix((TextEdit(place, written[1:]),))


def _is_plain(version: str) -> bool:
    """Whether a version is three numbers. Most are, and the complete expression takes a millisecond to compile."""
    parts = version.split(".")
    return len(parts) == 3 and all(
        part.isdecimal() and part.isascii() and (part == "0" or part[0] != "0") for part in parts
    )
