"""Caches by identity: once for each object, even for equal ones, and for a bounded number."""

from __future__ import annotations

from mcp_contracts.schema.identity import cached_by_identity


def test_a_function_runs_once_for_an_object_and_again_for_an_equal_one() -> None:
    read: list[list[int]] = []

    @cached_by_identity(4)
    def total(values: list[int]) -> int:
        read.append(values)
        return sum(values)

    first, second = [1, 2], [1, 2]

    assert [total(first), total(second), total(first)] == [3, 3, 3]
    assert len(read) == 2
    assert read[0] is first
    assert read[1] is second


def test_only_the_last_few_objects_are_kept_and_never_confused() -> None:
    count = 0

    @cached_by_identity(2)
    def first_of(values: list[int]) -> int:
        nonlocal count
        count += 1
        return values[0]

    results = [first_of([number]) for number in range(100)]  # an object that is not kept may have the place of another

    assert results == list(range(100))
    assert count == 100
