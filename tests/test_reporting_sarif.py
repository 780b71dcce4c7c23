"""The report as SARIF, read by the models of sarif-pydantic."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from pydantic import BaseModel
from sarif_pydantic import Level, Result, Sarif  # type: ignore[import-untyped]  # it has no py.typed

from mcp_contracts.diagnostics import Report, RuleInfo, Severity
from tests.reporting_examples import CLEAN, CONTEXT, FULL, HOSTILE, REPORT, SUPPRESSED, UNDEFINED, diagnostic, rendered

render = partial(rendered, "sarif")

# In SARIF 2.1.0 (§3.14.17, §3.27.23), but missing from the models, which accept unknown keys.
_UNKNOWN_TO_THE_MODELS = {"columnKind", "suppressions"}


def results(report: Report) -> list[Result]:
    """Return the results in a rendered report."""
    found: list[Result] | None = Sarif.model_validate_json(render(report, CONTEXT)).runs[0].results
    assert found is not None
    return found


def surplus_keys(value: object) -> Iterator[str]:
    """Return the keys in a log that the models do not have."""
    if isinstance(value, BaseModel):
        yield from value.model_extra or ()
        for name in type(value).model_fields:
            yield from surplus_keys(getattr(value, name))
    elif isinstance(value, list):
        for item in value:
            yield from surplus_keys(item)


def test_every_key_is_one_of_sarif() -> None:
    log = Sarif.model_validate_json(render(REPORT, CONTEXT))

    assert set(surplus_keys(log)) == _UNKNOWN_TO_THE_MODELS


def test_the_log_says_what_made_it() -> None:
    log = Sarif.model_validate_json(render(REPORT, CONTEXT))

    run = log.runs[0]
    assert log.version == "2.1.0"
    assert (run.tool.driver.name, run.tool.driver.version) == ("mcp-contracts", "0.1.0")
    assert run.invocations is not None
    assert [invocation.execution_successful for invocation in run.invocations] == [True]
    assert json.loads(render(REPORT, CONTEXT))["runs"][0]["columnKind"] == "unicodeCodePoints"


def test_a_result_contains_everything_about_a_diagnostic() -> None:
    result = json.loads(render(Report((FULL,)), CONTEXT))["runs"][0]["results"][0]

    location = {
        "physicalLocation": {
            "artifactLocation": {"uri": "specs/weather/MCP_TOOL_SPECIFICATION.md", "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": 5, "startColumn": 24, "endLine": 5, "endColumn": 30},
        }
    }
    related = {
        "id": 0,
        "physicalLocation": {
            **location["physicalLocation"],
            "region": {"startLine": 1, "startColumn": 10, "endLine": 1, "endColumn": 21},
        },
        "message": {"text": "the tool is defined here"},
    }
    assert result == {
        "ruleId": "MC302",
        "ruleIndex": 0,
        "level": "error",
        "message": {
            "text": "the schema requires `unit`, which it does not define\nhelp: define `unit` under `properties`"
        },
        "locations": [location],
        "relatedLocations": [related],
        "partialFingerprints": {"mcpContracts/v1": "0123456789abcdef"},
        "properties": {
            "tool": "weather.get",
            "part": "input",
            "pointer": "/required/1",
            "group": "MC302 the schema requires …, which it does not define",
        },
    }


def test_severities_are_levels() -> None:
    report = Report(tuple(diagnostic(severity=severity) for severity in Severity))

    assert [result.level for result in results(report)] == [Level.ERROR, Level.WARNING, Level.NOTE]


def test_a_rule_index_leads_to_the_rule() -> None:
    log = Sarif.model_validate_json(render(REPORT, CONTEXT))

    rules, found = log.runs[0].tool.driver.rules, log.runs[0].results
    assert rules is not None
    assert found is not None
    assert [rule.id for rule in rules] == ["MC302", "MC305", "MC105"]
    assert [rules[result.rule_index or 0].id for result in found] == [result.rule_id for result in found]


def test_a_rule_brings_its_rationale() -> None:
    rule = json.loads(render(Report(), CONTEXT))["runs"][0]["tool"]["driver"]["rules"][0]

    summary = "A schema requires a property that it does not define."
    assert rule == {
        "id": "MC302",
        "name": "required-property-undefined",
        "shortDescription": {"text": summary},
        "fullDescription": {"text": f"{summary} A caller cannot know what to send."},
        "help": {
            "text": f"{summary}\n\nA caller cannot know\nwhat to send.\n\nSecond paragraph.",
            "markdown": f"## MC302 required-property-undefined\n\n{summary}\n\n"
            "A caller cannot know\nwhat to send.\n\nSecond paragraph.",
        },
        "defaultConfiguration": {"level": "error"},
    }


def test_a_description_keeps_to_the_limit_of_github() -> None:
    rule = replace(UNDEFINED, rationale="x" * 5000)

    text = render(Report(), replace(CONTEXT, rules=(rule,)))

    assert len(json.loads(text)["runs"][0]["tool"]["driver"]["rules"][0]["fullDescription"]["text"]) == 1024


def test_a_suppressed_diagnostic_is_a_suppressed_result() -> None:
    result: Any = json.loads(render(Report((SUPPRESSED,)), CONTEXT))["runs"][0]["results"][0]

    assert result["suppressions"] == [{"kind": "inSource", "justification": "not ours to write"}]


def test_a_suppression_of_the_configuration_is_external() -> None:
    suppressed = replace(SUPPRESSED, suppressed_in="configuration")

    result: Any = json.loads(render(Report((suppressed,)), CONTEXT))["runs"][0]["results"][0]

    assert result["suppressions"] == [{"kind": "external", "justification": "not ours to write"}]


@pytest.mark.parametrize(
    ("path", "artifact"),
    [
        (CLEAN, {"uri": CLEAN, "uriBaseId": "%SRCROOT%"}),
        ("a b/ü%.md", {"uri": "a%20b/%C3%BC%25.md", "uriBaseId": "%SRCROOT%"}),
        ("a:b?#.md", {"uri": "a%3Ab%3F%23.md", "uriBaseId": "%SRCROOT%"}),
        ("../x.md", {"uri": "../x.md", "uriBaseId": "%SRCROOT%"}),
        ("/srv/x y.md", {"uri": "file:///srv/x%20y.md"}),
        ("C:/x y.md", {"uri": "file:///C:/x%20y.md"}),
        ("a\ud800", {"uri": "a%ED%A0%80", "uriBaseId": "%SRCROOT%"}),
    ],
)
def test_a_path_is_a_percent_encoded_uri(path: str, artifact: dict[str, str]) -> None:
    result = json.loads(render(Report((diagnostic(path=path),)), CONTEXT))["runs"][0]["results"][0]

    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == artifact


def test_a_linted_file_cannot_place_a_link() -> None:
    (result,) = results(Report((diagnostic(message="see [this](https://example.org)"),)))

    assert result.message.text == "see \\[this\\](https://example.org)"


def test_a_rule_without_a_description_is_described_by_its_name() -> None:
    log = json.loads(render(Report((SUPPRESSED,)), replace(CONTEXT, rules=())))

    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert [(rule["id"], rule["name"]) for rule in rules] == [("MC105", "missing-section")]


def test_a_hostile_message_leaves_readable_json() -> None:
    rule = RuleInfo("MC507", "hidden-characters", Severity.ERROR, "0.1.0", HOSTILE, HOSTILE)
    report = Report((diagnostic("MC507", message=HOSTILE, hint=HOSTILE, path=HOSTILE, suppressed=HOSTILE),))

    text = render(report, replace(CONTEXT, rules=(rule,)))

    assert len(json.loads(text.encode("utf-8"))["runs"][0]["results"]) == 1
    assert all(character == "\n" or character.isprintable() for character in text)


def test_the_same_report_gives_the_same_bytes() -> None:
    assert render(REPORT, CONTEXT) == render(REPORT, CONTEXT)
