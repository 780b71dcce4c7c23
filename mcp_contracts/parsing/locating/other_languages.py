"""Words for tools, and sentences that deny having any, in languages other than English."""

from __future__ import annotations

from mcp_contracts import lazy_re as re

TOOLS = re.compile(
    r"\b(?:(?:MCP-)?werkzeuge?n?|outils?|herramientas?|ferramentas?|strument[oi]|gereedschap\w*|hulpmiddel\w*"
    r"|narzędzi\w*|verktyg\w*|værktøj\w*|verktøy\w*|työkalu\w*|nástroj\w*|eszköz\w*|araç\w*|araçlar\w*|инструмент\w*"
    r"|інструмент\w*|alat|công cụ)\b|ツール|工具|도구|툴|أدوات|أداة|टूल|उपकरण|כלים",
    re.IGNORECASE,
)
"""The word for tools."""
_IN_ASCII = (
    *("werkzeug", "outil", "herramienta", "ferramenta", "strument", "gereedschap", "hulpmiddel", "verktyg", "alat"),
)
"""If ASCII text contains a word for tools, it contains one of these."""
TITLE_OF_TOOLS = re.compile(rf"(?:MCP[ -]?)?(?:{TOOLS.pattern})(?: ?(?:名[称稱]?|이름|명|名前))?", re.IGNORECASE)
"""The title of a column with the names of tools."""
DISABLED = re.compile(
    r"未启用|未注册|未实现|已?禁用|已?停用|已?弃用|已移除|计划中|未啟用|停用|無効|廃止|未実装|予定|비활성|미구현|예정|폐기"
    r"|\b(?:deaktiviert|inaktiv|geplant|entfernt|veraltet|désactivé|inactif|prévu|supprimé|obsol[eè]t|deshabilitad"
    r"|desactivad|desativad|inactiv|inativ|planead|planejad|previst|eliminad|removid|disattivat|disabilitat|inattiv"
    r"|rimoss|uitgeschakeld|gepland|verwijderd|wyłączon|planowan|usunięt|отключ[её]н|неактивн|планиру|удал[её]нн"
    r"|устаревш|вимкнен|запланован|devre dışı|planlan)\w*",
    re.IGNORECASE,
)
"""Words for tools that are not, or not yet, offered."""
_MCP = re.compile(r"\b(?:MCP|tools?|MCP-\w+)\b", re.IGNORECASE)
_DENIED_OR_ENGLISH = re.compile(r"\b(?:no|non|sin|ne|ei|nem|0)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:kein\w*|nicht|ohne|aucun\w*|pas|sans|ning[uú]n\w*|nenhum\w*|não|nao|sem|nessun\w*|senza|geen|niet"
    r"|zonder|nie|brak|żadn\w*|bez|ingen|inga|inget|inte|ikke|utan|uden|uten|není|nu|žádn\w*|nincs\w*|yok\w*|değil"
    r"|\w+m[ıiuü]yor|\w+maz|\w+mez|не|нет|нету|без|отсутству\w*|никак\w*|немає|tidak|tanpa|không)\b"
    r"|ません|ない|なし|無し|ありませ|没有|沒有|不|无|無|未|없|않|아니|لا |ليس|नहीं|אין",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"\W*(?:keine?s?|nichts|aucune?|rien|néant|ningun[ao]|nad[ao]|nenhum[a]?|nessun[oa]?|niente|geen|niets|brak|inga|ingen"
    r"|žádné|yok|нет|отсутствуют|немає|なし|無し|无|無|暂无|没有|없음|không có)\W*",
    re.IGNORECASE,
)
_ENGLISH = re.compile(
    r"\b(?:the|this|is|are|of|and|with|it|that|for|has|does|to|by|may|be|can|need\w*|require\w*|called|available|any|all|other"
    r"|than|you|from|when|not|should|must|yet|here|without)\b",
    re.IGNORECASE,
)
_FOREIGN = re.compile(
    r"\b(?:de|la|el|los|las|una?|que|en|del|por|para|con|les?|des|du|une|est|et|pour|dans|sur|der|die|das|und|ist|eine?"
    r"|mit|für|von|zu|auf|il|di|che|per|gli|della?|è|os|uma?|da|em|é|het|een|van|voor|na|jest|się|och|att|är|som|ett|bir"
    r"|ve|için|bu|este|să|și|pentru|den|det|og|er|på|je|se|az|egy)\b",
    re.IGNORECASE,
)
"""Words that are frequent in other languages and rare in English."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_STOP = re.compile(r"(?<=[.!?])\s|[。！？\n]")
_WORDS_TO_ONE = 5
_LONGEST = 1_000


def names_tools(text: str) -> bool:
    """Whether text contains the word for tools in another language."""
    may_name = not text.isascii() or any(map(text.lower().__contains__, _IN_ASCII))
    return may_name and TOOLS.search(text) is not None


def denies_tools(text: str, under: str) -> bool:
    """Whether text that is not in English denies having tools; `under` is the heading above it."""
    return any(
        (names_tools(sentence) and (_DENIED.search(sentence) or _DENIED_OR_ENGLISH.search(sentence)))
        or (_MCP.search(sentence) and _DENIED.search(sentence))
        or ((names_tools(under) or _MCP.search(under)) and _NOTHING.fullmatch(sentence))
        for sentence in (one[:_LONGEST] for one in _STOP.split(text))
        if _is_foreign(sentence)
    )


def _is_foreign(text: str) -> bool:
    """Whether text has few of the words that English sentences have."""
    return len(_ENGLISH.findall(text)) * _WORDS_TO_ONE <= len(_WORD.findall(text))


def is_in_another_language(sentence: str) -> bool:
    """Whether a sentence is in another script, or contains more words of other languages than English ones."""
    if any(letter > "\u0370" and letter.isalpha() for letter in sentence):
        return True
    return len(_FOREIGN.findall(sentence)) > max(len(_ENGLISH.findall(sentence)), 1)
