"""The bounds of documents."""

from __future__ import annotations

MAX_DEPTH = 128
"""The nesting limit of JSON and YAML: far more than any schema needs, far less than what exhausts the stack."""

MOST_FAULTS = 100
"""The maximum number of faults of one kind that are reported for a document."""
