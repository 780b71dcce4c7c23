"""Samples mutations of the code that computes verdicts, and reports those that the tests do not notice.

`python -m tests.proofs.mutants` takes the mutations from mutmut's operators, and runs the tests itself
(`mutant_runs.py`), without the corpus. Mutmut's own runner calls each function through a trampoline, which changes the
nesting depth of a search. Mutations that no test should notice are not sampled: sentences, limits and costs of work,
types, tags of atoms, `slots`, and the `strict=` of `zip`. The run fails unless `survivors.toml` explains each survivor,
by the text of the mutation.
"""

from __future__ import annotations

import argparse
import difflib
import os
import random
import re
import sys
import tomllib
from itertools import islice
from pathlib import Path

import libcst as cst
import pytest
from mutmut.mutation.file_mutation import Mutation, create_mutations

from tests.proofs.mutant_runs import ROOT, Judge, Mutant, options

PACKAGE = ROOT / "mcp_contracts"
SURVIVORS = Path(__file__).with_name("survivors.toml")
LEAST_KILLED = 95
"""The minimum number of a hundred mutants that must die before the explanations of survivors are considered."""

TARGETS = (
    "answers", "arrays", "atoms", "evaluated", "formulas", "graph", "decision", "distinct_values", "meanings", "nodes",
    "objects", "prover", "scalars", "simple", "branches", "bounds", "lost_names", "places", "policy",
    "projection", "precedence", "applying", "comments", "versions", "acceptance",
)  # fmt: skip
"""The mutated modules, by name."""
TESTS = (
    "proofs_membership", "proofs_mutants", "proofs_cases", "proofs_reasons", "proofs_tables", "proofs_exact",
    "proofs_evolution", "proofs_families", "proofs_readings", "proofs_effort", "inclusion_steps", "inclusion_laws",
    "compare_schemas", "schema_satisfiability", "schema_lost_names", "schema_declared", "schema_compare", "precedence",
    "suppressions", "versions", "diff", "acceptance_digests", "accepted_changes", "accepted_releases",
)  # fmt: skip
"""The test files for these modules."""
_FOLDERS = {
    "precedence": "rules", "applying": "checks/suppressions", "comments": "checks/suppressions", "versions": "changes",
    "acceptance": "checks", "nodes": "inclusion",
}  # fmt: skip


def path_of(module: str) -> Path:
    """Return the file of a module."""
    folders = [_FOLDERS[module]] if module in _FOLDERS else ["schema", "inclusion", "comparison"]
    found = [path for folder in folders for path in PACKAGE.glob(f"{folder}/**/{module}.py")]
    if len(found) != 1:
        raise SystemExit(f"no module, or more than one, is called `{module}`: {found}")
    return found[0]


def rendered(path: Path, module: cst.Module, mutation: Mutation) -> Mutant | None:
    """Return a mutant as a file; None if the text stays the same."""
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


_UNNOTICED = re.compile(
    r"(_?[A-Z_]+(: \w+)? = [\d_]+\b|_?\w+ = TypeVar\(|_?[A-Z][a-z]\w*(: TypeAlias)? = |"
    r"tag: Literal|__slots__|@dataclass)"
)
_TEXT = re.compile(r"""("[^"]*"|'[^']*')""")
_ASSERTED = re.compile(r",? ?(strict=(True|False|None))?(?=\))")


def is_noticeable(mutant: Mutant) -> bool:
    """Whether a test could and should notice a mutant."""
    if _UNNOTICED.match(mutant.old):
        return False
    return _told(mutant.old) != _told(mutant.new)


def _told(line: str) -> str:
    """Return a line without sentences and without the assertion of `zip`."""
    return _ASSERTED.sub("", _TEXT.sub(lambda text: '""' if " " in text[0] else text[0], line))


def sampled(count: int, seed: int, modules: list[str]) -> list[Mutant]:
    """Return a uniform sample of all mutants."""
    found = []
    for name in modules:
        path = path_of(name)
        module, mutations, *_ = create_mutations(str(path), path.read_text("utf-8"))
        found += [(path, module, mutation) for mutation in mutations]
    print(f"{len(found)} mutants of {len(modules)} modules", flush=True)
    random.Random(seed).shuffle(found)
    mutants = (mutant for one in found if (mutant := rendered(*one)) is not None and is_noticeable(mutant))
    return list(islice(mutants, count))


def explanations() -> dict[str, str]:
    """Return why each known survivor is not a fault, by its name."""
    with SURVIVORS.open("rb") as file:
        return {entry["mutant"]: entry["why"] for entry in tomllib.load(file)["survivor"]}


def main() -> int:
    """Run, and print the survivors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--module", action="append", choices=TARGETS, help="mutate one module (default: all)")
    chosen_options = parser.parse_args()
    os.environ["MCP_CONTRACTS_SWEEPS"] = "whole"  # run whole tables, not shares
    modules = chosen_options.module or list(TARGETS)
    chosen = sampled(chosen_options.count, chosen_options.seed, modules)
    known = explanations()
    os.environ.pop("MCP_CONTRACTS_CORPUS", None)
    judge = Judge(chosen, [path_of(name) for name in TARGETS], chosen_options.jobs)
    pytest.main([*options(), *(f"tests/test_{name}.py" for name in TESTS)], plugins=[judge])
    if len(judge.judged) < len(chosen):
        print(f"without a mutation, these tests do not pass: {' '.join(judge.failing)}")
        return 2
    survivors = [(mutant, tests) for mutant, is_killed, tests in judge.judged if not is_killed]
    for mutant, tests in survivors:
        print(f"{'explained' if mutant.name in known else 'SURVIVED'} {tests} tests: {mutant.path}:{mutant.line}")
        print(f"    {mutant.old}\n    {mutant.new}")
    unexplained = sum(mutant.name not in known for mutant, _ in survivors)
    killed = len(chosen) - len(survivors)
    print(f"{killed} of {len(chosen)} killed, {len(survivors)} survived, {unexplained} without an explanation")
    return 1 if unexplained or killed * 100 < LEAST_KILLED * len(chosen) else 0


if __name__ == "__main__":
    sys.exit(main())
