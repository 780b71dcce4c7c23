"""The contracts of files that earlier runs read, reduced to what comparisons need.

Examples, sections and tables are left out, and so is the text. A file with faults or with secrets is always read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, cast

from mcp_contracts.bundle import FORMAT
from mcp_contracts.checks import forms
from mcp_contracts.checks.forms import DamagedError
from mcp_contracts.checks.remembering import content_of, file_key, read_spec_values, run_key, spec_values
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
from mcp_contracts.diagnostics import Place
from mcp_contracts.files.cache import Cache
from mcp_contracts.json_values.pointers import enclosing, unescape
from mcp_contracts.masking.mask import holds_secrets
from mcp_contracts.parsing.discovery import Skipped, show
from mcp_contracts.sources.documents import Blob, read_source
from mcp_contracts.sources.limits import limit_run
from mcp_contracts.sources.source import Found, Readable

_OF_A_PLACE = 4
_MOST_VALUES = 30_000
"""The maximum number of values of a schema whose places are cached: caching more takes longer than it saves."""

_MOST_VALUES_OF_A_FILE = 100_000
"""The same limit for all schemas of a file."""


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
        at = (2 * self._index.get(enclosing(pointer, self._index), 0) + on_key) * _OF_A_PLACE
        place: Place = forms.PLACE.read([*self._numbers[at : at + _OF_A_PLACE]], self._path)
        return place


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
        values |= spec_values(file)
        values["module_version"] = file.module_version
        values["front_matter"] = forms.optional(_FRONT_MATTER).write(file.front_matter, file.path)
    try:
        _check_size(file.contracts)
        values["contracts"] = forms.many(_CONTRACT).write(file.contracts, file.path)
    except DamagedError:
        return None
    return json.dumps(values, separators=(",", ":")).encode()


def _check_size(contracts: Iterable[ToolContract]) -> None:
    """Raise DamagedError if the schemas have too many values to cache their places."""
    schemas = (part.value for one in contracts for part in (one.input, one.output) if part is not None)
    values = chain.from_iterable(map(_pointers, schemas))
    if next(islice(values, _MOST_VALUES_OF_A_FILE, None), None) is not None:
        raise DamagedError


def _schema_values(part: SchemaPart, path: str) -> list[Any]:
    """Return the cached form of a schema. Raises DamagedError if not all of its places can be cached."""
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
    return [part.part, part.value, part.origin.value, numbers]


def _has_places(locator: Locator, value: JsonValue) -> bool:
    """Whether a locator places missing parts of a schema at the closest existing value, as `_KnownPlaces` does."""
    # The parser, which cached contracts do not need.
    from mcp_contracts.parsing.data.documents import Document, SubLocator
    from mcp_contracts.parsing.text import MappedLocator

    if isinstance(locator, Document):
        return locator.value is value
    if isinstance(locator, SubLocator):
        held = locator.document.value
        for step in locator.base.split("/")[1:]:
            step = unescape(step)
            held = held[int(step)] if isinstance(held, list) else cast("dict[str, JsonValue]", held)[step]
        return held is value
    return isinstance(locator, MappedLocator) and locator.places.keys() <= {*_pointers(value)}


def _file(values: Any, path: str) -> SourceFile:
    """Return a cached file. Raises DamagedError, ValueError, TypeError or LookupError for data in a different form."""
    contracts = forms.many(_CONTRACT).read(values["contracts"], path)
    text = f'"{FORMAT}"' if forms.of_kind(bool, values["is_bundle"]) else ""
    module = forms.OPTIONAL_TEXT.read(values["module"], path)
    if "tools" not in values:
        return ToolListFile(path, text, module, contracts)
    front = forms.optional(_FRONT_MATTER).read(values["front_matter"], path)
    version = forms.OPTIONAL_TEXT.read(values["module_version"], path)
    return SpecFile(path, text, module, version, front, **read_spec_values(values, contracts, path))


def _read_schema(values: object, path: str) -> SchemaPart:
    part, value, origin, numbers = forms.of_kind(list, values)
    places = forms.of_kind(list, numbers)
    count = sum(1 for _ in _pointers(value))
    if len(places) != 2 * _OF_A_PLACE * count or not all(type(one) is int and 0 < one <= forms.MOST for one in places):
        raise DamagedError
    part = forms.one_of("input", "output").read(part, path)
    return SchemaPart(part, value, SchemaOrigin(origin), _KnownPlaces(value, path, places))


_SCHEMA = forms.optional(forms.Form(_schema_values, _read_schema))
_FRONT_MATTER = forms.record(
    FrontMatter, values=forms.Form(lambda *_: None, lambda *_: {}), keys=forms.by_name(forms.PLACE), place=forms.PLACE
)
_EFFECTS = forms.record(
    Effects,
    change=forms.one_of("read-only", "additive", "destructive", None),
    world=forms.one_of("open-world", "closed-world", None),
    unknown=forms.TEXTS,
)
_CONTRACT = forms.record(
    ToolContract,
    name=forms.TEXT,
    place=forms.PLACE,
    description=forms.TEXT,
    idempotent=forms.one_of("yes", "no", "conditional", None),
    task_support=forms.one_of("optional", "required", None),
    **dict.fromkeys(
        ("module", "source_name", "title", "version", "category", "use_when", "security"), forms.OPTIONAL_TEXT
    ),
    **dict.fromkeys(("tags", "channels"), forms.TEXTS),
    places=forms.by_name(forms.PLACE),
    optional=forms.optional(forms.FLAG),
    status=forms.optional(forms.STATUS),
    effects=forms.optional(_EFFECTS),
    errors=forms.many(forms.record(ErrorType, name=forms.TEXT, when=forms.TEXT, place=forms.PLACE)),
    migrations=forms.many(forms.record(Migration, since=forms.TEXT, text=forms.TEXT)),
    input=_SCHEMA,
    output=_SCHEMA,
)
