"""Lint documents that repeat one part, at two sizes, and report time out of proportion: `python -m tests.fuzz_growth`.

Each part is put at several places of a specification and of a list of tools. A search that starts again at each
character takes 64 times as long for a document of eight times the length. Times differ from run to run, so a document
is measured again before it is reported. A document that takes over a minute is reported, too. The exit code is 1 if any
is reported.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.sources.tool_lists import read_tool_list

TIMES = 8
MOST_GROWTH = 1.6 * TIMES
LEAST_SECONDS = 0.02
"""Below this, a document takes too little time for a comparison."""
MEASURES = 3
LIMIT_SECONDS = 60
"""Beyond this, a document may take forever. It is stopped, where the system has alarms."""

HEAD = "# M\n\n## Tool: `m.find_it`\n\n**Effects**: read-only\n\n### 1. Tool Purpose and Description\n\nFinds it.\n\n"
INPUT = f"{HEAD}### 3. Input Schema (Parameters)\n\n"
TABLE = f"{INPUT}| Name | Type | Required | Description |\n|---|---|---|---|\n"
DOCUMENTS: dict[str, tuple[str, str, str]] = {
    "headings in German": ("", "## Werkzeug: a_b\n\n- `a` (Zeichenkette, erforderlich): x\n\n", ""),
    "headings in Chinese": ("", "## 工具：a_b\n\n**参数**：\n\n- `a`（字符串，必填）：值\n\n", ""),
    "tools without a description": ("", "## Tool: `a.b`\n\n**Version**: 1.0.0\n\n", ""),
    "headings of HTML without ends": ("", "<h2>a\n", ""),
    "tags of HTML without ends": ("", "<h1 ", ""),
    "spaces of a description": (
        "# m\n\n## `a_b`\n\n",
        "    ",
        "z\n\n### Parameters\n\n| Name | Type | Required | Description |\n|---|---|---|---|\n"
        "| k | string | yes | x |\n",
    ),
    "remarks of a bracket": ("# m\n\n## Functions\n\n", "(e.g. ", "z\n"),
    "a heading that goes on": ("## ", "Werkzeug: `a(b: ", "\n"),
    "parentheses of a heading": ("## `f(a = ", "(", "`\n"),
    "a line of code that goes on": ("`f(", "( ) ", "\n"),
    "gaps of JSON": (f"{HEAD}### 7. Usage Examples\n\n```json\n{{", "     ", "\n```\n"),
    "names of code": (f"{HEAD}### 7. Usage Examples\n\n```\n", "$0.$", "\n```\n"),
    "types that go on": (f"{TABLE}| `a` | ", "liste von array<", " | ja | x |\n"),
    "descriptions that go on": (f"{TABLE}| `a` | integer | no | ", "between 50 and default: (optional ", " |\n"),
    "rows of HTML without ends": (f"{HEAD}<table>\n", "<tr>\n<td><code>a</code>\n<td>string\n<td>yes\n", "</table>\n"),
    "cells of HTML without ends": (f"{HEAD}<table><tr>", "<td x='", "\n"),
    "lists of HTML without ends": (f"{HEAD}<dl>", "<dt><code>a<li><b>a", "\n"),
    "JSON5": (f"{INPUT}```json5\n{{", "a: {type: 'string', /* c */}, // y\n", "}\n```\n"),
    "comments of JSON5 without ends": (f"{INPUT}```json5\n{{a: 1\n", "/* \n", "```\n"),
    "strings of JSON5 without ends": (f"{INPUT}```json5\n{{a: '", "\\'", "\n```\n"),
    "lists without bullets": (f"{HEAD}**Parameters**\n\n", "a: string, required, the value\n", ""),
    "a line of a list without bullets": (f"{HEAD}**Parameters**\n\n", "`a` (string, default: ", "\n"),
    "hidden characters after line ends of Windows": (f"{HEAD}\r\n", "\x0b\x0c\x85\u2028\u2029", "\n"),
    "sentences that go on": (HEAD, "It takes four runs DELETE between 1 and ", "\n"),
    "spaces after a name of JSON": ("# m\n\n## MCP Tools\n\n```json\n{name: 'a_b'", "    ", "x\n```\n"),
    "spaces after a default": (f"{TABLE}| `a` | string | no | Default", "    ", "x |\n"),
    "spaces of a label": ("# m\n\n## MCP Tools\n\nMCP Tool", "    ", "x\n"),
    "spaces of a registration": ("# m\n\n## MCP Tools\n\n```\nserver.tool(", "    ", "x\n```\n"),
    "registrations without functions": ("# m\n\n## MCP Tools\n\n```\n@", "tools.tool", "\n```\n"),
    "blank lines of code": (f"{HEAD}### 7. Usage Examples\n\n```\na\n", "\n\n", "z\n```\n"),
    "quotes of a line of JSON": (f"{HEAD}### 7. Usage Examples\n\n```json\n{{", '\\"', "\n```\n"),
    "titles of many sections": ("# m\n\n## CLI ", "build and launch ", "\n"),
    "lines below a table": (f"{TABLE}| `a` | string | yes | x |\n", "a\n", ""),
    "a type in capitals": (f"{TABLE}| `a` | A1", "A", " | yes | x |\n"),
    "an error in capitals": (f"{HEAD}### 5. Error Handling\n\n- `A1`: x\n\nIt fails with `A1", "A", ".`\n"),
    "a path of a bullet": (f"{INPUT}- `a", "[].a", "!` (string, required): x\n"),
    "arguments of a docstring": (f"{HEAD}Args:\n", "    a: b\n", ""),
}
"""The beginning, the repeated part, and the end of documents, each of which once took too long."""
FEW = {"headings in German": 10, "headings in Chinese": 10, "tools without a description": 100}
DESCRIPTIONS = (
    ("Reads it, ", "see `x_y` and alpha ", "."),
    ("Optional if omitted ", "." * 20, " z"),
    ("Default: ", ":" * 20, " z"),
    ("A word (a", "b" * 20, "). If omitted, any."),
)
PARTS = (
    *"_.:-=*`|<>(){}[]\"'/#,;!?&$%@~^+1 aAé\t", "a ", "a.", "a_", "a-", "a: ", "a=", "a, ", "`a`", "`a` ", "**a** ",
    "[a](", "![", "](", "<a ", "</", "<!--", "-->", "e.g. ", "(e.g. ", "(a", "a)", "((", "[[", "{{", "{\"a\":",
    "\"a\", ", "\\", "\\\"", "| ", "a | ", "- ", "\n", "\n\n", "a\n", "- a\n", "* `a`: b\n", "> ", "# ", "## a\n",
    "1. ", "1. a\n", "0.", "1e", "--a ", "default: ", "one of ", "if ", "no tools ", "not ", "tool ", "`a`, ",
    "'a', ", "\"a\"|", "a|", "a or ", "list of ", "array<", "dict[str, ", "a[", "a(b: ", "between 1 and ", "0-",
    "2024-", "http://", "a@", "\u3000", "工", "：", "\u200b", "\r",
)  # fmt: skip
"""Parts that are put at every place of `PLACES`."""
PLACES: dict[str, tuple[str, str]] = {
    "text": ("# m\n\n", "\n"),
    "heading": ("# m\n\n## ", "\n"),
    "heading of a tool": ("# m\n\n## Tool: `m.a", "`\n"),
    "purpose": (HEAD, "\n"),
    "cell of a description": (f"{TABLE}| `a` | string | yes | ", " |\n"),
    "cell of a type": (f"{TABLE}| `a` | ", " | yes | The value. |\n"),
    "cell of a name": (f"{TABLE}| ", " | string | yes | The value. |\n"),
    "cell of Required": (f"{TABLE}| `a` | string | ", " | The value. |\n"),
    "bullet": (f"{INPUT}- `a` (string, required): ", "\n"),
    "bullet's remark": (f"{INPUT}- `a` (", "): the value\n"),
    "list of a tool": ("# m\n\n## Tools\n\n- `a_b`: ", "\n"),
    "code of an example": (f"{HEAD}### 7. Usage Examples\n\n```\n", "\n```\n"),
    "code below a tool": (f"{HEAD}```\n", "\n```\n"),
    "JSON of an example": (f"{HEAD}### 7. Usage Examples\n\n```json\n", "\n```\n"),
    "JSON of a schema": (f'{INPUT}```json\n{{"type": "', '"}\n```\n'),
    "informal tool": ("# Tools\n\n### a_b\n\n", "\n\n**Parameters**\n\n- `a` (string): x\n"),
    "informal parameter": ("# Tools\n\n### a_b\n\n**Parameters**\n\n- `a` (string): ", "\n"),
    "front matter": ("---\nmodule: ", "\n---\n# m\n"),
    "key of front matter": ("---\nmodule: m\n", ": a\n---\n# m\n"),
    "YAML of a schema": (f"{INPUT}```yaml\ntype: object\ndescription: ", "\n```\n"),
    "suppression": (f"{HEAD}<!-- mcp-contracts: disable=", " -->\n"),
    "docstring": (f"{HEAD}Args:\n    a: ", "\n"),
    "heading of a section": (f"{HEAD}### ", "\n\nText.\n"),
    "effects": ("# M\n\n## Tool: `m.a`\n\n**Effects**: ", "\n"),
    "heading in code": ("# m\n\n## `a", "( x\n"),
    "name of a list": ("# m\n\n## Tools\n\n- `a", "( x\n- `b_c`\n"),
    "name in bold": ("# m\n\n**`a", "( x\n\nText.\n"),
    "name in a table": ("# m\n\n| Tool | Description |\n|---|---|\n| `a", "! x | y |\n| `b!c` | y |\n"),
    "name of a summary": ("# m\n\n<details>\n<summary>a", "! x</summary>\n\nText.\n\n</details>\n"),
    "sentence of a module without tools": ("# m\n\nThis module has no tools ", "\n"),
    "requirements": (
        f"{INPUT}| Name | Type | Required | Description |\n|---|---|---|---|\n| `a` | string | yes | If ",
        " |\n",
    ),
}
PART_CHARACTERS = 1_500


def documents() -> Iterator[tuple[str, Callable[[int], Contracts]]]:
    """Yield the name of each document, and what builds it at a multiple of its length."""
    for name, parts in DOCUMENTS.items():
        yield name, partial(_specification, *parts, FEW.get(name, 400))
    for parts in DESCRIPTIONS:
        yield f"description of a list: {parts[1]!r}", partial(_tools, *parts, 100)
    for part in PARTS:
        few = max(1, PART_CHARACTERS // len(part))
        yield f"description of a list: {part!r}", partial(_tools, "Reads ", part, " z.", few)
        for place, (before, after) in PLACES.items():
            yield f"{place}: {part!r}", partial(_specification, before, part, after, few)


def _specification(before: str, part: str, after: str, few: int, times: int) -> Contracts:
    return Contracts((read_spec("m/MCP_TOOL_SPECIFICATION.md", f"{before}{part * few * times}{after}"),))


def _tools(before: str, part: str, after: str, few: int, times: int) -> Contracts:
    said = f"{before}{part * few * times}{after}"
    schema = {"type": "object", "properties": {"k": {"type": "string", "description": said}}, "required": ["k"]}
    tools = [{"name": name, "description": said, "inputSchema": schema} for name in ("a_b", "c_d")]
    return Contracts((read_tool_list("x.tools.json", json.dumps({"tools": tools})),))


def _seconds(build: Callable[[int], Contracts], times: int) -> float:
    began = time.process_time()
    lint(build(times))
    return time.process_time() - began


def growth(build: Callable[[int], Contracts]) -> tuple[float, float]:
    """Return by how much the time grows for a document that is `TIMES` as long, and the seconds of the long one.

    A short document may take a cheaper path, so a fault is also measured from a document of four times the length.
    """
    few, many = _seconds(build, 1), _seconds(build, TIMES)
    for _ in range(MEASURES - 1):
        if many < LEAST_SECONDS or many < MOST_GROWTH * few:
            return many / max(few, LEAST_SECONDS / TIMES), many
        few, many = max(few, _seconds(build, 1)), min(many, _seconds(build, TIMES))
    longer, longest = _seconds(build, 4), _seconds(build, 4 * TIMES)
    return min(many / max(few, LEAST_SECONDS / TIMES), longest / longer), many


def _limited(build: Callable[[int], Contracts]) -> tuple[float, float]:
    """Return the growth, or raise `TimeoutError`."""

    def stop(*_: object) -> None:
        raise TimeoutError

    if not hasattr(signal, "SIGALRM"):
        return growth(build)
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(LIMIT_SECONDS)
    try:
        return growth(build)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def main() -> int:
    """Measure the documents whose names contain the given text, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz_growth", description=__doc__)
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="measure only documents with this text in their name"
    )
    only = parser.parse_args().only
    measured = faults = 0
    for name, build in documents():
        if only not in name:
            continue
        measured += 1
        try:
            grown, seconds = _limited(build)
        except TimeoutError:
            faults += 1
            print(f"{name}: stopped after {LIMIT_SECONDS} s", flush=True)
            continue
        if grown > MOST_GROWTH and seconds > LEAST_SECONDS:
            faults += 1
            print(f"{name}: {grown:.0f} times the time for {TIMES} times the length, {seconds:.2f} s", flush=True)
    print(f"{measured:,} documents, {faults} out of proportion")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
