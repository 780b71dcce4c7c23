"""Read a baseline: the known findings that a project does not fix yet, written by `lint --write-baseline`."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from mcp_contracts import lazy_re as re
from mcp_contracts.config.files import decode, read_bytes, shown_path
from mcp_contracts.config.wording import quote
from mcp_contracts.diagnostics import KnownFinding, Part
from mcp_contracts.errors import ConfigurationError
from mcp_contracts.records import dataclass

BASELINE_FORMAT = "mcp-contracts/baseline"
BASELINE_VERSION = 1
MAXIMUM_SIZE = 32_000_000
"""Maximum size of a baseline in bytes: enough for more than 100,000 findings."""

_PARTS: tuple[str | None, ...] = (*get_args(Part), None)
_CODE = re.compile(r"MC[0-9]{3}")
_CONFLICT = re.compile(rb"^(?:<<<<<<<|>>>>>>>) ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Baseline:
    """The known findings of a project, with paths relative to the folder of the file.

    `written_by` is the version of mcp-contracts that wrote them: another one may word its messages differently.
    """

    path: Path
    written_by: str
    findings: tuple[KnownFinding, ...] = ()

    @property
    def name(self) -> str:
        """The path as reports show it."""
        return shown_path(self.path)


def read_baseline(path: Path) -> Baseline:
    """Read a baseline. Raises ConfigurationError if it does not exist or cannot be read."""
    path = Path(os.path.abspath(path))
    name = shown_path(path)
    if not os.path.lexists(path):
        hint = f"write it with `mcp-contracts lint --write-baseline {name}`, or check the spelling of the path"
        raise ConfigurationError(f"`{name}`: no such file", hint=hint)
    document = _document(read_bytes(path, name, limit=MAXIMUM_SIZE), name)
    _check_format(document, name)
    written_by, findings = document.get("written_by"), document.get("findings")
    if not isinstance(written_by, str) or not isinstance(findings, list):
        missing = "findings" if isinstance(written_by, str) else "written_by"
        raise ConfigurationError(f"{name}: the baseline has no valid `{missing}`", hint=_suggest_rewrite(name))
    return Baseline(path, written_by, tuple(_read_finding(item, at, name) for at, item in enumerate(findings)))


def _document(data: bytes, name: str) -> Mapping[str, Any]:
    if _CONFLICT.search(data):
        hint = f"resolve the conflict with either side, then {_suggest_rewrite(name)}"
        raise ConfigurationError(f"{name}: the file contains merge conflict markers", hint=hint)
    try:
        document = json.loads(decode(data, name, hint=_suggest_rewrite(name)))
    except json.JSONDecodeError as error:
        fault = f"{error.msg[:1].lower()}{error.msg[1:]}"
        raise ConfigurationError(
            f"{name}:{error.lineno}:{error.colno}: invalid JSON: {fault}", hint=_suggest_rewrite(name)
        ) from error
    except RecursionError as error:
        raise ConfigurationError(f"{name}: nested too deeply", hint=_suggest_rewrite(name)) from error
    except ValueError as error:  # a number with more digits than Python reads
        raise ConfigurationError(f"{name}: invalid JSON: a number is too long", hint=_suggest_rewrite(name)) from error
    if not isinstance(document, dict):
        raise _foreign(name, "it is not a JSON object")
    return document


def _check_format(document: Mapping[str, Any], name: str) -> None:
    written = document.get("format")
    if written != BASELINE_FORMAT:
        is_stated = isinstance(written, str)
        raise _foreign(name, f"its `format` is {quote(written)}" if is_stated else "it has no `format`")
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ConfigurationError(f"{name}: the baseline has no valid `version`", hint=_suggest_rewrite(name))
    if version > BASELINE_VERSION:
        fault = f"the baseline has version {str(version)[:20]}, and this mcp-contracts reads {BASELINE_VERSION}"
        raise ConfigurationError(f"{name}: {fault}", hint=f"update mcp-contracts, or {_suggest_rewrite(name)}")


def _suggest_rewrite(name: str) -> str:
    return f"write it again with `mcp-contracts lint --write-baseline {name}`"


def _foreign(name: str, why: str) -> ConfigurationError:
    hint = "`mcp-contracts lint --write-baseline FILE` writes one"
    return ConfigurationError(f"{name}: not a baseline of mcp-contracts: {why}", hint=hint)


def _read_finding(item: object, at: int, name: str) -> KnownFinding:
    where = f"{name}: `findings[{at}]`"
    if not isinstance(item, dict):
        raise ConfigurationError(f"{where} is not an object", hint=_suggest_rewrite(name))
    for key in ("path", "code", "message"):
        if not isinstance(item.get(key), str) or not item[key]:
            raise ConfigurationError(f"{where} has no valid `{key}`", hint=_suggest_rewrite(name))
    for key in ("tool", "part", "pointer"):
        if not isinstance(item.get(key), str | None):
            raise ConfigurationError(f"{where} has no valid `{key}`", hint=_suggest_rewrite(name))
    if not _CODE.fullmatch(item["code"]):
        raise ConfigurationError(f"{where} has no valid rule code: {quote(item['code'])}", hint=_suggest_rewrite(name))
    if item.get("part") not in _PARTS:
        raise ConfigurationError(f"{where} has an unknown `part`: {quote(item['part'])}", hint=_suggest_rewrite(name))
    return KnownFinding(
        item["path"], item.get("tool"), item["code"], item.get("part"), item.get("pointer"), item["message"]
    )
