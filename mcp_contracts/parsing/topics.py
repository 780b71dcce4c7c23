"""Determines the subject of headings and labels inside a tool from their words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.markdown.blocks import Block, Fence, ListBlock, Paragraph, TableBlock
from mcp_contracts.parsing.text import Line
from mcp_contracts.records import NamedTuple

_TITLES = {
    1: ("behavior", "behaviour", "行为", "行為", "動作", "動作仕様", "verhalten", "comportement", "comportamiento",
        "comportamento", "description", "purpose", "summary", "tool purpose and description", "overview",
        "what it does", "does", "about", "what", "use", "intent", "goal", "doel", "tool description",
        "purpose and description", "tool purpose", "beschreibung", "zweck", "descripción",
        "descrizione", "descrição", "objectif", "but", "描述", "说明", "功能", "用途", "説明", "описание",
        "опис", "설명", "개요", "목적", "概述",
        "açıklama", "opis", "mô tả", "deskripsi", "說明", "beschrijving"),
    3: ("parameters", "parameter", "input", "inputs", "arguments", "args", "arg", "input schema", "params",
        "input schema (parameters)", "input parameters", "takes", "accepts", "required parameters",
        "optional parameters", "request", "request parameters", "parameter schema", "parameters schema",
        "inputschema",
        "request fields", "request body", "fields", "parámetros", "paramètres", "parâmetros", "parametri",
        "schema", "json schema", "tool schema", "in", "receives", "call with", "send", "required", "optional",
        "options", "eingabe", "eingaben", "eingabeparameter", "argumente", "entrada", "entradas", "argumentos",
        "argomenti",
        "entrée", "entrées", "arguments d'entrée", "参数", "入参", "传参", "输入", "输入参数", "请求参数", "パラメータ",
        "引数", "入力", "параметры",
        "аргументы", "параметри", "입력", "입력 스키마", "매개변수", "파라미터", "인자", "인수", "入力スキーマ",
        "參數", "輸入",
        "parametreler", "girdi", "parametry", "wejście", "invoer", "tham số", "masukan", 
        "入力パラメータ", "パラメーター", "リクエスト", "リクエスト例", "入力例", "вход", "входные данные",
        "входные параметры",
        "запрос", "вхідні дані", "вхідні параметри", "запит", "요청", "입력 매개변수", "輸入參數", "請求參數",
        "đầu vào",
        "parametrar", "parametre", "indata", "vstup", "المدخلات", "المعاملات", "parâmetros de entrada",
        "parámetros de entrada", "paramètres d'entrée", "parametri di ingresso", "dane wejściowe"),
    4: ("returns", "return", "output", "outputs", "output schema", "return schema", "return value", "success",
        "response", "returns on success", "result", "output schema (return value)", "response schema", "results",
        "return type", "return values", "on success", "success response", "response format", "outputschema",
        "output format", "returned value",
        "expected fields", "expected metadata", "expected keys", "out",
        "gives", "gives back", "sends back", "yields", "answer", "answers",
        "reply", "replies", "responds", "responds with", "produces", "what it returns", "what you get",
        "what comes back", "rückgabe", "rückgabewert", "ausgabe", "devuelve", "salida", "retorna",
        "retorno", "renvoie", "retour", "retourne", "sortie", "sorties", "résultat", "restituisce",
        "risultato", "resultado",
        "respuesta", "resposta", "risposta", "réponse", "ergebnis", "antwort", "返回", "返回值", "输出",
        "返回结果", "出参", "响应", "結果",
        "戻り値", "出力", "результат", "возвращает", "повертає", "반환", "반환값", "출력", "결과", "응답",
        "返却値", "回傳",
        "回傳值", "輸出", "çıktı", "dönüş", "zwraca", "wyjście", "uitvoer", "geeft terug", "trả về", "hasil", 
        "回傳結果", "回應", "结果", "返回数据", "レスポンス", "レスポンス例", "応答", "返り値", "返却", "出力例",
        "出力スキーマ",
        "반환 값", "출력 스키마", "응답 예시", "rückgaben", "rückgabewerte", "ausgaben", "liefert", "gibt zurück",
        "ergebnisse", "antworten", "beispielantwort", "valeur de retour", "valeurs de retour", "résultats",
        "réponses",
        "exemple de réponse", "valor de retorno", "valores de retorno", "resultados", "respuestas", "salidas",
        "ejemplo de respuesta", "saída", "saídas", "respostas", "exemplo de resposta", "valore restituito",
        "valori restituiti", "valore di ritorno", "risultati", "risposte", "esempio di risposta", "resultaat",
        "resultaten", "retourneert", "antwoord", "результаты", "ответ", "формат ответа", "выходные данные",
        "возвращаемое значение", "возвращаемые значения", "пример ответа",
        "відповідь", "вихідні дані", "результати", "wynik", "wyniki",
        "odpowiedź", "dane wyjściowe", "dönüş değeri", "yanıt", "sonuç", "kết quả", "đầu ra", "phản hồi", "keluaran",
        "resultat", "svar", "returnerar", "returnerer", "výstup", "vrací", "المخرجات", "النتيجة"),
    5: ("errors", "error", "error handling", "error cases", "exceptions", "raises", "failure", "failures", "on error",
        "error codes", "error types", "error response", "returns on error", "returns on failure", "failure modes",
        "erreurs", "fehler", "errores", "errori", "erros",
        "fails", "fails if", "fails when", "fails with", "can fail", "may fail", "what can go wrong",
        "fouten", "fehlerfälle", "fehlerbehandlung", "错误", "错误处理", "错误码", "异常", "エラー", "ошибки",
        "помилки", "오류", "에러",
        "오류 처리", "錯誤", "hatalar", "błędy", "lỗi", "kesalahan"),
    6: ("idempotency", "idempotent", "idempotenz", "idempotencia", "idempotência", "idempotenza", "idempotentie",
        "идемпотентность", "幂等性", "冪等性", "trust and idempotency", "side effects", "repeating",
        "repetition", "retries", "retry", "repeat", "repeated calls", "safe to repeat", "safe to retry", "idempotence",
        "retry behaviour", "retry behavior", "retry safety"),
    7: ("example", "examples", "usage", "usage example", "usage examples", "example invocation", "example call",
        "sample", "sample call", "example usage", "example request", "example response", "invocation example",
        "sample invocation", "call", "try it", "for example", "e.g", "sample request", "sample response",
        "example input", "example output", "exemple", "exemples",
        "beispiel", "beispiele", "beispielaufruf", "ejemplo",
        "ejemplos", "esempio", "esempi", "exemplo", "exemplos", "voorbeeld", "voorbeelden", "示例", "例子",
        "调用示例", "使用示例", "例",
        "サンプル", "пример", "примеры", "приклад", "приклади", "예제", "예시", "사용 예", "使用例", "範例", "örnek",
        "örnekler", "przykład", "przykłady", "ví dụ", "contoh", 
        "用法", "使用方法", "호출 예시", "beispielanfrage", "anwendungsbeispiel", "exemple d'appel", "ejemplo de uso",
        "exemplo de uso", "esempio di chiamata", "пример вызова", "приклад виклику", "příklad", "esempio d'uso",
        "exempel", "eksempel", "esimerkki", "مثال", "أمثلة", "aufruf"),
    8: ("security", "security considerations", "security notes", "trust level", "trust", "permissions", "safety",
        "sécurité", "sicherheit",
        "seguridad", "sicurezza", "segurança", "安全", "安全性", "安全注意事项", "безопасность", "безпека",
        "보안", "セキュリティ", "güvenlik", "bezpieczeństwo"),
}  # fmt: skip
_PHRASES = (
    (
        7,
        re.compile(
            r"(?:example|sample) (?:tool )?(?:calls?|requests?|results?|responses?|outputs?|inputs?"
            r"|invocations?|usages?"
            r"|arguments|payloads?|data)"
        ),
    ),
    (
        3,
        re.compile(
            r"(?:(?:the|tool|call|function|query|body|path|json|required|optional|mandatory|accepted|supported|expected"
            r"|available|input|request) ){0,9}"
            r"(?:parameters?|arguments?|args|params|inputs?|filters?|input (?:fields?|object|data|values?)"
            r"|request (?:fields?|parameters?|body|object|payload)|request(?= schema))"
            r"(?: (?:schema|table|list|object|reference|details))?"
            r"|(?:输入|请求) ?\w{0,6}"
        ),
    ),
    (
        4,
        re.compile(
            r"(?:(?:the|tool|successful|success|json|api|expected|typical|function) ){0,9}"
            r"(?:returns?|returned|response|results?"
            r"|outputs?|reply|answer)(?: (?:fields?|values?|body|object|schema|shape|structure|format|data|payload|json"
            r"|properties|keys|columns|contents?|types?|model|records?|table|envelope|message|on success|if successful"
            r"|if ok))*"
            r"|(?:\w{1,20} ){0,2}(?:returns?|response|results?|outputs?|reply|answer)"
            r" (?:includes?|contains?|comprises?)"
            r"|(?:返回|输出|响应) ?\w{0,6}"
        ),
    ),
    (
        5,
        re.compile(
            r"(?:(?:the|tool|possible|known|common|typical|documented|expected) ){0,9}(?:errors?|exceptions?|failures?)"
            r"(?: (?:table|list|codes?|types?|cases?|modes?|conditions?|reference))*"
        ),
    ),
)
_ABOUT = {title: number for number, titles in _TITLES.items() for title in titles}
_WORDS = (
    (7, re.compile(r"\bexamples?\b|\bsample\b")),
    (5, re.compile(r"\berrors?\b|\bexceptions?\b|\bfail")),
    (3, re.compile(r"\bparam(?:eter)?s?\b|\barg(?:ument)?s?\b|\binputs?\b")),
    (4, re.compile(r"\breturns?\b|\boutputs?\b|\bresponse\b|\bresults?\b")),
    (6, re.compile(r"\bidempoten")),
    (8, re.compile(r"\bsecur|\bpermission")),
)
_OF_VALUES = re.compile(
    r"param|arg|input|output|return|respon|result|error|example|default|type|limit|valid|format|schema|option|field"
    r"|value|behavio|usage|note|constraint|rule|description"
)
"""The subjects that each half of a section title may have; `Input & Navigation` is the title of a group of tools."""
_LABEL = re.compile(r"[*_]*+ ?([^\W\d_](?:[^\W\d_]|[ (),]){1,60}?) ?[*_]*+ ?[:：] ?[*_]*+[ \t]*+")
_OF_A_PROGRAM = re.compile(r"[`\[\"']{1,3}--?[a-z]")
"""The arguments of a program."""
_BOLD_LABEL = re.compile(r"\*\*[^*\n]{2,60}(?:[:：]\*\*|\*\* ?[:：])|\*\*[^\W\d_](?:[^\W\d_]|[ ()]){1,40}\*\*$")
_BARE_LABEL = re.compile(r"\*\*([^\W\d_](?:[^\W\d_]|[ ()]){1,40})\*\*$")
_STOPPED_LABEL = re.compile(r"\*\*([^\W\d_](?:[^\W\d_]|[ ()]){1,40})\.\*\*(?:[ \t]+|$)")
_QUALIFIED = re.compile(r"\*\*([^\W\d_](?:[^\W\d_]| ){1,30}?) ?[–—-] [^*\n]{1,100}[:：]\*\*[ \t]*")
"""A label of one case: `**Output — not found:**`."""
_NUMBER_OF_LABEL = re.compile(r"\*\*\d{1,3}(?:\.\d{1,3}){0,4}[.)]? (?=[^\W\d_])")
_OF_ONE_RESULT = re.compile(r"\*\*(Outputs?|Returns?|Responses?|Results?) [^*\n]{1,100}[:：]\*\*[ \t]*")
"""A label of the result for one input: **Output (`word="tea"`):**"""
_MARKED_VERB = re.compile(r"([*_]{1,3})([Rr]eturns|[Rr]aises|[Yy]ields)\1 (?:[–—-]+ )?[ \t]*(?=\S)")
"""A verb that serves as a label and is never a parameter name: `*returns* The number.`"""
_LISTS_PARAMETERS = (
    r"(?:(?:It |The tool |This tool )?(?:[Tt]akes|[Aa]ccepts|[Ee]xpects|[Rr]equires|[Nn]eeds) (?:an? |the |one |two )?"
    r"|(?:Parameter|Argument|Input)s? )(?=`[A-Za-z_]\w*`,? \((?:[a-z]+, )?(?:string|integer|number|boolean|object|array"
    r"|list|str|int|float|bool|dict|required|optional)\b)"
)
"""The beginning of a sentence that lists parameters with their types: ``It takes `boat` (string) and …``."""
_SAYS_PARAMETERS = re.compile(_LISTS_PARAMETERS)
_INNER = re.compile(
    r"(?<=[.;!] )(?:\*\*([A-Za-zÀ-ÿ ]{2,30}):?\*\*:?|([A-ZÀ-Þ][A-Za-zÀ-ÿ ]{2,30}): "
    r"(?=`|(?:none|nothing|keine|ninguno|aucun)\b)"
    rf"|({_LISTS_PARAMETERS}))"
)
_WIDE = str.maketrans("（）", "()")
"""Brackets of full width, as in Chinese and Japanese."""


_INPUT = 3


class Label(NamedTuple):
    """A label such as `**Returns:**` at the beginning of a line, and the start of the text after it.

    `about` is the number of the section of the format that it represents, or None.
    """

    title: str
    about: int | None
    end: int


_STEMS = (
    *("example", "sample", "param", "arg", "input", "filter", "request", "return", "respon", "result", "output"),
    *("reply", "answer", "error", "exception", "fail", "idempoten", "secur", "permission"),
    *("输", "请求", "返回", "响应"),
)
"""Every title that a pattern matches contains one of these."""


_DOTTED = re.compile(r"\w+(?:\.\w+)+")
"""A name with a module, whose last word may be `results`."""


@lru_cache(maxsize=1_000)  # the tools of a project have the same titles
def about(title: str) -> int | None:
    """Return the number of the format's section that a heading inside a tool represents."""
    plain = re.sub(r"^[\d.)\s]+", "", title.translate(_WIDE).strip("*_:` ").lower())
    known = _find_known_title(plain)
    if known is None and "." in plain and _DOTTED.fullmatch(plain):
        return None
    if known is not None or not any(map(plain.__contains__, _STEMS)):
        return known
    number = next((number for number, words in _WORDS if words.search(plain)), None)
    is_group = number in (3, 4) and " & " in plain and not all(map(_OF_VALUES.search, plain.split(" & ")))
    return None if is_group else number


def is_title_of(number: int | None, title: str) -> bool:
    """Whether a title is exactly one that is known for a section of the format, in any language."""
    return number is not None and _plainly_known(title.strip().lower()) == number


def label_of(line: Line) -> Label | None:
    """Return the label that a line begins with: any in bold, and a plain one that is known."""
    text = line.text.translate(_WIDE)
    if (numbered := _NUMBER_OF_LABEL.match(text)) is not None:
        label = label_of(Line(f"**{text[numbered.end() :]}", line.row, line.column))
        is_known = label is not None and label.about is not None
        return label._replace(end=label.end + numbered.end() - 2) if label is not None and is_known else None
    if (verb := _MARKED_VERB.match(text)) is not None:
        return Label(verb[2], _plainly_known(verb[2].lower()), verb.end())
    if (said := _SAYS_PARAMETERS.match(text)) is not None:
        return Label("Parameters", _INPUT, said.end())
    match = _LABEL.match(text) or _BARE_LABEL.match(text)
    if match is None:
        match = _STOPPED_LABEL.match(text) or _QUALIFIED.match(text)  # the whole match is the title
        number = _find_known_title(match[1].lower()) if match is not None else None
        if (result := _OF_ONE_RESULT.match(text)) is not None and not number:
            return Label(result[1], 4, result.end())
        return Label(match[0].strip("*:.： \t"), number, match.end()) if match is not None and number else None
    title = match[1].strip()
    if _OF_A_PROGRAM.match(text, match.end()) is not None:
        return None
    is_bold = _BOLD_LABEL.match(text) is not None
    is_over_others = text[match.end() :][:1] in ("", "`")  # nothing follows, or a name in code
    number = _find_known_title(title.lower()) if is_bold or is_over_others else _plainly_known(title.lower())
    if number is None and not is_bold:
        return None
    if number is None and title.lower().endswith((" example", " examples")):
        number = 7
    return Label(title, number, match.end())


def _find_known_title(title: str) -> int | None:
    """Return the number of a title in lowercase, or of a similar one, without a remark in parentheses."""
    known = _plainly_known(title)
    if known is not None:
        return known
    plain = _EXPECTED.sub("", title.partition("(")[0].strip())
    if plain in _ABOUT or not any(map(plain.__contains__, _STEMS)):
        return _ABOUT.get(plain)
    return next((number for number, phrase in _PHRASES if phrase.fullmatch(plain)), None)


_EXPECTED = re.compile(r" (?:esperad[oa]s?|attendue?s?|attes[oaie]|previst[oaie]s?|expected)$")
"""An adjective after a noun: `Output esperado`."""


def _plainly_known(title: str) -> int | None:
    return _ABOUT.get(title) or _ABOUT.get(title.partition("(")[0].strip())


def is_bare_title(block: Block, following: Block | None) -> bool:
    """Whether a paragraph is only the title of the code, the list or the table that follows it: `Response`."""
    if (
        not isinstance(block, Paragraph)
        or len(block.lines) > 1
        or not isinstance(following, Fence | ListBlock | TableBlock)
    ):
        return False
    text = block.text.strip()
    return text[:1].isupper() and _plainly_known(text.lower()) is not None


def split_at_labels(line: Line) -> Iterator[Line]:
    """Yield the parts of a line with a known label after a sentence: `No parameters. **Returns:** …`.

    A label without bold must precede a name in code, or stand beside a word for no parameters: ``Moves it. Parameters:
    `by` (int)``, `Inputs: none. Outputs: a list.`, `Moves it. Parameters: none.`
    """
    none = _TAKES_NOTHING.match(line.text)
    if none is not None:
        yield Line(none[1], line.row, line.column)
    start = 0 if none is None else none.end()
    for match in _INNER.finditer(line.text) if any(map(line.text.__contains__, _BESIDE_LABELS)) else ():
        if match[3] or _find_known_title((match[1] or match[2]).strip().lower()) is not None:
            yield Line(line.text[start : match.start()].rstrip(), line.row, line.column + start)
            start = match.start()
    yield Line(line.text[start:], line.row, line.column + start) if start else line


_BESIDE_LABELS = ("**", ": `", "` (", "`, (", ": no", ": ke", ": ni", ": au")
_TAKES_NOTHING = re.compile(
    r"((?:inputs?|param(?:eter)?s?|arg(?:ument)?s?): (?:none|nothing)[.;,]) (?=(?:outputs?|returns?|results?):)",
    re.IGNORECASE,
)
