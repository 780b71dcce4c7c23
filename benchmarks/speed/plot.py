"""A plot of time against the number of files, as SVG with logarithmic axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import ceil, floor, log10

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 760, 420, 70, 24, 220, 46
_COLORS = ("#1a7f37", "#0969da", "#6e7781", "#bf8700")

Line = Sequence[tuple[float, float]]


def draw(lines: Mapping[str, Line], across: str, up: str) -> str:
    """Return a plot of named lines of points, with the names of both axes."""
    points = [point for line in lines.values() for point in line]
    columns = _decades(point[0] for point in points)
    rows = _decades(point[1] for point in points)

    def place(x: float, y: float) -> tuple[float, float]:
        width, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
        right = (log10(x) - columns[0]) / (columns[-1] - columns[0])
        above = (log10(y) - rows[0]) / (rows[-1] - rows[0])
        return round(_LEFT + right * width, 1), round(_TOP + (1 - above) * height, 1)

    def parts() -> Iterator[str]:
        for power in columns:
            x, low = place(10.0**power, 10.0 ** rows[0])
            yield f'<path d="M{x} {_TOP}V{low}" stroke="#d0d7de"/>'
            yield _text(x, low + 18, f"{10**power:,}", "middle")
        for power in rows:
            x, y = place(10.0 ** columns[0], 10.0**power)
            yield f'<path d="M{x} {y}H{_WIDTH - _RIGHT}" stroke="#d0d7de"/>'
            yield _text(x - 8, y + 4, f"{10.0**power:g}", "end")
        yield _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 8, across, "middle")
        yield _text(_LEFT, 14, up, "middle")
        for number, (name, line) in enumerate(lines.items()):
            color = _COLORS[number % len(_COLORS)]
            way = " ".join(f"{x},{y}" for x, y in (place(*point) for point in line))
            yield f'<polyline points="{way}" fill="none" stroke="{color}" stroke-width="2"/>'
            yield from (
                f'<circle cx="{x}" cy="{y}" r="3.5" fill="{color}"/>' for x, y in (place(*point) for point in line)
            )
            yield _text(_WIDTH - _RIGHT + 14, _TOP + 16 + 20 * number, name, "start", color)

    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        *parts(),
        "</svg>",
        "",
    ])  # fmt: skip


def _decades(values: Iterator[float]) -> list[int]:
    found = list(values)
    low, high = floor(log10(min(found))), ceil(log10(max(found)))
    return list(range(low, max(high, low + 1) + 1))


def _text(x: float, y: float, text: str, anchor: str, color: str = "#24292f") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{color}">{escape(text)}</text>'
