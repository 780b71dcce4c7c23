"""Configuration files: find the one for a folder, and read it as plain values."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcp_contracts import lazy_re as re
from mcp_contracts.errors import ConfigurationError
from mcp_contracts.files.trees import IrregularError, OutsideError, open_regular, tree_root
from mcp_contracts.records import dataclass, field

FILE_NAMES = ("mcp-contracts.yaml", "mcp-contracts.yml", "pyproject.toml")
"""The names of configuration files. The first one in a folder that has our settings is used."""

ACCEPTED_FILE = "mcp-contracts-accepted.yaml"
"""The name of the file of accepted changes; `accepted_path` returns its path."""

SUGGESTED_BASELINE = "mcp-contracts-baseline.json"
"""The name for a baseline that our documentation uses."""

MAXIMUM_SIZE = 1_000_000
"""Maximum size of a configuration file in bytes."""

_TABLE = "mcp-contracts"
_TOML_PLACE = re.compile(r" ?\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")
# tomllib's memory use grows with the square of the number of parts of a dotted key.
_ENDLESS_KEY = re.compile(r"""(?<![\w"'.-])(?:(?>[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*+\.[ \t]*+){100}""")
_TOML_SUPPRESSION = re.compile(
    r"""^[ \t]*\[\[[ \t]*tool[ \t]*\.[ \t]*["']?mcp-contracts["']?[ \t]*\.[ \t]*suppressions\b"""
)


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A configuration file. `name` is its path in messages, `suppression_lines` are the lines of its suppressions."""

    path: Path
    name: str
    values: Mapping[str, Any]
    suppression_lines: tuple[int, ...] = field(default=())


def find_config_file(start: Path) -> ConfigFile | None:
    """Return the configuration of a file or folder: the nearest one upwards, up to a folder with `.git`.

    A pyproject.toml without our table is skipped. Raises ConfigurationError if the file cannot be read.
    """
    folder = os.path.abspath(start)
    if not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    while True:
        for name in FILE_NAMES:
            path = Path(folder, name)
            found = read_config_file(path, is_required=False) if os.path.isfile(path) else None
            if found is not None:
                return found
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return None
        folder = parent


def read_config_file(path: Path, *, is_required: bool = True) -> ConfigFile | None:
    """Read a configuration file, in the format of its suffix.

    Returns None for a TOML file without `[tool.mcp-contracts]`, unless `is_required`. Raises ConfigurationError.
    """
    path = Path(os.path.abspath(path))
    name = shown_path(path)
    if path.suffix not in (".toml", ".yaml", ".yml"):
        raise ConfigurationError(f"{name}: not a configuration file", hint="pass a .toml, .yaml or .yml file")
    data = read_bytes(path, name)
    if path.suffix == ".toml" and not is_required and _TABLE.encode() not in data:
        return None  # not our file, so its validity does not matter
    text = decode(data, name)
    if path.suffix != ".toml":
        from mcp_contracts.config.yaml_values import yaml_values  # PyYAML is only needed for a YAML configuration

        values, lines = yaml_values(text, name)
        return ConfigFile(path, name, values, lines)
    document = _toml_values(text, name)
    tool = document.get("tool")
    if not isinstance(tool, dict) or _TABLE not in tool:
        if is_required:
            raise ConfigurationError(f"{name}: no table [tool.{_TABLE}]", hint=f"add [tool.{_TABLE}], or omit --config")
        return None
    if not isinstance(tool[_TABLE], dict):
        raise ConfigurationError(f"{name}: `tool.{_TABLE}` is not a table")
    rows = enumerate(text.split("\n"), 1)
    return ConfigFile(path, name, tool[_TABLE], tuple(row for row, line in rows if _TOML_SUPPRESSION.match(line)))


def shown_path(path: Path) -> str:
    """Return a path as reports show it: relative to the working directory if possible, with `/`."""
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()


def read_bytes(path: Path, name: str, *, limit: int = MAXIMUM_SIZE) -> bytes:
    """Return the content of a regular file of at most `limit` bytes. Raises ConfigurationError."""
    try:
        with open(open_regular(path, tree_root(path)), "rb") as stream:
            data = stream.read(limit + 1)
    except OutsideError as error:
        hint = "put the file itself there, or pass the target of the link"
        raise ConfigurationError(f"{name}: leads outside the tree through a symbolic link", hint=hint) from error
    except IrregularError as error:
        raise ConfigurationError(f"{name}: not a regular file") from error
    except FileNotFoundError as error:
        raise ConfigurationError(f"`{name}`: no such file") from error
    except OSError as error:
        raise ConfigurationError(f"{name}: cannot be read: {error.strerror or error}") from error
    if len(data) > limit:
        raise ConfigurationError(f"{name}: larger than {limit} bytes")
    return data


def decode(data: bytes, name: str, *, hint: str = "save the file as UTF-8") -> str:
    """Return the text of a file. Raises ConfigurationError."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigurationError(f"{name}:{line}: not UTF-8", hint=hint) from error


def _toml_values(text: str, name: str) -> dict[str, Any]:
    from tomllib import TOMLDecodeError, loads  # most folders do not contain our TOML configuration

    for row, line in enumerate(text.split("\n"), 1):
        if line.count(".") >= 100 and _ENDLESS_KEY.search(line):
            raise ConfigurationError(f"{name}:{row}: a key has 100 parts or more")
    try:
        return loads(text)
    except TOMLDecodeError as error:
        words = str(error)
        place = _TOML_PLACE.search(words)
        lines = text.rstrip().split("\n")
        where = (
            f"{place['line']}:{place['column']}" if place and place["line"] else f"{len(lines)}:{len(lines[-1]) + 1}"
        )
        fault = words[: place.start()] if place else words
        fault = fault if len(fault) < 200 else f"{fault[:200]}…"
        raise ConfigurationError(f"{name}:{where}: invalid TOML: {fault[:1].lower()}{fault[1:]}") from error
    except RecursionError as error:
        raise ConfigurationError(f"{name}: nested too deeply") from error
    except ValueError as error:  # a number with more digits than Python reads
        raise ConfigurationError(f"{name}: a number or date is invalid: {str(error)[:80]}") from error
