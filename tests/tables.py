"""Tables whose rows form one test, which reports each failing row: a test for each would cost more than its row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def each(
    names: str | tuple[str, ...], rows: Iterable[Any], ids: Callable[[Any], object] | list[str] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator for cheap rows without fixtures, with the parameters of `pytest.mark.parametrize`."""
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = list(rows)

    def label(number: int, row: Any) -> str:
        if isinstance(ids, list):
            return ids[number]
        return str(ids(row)) if ids is not None and len(keys) == 1 else repr(row)

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        def test(**outer: Any) -> None:
            failed = []
            for number, row in enumerate(table):
                try:
                    check(**outer, **dict(zip(keys, [row] if len(keys) == 1 else row, strict=True)))
                except Exception as error:  # each row is reported, whatever it raises
                    error.add_note(f"in row {number}: {label(number, row):.300}")
                    failed.append(error)
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(table)} rows fail", failed)

        test.__doc__, test.__name__, test.__module__ = check.__doc__, check.__name__, check.__module__
        return test

    return decorate
