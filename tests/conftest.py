"""Settings for all tests: generated cases are the same in each run, and a slow machine fails none.

Laws are checked on a sample. `make laws` generates far more cases, different ones in each run.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from zlib import crc32

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

import tests
from tests.bytecode import write_bytecode
from tests.commands import share_server

settings.register_profile(
    "deterministic",
    derandomize=True,
    max_examples=8,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("thorough", settings.get_profile("deterministic"), derandomize=False, max_examples=1000)
settings.load_profile("deterministic")

# Otherwise, the constants of all imported modules are added to the examples: each process parses hundreds of files, and
# its imports so far determine the cases.
vars(providers)["_get_local_constants"] = lambda: providers._local_constants

gc.set_threshold(200_000, 20, 50)  # schemas and reports are many small objects, and nearly none is garbage

os.environ["MCP_CONTRACTS_CACHE_DIR"] = f"{os.devnull}/none"  # no cache, unless a test names a folder
os.environ.pop("SSL_CERT_FILE", None)
os.environ["SSL_CERT_DIR"] = os.path.dirname(__file__)  # empty: a client reads all certificates at its start

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts background jobs, which processes inherit
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mix the modules, in the same way each time: the workers begin with thirds of the list, and in the order of names,
    all that wait for servers and deadlines are in the last one, so that in the end all workers wait.
    """
    items.sort(key=lambda item: crc32(item.path.name.encode()))


def pytest_collection_finish() -> None:
    """Exclude the thousands of collected tests from garbage collection, which took half a second each time."""
    sys.dont_write_bytecode = tests.WRITES_NO_BYTECODE
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Compile all modules once, before the workers import them, and run the commands of all workers in one server."""
    write_bytecode(config)
    share_server()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one process more than the number of cores, because some tests wait for processes and deadlines."""
    return 1 + (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test of a worker, and report to pytest-xdist its call and what failed: two messages rather than six."""
    options = item.config.option
    if not hasattr(item.config, "workerinput") or options.verbose > 0 or options.durations:
        return None
    for report in runtestprotocol(item, nextitem=nextitem, log=False):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True
