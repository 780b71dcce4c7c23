"""Samples mutations of the code that decides, and says which of them the tests do not notice.

`python -m tests.proofs.mutants` takes the mutations from mutmut's operators, and runs the tests itself. Mutmut's own
runner calls each function by a trampoline, which changes how deep a search nests, and it has to run all tests once to
learn which of them reach a function. Here each mutation is one changed file in a copy of the project, and the tests of
that file run until one fails, the quickest first, without the corpus that may lie beside the project. What survives is
explained in `survivors.toml`, by the text of the mutation, or the run fails.
"""

from __future__ import annotations

import argparse
import difflib
import math
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

import libcst as cst
from mutmut.mutation.file_mutation import Mutation, create_mutations

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "mcp_contracts"
SURVIVORS = Path(__file__).with_name("survivors.toml")
LEAST_KILLED = 95
"""How many of a hundred must die before the explanations of survivors are looked at."""
_LEAST_SECONDS = 60
_TIMES_LONGER = 3
"""How much longer tests may take with a mutation than without, in seconds of the processor; else they have failed."""
_BYTES = 6_000_000_000

_SEARCH = (
    "test_proofs_membership", "test_proofs_mutants", "test_proofs_cases", "test_proofs_reasons", "test_proofs_tables",
    "test_inclusion_steps",
    "test_proofs_exact", "test_compare_schemas", "test_proofs_evolution", "test_proofs_families",
    "test_schema_satisfiability", "test_inclusion_laws",
)  # fmt: skip
_READING = (
    "test_proofs_mutants", "test_proofs_reasons", "test_proofs_tables", "test_proofs_readings",
    "test_schema_lost_names", "test_compare_schemas", "test_schema_declared", "test_proofs_exact",
    "test_proofs_evolution",
)  # fmt: skip
TARGETS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("answers", "arrays", "atoms", "evaluated", "formulas", "graph", "decision", "meanings", "nodes", "objects",
         "prover", "scalars", "simple"),
        _SEARCH,
    ),
    "branches": ("test_compare_schemas", "test_schema_compare"),
    **dict.fromkeys(("bounds", "equal_values", "lost_names", "places", "policy", "projection"), _READING),
    "precedence": ("test_proofs_tables", "test_precedence"),
    "suppressions": ("test_suppressions",),
    "suppression_comments": ("test_suppressions",),
    "versions": ("test_versions", "test_diff"),
    "acceptance": ("test_acceptance_digests", "test_accepted_changes", "test_accepted_releases"),
}  # fmt: skip
"""The modules that are mutated, by name, and the tests that hold each."""
_FOLDERS = {
    "precedence": "rules", "suppressions": "checks", "suppression_comments": "checks", "versions": "changes",
    "acceptance": "checks", "nodes": "inclusion",
}  # fmt: skip


class Mutant(NamedTuple):
    """One changed file."""

    path: Path
    line: int
    old: str
    new: str
    text: str

    @property
    def name(self) -> str:
        """The change in one line, which stays the same when lines move."""
        return f"{self.path.name}: {self.old} -> {self.new}"


def path_of(module: str) -> Path:
    """The file of a module."""
    folders = [_FOLDERS[module]] if module in _FOLDERS else ["schema", "inclusion", "comparison"]
    found = [path for folder in folders for path in PACKAGE.glob(f"{folder}/**/{module}.py")]
    if len(found) != 1:
        raise SystemExit(f"no module, or more than one, is called `{module}`: {found}")
    return found[0]


def rendered(path: Path, module: cst.Module, mutation: Mutation) -> Mutant | None:
    """A mutant as a file; None where the text stays the same."""
    source = path.read_text("utf-8")
    text = cst.ensure_type(module.deep_replace(mutation.original_node, mutation.mutated_node), cst.Module).code
    before, after = source.splitlines(), text.splitlines()
    changed = [
        code
        for code in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if code[0] != "equal"
    ]
    if not changed:
        return None
    old = " ".join(line.strip() for code in changed for line in before[code[1] : code[2]])
    new = " ".join(line.strip() for code in changed for line in after[code[3] : code[4]])
    return Mutant(path.relative_to(ROOT), changed[0][1] + 1, old, new, text)


def sampled(count: int, seed: int, modules: list[str]) -> list[Mutant]:
    """Some mutants of all, each as likely as any other."""
    found = []
    for name in modules:
        path = path_of(name)
        module, mutations, *_ = create_mutations(str(path), path.read_text("utf-8"))
        found += [(path, module, mutation) for mutation in mutations]
    print(f"{len(found)} mutants of {len(modules)} modules", flush=True)
    chosen = random.Random(seed).sample(found, min(count, len(found)))
    return [mutant for one in chosen if (mutant := rendered(*one)) is not None]


class Copy:
    """A copy of the project whose files may be changed."""

    def __init__(self, folder: str) -> None:
        self._root = Path(folder) / "project"
        ignored = shutil.ignore_patterns(".git", ".venv", "*_cache", "__pycache__", "mutants", "node_modules")
        shutil.copytree(ROOT, self._root, ignore=ignored, symlinks=True)
        self.seconds = 0.0
        """How long the last tests took, in seconds of the processor."""

    def is_killed(self, mutant: Mutant, seconds: Mapping[str, float]) -> bool:
        """Whether a test fails with the mutant in place, or all of them take longer than they may.

        `seconds` says how long the tests of each file take without it.
        """
        tests = sorted(TARGETS[mutant.path.stem], key=seconds.__getitem__)
        most = max(_TIMES_LONGER * sum(seconds[name] for name in tests), _LEAST_SECONDS)
        path = self._root / mutant.path
        original = path.read_text("utf-8")
        path.write_text(mutant.text, "utf-8")
        try:
            return not self.passes(tests, most)
        finally:
            path.write_text(original, "utf-8")

    def passes(self, tests: Sequence[str], seconds: float | None = None) -> bool:
        """Whether some tests pass; what takes more seconds than it may does not."""
        files = [f"tests/{name}.py" for name in tests if (self._root / "tests" / f"{name}.py").exists()]
        command = [sys.executable, "-m", "pytest", "-n", "0", "-x", "-q", "--no-header", "-p", "no:cacheprovider"]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        environment.pop("MCP_CONTRACTS_CORPUS", None)
        with subprocess.Popen(
            [*command, *files],
            cwd=self._root,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=partial(_bound, seconds),
        ) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = usage.ru_utime + usage.ru_stime
        return process.returncode == 0


def _bound(seconds: float | None) -> None:
    if seconds is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds)))
    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))


def explanations() -> dict[str, str]:
    """Why each known survivor is no fault, by its name."""
    with SURVIVORS.open("rb") as file:
        return {entry["mutant"]: entry["why"] for entry in tomllib.load(file)["survivor"]}


def main() -> int:
    """Run, and print what survives."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--module", action="append", choices=TARGETS, help="mutate one module (default: all)")
    options = parser.parse_args()
    modules = options.module or list(TARGETS)
    chosen = sampled(options.count, options.seed, modules)
    known = explanations()
    survivors: list[Mutant] = []
    with tempfile.TemporaryDirectory() as folder:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(options.jobs):
            copies.put(Copy(f"{folder}/{number}"))

        def measure(name: str) -> float:
            """How long the tests of a file take without a mutation; endless where they do not pass."""
            copy = copies.get()
            try:
                return copy.seconds if copy.passes([name]) else math.inf
            finally:
                copies.put(copy)

        def judge(mutant: Mutant) -> None:
            began = time.monotonic()
            copy = copies.get()
            try:
                is_killed = copy.is_killed(mutant, seconds)
            finally:
                copies.put(copy)
            word = "killed" if is_killed else "explained" if mutant.name in known else "SURVIVED"
            print(
                f"{word} {time.monotonic() - began:.0f}s {mutant.path}:{mutant.line}: {mutant.old} -> {mutant.new}",
                flush=True,
            )
            if not is_killed:
                survivors.append(mutant)

        with ThreadPoolExecutor(options.jobs) as pool:
            names = list(dict.fromkeys(name for mutant in chosen for name in TARGETS[mutant.path.stem]))
            seconds = dict(zip(names, pool.map(measure, names), strict=True))
            if math.inf in seconds.values():
                failing = [name for name in names if seconds[name] == math.inf]
                print(f"without a mutation, these tests do not pass: {' '.join(failing)}")
                return 2
            list(pool.map(judge, chosen))
    unexplained = [mutant for mutant in survivors if mutant.name not in known]
    killed = len(chosen) - len(survivors)
    print(f"{killed} of {len(chosen)} killed, {len(survivors)} survived, {len(unexplained)} without an explanation")
    return 1 if unexplained or killed * 100 < LEAST_KILLED * len(chosen) else 0


if __name__ == "__main__":
    sys.exit(main())
