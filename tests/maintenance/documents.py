"""Update the outputs in documents: the blocks with `<!-- printed by: COMMAND -->` (`make generate`)."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from tests.document_folders import STATES, build_folder
from tests.documents import DOCUMENTS, blocks_of, printed_by, working_in
from tests.repositories import ROOT, isolate


def main() -> int:
    """Rewrite each document whose outputs changed, and print its name."""
    with tempfile.TemporaryDirectory() as temporary, pytest.MonkeyPatch.context() as patch:
        isolate(patch, Path(temporary), Path(temporary))
        for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
            patch.delenv(name, raising=False)
        base = build_folder(Path(temporary, "base"))
        for path in DOCUMENTS:
            before = (ROOT / path).read_text("utf-8")
            after = _rewrite(path, before, base, Path(temporary))
            if after != before:
                (ROOT / path).write_text(after, encoding="utf-8")
                print(f"{path} was written anew")
    return 0


def _rewrite(path: str, text: str, base: Path, temporary: Path) -> str:
    for block in reversed(blocks_of(path)):  # from the end, so that offsets stay valid
        if "printed by" in block.notes:
            folder = Path(shutil.copytree(base, temporary / "copy", symlinks=True))
            with working_in(folder):
                if "in" in block.notes:
                    STATES[block.notes["in"]]()
                text = f"{text[: block.start]}{printed_by(block).rstrip()}\n{text[block.end :]}"
            shutil.rmtree(folder)
    return text


if __name__ == "__main__":
    sys.exit(main())
