"""Data classes whose methods are compiled on their first call, so that importing two hundred of them is fast.

`dataclasses` compiles six methods of each class when its module is imported, and imports `inspect`: a quarter of the
time of a lint. Type checkers see `dataclasses` here, and its functions `fields`, `replace`, `asdict` and `is_dataclass`
accept these classes. `NamedTuple` and `TypedDict` replace those of `typing`, which take many times as long to create a
class.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, TypeVar, cast

_Dict = TypeVar("_Dict")

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
    from typing import Any
    from typing import NamedTuple as NamedTuple
    from typing import TypedDict as TypedDict

    def named_tuple(name: str, fields: Sequence[str], defaults: Mapping[str, Any], namespace: Mapping[str, Any]) -> Any:
        """Make a class of tuples with named fields."""
else:
    from _collections import _tuplegetter
    from types import MemberDescriptorType

    TypedDict = dict  # the annotations of a class that inherits from it stay unprocessed
    _MISSING = object()
    _OFTEN = 20  # compiling a method takes as long as this many uncompiled calls
    _CUSTOM = ("__eq__", "__hash__", "__repr__", "__init__", "__setattr__", "__delattr__")

    class _Field:
        """The options of a field."""

        __slots__ = ("compare", "default", "default_factory", "hash", "repr")

        def __init__(self, default, default_factory, repr, hash, compare):  # noqa: A002  # the names of `dataclasses`
            self.default, self.default_factory = default, default_factory
            self.repr, self.hash, self.compare = repr, hash, compare

    def field(*, default=_MISSING, default_factory=_MISSING, repr=True, hash=None, compare=True):  # noqa: A002
        """Declare the options of a field, like `dataclasses.field`."""
        return _Field(default, default_factory, repr, hash, compare)

    def replace(record, /, **changes):
        """Return a copy of a record with other values."""
        if not hasattr(record, "_record_fields"):
            from dataclasses import replace  # a data class of another package

            return replace(record, **changes)
        return type(record)(**{**fields_of(record), **changes})

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, order=False):
        """Make a data class, with the options of `dataclasses.dataclass`."""

        def make(cls):
            return _record(cls, frozen, slots, eq, order)

        return make if cls is None else make(cls)

    def _record(cls, frozen, slots, eq, order):
        fields = dict(getattr(cls, "_record_fields", ()))
        names = [name for name, kind in cls.__annotations__.items() if not str(kind).startswith("ClassVar")]
        for name in names:
            default = cls.__dict__.get(name, _MISSING)
            fields[name] = default if isinstance(default, _Field) else field(default=default)
        if slots:
            cls = _with_slots(cls, tuple(names))
        else:
            for name in names:
                if fields[name].default is not _MISSING:
                    setattr(cls, name, fields[name].default)
                elif name in cls.__dict__:
                    delattr(cls, name)
        own = {name for name in _CUSTOM if name in cls.__dict__}
        has_own_hash = cls.__dict__.get("__hash__") is not None
        cls._record_fields = fields
        cls.__match_args__ = tuple(fields)
        cls.__dataclass_fields__ = _Described()
        written = {"__init__": _write_init, "__repr__": _write_repr}
        if eq:
            written["__eq__"] = _write_eq
            if frozen and not has_own_hash:
                own.discard("__hash__")
                written["__hash__"] = _write_hash
            elif not frozen and not has_own_hash:
                cls.__hash__ = None
        for name, write in written.items():
            if name not in own:
                _define(cls, name, write, frozen)
        for name, sign in (("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">=")) if order else ():
            _define(cls, name, _write_order(sign), frozen)
        if frozen:
            cls.__setattr__ = _refuse_to_set
            cls.__delattr__ = _refuse_to_delete
            if slots and "__getstate__" not in cls.__dict__:
                cls.__getstate__ = _state
                cls.__setstate__ = _set_state
        return cls

    def _with_slots(cls, names):
        left = {*names, "__dict__", "__weakref__"}
        members = {name: value for name, value in cls.__dict__.items() if name not in left}
        members["__slots__"] = names
        made = type(cls)(cls.__name__, cls.__bases__, members)
        made.__qualname__ = cls.__qualname__
        return made

    def _define(cls, name, write, frozen):
        """Give a class a method that is compiled on its first call; `__init__` is compiled once it is called often."""
        calls = 0

        def first(self, *args, **kwargs):
            nonlocal calls
            calls += 1
            if name == "__init__" and calls < _OFTEN and _set_fields(self, cls._record_fields, args, kwargs):
                return None
            method = write(cls, name, frozen)
            method.__qualname__ = f"{cls.__qualname__}.{name}"
            method.__module__ = cls.__module__
            setattr(cls, name, method)
            return method(self, *args, **kwargs)

        first.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, first)

    def _set_fields(self, fields, args, kwargs):
        """Give a new record its values. If they are invalid, `__init__` raises the error."""
        if len(args) > len(fields) or hasattr(self, "__post_init__"):
            return False
        values = dict(zip(fields, args, strict=False))
        if not values.keys().isdisjoint(kwargs):
            return False
        values.update(kwargs)
        for name, one in fields.items():
            if name not in values:
                made = one.default_factory is not _MISSING
                values[name] = one.default_factory() if made else one.default
                if values[name] is _MISSING:
                    return False
        if len(values) > len(fields):
            return False
        for name, value in values.items():
            object.__setattr__(self, name, value)
        return True

    def _compiled(name, parameters, lines, known):
        source = f"def {name}({', '.join(parameters)}):\n " + "\n ".join(lines)
        exec(source, known)
        return known[name]

    def _write_init(cls, name, frozen):
        known = {"_MISSING": _MISSING, "_set": object.__setattr__}
        parameters, lines = ["self"], []
        for key, one in cls._record_fields.items():
            value = key
            if one.default_factory is not _MISSING:
                known[f"_make_{key}"] = one.default_factory
                parameters.append(f"{key}=_MISSING")
                value = f"_make_{key}() if {key} is _MISSING else {key}"
            elif one.default is not _MISSING:
                known[f"_default_{key}"] = one.default
                parameters.append(f"{key}=_default_{key}")
            else:
                parameters.append(key)
            slot = getattr(cls, key, None)
            if not frozen:
                lines.append(f"self.{key} = {value}")
            elif type(slot) is MemberDescriptorType:  # its own method is a third faster
                known[f"_set_{key}"] = slot.__set__
                lines.append(f"_set_{key}(self, {value})")
            else:
                lines.append(f"_set(self, {key!r}, {value})")
        if hasattr(cls, "__post_init__"):
            lines.append("self.__post_init__()")
        return _compiled(name, parameters, lines or ["pass"], known)

    def _write_repr(cls, name, frozen):
        shown = ", ".join(f"{key}={{self.{key}!r}}" for key, one in cls._record_fields.items() if one.repr)
        return _compiled(name, ["self"], [f"return f'{{type(self).__qualname__}}({shown})'"], {})

    def _values(cls, of, is_wanted):
        return "(" + "".join(f"{of}.{key}," for key, one in cls._record_fields.items() if is_wanted(one)) + ")"

    def _write_eq(cls, name, frozen):
        mine, theirs = (_values(cls, of, lambda one: one.compare) for of in ("self", "other"))
        lines = [f"if other.__class__ is self.__class__: return {mine} == {theirs}", "return NotImplemented"]
        return _compiled(name, ["self", "other"], lines, {})

    def _write_hash(cls, name, frozen):
        values = _values(cls, "self", lambda one: one.compare if one.hash is None else one.hash)
        return _compiled(name, ["self"], [f"return hash({values})"], {})

    def _write_order(sign):
        def write(cls, name, frozen):
            mine, theirs = (_values(cls, of, lambda one: one.compare) for of in ("self", "other"))
            lines = [f"if other.__class__ is self.__class__: return {mine} {sign} {theirs}", "return NotImplemented"]
            return _compiled(name, ["self", "other"], lines, {})

        return write

    def _refuse_to_set(self, name, value):
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def _refuse_to_delete(self, name):
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def _state(self):
        return [getattr(self, name) for name in self._record_fields]

    def _set_state(self, state):
        for name, value in zip(self._record_fields, state, strict=True):
            object.__setattr__(self, name, value)

    def named_tuple(name, fields, defaults, namespace):
        """Make a class of tuples with named fields, like `collections.namedtuple`."""

        def first(cls, *args, **kwargs):
            """Compile `__new__` on its first call."""
            values = {f"_default_{key}": value for key, value in defaults.items()}
            parameters = [f"{key}=_default_{key}" if key in defaults else key for key in fields]
            lines = [f"return _new(_cls, ({''.join(f'{key}, ' for key in fields)}))"]
            method = _compiled("__new__", ["_cls", *parameters], lines, {"_new": tuple.__new__, **values})
            method.__qualname__ = f"{name}.__new__"
            made.__new__ = staticmethod(method)
            return method(cls, *args, **kwargs)

        members = {key: _tuplegetter(number, "") for number, key in enumerate(fields)}
        made = type(name, (_Tuple, tuple), {"__slots__": (), **namespace, **members, "__new__": first})
        made._fields = made.__match_args__ = tuple(fields)
        made._field_defaults = defaults
        return made

    class _Tuple:
        """The methods of all named tuples."""

        __slots__ = ()

        @classmethod
        def _make(cls, values):
            return cls(*values)

        def _replace(self, /, **changes):
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            shown = ", ".join(f"{key}={value!r}" for key, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({shown})"

        def __getnewargs__(self):
            return tuple(self)

    class _TupleMaker(type):
        def __new__(cls, name, bases, namespace):
            fields = list(namespace.get("__annotations__", ()))
            defaults = {key: namespace.pop(key) for key in fields if key in namespace}
            return named_tuple(name, fields, defaults, namespace)

    def NamedTuple():  # noqa: N802  # used as a base class
        """Replaces `typing.NamedTuple`, which is also a function."""

    NamedTuple.__mro_entries__ = lambda bases: (type.__new__(_TupleMaker, "NamedTuple", (), {}),)

    class _Described:
        """The fields of a class as `dataclasses` describes them, for its functions and for other packages."""

        def __get__(self, record, cls):
            import dataclasses

            owner = next(one for one in cls.__mro__ if "_record_fields" in one.__dict__)
            described = []
            for name, one in owner._record_fields.items():
                options = {"repr": one.repr, "hash": one.hash, "compare": one.compare}
                if one.default is not _MISSING:
                    options["default"] = one.default
                elif one.default_factory is not _MISSING:
                    options["default_factory"] = one.default_factory
                kind = next(base.__annotations__[name] for base in owner.__mro__ if name in base.__annotations__)
                described.append((name, kind, dataclasses.field(**options)))
            made = dataclasses.make_dataclass(owner.__name__, described, kw_only=True)
            owner.__dataclass_fields__ = made.__dataclass_fields__
            return made.__dataclass_fields__


def fields_of(record: Any) -> dict[str, Any]:
    """Return the fields of a record, by name."""
    return {name: getattr(record, name) for name in record._record_fields}


def as_dict(kind: type[_Dict], *records: object, **values: object) -> _Dict:
    """Return a dictionary with the keys of a `TypedDict`, in its order: from `values`, or from the first record with
    a field of that name; null if none has it.
    """
    return cast("_Dict", {name: _json_form(_value_of(name, records, values)) for name in kind.__annotations__})


def _value_of(name: str, records: Sequence[object], values: Mapping[str, object]) -> object:
    if name in values:
        return values[name]
    return next((getattr(record, name) for record in records if hasattr(record, name)), None)


def _json_form(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_json_form(one) for one in value]
    if isinstance(value, Enum):
        return value.value
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if hasattr(value, "_record_fields"):
        return {name: _json_form(one) for name, one in fields_of(value).items()}
    return value
