"""The report as SARIF 2.1.0, which code scanning services and editors read.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html; what GitHub reads of it:
https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from mcp_contracts.diagnostics import Diagnostic, Place, Report, RuleInfo
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.visible import json_text, visible

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_DESCRIPTION_LIMIT = 1024  # of GitHub, for short and full descriptions
_ABSOLUTE = re.compile(r"/|[A-Za-z]:[/\\]")


def render(report: Report, context: RenderContext) -> str:
    """Render a report as a SARIF log of one run, suppressed diagnostics included, with the metadata of all rules."""
    rules = _all_rules(report, context.rules)
    index = {rule.code: position for position, rule in enumerate(rules)}
    driver: dict[str, Any] = {"name": "mcp-contracts"}
    if context.version:
        driver |= {"version": context.version, "semanticVersion": context.version}
    run = {
        "tool": {"driver": {**driver, "rules": [_rule(rule) for rule in rules]}},
        "invocations": [{"executionSuccessful": True}],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder that the paths are relative to."}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, index[diagnostic.code]) for diagnostic in report.diagnostics],
    }
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _all_rules(report: Report, rules: Sequence[RuleInfo]) -> list[RuleInfo]:
    """The known rules, then those that a diagnostic names and nobody described, by code."""
    known = {rule.code: rule for rule in rules}
    for item in sorted(report.diagnostics, key=lambda item: item.code):
        if item.code not in known:
            known[item.code] = RuleInfo(item.code, item.rule, item.severity, "", f"{item.rule}.", "")
    return list(known.values())


def _rule(rule: RuleInfo) -> dict[str, Any]:
    rationale = rule.rationale.strip()
    paragraph = " ".join(rationale.partition("\n\n")[0].split())
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": _limited(rule.summary)},
        "fullDescription": {"text": _limited(f"{rule.summary} {paragraph}".strip())},
        "help": {
            "text": f"{rule.summary}\n\n{rationale}".strip(),
            "markdown": f"## {rule.code} {rule.name}\n\n{rule.summary}\n\n{rationale}".strip(),
        },
        "defaultConfiguration": {"level": rule.severity.value},
    }


def _result(diagnostic: Diagnostic, rule_index: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule_index,
        "level": diagnostic.severity.value,
        "message": {"text": _message(diagnostic)},
        "locations": [_location(diagnostic.place)],
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, **_location(related.place), "message": {"text": _plain(related.message)}}
            for number, related in enumerate(diagnostic.related)
        ]
    if diagnostic.fingerprint:
        result["partialFingerprints"] = {"mcpContracts/v1": diagnostic.fingerprint}
    if diagnostic.suppressed is not None:
        kind = "external" if diagnostic.suppressed_in == "configuration" else "inSource"
        result["suppressions"] = [{"kind": kind, "justification": diagnostic.suppressed}]
    properties = {
        "tool": diagnostic.tool,
        "part": diagnostic.part,
        "pointer": diagnostic.pointer,
        "group": visible(diagnostic.group),
    }
    if present := {name: value for name, value in properties.items() if value is not None}:
        result["properties"] = present
    return result


def _message(diagnostic: Diagnostic) -> str:
    message = _plain(diagnostic.message)
    return message if diagnostic.hint is None else f"{message}\nhelp: {_plain(diagnostic.hint)}"


def _plain(text: str) -> str:
    """Text for a message, in which `[words](target)` would be a link (§3.11.6) that the linted file chose."""
    text = visible(text)
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]") if "](" in text else text


def _location(place: Place) -> dict[str, Any]:
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    return {"physicalLocation": {"artifactLocation": _artifact(place.path), "region": region}}


def _artifact(path: str) -> dict[str, Any]:
    """A path as a percent-encoded URI, relative to the root of the sources unless it is absolute."""
    uri = quote(path.replace("\\", "/").encode("utf-8", "surrogatepass"), safe="/")
    if _ABSOLUTE.match(path):
        return {"uri": f"file:///{uri.lstrip('/').replace('%3A/', ':/', 1)}"}
    return {"uri": uri, "uriBaseId": _ROOT}


def _limited(text: str) -> str:
    return text if len(text) <= _DESCRIPTION_LIMIT else f"{text[: _DESCRIPTION_LIMIT - 1]}…"
