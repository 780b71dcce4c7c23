"""Build the wheel, install it into a new environment, and use it like a new user: `python -m …check_wheel`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Return 0 if the wheel contains everything and works."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        run(
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--wheel-dir",
            str(place),
            str(ROOT),
            cwd=place,
        )
        (wheel,) = place.glob("mcp_contracts-*.whl")
        venv.create(place / "venv", with_pip=True)
        bin_folder = place / "venv" / ("Scripts" if os.name == "nt" else "bin")
        run(str(bin_folder / "python"), "-m", "pip", "install", "--quiet", str(wheel), cwd=place)
        command = str(bin_folder / "mcp-contracts")
        run(command, "--version", cwd=place)
        run(command, "new", "weather.get_forecast", cwd=place)
        run(command, "lint", cwd=place)
        run(command, "lint", "--max-warnings", "0", str(ROOT / "specs"), cwd=place)
        run(command, "explain", "MC302", cwd=place)
        own = "from mcp_contracts.serving.own.tools import contracts; assert len(contracts()) == 5"
        run(str(bin_folder / "python"), "-c", own, cwd=place)
        code = "from mcp_contracts import load, lint, MCPToolCall; print(len(lint(load('specs')).diagnostics))"
        run(str(bin_folder / "python"), "-c", code, cwd=place)
        print(f"{wheel.name}: built, installed and used")
    return 0


def run(*command: str, cwd: Path) -> None:
    """Run a command outside the source tree; its output is only shown if it fails."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    result = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{' '.join(command)} failed with {result.returncode}:\n{result.stdout}{result.stderr}")


if __name__ == "__main__":
    sys.exit(main())
