"""Caches by the identity of an object, whose content they never read, and of what methods return."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

Thing = TypeVar("Thing")
Result = TypeVar("Result")
Method = TypeVar("Method", bound=Callable[..., Any])


def cached_by_identity(
    maxsize: int, *, unless: Callable[[Any], bool] | None = None
) -> Callable[[Callable[[Thing], Result]], Callable[[Thing], Result]]:
    """Return a decorator that caches what a function returns for the last few objects, which must not be modified.

    `unless` selects results that are not cached, such as large ones. The decorator never reads or compares the content
    of objects, and takes a fifth of the time of `lru_cache` with `Same`.
    """

    def decorate(function: Callable[[Thing], Result]) -> Callable[[Thing], Result]:
        known: dict[int, tuple[Thing, Result]] = {}  # a kept object keeps its identity

        def cached(thing: Thing) -> Result:
            found = known.get(id(thing))
            if found is not None and found[0] is thing:
                return found[1]
            result = function(thing)
            if unless is not None and unless(result):
                return result
            if len(known) >= maxsize:
                known.clear()
            known[id(thing)] = thing, result
            return result

        cached.__doc__, cached.__name__, cached.__module__ = function.__doc__, function.__name__, function.__module__
        return cached

    return decorate


def cached_method(method: Method) -> Method:
    """Return a method that computes its result once for each object and arguments, unless it raises."""
    name = f"_cached_{method.__name__}"

    def cached(self: Any, *arguments: Any) -> Any:
        known = self.__dict__.setdefault(name, {})
        if arguments not in known:
            known[arguments] = method(self, *arguments)
        return known[arguments]

    return cast("Method", cached)


class Same(Generic[Thing]):
    """A schema, or a file, that is equal only to itself. It must not be modified."""

    __slots__ = ("thing",)

    def __init__(self, thing: Thing) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.thing is self.thing
