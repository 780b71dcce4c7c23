"""Write the files of this repository that are made from code: `python -m tests.maintenance.generate [--check]`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from mcp_contracts.bundle import bundle_schema
from mcp_contracts.config.schema import config_schema
from mcp_contracts.messages import SCHEMA_BASE, message_schemas
from mcp_contracts.reporting.json import report_schema
from mcp_contracts.rules.registry import known_rules

ROOT = Path(__file__).resolve().parents[2]


def message_schema_files() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of the schema of each message."""
    for name, schema in message_schemas().items():
        yield f"schemas/{name}", json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def document_schema_files() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of the schemas of the bundle, the configuration and the lint report."""
    schemas = {
        "bundle.schema.json": bundle_schema(),
        "config.schema.json": config_schema(known_rules()),
        "lint_report.schema.json": report_schema(),
    }
    for name, schema in schemas.items():
        head = {"$schema": "http://json-schema.org/draft-07/schema#", "$id": SCHEMA_BASE + name}
        yield f"schemas/{name}", json.dumps({**head, **schema}, indent=2, ensure_ascii=False) + "\n"


def generated_files() -> dict[str, str]:
    """Return the text of every generated file by its path, relative to the root; a new kind of file joins the tuple."""
    return dict((*message_schema_files(), *document_schema_files()))


def stale_files(root: Path = ROOT) -> list[str]:
    """Return the paths, sorted, whose file is missing or holds other bytes than the code would write."""
    return sorted(path for path, text in generated_files().items() if not _holds(root / path, text))


def write_schemas(root: Path = ROOT) -> None:
    """Write the schemas of the messages."""
    _write(dict(message_schema_files()), root)


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Write all generated files, or with `--check` name the stale ones; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 and name the files that are stale")
    if not parser.parse_args(arguments).check:
        _write(generated_files(), root)
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
