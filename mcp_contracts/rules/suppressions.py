"""The rules about suppressions. They have no functions; `checks.suppressions` reports their faults."""

from __future__ import annotations

from mcp_contracts.diagnostics import RuleInfo, Severity

SUPPRESSION_WITHOUT_REASON = RuleInfo(
    "MC009",
    "suppression-without-reason",
    Severity.WARNING,
    "0.1.0",
    "A suppression has no reason.",
    """\
Without a reason, readers cannot distinguish a considered exception from a finding that was merely silenced, so the
suppression is never removed. It still applies. Write the reason after ` -- `: `<!-- mcp-contracts: ignore MC305 -- the
provider's own words, changed upstream -->`.""",
)
SUPPRESSION_EXPIRED = RuleInfo(
    "MC010",
    "suppression-expired",
    Severity.WARNING,
    "0.1.0",
    "A suppression has expired.",
    """\
Fix the finding and remove the suppression, or set a later date. `until` gives the
last day on which a suppression applies.""",
)
SUPPRESSION_UNUSED = RuleInfo(
    "MC011",
    "suppression-unused",
    Severity.WARNING,
    "0.1.0",
    "A suppression has no effect.",
    """\
The problem was fixed, or the suppression is in the wrong place. If you keep it, it may later hide a new problem. Only
suppressions of rules that ran are reported. `ignore` applies to the block after the comment, `ignore-tool` to the tool
that contains the comment or follows it, `ignore-file` to the file.""",
)
SUPPRESSION_MALFORMED = RuleInfo(
    "MC012",
    "suppression-malformed",
    Severity.WARNING,
    "0.1.0",
    "A suppression cannot be read.",
    """\
It names an unknown rule, no rule, or an invalid date, so it does not have the intended effect. The form is `<!--
mcp-contracts: ignore MC305, MC303 -- the reason [until 2027-03-01] -->`, with codes (`MC305`), prefixes of codes
(`MC3`) or names of rules (`property-without-description`).

You cannot suppress findings about suppressions. Use `ignore` in the configuration instead.""",
)

SUPPRESSION_RULES = (
    SUPPRESSION_WITHOUT_REASON,
    SUPPRESSION_EXPIRED,
    SUPPRESSION_UNUSED,
    SUPPRESSION_MALFORMED,
)
"""All rules about suppressions, by code."""
