"""The names of `from mcp_contracts import …`, which cost nothing until they are used."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mcp_contracts
from mcp_contracts import ContractError, Contracts, Verdict, compare_schemas, diff, lint, load
from tests.tables import each

ROOT = Path(__file__).resolve().parents[1]


@each("name", mcp_contracts.__all__)
def test_every_name_of_the_door_is_there(name: str) -> None:
    assert getattr(mcp_contracts, name) is not None
    assert name in dir(mcp_contracts)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        mcp_contracts.nothing  # noqa: B018  # the access is the test


def test_importing_the_package_imports_nothing_else_of_it() -> None:
    code = "import sys, mcp_contracts; print([name for name in sys.modules if name.startswith('mcp_contracts')])"

    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )

    assert result.stdout.strip() == "['mcp_contracts']"


def test_contracts_are_found_by_name_and_by_position() -> None:
    contracts = load(ROOT / "specs")

    contract = contracts["weather.get_forecast"]
    assert contract in contracts
    name: object = "weather.get_forecast"
    assert name in contracts
    assert contract.version is not None
    assert isinstance(contract.input_schema, dict)
    assert contracts[0] is next(iter(contracts))
    assert contracts.faults == ()
    with pytest.raises(KeyError):
        contracts["weather.nothing"]


def test_lint_says_what_it_takes() -> None:
    anything: Any = "specs/"

    with pytest.raises(ContractError, match="expects contracts"):
        lint(anything)


@pytest.mark.parametrize(
    "name", ["Change", "DiffReport", "SchemaComparison", "Verdict", "Witness", "compare_schemas", "diff"]
)
def test_what_comparing_takes_and_gives_is_in_the_door(name: str) -> None:
    assert name in mcp_contracts.__all__


def test_names_are_listed_in_order() -> None:
    assert sorted(mcp_contracts.__all__) == mcp_contracts.__all__


def test_diff_says_what_it_takes() -> None:
    anything: Any = "specs/"

    with pytest.raises(ContractError, match="expects contracts"):
        diff(Contracts(), anything)


def test_two_schemas_and_two_sets_of_contracts_are_compared_through_the_door() -> None:
    contracts = load(ROOT / "specs")

    compared = compare_schemas({"type": "string"}, {"type": "string", "maxLength": 5})
    report = diff(contracts, contracts)

    assert compared.verdict is Verdict.BREAKING
    assert not report.has_failed
    assert list(report.changes()) == []


def test_no_contracts_are_no_faults() -> None:
    report = lint(Contracts())

    assert report.to_dict()["summary"]["files"] == 0
    assert report.diagnostics == ()
