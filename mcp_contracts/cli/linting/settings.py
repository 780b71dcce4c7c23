"""`--show-settings`: the settings that apply to a run, under their names in the configuration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcp_contracts.config import Config, combine_selections
from mcp_contracts.diagnostics import RuleSelection
from mcp_contracts.parsing.discovery import show
from mcp_contracts.reporting.visible import json_text


def settings_text(config: Config, selection: RuleSelection, sources: Sequence[str]) -> str:
    """Return the settings of a run as JSON: from the command line, then the configuration, then the defaults."""
    rules = combine_selections(config.rules, selection)
    settings: dict[str, Any] = {
        "configuration": None if config.path is None else show(config.path),
        "paths": list(sources),
        "exclude": list(config.exclude),
        "select": list(rules.select),
        "extend_select": list(rules.extend_select),
        "ignore": list(rules.ignore),
        "severity": dict(rules.severity),
        "overrides": [
            {
                "paths": list(one.paths),
                "select": list(one.rules.select),
                "ignore": list(one.rules.ignore),
                "severity": dict(one.rules.severity),
            }
            for one in config.overrides
        ],
        "name_pattern": config.name_pattern,
        "targets": list(config.targets),
        "limits": {
            "max_file_size": config.limits.max_file_size,
            "description_length": config.limits.description_length,
        },
        "max_warnings": config.max_warnings,
        "fail_on": config.fail_on,
        "baseline": config.baseline,
        "diff": {
            "policy": config.diff.policy,
            "against": config.diff.against,
            "levels": dict(config.diff.levels),
        },
    }
    return json_text(settings)
