"""Sweeps are tables that are too long for each run: the suite runs a share of them, `make laws` runs all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

import pytest

Row = TypeVar("Row")
IS_WHOLE = os.environ.get("MCP_CONTRACTS_SWEEPS") == "whole"
"""Whether nothing is omitted, as in `make laws`."""

sweep = pytest.mark.sweep
"""Marks a test that runs a share, so that `make laws` runs it."""


def share(rows: Sequence[Row], one_in: int) -> Sequence[Row]:
    """Return a share of the rows, beginning with the first, or all of them in `make laws`."""
    return rows if IS_WHOLE else rows[::one_in]


def size(whole: int, one_in: int) -> int:
    """Return a size divided by a number, or the whole size in `make laws`."""
    return whole if IS_WHOLE else whole // one_in
