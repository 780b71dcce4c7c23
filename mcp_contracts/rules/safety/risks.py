"""Parameters through which a call reaches a file system, a network or an interpreter."""

from __future__ import annotations

import re
from enum import Enum

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.walk import subschemas


class Risk(Enum):
    """The kind of a parameter. `article` is for "`x` is …", `question` what the security section should answer."""

    PATH = ("a path", "which paths are rejected, such as those outside the workspace")
    URL = ("a URL", "which hosts and schemes are allowed, and whether internal addresses are rejected")
    HOST = ("a host", "which hosts are allowed, and whether internal addresses are rejected")
    COMMAND = ("a command", "what may be run, with which permissions, and what is rejected")
    QUERY = ("a query", "which statements are allowed, and how values are kept out of the query's text")
    CODE = ("code", "where the code runs, and what it cannot reach")

    def __init__(self, article: str, question: str) -> None:
        self.article = article
        self.question = question


_LAST_WORDS = {
    **dict.fromkeys(("path", "paths", "file", "files", "filename", "filenames", "filepath", "filepaths"), Risk.PATH),
    **dict.fromkeys(("dir", "dirs", "directory", "directories", "folder", "folders"), Risk.PATH),
    **dict.fromkeys(("url", "urls", "uri", "uris", "href", "endpoint", "endpoints", "webhook", "webhooks"), Risk.URL),
    **dict.fromkeys(("host", "hosts", "hostname"), Risk.HOST),
    **dict.fromkeys(("command", "commands", "cmd", "shell", "argv", "bash"), Risk.COMMAND),
    **dict.fromkeys(("sql", "cypher", "jql", "soql", "graphql", "xpath"), Risk.QUERY),
    **dict.fromkeys(("script", "scripts", "eval"), Risk.CODE),
}
"""The last word of a name decides: `repo_path` is a path, `path_count` is not."""

_KINDS_OF_CODE = frozenset(("source", "python", "js", "javascript", "shell", "program", "generated"))
_PARTS_OF_CODE = frozenset(("snippet", "block", "string", "text", "content", "body"))
_OTHER_CODE = (
    r"(?i)\b(?:access|activation|auth\w*|confirmation|country|coupon|currency|discount|error|exit|invite|invitation|"
    r"language|location|one-time|postal|product|promo\w*|response|status|time zone|verification|zip) codes?\b"
)
_IN_DESCRIPTION = (
    (Risk.PATH, r"(?i)\b(?:file|absolute|relative|directory|folder) path\b|\bpath (?:to|of)\b"),
    (Risk.URL, r"(?i)\bURLs? (?:to|of|that|from)\b|\bURL$"),
    (Risk.COMMAND, r"(?i)\bshell command\b|\bcommand line\b|\bcommand to (?:run|execute)\b"),
    (Risk.QUERY, r"(?i)\b(?:SQL|Cypher|GraphQL|SPARQL|database) (?:query|statement)\b"),
    (
        Risk.CODE,
        r"(?i)\b(?:python|javascript|source|program) code\b|\bcode to (?:run|execute)\b",
    ),
)
_LANGUAGE = r"(?i)\b(?:sql|database|cypher|graphql|sparql|execut\w+|evaluat\w+|jinja2?|interpret\w+)\b"
_OPEN_LANGUAGES = {
    "query": Risk.QUERY,
    "queries": Risk.QUERY,
    "statement": Risk.QUERY,
    "expression": Risk.CODE,
    "formula": Risk.CODE,
    "template": Risk.CODE,
}
"""Words that mean a risk only if the description says that a language is executed, because most queries are search
words."""


def risky_parameters(schema: JsonValue) -> list[tuple[str, Risk]]:
    """Return the risky parameters of an input schema, including nested ones, by name, in order."""
    found: dict[str, Risk] = {}
    for node in subschemas(schema):
        if node.role == "property" and node.name is not None and node.name not in found:
            risk = _risk(node.name, node.value)
            if risk is not None:
                found[node.name] = risk
    return list(found.items())


def _risk(name: str, schema: dict[str, JsonValue]) -> Risk | None:
    if not _holds_text(schema):
        return None
    described = schema.get("description")
    description = described if isinstance(described, str) else ""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
    if not words:
        return None
    last = words[-1]
    if last == "name" and len(words) > 1 and words[-2] in ("file", "dir", "directory", "folder", "path"):
        return Risk.PATH
    if last in _LAST_WORDS:
        return _LAST_WORDS[last]
    if schema.get("format") in ("uri", "url", "uri-reference", "iri"):
        return Risk.URL
    if last == "code" and (not re.search(_OTHER_CODE, description) if len(words) == 1 else words[-2] in _KINDS_OF_CODE):
        return Risk.CODE
    if words[0] == "code" and last in _PARTS_OF_CODE:
        return Risk.CODE
    if last in _OPEN_LANGUAGES and re.search(_LANGUAGE, description):
        return _OPEN_LANGUAGES[last]
    return next((risk for risk, pattern in _IN_DESCRIPTION if re.search(pattern, description)), None)


def _holds_text(schema: dict[str, JsonValue]) -> bool:
    """Whether any text is allowed here: not a number, a flag, a choice, or a short or patterned code."""
    types = schema.get("type")
    items = schema.get("items")
    if isinstance(items, dict) and types == "array":
        return _holds_text(items)
    allowed = types if isinstance(types, list) else [types]
    if types is not None and "string" not in allowed:
        return False
    length = schema.get("maxLength")
    if isinstance(length, (int, float)) and length <= 8:
        return False
    return not any(keyword in schema for keyword in ("enum", "const"))
