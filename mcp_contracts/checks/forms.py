"""The JSON forms of records in the cache: how values of a kind are written, and how they are validated and read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from mcp_contracts.contract import Comment, Status
from mcp_contracts.diagnostics import Finding, Fix, Place, Related, TextEdit
from mcp_contracts.records import NamedTuple

MOST = 10**9  # maximum line and column

Kind = TypeVar("Kind")


class DamagedError(Exception):
    """A cached entry does not have the expected form."""


class Form(NamedTuple):
    """How a value is written and read. Both take the path of the file that contains it.

    `read` raises DamagedError, ValueError, TypeError or LookupError for data in another form.
    """

    write: Callable[[Any, str], Any]
    read: Callable[[Any, str], Any]


def of_kind(kind: type[Kind], value: object) -> Kind:
    """Return a value of a type; a bool is not an int. Raises DamagedError."""
    if type(value) is not kind:
        raise DamagedError
    return value


def _plain(kind: type[object]) -> Form:
    return Form(lambda value, path: value, lambda value, path: of_kind(kind, value))


def one_of(*choices: str | None) -> Form:
    """Return the form of a value that is one of some strings."""

    def read(value: Any, path: str) -> Any:
        if value not in choices:
            raise DamagedError
        return value

    return Form(lambda value, path: value, read)


def optional(form: Form) -> Form:
    """Return the form of a value that may be None."""
    return Form(
        lambda value, path: None if value is None else form.write(value, path),
        lambda value, path: None if value is None else form.read(value, path),
    )


def many(form: Form) -> Form:
    """Return the form of a tuple."""
    return Form(
        lambda values, path: [form.write(one, path) for one in values],
        lambda values, path: tuple(form.read(one, path) for one in of_kind(list, values)),
    )


def by_name(form: Form) -> Form:
    """Return the form of a mapping from names."""
    return Form(
        lambda values, path: {name: form.write(one, path) for name, one in values.items()},
        lambda values, path: {name: form.read(one, path) for name, one in of_kind(dict, values).items()},
    )


def fields(**forms: Form) -> Form:
    """Return the form of some fields of a record, which are read as a dictionary."""

    def read(values: Any, path: str) -> dict[str, Any]:
        held = zip(forms.items(), of_kind(list, values), strict=True)
        return {name: form.read(one, path) for (name, form), one in held}

    return Form(lambda record, path: [form.write(getattr(record, name), path) for name, form in forms.items()], read)


def record(kind: Callable[..., Any], **forms: Form) -> Form:
    """Return the form of a record. Fields without a form have their defaults when it is read."""
    form = fields(**forms)
    return Form(form.write, lambda values, path: kind(**form.read(values, path)))


def _place_values(place: Place, path: str) -> list[Any]:
    """Return the values of a place; a place outside the file at `path` includes its path."""
    values = [place.line, place.column, place.end_line, place.end_column]
    return values if place.path == path else [*values, place.path]


def _read_place(values: object, path: str) -> Place:
    line, column, end_line, end_column, *other = of_kind(list, values)
    if not type(line) is type(column) is type(end_line) is type(end_column) is int or len(other) > 1:
        raise DamagedError
    if not (0 < line <= MOST and 0 < column <= MOST and 0 < end_line <= MOST and 0 < end_column <= MOST):
        raise DamagedError
    return Place(of_kind(str, other[0]) if other else path, line, column, end_line, end_column)


def _read_pair(values: object, path: str) -> tuple[int, int]:
    first, last = of_kind(list, values)
    return of_kind(int, first), of_kind(int, last)


TEXT, FLAG, NUMBER = _plain(str), _plain(bool), _plain(int)
OPTIONAL_TEXT = optional(TEXT)
TEXTS = many(TEXT)
PLACE = Form(_place_values, _read_place)
PAIR = Form(lambda pair, path: list(pair), _read_pair)

STATUS = record(Status, state=TEXT, since=OPTIONAL_TEXT, removed_in=OPTIONAL_TEXT, replacement=OPTIONAL_TEXT)
COMMENT = record(Comment, text=TEXT, place=PLACE, next_block=optional(PAIR))
TOOL = fields(lines=PAIR, heading=TEXT, invocation_name=OPTIONAL_TEXT, deviations=TEXTS)
"""A tool of a specification, without its contract."""
FINDING = record(
    Finding,
    message=TEXT,
    hint=OPTIONAL_TEXT,
    part=one_of(None, "input", "output", "example"),
    pointer=OPTIONAL_TEXT,
    on_key=FLAG,
    related=many(record(Related, place=PLACE, message=TEXT)),
    fix=optional(record(Fix, edits=many(record(TextEdit, place=PLACE, text=TEXT)), is_safe=FLAG)),
    causes=TEXTS,
    names=TEXTS,
)
