"""The excerpt of a line: carets under the exact columns, for any characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.reporting.excerpt import excerpt
from mcp_contracts.reporting.visible import cells, visible


@pytest.mark.parametrize(
    ("line", "start", "end", "shown", "carets"),
    [
        pytest.param("abcdef", 2, 4, "abcdef", "  ^^", id="plain"),
        pytest.param("abcdef", 2, 2, "abcdef", "  ^", id="an empty stretch"),
        pytest.param("abc", 3, 3, "abc", "   ^", id="after the end"),
        pytest.param("abc", 99, 120, "abc", "   ^", id="far after the end"),
        pytest.param("\tab", 1, 2, "    ab", "    ^", id="after a tab"),
        pytest.param("ab\tcd", 3, 4, "ab  cd", "    ^", id="a tab goes to the next stop"),
        pytest.param("a\tb", 1, 2, "a   b", " ^^^", id="the tab itself"),
        pytest.param("城市x", 2, 3, "城市x", "    ^", id="after wide characters"),
        pytest.param("a城b", 1, 2, "a城b", " ^^", id="a wide character"),
        pytest.param("e\u0301x", 2, 3, "e\u0301x", " ^", id="after a combining character"),
        pytest.param("e\u0301x", 1, 2, "e\u0301x", "^", id="a combining character"),
        pytest.param("a\u202eb", 1, 2, "a\\u{202e}b", " ^^^^^^^^", id="a hidden character"),
        pytest.param("a\u202eb", 2, 3, "a\\u{202e}b", "         ^", id="after a hidden character"),
        pytest.param("a\x1bb", 2, 3, "a\\u{1b}b", "       ^", id="after an escape"),
        pytest.param("a  ", 0, 1, "a", "^", id="trailing spaces"),
    ],
)
def test_the_carets_are_under_the_columns(line: str, start: int, end: int, shown: str, carets: str) -> None:
    result = excerpt(line, start, end, 40)

    assert (result.line, result.carets) == (shown, carets)


@pytest.mark.parametrize(
    ("start", "end", "shown", "carets"),
    [
        pytest.param(0, 2, "012345678901234567…", "^^", id="at the start"),
        pytest.param(50, 52, "…234567890123456789…", "         ^^", id="in the middle"),
        pytest.param(98, 100, "…234567890123456789", "                 ^^", id="at the end"),
        pytest.param(20, 90, "…012345678901234567…", " ^^^^^^^^^^^^^^^^^^", id="longer than the width"),
    ],
)
def test_a_long_line_is_cut_around_the_stretch(start: int, end: int, shown: str, carets: str) -> None:
    result = excerpt("0123456789" * 10, start, end, 20)

    assert (result.line, result.carets) == (shown, carets)


def test_a_megabyte_on_one_line_is_not_read_through() -> None:
    class Counted(str):
        """A line that counts the characters read from it."""

        taken = 0

        def __getitem__(self, key: object) -> str:
            cut = str.__getitem__(self, key)  # type: ignore[index]  # a slice, as it is called here
            Counted.taken += len(cut)
            return cut

    line = Counted("x" * 1_000_000)

    excerpt(line, 500_000, 500_010, 80)

    assert Counted.taken <= 160


@given(st.text(), st.integers(0, 300), st.integers(0, 300), st.integers(20, 60))
def test_an_excerpt_fits_and_is_safe(line: str, start: int, end: int, width: int) -> None:
    result = excerpt(line.replace("\n", ""), start, end, width)

    size = sum(cells(character) for character in result.line)
    assert size <= width
    assert len(result.carets) <= width + 1
    assert result.carets.strip(" ").strip("^") == ""
    assert "^" in result.carets
    assert visible(result.line) == result.line
