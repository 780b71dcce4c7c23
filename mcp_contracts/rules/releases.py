"""The rules about releases: versions compared with the changes, and accepted changes. They have no functions; `checks`
reports them.

They require a comparison of two states, by `diff` or by `lint --against`."""

from __future__ import annotations

from mcp_contracts.diagnostics import RuleInfo, Severity

BREAKING_CHANGE_NOT_ANNOUNCED = RuleInfo(
    "MC207",
    "breaking-change-not-announced",
    Severity.ERROR,
    "0.2.0",
    "A change breaks callers, and the version does not announce it.",
    """\
Callers that depend on a version assume that all later versions with the same major version are safe, and only notice
the failure in production. A breaking change requires a major bump of the tool's version, or a minor bump below 1.0.0.
For a removed tool, or a tool without its own version, the module's version counts. From a pre-release, any higher
version is sufficient. Without versions, nothing can announce the breaking change.

Revert the change, bump the version, or accept the change with a reason: `mcp-contracts diff --accept`.""",
)
VERSION_STEP_TOO_SMALL = RuleInfo(
    "MC208",
    "version-step-too-small",
    Severity.WARNING,
    "0.2.0",
    "A version bump is too small for the changes.",
    """\
An unchanged version says that nothing changed, so callers do not look for changes, and caches and registries keep the
old contract. New features and unknown changes require a minor bump. Wording changes require a patch, because
agents choose tools by their wording. Below 1.0.0, every change that is not breaking requires a patch. A module requires
the largest bump of its tools.""",
)
VERSION_DECREASED = RuleInfo(
    "MC209",
    "version-decreased",
    Severity.ERROR,
    "0.2.0",
    "A version is lower than before.",
    """\
A published version cannot be withdrawn: callers that request the highest version get the old contract, and a later
release with the same number would be ambiguous. The usual cause is a bad merge. Continue from the higher version; to
revert changes, release a new version.""",
)
MAJOR_STEP_WITHOUT_MIGRATION = RuleInfo(
    "MC210",
    "major-step-without-migration",
    Severity.WARNING,
    "0.2.0",
    "A version announces a breaking change without a migration note.",
    """\
The version tells callers that something breaks. A migration note tells them, and the agents that fix their code, what
to write instead. It belongs in section 9 and begins with the versions that it applies to: `**From 1.x**: …`, or below
1.0.0 `**From 0.3.x**: …`. Leaving a pre-release requires no note.""",
)
CHANGE_NOT_DECIDED = RuleInfo(
    "MC211",
    "change-not-decided",
    Severity.WARNING,
    "0.2.0",
    "A change may break callers: neither a failing call nor a proof of compatibility was found.",
    """\
A keyword or a pattern in one of the schemas cannot be decided. Review the change by hand. It requires a minor bump.
`--unknown error` makes it fail the run, and `--unknown ignore` silences it.""",
)
ACCEPTED_CHANGE_UNUSED = RuleInfo(
    "MC212",
    "accepted-change-unused",
    Severity.WARNING,
    "0.2.0",
    "An accepted change does not exist or has changed.",
    """\
An entry accepts one change: the old and the new value at one place. If either differs, the change needs another review;
otherwise one exception would cover all later changes. An entry without a change is confusing, and `mcp-contracts diff
--accept` removes it. Entries about tools that were not compared are not checked.""",
)
ACCEPTED_CHANGE_EXPIRED = RuleInfo(
    "MC213",
    "accepted-change-expired",
    Severity.WARNING,
    "0.2.0",
    "An accepted change has expired.",
    """\
Revert the change, bump the version, or set a later date. `until` gives
the last day on which an entry applies.""",
)
ACCEPTED_CHANGE_WITHOUT_REASON = RuleInfo(
    "MC214",
    "accepted-change-without-reason",
    Severity.WARNING,
    "0.2.0",
    "An accepted change has no reason.",
    """\
Without a reason, readers cannot distinguish a considered exception from a breaking change that was merely silenced.
The change is
still accepted. Give the reason with `mcp-contracts diff --accept --reason`, or write it into the file.""",
)

RELEASE_RULES = (
    BREAKING_CHANGE_NOT_ANNOUNCED,
    VERSION_STEP_TOO_SMALL,
    VERSION_DECREASED,
    MAJOR_STEP_WITHOUT_MIGRATION,
    CHANGE_NOT_DECIDED,
    ACCEPTED_CHANGE_UNUSED,
    ACCEPTED_CHANGE_EXPIRED,
    ACCEPTED_CHANGE_WITHOUT_REASON,
)
"""All rules about releases, by code."""
