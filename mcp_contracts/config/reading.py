"""Read a configuration: check every key and value, and report errors with file, key and fix."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence, Sized
from datetime import date
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, cast

from mcp_contracts import lazy_re as re
from mcp_contracts.config import model
from mcp_contracts.config.files import ConfigFile, find_config_file, read_config_file
from mcp_contracts.config.wording import quote
from mcp_contracts.diagnostics import Place, RuleInfo, RuleSelection, Severity
from mcp_contracts.errors import ConfigurationError
from mcp_contracts.records import dataclass
from mcp_contracts.rule_names import nearest, rule_prefix, rule_suggestion

if TYPE_CHECKING:
    from mcp_contracts.change import Level, Policy

MAXIMUM_PATTERN_LENGTH = 500
MAXIMUM_ENTRIES = 1000
"""Maximum number of entries in a list of the configuration, and of globs in the whole configuration."""
LARGEST_FILE_SIZE = 20_000_000
"""The maximum of `limits.max_file_size` in bytes: a project must not exhaust the machine's memory."""
LARGEST_COUNT = 1_000_000_000
_KEYS = (
    *("paths", "exclude", "select", "extend_select", "ignore", "severity", "overrides", "name_pattern", "targets"),
    *("limits", "max_warnings", "fail_on", "suppressions", "baseline", "diff"),
)
_LIMITS = {"max_file_size": LARGEST_FILE_SIZE, "description_length": LARGEST_COUNT}
_OVERRIDE_KEYS = ("paths", "select", "ignore", "severity")
_SUPPRESSION_KEYS = ("code", "tool", "pointer", "path", "reason", "until")
_SEVERITIES = tuple(severity.value for severity in Severity)
_DIFF_KEYS = ("policy", "against", "levels")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def load_config(
    start: Path,
    *,
    known: Mapping[str, str],
    changes: Callable[[], Sequence[RuleInfo]] = tuple,
    file: Path | None = None,
) -> model.Config:
    """Load the configuration for a file or folder, or from a given file.

    `known` maps the code of every rule to its name; `changes` returns the change rules, and is only called if the
    configuration mentions one. Without a configuration, all values are the defaults. Raises ConfigurationError, which
    names file and key, if the file cannot be read or is invalid.
    """
    found = find_config_file(start) if file is None else read_config_file(file)
    if found is None:
        folder = Path(os.path.abspath(start))
        return model.Config(None, folder if os.path.isdir(start) else folder.parent)
    return Reader(found, known, changes).config()


@dataclass(frozen=True, slots=True)
class Reader:
    """Converts the plain values of a file to a Config; see `load_config` for `known` and `changes`."""

    file: ConfigFile
    known: Mapping[str, str]
    changes: Callable[[], Sequence[RuleInfo]] = tuple

    def config(self) -> model.Config:
        values = self.table(self.file.values, "", _KEYS)
        limits = self.table(values.get("limits", {}), "limits", tuple(_LIMITS))
        warnings = values.get("max_warnings")
        config = model.Config(
            path=self.file.path,
            root=self.file.path.parent,
            paths=self.strings(values, "paths"),
            exclude=self.globs(values, "exclude"),
            rules=self.rules(values),
            overrides=tuple(self.override(*item) for item in self.items(values, "overrides")),
            name_pattern=self.pattern(values, "name_pattern"),
            targets=tuple(self.choice(*item, _target_names()) for item in self.items(values, "targets")),
            limits=model.Limits(
                **{key: self.integer(value, f"limits.{key}", 1, _LIMITS[key]) for key, value in limits.items()}
            ),
            max_warnings=None if "max_warnings" not in values else self.integer(warnings, "max_warnings", 0),
            fail_on=Severity(self.choice(values.get("fail_on", Severity.ERROR), "fail_on", _SEVERITIES)),
            suppressions=tuple(
                self.suppression(*item, self.line_of_suppression(index))
                for index, item in enumerate(self.items(values, "suppressions"))
            ),
            baseline=self.string(values["baseline"], "baseline") if "baseline" in values else None,
            diff=self.diff(values.get("diff", {})),
        )
        if len(config.exclude) + sum(len(one.paths) for one in config.overrides) > MAXIMUM_ENTRIES:
            raise self.error(f"`exclude` and `overrides` contain more than {MAXIMUM_ENTRIES:,} globs")
        return config

    def error(self, fault: str, hint: str | None = None) -> ConfigurationError:
        return ConfigurationError(f"{self.file.name}: {fault}", hint=hint)

    def type_error(self, key: str, value: object, expected: str, hint: str | None = None) -> ConfigurationError:
        return self.error(f"`{key}` must be {expected}, not {_kind(value)}", hint)

    def table(self, value: object, key: str, keys: Sequence[str], required: Sequence[str] = ()) -> Mapping[str, Any]:
        """Return a table with known keys, which may contain `-` instead of `_`."""
        if not isinstance(value, Mapping):
            raise self.type_error(key, value, "a table")
        values: dict[str, Any] = {}
        for written, item in value.items():
            name = str(written).replace("-", "_")
            if name not in keys:
                meant = nearest(name, keys)
                hint = f"did you mean `{meant}`?" if meant else f"the valid keys are {', '.join(keys)}"
                raise self.error(f"unknown key {quote(_join(key, written))}", hint)
            if name in values:
                raise self.error(f"`{_join(key, name)}` is given twice, with `_` and with `-`")
            values[name] = item
        for name in required:
            if name not in values:
                raise self.error(f"`{_join(key, name)}` is missing")
        return values

    def items(self, values: Mapping[str, Any], name: str, key: str = "") -> list[tuple[Any, str]]:
        """Return the items of a list, each with its key; empty without a list."""
        key = _join(key, name)
        value = values.get(name, [])
        if not isinstance(value, list):
            is_short = isinstance(value, str) and len(value) < 100
            hint = f"write `[{json.dumps(value, ensure_ascii=False)}]`" if is_short else None
            raise self.type_error(key, value, "a list", hint)
        self.check_size(value, key)
        return [(item, f"{key}[{index}]") for index, item in enumerate(value)]

    def check_size(self, value: Sized, key: str) -> None:
        if len(value) > MAXIMUM_ENTRIES:
            raise self.error(f"`{key}` has {len(value):,} entries, over the limit of {MAXIMUM_ENTRIES:,}")

    def line_of_suppression(self, index: int) -> int:
        lines = self.file.suppression_lines
        return lines[index] if index < len(lines) else 1

    def string(self, value: object, key: str) -> str:
        if not isinstance(value, str):
            raise self.type_error(key, value, "a string")
        if not value.strip():
            raise self.error(f"`{key}` is empty")
        return value

    def strings(self, values: Mapping[str, Any], name: str, key: str = "") -> tuple[str, ...]:
        return tuple(self.string(*item) for item in self.items(values, name, key))

    def choice(self, value: object, key: str, choices: Sequence[str]) -> str:
        word = self.string(value, key)
        if word not in choices:
            meant = nearest(word, choices)
            hint = f"did you mean `{meant}`?" if meant else f"write one of {', '.join(choices)}"
            raise self.error(f"`{key}` is {quote(word)}, expected one of {', '.join(choices)}", hint)
        return word

    def integer(self, value: object, key: str, minimum: int, maximum: int = LARGEST_COUNT) -> int:
        if isinstance(value, float) and value.is_integer():  # like JSON Schema, accept 5.0 as an integer
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.type_error(key, value, "an integer")
        if value < minimum:
            raise self.error(f"`{key}` is {str(value)[:20]}, which is less than {minimum}")
        if value > maximum:
            raise self.error(f"`{key}` is {str(value)[:20]}, which is more than {maximum}")
        return value

    def globs(self, values: Mapping[str, Any], name: str, key: str = "") -> tuple[str, ...]:
        return tuple(self.glob(*item) for item in self.items(values, name, key))

    def glob(self, value: object, key: str) -> str:
        from mcp_contracts.files.globs import GlobError  # many projects have none

        pattern = self.string(value, key)
        try:
            model.compile_globs((pattern,))
        except GlobError as error:
            raise self.error(f"`{key}` is not a gitignore-style glob: {quote(pattern)}: {error}") from error
        return pattern

    def pattern(self, values: Mapping[str, Any], name: str) -> str | None:
        if name not in values:
            return None
        pattern = self.string(values[name], name)
        if len(pattern) > MAXIMUM_PATTERN_LENGTH:
            raise self.error(f"`{name}` is longer than {MAXIMUM_PATTERN_LENGTH} characters")
        from mcp_contracts.schema.validation.name_patterns import pattern_fault  # few projects have their own pattern

        fault = pattern_fault(pattern)
        if fault is not None:
            raise self.error(f"`{name}` is not a usable regular expression: {fault}")
        return pattern

    def rule(self, word: str, key: str) -> str:
        prefix = rule_prefix(word, self.known)
        if prefix is None:
            raise self.error(f"`{key}` names an unknown rule {quote(word)}", rule_suggestion(word, self.known))
        return prefix

    def rule_list(self, values: Mapping[str, Any], name: str, key: str) -> tuple[str, ...]:
        return tuple(self.rule(self.string(*item), item[1]) for item in self.items(values, name, key))

    def rules(self, values: Mapping[str, Any], key: str = "") -> RuleSelection:
        """Return the selection of a table. `off` ignores a rule, unless the table sets a level for a longer prefix."""
        select = self.rule_list(values, "select", key)
        extend_select = self.rule_list(values, "extend_select", key)
        ignore = self.rule_list(values, "ignore", key)
        levels = self.levels(values.get("severity", {}), _join(key, "severity"))
        off = [code for code, level in levels if level == "off"]
        severity = tuple((code, Severity(level)) for code, level in levels if level != "off")
        kept = [code for code, _ in severity if model.is_covered(code, off) and not model.is_covered(code, ignore)]
        if select:
            kept = [code for code in kept if model.is_covered(code, (*select, *extend_select))]
        return RuleSelection(select, (*extend_select, *kept), (*ignore, *off), severity)

    def levels(self, value: object, key: str) -> list[tuple[str, str]]:
        entries = self.entries(value, key, "rules and their severities")
        return [(self.rule(word, where), self.level(level, where)) for word, where, level in entries]

    def entries(self, value: object, key: str, what: str) -> list[tuple[str, str, object]]:
        if not isinstance(value, Mapping):
            raise self.type_error(key, value, f"a table of {what}")
        self.check_size(value, key)
        return [(str(word), f"{key}.{word}", level) for word, level in value.items()]

    def level(self, value: object, key: str) -> Level:
        from mcp_contracts.change import LEVELS  # severities, and `off`

        return cast("Level", self.choice(value, key, LEVELS))

    def diff(self, value: object) -> model.DiffOptions:
        from mcp_contracts.change import POLICIES

        values = self.table(value, "diff", _DIFF_KEYS)
        return model.DiffOptions(
            policy=cast("Policy", self.choice(values.get("policy", "declared"), "diff.policy", POLICIES)),
            against=self.string(values["against"], "diff.against") if "against" in values else None,
            levels=self.change_levels(values.get("levels", {}), "diff.levels"),
        )

    def change_levels(self, value: object, key: str) -> tuple[tuple[str, Level], ...]:
        entries = self.entries(value, key, "changes and their levels")
        return tuple((self.change(word, key), self.level(level, where)) for word, where, level in entries)

    def change(self, word: str, key: str) -> str:
        """Return the code or code prefix of changes that can break or be undecided."""
        infos = self.changes()
        known = {info.code: info.name for info in infos}
        prefix = rule_prefix(word, known)
        if prefix is None:
            hint = rule_suggestion(word, known)
            if rule_prefix(word, self.known) is not None:
                hint = "for a rule of `lint`, set `severity`"
            raise self.error(f"`{key}` names an unknown change {quote(word)}", hint)
        if all(info.severity is Severity.NOTE for info in infos if info.code.startswith(prefix)):
            hint = "only breaking and unknown changes have a level"
            raise self.error(f"`{key}` gives a level to {quote(word)}, which never breaks", hint)
        return prefix

    def override(self, value: object, key: str) -> model.Override:
        values = self.table(value, key, _OVERRIDE_KEYS, ("paths",))
        paths = self.globs(values, "paths", key)
        if not paths:
            raise self.error(f"`{key}.paths` is empty")
        return model.Override(paths, self.rules(values, key))

    def suppression(self, value: object, key: str, line: int) -> model.ConfiguredSuppression:
        values = self.table(value, key, _SUPPRESSION_KEYS, ("code", "reason"))
        given = {name: self.string(item, f"{key}.{name}") for name, item in values.items() if name != "until"}
        if not given.get("pointer", "/").startswith("/"):
            raise self.error(f"`{key}.pointer` is not a JSON pointer", "write it as reports show it: `/properties/x`")
        if "path" in given:
            self.glob(given["path"], f"{key}.path")
        return model.ConfiguredSuppression(
            code=self.rule(given["code"], f"{key}.code"),
            reason=given["reason"],
            place=Place(self.file.name, line, 1, line, 1),
            root=str(self.file.path.parent),
            tool=given.get("tool"),
            pointer=given.get("pointer"),
            path=given.get("path"),
            until=self.day(values["until"], f"{key}.until") if "until" in values else None,
        )

    def day(self, value: object, key: str) -> date:
        if type(value) is date:  # TOML has a date type; a date with a time is a subclass
            return value
        text = self.string(value, key)
        try:
            return date.fromisoformat(text if _DATE.fullmatch(text) else "")
        except ValueError as error:
            raise self.error(f"`{key}` is not a date: {quote(text)}", "write it as 2027-03-01") from error


def _join(key: str, name: object) -> str:
    return f"{key}.{name}" if key else str(name)


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    kinds = ((NoneType, "empty"), (int | float, "a number"), (str, "a string"), (list, "a list"), (Mapping, "a table"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "a date or time")


def _target_names() -> Sequence[str]:
    from mcp_contracts.providers.limits.table import TARGET_NAMES  # the limits of all providers

    return TARGET_NAMES
