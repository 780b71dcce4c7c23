"""The budget that pays for all work which grows with what a stranger writes."""

from __future__ import annotations


class SpentError(Exception):
    """Work that its budget does not pay for."""


class Budget:
    """How many steps may be taken.

    A step is about 50 microseconds of work, whatever the work is: reading subschemas, searching for a value, running
    automata, applying edits, validating witnesses, shaping them for people. Whoever does the work states how many of
    its own units cost a step (`a_step`), as measured. Budgets count steps rather than time, so that a verdict is the
    same on every machine.

    A part of a budget is a budget: what a part pays, the whole pays.
    """

    __slots__ = ("_whole", "spent", "total")

    def __init__(self, steps: float) -> None:
        self.total = steps
        self.spent: float = 0
        self._whole: Budget | None = None

    def part(self, most: float) -> Budget:
        """A budget of at most some steps within this one."""
        given = Budget(min(most, self.left))
        given._whole = self
        return given

    @property
    def left(self) -> float:
        """How many steps may still be taken."""
        own = max(0.0, self.total - self.spent)
        return own if self._whole is None else min(own, self._whole.left)

    @property
    def is_spent(self) -> bool:
        """Whether no step may be taken any more."""
        return self.left <= 0

    def pay(self, units: float, *, a_step: float = 1) -> bool:
        """Count work that is done, even if that is more than is left; whether it was not."""
        steps = units / a_step
        is_paid = True
        budget: Budget | None = self
        while budget is not None:
            budget.spent += steps
            is_paid = is_paid and budget.spent <= budget.total
            budget = budget._whole
        return is_paid

    def spend(self, units: float = 1, a_step: float = 1) -> None:
        """Count work that comes next. Raises SpentError where it is more than is left."""
        if not self.pay(units, a_step=a_step):
            raise SpentError

    def share(self, count: int, least: float) -> float:
        """How many steps the next of some pieces of work may take.

        Each may take several times its fair share, since most take far less and only what is taken is gone. Part of the
        budget is kept back, so that each of the others can still take the least that it needs.
        """
        free = max(0.0, self.left - min(least * count, self.total * _KEPT_BACK))
        return max(min(free, _FAIR_SHARES * free / max(1, count)), min(least, self.left))


_FAIR_SHARES = 8
_KEPT_BACK = 0.4
