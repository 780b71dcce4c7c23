"""Read a YAML configuration as plain values of YAML 1.2: `off` and dates are strings, and tags are not supported."""

from __future__ import annotations

from typing import Any

import yaml

from mcp_contracts import lazy_re as re
from mcp_contracts.config.wording import quote
from mcp_contracts.errors import ConfigurationError

_MAXIMUM_DEPTH = 50
_MAXIMUM_VALUES = 50_000
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,2})?")


def yaml_values(text: str, name: str) -> tuple[dict[str, Any], tuple[int, ...]]:
    """Return the values of a document, and the line of each entry of `suppressions`.

    Raises ConfigurationError, whose message starts with `name`.
    """
    try:
        root = _compose(text, name)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        if mark and error.context_mark and mark.line > text.rstrip("\n").count("\n"):
            mark = error.context_mark  # detected at the end of the text, but the beginning is more helpful
        place = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        fault = str(error.problem or error.context)[:200]
        raise ConfigurationError(f"{name}{place}: invalid YAML: {fault}") from error
    except yaml.YAMLError as error:
        words = str(error).strip().partition("\n")[0]
        raise ConfigurationError(f"{name}: invalid YAML: {words[:200]}") from error
    if root is None:
        return {}, ()
    values = _YamlReading(name).value(root)
    if not isinstance(values, dict):
        raise ConfigurationError(
            f"{name}: not a mapping of keys", hint="write one key per line, such as `ignore: [MC305]`"
        )
    lines: tuple[int, ...] = ()
    for key, child in root.value:
        if key.value == "suppressions" and isinstance(child, yaml.SequenceNode):
            lines = tuple(item.start_mark.line + 1 for item in child.value)
    return values, lines


def _compose(text: str, name: str) -> yaml.Node | None:
    """Return the nodes of a document. Checks the depth first, because libyaml's recursion would kill the process."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    too_deep = ConfigurationError(f"{name}: nested deeper than {_MAXIMUM_DEPTH} levels")
    depth = 0
    try:
        for event in yaml.parse(text, Loader=loader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _MAXIMUM_DEPTH:
                raise too_deep
    except yaml.MarkedYAMLError as error:
        if "nesting depth" in str(error.problem):  # libyaml's own limit, met before the first event
            raise too_deep from error
        raise
    root: yaml.Node | None = yaml.compose(text, Loader=loader)
    return root


class _YamlReading:
    """Converts nodes to values and counts them, because aliases can expand a short text to a huge value."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0

    def value(self, node: yaml.Node, depth: int = 0) -> Any:
        self.count += 1
        if self.count > _MAXIMUM_VALUES or depth > _MAXIMUM_DEPTH:
            raise ConfigurationError(f"{self.name}: too many values, or nested too deeply, because of aliases")
        if isinstance(node, yaml.ScalarNode):
            return node.value if node.style else _scalar(node.value)
        if not isinstance(node, yaml.MappingNode):
            return [self.value(child, depth + 1) for child in node.value]
        values: dict[str, Any] = {}
        for key, child in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise ConfigurationError(f"{self.name}:{line}: a key is not a plain scalar")
            if key.value in values:
                raise ConfigurationError(f"{self.name}:{line}: the key {quote(key.value)} appears twice")
            values[key.value] = self.value(child, depth + 1)
        return values


def _scalar(text: str) -> Any:
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return text.lower() == "true"
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text
