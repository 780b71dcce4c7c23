"""Functions that take and return classes of their module. They are read, and they are run."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from datetime import date
from enum import Enum, IntEnum, StrEnum, auto
from typing import Annotated, Any, Generic, Literal, NamedTuple, NotRequired, Required, TypeVar

from pydantic import BaseModel, ConfigDict, Field, RootModel
from typing_extensions import TypedDict

__all__ = [
    "choose",
    "deep",
    "filed",
    "find_page",
    "grow",
    "keep",
    "locate",
    "mark",
    "measure",
    "order",
    "recurse",
    "tagged",
]

T = TypeVar("T")


class Unit(Enum):
    """A unit of temperature."""

    CELSIUS = "c"
    FAHRENHEIT = "f"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Mode(str, Enum):
    FAST = "fast"
    SLOW = "slow"

    def is_fast(self) -> bool:
        """Whether it is."""
        return self is Mode.FAST


class Colour(StrEnum):
    RED = auto()
    DARK_BLUE = enum.auto()


@dataclass
class Point:
    """A place on Earth."""

    lat: float
    lon: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Alert:
    on: date
    level: Level = Level.LOW
    tags: frozenset[str] = frozenset()
    at: list[Point] = field(default_factory=list)


@dataclass
class Tree:
    """A tree of names."""

    name: str
    branches: list[Tree] = field(default_factory=list)


class Base(BaseModel):
    """What all have."""

    id: int


class Item(Base):
    """A thing to buy."""

    model_config = ConfigDict(extra="forbid", title="Thing")

    name: Annotated[str, Field(min_length=1)]
    price: float = Field(gt=0, description="In euros.")
    colour: Colour = Colour.RED
    note: str | None = None
    tags: list[str] = []
    made: str = Field(alias="madeIn", default="NO")


class Node(BaseModel):
    """A node of a graph."""

    value: int
    next: Node | None = None
    others: list[Node] = Field(default_factory=list)


class Left(BaseModel):
    right: Right | None = None


class Right(BaseModel):
    left: Left | None = None


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]


class Page(BaseModel, Generic[T]):
    """Some of many."""

    items: list[T]
    total: int


class Names(RootModel[list[str]]):
    """Names, without an object around them."""


class Options(TypedDict, total=False):
    """What may be said."""

    depth: Required[int]
    wide: bool


class More(Options):
    name: str
    place: NotRequired[Point]


class Pair(NamedTuple):
    """Two numbers."""

    first: int
    second: int = 2


class Outer(BaseModel):
    class Inner(BaseModel):
        """What is inside."""

        x: int

    inner: Inner
    many: dict[str, Inner] = {}


def choose(unit: Unit, level: Level = Level.HIGH, mode: Mode = Mode.FAST, colour: Colour = Colour.DARK_BLUE) -> Unit:
    """Enums."""
    return unit


def locate(point: Point, alert: Alert | None = None) -> Alert:
    """Dataclasses."""
    raise NotImplementedError


def grow(tree: Tree) -> Tree:
    """A dataclass in itself."""
    return tree


def order(item: Item, others: list[Item] | None = None) -> Item:
    """Models."""
    return item


def recurse(node: Node, left: Left) -> Node:
    """Models in themselves."""
    return node


def tagged(animal: Annotated[Cat | Dog, Field(discriminator="kind")]) -> Cat | Dog:
    """A union that a property tells apart."""
    return animal


def find_page(names: Names) -> Page[Item]:
    """A generic model."""
    raise NotImplementedError


def keep(options: Options, more: More) -> More:
    """Typed dictionaries."""
    return more


def measure(pair: Pair) -> list[Pair]:
    """Named tuples."""
    return [pair]


def deep(outer: Outer) -> dict[str, list[Outer.Inner]]:
    """Classes in classes."""
    return {}


def mark(points: list[Point], names: dict[str, Point]) -> tuple[Point, Unit]:
    """Classes in lists."""
    raise NotImplementedError


def filed(data: dict[str, Any], item: Item | Point | str) -> list[dict[str, Any]]:
    """Several."""
    return [data]
