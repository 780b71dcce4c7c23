"""What the rules found in a file, as bytes that a later run reads in place of the file's rules.

Only what is needed afterwards is kept: findings, names, places and comments. A later run with other selections,
severities, suppressions, baselines or formats uses the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache as once
from typing import Any, NamedTuple, TypeVar

from mcp_contracts.checks.masking import SecretMask, holds_secrets
from mcp_contracts.contract import (
    Comment,
    SourceFile,
    SpecFile,
    SpecTool,
    Status,
    ToolContract,
    ToolListFile,
)
from mcp_contracts.diagnostics import Finding, Fix, Place, Related, RuleInfo, TextEdit
from mcp_contracts.files.cache import KEY_SIZE, Cache
from mcp_contracts.parsing.discovery import read_text, show
from mcp_contracts.rules.base import RuleOptions
from mcp_contracts.rules.listing import all_rule_infos
from mcp_contracts.rules.running.found import Found
from mcp_contracts.sources.documents import Blob
from mcp_contracts.sources.paths import NamedFile
from mcp_contracts.sources.source import Readable
from mcp_contracts.version import __version__

PLACES = ("extent", "status", "name", "replacement")
"""The places of a contract that are needed after the rules of its file."""

DECIDING = ("checks", "config", "files", "parsing", "providers", "rules", "runtime", "schema", "sources", "writing")
"""The packages whose code decides on what is found in a file."""

_FORMAT = 2
_NO_MODULES = ("__pycache__", os.path.join("rules", "examples"))
_PACKAGES = ("site-packages", "dist-packages")
_MOST = 10**9  # of lines and columns
_PARTS = (None, "input", "output", "example")

Kind = TypeVar("Kind")


class Checked(NamedTuple):
    """A file with the findings of the rules in it, and the number of steps taken.

    `is_remembered` says that an earlier run found all that, and no secret. If the file's text is only that of the lines
    that a report may show, `secrets` are those of the whole text and `digest` is its hash, empty if it holds secrets.
    """

    file: SourceFile
    found: Sequence[Found]
    steps: float = 0
    is_remembered: bool = False
    secrets: tuple[str, ...] = ()
    digest: bytes | None = None


class DamagedError(Exception):
    """What was remembered is not what we write."""


class Memory:
    """What earlier runs found in files, for one run. Without a cache nothing is remembered."""

    def __init__(self, cache: Cache | None, options: RuleOptions, max_file_size: int) -> None:
        self._cache, self._size = cache, max_file_size
        self._run = b"" if cache is None else _run_key(options, max_file_size)
        self._rules = {info.code: info for info in all_rule_infos()}
        self._asked: dict[str, tuple[str, bytes]] = {}

    def recall(self, item: Readable) -> Checked | None:
        """What was found in a file that has not changed since."""
        if self._cache is None:
            return None
        name, text = _content(item, self._size)
        if text is None:
            return None
        path = show(item.shown)
        key = _file_key(self._run, name, digest_of(text))
        self._asked[path] = name, key
        value = self._cache.get(key)
        try:
            return None if value is None else from_bytes(value, path, text, self._rules)
        except DamagedError:
            return None

    def keep(self, checked: Checked) -> None:
        """Remember a file, unless it changed since it was asked for, or its findings may show its secrets."""
        name, key = self._asked.get(checked.file.path, ("", b""))
        if self._cache is None or not key:
            return
        digest = digest_without_secrets(checked.file.text) if checked.digest is None else checked.digest
        if digest and key == _file_key(self._run, name, digest):
            self._cache.add(key, to_bytes(checked))

    def save(self) -> None:
        """Write what is new."""
        if self._cache is not None:
            self._cache.save()


def _content(item: Readable, limit: int) -> tuple[str, str | None]:
    """What a file is named by, and its text; no text where something else may decide on what is found in it."""
    if isinstance(item, NamedFile):
        text = read_text(item.path, limit=limit)
        return show(item.path), text.removeprefix("\ufeff") if isinstance(text, str) else None
    if isinstance(item, Blob):
        return f"{show(item.path)}\0{item.folder}", item.text.removeprefix("\ufeff")
    return "", None


def _run_key(options: RuleOptions, max_file_size: int) -> bytes:
    """What the findings in a file depend on besides the file: this version, its packages, and the options of rules."""
    targets = tuple(target.name for target in options.targets)
    asked = (options.name_pattern, options.description_length, targets, sorted(options.unasked), max_file_size)
    return hashlib.sha256(repr((_FORMAT, __version__, sys.version, _installed(), asked)).encode()).digest()


def _file_key(run: bytes, name: str, digest: bytes) -> bytes:
    return hashlib.sha256(run + f"{name}\0".encode("utf-8", "surrogatepass") + digest).digest()[:KEY_SIZE]


def digest_of(text: str) -> bytes:
    """The hash of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def digest_without_secrets(text: str) -> bytes:
    """The hash of a text; empty for one with secrets, whose findings may show them."""
    return b"" if holds_secrets(text) else digest_of(text)


def mask_of(checked: Iterable[Checked], others: Iterable[str] = ()) -> SecretMask:
    """What masks the secrets of checked files and of some other texts; no file that is remembered holds one."""
    texts: list[str] = []
    known: list[str] = []
    for one in checked:
        known += one.secrets
        if not one.is_remembered and one.digest is None:
            texts.append(one.file.text)
    return SecretMask((*texts, *others), known)


@once
def _installed() -> tuple[tuple[str, int], ...]:
    """When the installed packages changed last, and in a checkout our own modules."""
    own = os.path.dirname(os.path.dirname(__file__))
    folders = [folder for folder in sys.path if folder.endswith(_PACKAGES) and os.path.isdir(folder)]
    stamps = [(folder, os.stat(folder).st_mtime_ns) for folder in folders]
    if os.path.exists(os.path.join(os.path.dirname(own), "pyproject.toml")):
        stamps.extend(_modules(own, DECIDING))
    return tuple(sorted(stamps))


def _modules(folder: str, inner: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield the modules in a folder and in some folders of it, with the time of their last change."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.path, entry.stat().st_mtime_ns
            elif entry.name in inner or (not inner and not entry.path.endswith(_NO_MODULES) and entry.is_dir()):
                yield from _modules(entry.path, ())


def to_bytes(checked: Checked) -> bytes:
    """What is kept of a file."""
    file = checked.file
    path = file.path
    numbers = {id(contract): number for number, contract in enumerate(file.contracts)}
    values = {
        "kind": type(file).__name__,
        "module": file.module,
        "steps": checked.steps,
        "contracts": [_contract_values(contract, path) for contract in file.contracts],
        "found": [
            [
                item.rule.code,
                _place_values(item.place, path),
                None if item.tool is None else numbers[id(item.tool)],
                _finding_values(item.finding, path),
            ]
            for item in checked.found
        ],
    }
    if isinstance(file, SpecFile):
        values["tools"] = [
            [list(tool.lines), tool.heading, tool.invocation_name, list(tool.deviations)] for tool in file.tools
        ]
        values["comments"] = [
            [one.text, _place_values(one.place, path), None if one.next_block is None else list(one.next_block)]
            for one in file.comments
            if "mcp-contracts" in one.text.casefold()
        ]
    return json.dumps(values, separators=(",", ":")).encode()


def from_bytes(value: bytes, path: str, text: str, rules: Mapping[str, RuleInfo]) -> Checked:
    """A file as it was kept. Raises DamagedError where these are not bytes that we wrote."""
    try:
        return _checked(json.loads(value), path, text, rules)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise DamagedError from error


def _checked(values: Any, path: str, text: str, rules: Mapping[str, RuleInfo]) -> Checked:
    contracts = tuple(_contract(one, path) for one in _a(list, values["contracts"]))
    module = _optional(str, values["module"])
    kind = values["kind"]
    file: SourceFile
    if kind not in ("SpecFile", "ToolListFile"):
        raise DamagedError
    if kind == "SpecFile":
        tools = zip(_a(list, values["tools"]), contracts, strict=True)
        file = SpecFile(
            path,
            text,
            module,
            tools=tuple(_tool(one, contract) for one, contract in tools),
            comments=tuple(_comment(one, path) for one in _a(list, values["comments"])),
        )
    else:
        file = ToolListFile(path, text, module, contracts)
    found = [_found(one, path, contracts, rules) for one in _a(list, values["found"])]
    steps = values["steps"]
    if type(steps) not in (int, float):
        raise DamagedError
    return Checked(file, found, steps, is_remembered=True)


def _a(kind: type[Kind], value: object) -> Kind:
    """A value of a kind; a bool is no int."""
    if type(value) is not kind:
        raise DamagedError
    return value


def _optional(kind: type[Kind], value: object) -> Kind | None:
    return None if value is None else _a(kind, value)


def _many(kind: type[Kind], values: object) -> tuple[Kind, ...]:
    return tuple(_a(kind, one) for one in _a(list, values))


def _pair(values: object) -> tuple[int, int]:
    first, last = _many(int, values)
    return first, last


def _place_values(place: Place, path: str) -> list[Any]:
    values = [place.line, place.column, place.end_line, place.end_column]
    return values if place.path == path else [*values, place.path]


def _place(values: object, path: str) -> Place:
    line, column, end_line, end_column, *other = _a(list, values)
    if not type(line) is type(column) is type(end_line) is type(end_column) is int or len(other) > 1:
        raise DamagedError
    if min(line, column, end_line, end_column) < 1 or max(line, column, end_line, end_column) > _MOST:
        raise DamagedError
    return Place(_a(str, other[0]) if other else path, line, column, end_line, end_column)


def _contract_values(contract: ToolContract, path: str) -> list[Any]:
    status = contract.status
    return [
        contract.name,
        contract.module,
        contract.version,
        _place_values(contract.place, path),
        {name: _place_values(contract.places[name], path) for name in PLACES if name in contract.places},
        None if status is None else [status.state, status.since, status.removed_in, status.replacement],
    ]


def _contract(values: object, path: str) -> ToolContract:
    name, module, version, place, places, status = _a(list, values)
    return ToolContract(
        name=_a(str, name),
        place=_place(place, path),
        module=_optional(str, module),
        version=_optional(str, version),
        status=None if status is None else _status(status),
        places={_a(str, key): _place(one, path) for key, one in _a(dict, places).items()},
    )


def _status(values: object) -> Status:
    state, since, removed_in, replacement = _a(list, values)
    return Status(_a(str, state), _optional(str, since), _optional(str, removed_in), _optional(str, replacement))


def _tool(values: object, contract: ToolContract) -> SpecTool:
    lines, heading, invocation_name, deviations = _a(list, values)
    return SpecTool(
        contract,
        _pair(lines),
        _a(str, heading),
        invocation_name=_optional(str, invocation_name),
        deviations=_many(str, deviations),
    )


def _comment(values: object, path: str) -> Comment:
    text, place, block = _a(list, values)
    return Comment(_a(str, text), _place(place, path), None if block is None else _pair(block))


def _finding_values(finding: Finding, path: str) -> list[Any]:
    fix = finding.fix
    return [
        finding.message,
        finding.hint,
        finding.part,
        finding.pointer,
        finding.on_key,
        [[_place_values(one.place, path), one.message] for one in finding.related],
        None if fix is None else [[[_place_values(one.place, path), one.text] for one in fix.edits], fix.is_safe],
        list(finding.causes),
        list(finding.names),
    ]


def _found(values: object, path: str, contracts: Sequence[ToolContract], rules: Mapping[str, RuleInfo]) -> Found:
    code, place, tool, finding = _a(list, values)
    number = _optional(int, tool)
    if number is not None and number < 0:
        raise DamagedError
    return Found(
        rules[_a(str, code)],
        _finding(finding, path),
        _place(place, path),
        0,
        None if number is None else contracts[number],
    )


def _finding(values: object, path: str) -> Finding:
    message, hint, part, pointer, on_key, related, fix, causes, names = _a(list, values)
    if part not in _PARTS:
        raise DamagedError
    return Finding(
        _a(str, message),
        _optional(str, hint),
        None,
        part,
        _optional(str, pointer),
        _a(bool, on_key),
        tuple(_placed(Related, one, path) for one in _a(list, related)),
        None if fix is None else _fix(fix, path),
        _many(str, causes),
        _many(str, names),
    )


def _placed(make: Callable[[Place, str], Kind], values: object, path: str) -> Kind:
    place, text = _a(list, values)
    return make(_place(place, path), _a(str, text))


def _fix(values: object, path: str) -> Fix:
    edits, is_safe = _a(list, values)
    return Fix(tuple(_placed(TextEdit, one, path) for one in _a(list, edits)), _a(bool, is_safe))
