"""Creating a rule: a skeleton and examples, with one failing test."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mcp_contracts.rules.base import SCOPES
from tests.maintenance.generate import ROOT
from tests.maintenance.new_rule import RefusedError, begin_rule, main

_LEFT_OUT = shutil.ignore_patterns(".*", "golden", "cases", "benchmarks", "build", "dist", "*.egg-info")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the project, without the parts that a new rule does not affect."""
    return shutil.copytree(ROOT, tmp_path / "project", ignore=_LEFT_OUT)


def copy_rules(root: Path) -> Path:
    """A copy of the rules, without the examples of existing ones."""
    ignored = shutil.ignore_patterns("__pycache__", "examples")
    return shutil.copytree(ROOT / "mcp_contracts" / "rules", root / "mcp_contracts" / "rules", ignore=ignored)


def python(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a module of the copy."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.installs
def test_a_new_rule_leaves_exactly_one_red_test(copy: Path) -> None:
    rules = (
        ("versions.py", "MC299", "fault-of-versions"),
        ("schemas/units.py", "MC399", "fault-of-units", "--topic", "schemas/units", "--scope", "ToolSchema"),
        ("portability/widths.py", "MC699", "fault-of-widths", "--topic", "portability/widths"),
        ("functions/threads.py", "MC799", "fault-of-threads", "--topic", "functions/threads"),
        ("live/speed.py", "MC899", "fault-of-speed", "--topic", "live/speed"),
    )
    begun = {module: python("tests.maintenance.new_rule", *words, cwd=copy) for module, *words in rules}
    tested = python(
        "pytest",
        "-n0",
        "-p",
        "no:cacheprovider",
        "-k",
        "MC299 or MC399 or MC699 or MC799 or MC899 or not (MC or BC)",  # other rules are as they were
        "tests/test_rule_examples.py",
        "tests/test_rules_live.py",
        "tests/test_rule_page.py",
        "tests/test_generated_files.py::test_every_generated_file_is_fresh",
        cwd=copy,
    )
    style = [
        python("ruff", *words, "mcp_contracts/rules", cwd=copy).stdout for words in (("check",), ("format", "--diff"))
    ]

    failed = re.findall(r"^FAILED \S+::(\S+)", tested.stdout, re.MULTILINE)
    for module, ran in begun.items():
        assert ran.returncode == 0, ran.stderr
        assert f"mcp_contracts/rules/{module}: write the rule" in ran.stdout
    assert failed == [
        *(
            f"test_a_bad_example_triggers_exactly_what_is_expected[{code}]"
            for code in ("MC299", "MC399", "MC699", "MC799")
        ),
        "test_a_broken_server_triggers_exactly_what_is_expected[MC899]",
    ]
    assert style == ["All checks passed!\n", ""]


def test_a_skeleton_is_at_the_end_of_the_module_of_its_neighbor(tmp_path: Path) -> None:
    rules = copy_rules(tmp_path)

    begin_rule("MC299", "version-goes-back", tmp_path)

    source = (rules / "versions.py").read_text(encoding="utf-8")
    assert source.partition('@rule("MC299"')[2].startswith(', Severity.WARNING, since="0.2.0")\ndef version_goes_back(')


@pytest.mark.parametrize(
    ("topic", "imported", "listed"),
    [
        ("lifecycle", "from mcp_contracts.rules import lifecycle\n", "lifecycle"),
        ("schemas/units", "from mcp_contracts.rules.schemas import units as schemas_units\n", "schemas_units"),
    ],
)
def test_a_new_module_is_listed_once_and_a_known_one_is_already(
    topic: str, imported: str, listed: str, tmp_path: Path
) -> None:
    registry = copy_rules(tmp_path) / "registry.py"
    before = registry.read_text(encoding="utf-8")

    begin_rule("MC200", "version-goes-back", tmp_path, topic="versions")
    known = registry.read_text(encoding="utf-8")
    begin_rule("MC299", "version-goes-on", tmp_path, topic=topic)
    after = registry.read_text(encoding="utf-8")

    assert known == before
    assert imported in after
    assert f"MODULES = (\n    {listed},\n" in after


def test_a_skeleton_is_about_its_scope_and_imports_it(tmp_path: Path) -> None:
    rules = copy_rules(tmp_path)

    begin_rule("MC299", "version-goes-back", tmp_path, scope="ToolSchema")

    source = (rules / "versions.py").read_text(encoding="utf-8")
    assert "def version_goes_back(schema: ToolSchema) -> Iterator[Finding]:" in source
    assert "from mcp_contracts.rules.base import ToolSchema\n" in source


@pytest.mark.parametrize("scope", sorted(SCOPES))
def test_a_rule_of_any_scope_can_be_begun(scope: str, tmp_path: Path) -> None:
    copy_rules(tmp_path)

    written = begin_rule("MC299", "version-goes-back", tmp_path, scope=scope)

    assert all((tmp_path / path).exists() for path in written)


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ({"topic": "Some Topic"}, "is not a topic"),
        ({"topic": "../x"}, "is not a topic"),
        ({"scope": "x"}, "not a scope"),
    ],
)
def test_a_topic_or_a_scope_that_cannot_exist_is_refused(others: dict[str, str], reason: str, tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match=reason):
        begin_rule("MC299", "version-goes-back", tmp_path, **others)


@pytest.mark.parametrize(
    ("code", "name", "reason"),
    [
        ("MC201", "some-fault", "never used again"),
        ("MC999", "some-fault", "no family MC9"),
        ("MC29", "some-fault", "not a code"),
        ("mc299", "some-fault", "not a code"),
        ("MC299", "SomeFault", "not a name of a rule"),
        ("MC299", "some_fault", "not a name of a rule"),
        ("MC299", "class", "not a name of a rule"),
        ("MC299", "missing-version", "name of another rule"),
        ("MC299", "suggested-version", "has something of the name"),
    ],
)
def test_what_cannot_be_a_rule_is_refused_and_nothing_written(
    code: str, name: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy_rules(tmp_path)
    before = sorted((path, path.stat().st_mtime_ns) for path in tmp_path.rglob("*"))

    with pytest.raises(RefusedError, match=reason):
        begin_rule(code, name, tmp_path)

    assert sorted((path, path.stat().st_mtime_ns) for path in tmp_path.rglob("*")) == before


def test_a_refusal_is_a_sentence_and_an_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = main(["MC201", "some-fault"])

    assert exit_code == 2
    assert capsys.readouterr().err == "error: MC201 is `missing-version`, and a code is never used again\n"
