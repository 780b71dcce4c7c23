"""The rules about the bold lines below a heading, their life cycle, and the list of errors."""

from __future__ import annotations

import pytest

from mcp_contracts.contract import SpecFile
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.rules.base import Rule
from mcp_contracts.rules.behavior.effects import duplicate_error_type, error_type_not_in_backticks
from mcp_contracts.rules.files import invalid_front_matter, misspelt_front_matter_key
from mcp_contracts.rules.structure.property_lines import property_line_not_read
from mcp_contracts.rules.versions import invalid_lifecycle_version, missing_version
from tests.support_names import PATH, messages


def spec_of(lines: str, *, errors: str = "", head: str = "") -> SpecFile:
    return read_spec(PATH, f"{head}## Tool: `weather.get`\n\n{lines}\n\n### 5. Error Handling\n\n{errors}\n")


def said(rule: Rule, file: SpecFile) -> list[str]:
    return messages(rule, file.tools[0])


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("**Version**: 1.0.0\n**Efects**: read-only", ["the line `**efects**` is unknown and ignored"]),
        ("**Version**: 1.0.0\n**Use-when**: it rains", ["the line `**use-when**` is unknown and ignored"]),
        ("**Version**: 1.0.0\n**Version**: 1.0.0", ["the line `**Version**` appears twice, and only the first counts"]),
        ("**Version**: 1.0.0\n**Effects**:", ["the line `**Effects**` has no value"]),
        ("**Version**: 1.0.0\n**Optional**: maybe", ["`**Optional**` is `maybe`, which is neither yes nor no"]),
        (
            "**Version**: 1.0.0\n**Status**: deprecated (since 1.0.0, removd in 2.0.0, use `a.b`)",
            ["`removd in 2.0.0` is not recognized as part of the status"],
        ),
        ("**Version**: 1.0.0\n**Status**: deprecated (since 1.0.0, use `a.b`)", []),
        ("**Version**: 1.0.0\n**Status**: deprecated (since 1.0.0, replaced by `a.b` for good)", []),
        ("**Version**: 1.0.0\n**Maintainer**: Anna\n**Rate limit**: 5 a second", []),
        ("**Version**: 1.0.0\n**Optional**: no, it is needed", []),
        ("**Verson**: 1.0.0", []),
    ],
)
def test_a_line_that_is_not_read_is_reported_as_that(lines: str, expected: list[str]) -> None:
    assert said(property_line_not_read, spec_of(lines)) == expected


def test_a_misspelled_version_is_a_missing_one_with_a_way_out() -> None:
    (finding,) = missing_version.check(spec_of("**Verson**: 1.0.0").tools[0])

    assert finding.message == "`weather.get` has no version"
    assert finding.hint == "write `**Version**` for `**verson**`"
    assert finding.place is not None
    assert finding.place.line == 3


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("deprecated (since 1.0.0, removed in 2.0.0, use `a.b`)", []),
        ("deprecated (since 1.0.0, use `a.b`)", []),
        ("deprecated (since v1, use `a.b`)", ["`since v1` is not a version"]),
        ("deprecated (since 1.0.0, removed in autumn, use `a.b`)", ["`removed in autumn` is not a version"]),
        (
            "deprecated (since 1.1.0, removed in 1.1.0, use `a.b`)",
            ["the tool is removed in 1.1.0, which is not after 1.1.0"],
        ),
        ("deprecated (since 1.9.0, removed in 1.10.0, use `a.b`)", []),
        ("deprecated (since {{version}}, use `a.b`)", []),
        ("stable (since v1)", []),
    ],
)
def test_versions_of_the_life_cycle_are_versions_in_order(status: str, expected: list[str]) -> None:
    assert said(invalid_lifecycle_version, spec_of(f"**Version**: 1.0.0\n**Status**: {status}")) == expected


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("module: weather\nversion: 1.0.0", []),
        ("modul: weather", ["the key `modul` of the front matter is unknown and ignored"]),
        ("Version: 1.0.0", ["the key `Version` of the front matter is unknown and ignored"]),
        ("module: weather\nmodule_name: weather\nreviewed: 2026-01-01", []),
    ],
)
def test_a_key_near_to_one_that_is_missing_is_misspelled(keys: str, expected: list[str]) -> None:
    file = spec_of("**Version**: 1.0.0", head=f"---\n{keys}\n---\n\n")

    assert messages(misspelt_front_matter_key, file) == expected


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        ("- `TimeoutError`: late.\n- `TimeoutError`: never.", ["error type `TimeoutError` is listed twice"]),
        ("- `TimeoutError`: late.\n- `ValidationError`: wrong.", []),
    ],
)
def test_an_error_type_is_listed_once(errors: str, expected: list[str]) -> None:
    assert said(duplicate_error_type, spec_of("**Version**: 1.0.0", errors=errors)) == expected


@pytest.mark.parametrize(
    ("errors", "names"),
    [
        ("- `TimeoutError`: late.\n- ValidationError: wrong.\n- **QuotaExceeded** (rare): no.", 2),
        ("| Type | When |\n|---|---|\n| `TimeoutError` | late |\n| ValidationError | wrong |", 1),
        ("- `TimeoutError`: late.\n- Everything else is answered as ToolExecutionError.", 0),
        ("- `TimeoutError`: late.\n- TimeoutError: as said above.", 0),
        ("- ValidationError: wrong.", 0),  # no type is in backticks, which MC501 reports
    ],
)
def test_an_error_type_without_backticks_next_to_others_is_found(errors: str, names: int) -> None:
    found = said(error_type_not_in_backticks, spec_of("**Version**: 1.0.0", errors=errors))

    assert len(found) == names
    assert all(message.endswith("is not in backticks, so it is not read") for message in found)


def test_invalid_front_matter_says_what_to_write() -> None:
    (finding,) = invalid_front_matter.check(spec_of("**Version**: 1.0.0", head="---\nmodule: [a\n---\n\n"))

    assert finding.hint == "write one `key: value` on each line, and quote text that contains `: ` or brackets"
