"""The bounds of documents."""

from __future__ import annotations

MAX_DEPTH = 128
"""How deep JSON and YAML may nest: far more than any schema needs, far less than what exhausts a stack."""

MOST_FAULTS = 100
"""How many faults of one kind are reported of one document."""
