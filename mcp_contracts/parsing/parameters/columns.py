"""The roles of the columns of a parameter table, by their titles or by the content of their cells."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.markdown.lines import split_cells
from mcp_contracts.parsing.parameters.cells import is_plain_requirement
from mcp_contracts.parsing.parameters.types import clean_type, read_type
from mcp_contracts.records import NamedTuple

_TITLES_OF = {
    "name": (
        "parameter", "parameters", "parameter name", "name", "field", "fields", "field name", "argument", "arguments",
        "property", "properties", "key", "keys", "json key", "param", "param name", "input", "output", "option",
        "options", "params", "arg", "args", "arg name", "argument name", "property name", "key name", "input name",
        "output name", "input field", "output field", "attribute", "attribute name", "variable", "member", "element",
        "identifier", "input parameter", "paramètre", "paramètres", "nom du paramètre", "parámetro", "parámetros",
        "parâmetro", "parametro", "parametri", "feld", "feldname", "nom", "nombre", "nome", "campo", "champ", "clé",
        "clave", "chave", "chiave", "argumento", "argomento", "eigenschaft", "parametername", "schlüssel", "naam",
        "veld", "propriété", "propiedad", "propriedade", "proprietà", "bezeichnung", "parametr", "nazwa",
        "パラメータ",
        "パラメーター", "名前", "参数", "参数名", "名称", "字段", "параметр", "имя",
        "поле", "назва", "필드", "매개변수", "파라미터", "이름", "인자", "フィールド",
        "引数", "參數", "名稱", "欄位", "parametre", "alan", "tham số", "tên", "nama",
    ),
    "type": (
        "type", "data type", "datatype", "json type", "schema type", "types", "kind", "value type", "typ", "datentyp",
        "tipo", "type de données", "tipo de dato", "tipo de datos", "tipo de dados", "tipo di dato", "param type",
        "parameter type", "field type", "argument type", "ts type", "python type", "go type", "json schema type",
        "gegevenstype", "型", "类型", "тип",
        "타입", "형식", "유형", "자료형", "タイプ", "類型", "tür", "tip", "kiểu", "tipe",
    ),
    "required": (
        "required", "req", "req'd", "reqd", "is required", "mandatory", "requirement", "requirements", "presence",
        "necessity", "needed", "obligatory", "compulsory", "must", "must have", "m/o", "m/c/o", "r/o", "req/opt",
        "cardinality", "multiplicity", "occurs", "occurrence",
        "pflicht", "pflichtfeld", "erforderlich", "notwendig", "obligatorio", "obligatoria", "requerido",
        "obrigatório", "obligatorisch", "obbligatorio", "obligatoire", "requis", "verplicht", "wymagany", "❓",
        "obligatorisk", "obligatoriskt", "krävs", "påkrevd", "påkrævet", "pakollinen", "povinné", "kötelező",
        "必須", "必填", "是否必填", "обязательный", "обязательно", "обов'язковий", "필수", "필수 여부", "必須項目",
        "是否必须", "zorunlu", "gerekli", "wymagane", "bắt buộc", "wajib",
    ),
    "optional": (
        "optional", "is optional", "opt", "omittable", "facultatif", "optionnel", "opcional", "facoltativo",
        "opzionale", "optioneel", "fakultativ",
    ),
    "default": (
        "default", "default value", "defaults", "standardwert", "standard", "vorgabe", "vorgabewert",
        "voreinstellung",
        "por defecto", "predeterminado", "padrão", "valor padrão", "predefinito", "par défaut", "défaut",
        "valeur par défaut", "valor por defecto", "if omitted", "when omitted", "if absent", "standaard", "默认值",
        "デフォルト", "по умолчанию", "за замовчуванням", "기본값", "デフォルト値", "既定値", "預設值",
        "varsayılan", "domyślnie",
        "mặc định", "bawaan",
    ),
    "description": (
        "behavior", "behaviour",
        "description", "contract", "meaning", "notes", "details", "purpose", "summary", "desc", "what", "explanation",
        "remarks", "comment", "comments", "usage", "info", "what it is", "what it does", "what it means", "semantics",
        "definition", "about", "documentation", "help", "beschreibung", "bedeutung", "erklärung", "bemerkung",
        "descripción", "descrição", "descrizione", "significado", "significato", "signification", "omschrijving",
        "beskrivning", "beskrivelse", "kuvaus", "popis", "leírás", "opis",
        "説明", "描述", "说明", "описание", "опис", "설명", "說明", "açıklama", "mô tả", "deskripsi",
    ),
    "example": (
        "example value", "example", "examples", "sample", "sample value", "example values", "e.g", "beispiel",
        "beispielwert", "exemple", "ejemplo", "exemplo", "esempio", "voorbeeld", "例", "示例", "пример",
        "приклад", "예시", "예제", "範例", "örnek", "przykład", "ví dụ", "contoh",
    ),
    "limits": (
        "constraint", "constraints", "limits", "limit", "range", "validation", "bounds", "rules", "restrictions",
    ),
    "values": ("allowed", "allowed values", "valid values", "values", "accepted values", "possible values"),
    "number": ("#", "no", "nr", "nº", "n°", "№", "pos", "position", "index", "idx", "order", "item", "line"),
}  # fmt: skip
_ROLE_OF = {title: role for role, titles in _TITLES_OF.items() for title in titles}
BESIDE = frozenset(("in", "location", "where", "group", "since", "icon", "scope", "section"))
"""Titles of columns that may precede the names and are not read."""
_OF_OTHERS = frozenset(
    ("tool", "tools", "event", "table", "error", "error code", "error type", "code", "status", "status code", "method",
     "endpoint", "resource", "command", "function", "class", "module", "file", "header", "setting",
     "environment variable", "role", "version", "state", "column", "exception", "condition", "case", "step", "feature")
)  # fmt: skip
"""Titles of columns in a table about something other than the parameters of one tool."""
_MARKS = re.compile(r"[*_`:.?!]|\\|<[^<>]*>")
_NOTE = re.compile(r" ?\([^()]*\)$")
_SYMBOL = re.compile(r"[^\w\s#№°'()/❓-]+")
_NAME = re.compile(r"[*_]*+(?:`?[A-Za-z_$]|(?<=_))[\w.$\[\]-]*+[?*]?`?[*_?]*+")
_TYPED_SHARE = 0.6


class Columns(NamedTuple):
    """The roles of the columns of a table.

    `roles` are name, type, required, default, description, example, or `""`. `states_optional` is for a column
    `Optional` in place of `Required`. `name` is the number of the column of names, or -1. `gives_default` is for a
    column `Required/default`, whose cells are `required` or a default.
    """

    roles: tuple[str, ...]
    states_optional: bool
    name: int
    gives_default: bool = False

    @property
    def are_of_parameters(self) -> bool:
        """Whether one column has names and another one their types."""
        return self.name >= 0 and "type" in self.roles


_REQUIRED_OR_DEFAULT = (
    "required/default",
    "required / default",
    "required default",
    "required or default",
    "default/required",
)


@lru_cache(maxsize=256)
def columns_of(header: str) -> Columns:
    """Return the roles of the columns below a header, by their titles."""
    titles = [plain_title(header[start:end]) for start, end in split_cells(header)]
    roles = [_role_of(title) for title in titles]
    if (both := next((at for at, title in enumerate(titles) if title in _REQUIRED_OR_DEFAULT), None)) is not None:
        roles[both] = "required"
        name = roles.index("name") if "name" in roles else -1
        return Columns(tuple(roles), states_optional=False, name=name, gives_default=True)
    if not titles[0] and "type" in roles and "name" not in roles:
        roles[0] = "name"  # a header without the first cell of every row
    name = roles.index("name") if "name" in roles else -1
    strange = [title for title, role in zip(titles[:name], roles[:name], strict=True) if not role and title]
    if name > 0 and not set(strange) <= BESIDE:
        name = -1  # `Tool | Parameter | Type` and the like: the names are not those of one tool
    return _columns(roles, name)


def _role_of(title: str) -> str:
    """Return the role of a title.

    A title with several, such as `default and limits`, has the last one, so that another column can have the first.
    """
    known = _ROLE_OF.get(title) or _ROLE_OF.get(_NOTE.sub("", title)) or _ROLE_OF.get(_OF_PART.sub("", title))
    if known is not None:
        return known
    several = [_ROLE_OF.get(part, "") for part in _AND.split(title)] if _AND.search(title) else [""]
    return several[-1] if all(several) and several[-1] in ("limits", "values", "description") else ""


_OF_PART = re.compile(r"^(?:returned|return|response|result|request|input|output|tool|call) ")
_AND = re.compile(r" ?(?:\band\b|\bor\b|/|&|,|\+) ?")


def columns_by_cells(header: str, rows: Sequence[Sequence[str]]) -> Columns:
    """Return the roles of the columns by the content of their cells, if the titles do not determine them.

    Every cell of names is a name, and no two are equal; most of the types are types; the cells of a column about
    requirements only contain `yes`, `no` and the like.
    """
    known = columns_of(header)
    roles = list(known.roles)
    titles = {plain_title(header[start:end]) for start, end in split_cells(header)}
    if ("name" in roles and known.name < 0) or titles & _OF_OTHERS:
        return known
    if known.are_of_parameters or not rows or any(len(row) < len(roles) for row in rows):
        return known
    free = [index for index, role in enumerate(roles) if not role]
    cells = {index: [row[index].strip() for row in rows] for index in free}
    if "type" not in roles:
        typed = {index: sum(map(is_type, cells[index])) / len(rows) for index in free}
        best = max(free, key=lambda index: typed[index], default=None)
        if best is None or typed[best] < _TYPED_SHARE:
            return known
        roles[best] = "type"
        free.remove(best)
    if "required" not in roles:
        for index in free:
            if all(cells[index]) and all(map(is_plain_requirement, cells[index])):
                roles[index] = "required"
                free.remove(index)
                break
    if "name" not in roles:
        named = [index for index in free if all(map(_NAME.fullmatch, cells[index]))]
        named = [index for index in named if len(set(cells[index])) == len(rows)]
        if not named:
            return known
        roles[named[0]] = "name"
        free.remove(named[0])
    if "description" not in roles:
        worded = [index for index in free if sum(" " in cell for cell in cells[index]) * 2 > len(rows)]
        for index in worded[:1]:
            roles[index] = "description"
    return _columns(roles, roles.index("name"))


def with_own_titles(columns: Columns, header: str, rows: Sequence[Sequence[str]]) -> Columns:
    """Return the columns of a parameter table, including those with unusual titles, by the content of their cells.

    Most cells of one are `required` or `optional`, or `yes` and `no` if the title suggests that (`Use`). In a table
    without descriptions, most cells of another one contain several words, or some of the last one without a title do.
    """
    columns = _with_requirement(columns, header, rows) if rows and "required" not in columns.roles else columns
    if "" not in columns.roles or not rows or "description" in columns.roles:
        return columns
    index = columns.roles.index("")
    words = sum(index < len(row) and " " in row[index] for row in rows)
    start, end = split_cells(header)[-1]
    is_untitled = index == len(columns.roles) - 1 and not header[start:end].strip()
    if words * 2 <= len(rows) and not (is_untitled and words):
        return columns
    return columns._replace(roles=(*columns.roles[:index], "description", *columns.roles[index + 1 :]))


def _with_requirement(columns: Columns, header: str, rows: Sequence[Sequence[str]]) -> Columns:
    titles = [plain_title(header[start:end]) for start, end in split_cells(header)]
    for index, (title, role) in enumerate(zip(titles, columns.roles, strict=True)):
        if role:
            continue
        cells = [row[index].strip(" *_`").lower() for row in rows if index < len(row)]
        said = [is_plain_requirement(cell) and bool(cell) for cell in cells]
        in_words = [cell.startswith(("required", "optional", "mandatory")) for cell in cells]
        if any(in_words if title not in _ASKING else said) and sum(
            in_words if title not in _ASKING else said
        ) * 2 >= len(rows):
            roles = (*columns.roles[:index], "required", *columns.roles[index + 1 :])
            return Columns(roles, columns.states_optional, columns.name)
    return columns


_ASKING = frozenset(
    ("use", "need", "needs", "must send", "must be given", "send", "given", "provide", "pass", "req opt")
)


def rows_as_columns(first_cells: Sequence[str]) -> Columns | None:
    """Return the roles of the rows of a table with a column for each parameter; None if it is not such a table."""
    titles = [plain_title(cell) for cell in first_cells]
    roles = [_ROLE_OF.get(title, "") for title in titles]
    if roles[0] not in ("", "name") or (titles[0] and not roles[0]):
        return None
    return _columns(["name", *roles[1:]], 0) if all(roles[1:]) and "type" in roles[1:] else None


def plain_title(text: str) -> str:
    """Return a title without marks, symbols and full stops, in lowercase."""
    if text.isascii() and text.isalpha():
        return text.lower()
    text = _MARKS.sub("", text).replace("’", "'")
    if text.strip() == "❓":
        return "❓"
    return " ".join(_SYMBOL.sub(" ", text.replace("❓", "")).lower().split())


def _columns(roles: Sequence[str], name: int) -> Columns:
    stated = next((role for role in roles if role in ("required", "optional")), "")
    meant = {"optional": "required", "number": ""}
    return Columns(tuple(meant.get(role, role) for role in roles), stated == "optional", name)


def is_type(text: str) -> bool:
    """Whether a cell states a type, rather than a hint at one."""
    return bool(re.search(r"[a-z]", text)) and len(text) < 60 and read_type(clean_type(text)) is not None
