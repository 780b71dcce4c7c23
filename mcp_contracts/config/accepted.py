"""The file of accepted changes: reads and checks the breaks that a project has accepted."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from typing import cast, get_args

from mcp_contracts import lazy_re as re
from mcp_contracts.change import Direction
from mcp_contracts.config.files import ACCEPTED_FILE, ConfigFile, decode, read_bytes, shown_path
from mcp_contracts.config.model import Config
from mcp_contracts.config.reading import Reader
from mcp_contracts.config.wording import quote
from mcp_contracts.diagnostics import Place
from mcp_contracts.errors import ConfigurationError
from mcp_contracts.files.trees import tree_root
from mcp_contracts.records import dataclass

KEYS = ("tool", "code", "direction", "pointer", "change", "version", "fingerprint", "digest", "reason", "until")
"""The keys of an entry, in the order in which they are written."""

_REQUIRED = ("tool", "code", "direction", "fingerprint", "digest")
_DIRECTIONS: tuple[str, ...] = get_args(Direction)
_CODE = re.compile(r"BC[0-9]{3}")
_HEXADECIMAL = re.compile(r"[0-9a-f]{8,64}")
_NOWHERE = Place(ACCEPTED_FILE, 1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class AcceptedChange:
    """A change that a project has accepted.

    `fingerprint` identifies the place of the change. `digest` is based on the old and new content there, so that
    another change at the same place is not accepted as well. `pointer` is None for a whole schema and a whole tool.
    `change` is the message of the change and `version` the tool's old version at the time, both for readers. `until` is
    the last day on which the entry is valid, `place` its place in the file.
    """

    tool: str
    code: str
    direction: Direction
    fingerprint: str
    digest: str
    pointer: str | None = None
    change: str | None = None
    version: str | None = None
    reason: str | None = None
    until: date | None = None
    place: Place = _NOWHERE

    @property
    def key(self) -> tuple[str, str]:
        """The unique key of an entry in a file: the place and the content of the change."""
        return self.fingerprint, self.digest

    def has_expired(self, today: date | None) -> bool:
        """Whether its last day has passed; False if `today` is None."""
        return today is not None and self.until is not None and self.until < today


def accepted_path(config: Config) -> Path:
    """Return the path of a project's file: next to its configuration, or in the root of the repository.

    Without either, it is in the working directory, so that runs over different folders of a project use the same file.
    """
    root = config.root if config.path is not None else tree_root(config.root) or config.root
    return Path(root, ACCEPTED_FILE)


def accepted_bytes(path: Path) -> bytes | None:
    """Return the content of the file, for detecting changes; None if it does not exist."""
    return read_bytes(path, shown_path(path)) if os.path.lexists(path) else None


def read_accepted(path: Path) -> tuple[AcceptedChange, ...]:
    """Read the accepted changes of a file, in order; empty if the file does not exist.

    Raises ConfigurationError, which names file, line and key, if the file cannot be read or is invalid.
    """
    if not os.path.lexists(path):
        return ()
    # PyYAML is only needed if changes have been accepted.
    from mcp_contracts.config.yaml_values import yaml_values

    name = shown_path(path)
    text = decode(read_bytes(path, name), name)
    values, _ = yaml_values(text, name)
    file = ConfigFile(path, name, values)
    table = Reader(file, {}).table(values, "", ("accepted",))
    if table.get("accepted") is None:  # all entries were removed by hand
        return ()
    found: dict[tuple[str, str], AcceptedChange] = {}
    items = Reader(file, {}).items(table, "accepted")
    for (value, key), line in zip(items, _entry_lines(text), strict=True):
        entry = _entry(Reader(ConfigFile(path, f"{name}:{line}", {}), {}), value, key, Place(name, line, 1, line, 1))
        if entry.key in found:
            first = found[entry.key].place.line
            fault = f"`{key}` has the fingerprint and digest of the entry on line {first}"
            raise ConfigurationError(f"{name}:{line}: {fault}", hint="remove one of the two entries")
        found[entry.key] = entry
    return tuple(found.values())


def _entry(reader: Reader, value: object, key: str, place: Place) -> AcceptedChange:
    values = reader.table(value, key, KEYS, _REQUIRED)
    # Empty values count as absent: `reason:` is what an entry without a reason looks like.
    given = {name: item for name, item in values.items() if item not in (None, "") or name in _REQUIRED}
    texts = {name: reader.string(item, f"{key}.{name}") for name, item in given.items() if name != "until"}
    if not _CODE.fullmatch(texts["code"]):
        raise reader.error(f"`{key}.code` is not a change code: {quote(texts['code'])}", "write it as BC201")
    if not texts.get("pointer", "/").startswith("/"):
        raise reader.error(f"`{key}.pointer` is not a JSON pointer", "write it as reports show it: `/properties/x`")
    for name in ("fingerprint", "digest"):
        if not _HEXADECIMAL.fullmatch(texts[name]):
            hint = "let `mcp-contracts diff --accept` write the entry"
            raise reader.error(f"`{key}.{name}` is not a {name}: {quote(texts[name])}", hint)
    return AcceptedChange(
        tool=texts["tool"],
        code=texts["code"],
        direction=cast(Direction, reader.choice(texts["direction"], f"{key}.direction", _DIRECTIONS)),
        fingerprint=texts["fingerprint"],
        digest=texts["digest"],
        pointer=texts.get("pointer"),
        change=texts.get("change"),
        version=texts.get("version"),
        reason=texts.get("reason"),
        until=reader.day(given["until"], f"{key}.until") if "until" in given else None,
        place=place,
    )


def _entry_lines(text: str) -> tuple[int, ...]:
    """Return the line of each entry. The text has been read before, so it is valid and not too deep."""
    import yaml  # already loaded

    root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    pairs = root.value if root is not None else ()
    return tuple(item.start_mark.line + 1 for key, node in pairs if key.value == "accepted" for item in node.value)
