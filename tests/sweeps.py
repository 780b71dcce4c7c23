"""Sweeps are tables that are too long for each run: the suite takes a share of them, `make laws` takes all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

import pytest

Row = TypeVar("Row")
IS_WHOLE = os.environ.get("MCP_CONTRACTS_SWEEPS") == "whole"
"""Whether nothing is left out, as in `make laws`."""

sweep = pytest.mark.sweep
"""The mark of a test that takes a share, so that `make laws` runs it."""


def share(rows: Sequence[Row], one_in: int) -> Sequence[Row]:
    """Return every so many rows, beginning with the first, or all of them in `make laws`."""
    return rows if IS_WHOLE else rows[::one_in]


def size(whole: int, one_in: int) -> int:
    """Return a size that is so many times smaller, or the whole of it in `make laws`."""
    return whole if IS_WHOLE else whole // one_in
