"""No report and no error shows a secret, wherever an untrusted file contains it."""

from __future__ import annotations

import json
import random
import re
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts import ContractError, ToolRegistry, diff, lint, load
from mcp_contracts.change import Verdict
from mcp_contracts.checks.exporting.export import export
from mcp_contracts.cli.app import run
from mcp_contracts.masking.mask import SecretMask
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.diff.document import diff_document
from mcp_contracts.reporting.lint_document import lint_document
from mcp_contracts.reporting.render import FORMATS, render

_LETTERS = string.ascii_letters + string.digits
KINDS: tuple[Callable[[random.Random], str], ...] = (
    lambda chance: "ghp_" + _some(chance, _LETTERS, 36),
    lambda chance: "AKIA" + _some(chance, string.ascii_uppercase + string.digits, 16),
    lambda chance: "xoxb-" + _some(chance, string.digits, 11) + "-" + _some(chance, _LETTERS, 24),
    lambda chance: "glpat-" + _some(chance, _LETTERS, 20),
    lambda chance: "sk-ant-api03-" + _some(chance, _LETTERS, 40),
    lambda chance: f"eyJ{_some(chance, _LETTERS, 20)}.eyJ{_some(chance, _LETTERS, 30)}.{_some(chance, _LETTERS, 43)}",
    lambda chance: f"-----BEGIN RSA PRIVATE KEY-----\n{_some(chance, _LETTERS, 64)}\n-----END RSA PRIVATE KEY-----",
)
SPEC = Path(__file__).parent.parent / "specs" / "calendar" / "MCP_TOOL_SPECIFICATION.md"
_TURNS = 3
FORMS = ("{}", "#/$defs/{}", "({}", "^{}", "to {} and back")

TOOL: dict[str, Any] = {
    "name": "send",
    "title": "Send",
    "description": "Sends one note to one reader.",
    "inputSchema": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://acme.io/send",
        "title": "Send",
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/c"}},
        "required": ["a"],
        "$defs": {"c": {"type": "boolean"}},
    },
    "outputSchema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
    "annotations": {"title": "Send", "readOnlyHint": True},
    "_meta": {"org.mcp-contracts/version": "1.2.0", "org.mcp-contracts/category": "notes"},
}

SCHEMAS: tuple[dict[str, Any], ...] = (
    {"type": "string", "pattern": "^a+$", "description": "A text.", "default": "a", "examples": ["a"]},
    {"enum": ["x", "y"], "$comment": "Two."},
    {"const": "d", "format": "uri", "contentMediaType": "text/plain"},
    {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
    {"patternProperties": {"^f": {"type": "integer"}}, "propertyNames": {"pattern": "f"}},
    {"dependencies": {"g": ["h"]}, "dependentSchemas": {"g": {"required": ["h"]}}, "$anchor": "g"},
)
INVALID: tuple[dict[str, Any], ...] = (
    {"properties": {"k": {"type": "q"}}},
    {"patternProperties": {"^k": {"type": "q"}}},
    {"dependencies": {"k": 5}},
)


def _some(chance: random.Random, letters: str, count: int) -> str:
    """Return random letters after a digit and two cases, so that no kind considers them a word."""
    return "".join(chance.choices(letters, k=count - 1)) + "7"


def _replaced(value: Any, put: Callable[[str], str]) -> Iterator[Any]:
    """Yield copies of a value, each with one of its strings or names replaced."""
    if isinstance(value, str):
        yield put(value)
    elif isinstance(value, bool):
        yield put("")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from ([*value[:number], other, *value[number + 1 :]] for other in _replaced(item, put))
    elif isinstance(value, dict):
        for name, item in value.items():
            yield {put(key) if key == name else key: one for key, one in value.items()}
            yield from ({**value, name: other} for other in _replaced(item, put))


class _Planter:
    """Puts tokens of all kinds into places of all forms, and records them."""

    def __init__(self, seed: int) -> None:
        self.planted: list[str] = []
        self._chance = random.Random(seed)

    def put(self, _: str) -> str:
        token = self._chance.choice(KINDS)(self._chance)
        self.planted.append(token)
        return FORMS[self._chance.randrange(len(FORMS))].format(token)

    def put_into(self, line: str) -> str:
        """Replace one word of a line."""
        words = list(re.finditer(r"[\w.-]+", line))
        if not words:
            return line
        word = self._chance.choice(words)
        return f"{line[: word.start()]}{self.put('')}{line[word.end() :]}"

    def shown_in(self, text: str) -> list[str]:
        """Return the parts of a text that show a token."""
        bodies = [token.splitlines()[1][8:20] if "\n" in token else token[-14:] for token in self.planted]
        return [text[max(0, text.index(body) - 120) : text.index(body) + 20] for body in bodies if body in text]


def _rendered(document: Any) -> str:
    context = RenderContext(show_all=True, is_grouped=False)
    return "\n".join(render(name, document, context) for name in FORMATS)


def _named(tool: dict[str, Any], at: int) -> dict[str, Any]:
    return {**tool, "name": f"send_{at}"} if tool.get("name") == "send" else tool


def _with_schema(schema: Any) -> dict[str, Any]:
    return {"name": "send", "inputSchema": {"type": "object", "properties": {"a": schema}}}


def _write(path: Path, tools: list[dict[str, Any]]) -> str:
    path.write_text(json.dumps({"tools": tools}), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def planter() -> _Planter:
    return _Planter(11)


@pytest.fixture(scope="module")
def pairs(planter: _Planter) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return tools with one token each, at every string, and the same tools without it."""
    pairs = [(other, TOOL) for _ in range(3) for other in _replaced(TOOL, planter.put)]
    pairs += [
        (_with_schema(other), _with_schema(schema)) for schema in SCHEMAS for other in _replaced(schema, planter.put)
    ]
    pairs += [(_with_schema(other), _with_schema({})) for one in INVALID for other in _replaced(one, planter.put)]
    return [
        (_named(other, at), {**tool, "name": _named(other, at).get("name", "")})
        for at, (other, tool) in enumerate(pairs)
    ]


@pytest.fixture(scope="module")
def planted(pairs: list[tuple[dict[str, Any], dict[str, Any]]]) -> list[dict[str, Any]]:
    return [tool for tool, _ in pairs]


def test_no_format_of_lint_shows_a_token_of_a_tool_list(
    planter: _Planter, planted: list[dict[str, Any]], tmp_path: Path
) -> None:
    contracts = load(_write(tmp_path / "a.tools.json", planted))

    report = lint(contracts, targets=("all",))

    assert len(report.diagnostics) > len(planted)
    assert planter.shown_in(_rendered(lint_document(report))) == []


def test_no_format_of_diff_shows_a_token_of_either_side(
    planter: _Planter, pairs: list[tuple[dict[str, Any], dict[str, Any]]], tmp_path: Path
) -> None:
    sides = [pair[:: (-1) ** at] for at, pair in enumerate(pairs)]
    old = load(_write(tmp_path / "old.tools.json", [was for was, _ in sides]))
    new = load(_write(tmp_path / "new.tools.json", [now for _, now in sides]))

    report = diff(old, new)

    assert report.count(Verdict.UNKNOWN) > 5
    assert planter.shown_in(_rendered(diff_document(report, "old", "new"))) == []


@pytest.mark.parametrize("arguments", [("openai-strict",), ("openai-strict", "--skip-refused")])
def test_export_shows_no_token_on_standard_error(
    arguments: tuple[str, ...],
    planter: _Planter,
    planted: list[dict[str, Any]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source = _write(tmp_path / "a.tools.json", planted)

    run(["export", source, "--to", *arguments])

    shown = capsys.readouterr().err
    assert len(shown) > 1000
    assert planter.shown_in(shown) == []


def test_no_error_of_the_library_shows_a_token(
    planter: _Planter, planted: list[dict[str, Any]], tmp_path: Path
) -> None:
    said = []
    for tool in planted:
        try:
            ToolRegistry(load(_write(tmp_path / "a.tools.json", [tool])))
        except ContractError as error:
            said.append(f"{error} {error.message} {error.hint}")
    for tool in planted[::10]:
        with pytest.raises(ContractError) as caught:
            export(load(_write(tmp_path / "a.tools.json", [tool])), str(tool.get("name")))
        said.append(str(caught.value))

    assert len(said) > 20
    assert planter.shown_in("\n".join(said)) == []


def test_no_format_of_lint_shows_a_token_of_a_specification(tmp_path: Path) -> None:
    planter = _Planter(12)
    lines = SPEC.read_text(encoding="utf-8").splitlines()
    for turn in range(_TURNS):
        text = "\n".join(planter.put_into(line) if at % _TURNS == turn else line for at, line in enumerate(lines))
        (tmp_path / f"m{turn}").mkdir()
        (tmp_path / f"m{turn}" / SPEC.name).write_text(text, encoding="utf-8")
    contracts = load(str(tmp_path))

    report = lint(contracts, targets=("all",))

    assert len(report.diagnostics) > 50
    assert planter.shown_in(_rendered(lint_document(report))) == []


def test_a_record_without_secrets_is_returned_unchanged() -> None:
    report = lint(load(SPEC), targets=("all",))

    assert SecretMask().everything(report) is report


@pytest.mark.parametrize("before", ["/a/~1", "/a/~0", "text\\n", "\\u0020", "?next=%2F", "key_", "=", "("])
def test_a_token_after_an_escape_is_masked(before: str) -> None:
    tokens = [make(random.Random(7)) for make in KINDS]

    assert [token for token in tokens if token in SecretMask().text(f"{before}{token} and more")] == []


def test_a_token_inside_a_word_is_text() -> None:
    text = "a" + KINDS[4](random.Random(7))

    assert SecretMask().text(text) == text


_TOKEN = "ghp_Zqumpm08hsE8JNpjJOQGa2rb19FlY0mG1ylv"  # made up


@pytest.mark.parametrize("form", FORMATS)
def test_a_version_in_a_comparison_is_masked(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = [
        _write(
            tmp_path / f"{name}.json",
            [_with_schema({"type": kind}) | {"_meta": {"org.mcp-contracts/version": version}}],
        )
        for name, kind, version in (("old", "string", _TOKEN), ("new", "null", "1.2.0"))
    ]

    code = run(["diff", *sides, "--all", "--no-cache", "--format", form])

    assert code == 1
    assert _TOKEN not in "".join(capsys.readouterr())


def test_what_an_export_loses_is_masked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = _write(
        tmp_path / "a.tools.json",
        [
            _with_schema({"type": "object", "properties": {_TOKEN: {"type": "string", "minLength": 2}}})
            | {"description": "Sends one note to one reader."}
        ],
    )

    code = run(["export", source, "--to", "openai-strict", "--output", str(tmp_path / "out.json")])

    told = "".join(capsys.readouterr())
    assert code == 0, told
    assert "ghp_***" in told
    assert _TOKEN not in told
