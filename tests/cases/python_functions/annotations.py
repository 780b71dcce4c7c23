"""Functions with every kind of annotation and default. They are read, and they are run."""

import datetime
import decimal
import pathlib
import typing
import uuid
from collections.abc import AsyncIterator, Generator, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Annotated, Any, Dict, Final, List, Literal, NewType, Optional, Tuple, TypeVar, Union

import annotated_types
from pydantic import AfterValidator, EmailStr, Field, PositiveInt, StringConstraints, conint

__all__ = [
    "aliases",
    "arrays",
    "defaults",
    "described",
    "limited",
    "nothing_said",
    "old_style",
    "open_ended",
    "optional",
    "others",
    "quoted",
    "returned",
    "returned_list",
    "returned_nothing",
    "scalars",
    "values",
    "waited_for",
    "yields_and_returns",
    "yields_numbers",
]

UserId = NewType("UserId", int)
Names = List[str]
Size = Annotated[int, Field(ge=1, le=10, description="How many.")]
Word = TypeVar("Word", bound=str)
LIMIT = 25
UNITS: Final = ["metric", "imperial"]


def scalars(a: str, b: int, c: float, d: bool, e: None, f: bytes, g: Any, h: object) -> None:
    """Scalars."""


def arrays(
    a: list[str],
    b: set[int],
    c: frozenset[str],
    d: tuple[int, str],
    e: tuple[int, ...],
    f: Sequence[str],
    g: Iterable[int],
    h: list,
    i: dict[str, list[int]],
    j: Mapping[str, Any],
    k: dict,
    l: tuple,
) -> None:
    """Arrays and objects."""


def optional(
    a: str | None, b: Optional[int] = None, c: Union[int, str, None] = 3, d: "list[int] | None" = None
) -> None:
    """Unions."""


def old_style(a: List[int], b: Dict[str, Tuple[int, int]], c: typing.List[typing.Optional[str]]) -> None:
    """Types of the module `typing`."""


def values(a: Literal["x", "y"], b: Literal[1, 2, None] = 2, c: list[Literal["p"]] = []) -> None:
    """Values."""


def limited(
    a: Annotated[int, Field(ge=0, lt=100)],
    b: Annotated[str, Field(min_length=1, max_length=5, pattern="^a")],
    c: Annotated[list[Annotated[int, Field(multiple_of=2)]], Field(min_length=1)],
    d: Annotated[str, StringConstraints(pattern="^x$", max_length=3)],
    e: Annotated[int, annotated_types.Ge(3)],
    f: PositiveInt,
    g: conint(ge=1, le=4),
    h: Annotated[int, AfterValidator(lambda value: value + 1)],
    i: int = Field(5, ge=1, description="The ninth."),
    j: str = Field(alias="from", description="Where."),
    k: list[int] = Field(default_factory=list),
    l: Annotated[str, "only words"] = "x",
    m: Annotated[int, Field(examples=[1, 2], title="M")] = 1,
) -> None:
    """Constraints."""


def defaults(
    a: int = -1,
    b: float = 1.5,
    c: list[int] = [1, 2],
    d: dict[str, int] = {"x": 1},
    e: tuple[int, ...] = (1, 2),
    f: int = LIMIT,
    g: list[str] = UNITS,
    h: timedelta = timedelta(hours=1),
    i: int = None,
    j: bool = False,
    *,
    k: str,
    l: str = "é\n",
) -> None:
    """Defaults."""


def others(
    a: date,
    b: datetime.datetime,
    c: timedelta,
    d: decimal.Decimal,
    e: uuid.UUID,
    f: pathlib.Path,
    g: datetime.time,
) -> None:
    """Types of the standard library."""


def aliases(a: UserId, b: Names, c: Size, d: Size = 3) -> Names:
    """Names for types."""
    return b


def described(a, b=1, *, c: int):
    """Parameters without annotations."""


def nothing_said(word):
    pass


def open_ended(a: int, **others: str) -> dict[str, Any]:
    """Any other name."""
    return dict(others)


def quoted(a: "int", b: "Optional[Names]" = None) -> "dict[str, int]":
    """Annotations in quotes."""
    return {}


def returned(a: int) -> dict[str, int]:
    """An object."""
    return {"a": a}


def returned_list(a: int) -> list[str] | None:
    """A list, which goes under `result`.

    Returns:
        The words.
    """
    return None


def returned_nothing(a: int) -> None:
    """Nothing."""


async def waited_for(a: int) -> str:
    """A text."""
    return str(a)


def _private(a: int) -> None:
    """No tool."""


def unlisted(a: int) -> None:
    """No tool, since `__all__` does not name it."""


async def yields_numbers(a: int) -> AsyncIterator[int]:
    """Numbers, of which the last is the result."""
    yield a


def yields_and_returns(a: int) -> Generator[int, None, dict[str, int]]:
    """A result of its own."""
    yield a
    return {"a": a}
