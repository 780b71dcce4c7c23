"""A finding with its rule and place, and the places of the findings that it explains."""

from __future__ import annotations

from typing import Literal

from mcp_contracts.contract import ToolContract
from mcp_contracts.diagnostics import Finding, Place, RuleInfo
from mcp_contracts.records import dataclass

Within = Literal["tool", "part", "name", "node", "beside", "key"]


@dataclass(frozen=True, slots=True)
class Found:
    """A finding with its rule and place, before it is a diagnostic. `file` is the number of its file."""

    rule: RuleInfo
    finding: Finding
    place: Place
    file: int
    tool: ToolContract | None
