"""The page of `make bench`: `docs/benchmarks.md` and its plot."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

from benchmarks.speed.table import Figure

PAGE = Path("docs/benchmarks.md")
PLOT = Path("docs/benchmarks.svg")
_SHOWN = 5
_LEAST = 0.02  # of a profile; smaller shares are not shown


def machine() -> str:
    """Describe the machine on one line."""
    cores = os.cpu_count() or 1
    model = platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    except OSError:
        pass
    return f"{model}, {cores} cores, {platform.system()}, Python {platform.python_version()}"


def render(
    figures: Sequence[Figure],
    peers: Mapping[str, str],
    missing: Sequence[str],
    profiles: Mapping[str, Mapping[str, float]],
    *,
    today: date,
    load: Sequence[float],
    sizes: Sequence[int],
) -> str:
    """Return the page: the table, the peers that ran with their versions, and why goals were missed.

    `missing` names the peers that were not run, `load` is the load average before and after, `profiles` the shares of
    packages in the time of the rows that missed their goal.
    """
    return "\n".join(_lines(figures, peers, missing, profiles, today, load, sizes)) + "\n"


def _lines(
    figures: Sequence[Figure],
    peers: Mapping[str, str],
    missing: Sequence[str],
    profiles: Mapping[str, Mapping[str, float]],
    today: date,
    load: Sequence[float],
    sizes: Sequence[int],
) -> Iterator[str]:
    yield from ("# Benchmarks", "")
    yield from (
        "`make bench` writes this page. It creates specifications and tool lists from a seed, runs our commands, their",
        "baselines and other tools in turn, and compares medians of the same run. `ratio` compares wall-clock times;",
        "`CPU` is the same ratio in CPU time, which is less affected by other work on the machine.",
        "",
        f"{today.isoformat()}, {machine()}. Sizes: {', '.join(f'{size:,}' for size in sizes)} specifications.",
    )
    cores = os.cpu_count() or 1
    if max(load) > cores:
        yield (
            f"**The machine was shared**: the load average was {load[0]:.1f} before and {load[-1]:.1f} after the run, "
            f"with {cores} cores."
        )
    yield from ("", "| what | ratio | CPU | goal | | times |", "|---|---|---|---|---|---|")
    yield from map(_row, figures)
    yield from ("", f"![Time against the number of files]({PLOT.name})", "", "## Other tools", "")
    yield from (f"- {name} {version}".rstrip() for name, version in peers.items())
    if missing:
        yield f"- Not run, because they are not installed: {', '.join(missing)}"
    yield ""
    late = [figure for figure in figures if not figure.is_met]
    if late:
        yield from ("## Missed goals", "")
    explained: set[str] = set()
    for figure in late:
        texts = [text for text in (_where(profiles.get(figure.what, {})), figure.needed) if text]
        new = [text for text in texts if text not in explained]
        more = [] if len(new) == len(texts) else ["See above."]
        explained.update(new)
        yield " ".join((f"- **{figure.what}**: {_value(figure)} (goal: {_goal(figure)}).", *new, *more))
    if late:
        yield ""
    yield from (
        "## Running the benchmarks",
        "",
        "<!-- not run: it takes minutes -->",
        "```sh",
        "make bench                                      # everything, and this page",
        "python -m benchmarks --quick                    # a quick run that writes nothing",
        "python -m benchmarks --profile                  # also show where the slowest command spends its time",
        "python -m benchmarks --against v0.2.0           # our commands at a revision and now, side by side",
        "python -m benchmarks.revisions v0.2.0           # the same for verdicts on pairs of schemas",
        "```",
        "",
        "Other tools are used if they are on the `PATH`; install them outside the repository.",
    )


def _row(figure: Figure) -> str:
    cpu = "" if figure.cpu is None else f"{figure.cpu:.2f}×"
    verdict = "" if figure.goal is None else "met" if figure.is_met else "missed"
    return f"| {figure.what} | {_value(figure)} | {cpu} | {_goal(figure)} | {verdict} | {figure.detail} |"


def _value(figure: Figure) -> str:
    return _with_unit(f"{figure.value:.2f}", figure.unit)


def _goal(figure: Figure) -> str:
    if figure.goal is None:
        return ""
    return _with_unit(f"{'≥' if figure.is_least else '≤'} {figure.goal:g}", figure.unit)


def _with_unit(number: str, unit: str) -> str:
    return f"{number}{unit}" if unit == "×" else f"{number} {unit}".rstrip()


def _where(shares: Mapping[str, float]) -> str:
    shown = [f"{place} {share:.0%}" for place, share in list(shares.items())[:_SHOWN] if share >= _LEAST]
    return f"Where the time goes: {', '.join(shown)}." if shown else ""
