"""Our data classes behave like those of `dataclasses`."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re as eager
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts import lazy_re, records
from mcp_contracts.diagnostics import Place

MAKERS = [pytest.param(dataclasses, id="dataclasses"), pytest.param(records, id="ours")]


def classes(maker: Any) -> tuple[Any, Any, Any]:
    """A frozen class, a mutable one, and one with its own order and equality."""

    @maker.dataclass(frozen=True, slots=True)
    class Frozen:
        name: str
        many: tuple[int, ...] = ()
        known: dict[str, int] = maker.field(default_factory=dict, compare=False, repr=False)

        @property
        def size(self) -> int:
            return len(self.many)

    @maker.dataclass
    class Open:
        name: str
        seen: list[int] = maker.field(default_factory=list)
        is_open: bool = True

        def __post_init__(self) -> None:
            self.name = self.name.strip()

    @maker.dataclass(frozen=True, order=True)
    class Own:
        at: int
        text: str = maker.field(default="", hash=False)

        def __repr__(self) -> str:
            return f"<{self.at}>"

    return Frozen, Open, Own


@pytest.mark.parametrize("maker", MAKERS)
def test_records_are_made_compared_shown_and_changed(maker: Any) -> None:
    frozen, opened, own = classes(maker)
    one, other = frozen("a", (1, 2), {"x": 1}), frozen(name="a", many=(1, 2))
    changeable = opened(" b ")

    assert one == other
    assert hash(one) == hash(other)
    assert one != frozen("b")
    assert one != "a"
    assert one.size == 2
    assert (one.known, other.known) == ({"x": 1}, {})
    assert repr(one).endswith("Frozen(name='a', many=(1, 2))")
    assert repr(changeable).endswith("Open(name='b', seen=[], is_open=True)")
    assert opened("b").seen is not opened("b").seen
    assert (opened.is_open, changeable.__match_args__) == (True, ("name", "seen", "is_open"))
    assert sorted([own(2), own(1, "b"), own(1, "a")]) == [own(1, "a"), own(1, "b"), own(2)]
    assert hash(own(1, "a")) == hash(own(1, "b"))
    assert repr(own(1)) == "<1>"
    assert maker.replace(one, name="c") == dataclasses.replace(one, name="c") == frozen("c", (1, 2))
    assert copy.deepcopy(one) == one
    assert [field.name for field in dataclasses.fields(one)] == ["name", "many", "known"]
    assert dataclasses.asdict(other) == {"name": "a", "many": (1, 2), "known": {}}
    assert dataclasses.is_dataclass(frozen)


@pytest.mark.parametrize("maker", MAKERS)
def test_what_a_record_does_not_allow_is_an_error(maker: Any) -> None:
    frozen, opened, own = classes(maker)
    one = frozen("a")

    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'name'"):
        one.name = "b"
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'name'"):
        del one.name
    with pytest.raises(TypeError, match=r"__init__\(\) missing 1 required positional argument: 'name'"):
        frozen()
    with pytest.raises(TypeError, match=r"__init__\(\) got an unexpected keyword argument 'else_'"):
        frozen("a", else_=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'size'"):
        maker.replace(one, size=3)
    with pytest.raises(TypeError, match="unhashable"):
        hash(opened("a"))
    with pytest.raises(TypeError, match="not supported"):
        assert own(1) < one
    with pytest.raises(AttributeError):
        assert one.__dict__


def test_records_go_between_processes() -> None:
    place = Place("a", 1, 2, 3, 4)

    assert pickle.loads(pickle.dumps(place)) == place


def test_every_pattern_of_the_package_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [path for path in Path(records.__file__).parent.rglob("*.py") if "lazy_re" in path.read_text("utf-8")]
    lazy: list[Any] = [
        value
        for path in names
        for value in vars(_module(path)).values()
        if isinstance(value, type(lazy_re.compile("a")))
    ]

    assert len(lazy) > 300
    assert {type(eager.compile(one.pattern, one._flags)) for one in lazy} == {eager.Pattern}


def test_a_lazy_pattern_is_used_as_a_pattern() -> None:
    pattern = lazy_re.compile(r"(?P<word>\w+)-(\d+)", lazy_re.IGNORECASE)

    found = pattern.search("see ab-12")

    assert pattern.pattern == r"(?P<word>\w+)-(\d+)"
    assert found is not None
    assert (found["word"], pattern.groups, dict(pattern.groupindex)) == ("ab", 2, {"word": 1})
    assert pattern.sub(r"\2", "a-1 b-2") == "1 2"
    assert pattern.fullmatch("a-1 ") is None


def _module(path: Path) -> Any:
    from importlib import import_module

    parts = path.relative_to(Path(records.__file__).parents[1]).with_suffix("").parts
    return import_module(".".join(parts).removesuffix(".__init__"))
