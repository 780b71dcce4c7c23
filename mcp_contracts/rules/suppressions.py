"""The rules about suppressions themselves. The check of suppressions finds their faults, so none has a function."""

from __future__ import annotations

from mcp_contracts.diagnostics import RuleInfo, Severity

SUPPRESSION_WITHOUT_REASON = RuleInfo(
    "MC009",
    "suppression-without-reason",
    Severity.WARNING,
    "0.1.0",
    "A suppression does not say why.",
    """\
Whoever meets it later cannot tell a considered exception from a finding that somebody wanted out of the way, so
nobody dares to remove it. It silences all the same. Write the reason after ` -- `:
`<!-- mcp-contracts: ignore MC305 -- the provider's own words, changed upstream -->`.""",
)
SUPPRESSION_EXPIRED = RuleInfo(
    "MC010",
    "suppression-expired",
    Severity.WARNING,
    "0.1.0",
    "A suppression is past its last day.",
    """\
It was meant to hold for a while, and that while is over: it no longer silences anything. Mend what it covers and
remove it, or give it another day on purpose. The day named by `until` is the last one on which it holds.""",
)
SUPPRESSION_UNUSED = RuleInfo(
    "MC011",
    "suppression-unused",
    Severity.WARNING,
    "0.1.0",
    "A suppression silences nothing.",
    """\
The fault that it was written for is gone, or it stands in the wrong place. Left behind, it would one day hide a new
fault that nobody has looked at. Only suppressions of rules that ran are judged. `ignore` holds for the block that
follows the comment, `ignore-tool` for the tool that it stands in or directly before, `ignore-file` for the file.""",
)
SUPPRESSION_MALFORMED = RuleInfo(
    "MC012",
    "suppression-malformed",
    Severity.WARNING,
    "0.1.0",
    "A suppression cannot be understood.",
    """\
It names no rule, an unknown one, or a day that is none, so it does not do what its author thinks. The form is
`<!-- mcp-contracts: ignore MC305, MC303 -- the reason [until 2027-03-01] -->`, with codes (`MC305`), the beginning of
codes (`MC3`) or names of rules (`property-without-description`).

Findings about suppressions cannot be silenced by a suppression, only by `ignore` in the configuration.""",
)

SUPPRESSION_RULES = (
    SUPPRESSION_WITHOUT_REASON,
    SUPPRESSION_EXPIRED,
    SUPPRESSION_UNUSED,
    SUPPRESSION_MALFORMED,
)
"""All rules about suppressions, by code."""
