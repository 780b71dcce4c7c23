"""The budget for all work that grows with untrusted input."""

from __future__ import annotations


class SpentError(Exception):
    """Raised for work that exceeds its budget."""


class Budget:
    """A number of steps that may be spent.

    A step is about 50 microseconds of any work: reading subschemas, searching for a value, running automata, applying
    edits, validating witnesses, making them readable. The code that does the work states how many of its own units cost
    one step (`per_step`), as measured. Budgets count steps rather than time, so that a verdict is the same on every
    machine.

    A part of a budget is a budget; spending from a part also spends from the whole.
    """

    __slots__ = ("_whole", "spent", "total")

    def __init__(self, steps: float) -> None:
        self.total = steps
        self.spent: float = 0
        self._whole: Budget | None = None

    def part(self, most: float) -> Budget:
        """Return a budget of at most `most` steps within this one."""
        given = Budget(min(most, self.left))
        given._whole = self
        return given

    @property
    def left(self) -> float:
        """The number of steps left."""
        own = max(0.0, self.total - self.spent)
        return own if self._whole is None else min(own, self._whole.left)

    @property
    def is_spent(self) -> bool:
        """Whether no steps are left."""
        return self.left <= 0

    def pay(self, units: float, *, per_step: float = 1) -> bool:
        """Charge for finished work, even past the budget, and return whether it was within the budget."""
        steps = units / per_step
        is_paid = True
        budget: Budget | None = self
        while budget is not None:
            budget.spent += steps
            is_paid = is_paid and budget.spent <= budget.total
            budget = budget._whole
        return is_paid

    def spend(self, units: float = 1, per_step: float = 1) -> None:
        """Charge for work about to start. Raises SpentError if it exceeds the budget."""
        if not self.pay(units, per_step=per_step):
            raise SpentError

    def share(self, count: int, least: float) -> float:
        """Return the number of steps that the next of `count` pieces of work may take.

        Each may take several times its fair share, because most take far less and only used steps are charged. Part of
        the budget is reserved, so that each of the others can still take the `least` that it needs.
        """
        free = max(0.0, self.left - min(least * count, self.total * _KEPT_BACK))
        return max(min(free, _FAIR_SHARES * free / max(1, count)), min(least, self.left))


_FAIR_SHARES = 8
_KEPT_BACK = 0.4
