"""A few hostile trees; `make fuzz` tests hundreds."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.repositories import ROOT


def test_hostile_trees_end_in_a_report_or_a_sentence() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    ran = subprocess.run(
        [sys.executable, "-m", "tests.fuzz_trees", "--runs", "4"],
        capture_output=True,
        cwd=ROOT,
        env=environment,
        check=False,
    )

    assert ran.stdout.decode() == "4 trees, 0 of them broke something\n", ran.stderr
