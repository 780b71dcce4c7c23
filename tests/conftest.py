"""Settings that hold for every test: generated cases are the same in each run, and a slow machine fails none."""

from __future__ import annotations

import gc

from hypothesis import HealthCheck, settings

settings.register_profile(
    "deterministic",
    derandomize=True,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("deterministic")


def pytest_collection_finish() -> None:
    """Keep the thousands of collected tests out of garbage collection, which took half a second each time."""
    gc.collect()
    gc.freeze()
