"""`migrate_spec` rewrites any dialect in the canonical form, and keeps everything that its author wrote."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, JsonValue, SpecFile, ToolContract
from mcp_contracts.formatting.specs import format_spec
from mcp_contracts.migration.specs import migrate_spec
from mcp_contracts.migration.tools import is_said
from mcp_contracts.parsing.discovery import SPEC_NAME
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.tool_names import qualified_name
from tests.fuzz import mutated, seeds
from tests.sweeps import share, sweep

PATH = f"notes/{SPEC_NAME}"
CASES = sorted((Path(__file__).parent / "cases" / "dialects").glob("*.md"))
CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")
SPECS = sorted((Path(CORPUS or "nowhere") / "corpus" / "specs").glob(f"*/{SPEC_NAME}"))

Row = tuple[str, str, str, bool, str]


def read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def parameters(spec: SpecFile) -> list[Row]:
    """Return a row for each parameter of each tool: both names, its type, whether it is required, its description."""
    return sorted(row for contract in spec.contracts for row in rows(contract))


def rows(contract: ToolContract) -> list[Row]:
    schema = contract.input_schema
    properties = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required", []) if isinstance(schema, dict) else []
    name = qualified_name(contract)
    found: list[Row] = []
    for parameter, said in properties.items() if isinstance(properties, dict) else ():
        members: dict[str, JsonValue] = said if isinstance(said, dict) else {}
        types = str({key: member for key, member in members.items() if key != "description"})
        is_required = isinstance(required, list) and parameter in required
        found.append((name, parameter, types, is_required, str(members.get("description", ""))))
    return found


def descriptions(spec: SpecFile) -> list[tuple[str, str]]:
    """Return the tools with their descriptions, except for placeholders."""
    plain = (re.sub(r"\{\{[^{}]*\}\}", "", contract.description) for contract in spec.contracts)
    names = map(qualified_name, spec.contracts)
    return sorted((name, " ".join(text.split())) for name, text in zip(names, plain, strict=True))


def errors(spec: SpecFile) -> Counter[str]:
    """Return the errors of lint, by code."""
    return Counter(one.code for one in lint(Contracts((spec,))).shown() if one.severity == "error")


def assert_kept(path: str, text: str) -> None:
    """Compare a migrated file with the original."""
    migrated = migrate_spec(path, text)
    before, after = read_spec(path, text), read_spec(path, migrated.text)

    assert parameters(after) == parameters(before)
    assert descriptions(after) == descriptions(before)
    assert format_spec(path, migrated.text).text == migrated.text
    assert migrate_spec(path, migrated.text).text == migrated.text
    assert not any(tool.is_legacy for tool in after.tools) or migrated.left
    assert is_said(re.sub(r"^#.*|^\|.*\|\n\|[-:| ]+\|$", "", text, flags=re.MULTILINE), [migrated.text])


@sweep
@pytest.mark.skipif(not CORPUS, reason="MCP_CONTRACTS_CORPUS does not say where the specifications are")
@pytest.mark.parametrize("path", share(SPECS, 20), ids=lambda path: path.parent.name)
def test_a_real_specification_migrates_whole(path: Path) -> None:
    shown = f"{path.parent.name}/{SPEC_NAME}"

    migrated = migrate_spec(shown, read(path))

    assert_kept(shown, read(path))
    assert migrated.left == ()
    assert errors(read_spec(shown, migrated.text)) == Counter()


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_a_dialect_migrates_whole(case: Path) -> None:
    migrated = migrate_spec(PATH, read(case))

    assert_kept(PATH, read(case))
    assert migrated.left == ()
    assert errors(read_spec(PATH, migrated.text)) <= errors(read_spec(PATH, read(case)))


@sweep
@pytest.mark.parametrize("seed", share(range(20), 10))
def test_a_damaged_file_keeps_its_tools(seed: int) -> None:
    text = mutated(seed, seeds())

    migrated = migrate_spec(PATH, text)

    before, after = read_spec(PATH, text), read_spec(PATH, migrated.text)
    assert parameters(after) == parameters(before)
    assert descriptions(after) == descriptions(before)
    assert format_spec(PATH, migrated.text).text == migrated.text
    assert migrate_spec(PATH, migrated.text).text == migrated.text


def test_what_is_missing_is_a_placeholder_and_is_counted() -> None:
    text = "# Notes\n\n## Tools\n\n### `find`\n\nFinds notes.\n\n**Parameters**:\n- `text` (string, required): Words.\n"

    migrated = migrate_spec(PATH, text)

    assert migrated.tools == 1
    assert dict(migrated.missing) == dict.fromkeys(
        ("errors", "examples", "idempotency", "result", "security", "version"), 1
    )
    assert "| `text`    | string | yes      | Words.      |" in migrated.text
    assert {one.code for one in lint(Contracts((read_spec(PATH, migrated.text),))).shown()} <= {
        "MC007",
        "MC401",
        "MC408",
        "MC501",
        "MC511",
    }


def test_calls_get_the_new_name_and_the_form_of_the_protocol() -> None:
    text = (
        "# Notes\n\n## Tools\n\n### `find_note`\n\nFinds notes.\n\n**Parameters**:\n- `text` (string): Words.\n\n"
        '**Example**:\n\n```json\n{"tool": "find_note", "params": {"text": "milk"}}\n```\n\n'
        "```python\nfind_note(text='bread')  # said aloud\n```\n"
    )

    migrated = migrate_spec(PATH, text).text

    calls = [one.value for one in read_spec(PATH, migrated).contracts[0].examples]
    assert calls == [
        {"tool_name": "notes.find_note", "arguments": {"text": "milk"}},
        {"tool_name": "notes.find_note", "arguments": {"text": "bread"}},
    ]
    assert "# said aloud" in migrated


def test_an_overview_table_gets_the_new_names_and_a_row_without_a_heading_becomes_a_tool() -> None:
    text = (
        "# Notes\n\n## Tools\n\n"
        "| Tool | Description |\n|---|---|\n| `find_note` | Finds. |\n| `lose_note` | Loses. |\n\n"
        "### `find_note`\n\nFinds notes by their words.\n"
    )

    migrated = migrate_spec(PATH, text).text

    assert "| `notes.find_note` | Finds. |" in migrated
    assert [tool.contract.name for tool in read_spec(PATH, migrated).tools] == ["notes.find_note", "notes.lose_note"]


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_ends_and_the_byte_order_mark_are_kept(newline: str) -> None:
    text = read(CASES[0])

    migrated = migrate_spec(PATH, "\ufeff" + text.replace("\n", newline)).text

    assert migrated == "\ufeff" + migrate_spec(PATH, text).text.replace("\n", newline)


@pytest.mark.parametrize("text", ["", "\ufeff", "# x", "## `a_b`", "### Tool: a.b", "```json\n{", "\x00", "- `a_b`: c"])
def test_next_to_nothing_migrates_too(text: str) -> None:
    migrated = migrate_spec(PATH, text).text

    assert migrate_spec(PATH, migrated).text == migrated


def test_a_canonical_file_is_only_formatted() -> None:
    for path in sorted((Path(__file__).parent.parent / "specs").glob(f"*/{SPEC_NAME}")):
        assert migrate_spec(str(path), read(path)).text == read(path)
