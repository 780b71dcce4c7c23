"""The contracts of files that earlier runs read, reduced to what comparisons need.

Examples, sections and tables are left out, and so is the text. A file with faults or with secrets is always read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, cast

from mcp_contracts.bundle import FORMAT
from mcp_contracts.checks.remembering import (
    MOST,
    DamagedError,
    content_of,
    file_key,
    many_of,
    of_kind,
    optional,
    place_values,
    read_place,
    read_spec_values,
    read_status,
    run_key,
    spec_values,
)
from mcp_contracts.contract import (
    Effects,
    ErrorType,
    FrontMatter,
    JsonValue,
    Locator,
    Migration,
    SchemaOrigin,
    SchemaPart,
    SourceFile,
    SpecFile,
    ToolContract,
    ToolListFile,
)
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.files.cache import Cache
from mcp_contracts.masking.mask import holds_secrets
from mcp_contracts.parsing.discovery import Skipped, show
from mcp_contracts.sources.documents import Blob, read_source
from mcp_contracts.sources.limits import limit_run
from mcp_contracts.sources.source import Found, Readable

_TEXTS = (
    *("name", "module", "source_name", "title", "version", "description", "category", "use_when", "security"),
    "idempotent",
)
_LISTS = ("tags", "channels")
_STATED = ("yes", "no", "conditional", None)
_CHANGES = ("read-only", "additive", "destructive", None)
_WORLDS = ("open-world", "closed-world", None)
_OF_A_PLACE = 4
_MOST_VALUES = 30_000
"""The maximum number of values of a schema whose places are cached: caching more takes longer than it saves."""

_MOST_VALUES_OF_A_FILE = 100_000
"""The same for all schemas of a file."""


class ContractMemory:
    """The contracts of files, for one run. Without a cache folder, all files are read."""

    def __init__(self, folder: str | None, max_file_size: int) -> None:
        self.folder = folder
        self._cache = None if folder is None else Cache(folder)
        self._size = max_file_size
        self._run = b"" if folder is None else run_key("contracts", max_file_size)

    def read(self, found: Iterable[Found]) -> list[SourceFile]:
        """Return the files that a search found, each once and in order."""
        items = {item.identity: item for item in found if not isinstance(item, Skipped)}
        recalled = [(item, *self._recall(item)) for item in items.values()]
        return list(limit_run(file or self._read(item, text, key) for item, file, text, key in recalled))

    def save(self) -> None:
        """Write what is new."""
        if self._cache is not None:
            self._cache.save()

    def _recall(self, item: Readable) -> tuple[SourceFile | None, str | None, bytes]:
        """Return the file, if it is cached, the part of its text that was read, and its key."""
        name, text, digest = content_of(item, self._size) if self._cache is not None else ("", None, b"")
        if self._cache is None or not digest:
            return None, None, b""
        if isinstance(item, Blob):  # regardless of the revision's name
            name = name.partition(":")[2]
        key = file_key(self._run, name, digest)
        value = self._cache.get(key)
        try:
            file = None if value is None else _file(json.loads(value), show(item.shown))
        except (DamagedError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
            file = None
        if file is not None and isinstance(item, Blob):
            item.forget()
        return file, text, key

    def _read(self, item: Readable, text: str | None, key: bytes) -> SourceFile:
        file = item.read(limit=self._size) if text is None else read_source(show(item.shown), text)
        if self._cache is not None and key and (kept := _file_bytes(file)) is not None:
            self._cache.add(key, kept)
        return file


class _KnownPlaces:
    """The places of all values of a schema: the value and the key of each, in the order of `_pointers`."""

    def __init__(self, schema: JsonValue, path: str, numbers: Sequence[int]) -> None:
        self._schema, self._path, self._numbers = schema, path, numbers
        self._index: dict[str, int] = {}

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        if not self._index:
            self._index = {known: number for number, known in enumerate(_pointers(self._schema))}
        while pointer and pointer not in self._index:
            pointer = pointer.rpartition("/")[0]
        at = (2 * self._index.get(pointer, 0) + on_key) * _OF_A_PLACE
        return read_place([*self._numbers[at : at + _OF_A_PLACE]], self._path)


def _pointers(schema: JsonValue) -> Iterator[str]:
    """Yield the pointers of all values in a schema, always in the same order."""
    left: list[tuple[str, JsonValue]] = [("", schema)]
    while left:
        pointer, value = left.pop()
        yield pointer
        if isinstance(value, dict):
            left += ((f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}", one) for name, one in value.items())
        elif isinstance(value, list):
            left += ((f"{pointer}/{number}", one) for number, one in enumerate(value))


def _file_bytes(file: SourceFile) -> bytes | None:
    """Return the cached form of a file; None if it must be read each time."""
    if not isinstance(file, SpecFile | ToolListFile) or file.faults or holds_secrets(file.text):
        return None
    values: dict[str, Any] = {"module": file.module, "is_bundle": f'"{FORMAT}"' in file.text}
    if isinstance(file, SpecFile):
        if any(tool.faults for tool in file.tools):
            return None
        front = file.front_matter
        values |= spec_values(file)
        values["module_version"] = file.module_version
        values["front_matter"] = None if front is None else [
            place_values(front.place, file.path), _many_places(front.keys, file.path),
        ]  # fmt: skip
    try:
        _check_size(file.contracts)
        values["contracts"] = [_contract_values(contract, file.path) for contract in file.contracts]
    except DamagedError:
        return None
    return json.dumps(values, separators=(",", ":")).encode()


def _check_size(contracts: Iterable[ToolContract]) -> None:
    """Raise DamagedError if the schemas have too many values to cache their places."""
    schemas = (part.value for one in contracts for part in (one.input, one.output) if part is not None)
    values = chain.from_iterable(map(_pointers, schemas))
    if next(islice(values, _MOST_VALUES_OF_A_FILE, None), None) is not None:
        raise DamagedError


def _contract_values(contract: ToolContract, path: str) -> dict[str, Any]:
    """Return the cached form of a contract. Raises DamagedError if not all of its places can be cached."""
    status, effects = contract.status, contract.effects
    return {
        **{name: getattr(contract, name) for name in _TEXTS},
        **{name: list(getattr(contract, name)) for name in _LISTS},
        "place": place_values(contract.place, path),
        "places": _many_places(contract.places, path),
        "optional": contract.optional,
        "status": None if status is None else [status.state, status.since, status.removed_in, status.replacement],
        "effects": None if effects is None else [effects.change, effects.world, list(effects.unknown)],
        "errors": [[one.name, one.when, place_values(one.place, path)] for one in contract.errors],
        "migrations": [[one.since, one.text] for one in contract.migrations],
        "input": _schema_values(contract.input, path),
        "output": _schema_values(contract.output, path),
    }


def _many_places(places: Any, path: str) -> dict[str, list[Any]]:
    return {name: place_values(place, path) for name, place in places.items()}


def _schema_values(part: SchemaPart | None, path: str) -> list[Any] | None:
    if part is None:
        return None
    if not _has_places(part.locator, part.value):
        raise DamagedError
    pointers = list(islice(_pointers(part.value), _MOST_VALUES + 1))
    if len(pointers) > _MOST_VALUES:
        raise DamagedError
    numbers: list[int] = []
    for pointer in pointers:
        for on_key in (False, True):
            place = part.locator.place(pointer, on_key=on_key)
            if place.path != path:
                raise DamagedError
            numbers += (place.line, place.column, place.end_line, place.end_column)
    return [part.value, part.origin.value, numbers]


def _has_places(locator: Locator, value: JsonValue) -> bool:
    """Whether a locator places missing parts of a schema at the nearest existing value, as `_KnownPlaces` does."""
    from mcp_contracts.parsing.data.documents import (
        Document,
        SubLocator,
    )  # the parser, which cached contracts do not need
    from mcp_contracts.parsing.parameters.derive import RowLocator

    if isinstance(locator, Document):
        return locator.value is value
    if isinstance(locator, SubLocator):
        held = locator.document.value
        for step in locator.base.split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            held = held[int(step)] if isinstance(held, list) else cast("dict[str, JsonValue]", held)[step]
        return held is value
    return isinstance(locator, RowLocator) and locator.places.keys() <= {*_pointers(value)}


def _file(values: Any, path: str) -> SourceFile:
    """Return a cached file. Raises DamagedError, ValueError, TypeError or LookupError for data in a different form."""
    contracts = tuple(_contract(one, path) for one in of_kind(list, values["contracts"]))
    text = f'"{FORMAT}"' if of_kind(bool, values["is_bundle"]) else ""
    module = optional(str, values["module"])
    if "tools" not in values:
        return ToolListFile(path, text, module, contracts)
    front = None
    if values["front_matter"] is not None:
        place, keys = of_kind(list, values["front_matter"])
        front = FrontMatter({}, _places(keys, path), read_place(place, path))
    version = optional(str, values["module_version"])
    return SpecFile(path, text, module, version, front, **read_spec_values(values, contracts, path))


def _contract(values: Any, path: str) -> ToolContract:
    texts = {name: optional(str, values[name]) for name in _TEXTS}
    if texts["name"] is None or texts["description"] is None or texts["idempotent"] not in _STATED:
        raise DamagedError
    return ToolContract(
        **cast("Any", texts),
        **cast("Any", {name: many_of(str, values[name]) for name in _LISTS}),
        place=read_place(values["place"], path),
        places=_places(values["places"], path),
        optional=optional(bool, values["optional"]),
        status=None if values["status"] is None else read_status(values["status"]),
        effects=None if values["effects"] is None else _effects(values["effects"]),
        errors=tuple(_error(one, path) for one in of_kind(list, values["errors"])),
        migrations=tuple(Migration(*_two_texts(one)) for one in of_kind(list, values["migrations"])),
        input=_schema("input", values["input"], path),
        output=_schema("output", values["output"], path),
    )


def _places(values: object, path: str) -> dict[str, Place]:
    return {name: read_place(one, path) for name, one in of_kind(dict, values).items()}


def _effects(values: object) -> Effects:
    change, world, unknown = of_kind(list, values)
    if change not in _CHANGES or world not in _WORLDS:
        raise DamagedError
    return Effects(change, world, many_of(str, unknown))


def _error(values: object, path: str) -> ErrorType:
    name, when, place = of_kind(list, values)
    return ErrorType(of_kind(str, name), of_kind(str, when), read_place(place, path))


def _two_texts(values: object) -> tuple[str, str]:
    first, second = many_of(str, values)
    return first, second


def _schema(part: Part, values: object, path: str) -> SchemaPart | None:
    if values is None:
        return None
    value, origin, numbers = of_kind(list, values)
    places = of_kind(list, numbers)
    count = sum(1 for _ in _pointers(value))
    if len(places) != 2 * _OF_A_PLACE * count or not all(type(one) is int and 0 < one <= MOST for one in places):
        raise DamagedError
    return SchemaPart(part, value, SchemaOrigin(origin), _KnownPlaces(value, path, places))
