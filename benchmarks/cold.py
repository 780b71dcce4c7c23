"""`python -m benchmarks.cold [COUNT]`: the stages of a cold lint in one process, and one edit of a 400-line file.

Each stage is a ratio to markdown-it-py's block parse of the same files, in processor time: the best of alternating
rounds. An edit is what an editor waits for: the file is parsed again, and all rules run.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path

from markdown_it import MarkdownIt

from benchmarks.corpus import make_spec
from benchmarks.timing import computed
from mcp_contracts.checks.lint import rule_options
from mcp_contracts.config import Config
from mcp_contracts.parsing.markdown.reading import parse_blocks
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.rules.registry import LINT_RULES
from mcp_contracts.rules.running.engine import check_file

_ROUNDS = 3
_LINES = 400
_FLOOR = "markdown-it-py, blocks only"


def main(count: int) -> int:
    """Measure and print a table."""
    gc.set_threshold(100_000)  # as in a lint
    texts = [make_spec(1, index)[1] for index in range(count)]
    best = _best(texts)
    for name, seconds in best.items():
        print(f"{name:<40}{seconds / count * 1e6:>8.0f} µs a file{seconds / best[_FLOOR]:>8.2f} x")
    edited = min((text for text in texts if text.count("\n") >= _LINES), key=len, default=max(texts, key=len))
    seconds = _best([edited])["parse and rules"]
    print(f"{f'an edit of {edited.count(chr(10))} lines':<40}{seconds * 1000:>8.1f} ms")
    return 0


def _best(texts: list[str]) -> dict[str, float]:
    parser = MarkdownIt("commonmark")
    options = rule_options(Config(None, Path()))

    def lint(text: str) -> None:
        check_file(read_spec("a.md", text), LINT_RULES, options)

    stages: dict[str, Callable[[str], object]] = {
        _FLOOR: lambda text: parser.block.parse(text, parser, {}, []),
        "our blocks": lambda text: parse_blocks(SourceText.of("a.md", text)),
        "parse": lambda text: read_spec("a.md", text),
        "parse and rules": lint,
    }
    best = dict.fromkeys(stages, float("inf"))
    for _ in range(_ROUNDS + 1):  # the first compiles patterns, and is the slowest
        for name, stage in stages.items():
            best[name] = min(best[name], computed(lambda stage=stage: [stage(text) for text in texts])[0])  # type: ignore[misc]
    return best


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
