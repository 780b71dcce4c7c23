"""Words for tools in languages other than English."""

from __future__ import annotations

from mcp_contracts import lazy_re as re

TOOLS = re.compile(
    r"\b(?:(?:MCP-)?werkzeuge?n?|outils?|herramientas?|ferramentas?|strument[oi]|gereedschap\w*|hulpmiddel\w*"
    r"|narzędzi\w*|verktyg\w*|værktøj\w*|verktøy\w*|työkalu\w*|nástroj\w*|eszköz\w*|araç\w*|aracı|инструмент\w*|instrumente"
    r"|niciun instrument|unelte\w*|eines|алат\w*|orodj\w*|tööriist\w*|rīk\w*|įrank\w*"
    r"|інструмент\w*|alat\w*|công cụ)\b|εργαλεί|ابزار|เครื่องมือ|ツール|工具|도구|툴|أدوات|أداة|टूल|उपकरण|כלים",
    re.IGNORECASE,
)
"""The word for tools."""
_IN_ASCII = (
    *(
        "werkzeug",
        "outil",
        "herramienta",
        "ferramenta",
        "strument",
        "gereedschap",
        "hulpmiddel",
        "verktyg",
        "alat",
        "unelt",
        "eines",
    ),
    *("orodj", "nastroj", "narzedzi", "araci"),
)
"""If ASCII text contains a word for tools, it contains one of these."""
TITLE_OF_TOOLS = re.compile(
    rf"(?:MCP[ -]?)?(?:{TOOLS.pattern})(?: ?(?:名[称稱]?|이름|명|名前)| MCP)?(?: \((?:MCP[ -])?tools?\))?"
    r"(?: (?:für|pour|para|per|voor|för|dla|для|pro) (?:MCP|(?:les |los |os |gli )?agent\w*))?",
    re.IGNORECASE,
)
"""The title of a column with the names of tools."""
DISABLED = re.compile(
    r"未启用|未注册|未实现|已?禁用|已?停用|已?弃用|已移除|计划中|未啟用|停用|無効|廃止|未実装|予定|비활성|미구현|예정|폐기"
    r"|\b(?:deaktiviert|inaktiv|geplant|entfernt|veraltet|désactivé|inactif|prévu|supprimé|obsol[eè]t|deshabilitad"
    r"|desactivad|desativad|inactiv|inativ|planead|planejad|previst|eliminad|removid|disattivat|disabilitat|inattiv"
    r"|rimoss|uitgeschakeld|gepland|verwijderd|wyłączon|planowan|usunięt|отключ[её]н|неактивн|entfall|планиру|удал[её]нн"
    r"|устаревш|вимкнен|запланован|devre dışı|planlan)\w*",
    re.IGNORECASE,
)
"""Words for tools that are not, or not yet, offered."""


def names_tools(text: str) -> bool:
    """Whether text contains the word for tools in another language."""
    may_name = not text.isascii() or any(map(text.lower().__contains__, _IN_ASCII))
    return may_name and TOOLS.search(text) is not None
