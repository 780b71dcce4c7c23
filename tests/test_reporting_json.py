"""The report as JSON, and its schema."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any, get_type_hints

import jsonschema_rs
import pytest

from mcp_contracts.diagnostics import DiagnosticDict, RelatedDict, Report, ReportDict, SummaryDict
from tests.maintenance.report_schemas import report_schema
from tests.reporting_examples import CONTEXT, HOSTILE, REPORT, diagnostic, rendered

render = partial(rendered, "json")


def test_the_document_is_the_report() -> None:
    text = render(REPORT, CONTEXT)

    assert json.loads(text) == REPORT.to_dict()
    assert text.startswith('{\n  "format": "mcp-contracts/lint",\n  "version": 1,\n')
    assert text.endswith("\n}\n")


def test_quiet_leaves_nothing_out() -> None:
    assert render(REPORT, replace(CONTEXT, quiet=True)) == render(REPORT, CONTEXT)


def test_letters_of_all_scripts_stay_readable() -> None:
    assert "城市é" in render(Report((diagnostic(message="城市é"),)), CONTEXT)


def test_hidden_characters_are_escaped_and_keep_their_value() -> None:
    message = "a\u202eb\x9bc\U000e0041d"

    text = render(Report((diagnostic(message=message),)), CONTEXT)

    assert "a\\u202eb\\u009bc\\udb40\\udc41d" in text
    assert json.loads(text)["diagnostics"][0]["message"] == message


def test_a_lone_surrogate_is_written_out_since_no_reader_takes_it() -> None:
    text = render(Report((diagnostic(message="a\ud800b"),)), CONTEXT)

    assert json.loads(text.encode("utf-8"))["diagnostics"][0]["message"] == "a\\u{d800}b"


def test_a_hostile_message_leaves_readable_json() -> None:
    text = render(Report((diagnostic(message=HOSTILE, tool=HOSTILE),)), CONTEXT)

    assert len(json.loads(text.encode("utf-8"))["diagnostics"]) == 1
    assert all(character == "\n" or character.isprintable() for character in text)


@pytest.mark.parametrize("report", [REPORT, Report()])
def test_the_schema_accepts_a_report(report: Report) -> None:
    validator = jsonschema_rs.Draft7Validator(report_schema())

    assert [error.message for error in validator.iter_errors(json.loads(render(report, CONTEXT)))] == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), "mcp-contracts/diff"),
        (("version",), 2),
        (("summary", "errors"), "1"),
        (("summary", "files"), None),
        (("diagnostics",), {}),
        (("diagnostics", 0, "severity"), "fatal"),
        (("diagnostics", 0, "code"), None),
        (("diagnostics", 0, "line"), "5"),
        (("diagnostics", 0, "part"), "tool"),
        (("diagnostics", 0, "fixable"), 1),
        (("diagnostics", 3, "related", 0, "message"), None),
    ],
)
def test_the_schema_refuses_another_type(path: tuple[str | int, ...], value: object) -> None:
    document: Any = json.loads(render(REPORT, CONTEXT))
    *parents, last = path
    target = document
    for step in parents:
        target = target[step]
    target[last] = value

    assert not jsonschema_rs.Draft7Validator(report_schema()).is_valid(document)


def test_the_schema_describes_every_key_and_requires_it() -> None:
    schema = report_schema()
    diagnostics = schema["properties"]["diagnostics"]["items"]
    objects = {
        ReportDict: schema,
        SummaryDict: schema["properties"]["summary"],
        DiagnosticDict: diagnostics,
        RelatedDict: diagnostics["properties"]["related"]["items"],
    }

    for kind, described in objects.items():
        assert described["required"] == list(described["properties"]) == list(get_type_hints(kind))
    undescribed = [key for key, value in diagnostics["properties"].items() if "description" not in value]
    assert undescribed == []


def test_the_schema_leaves_room_for_more_keys() -> None:
    document = {**Report().to_dict(), "duration": 1}

    assert jsonschema_rs.Draft7Validator(report_schema()).is_valid(document)
