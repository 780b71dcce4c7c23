"""The blocks of a Markdown text according to CommonMark and GFM, with exact lines and columns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mcp_contracts.parsing.markdown.block_rules import MAX_LEVEL, block_tokens
from mcp_contracts.parsing.markdown.blocks import (
    Block,
    Fence,
    Heading,
    Html,
    ListBlock,
    Paragraph,
    TableBlock,
    flatten_blocks,
    items,
)
from mcp_contracts.parsing.markdown.lines import split_cells
from mcp_contracts.parsing.markdown.plain import plain_blocks
from mcp_contracts.parsing.markdown.reading import parse_blocks
from mcp_contracts.parsing.markdown.tokens import token_blocks
from mcp_contracts.parsing.text import SourceText
from tests.sweeps import size
from tests.tables import each


def blocks(text: str, *, skip_rows: int = 0) -> tuple[Block, ...]:
    """Return the blocks of a text."""
    return parse_blocks(SourceText.of("a.md", text), skip_rows=skip_rows)


def kinds(text: str) -> list[str]:
    """Return the kinds of a text's blocks."""
    return [type(block).__name__ for block in blocks(text)]


def only(text: str) -> Block:
    """Return the only block of a text."""
    (block,) = blocks(text)
    return block


@pytest.mark.parametrize(
    "text",
    [
        "```\n## Tool: `a.b`\n```",
        "~~~\n## Tool: `a.b`\n~~~",
        "<!--\n## Tool: `a.b`\n-->",
        "<!--\n\n## Tool: `a.b`\n\n-->",
    ],
)
def test_a_heading_in_a_fence_or_a_comment_is_ignored(text: str) -> None:
    found = blocks(text)

    assert not any(isinstance(block, Heading) for block in found)


@pytest.mark.parametrize("text", ["- ## a", "1. a\n\n   ## b", "> ## a", "> a\n> ==="])
def test_a_heading_in_a_list_or_a_quote_structures_nothing(text: str) -> None:
    found = flatten_blocks(blocks(text))

    assert not any(isinstance(block, Heading) for block in found)


@pytest.mark.parametrize(
    ("text", "level", "words", "column"),
    [
        ("## a b", 2, "a b", 3),
        ("   ### `a` ###  ", 3, "`a`", 7),
        ("#\ta #", 1, "a", 2),
        ("## #a\\#", 2, "#a\\#", 3),
        ("##", 2, "", 2),
        ("a b\n---", 2, "a b", 0),
        ("  a\n===", 1, "a", 2),
    ],
)
def test_a_heading_is_known_by_its_level_and_place(text: str, level: int, words: str, column: int) -> None:
    heading = only(text)

    assert isinstance(heading, Heading)
    assert (heading.level, heading.text, heading.line.column) == (level, words, column)


@pytest.mark.parametrize("text", ["    ## a", "a\n    ## b", "#a", "####### a", "\\## a", "\t# a"])
def test_what_only_looks_like_a_heading_is_not_a_heading(text: str) -> None:
    found = blocks(text)

    assert not any(isinstance(block, Heading) for block in found)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_every_line_end_of_commonmark_ends_a_line(line_end: str) -> None:
    text = line_end.join(["# a", "", "b", "c", "```", "d", "```", ""])

    heading, paragraph, fence = blocks(text)

    assert isinstance(paragraph, Paragraph)
    assert isinstance(fence, Fence)
    assert (heading.row, paragraph.row, fence.row) == (0, 2, 4)
    assert (paragraph.text, fence.content) == ("b\nc", "d\n")


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x85", "\u2028", "\x1c"])
def test_nothing_else_ends_a_line(separator: str) -> None:
    found = blocks(f"a{separator}# b")

    assert [type(block) for block in found] == [Paragraph]


def test_a_byte_order_mark_is_not_a_part_of_the_first_line() -> None:
    heading = only("\ufeff# a")

    assert isinstance(heading, Heading)
    assert heading.line.column == 2


def test_skipped_rows_keep_their_count() -> None:
    (heading,) = blocks("---\n# b\n---\n# a", skip_rows=3)

    assert isinstance(heading, Heading)
    assert (heading.text, heading.row) == ("a", 3)


@each(
    ("text", "is_closed"),
    [
        ("```\na\n```", True),
        ("```\na\n```\n", True),
        ("```\n```", True),
        ("```\n\n```", True),
        ("```\na", False),
        ("```\na\n", False),
        ("```\n", False),
        ("```", False),
        ("````\na\n```\n", False),
        ("~~~\na\n```\n", False),
        ("```\na\n    ```\n", False),
        ("- ```\n  a\n\nb", False),
        ("- ```\n  a\n  ```\n", True),
        ("> ```\n> a\n", False),
        ("> ```\n> a\n> ```", True),
    ],
)
def test_a_fence_knows_whether_it_is_closed(text: str, is_closed: bool) -> None:
    (fence,) = [block for block in flatten_blocks(blocks(text)) if isinstance(block, Fence)]

    assert fence.is_closed is is_closed


@pytest.mark.parametrize(
    ("text", "content", "first_row"),
    [
        ("  ```json\n  {\n    1\n  }\n  ```", "{\n  1\n}\n", 1),
        ("- a\n\n  ~~~\n  {}\n  ~~~", "{}\n", 3),
        ("1.\t```\n\t{}\n\t```", "{}\n", 1),
        ("> ```\n> {}\n> ```", "{}\n", 1),
        ("    {}\n\n    []", "{}\n\n[]\n", 0),
    ],
)
def test_the_content_of_a_fence_is_without_its_indentation(text: str, content: str, first_row: int) -> None:
    (fence,) = [block for block in flatten_blocks(blocks(text)) if isinstance(block, Fence)]

    assert (fence.content, fence.first_row) == (content, first_row)


@pytest.mark.parametrize(
    ("info", "language"),
    [("json", "json"), (" JSON title=x", "json"), ("json\tx", "json"), ("json{1,2}", "json"), ("", ""), ("{.a}", "")],
)
def test_the_language_of_a_fence_is_the_first_word_after_it(info: str, language: str) -> None:
    fence = only(f"```{info}\n```")

    assert isinstance(fence, Fence)
    assert fence.language == language


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("a\n  b", [0, 2]),
        ("- a\n  b\nc", [2, 2, 0]),
        ("10. a\n    b", [4, 4]),
        ("-\ta\n\tb", [2, 1]),
        ("> a\n>b\nc", [2, 1, 0]),
        ("> - a\n>   b", [4, 4]),
    ],
)
def test_the_lines_of_a_paragraph_know_their_columns(text: str, columns: list[int]) -> None:
    (paragraph,) = [block for block in flatten_blocks(blocks(text)) if isinstance(block, Paragraph)]

    assert [line.column for line in paragraph.lines] == columns


def test_lists_nest() -> None:
    (block,) = blocks("- a\n  - b\n    1. c\n- d\n\n  e")

    assert isinstance(block, ListBlock)
    first, second = block.items
    (inner,) = items(first.blocks)
    (innermost,) = items(inner.blocks)
    assert [item.text for item in (first, inner, innermost, second)] == ["a", "b", "c", "d\ne"]


def test_what_nests_too_deep_is_text_and_what_follows_is_read() -> None:
    text = "- " * MAX_LEVEL + "a\n\n# b"

    found = blocks(text)

    assert isinstance(found[-1], Heading)
    assert any(isinstance(block, Paragraph) and "a" in block.text for block in flatten_blocks(found))


def test_a_table_follows_the_text_before_it() -> None:
    paragraph, table = blocks("words\na | b\n--|:-:\n1 | 2 | 3\n4\n\nnext")[:2]

    assert isinstance(paragraph, Paragraph)
    assert isinstance(table, TableBlock)
    assert paragraph.text == "words"
    assert [line.text for line in table.lines] == ["a | b", "--|:-:", "1 | 2 | 3", "4"]
    assert (table.row, table.end) == (1, 5)


@pytest.mark.parametrize(
    "text",
    ["a | b\n--", "a | b\n--|--|--", "a\n--|--", "a | b\nx|--", "a | b\n\n--|--", "a \\| b\n--|--", "| a |\n"],
)
def test_what_only_looks_like_a_table_is_not_a_table(text: str) -> None:
    assert "TableBlock" not in kinds(text)


@pytest.mark.parametrize(
    "text", ["| a |\n|---|\n| b |", "a|\n-|\nb", "  | a\n  | -\n  | b", "- | a |\n  |---|\n  | b |"]
)
def test_a_table_of_one_column_is_one(text: str) -> None:
    tables = [block for block in flatten_blocks(blocks(text)) if isinstance(block, TableBlock)]

    assert len(tables) == 1


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("| a | b |", ["a", "b"]),
        ("a | b", ["a", "b"]),
        (" | a | | ", ["a", ""]),
        ("| a \\| b | c", ["a \\| b", "c"]),
        ("| `a|b` |", ["`a", "b`"]),
        ("|", [""]),
        ("", [""]),
        ("| a |  ", ["a"]),
    ],
)
def test_a_row_is_split_at_its_pipes(row: str, cells: list[str]) -> None:
    assert [row[start:end].strip() for start, end in split_cells(row)] == cells


def test_a_row_outside_of_its_list_is_not_a_row() -> None:
    table, text = list(flatten_blocks(blocks("- | a |\n  |---|\n  | b |\nc")))[1:]

    assert isinstance(table, TableBlock)
    assert len(table.lines) == 3
    assert isinstance(text, Paragraph)


@pytest.mark.parametrize("text", ["-\n\n\nx", "-\n\n\n", "> a\n    # b", "- a\n\n\n\n  b"])
def test_blank_and_indented_lines_are_those_of_markdown_it(text: str) -> None:
    assert list(our_blocks(text)) == list(their_blocks(text))


def test_a_comment_between_two_rows_ends_a_table() -> None:
    assert kinds("| a |\n|---|\n<!-- c -->\n| b |") == ["TableBlock", "Html", "Paragraph"]


@pytest.mark.parametrize(
    ("text", "is_comment"),
    [
        ("<!-- a -->", True),
        ("<!-- a\n\n# b -->", True),
        ("<!---->", True),
        ("<!-- a", True),
        ("<!-- a --> b", False),
        ("<div>\n<!-- a -->\n</div>", False),
    ],
)
def test_html_knows_whether_it_shows_anything(text: str, is_comment: bool) -> None:
    html = only(text)

    assert isinstance(html, Html)
    assert html.is_comment is is_comment


def test_a_link_definition_is_not_text() -> None:
    assert kinds("[//]: # (a note)\n[a]:\n  b 'c'\n\n[text]") == ["Paragraph"]


LINES = st.sampled_from(
    ("# a", "## b ##", "a", "b c", "- x", "  - y", "    - z", "* x", "1. x", "2) x", "> q", "> - q", ">", "", "", "---",
     "===", "- - -", "***", "```", "```json", "~~~", "    code", "\tcode", "\t- x", "<!-- c -->", "<!--", "-->",
     "<div>", "</div>", "<b>x", "[a]: b", "[a]:", '"t"', "[a", "   # c", " \t x", "  ```", "  > x", "-", "1.", "=",
     "* * x", "<script>", "<?x", "-\tx", ">\tx", "- ```", "-     c")
)  # fmt: skip


@settings(max_examples=size(1_000, 30))
@given(st.lists(LINES, max_size=9), st.sampled_from(["", "\n"]))
def test_blocks_are_those_of_markdown_it(lines: list[str], end: str) -> None:
    text = "\n".join(lines) + end

    assert list(our_blocks(text)) == list(their_blocks(text))


PLAIN = st.sampled_from(
    ("# a", "## b ##", "#", "a", "b  ", "**c**: d", "- x", "- **y**: z", "-  two", "* x", "+ q", "- [a](b)", "-", "",
     "", "---", "===", "--", "***", "___", "_x_", "```", "```json", "~~~", "````", "``` ```", "```a`b", "<!-- c -->",
     "| a | b |", "|---|---|", "a | b", "--|--", "  a", "\u00a0", "\x0b", "[a](b)", "[a]:", "\tc", "1 x", "1.x", "`x`")
)  # fmt: skip


@settings(max_examples=size(1_000, 10))
@given(st.lists(PLAIN | LINES, max_size=8), st.integers(0, 2))
def test_the_plain_reader_is_sure_of_nothing_but_the_blocks_of_markdown_it(lines: list[str], skipped: int) -> None:
    rows = SourceText.of("a.md", "\n".join(lines)).lines

    found = plain_blocks(rows, skip_rows=min(skipped, len(rows)))

    assert found is None or found == token_blocks(rows, skip_rows=min(skipped, len(rows)))


def test_both_readers_agree_on_the_examples_of_commonmark() -> None:
    # The inputs of the examples of CommonMark 0.29, by John MacFarlane, CC BY-SA 4.0: https://spec.commonmark.org/0.29/
    examples = json.loads(Path(__file__).with_name("commonmark_examples.json").read_text(encoding="utf-8"))
    texts = [SourceText.of("a.md", example).lines for example in examples]

    found = [(plain_blocks(rows), token_blocks(rows)) for rows in texts]

    assert [plain for plain, _ in found if plain is not None] == [both for plain, both in found if plain is not None]
    assert sum(plain is not None for plain, _ in found) > len(examples) / 2


@given(st.lists(LINES | st.text("|- a:`>", max_size=8), max_size=9))
def test_every_line_is_at_its_column(lines: list[str]) -> None:
    rows = SourceText.of("a.md", "\n".join(lines)).lines

    found = [line for token in block_tokens(rows) for line in token.meta.get("lines", ())]

    assert all(rows[line.row].startswith(line.text, line.column) for line in found)


Seen = tuple[str, object, object]


def our_blocks(text: str) -> Iterator[Seen]:
    """Return our tokens in a form that both parsers can produce."""
    for token in block_tokens(SourceText.of("a.md", text).lines):
        if token.type in ("text", "title"):
            lines = token.meta["lines"]
            yield token.type, token.meta["level"] or lines[0].row, [line.text for line in lines]
        else:
            yield token.type, token.map, token.content


def their_blocks(text: str) -> Iterator[Seen]:
    """Return markdown-it-py's tokens in the same form."""
    parser = MarkdownIt("commonmark", {"maxNesting": 1000}).disable(["inline", "text_join"])
    tokens = parser.parse(text)
    for index, token in enumerate(tokens):
        if token.type in ("paragraph_open", "heading_open"):
            lines = [line.strip() for line in tokens[index + 1].content.split("\n")]
            row = token.map[0] if token.map else 0
            if token.type == "paragraph_open":
                yield "text", row, lines
            else:
                yield "title", int(token.tag[1]), lines
        elif token.type not in ("inline", "paragraph_close", "heading_close"):
            yield token.type, token.map, token.content
