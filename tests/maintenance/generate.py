"""Write the generated files of this repository: `python -m tests.maintenance.generate [--check]`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from mcp_contracts.changes.registry import change_rule_infos
from mcp_contracts.checks.catalog import CATALOG_FAMILIES, catalog, read_example_of
from mcp_contracts.reporting.rules.listing import rule_list_markdown
from mcp_contracts.reporting.rules.page import rule_page
from mcp_contracts.rules.registry import all_rule_infos
from tests.maintenance.bundle_schemas import bundle_schema, cases_schema, lock_schema
from tests.maintenance.change_examples import expected_files
from tests.maintenance.commands_page import commands_page_files
from tests.maintenance.config_schema import config_schema
from tests.maintenance.formats import format_files
from tests.maintenance.message_schemas import SCHEMA_BASE, message_schemas
from tests.maintenance.picture import picture_files
from tests.maintenance.report_schemas import diff_report_schema, report_schema
from tests.maintenance.rule_rows import rule_row_files

ROOT = Path(__file__).resolve().parents[2]
_WHOLLY_GENERATED = ("docs/rules", "tests/golden/formats")  # other files in these folders belonged to removed rules
_RULES = """\
# Rules

The rules of `mcp-contracts lint` (MC) and the kinds of changes that `mcp-contracts diff` reports (BC). `mcp-contracts
rules` prints this list, and `mcp-contracts explain CODE` prints the page of a rule.

An **error** means that the tool cannot work, a **warning** that it works but causes problems, and a **note** that it
could be better. For changes, an error can break callers, a warning marks an unknown effect, and a note does not break
callers. Codes are never reused. [Configure](../configuration.md) which lint rules run and how severe they are.

These pages are generated from the rules and their examples. To change a page, change those and run `make generate`.
"""


def message_schema_files() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of the schema of each message."""
    for name, schema in message_schemas().items():
        yield f"schemas/{name}", json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def document_schema_files() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of the schemas of the bundle, the configuration and the reports."""
    schemas = {
        "bundle.schema.json": bundle_schema(),
        "config.schema.json": config_schema({info.code: info.name for info in all_rule_infos()}, change_rule_infos()),
        "diff_report.schema.json": diff_report_schema(),
        "lint_report.schema.json": report_schema(),
        "lock.schema.json": lock_schema(),
        "verify_cases.schema.json": cases_schema(),
    }
    for name, schema in schemas.items():
        head = {"$schema": "http://json-schema.org/draft-07/schema#", "$id": SCHEMA_BASE + name}
        yield f"schemas/{name}", json.dumps({**head, **schema}, indent=2, ensure_ascii=False) + "\n"


def example_files() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of diff's output for each example that compares two files."""
    for path, text in expected_files():
        yield path.relative_to(ROOT).as_posix(), text


def rule_files(expected: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of the list of rules and of each rule's page; `expected` is diff's output by code."""
    rules = catalog()
    yield "docs/rules/README.md", f"{_RULES}\n{rule_list_markdown(rules, CATALOG_FAMILIES, has_pages=True)}"
    for info in rules:
        example = read_example_of(info)
        fresh = replace(example, expected=expected.get(info.code, example.expected))
        yield f"docs/rules/{info.code}.md", rule_page(info, fresh)


@cache
def generated_files() -> dict[str, str]:
    """Return the text of every generated file by its path, relative to the root."""
    examples = dict(example_files())
    pages = rule_files({Path(path).parent.name: text for path, text in examples.items()})
    others = (
        *message_schema_files(),
        *document_schema_files(),
        *picture_files(),
        *format_files(),
        *commands_page_files(),
        *rule_row_files(),
    )
    return dict((*others, *examples.items(), *pages))


def stale_files(root: Path = ROOT) -> list[str]:
    """Return the sorted paths of generated files that are missing, outdated, or left over."""
    stale = {path for path, text in generated_files().items() if not _holds(root / path, text)}
    return sorted(stale.union(left_over_files(root)))


def left_over_files(root: Path = ROOT) -> list[str]:
    """Return the sorted paths of files in generated folders that are no longer generated."""
    found = [path for folder in _WHOLLY_GENERATED for path in (root / folder).rglob("*") if path.is_file()]
    return sorted({path.relative_to(root).as_posix() for path in found}.difference(generated_files()))


def write_schemas(root: Path = ROOT) -> None:
    """Write the schemas of the messages."""
    _write(dict(message_schema_files()), root)


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Write all generated files and remove left-over ones, or with `--check` list those; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 and name the files that are stale")
    if not parser.parse_args(arguments).check:
        _write(generated_files(), root)
        for path in left_over_files(root):
            (root / path).unlink()
        return 0
    stale = stale_files(root)
    for path in stale:
        print(f"{path} is stale: run `python -m tests.maintenance.generate`")
    return 1 if stale else 0


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode("utf-8")


def _write(files: Mapping[str, str], root: Path) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode("utf-8"))


if __name__ == "__main__":
    sys.exit(main())
