"""`python -m benchmarks`: compare our commands with their floors and with other tools, and write the page.

`benchmarks.changes` (the engine), `benchmarks.runtime` (calls), `benchmarks.serving` and `benchmarks.grammars` are run
separately.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from datetime import date
from pathlib import Path

from benchmarks.speed.page import PAGE, PLOT, render
from benchmarks.speed.peers import PEERS, SERVER_PEERS, UNAVAILABLE, installed, version_of
from benchmarks.speed.plot import draw
from benchmarks.speed.profiling import listing, profile, shares
from benchmarks.speed.sides import compare_revision
from benchmarks.speed.table import Bench, Figure

_ROOT = Path(__file__).resolve().parent.parent
_SIZES = (1, 100, 1_000, 10_000)
_QUICK_SIZES = (1, 10, 50)
_ROUNDS, _QUICK_ROUNDS = 11, 2


def main(arguments: list[str] | None = None) -> int:
    """Measure, print the table, write the page, and return 1 if a goal is missed."""
    options = _options(arguments)
    before = os.getloadavg()[0]
    rounds = options.rounds or (_QUICK_ROUNDS if options.quick else _ROUNDS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.against is not None:
            return compare_revision(options.against, folder, rounds)
        sizes = tuple(options.sizes or (_QUICK_SIZES if options.quick else _SIZES))
        bench = Bench(folder, sizes, rounds)
        figures = []
        for figure in bench.figures():
            figures.append(figure)  # one by one, since each takes a while
            _print(figure)
        missed = [figure for figure in figures if not figure.is_met]
        if options.profile:
            worst = max((figure for figure in figures if figure.words), key=_lateness)
            print(f"\n{worst.what}\n{listing(profile(worst.words, folder))}")
        if not options.quick:
            profiles = {figure.what: shares(profile(figure.words, folder)) for figure in missed if figure.words}
            every = (*PEERS, *SERVER_PEERS)
            found = {peer.name: version_of(program) for peer, program in installed(every)}
            missing = [*(peer.package for peer in every if peer.name not in found), *UNAVAILABLE]
            load = (before, os.getloadavg()[0])
            text = render(figures, found, missing, profiles, today=date.today(), load=load, sizes=sizes)
            (_ROOT / PAGE).write_text(text, encoding="utf-8")
            plot = draw(bench.lines, "number of specifications", "seconds")
            (_ROOT / PLOT).write_text(plot, encoding="utf-8")
    return 1 if missed else 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure speed as ratios.")
    parser.add_argument("--quick", action="store_true", help="a short trial that writes nothing")
    parser.add_argument("--sizes", type=int, nargs="+", help="numbers of specifications")
    parser.add_argument("--rounds", type=int, help="rounds of the small commands; the large ones have fewer")
    parser.add_argument("--profile", action="store_true", help="profile the command that is furthest from its goal")
    parser.add_argument("--against", metavar="REVISION", help="run our commands of a revision and of now in turn")
    return parser.parse_args(arguments)


def _print(figure: Figure) -> None:
    cpu = "" if figure.cpu is None else f"{figure.cpu:.2f}"
    goal = "" if figure.goal is None else f"{'>=' if figure.is_least else '<='} {figure.goal:g}"
    verdict = "" if figure.goal is None else "met" if figure.is_met else "MISSED"
    value = f"{figure.value:.2f} {figure.unit.replace('×', 'x')}"
    print(f"{figure.what[:88]:<88}{value:>12}{cpu:>8}{goal:>9} {verdict:<7} {figure.detail}", flush=True)


def _lateness(figure: Figure) -> float:
    """Return how far a figure is from its goal, as a factor."""
    if figure.goal is None:
        return 0
    return figure.goal / figure.value if figure.is_least else figure.value / figure.goal


if __name__ == "__main__":
    sys.exit(main())
