"""`format_spec` changes the layout of a specification, but no word and no contract."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest

from mcp_contracts.formatting.specs import format_spec, meaning_of
from mcp_contracts.parsing.discovery import SPEC_NAME
from mcp_contracts.parsing.spec import read_spec
from tests.fuzz import mutated, seeds
from tests.repositories import ROOT, spec, tool
from tests.sweeps import share, sweep
from tests.tables import each

CASES = Path(__file__).parent / "cases" / "formatting"
CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")
OWN = (*sorted((ROOT / "specs").glob(f"*/{SPEC_NAME}")), ROOT / "module_template" / SPEC_NAME)
PATH = f"notes/{SPEC_NAME}"


def read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def formatted(text: str) -> str:
    return format_spec(PATH, text).text


def flattened(text: str) -> str:
    """Return a specification with a bad layout and the same meaning."""
    text = re.sub(r"^\| ", "|   ", text, flags=re.MULTILINE)
    text = re.sub(r"^(```json)\n\{\n  ", r"\1\n{  ", text, flags=re.MULTILINE)
    return re.sub(r"\n\n(### |```|\|)", r"\n\n\n\1", text)


@pytest.mark.parametrize("case", sorted(CASES.glob("*.md")), ids=lambda path: path.stem)
def test_a_case_is_formatted_as_expected(case: Path) -> None:
    expected = case.with_suffix(".formatted")

    assert formatted(read(case)) == (read(expected) if expected.exists() else read(case))


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.parent.name)
def test_our_own_files_are_formatted(path: Path) -> None:
    assert formatted(read(path)) == read(path)


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.parent.name)
def test_a_spoilt_layout_is_restored(path: Path) -> None:
    spoilt = flattened(read(path))

    restored = formatted(spoilt)

    assert spoilt != read(path)
    assert restored.count("\n|") == read(path).count("\n|")
    assert meaning_of(read_spec(PATH, restored)) == meaning_of(read_spec(PATH, spoilt))


@sweep
@each("seed", share(range(40), 13))
def test_formatting_a_damaged_file_is_idempotent_and_keeps_its_meaning(seed: int) -> None:
    text = mutated(seed, [flattened(one) for one in seeds()])

    once = formatted(text)

    assert formatted(once) == once
    assert meaning_of(read_spec(PATH, once)) == meaning_of(read_spec(PATH, text))
    assert words(text) - words(once) <= TYPE_WORDS, "only the words of a type or a heading may change"


_OF_CELLS = (
    "any",
    "str",
    "int",
    "float",
    "bool",
    "or",
    "string",
    "integer",
    "array",
    "object",
    "yes",
    "no",
    "null",
    "dict",
)
TYPE_WORDS = Counter(dict.fromkeys(_OF_CELLS, 10**6))


def words(text: str) -> Counter[str]:
    """Return the words of a text, except for its headings, which the format determines."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return Counter(re.findall(r"[^\W\d]{2,}", re.sub(r"^#.*|^.*\n[=-]+$", "", lines, flags=re.MULTILINE)))


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_the_byte_order_mark_are_kept(newline: str, mark: str) -> None:
    text = mark + read(CASES / "everything.md").replace("\n", newline)

    assert formatted(text) == mark + read(CASES / "everything.formatted").replace("\n", newline)


def test_a_file_without_a_last_line_end_gets_one() -> None:
    text = formatted(spec(tool()))

    assert formatted(text.rstrip("\n")) == text


@pytest.mark.parametrize(
    "text", ["", "\n", "\ufeff", "# x", "## Tool: `a.b`", "---\n", "```json", "\x00", "| a |\n|---|"]
)
def test_next_to_nothing_is_formatted_too(text: str) -> None:
    assert formatted(formatted(text)) == formatted(text)


def test_a_table_follows_its_schema() -> None:
    text = formatted(spec(tool())).replace('"maximum": 100', '"maximum": 100, "x-note": "kept"')
    changed = text.replace('"limit": {\n', '"since": {"type": "string", "description": "A | day."},\n    "limit": {\n')

    table = formatted(changed)

    assert changed != text
    assert re.search(r"^\| `since` +\| string +\| no +\| A \\\| day\. +\|", table, re.MULTILINE)


@each(
    ("header", "row", "expected"),
    [
        ("Parameter|Type|Required|Limits|Description", "`a`|string|no|1–5|A.", "`a` integer yes 1–5 A."),
        ("#|Parameter|Type|Required|Description", "1|`a`|string|no|A.", "1 `a` integer yes A."),
        ("Parameter|Type|Limits", "`a`|string|1–5", "`a` integer yes  1–5"),
    ],
)
def test_columns_that_no_schema_fills_are_kept(header: str, row: str, expected: str) -> None:
    schema = '{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}'
    table = f"|{header}|\n{'|---' * (header.count('|') + 1)}|\n|{row}|\n\n```json\n{schema}\n```\n"

    written = formatted(f"## Tool: `a.b`\n\n### 3. Input Schema (Parameters)\n\n{table}")

    [line] = [line for line in written.splitlines() if line.startswith("|") and "`a`" in line]
    assert " ".join(cell.strip() for cell in line.strip("|").split("|")) == expected


@sweep
@pytest.mark.skipif(not CORPUS, reason="MCP_CONTRACTS_CORPUS does not say where the specifications are")
def test_tools_in_an_older_dialect_are_left_unchanged() -> None:
    for path in share(sorted((Path(CORPUS or "") / "corpus" / "specs").glob(f"*/{SPEC_NAME}")), 3):
        result = format_spec(str(path), read(path))
        tools = read_spec(str(path), read(path)).tools

        assert result.text == read(path)
        assert result.legacy == sum(tool.is_legacy for tool in tools)
