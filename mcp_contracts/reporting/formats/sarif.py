"""A report as SARIF 2.1.0, which code scanning services and editors read.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html; the part that GitHub reads:
https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from mcp_contracts import lazy_re as re
from mcp_contracts.diagnostics import Place, RuleInfo, Severity
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.document import Document, Entry, Urgency
from mcp_contracts.reporting.visible import json_text, visible

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_DESCRIPTION_LIMIT = 1024  # GitHub's limit for short and full descriptions
_ABSOLUTE = re.compile(r"/|[A-Za-z]:[/\\]")


def render(document: Document, context: RenderContext) -> str:
    """Render a document as a SARIF log of one run that contains every entry, with the metadata of all rules.

    A covered or accepted change is a note. A compatible change is informational, without a level.
    """
    entries = tuple(document.entries())
    rules = _all_rules(entries, context.rules)
    index = {rule.code: position for position, rule in enumerate(rules)}
    driver: dict[str, Any] = {"name": "mcp-contracts"}
    if context.version:
        driver |= {"version": context.version, "semanticVersion": context.version}
    run = {
        "tool": {"driver": {**driver, "rules": [_rule(rule) for rule in rules]}},
        "invocations": [{"executionSuccessful": True}],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder that the paths are relative to."}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(entry, index[entry.code], has_baseline=document.has_baseline) for entry in entries],
    }
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _all_rules(entries: Sequence[Entry], rules: Sequence[RuleInfo]) -> list[RuleInfo]:
    """Return the known rules, then rules without a description that entries name, by code."""
    known = {rule.code: rule for rule in rules}
    for entry in sorted(entries, key=lambda entry: entry.code):
        if entry.code not in known:
            severity = entry.severity or Severity.NOTE
            known[entry.code] = RuleInfo(entry.code, entry.rule, severity, "", f"{entry.rule}.", "")
    return list(known.values())


def _rule(rule: RuleInfo) -> dict[str, Any]:
    rationale = rule.rationale.strip()
    paragraph = " ".join(rationale.partition("\n\n")[0].split())
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": _limit(rule.summary)},
        "fullDescription": {"text": _limit(f"{rule.summary} {paragraph}".strip())},
        "help": {
            "text": f"{rule.summary}\n\n{rationale}".strip(),
            "markdown": f"## {rule.code} {rule.name}\n\n{rule.summary}\n\n{rationale}".strip(),
        },
        "defaultConfiguration": {"level": rule.severity.value},
    }


def _result(entry: Entry, rule_index: int, *, has_baseline: bool) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": entry.code,
        "ruleIndex": rule_index,
        "level": (entry.severity or Severity.NOTE).value,
        "message": {"text": "\n".join(map(_escape_links, (entry.message, *entry.detail_lines())))},
    }
    if entry.place is not None:
        result["locations"] = [_location(entry.place)]
    if entry.related:
        result["relatedLocations"] = [
            {"id": number, **_location(related.place), "message": {"text": _escape_links(related.message)}}
            for number, related in enumerate(entry.related)
        ]
    if entry.fingerprint:
        result["partialFingerprints"] = {"mcpContracts/v1": entry.fingerprint}
    if entry.suppressed is not None and entry.suppressed_in != "accepted":
        kind = "external" if entry.is_known or entry.suppressed_in == "configuration" else "inSource"
        result["suppressions"] = [{"kind": kind, "justification": entry.suppressed}]
    # Readers that do not know `baselineState` use the suppression. Entries that a comment or the configuration
    # suppresses are not compared, so they have no state.
    if has_baseline and (entry.is_known or entry.suppressed is None):
        result["baselineState"] = "unchanged" if entry.is_known else "new"
    named = {"tool": entry.tool, "part": entry.part, "pointer": entry.pointer, "group": visible(entry.group)}
    result["properties"] = {**{name: value for name, value in named.items() if value is not None}, **entry.properties}
    if entry.urgency in (Urgency.COMPATIBLE, Urgency.WORDS):
        result |= {"kind": "informational", "level": "none"}  # §3.27.10: a result that is not a failure has no level
    if entry.suppressed_in == "accepted":
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": entry.suppressed}]
    return result


def _escape_links(text: str) -> str:
    """Escape text for a message, where `[words](target)` would be a link of the file's author (§3.11.6)."""
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
    """Return a path as a percent-encoded URI, relative to the root of the sources unless it is absolute."""
    uri = quote(path.replace("\\", "/").encode("utf-8", "surrogatepass"), safe="/")
    if _ABSOLUTE.match(path):
        return {"uri": f"file:///{uri.lstrip('/').replace('%3A/', ':/', 1)}"}
    return {"uri": uri, "uriBaseId": _ROOT}


def _limit(text: str) -> str:
    return text if len(text) <= _DESCRIPTION_LIMIT else f"{text[: _DESCRIPTION_LIMIT - 1]}…"
