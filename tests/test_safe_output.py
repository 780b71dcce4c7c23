"""Reports about untrusted text contain no secret and no command for a CI runner."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.cli.app import run
from mcp_contracts.config.files import ACCEPTED_FILE
from mcp_contracts.masking.mask import SecretMask
from mcp_contracts.reporting.render import FORMATS
from mcp_contracts.reporting.visible import json_text, visible, without_commands

TOKEN = "ghp_" + "aZ09bY18cX27dW36eV45fU54gT63hS72iR81"
LOGIN = "hV7q" + "Zw2Lr9Xk4"
AWS = "AKIA" + "UHFQ6NOMEFM4EGNV"
KEY = "MIIEowIBAAKCAQEA" + "x7Zq3Lk9" * 6
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{KEY}\n{KEY[::-1]}\n-----END RSA PRIVATE KEY-----"


def schema(**properties: object) -> dict[str, object]:
    """Return an input schema with some properties."""
    return {"type": "object", "properties": dict(properties)}


def tools(input_schema: object, *, name: str = "send", description: str = "Sends a note.") -> str:
    """Return a tool list with one tool."""
    return json.dumps({"tools": [{"name": name, "description": description, "inputSchema": input_schema}]})


LEAKS: dict[str, object] = {
    "MC302": {"type": "object", "properties": {}, "required": [TOKEN]},
    "MC317": schema(key={"type": "string", "description": "A key.", "pattern": f"({TOKEN}"}),
    "MC321": schema(key={"type": "integer", "description": "A key.", "default": TOKEN}),
    "a URL": schema(key={"type": "integer", "description": f"postgres://admin:{LOGIN}@db.acme.io/x", "default": LOGIN}),
    "a key": schema(key={"type": "integer", "description": PEM, "default": KEY}),
    "a name": schema(key={"type": "strnig"}),
    "a reference": schema(key={"description": "A key.", "$ref": f"#/$defs/{AWS}"}),
    "a neighbor": schema(key={"type": "strnig", "default": TOKEN, "examples": [TOKEN]}),
}


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("format_name", FORMATS)
def test_lint_prints_no_secret_in_any_format(
    leak: str, format_name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = TOKEN if leak == "a name" else "send"
    Path("tools.json").write_text(tools(LEAKS[leak], name=name), encoding="utf-8")

    run(["lint", "tools.json", "--format", format_name, "--target", "all", "--ignore", "MC506"])

    captured = capsys.readouterr()
    for secret in (TOKEN, LOGIN, KEY, AWS):
        assert secret[4:16] not in captured.out + captured.err


@pytest.mark.parametrize("format_name", FORMATS)
def test_diff_prints_no_secret_in_any_format(
    format_name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    old = schema(key={"enum": [TOKEN, LOGIN], "default": TOKEN, "description": f"://me:{LOGIN}@db.acme.io"}, gone={})
    new = schema(key={"enum": ["a"], "default": "a", "description": "A key."})
    name = f"send_{TOKEN}"
    Path("old.json").write_text(tools(old, name=name), encoding="utf-8")
    Path("new.json").write_text(tools(new, name=name), encoding="utf-8")

    code = run(["diff", "old.json", "new.json", "--format", format_name, "--verbose"])

    captured = capsys.readouterr()
    assert code == 1
    assert "BC" in captured.out
    for secret in (TOKEN, LOGIN):
        assert secret[4:12] not in captured.out + captured.err


def test_an_accepted_break_whose_words_hold_a_secret_is_accepted_and_written_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.json").write_text(tools(schema(**{TOKEN: {"enum": [LOGIN, "b"]}})), encoding="utf-8")
    Path("new.json").write_text(tools(schema(**{TOKEN: {"enum": ["b"]}})), encoding="utf-8")

    before = run(["diff", "old.json", "new.json"])
    run(["diff", "old.json", "new.json", "--accept", "--reason", "nobody sends it"])

    assert (before, run(["diff", "old.json", "new.json"])) == (1, 0)
    written = Path(ACCEPTED_FILE).read_text(encoding="utf-8")
    assert TOKEN[4:12] not in written + "".join(capsys.readouterr())


def test_a_complaint_about_configuration_prints_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mcp-contracts.yaml").write_text(f"paths: specs\nselect: ['{TOKEN}']\n", encoding="utf-8")

    code = run(["lint"])

    captured = capsys.readouterr()
    assert code == 2
    assert "error: " in captured.err
    assert TOKEN[4:16] not in captured.out + captured.err


def test_a_masked_text_is_as_long_as_before_and_shows_where_the_secret_begins() -> None:
    mask = SecretMask([f"token: {TOKEN}"])

    assert mask.text(f"got `{TOKEN}` twice") == f"got `ghp_{'*' * 36}` twice"


def test_a_secret_that_a_message_cuts_is_masked_as_far_as_it_goes() -> None:
    mask = SecretMask([f"postgres://admin:{LOGIN}@db.acme.io/x"])

    assert mask.text(f"`key` is {LOGIN[:10]}…") == f"`key` is {LOGIN[:4]}******…"
    assert mask.text(f"`…{LOGIN[-9:]}`") == f"`…{'*' * 9}`"


def test_every_line_of_a_key_is_masked() -> None:
    mask = SecretMask([PEM])

    assert KEY[:8] not in mask.text(f"default {KEY[:40]}")
    assert KEY[::-1][8:16] not in mask.text(PEM)
    assert mask.text("-----BEGIN RSA PRIVATE KEY-----") == "-----BEGIN RSA PRIVATE KEY-----"


def test_words_that_are_no_secret_stay() -> None:
    mask = SecretMask([PEM, f"password = '{LOGIN}'"])
    text = "`password` is `hunter2`, BEGIN and PRIVATE KEY are words; ghp_ begins a token"

    assert mask.text(text) == text


# Workflow commands: https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions and
# https://learn.microsoft.com/en-us/azure/devops/pipelines/scripts/logging-commands


_ANYWHERE = re.compile(r"##\w*\[")
_AT_THE_START = re.compile(r"\s*::")
ORDERS = ("##[error]x", "##vso[task.setvariable variable=a]b", "##teamcity[x]", "::add-mask::x", " ::error::x")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("format_name", FORMATS)
def test_lint_gives_no_order_to_a_runner(
    order: str, format_name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = _folder_that_orders(order, tmp_path, monkeypatch)
    broken = {"type": "object", "properties": {f"word {order}": {"type": f"{order} x"}}, "required": [order]}
    (folder / "a.json").write_text(tools(broken, name=order, description=f"Sends. {order}"), encoding="utf-8")

    run(["lint", f"{order}/a.json", "--format", format_name, "--statistics"])
    run(["lint", f"{order}/gone.json", "--select", order])

    _assert_no_order("\n".join(capsys.readouterr()), format_name)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("format_name", FORMATS)
def test_diff_gives_no_order_to_a_runner(
    order: str, format_name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = _folder_that_orders(order, tmp_path, monkeypatch)
    old = schema(**{order: {"enum": [order, "a", f"some more words {order} and words"]}})
    new = schema(**{order: {"enum": ["a"]}})
    (folder / "old.json").write_text(tools(old, name=order), encoding="utf-8")
    (folder / "new.json").write_text(tools(new, name=order, description=order), encoding="utf-8")

    run(["diff", f"{order}/old.json", f"{order}/new.json", "--format", format_name, "--show-all"])

    _assert_no_order("\n".join(capsys.readouterr()), format_name)


def _folder_that_orders(order: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a folder named like a command, in a working directory on a narrow terminal, where lines are wrapped."""
    folder = tmp_path / order
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "40")
    return folder


def _assert_no_order(printed: str, format_name: str) -> None:
    lines = printed.splitlines()
    ours = re.compile(r"::(error|warning|notice) [^:]*::") if format_name == "github" else None
    assert len(lines) > 1
    assert [line for line in lines if _ANYWHERE.search(line)] == []
    assert [line for line in lines if _AT_THE_START.match(line) and not (ours and ours.match(line))] == []


@given(st.text(alphabet="#[:av \n", max_size=40))
def test_no_text_gives_orders_whatever_it_is_made_of(text: str) -> None:
    for line in without_commands(visible(text).replace("\\u{a}", "\n")).split("\n"):
        assert not _ANYWHERE.search(line)
        assert not _AT_THE_START.match(line)


@given(st.text(alphabet='#[:av\\"\n', max_size=40))
def test_json_means_the_same_and_gives_no_orders(text: str) -> None:
    written = json_text({text: [text]})

    assert json.loads(written) == {text: [text]}
    assert not _ANYWHERE.search(written)


def test_junit_is_still_xml_with_hostile_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.json").write_text(tools({"type": "object", "required": ["<]]>&"]}, name="##[x]"), encoding="utf-8")

    run(["lint", "a.json", "--format", "junit"])

    assert ElementTree.fromstring(capsys.readouterr().out).tag == "testsuites"
