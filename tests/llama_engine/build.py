"""Build the grammar engine of llama.cpp: `python -m tests.llama_engine.build SDIST LIBRARY`.

`SDIST` is the source distribution of `llama-cpp-python` (docs/grammars.md shows how to download it), or an unpacked
llama.cpp. Only the grammar is compiled, with `c++`; the models are not.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

_ENGINE = Path(__file__).with_name("engine.cpp")
_FOLDERS = ("include", "src", "ggml/include")


def main() -> int:
    """Build the library from the sources."""
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    sources, library = map(Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as unpacked:
        root = sources if sources.is_dir() else _unpack(sources, Path(unpacked))
        command = ["c++", "-std=c++17", "-O2", "-fPIC", "-shared", *(f"-I{root / folder}" for folder in _FOLDERS)]
        command += [str(root / "src" / "llama-grammar.cpp"), str(_ENGINE), "-o", str(library)]
        return subprocess.run(command, check=False).returncode


def _unpack(sdist: Path, into: Path) -> Path:
    """Unpack the sources of the grammar engine, and return the folder of llama.cpp."""
    with tarfile.open(sdist) as archive:
        wanted = [
            member
            for member in archive
            if member.isfile() and any(f"/vendor/llama.cpp/{folder}/" in member.name for folder in _FOLDERS)
        ]
        archive.extractall(into, wanted, filter="data")
    return next(into.glob("*/vendor/llama.cpp"))


if __name__ == "__main__":
    sys.exit(main())
