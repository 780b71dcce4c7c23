"""The cached findings of a file, which a later run reads instead of running the rules.

Only what is needed afterwards is kept: findings, names, places and comments. Later runs with other selections,
severities, suppressions, baselines or formats use the same entries.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mcp_contracts.checks import forms
from mcp_contracts.checks.forms import DamagedError
from mcp_contracts.contract import PythonFile, SourceFile, SpecFile, SpecTool, ToolContract, ToolListFile
from mcp_contracts.diagnostics import RuleInfo
from mcp_contracts.files.cache import KEY_SIZE, Cache
from mcp_contracts.files.hashing import blake2b
from mcp_contracts.files.installation import installation
from mcp_contracts.masking.mask import SecretMask, holds_secrets
from mcp_contracts.parsing.discovery import read_text, show
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.base import Found, RuleOptions
from mcp_contracts.rules.listing import all_rule_infos
from mcp_contracts.sources.documents import Blob
from mcp_contracts.sources.paths import NamedFile
from mcp_contracts.sources.source import Readable
from mcp_contracts.version import __version__

PLACES = ("extent", "status", "name", "replacement")
"""The places of a contract that are needed after the rules of its file."""

_FORMAT = 5  # of the cached form
_CONTRACT = forms.record(
    ToolContract,
    name=forms.TEXT,
    module=forms.OPTIONAL_TEXT,
    version=forms.OPTIONAL_TEXT,
    place=forms.PLACE,
    places=forms.Form(
        lambda places, path: {name: forms.PLACE.write(places[name], path) for name in PLACES if name in places},
        forms.by_name(forms.PLACE).read,
    ),
    status=forms.optional(forms.STATUS),
)


class CheckedFile(NamedTuple):
    """A file with its findings, and the number of steps taken.

    `is_remembered` means that an earlier run found all of this, and no secret. If the file's text only has the lines
    that a report may show, `secrets` are the secrets of the whole text and `digest` is its hash, empty if it contains
    secrets.
    """

    file: SourceFile
    found: Sequence[Found]
    steps: float = 0
    is_remembered: bool = False
    secrets: tuple[str, ...] = ()
    digest: bytes | None = None


def content_of(item: Readable, limit: int) -> tuple[str, str | None, bytes]:
    """Return the name of a file, its text, and a hash of its content. The hash is empty if the meaning of the file
    depends on anything else. The text of a git revision is not read.
    """
    if isinstance(item, NamedFile):
        text = read_text(item.path, limit=limit)
        if isinstance(text, str):
            text = text.removeprefix("\ufeff")
            return show(item.path), text, digest_of(text)
    if isinstance(item, Blob):
        return f"{show(item.path)}\0{item.folder}", None, f"git:{item.object_id}".encode()
    return "", None, b""


def run_key(*asked: object) -> bytes:
    """Return a hash of everything that cached values depend on besides their files: version, packages, and request."""
    return blake2b(repr((_FORMAT, __version__, sys.version, installation(), asked)).encode()).digest()


def file_key(run: bytes, name: str, digest: bytes) -> bytes:
    """Return the key of a file, under its name."""
    return blake2b(run + f"{name}\0".encode("utf-8", "surrogatepass") + digest).digest()[:KEY_SIZE]


def digest_of(text: str) -> bytes:
    """Return the hash of text."""
    return blake2b(text.encode("utf-8", "surrogatepass")).digest()


class Memory:
    """The cached findings of earlier runs. Without a cache, nothing is stored."""

    def __init__(self, cache: Cache | None, options: RuleOptions, max_file_size: int) -> None:
        self._cache, self._size = cache, max_file_size
        self._run = b"" if cache is None else run_key(_key_options(options), max_file_size)
        self._rules = {info.code: info for info in all_rule_infos()}
        self._asked: dict[str, tuple[str, bytes, bytes]] = {}

    def recall(self, item: Readable) -> CheckedFile | None:
        """Return the findings of a file that has not changed."""
        if self._cache is None:
            return None
        name, _, digest = content_of(item, self._size)
        if not digest:
            return None
        path = show(item.shown)
        key = file_key(self._run, name, digest)
        self._asked[path] = name, key, b"" if isinstance(item, NamedFile) else digest
        value = self._cache.get(key)
        try:
            known = None if value is None else from_bytes(value, path, self._rules)
        except DamagedError:
            return None
        if known is not None and isinstance(item, Blob):
            item.forget()
        return known

    def keep(self, checked: CheckedFile, value: bytes | None = None) -> None:
        """Store a file, unless it changed since the cache was read, or its findings may show its secrets."""
        name, key, blob = self._asked.get(checked.file.path, ("", b"", b""))
        if self._cache is None or not key:
            return
        digest = digest_without_secrets(checked.file.text) if checked.digest is None else checked.digest
        if digest and (blob or key == file_key(self._run, name, digest)):
            self._cache.add(key, to_bytes(checked) if value is None else value)

    def save(self) -> None:
        """Write what is new."""
        if self._cache is not None:
            self._cache.save()


def _key_options(options: RuleOptions) -> object:
    """Return the options of rules, on which findings depend in addition to the file."""
    targets = tuple(target.name for target in options.targets)
    return options.name_pattern, options.description_length, targets, sorted(options.unrequested_codes)


def digest_without_secrets(text: str) -> bytes:
    """Return the hash of text; empty if it contains secrets, because its findings may show them."""
    return b"" if holds_secrets(text) else digest_of(text)


def mask_of(checked: Iterable[CheckedFile], others: Iterable[str] = ()) -> SecretMask:
    """Return the mask for secrets in checked files and other text; no cached file contains a secret."""
    texts: list[str] = []
    known: list[str] = []
    for one in checked:
        known += one.secrets
        if not one.is_remembered and one.digest is None:
            texts.append(one.file.text)
    return SecretMask((*texts, *others), known)


def to_bytes(checked: CheckedFile) -> bytes:
    """Return the cached form of a file."""
    file = checked.file
    path = file.path
    numbers = {id(contract): number for number, contract in enumerate(file.contracts)}
    values = {
        "kind": type(file).__name__,
        "module": file.module,
        "text": shown_lines(checked),
        "steps": checked.steps,
        "contracts": forms.many(_CONTRACT).write(file.contracts, path),
        "found": [
            [
                item.rule.code,
                forms.PLACE.write(item.place, path),
                None if item.tool is None else numbers[id(item.tool)],
                forms.FINDING.write(item.finding, path),
            ]
            for item in checked.found
        ],
    }
    if isinstance(file, SpecFile):
        values |= spec_values(file)
    return json.dumps(values, separators=(",", ":")).encode()


def spec_values(file: SpecFile) -> dict[str, Any]:
    """Return the tools and comments of a specification, besides its contracts."""
    return {
        "tools": forms.many(forms.TOOL).write(file.tools, file.path),
        "comments": forms.many(forms.COMMENT).write(
            [one for one in file.comments if "mcp-contracts" in one.text.casefold()], file.path
        ),
    }


def shown_lines(checked: CheckedFile) -> str:
    """Return the text of a file, with the lines that no report shows left empty."""
    contracts, comments = checked.file.contracts, getattr(checked.file, "comments", ())
    places = [contract.place for contract in contracts]
    places += (contract.places[name] for contract in contracts for name in PLACES if name in contract.places)
    places += (one.place for one in (*checked.found, *comments))
    rows = {place.line for place in places}
    lines = SourceText.of("", checked.file.text).lines[: max(rows, default=0)]
    kept = [""] * len(lines)
    for row in rows:
        kept[row - 1 : row] = lines[row - 1 : row]
    return "\n".join(kept)


def from_bytes(value: bytes, path: str, rules: Mapping[str, RuleInfo]) -> CheckedFile:
    """Return a cached file. Raises DamagedError if the bytes do not have the expected form."""
    try:
        return _restore_checked(json.loads(value), path, rules)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise DamagedError from error


def _restore_checked(values: Any, path: str, rules: Mapping[str, RuleInfo]) -> CheckedFile:
    text = forms.of_kind(str, values["text"])
    contracts = forms.many(_CONTRACT).read(values["contracts"], path)
    module = forms.OPTIONAL_TEXT.read(values["module"], path)
    file: SourceFile
    match values["kind"]:
        case "SpecFile":
            file = SpecFile(path, text, module, **read_spec_values(values, contracts, path))
        case "ToolListFile":
            file = ToolListFile(path, text, module, contracts)
        case "PythonFile":
            file = PythonFile(path, text, module, contracts)
        case _:
            raise DamagedError
    found = [_load_found(one, path, contracts, rules) for one in forms.of_kind(list, values["found"])]
    steps = values["steps"]
    if type(steps) not in (int, float):
        raise DamagedError
    return CheckedFile(file, found, steps, is_remembered=True)


def read_spec_values(values: Any, contracts: Sequence[ToolContract], path: str) -> dict[str, Any]:
    """Return the tools and comments of a specification from the values of `spec_values`."""
    tools = zip(forms.of_kind(list, values["tools"]), contracts, strict=True)
    return {
        "tools": tuple(SpecTool(contract, **forms.TOOL.read(one, path)) for one, contract in tools),
        "comments": forms.many(forms.COMMENT).read(values["comments"], path),
    }


def _load_found(values: object, path: str, contracts: Sequence[ToolContract], rules: Mapping[str, RuleInfo]) -> Found:
    code, place, tool, finding = forms.of_kind(list, values)
    number = forms.optional(forms.NUMBER).read(tool, path)
    if number is not None and number < 0:
        raise DamagedError
    return Found(
        rules[forms.of_kind(str, code)],
        forms.FINDING.read(finding, path),
        forms.PLACE.read(place, path),
        0,
        None if number is None else contracts[number],
    )
