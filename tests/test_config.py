"""The configuration: where it is found, what it may contain, and how errors are reported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.changes.registry import change_rule_infos
from mcp_contracts.config import Config, Limits, Override, combine_selections, load_config
from mcp_contracts.diagnostics import Place, RuleSelection, Severity
from mcp_contracts.errors import ConfigurationError
from mcp_contracts.providers.limits.table import TARGET_NAMES
from mcp_contracts.schema.validation.name_patterns import is_named_by
from tests.maintenance.config_schema import config_schema

ROOT = Path(__file__).resolve().parents[1]
KNOWN = {
    "MC101": "invalid-invocation-name",
    "MC302": "required-property-undefined",
    "MC303": "missing-output-schema",
    "MC305": "property-without-description",
}
CHANGES = change_rule_infos()

FULL: dict[str, Any] = {
    "paths": ["specs", "git:main"],
    "exclude": ["build/", "*.tmp.md"],
    "select": ["MC3", "invalid-invocation-name"],
    "extend-select": ["MC101"],
    "ignore": ["property-without-description"],
    "severity": {"MC3": "warning", "required-property-undefined": "error", "MC303": "off"},
    "overrides": [{"paths": ["legacy/**"], "ignore": ["MC3"], "severity": {"MC101": "note"}, "select": ["MC"]}],
    "name_pattern": "^[a-z]+$",
    "targets": ["openai", "mcp"],
    "limits": {"max_file_size": 1000, "description-length": 200},
    "max-warnings": 0,
    "suppressions": [
        {
            "code": "MC305",
            "tool": "a.b",
            "pointer": "/properties/x",
            "path": "*.json",
            "reason": "theirs",
            "until": "2027-03-01",
        }
    ],
    "diff": {
        "policy": "strict",
        "against": "origin/main",
        "levels": {"BC3": "warning", "output-values-changed": "note", "BC101": "off"},
    },
}


def write(folder: Path, name: str, text: str) -> Path:
    """Write a file and its parent folders."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def loaded(folder: Path, values: object) -> Config:
    """Return the configuration of a folder with these values, written as YAML (a superset of JSON)."""
    write(folder, "mcp-contracts.yaml", json.dumps(values))
    return load_config(folder, known=KNOWN, changes=change_rule_infos)


def refusal(folder: Path, text: str, name: str = "mcp-contracts.yaml") -> ConfigurationError:
    """Return the error for a configuration."""
    write(folder, name, text)
    with pytest.raises(ConfigurationError) as refused:
        load_config(folder, known=KNOWN, changes=change_rule_infos)
    return refused.value


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project as the working directory."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_file_all_values_are_the_defaults(folder: Path) -> None:
    config = load_config(folder, known=KNOWN)

    assert config == Config(None, folder)
    assert config.limits == Limits(max_file_size=2_000_000, description_length=1024)
    assert config.selection_for("a.md") == RuleSelection()
    assert not config.is_excluded("a.md")


def test_every_key_is_read(folder: Path) -> None:
    config = loaded(folder, FULL)

    assert config.path == folder / "mcp-contracts.yaml"
    assert config.root == folder
    assert config.paths == ("specs", "git:main")
    assert config.exclude == ("build/", "*.tmp.md")
    assert config.rules == RuleSelection(
        select=("MC3", "MC101"),
        extend_select=("MC101",),
        ignore=("MC305", "MC303"),
        severity=(("MC3", Severity.WARNING), ("MC302", Severity.ERROR)),
    )
    assert config.overrides == (
        Override(("legacy/**",), RuleSelection(("MC",), (), ("MC3",), (("MC101", Severity.NOTE),))),
    )
    assert config.name_pattern == "^[a-z]+$"
    assert config.targets == ("openai", "mcp")
    assert config.limits == Limits(1000, 200)
    assert config.max_warnings == 0
    (suppression,) = config.suppressions
    assert (suppression.code, suppression.tool, suppression.pointer) == ("MC305", "a.b", "/properties/x")
    assert (suppression.reason, suppression.until) == ("theirs", date(2027, 3, 1))


def test_toml_and_yaml_say_the_same(folder: Path) -> None:
    toml = """\
[tool.other]
x = 1

[tool.mcp-contracts]
paths = ["specs", "git:main"]
exclude = ["build/", "*.tmp.md"]
select = ["MC3", "invalid-invocation-name"]
extend-select = ["MC101"]
ignore = ["property-without-description"]
name-pattern = "^[a-z]+$"
targets = ["openai", "mcp"]
max_warnings = 0

[tool.mcp-contracts.severity]
MC3 = "warning"
required-property-undefined = "error"
MC303 = "off"

[tool.mcp-contracts.limits]
max-file-size = 1000
description_length = 200

[[tool.mcp-contracts.overrides]]
paths = ["legacy/**"]
ignore = ["MC3"]
select = ["MC"]
severity = { MC101 = "note" }

[[tool.mcp-contracts.suppressions]]
code = "MC305"
tool = "a.b"
pointer = "/properties/x"
path = "*.json"
reason = "theirs"
until = 2027-03-01
"""
    yaml = """\
paths: [specs, "git:main"]
exclude:
  - build/
  - "*.tmp.md"
select: [MC3, invalid-invocation-name]
extend_select: [MC101]
ignore: [property-without-description]
name_pattern: ^[a-z]+$
targets: [openai, mcp]
max_warnings: 0
severity:
  MC3: warning
  required-property-undefined: error
  MC303: off
limits: {max_file_size: 1000, description_length: 200}
overrides:
  - paths: [legacy/**]
    ignore: [MC3]
    select: [MC]
    severity: {MC101: note}
suppressions:

  - code: MC305
    tool: a.b
    pointer: /properties/x
    path: "*.json"
    reason: theirs
    until: 2027-03-01
"""
    write(folder, "toml/pyproject.toml", toml)
    write(folder, "yaml/mcp-contracts.yaml", yaml)

    from_toml = load_config(folder / "toml", known=KNOWN)
    from_yaml = load_config(folder / "yaml", known=KNOWN)

    same = ("paths", "exclude", "rules", "overrides", "name_pattern", "targets", "limits", "max_warnings")
    assert {key: getattr(from_toml, key) for key in same} == {key: getattr(from_yaml, key) for key in same}
    assert from_toml.suppressions[0].until == from_yaml.suppressions[0].until == date(2027, 3, 1)
    assert from_toml.suppressions[0].place == Place("toml/pyproject.toml", 29, 1, 29, 1)
    assert from_yaml.suppressions[0].place == Place("yaml/mcp-contracts.yaml", 23, 1, 23, 1)


class TestSearch:
    """Which file applies."""

    def test_the_nearest_file_upwards_applies(self, folder: Path) -> None:
        write(folder, "mcp-contracts.yaml", "max_warnings: 1")
        write(folder, "a/mcp-contracts.yaml", "max_warnings: 2")
        spec = write(folder, "a/b/MCP_TOOL_SPECIFICATION.md", "")

        assert load_config(spec, known=KNOWN).max_warnings == 2
        assert load_config(spec.parent, known=KNOWN).max_warnings == 2
        assert load_config(folder, known=KNOWN).max_warnings == 1

    def test_yaml_beats_pyproject_in_one_folder(self, folder: Path) -> None:
        write(folder, "pyproject.toml", "[tool.mcp-contracts]\nmax_warnings = 1")
        write(folder, "mcp-contracts.yml", "max_warnings: 2")

        assert load_config(folder, known=KNOWN).max_warnings == 2

        write(folder, "mcp-contracts.yaml", "max_warnings: 3")

        assert load_config(folder, known=KNOWN).max_warnings == 3

    @pytest.mark.parametrize(
        "text",
        [
            "[tool.ruff]\n",
            "",
            "not toml at all [",
            "[tool.other]\nname = 'mcp-contracts'\n",
            "tool = 1 # mcp-contracts",
        ],
    )
    def test_a_pyproject_without_our_table_is_passed_over(self, folder: Path, text: str) -> None:
        write(folder, "mcp-contracts.yaml", "max_warnings: 1")
        write(folder, "a/pyproject.toml", text)

        assert load_config(folder / "a", known=KNOWN).max_warnings == 1

    def test_the_search_ends_at_the_root_of_a_repository(self, folder: Path) -> None:
        write(folder, "mcp-contracts.yaml", "max_warnings: 1")
        write(folder, "nested/.git", "gitdir: elsewhere")  # a worktree or a submodule
        (folder / "nested" / "specs").mkdir()

        assert load_config(folder / "nested" / "specs", known=KNOWN).path is None

    def test_a_file_next_to_the_git_folder_applies(self, folder: Path) -> None:
        write(folder, "mcp-contracts.yaml", "max_warnings: 1")
        (folder / "specs").mkdir()

        assert load_config(folder / "specs", known=KNOWN).max_warnings == 1

    def test_a_folder_or_pipe_of_that_name_is_not_a_configuration(self, folder: Path) -> None:
        (folder / "mcp-contracts.yaml").mkdir()
        os.mkfifo(folder / "mcp-contracts.yml")

        assert load_config(folder, known=KNOWN).path is None

    def test_a_file_can_be_named(self, folder: Path) -> None:
        write(folder, "mcp-contracts.yaml", "max_warnings: 1")
        other = write(folder, "ci/strict.yaml", "max_warnings: 2")

        config = load_config(folder, known=KNOWN, file=other)

        assert (config.max_warnings, config.root) == (2, folder / "ci")

    @pytest.mark.parametrize(
        ("name", "text", "message"),
        [
            ("pyproject.toml", "[tool.ruff]", "pyproject.toml: no table [tool.mcp-contracts]"),
            ("strict.toml", "x = 1", "strict.toml: no table [tool.mcp-contracts]"),
            ("strict.json", "{}", "strict.json: not a configuration file"),
            ("pyproject.toml", "[tool]\nmcp-contracts = 1", "pyproject.toml: `tool.mcp-contracts` is not a table"),
        ],
    )
    def test_a_named_file_must_be_a_configuration(self, folder: Path, name: str, text: str, message: str) -> None:
        path = write(folder, name, text)

        with pytest.raises(ConfigurationError) as refused:
            load_config(folder, known=KNOWN, file=path)

        assert refused.value.message == message

    def test_a_named_file_must_be_there(self, folder: Path) -> None:
        with pytest.raises(ConfigurationError, match=r"^`gone\.yaml`: no such file$"):
            load_config(folder, known=KNOWN, file=Path("gone.yaml"))

    def test_a_pipe_is_refused_and_not_waited_for(self, folder: Path) -> None:
        os.mkfifo(folder / "pipe.yaml")

        with pytest.raises(ConfigurationError, match=r"^pipe\.yaml: not a regular file$"):
            load_config(folder, known=KNOWN, file=folder / "pipe.yaml")


class TestRefusals:
    """Every error names the file, the key and the valid values."""

    @pytest.mark.parametrize(
        ("text", "message", "hint"),
        [
            ("ignor: []", "unknown key `ignor`", "did you mean `ignore`?"),
            ("max-warning: 1", "unknown key `max-warning`", "did you mean `max_warnings`?"),
            (
                "colour: red",
                "unknown key `colour`",
                "the valid keys are paths, exclude, select, extend_select, ignore, severity, overrides, name_pattern, "
                "targets, limits, max_warnings, fail_on, suppressions, baseline, diff",
            ),
            ("1: 2", "unknown key `1`", None),
            ("diff: [strict]", "`diff` must be a table, not a list", None),
            ("diff: {polcy: strict}", "unknown key `diff.polcy`", "did you mean `policy`?"),
            ("diff: {policy: stric}", "`diff.policy` is `stric`, expected one of declared, sets, strict",
             "did you mean `strict`?"),
            ("diff: {against: 1}", "`diff.against` must be a string, not a number", None),
            ("diff: {against: ''}", "`diff.against` is empty", None),
            ("diff: {levels: [BC306]}",
             "`diff.levels` must be a table of changes and their levels, not a list", None),
            ("diff: {levels: {bc306: note}}", "`diff.levels` names an unknown change `bc306`",
             "did you mean `BC306`?"),
            ("diff: {levels: {output-value-changed: note}}",
             "`diff.levels` names an unknown change `output-value-changed`",
             "did you mean `output-values-changed`?"),
            ("diff: {levels: {BC306: warn}}",
             "`diff.levels.BC306` is `warn`, expected one of error, warning, note, off", "did you mean `warning`?"),
            ("diff: {levels: {MC305: note}}", "`diff.levels` names an unknown change `MC305`",
             "for a rule of `lint`, set `severity`"),
            ("diff: {levels: {BC111: note}}", "`diff.levels` gives a level to `BC111`, which never breaks",
             "only breaking and unknown changes have a level"),
            ("<<: {}", "unknown key `<<`", None),
            ("overrides: [{paths: [a], ignor: []}]", "unknown key `overrides[0].ignor`", "did you mean `ignore`?"),
            ("limits: {max_size: 1}", "unknown key `limits.max_size`", "did you mean `max_file_size`?"),
            ("suppressions: [{cod: MC305}]", "unknown key `suppressions[0].cod`", "did you mean `code`?"),
            ("name_pattern: a\nname-pattern: b", "`name_pattern` is given twice, with `_` and with `-`", None),
            ("select: [MC3, MC306]", "`select[1]` names an unknown rule `MC306`", "did you mean `MC305`?"),
            ("select: [M]", "`select[0]` names an unknown rule `M`", None),
            ("ignore: [missing-output]", "`ignore[0]` names an unknown rule `missing-output`",
             "did you mean `missing-output-schema`?"),
            ("severity: {mc305: note}", "`severity.mc305` names an unknown rule `mc305`", "did you mean `MC305`?"),
            ("severity: {MC305: warn}", "`severity.MC305` is `warn`, expected one of error, warning, note, off",
             "did you mean `warning`?"),
            ("severity: {MC305: 1}", "`severity.MC305` must be a string, not a number", None),
            ("severity: [MC305]", "`severity` must be a table of rules and their severities, not a list",
             None),
            ("overrides: [{paths: [a], select: [XX]}]", "`overrides[0].select[0]` names an unknown rule `XX`",
             "`mcp-contracts rules` lists all codes and names"),
            ("overrides: [{ignore: [MC3]}]", "`overrides[0].paths` is missing", None),
            ("overrides: [{paths: []}]", "`overrides[0].paths` is empty", None),
            ("overrides: [a]", "`overrides[0]` must be a table, not a string", None),
            ("overrides: {paths: [a]}", "`overrides` must be a list, not a table", None),
            ("select: MC3", "`select` must be a list, not a string", "write `[\"MC3\"]`"),
            ("select: [3]", "`select[0]` must be a string, not a number", None),
            ("select:", "`select` must be a list, not empty", None),
            ("paths: ['']", "`paths[0]` is empty", None),
            ("paths: [true]", "`paths[0]` must be a string, not true", None),
            ("exclude: ['!']", "`exclude[0]` is not a gitignore-style glob: `!`: it matches nothing", None),
            ("name_pattern: '(['", "`name_pattern` is not a usable regular expression: unbalanced bracket",
             None),
            ("name_pattern: " + "a" * 501, "`name_pattern` is longer than 500 characters", None),
            ("targets: [opnai]",
             f"`targets[0]` is `opnai`, expected one of {', '.join(TARGET_NAMES)}",
             "did you mean `openai`?"),
            ("max_warnings: many", "`max_warnings` must be an integer, not a string", None),
            ("max_warnings: true", "`max_warnings` must be an integer, not true", None),
            ("max_warnings: 1.5", "`max_warnings` must be an integer, not a number", None),
            ("max_warnings: -1", "`max_warnings` is -1, which is less than 0", None),
            ("limits: {max_file_size: 0}", "`limits.max_file_size` is 0, which is less than 1", None),
            ("limits: 5", "`limits` must be a table, not a number", None),
            ("suppressions: [{code: MC305}]", "`suppressions[0].reason` is missing", None),
            ("suppressions: [{code: MC305, reason: ' '}]", "`suppressions[0].reason` is empty", None),
            ("suppressions: [{code: MC9, reason: x}]", "`suppressions[0].code` names an unknown rule `MC9`", None),
            ("suppressions: [{code: MC305, reason: x, until: soon}]", "`suppressions[0].until` is not a date: `soon`",
             "write it as 2027-03-01"),
            ("suppressions: [{code: MC305, reason: x, until: 2027-02-30}]",
             "`suppressions[0].until` is not a date: `2027-02-30`", "write it as 2027-03-01"),
            ("suppressions: [{code: MC305, reason: x, pointer: properties}]",
             "`suppressions[0].pointer` is not a JSON pointer", "write it as reports show it: `/properties/x`"),
            ("- a", "not a mapping of keys", "write one key per line, such as `ignore: [MC305]`"),
            ("just words", "not a mapping of keys", "write one key per line, such as `ignore: [MC305]`"),
        ],
    )  # fmt: skip
    def test_a_wrong_key_or_value_is_named(self, folder: Path, text: str, message: str, hint: str | None) -> None:
        error = refusal(folder, text)

        assert error.message == f"mcp-contracts.yaml: {message}"
        if hint is not None:
            assert error.hint == hint

    @pytest.mark.parametrize(
        ("name", "text", "message"),
        [
            ("mcp-contracts.yaml", "a: b: c", "mcp-contracts.yaml:1:5: invalid YAML: mapping values are not allowed"),
            ("mcp-contracts.yaml", "ignore:\n  - [MC3", "mcp-contracts.yaml:2:5: invalid YAML: did not find"),
            ("mcp-contracts.yaml", "a: *b", "mcp-contracts.yaml:1:4: invalid YAML: found undefined alias"),
            ("mcp-contracts.yaml", "a: 1\n---\nb: 2", "mcp-contracts.yaml:2:1: invalid YAML: but found another"),
            ("mcp-contracts.yaml", "ignore: []\nignore: []", "mcp-contracts.yaml:2: the key `ignore` appears twice"),
            ("mcp-contracts.yaml", "? [a]\n: b", "mcp-contracts.yaml:1: a key is not a plain scalar"),
            ("mcp-contracts.yaml", "a: " + "[" * 60 + "]" * 60, "mcp-contracts.yaml: nested deeper than 50 levels"),
            ("mcp-contracts.yaml", "[" * 200_000, "mcp-contracts.yaml: nested deeper than 50 levels"),
            ("pyproject.toml", "[tool.mcp-contracts]\nx = \n", "pyproject.toml:2:5: invalid TOML: invalid value"),
            ("pyproject.toml", "[tool.mcp-contracts\n", "pyproject.toml:1:20: invalid TOML: expected ']' at the"),
            ("pyproject.toml", "[tool.mcp-contracts]\nx = [", "pyproject.toml:2:6: invalid TOML: invalid value"),
            ("pyproject.toml", "#mcp-contracts\nx=" + "[" * 100_000, "pyproject.toml: nested too deeply"),
            ("pyproject.toml", "#mcp-contracts\n" + "a." * 200_000 + "b=1", "pyproject.toml:2: a key has 100 parts"),
        ],
    )  # fmt: skip
    def test_a_broken_file_is_named_with_line_column_and_the_words_of_the_parser(
        self, folder: Path, name: str, text: str, message: str
    ) -> None:
        assert refusal(folder, text, name).message.startswith(message)

    def test_a_huge_file_is_refused(self, folder: Path) -> None:
        error = refusal(folder, "#" * 1_000_001)

        assert error.message == "mcp-contracts.yaml: larger than 1000000 bytes"

    def test_other_encodings_are_refused(self, folder: Path) -> None:
        (folder / "mcp-contracts.yaml").write_bytes(b"# a\n# \xff\xfe\n")

        with pytest.raises(ConfigurationError, match=r"^mcp-contracts\.yaml:2: not UTF-8; "):
            load_config(folder, known=KNOWN)

    def test_a_byte_order_mark_is_not_a_fault(self, folder: Path) -> None:
        (folder / "mcp-contracts.yaml").write_bytes(b"\xef\xbb\xbfmax_warnings: 1")

        assert load_config(folder, known=KNOWN).max_warnings == 1

    @pytest.mark.skipif(not Path("/proc/self/mem").is_file(), reason="no file here that can be opened and not read")
    def test_an_unreadable_file_is_refused(self, folder: Path) -> None:
        (folder / "mcp-contracts.yaml").symlink_to("/proc/self/mem")

        with pytest.raises(
            ConfigurationError, match=r"^mcp-contracts\.yaml: leads outside the tree through a symbolic link; "
        ):
            load_config(folder, known=KNOWN)

    def test_a_long_value_is_cut_and_its_length_is_stated(self, folder: Path) -> None:
        error = refusal(folder, f"ignore: [{'x' * 900_000}]")

        assert error.message.endswith("…` (900,000 characters)")
        assert len(error.message) < 300

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (f"limits: {{max_file_size: {10**17}}}",
             f"`limits.max_file_size` is {10**17}, which is more than 20000000"),
            ("exclude: [" + ", ".join("a" for _ in range(1001)) + "]",
             "`exclude` has 1,001 entries, over the limit of 1,000"),
            ("overrides: [{paths: [" + ", ".join("a" for _ in range(600)) + "]}, {paths: ["
             + ", ".join("a" for _ in range(600)) + "]}]",
             "`exclude` and `overrides` contain more than 1,000 globs"),
        ],
    )  # fmt: skip
    def test_what_a_machine_may_not_hold_is_refused(self, folder: Path, text: str, message: str) -> None:
        assert refusal(folder, text).message == f"mcp-contracts.yaml: {message}"

    def test_a_number_of_too_many_digits_is_refused(self, folder: Path) -> None:
        (folder / "pyproject.toml").write_text("[tool.mcp-contracts]\nmax_warnings = " + "9" * 900_000)

        with pytest.raises(ConfigurationError, match="a number or date is invalid"):
            load_config(folder, known=KNOWN, file=folder / "pyproject.toml")

    @pytest.mark.parametrize("pattern", ["(a+)+", "(a|a)*b", "([a-z]+)*[.]x"])
    def test_a_name_pattern_takes_no_time_on_any_name(self, folder: Path, pattern: str) -> None:
        (folder / "mcp-contracts.yaml").write_text(f"name_pattern: '{pattern}'")

        assert load_config(folder, known=KNOWN).name_pattern == pattern
        assert is_named_by(pattern, "a" * 5000 + "!") is not True

    def test_aliases_cannot_make_a_short_file_mean_a_huge_value(self, folder: Path) -> None:
        lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
        lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]

        error = refusal(folder, "\n".join(lines))

        assert error.message == "mcp-contracts.yaml: too many values, or nested too deeply, because of aliases"

    @pytest.mark.parametrize("text", ["a: &a [*a]", "a: &a {b: *a}"])
    def test_a_value_that_contains_itself_is_refused(self, folder: Path, text: str) -> None:
        assert "nested too deeply" in refusal(folder, text).message

    def test_an_empty_file_configures_nothing(self, folder: Path) -> None:
        write(folder, "mcp-contracts.yaml", "# nothing yet\n")

        assert load_config(folder, known=KNOWN).path == folder / "mcp-contracts.yaml"

    def test_the_file_is_named_relative_to_the_working_folder(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "a" / "b").mkdir(parents=True)
        monkeypatch.chdir(folder / "a" / "b")

        assert refusal(folder, "x: 1").message == "../../mcp-contracts.yaml: unknown key `x`"


class TestSelection:
    """Which rules apply to a path."""

    def config(self, folder: Path, **values: object) -> Config:
        return loaded(folder, values)

    def test_off_ignores(self, folder: Path) -> None:
        selection = self.config(folder, severity={"MC305": "off"}).selection_for("a.md")

        assert not selection.includes("MC305")
        assert selection.includes("MC302")

    def test_a_longer_code_with_a_level_is_spared_by_a_shorter_one_that_is_off(self, folder: Path) -> None:
        selection = self.config(folder, severity={"MC3": "off", "MC305": "warning"}).selection_for("a.md")

        assert selection.includes("MC305")
        assert not selection.includes("MC302")
        assert selection.level("MC305", Severity.NOTE) is Severity.WARNING

    def test_a_level_selects_nothing_that_is_not_selected(self, folder: Path) -> None:
        config = self.config(folder, select=["MC1"], severity={"MC3": "off", "MC305": "warning"})

        assert not config.selection_for("a.md").includes("MC305")

    @pytest.mark.parametrize(
        ("path", "is_meant"),
        [
            ("legacy/a.md", True),
            ("legacy/deep/a.md", True),
            ("specs/legacy/a.md", False),
            ("specs/x.old.md", True),
            ("a.md", False),
            ("../legacy/a.md", False),
        ],
    )
    def test_an_override_is_matched_like_gitignore(self, folder: Path, path: str, is_meant: bool) -> None:
        config = self.config(folder, overrides=[{"paths": ["/legacy/", "*.old.md"], "ignore": ["MC3"]}])

        assert config.selection_for(path).includes("MC305") is not is_meant

    def test_overrides_are_relative_to_the_configuration_and_not_to_the_working_folder(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        config = self.config(folder, overrides=[{"paths": ["specs/*.md"], "ignore": ["MC3"]}])
        (folder / "specs").mkdir()
        monkeypatch.chdir(folder / "specs")

        assert not config.selection_for("a.md").includes("MC305")
        assert not config.selection_for(str(folder / "specs" / "a.md")).includes("MC305")
        assert config.selection_for("../a.md").includes("MC305")

    def test_a_later_override_decides(self, folder: Path) -> None:
        config = self.config(
            folder,
            overrides=[
                {"paths": ["*"], "severity": {"MC305": "error"}, "ignore": ["MC1"]},
                {"paths": ["a.md"], "severity": {"MC3": "warning"}, "select": ["MC1"]},
            ],
        )

        assert config.selection_for("b.md").level("MC305", Severity.NOTE) is Severity.ERROR
        assert config.selection_for("a.md").level("MC305", Severity.NOTE) is Severity.WARNING
        assert config.selection_for("a.md").includes("MC101")
        assert not config.selection_for("a.md").includes("MC302")

    @pytest.mark.parametrize(
        ("path", "is_excluded"),
        [
            ("build", True),
            ("build/a.md", True),
            ("x/build/a.md", True),
            ("a.md", False),
            ("vendor/keep/a.md", False),
            ("vendor/a.md", True),
            ("../build/a.md", False),
        ],
    )
    def test_exclude_is_matched_like_gitignore(self, folder: Path, path: str, is_excluded: bool) -> None:
        config = self.config(folder, exclude=["build/", "vendor/*", "!vendor/keep/"])

        assert config.is_excluded(path) is is_excluded
        assert config.is_excluded(Path(path)) is is_excluded

    @pytest.mark.parametrize(
        ("base", "over", "included", "left_out"),
        [
            (RuleSelection(ignore=("MC305",)), RuleSelection(select=("MC3",)), {"MC302", "MC305"}, {"MC101"}),
            (RuleSelection(ignore=("MC305",)), RuleSelection(extend_select=("MC3",)), {"MC305", "MC101"}, set()),
            (RuleSelection(ignore=("MC3",)), RuleSelection(extend_select=("MC305",)), {"MC305"}, {"MC302"}),
            (RuleSelection(select=("MC305",)), RuleSelection(ignore=("MC3",)), set(), {"MC305", "MC302", "MC101"}),
            (RuleSelection(select=("MC305",)), RuleSelection(select=("MC1",)), {"MC101"}, {"MC305"}),
            (RuleSelection(select=("MC1",)), RuleSelection(extend_select=("MC305",)), {"MC101", "MC305"}, {"MC302"}),
            (RuleSelection(select=("MC1",), extend_select=("MC305",)), RuleSelection(), {"MC101", "MC305"}, {"MC302"}),
        ],
    )
    def test_the_upper_layer_decides_about_everything_that_it_mentions(
        self, base: RuleSelection, over: RuleSelection, included: set[str], left_out: set[str]
    ) -> None:
        selection = combine_selections(base, over)

        assert {code for code in included | left_out if selection.includes(code)} == included

    @given(
        st.builds(RuleSelection, *[st.lists(st.sampled_from(["MC", "MC1", "MC3", "MC305"]), max_size=2).map(tuple)] * 3)
    )
    def test_nothing_on_top_changes_nothing(self, base: RuleSelection) -> None:
        selection = combine_selections(base, RuleSelection())

        assert [selection.includes(code) for code in KNOWN] == [base.includes(code) for code in KNOWN]
        assert selection == base


SCHEMA = jsonschema_rs.Draft7Validator(config_schema(KNOWN, CHANGES), validate_formats=True)


def verdicts(folder: Path, values: object) -> tuple[bool, bool]:
    """Whether the loader accepts a configuration, and whether the schema does."""
    try:
        loaded(folder, values)
        is_loaded = True
    except ConfigurationError:
        is_loaded = False
    return is_loaded, SCHEMA.is_valid(values)


VALID: list[dict[str, Any]] = [
    FULL,
    {},
    *({key: value} for key, value in FULL.items()),
    {"paths": []},
    {"select": ["MC", "MC1", "MC10", "MC101"]},
    {"max_warnings": 5.0},
    {"severity": {}},
    {"overrides": []},
    {"overrides": [{"paths": ["a"]}]},
    {"limits": {}},
    {"targets": []},
    {"suppressions": [{"code": "MC", "reason": "x"}]},
    {"name-pattern": "^[a-z.]{1,20}$"},
    {"diff": {}},
    {"diff": {"levels": {}}},
    {"diff": {"levels": {"BC": "note", "BC2": "error", "BC11": "warning", "BC331": "off"}}},
]


@pytest.mark.parametrize("values", VALID, ids=lambda values: json.dumps(values)[:40])
def test_loader_and_schema_take_the_same(folder: Path, values: dict[str, Any]) -> None:
    assert verdicts(folder, values) == (True, True)


def changed(*path: str | int, to: object) -> Callable[[Any], None]:
    """Return a configuration with one changed value."""

    def change(values: Any) -> None:
        for step in path[:-1]:
            values = values[step]
        values[path[-1]] = to

    return change


WRONG: list[Callable[[Any], None]] = [
    *(changed(key, to=wrong) for key in FULL for wrong in (None, True, 7.5, {"x": 1})),
    *(changed(key, to="x") for key in FULL if key != "name_pattern"),
    *(changed(key, to=["MC9"]) for key in ("select", "extend-select", "ignore")),
    *(changed(key, to=[7]) for key in ("paths", "exclude", "select", "ignore", "targets", "overrides", "suppressions")),
    *(changed(key, to=[" "]) for key in ("paths", "exclude", "select", "ignore", "targets")),
    changed("unknown", to=1),
    changed("Paths", to=[]),
    changed("extend_select", to=[]),
    changed("name-pattern", to="x"),
    changed("max-warnings", to=-1),
    changed("name_pattern", to="(["),
    changed("name_pattern", to="a" * 501),
    changed("name_pattern", to=""),
    changed("severity", "MC305", to="fatal"),
    changed("severity", "MC9", to="note"),
    changed("severity", "MC305", to=None),
    changed("limits", "max_file_size", to=0),
    changed("limits", "max_file_size", to="1"),
    changed("limits", "other", to=1),
    changed("overrides", 0, to={"ignore": []}),
    changed("overrides", 0, "paths", to=[]),
    changed("overrides", 0, "paths", to="x"),
    changed("overrides", 0, "select", to=["x"]),
    changed("overrides", 0, "name_pattern", to="x"),
    changed("overrides", 0, "severity", to={"MC3": "loud"}),
    changed("suppressions", 0, to={"code": "MC305"}),
    changed("suppressions", 0, to={"reason": "x"}),
    changed("suppressions", 0, "code", to="MC9"),
    changed("suppressions", 0, "reason", to=""),
    changed("suppressions", 0, "reason", to=7),
    changed("suppressions", 0, "tool", to=""),
    changed("suppressions", 0, "tool", to=None),
    changed("suppressions", 0, "pointer", to="x"),
    changed("suppressions", 0, "pointer", to=""),
    changed("suppressions", 0, "until", to="soon"),
    changed("suppressions", 0, "until", to="2027-02-30"),
    changed("suppressions", 0, "until", to="20270301"),
    changed("suppressions", 0, "other", to=1),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_loader_and_schema_refuse_the_same(folder: Path, number: int) -> None:
    values = json.loads(json.dumps(FULL))
    WRONG[number](values)

    assert verdicts(folder, values) == (False, False), values


_JSON = st.sampled_from([None, True, 0, 3, 2.5, "", "MC3", "MC305", "a.b", "/x", "2027-03-01", "off", "mcp", "^a$"])
_VALUES = (
    _JSON | st.lists(_JSON, max_size=2) | st.dictionaries(st.sampled_from(["paths", "MC305", "code", "reason"]), _JSON)
)


@given(st.data())
def test_loader_and_schema_give_the_same_verdict_on_mutations(data: st.DataObject) -> None:
    values = json.loads(json.dumps(FULL))
    target: Any = values
    while True:
        keys = sorted(target) if isinstance(target, dict) else list(range(len(target)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(target[key], dict | list) and target[key] and data.draw(st.booleans()):
            target = target[key]
            continue
        break
    if data.draw(st.booleans()):
        target[key] = data.draw(_VALUES)
    else:
        del target[key]

    is_loaded, is_valid = verdicts(Path.cwd(), values)

    assert is_loaded == is_valid, values


def test_loading_imports_nothing_heavy(folder: Path) -> None:
    write(folder, "pyproject.toml", "[tool.mcp-contracts]\nignore = ['MC305']\n")
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from mcp_contracts.config import load_config\n"
        f"load_config(Path({str(folder)!r}), known={{'MC305': 'x'}}).selection_for('a.md')\n"
        "print(sorted({'pydantic', 'yaml', 'pathspec', 'difflib', 'rich'} & set(sys.modules)))\n"
    )

    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)

    assert ran.stdout == "[]\n"
