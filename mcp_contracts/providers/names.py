"""Dotted names in the alphabet of a provider, and the exact way back."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcp_contracts.errors import UsageError


@dataclass(frozen=True, slots=True)
class NameMap:
    """The names of some tools with one provider, both ways."""

    to_provider: Mapping[str, str]
    from_provider: Mapping[str, str]


def mangled(names: Iterable[str], *, extra: str = "_-", longest: int = 64) -> NameMap:
    """Names in an alphabet of ASCII letters, digits and `extra`, at most `longest` characters long.

    A dot becomes `__` where the alphabet lacks it (`weather.get_forecast` is `weather__get_forecast`), and a name that
    holds `__` itself or is too long gets a suffix of its hash, so that `a.b_c` and `a_b.c` stay apart and a name never
    depends on the others. Raises UsageError where two names become one all the same.
    """
    raise NotImplementedError
