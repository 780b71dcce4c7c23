"""Tools that are only signatures in a block of code below a title about tools."""

from __future__ import annotations

from mcp_contracts.contract import SpecTool
from mcp_contracts.parsing.spec import read_spec
from tests.said import said
from tests.tables import each
from tests.texts import PATH

INTRO = "# Marina\n\nBerths and boats.\n\n## Tools\n\n"
EXPECTED = {"find_berth": [("marina", True), ("nights", False)], "free_berth": [("berth", True)]}


def tools(text: str) -> tuple[SpecTool, ...]:
    """Return the tools of a file."""
    return read_spec(PATH, text).tools


def parameters(text: str) -> dict[str, list[tuple[str, bool | None]]]:
    """Return the parameters of each tool, and whether they are required."""
    return {
        tool.contract.name: [(row.name, row.required) for row in tool.input_table.rows] if tool.input_table else []
        for tool in tools(text)
    }


def fenced(language: str, code: str) -> str:
    """Return a block of code."""
    return f"```{language}\n{code}\n```\n"


@each(
    "language, code",
    [
        (
            "ts",
            "// Finds a berth.\nfind_berth(marina: string, nights?: number): Promise<Berth[]>\n"
            "// Frees it. Don't call it twice.\nfree_berth(berth: string): Promise<void>",
        ),
        (
            "typescript",
            "/**\n * Finds a berth.\n */\nexport async function find_berth({ marina, nights }: {\n  marina: string;\n"
            "  nights?: number;\n}): Promise<Berth>;\nexport async function free_berth(berth: string): Promise<void>;",
        ),
        (
            "python",
            'def find_berth(marina: str, *, nights: int = 1) -> dict:\n    """Finds a berth."""\n\n'
            "async def free_berth(ctx: Context, berth: str): ...",
        ),
        ("python", "find_berth(marina: str, nights: int = 1) -> Berth\nfree_berth(berth: str) -> None"),
        ("", "find_berth(marina: str, nights: int = 1) -> Berth\nfree_berth(berth: str) -> None"),
        (
            "python",
            "class MarinaTools:\n    def find_berth(self, marina: str, nights: int = 1) -> dict:\n        ...\n\n"
            "    def free_berth(self, berth: str) -> None: ...\n\n    def _connect(self): ...",
        ),
        (
            "ts",
            "import { Berth } from './types';\n\nexport interface Marina {\n"
            "  find_berth(marina: string, nights?: number): Berth;\n  free_berth(berth: string): void;\n}",
        ),
    ],
)
def test_signatures_below_a_title_about_tools_are_tools(language: str, code: str) -> None:
    assert parameters(INTRO + fenced(language, code)) == EXPECTED


def test_comments_and_docstrings_describe_the_tools() -> None:
    code = (
        "// Finds a berth.\nfind_berth(marina: string): Berth\n\n/* Frees\n * a berth. */\nfree_berth(id: string): void"
    )
    text = INTRO + fenced("ts", code)
    first, second = tools(text)

    assert first.contract.description == "Finds a berth."
    assert second.contract.description == "Frees\na berth."
    assert first.contract.place.line == text[: text.index("find_berth")].count("\n") + 1
    (documented,) = tools(INTRO + fenced("python", 'def find_berth(marina: str):\n    """Finds a berth."""'))
    assert documented.contract.description == "Finds a berth."


@each(
    "title",
    ["# Agent Tool Specification\n\n## Required tools\n", "# Tool specification: marina\n\n## Tool signatures\n",
     "# Marina\n\n## Tools\n\n### Berths\n", "# Marina tools\n"],
)  # fmt: skip
def test_the_title_of_the_file_or_of_a_group_may_speak_of_the_tools(title: str) -> None:
    assert list(parameters(f"{title}\n{fenced('python', 'find_berth(marina: str) -> Berth')}")) == ["find_berth"]


def test_functions_in_other_languages_are_listed() -> None:
    go = "// Finds a berth.\nfunc FindBerth(ctx context.Context, marina string) (*Berth, error)\nfunc FreeBerth(id int)"

    assert parameters(INTRO + fenced("go", go)) == {"FindBerth": [], "FreeBerth": []}
    assert all(tool.is_listed_only for tool in tools(INTRO + fenced("go", go)))


@each(
    "text",
    [
        "# Marina\n\n## Usage of tools\n\n" + fenced("python", "def find_berth(marina: str) -> Berth: ..."),
        "# Marina\n\n## Tools\n\nNone. These functions are for programmers:\n\n"
        + fenced("python", "def find_berth(marina: str) -> Berth: ..."),
        "# Tool specification: marina\n\n## Interface\n\n"
        + fenced("python", "def find_berth(marina: str) -> Berth: ..."),
        "# Marina\n\n## Functions\n\n" + fenced("python", "def find_berth(marina: str) -> Berth: ..."),
        INTRO + fenced("python", "def register_tools(server: Server) -> None: ..."),
        INTRO + fenced("python", "berth = find_berth(marina='x')\nprint(berth)"),
        INTRO + fenced("python", "find_berth('x')\nfree_berth('y')"),
        INTRO + fenced("ts", "type Berth = { id: string }"),
        INTRO + fenced("ts", "if (berth: string) {\n}"),
        INTRO + fenced("bash", "find_berth(marina: string): Berth"),
    ],
)
def test_other_code_is_not_a_list_of_tools(text: str) -> None:
    assert not tools(text)


def test_a_comment_after_a_signature_is_about_the_tool() -> None:
    text = f"{INTRO}{fenced('python', 'free_berth(berth: str, at_once: bool) -> bool  # Frees a berth.')}"

    (tool,) = tools(text)

    assert tool.contract.description == "Frees a berth."
    assert tool.input_table is not None
    assert [row.description for row in tool.input_table.rows] == ["", ""]
    assert [one for one in said(text) if one.startswith("MC402")] == []
