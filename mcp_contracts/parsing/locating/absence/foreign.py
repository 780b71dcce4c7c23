"""Recognizes denials of tools in languages other than English."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.absence.certainty import CLEAR, PLAIN, SILENT, VAGUE
from mcp_contracts.parsing.locating.absence.vocabulary import names_of
from mcp_contracts.parsing.locating.other_languages import TOOLS, names_tools

_AGENTS = r"(?:agent(?:en|ów|om|er|ar|es?|i|s)?|LLMs?|KI|IA|агент\w*|MCP)\b|エージェント|智能体|智能體|代理|에이전트"
_OFFERED = re.compile(rf"\b{_AGENTS}", re.IGNORECASE)
"""The words for agents, and for what serves them."""
_BORROWED = re.compile(r"\b(?:MCP[ -]?)?tools?\b", re.IGNORECASE)
"""The English word for tools, which other languages use as well."""
_NOTHING = re.compile(
    r"\b(?:nichts|rien|nada|nulla|niente|niets|nic|ingenting|intet|ничего|нічого)\b|ものはあり|没有任何|沒有任何",
    re.IGNORECASE,
)
_OFFERS = re.compile(
    r"\b(?:предостав|доступ|expo[nrst]|expõe|ofrec|ofere|offr|fourni|propos|biete|bereit|verfügbar|zugänglich|aufruf"
    r"|disponi|accessib|acces[ií]|invoc|appel|beschikbaar|aanroep|toegankelijk|udostępni|dostępn|tillgäng|tilg[jæ])|提供"
    r"|公开|公開|暴露|呼び出|呼出|利用でき|调用|제공|노출",
    re.IGNORECASE,
)
_OF_MODULE = re.compile(
    r"modul|mód|pa[kqc]+[ui]?et|pacote|pacchetto|librer|bibliot|модул|пакет|библиот|funkt|fonction|func|funzion|funç"
    r"|функц|\b(?:hier|ici|aquí|aqui|qui|здесь)\b|本|この|该|此|ここ|モジュール|パッケージ|模块|包",
    re.IGNORECASE,
)
"""The words for modules and functions."""
_ENGLISH = re.compile(
    r"\b(?:the|this|these|those|they|it|its|with|has|have|does|you|that|which|there|only|not|our|and|when|if|for"
    r"|from|are|each|every|must|can|no\s(?:MCP|tools?))\b|n[’']t\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:n[’'](?:a|ont|offre|expose|existe) (?:\w+ )?plus|ne \w+ (?:\w+ )?plus|verzicht\w*|kein\w*|non(?!-)|sin"
    r"|nicht|nichts|ohne|aucun\w*|pas|rien|sans|néant|nul(?:le)?|ning[uú]n\w*|nada|nenhum\w*|não|nao|sem|nessun\w*"
    r"|niente|nulla|senza|geen|niet|niets|zonder|nie|nic|brak|żadn\w*|bez|ingen|inga|inget|ingenting|inte|intet|ikke"
    r"|utan|uden|uten|není|nu|žádn\w*|nincs\w*|yok\w*|değil|\w+m[ıiuü]yor|\w+maz|\w+mez|no (?:hay|hi ha|té|son|se"
    r"|tiene\w*|ofrece\w*|expon\w+|define\w*|registra\w*|existe\w*|incluye\w*|proporciona\w*)|carec\w+|falta\w*|fehl(?:t|en)"
    r"|entfällt|dépourvue?s?|dénuée?s?|manqu\w+|priv[aoie] di|manca\w*|ontbre\w+|saknar|ei|eivät|nem|nicio|niciun"
    r"|niciuna|fără|δεν|κανένα|καμία|χωρίς|žiadn\w*|nemá|neposkytuj\w*|nenabí\w*|neponúk\w*|nema|nėra|engin|ekki|belum"
    r"|mangler|не|нет|нету|без|ничего|ничто|отсутству\w*|никак\w*|немає|нічого|tidak|tanpa|không)\b|ません|ない|なし|無し|ありませ"
    r"|没有|沒有|不(?![限仅僅同受变變断])|无|無|未|없|않|아니|لا |ليس|नहीं|אין|אינו|אינה|לא |ללא|بدون|ندارد|نیست|هیچ|ไม่",
    re.IGNORECASE,
)
_PURPOSE = r"(?:para|pour|per|zum|zur|für|um|om|voor|för|til|for|do|для|чтобы|d[eio]|d[eao]l|da|d[’']|des|à)"
_GENERAL = (
    r"(?:[\w’']+ ){0,2}?(?:rådighed|disposition|disposición|disposição|disposizione|Verfügung|beschikking"
    r"|[\w’']*(?:modul|mód|módul|paket|paquete?t?|pacote|pacchetto|pakket|librer|bibliot|agent|модул|пакет|агент)\w*"
    r"|LLMs?|KI|IA|MCP|diese\w*|esto|ello|isto|cela|questo|dit|это\w*)"
)
_ACCESS = re.compile(
    rf"\b(?:Zugriff auf|Zugang zu|accès à|acceso a|acesso a|accesso a|toegang tot|доступа? к) {_GENERAL}",
    re.IGNORECASE,
)
_REMOVED = re.compile(
    rf"(?:\b(?:alle|sämtliche|die|todas las|todas as|las|as|(?:tous )?les|tutti gli|gli|de|все|wszystkie|alla|os"
    rf"|los)\s(?:MCP-)?(?:{TOOLS.pattern}|tools)(?: MCP)?(?: (?:de |do |di |van |des )?{_GENERAL})? (?:(?:wurden|sind"
    rf"|ont été|sont|han sido|fueron|foram|sono stat[ie]|zijn"
    r"|werden|были|zostały|har)\b|se )[^.;]{0,60}(?:entfernt|entfallen|gestrichen|gelöscht|abgeschafft|supprimés?"
    r"|retirés?|elimin\w+|retir\w+|suprim\w+|removid|rimoss|verwijderd|удален|удалён|usunięte|tagits bort)|\b(?:sind"
    r"|wurden|werden) (?:alle|sämtliche|die) (?:MCP-)?(?:Werkzeuge|Tools) [^.;]{0,60}(?:entfernt|entfallen|gestrichen"
    r"|gelöscht)|ツールは?(?:すべて|全て)?[^。]{0,20}(?:削除|廃止)され|工具(?:均|都|全部)?已(?:经|經)?(?:全部)?(?:移除|删除|刪除))",
    re.IGNORECASE,
)
"""A statement that all tools were removed."""
_STATED = (
    r"(?:est|ist|sind|wird|werden|wurden?|vorhanden|verfügbar|está\w*|estão|é|são|foi|foram|fueron|è|sono|viene|is"
    r"|zijn|wordt|worden|beschikbaar|disponi\w+|sont|a été|ont été|ha sido|han sido|se|in|im|en|em|dans|hier|aquí|aqui"
    r"|qui|ici|bereit|liegen|befinden|registr\w+|defini\w+|expuest\w+|exposé\w*|MCP|d[eiou]\w*|для)\b"
)
"""What follows the word for tools in a statement of whether they exist, or where."""
_OF_OTHERS = re.compile(
    r"\b(?:weitere\w*|andere\w*|übrige\w*|sonstige\w*|zusätzliche\w*|autres?|supplémentaires?|otr[ao]s?|adicional\w*"
    r"|outr[ao]s?|adicionais|altr[oiaie]|ulteriori|overige|extra|meer|andra|fler|andre|flere|inn[aey]\w*|друг\w+"
    r"|остальн\w+|inszych)\b",
    re.IGNORECASE,
)
_OTHER_TOOLS = re.compile(
    rf"(?:{_OF_OTHERS.pattern}) (?:MCP[ -])?(?:{TOOLS.pattern})|(?:{TOOLS.pattern})(?: MCP)? (?:{_OF_OTHERS.pattern})",
    re.IGNORECASE,
)
_OF_SOME = re.compile(
    rf"{_OF_OTHERS.pattern}|\b(?:dafür|hierfür|dazu|pour (?:cela|ça)|para (?:ello|eso|isso)|per questo|daarvoor"
    r"|mehr Tools)\b|\b(?:das|dieses|dem) (?:MCP-)?Tool\b|\bl[’']outil\b"
    r"|\bkein (?:MCP-)?(?:Tool|Werkzeug) (?:entgegen|ab|an|aus|vor|ein|durch)\b"
    r"|\b(?:med något|med noget|con ningun[ao]?|avec aucun|mit keinem|con nessuno?) (?:MCP-)?"
    r"(?:Tool|Werkzeug|verktyg|værktøj|herramienta|outil|strumento)\b"
    rf"|\b(?:la|il|lo|het) (?:herramienta|strumento|gereedschap|tool)\b"
    rf"|\b(?:{TOOLS.pattern}|tools?)(?: MCP)?(?:,? (?:que|qui|che|die|das|welche\w*|dat|som"
    rf"|który\w*|которы\w+)\b(?! (?:[\w’']+ ){{0,2}}?(?:{_AGENTS}))| d[’'](?!agent)|\s{_PURPOSE}\s(?!{_GENERAL}))"
    rf"|^\W*(?:für|pour|para|per|voor|для|för) (?!{_GENERAL}|l[’']instant|le moment|(?:el )?momento|ora|ahora|agora"
    rf"|nu)|^\W*(?:ohne|sans|sin|senza|sem|zonder|без) (?!{TOOLS.pattern}|MCP|tools?\b|embargo|doute)"
    r"|\bkein\w* (?!MCP|eigene|einzige|öffentliche|registrierte|aufrufbare|Agent)[a-zäöüß]+e[nrsm]? "
    rf"(?:MCP-)?(?:{TOOLS.pattern}|tools?)"
    r"|^\W*(?:kein\w*|aucune?|ning[uú]n[oa]?|nenhuma?|nessun[oa]?|geen|ни один) "
    rf"(?:MCP-)?(?:{TOOLS.pattern}|tool)(?: MCP)? (?:ne |n[’'])?+(?!{_STATED})\w|^\W*(?:die|das|diese|les|ces|las|los"
    rf"|estas|le|gli|queste|de|deze|as|os|эти|all[eo]) (?:MCP-)?(?:{TOOLS.pattern}|tools?)(?: MCP)? (?:ne |n[’']|não "
    rf"|no |non )?+(?!{_STATED})\w|工具(?:不会|不能|不得|均不)"
    r"|(?:他の|ほかの|以外|その他|其他|其它|別の|다른)|用の ?(?:MCP ?)?ツール"
    r"|[^。、](?<!モジュール)(?<!パッケージ)(?<!ライブラリ)(?<!公開)(?<!ト)(?<!ト向け)(?<![IM]向け)の ?ツール"
    r"|(?<!公開)(?<!提供)(?<!登録)(?<!定義)(?<!利用)する(?:ための)?ツール|用于[^，。]{1,12}的?工具|(?:没有|沒有|无|無)(?!任何|对外|對外|可|公开|公開|MCP|注册|提供"
    r"|一个|向|为|工具)[^，。 ]{1,8}工具|(?:(?<!에이전트)(?<![IM])(?<!공개)용|하는|위한) ?도구",
    re.IGNORECASE,
)
"""A denial of other tools, or of those for a purpose, of a kind, or that do something."""


def denies(text: str) -> bool:
    """Whether text contains a negation in another language."""
    return _DENIED.search(text) is not None


def names_anything_offered(text: str) -> bool:
    """Whether text in another language mentions tools, agents or MCP."""
    if names_tools(text):
        return True
    if _BORROWED.search(text) is None:
        if _OFFERED.search(text) is None:
            return False
        is_of_module = _OFFERS.search(text) is not None and _OF_MODULE.search(text) is not None
        if not is_of_module and _NOTHING.search(text) is None and _ACCESS.search(text) is None:
            return False
    return _ENGLISH.search(text) is None


def denies_tools(sentence: str) -> bool:
    """Whether a sentence in another language denies tools, other than those for a purpose."""
    if not names_anything_offered(sentence):
        return False
    if _REMOVED.search(sentence) is not None:
        return True
    return denies(sentence) and not is_of_some(sentence)


def denial_in(sentence: str, own: frozenset[str]) -> int:
    """Return how certainly a sentence in another language denies the tools of a module with these names."""
    if not denies_tools(sentence):
        return VAGUE if denies(sentence) else SILENT
    if names_other_module(sentence, own):
        return VAGUE
    first = sentence.partition(";")[0]
    is_of_module = _THIS_MODULE.match(first) is not None or _NONE_HERE.match(first) is not None
    if len(first) <= _SHORT and is_of_module and denies_tools(first):
        return PLAIN
    if _REMOVED.search(sentence) is not None or _LABELED.fullmatch(sentence) is not None:
        return PLAIN
    is_of_agents = _MODULE_OR_AGENT.search(sentence) is not None and _ENGLISH.search(sentence) is None
    return PLAIN if len(sentence) <= _SHORT and is_of_agents else CLEAR


_LABELED = re.compile(
    rf"\W*(?:MCP[ -])?(?:{TOOLS.pattern}|tools)(?:[ -]MCP)? ?[:：] ?(?:néant|aucun\w*|kein\w*|ning\w+|žádn\w+"
    r"|nessun\w*|nenhum\w*|geen|brak|ingen|inga|нет|なし|无|無|없음)\W*",
    re.IGNORECASE,
)


def names_other_module(sentence: str, own: frozenset[str]) -> bool:
    """Whether a sentence in another language is about a module with a name that is not among the given words."""
    found = _NAMED_MODULE.search(sentence)
    return found is not None and not own.issuperset(names_of(found[1])) and _ENGLISH.search(sentence) is None


_SHORT = 90
_MODULE_OR_AGENT = re.compile(
    r"modul|mód|pa[kqc]+[ui]?et|pacote|pacchetto|bibliot|agent|ágens|ügynök|модул|пакет|библиот|агент|ενότητα|πράκτορ"
    r"|מודול|סוכנ|モジュール|パッケージ|エージェント|模块|模組|智能体|智能體|代理|모듈|에이전트|وحدة|وكلاء|moodul|moduł|\b(?:LLMs?|KI|IA)\b",
    re.IGNORECASE,
)
_NAMED_MODULE = re.compile(
    r"\b(?:modul\w*|module|módulo|modulo|paket|paquete?t?|pacote|pacchetto|модуль|пакет) ([\w./-]+)"
    r" (?:hat|bietet|stellt|a|n[’'e]|ne|no|non|não|heeft|biedt|har|ma|nie|не|nu|nem|ei)\b",
    re.IGNORECASE,
)
"""A module with a name, which may be another one: `Das Modul wetter hat`."""
_THIS_MODULE = re.compile(
    r"\W*(?:(?:dieses|das|ce|cet|le|este|el|questo|il|dit|deze|het|o|esta|cette|la|diese|bu|ten|ta|этот|это|det här"
    r"|dette) (?:módulo|module|modulo|moduł|modul\w*|модуль|paket\w*|paquete?|pacote|pacchetto|pakket|librería"
    r"|biblioteca|bibliothèque|bibliothek|libreria|bibliotheek|пакет|modülü?)|(?:本|この|该|此|当)(?:モジュール|パッケージ|模块|包|库))",
    re.IGNORECASE,
)


_NONE_HERE = re.compile(
    rf"\W*(?:sin|ohne|sans|senza|sem|keine|aucune?s?|ingen|inga|ei|geen|brak|без|нет)"
    rf" (?:{TOOLS.pattern})(?=\W*$|\s*[:.,;])|"
    r"\W*(?:es gibt hier keine|hier gibt es keine|ici,? il n[’']y a (?:pas d|aucun)|aquí no hay|aqui não há"
    r"|qui non ci sono|hier zijn geen|er zijn (?:hier )?geen|es gibt keine|no hay|não há|non ci sono|nie ma|det finns"
    r" ing\w+|der er ingen|moduulissa ei ole|tässä ei ole)\b",
    re.IGNORECASE,
)


def is_of_others(sentence: str) -> bool:
    """Whether a sentence in another language is about other tools than those of the module."""
    return _OTHER_TOOLS.search(sentence) is not None


def is_of_some(sentence: str) -> bool:
    """Whether a sentence in another language is about some tools."""
    return _OF_SOME.search(sentence) is not None and _ENGLISH.search(sentence) is None
