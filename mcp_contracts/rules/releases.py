"""The rules about releases: versions beside what changed, and accepted changes. Checks find them; none has a function.

What was there before is known only where two states are compared: by `diff`, and by `lint --against`.
"""

from __future__ import annotations

from mcp_contracts.diagnostics import RuleInfo, Severity

BREAKING_CHANGE_NOT_ANNOUNCED = RuleInfo(
    "MC207",
    "breaking-change-not-announced",
    Severity.ERROR,
    "0.2.0",
    "A change breaks callers, and no version step says so.",
    """\
Callers that hold to a version take every later one of the same major line for safe, and meet the break in production.
A break owes a major step of the tool's version, below 1.0.0 a minor one; a removed tool, and a tool without a version
of its own, that of its module. From a pre-release any step will do. Where no versions are stated, nothing can announce
it.

Take back what breaks, take the step, or accept the one change with a reason: `mcp-contracts diff --accept`.""",
)
VERSION_STEP_TOO_SMALL = RuleInfo(
    "MC208",
    "version-step-too-small",
    Severity.WARNING,
    "0.2.0",
    "A version does not step as far as the changes ask for.",
    """\
A version that stays the same says that nothing changed, so nobody looks, and caches and registries keep what they
have. New abilities owe a minor step, and so does a change that could not be decided; other words owe a patch, since an
agent chooses by them. Below 1.0.0 all that breaks nothing owes a patch. A module owes what its tools owe together.""",
)
VERSION_DECREASED = RuleInfo(
    "MC209",
    "version-decreased",
    Severity.ERROR,
    "0.2.0",
    "A version is lower than before.",
    """\
Versions that were once given stay given: callers that ask for the highest get the old contract under a new name, and
a later step to the same number would mean two things. Mostly it is a merge that went wrong. Go on from the higher one;
to take changes back, take another step.""",
)
MAJOR_STEP_WITHOUT_MIGRATION = RuleInfo(
    "MC210",
    "major-step-without-migration",
    Severity.WARNING,
    "0.2.0",
    "A version announces a break, but nothing says what callers must do.",
    """\
The step tells callers that something breaks for them; a migration note tells them, and the agents that repair their
code, what to write instead. It stands in section 9 and begins with the versions that it is for: `**From 1.x**: …`,
below 1.0.0 `**From 0.3.x**: …`. A step up from a pre-release needs none.""",
)
CHANGE_NOT_DECIDED = RuleInfo(
    "MC211",
    "change-not-decided",
    Severity.WARNING,
    "0.2.0",
    "A change may break callers: neither a failing call nor a proof was found.",
    """\
What is called compatible has a proof, and what is called breaking has a call that fails; this change has neither,
because a keyword or a pattern is beyond what can be decided. Somebody should look. It owes a minor step. `--unknown
error` makes it fail, `--unknown ignore` keeps silent.""",
)
ACCEPTED_CHANGE_UNUSED = RuleInfo(
    "MC212",
    "accepted-change-unused",
    Severity.WARNING,
    "0.2.0",
    "An accepted change is not there, or is another one now.",
    """\
An entry accepts one change: what stood at a place and what stands there now. If either is another, the change must be
looked at again, or one exception would become one for all that comes after it. An entry for what no longer exist
would one day confuse somebody; `mcp-contracts diff --accept` drops it. Entries about tools that were not compared are
not judged.""",
)
ACCEPTED_CHANGE_EXPIRED = RuleInfo(
    "MC213",
    "accepted-change-expired",
    Severity.WARNING,
    "0.2.0",
    "An accepted change is past its last day.",
    """\
It was meant to hold for a while, and that while is over: the change counts again. Take it back, take the step that it
owes, or give it another day on purpose. The day named by `until` is the last one on which it holds.""",
)
ACCEPTED_CHANGE_WITHOUT_REASON = RuleInfo(
    "MC214",
    "accepted-change-without-reason",
    Severity.WARNING,
    "0.2.0",
    "An accepted change does not say why.",
    """\
Whoever meets it later cannot tell a considered exception from a gate that somebody wanted green. It is accepted all
the same. Give the reason with `mcp-contracts diff --accept --reason`, or write it into the file.""",
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
