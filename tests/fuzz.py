"""Test parser, linter and comparison with mutated specifications and tool lists: `python -m tests.fuzz`.

No text may cause an exception, take long, or have a place outside its file. The values of a JSON document are at the
places that its locator returns. A text compared with itself is unchanged, and each proof of a break is valid. The same
seed gives the same texts.

`python -m tests.fuzz --hostile` runs every command and calls on input that attempts to stall or to fill a process: that
of `tests.hostile`, and for each seed schemas composed of it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path

from mcp_contracts.change import Verdict
from mcp_contracts.checks.catalog import catalog
from mcp_contracts.checks.diff import compare
from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, JsonValue, SchemaPart
from mcp_contracts.diagnostics import Place
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.parsing.data.documents import Document, SubLocator
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.diff.document import diff_document
from mcp_contracts.reporting.render import FORMATS, render
from mcp_contracts.sources.documents import read_source

MOST_SECONDS = 2.0
SPEC = "module/MCP_TOOL_SPECIFICATION.md"
PROJECT = Path(__file__).parent.parent
FRAGMENTS = (
    "```json", "```", "~~~", "```yaml", "<!-- mcp-contracts: ignore MC305 -- why -->", "<!--", "-->", "---", "===", "",
    "{", "}", '"a": [1, {"b/~": null}],', "| Parameter | Type | Required |", "|---|---|---|",
    "| `a|b` | string | yes |", "| `x[].y` | enum[\"a\" \\| \"b\"] | no |", "## Tool: `a.b`", "# Tool: c.d",
    "### Tool: e.f", "### 3. Output Schema",
    "### 7. Usage Examples", "**Version**: 1.0.0 | **Status**: stable", "**From 1.x**: change", "> quoted", "- item",
    "  - nested", "    code", "\ttab", "1. one", "{{fill me in}}", "\u202e\u200b\U0001f600", "\x00\x0b\x0c\x85\u2028",
    "[a]: http://b", "<div>", "&a [*a]", "x: y: z", "\ufeff", "'", '"', "`", "*" * 50, "\\", "None.", "NaN", "1e999",
)  # fmt: skip
PIECES: tuple[JsonValue, ...] = (
    None, True, False, 0, -1, 1.5, 10**40, "", "x", "(", "\ud800", "\x1b[31m\n```", [], {}, [{}], ["a", "a"], {"a": {}},
    "integer", ["string", "null"], {"type": "object"}, {"$ref": "#"}, {"$ref": "#/$defs/x"}, {"not": {}},
    {"enum": [1, 2]}, {"anyOf": [{"type": "string"}, {"type": "number", "maximum": 5}]}, {"pattern": "^(a+)+$"},
)  # fmt: skip
NAMES = (
    "type", "enum", "const", "required", "properties", "items", "maximum", "minLength", "pattern", "anyOf", "not",
    "additionalProperties", "$ref", "$schema", "name", "inputSchema", "_meta", "description",
)  # fmt: skip

_QUOTED_NAME = re.compile(r"[`\"]([A-Za-z]\w{0,30})[`\"]")

Mutation = Callable[[random.Random, str, Sequence[str]], str]


def _truncated(rng: random.Random, text: str, _others: Sequence[str]) -> str:
    return text[: rng.randrange(len(text) + 1)]


def _spliced(rng: random.Random, text: str, others: Sequence[str]) -> str:
    other = rng.choice(others)
    return text[: rng.randrange(len(text) + 1)] + other[rng.randrange(len(other) + 1) :]


def _without_lines(rng: random.Random, text: str, _others: Sequence[str]) -> str:
    lines = text.split("\n")
    start = rng.randrange(len(lines))
    return "\n".join(lines[:start] + lines[start + rng.randrange(1, 9) :])


def _with_fragments(rng: random.Random, text: str, _others: Sequence[str]) -> str:
    lines = text.split("\n")
    for _ in range(rng.randrange(1, 6)):
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(FRAGMENTS))
    return "\n".join(lines)


def _with_inserted_text(rng: random.Random, text: str, _others: Sequence[str]) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(FRAGMENTS) + text[at:]


def _with_changed_characters(rng: random.Random, text: str, _others: Sequence[str]) -> str:
    characters = list(text)
    for _ in range(rng.randrange(1, 10)):
        if characters:
            characters[rng.randrange(len(characters))] = rng.choice("`|{}[]\"':,#-*<>\\ \n\t\r0aé\U0001f600")
    return "".join(characters)


def _with_prefixed_lines(rng: random.Random, text: str, _others: Sequence[str]) -> str:
    lines = text.split("\n")
    start = rng.randrange(len(lines))
    end = start + rng.randrange(1, 40)
    prefix = rng.choice(("> ", ">", "  ", "    ", "\t", "- ", " ", ">\t", "1. "))
    return "\n".join(lines[:start] + [prefix + line for line in lines[start:end]] + lines[end:])


def _in_a_list(rng: random.Random, text: str, _others: Sequence[str]) -> str:
    lines = text.split("\n")
    start = rng.randrange(len(lines))
    end = start + rng.randrange(1, 40)
    marker, indent = rng.choice((("- ", "  "), ("-\t", "\t"), ("10. ", "    "), ("* > ", "  > ")))
    inside = [(indent if index else marker) + line for index, line in enumerate(lines[start:end])]
    return "\n".join(lines[:start] + inside + lines[end:])


def _with_other_line_ends(rng: random.Random, text: str, _others: Sequence[str]) -> str:
    return text.replace("\n", rng.choice(("\r\n", "\r", "\n\r")))


def _with_a_keyword_as_name(rng: random.Random, text: str, _others: Sequence[str]) -> str:
    names = sorted(set(_QUOTED_NAME.findall(text)))
    if not names:
        return text
    name = re.escape(rng.choice(names))
    keyword = rng.choice(NAMES)
    return re.sub(rf"(?<=[`\"]){name}(?=[`\"])", lambda _: keyword, text)


def _repeated(rng: random.Random, text: str, _others: Sequence[str]) -> str:
    lines = text.split("\n")
    start = rng.randrange(len(lines))
    part = lines[start : start + rng.randrange(1, 30)]
    return "\n".join(lines[:start] + part * rng.randrange(2, 30) + lines[start:])


MUTATIONS: tuple[Mutation, ...] = (
    _truncated,
    _spliced,
    _without_lines,
    _with_fragments,
    _with_inserted_text,
    _with_changed_characters,
    _with_prefixed_lines,
    _in_a_list,
    _with_other_line_ends,
    _with_a_keyword_as_name,
    _repeated,
)


def seeds() -> tuple[str, ...]:
    """Return the texts to mutate: our specifications, the test cases, and the corpus of `MCP_CONTRACTS_CORPUS`."""
    folders = [PROJECT / "specs", PROJECT / "module_template", PROJECT / "tests" / "cases"]
    corpus = os.environ.get("MCP_CONTRACTS_CORPUS")
    if corpus:
        folders.append(Path(corpus) / "corpus" / "specs")
    paths = [path for folder in folders for path in sorted(folder.rglob("*.md"))]
    return tuple(path.read_bytes().decode("utf-8") for path in paths)


def mutated(seed: int, texts: Sequence[str]) -> str:
    """Return the text of a seed: one of the texts, with one to four mutations."""
    rng = random.Random(seed)
    text = rng.choice(texts)
    for _ in range(rng.randrange(1, 5)):
        text = rng.choice(MUTATIONS)(rng, text, texts)
    return text


def mutated_pair(seed: int, texts: Sequence[str]) -> tuple[str, str]:
    """Return the two specifications of a seed: one of the texts, perhaps mutated, and the same with more mutations."""
    rng = random.Random(seed)
    old = rng.choice(texts)
    if rng.random() < 0.3:
        old = rng.choice(MUTATIONS)(rng, old, texts)
    new = old
    for _ in range(rng.randrange(1, 4)):
        new = rng.choice(MUTATIONS)(rng, new, texts)
    return old, new


def mutated_lists(seed: int, texts: Sequence[str]) -> tuple[str, str]:
    """Return the two tool lists of a seed: the tools of one of the texts, and the same with a few values changed."""
    rng = random.Random(seed)
    contracts = read_source(SPEC, rng.choice(texts)).contracts
    tools: list[JsonValue] = [
        {"name": one.name, "description": one.description, "inputSchema": one.input_schema, "outputSchema": output}
        for one in contracts[:8]
        for output in (one.output_schema,)
    ]
    old = json.dumps({"tools": tools})
    new: JsonValue = json.loads(old)
    for _ in range(rng.randrange(1, 6)):
        _change_a_value(rng, new)
    written = json.dumps(new)
    return old, written if rng.random() < 0.9 else _truncated(rng, written, texts)


def _change_a_value(rng: random.Random, document: JsonValue) -> None:
    """Replace, add or remove one value at any depth."""
    holders = [value for _, value in _pointers("", document) if isinstance(value, dict | list) and value]
    if not holders:
        return
    holder = rng.choice(holders)
    piece = json.loads(json.dumps(rng.choice(PIECES)))
    if isinstance(holder, list):
        at = rng.randrange(len(holder))
        holder[at : at + rng.randrange(2)] = rng.choice(([], [piece], [piece, piece]))
        return
    name = rng.choice(list(holder))
    match rng.randrange(4):
        case 0:
            del holder[name]
        case 1:
            holder[rng.choice(NAMES)] = piece
        case 2 if isinstance(number := holder[name], int) and not isinstance(number, bool):
            holder[name] = number + rng.choice((-1, 1, 100))
        case _:
            holder[name] = piece


def pair_problems(path: str, old: str, new: str) -> Iterator[str]:
    """Return the problems in comparing two texts, in both directions and under both policies."""
    sides = [Contracts((read_source(f"{name}/{path}", text),)) for name, text in (("old", old), ("new", new))]
    lines = {side.files[0].path: SourceText.of(path, text).lines for side, text in zip(sides, (old, new), strict=True)}
    for side in sides:
        for _, change in compare(side, side).report.changes():
            yield f"compared with itself: {change.code} {change.message}"
    for before, after in (sides, sides[::-1]):
        began = time.process_time()
        declared = compare(before, after)
        seconds = time.process_time() - began
        if seconds > MOST_SECONDS:
            yield f"the comparison takes {seconds:.1f} s"
        for compared in (declared, compare(before, after, policy="strict")):
            yield from compared.troubles
            for tool, change in compared.report.changes():
                place = change.place or tool.place
                if place is None or not _is_inside(place, lines[place.path]):
                    yield f"{change.code} stands at {place}"
                if change.verdict is Verdict.UNKNOWN and change.reason is None:
                    yield f"{change.code} is undecided for no reason"
        document = diff_document(declared.report, "old", "new")
        context = RenderContext(rules=catalog())
        for name in FORMATS:
            text = render(name, document, context)
            if hidden := set(text) & set("\x00\x1b\u202e\u200b\r"):
                yield f"{name} prints {hidden}"


def problems(text: str, rng: random.Random, path: str = SPEC) -> Iterator[str]:
    """Return the problems in reading and linting text, within its time."""
    began = time.process_time()
    file = read_source(path, text)
    report = lint(Contracts((file,)))
    seconds = time.process_time() - began
    if seconds > MOST_SECONDS:
        yield f"it takes {seconds:.1f} s"
    lines = SourceText.of(file.path, text).lines
    for place in _places(file):
        if not _is_inside(place, lines):
            yield f"{place} is outside the file"
    for contract in file.contracts:
        for part in (contract.input, contract.output):
            if part is not None:
                yield from _wrong_locations(part, lines, rng)
        for example in contract.examples:
            yield from _misplaced(example.locator.place("/arguments/0/x", on_key=True), lines)
    for diagnostic in report.diagnostics:
        for place in (diagnostic.place, *(related.place for related in diagnostic.related)):
            yield from (f"{diagnostic.code}: {problem}" for problem in _misplaced(place, lines))


def _places(value: object) -> Iterator[Place]:
    """Yield every place in a file's contracts, sections, tables, comments and faults."""
    if isinstance(value, Place):
        yield value
    elif isinstance(value, Document):
        yield from _places(value.faults)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _places(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for member in value.values():
            yield from _places(member)
    elif isinstance(value, tuple):
        for member in value:
            yield from _places(member)


def _misplaced(place: Place, lines: Sequence[str]) -> Iterator[str]:
    if not _is_inside(place, lines):
        yield f"{place} is outside the file"


def _is_inside(place: Place, lines: Sequence[str]) -> bool:
    return (
        1 <= place.line <= place.end_line <= len(lines)
        and 1 <= place.column <= len(lines[place.line - 1]) + 1
        and 1 <= place.end_column <= len(lines[place.end_line - 1]) + 1
        and (place.line, place.column) <= (place.end_line, place.end_column)
    )


def _wrong_locations(part: SchemaPart, lines: Sequence[str], rng: random.Random) -> Iterator[str]:
    """Yield pointers that a schema's locator cannot place, and those that it places wrongly."""
    found = list(_pointers("", part.value))
    for pointer, _ in found:
        for made_up in (pointer, f"{pointer}/{rng.choice(('x', '0', '~1', 'properties'))}"):
            for on_key in (False, True):
                yield from _misplaced(part.locator.place(made_up, on_key=on_key), lines)
    locator = part.locator
    document = locator.document if isinstance(locator, SubLocator) else locator
    if not isinstance(document, Document) or document.language != "json":
        return
    for pointer, value in found:
        place = locator.place(pointer)
        written = lines[place.line - 1][place.column - 1 : place.end_column - 1]
        if place.line == place.end_line and not _means(written, value):
            yield f"{pointer} is {value!r}, and {written!r} stands at {place}"
        key = locator.place(pointer, on_key=True)
        written = lines[key.line - 1][key.column - 1 : key.end_column - 1]
        name = pointer.rpartition("/")[2]
        if pointer and not name.isdecimal() and not (_means(written, name.replace("~1", "/").replace("~0", "~"))):
            yield f"the key of {pointer} is {name!r}, and {written!r} stands at {key}"


def _means(written: str, value: JsonValue) -> bool:
    try:
        return bool(json.loads(written) == value)
    except ValueError:
        return False


def _pointers(pointer: str, value: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    yield pointer, value
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _pointers(f"{pointer}/{escape(name)}", member)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _pointers(f"{pointer}/{index}", member)


_REPORTED_AFTER = 100


def hostile_main(only: str, seeds_of_schemas: Sequence[int]) -> int:
    """Run all commands and calls on hostile input, each in a separate process, and print the problems."""
    from tests import hostile_runs  # only POSIX can limit a process like this

    count = failed = 0
    with tempfile.TemporaryDirectory() as name:
        for title, act in hostile_runs.everything(Path(name), only, seeds_of_schemas):
            problem = hostile_runs.ended(act, Path(name)).problem
            count += 1
            if problem is not None:
                failed += 1
                print(f"{title}: {problem}", flush=True)
            if count % _REPORTED_AFTER == 0:
                print(f"{count} runs so far, {failed} with problems; the last one is {title}", flush=True)
    print(f"{count} runs, {failed} with problems")
    return 1 if failed else 0


def main() -> int:
    """Run, and print the seeds of the texts with problems."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", action="store_true", help="compare two texts or tool lists of each seed instead")
    parser.add_argument("--hostile", action="store_true", help="run commands on input made to stall them instead")
    parser.add_argument("--only", default="", help="with --hostile: only input whose name holds this")
    options = parser.parse_args()
    if options.hostile:
        return hostile_main(options.only, range(options.seed, options.seed + options.runs))
    texts = seeds()
    failed = 0
    for seed in range(options.seed, options.seed + options.runs):
        try:
            if options.pairs:
                found = [
                    *pair_problems("MCP_TOOL_SPECIFICATION.md", *mutated_pair(seed, texts)),
                    *pair_problems("tools.json", *mutated_lists(seed, texts)),
                ]
            else:
                rng = random.Random(seed)
                found = [
                    *problems(mutated(seed, texts), rng),
                    *problems(mutated_lists(seed, texts)[1], rng, "tools.json"),
                ]
        except Exception as error:  # any exception is a problem
            found = [f"{type(error).__name__}: {error}"]
        for problem in found[:3]:
            print(f"seed {seed}: {problem}")
        failed += bool(found)
    print(f"{options.runs} texts, {failed} with problems")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
