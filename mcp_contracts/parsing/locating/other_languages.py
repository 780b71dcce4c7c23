"""The word for tools in languages other than English."""

from __future__ import annotations

from mcp_contracts import lazy_re as re

TOOLS = re.compile(
    r"\b(?:(?:MCP-)?werkzeuge?n?|outils?|herramientas?|ferramentas?|strument[oi]|gereedschap\w*|hulpmiddel\w*"
    r"|narzędzi\w*|verktyg\w*|værktøj\w*|verktøy\w*|työkalu\w*|nástroj\w*|eszköz\w*|araç\w*|araçlar\w*|инструмент\w*"
    r"|інструмент\w*|alat|công cụ)\b|ツール|工具|도구|أدوات|أداة|टूल|उपकरण|כלים",
    re.IGNORECASE,
)
"""The word for tools."""
_IN_ASCII = (
    *("werkzeug", "outil", "herramienta", "ferramenta", "strument", "gereedschap", "hulpmiddel", "verktyg", "alat"),
)
"""If ASCII text contains a word for tools, it contains one of these."""
TITLE_OF_TOOLS = re.compile(rf"(?:MCP[ -]?)?(?:{TOOLS.pattern})(?: ?(?:名称?|이름|명|名前))?", re.IGNORECASE)
"""The title of a column with the names of tools."""


def names_tools(text: str) -> bool:
    """Whether text contains the word for tools in another language."""
    may_name = not text.isascii() or any(map(text.lower().__contains__, _IN_ASCII))
    return may_name and TOOLS.search(text) is not None
