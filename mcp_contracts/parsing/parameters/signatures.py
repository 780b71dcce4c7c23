"""Reads parameters in bullets (`- `name` (type, required): …`) or inline signatures (`name: str = "x"`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import PlacedText, TableRow
from mcp_contracts.parsing.markdown.blocks import Item, items
from mcp_contracts.parsing.parameters.cells import default_in_text, listed_values, listed_words, read_requirement
from mcp_contracts.parsing.parameters.code_text import parts
from mcp_contracts.parsing.parameters.notes import FULL_WIDTH, Note, is_plain_type, read_note
from mcp_contracts.parsing.parameters.tables import path_of
from mcp_contracts.parsing.parameters.types import clean_type, read_type
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.records import replace
from mcp_contracts.rule_names import nearest

_HEAD = re.compile(
    r"(?:[*_]{1,2})?(?:``?([^`\n]+)`(?:`|)|([A-Za-z$_][\w.$\[\]-]*?[?*]?))"
    r"(?::[*_]{2}|[*_]{0,2}(?=[\s:,;|=(\[{<—–→·-]|$)|(?<![\w*_]))"
)
_KIND = re.compile(r"(?:required|(optional)) (?=`)", re.IGNORECASE)
_SIGNATURE = re.compile(r"\s*+([A-Za-z_$][\w$]*)(\??)\s*+(?::\s*+([^=]*+))?(?:=\s*+(.+))?", re.DOTALL)
_PATH = re.compile(r"([A-Za-z_$][\w$-]*(?:\.[A-Za-z_$][\w$-]*|\[\])+)([?*]?)()()")
_MARKED = re.compile(r"([A-Za-z_$][\w$-]*)([?*])()()")
_ODD_NAME = re.compile(r"\s*+([A-Za-z_][\w -]*)()()()")
_OPTION = re.compile(r"(?:-\w, ?)?--([A-Za-z][\w-]*)(?:[ =](?:<([^<>]*)>|\[([^\[\]]*)\]|[A-Z][A-Z_]*))?")
_STATED = re.compile(r"(?:\*\*|[(] ?|[.;] )(required|optional)(?=[.;)*])", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"(?:[*_`]{0,3})(type|data type|required|mandatory|optional|default|default value|description|meaning)"
    r"(?:[*_`]{0,3}) ?: ?(?:[*_]{0,2}) *(.*)",
    re.IGNORECASE | re.DOTALL,
)
_CODE = re.compile(r"`([^`]+)`")
_MAX_LENGTH = 4_000
_MAX_NESTING = 8


def bullet_rows(source: SourceText, item: Item, path: tuple[str, ...] = ()) -> Iterator[TableRow]:
    """Yield the parameter that a bullet names, and those of the bullets nested in it."""
    if not item.lines:
        return
    several = list(_of_several(source, item, path))
    if several:
        yield from several
        return
    row = named_row(source, item.lines[0], item.text[:_MAX_LENGTH], path)
    children = list(items(item.blocks))
    attributes = [match for child in children if (match := _ATTRIBUTE.fullmatch(child.text[:_MAX_LENGTH]))]
    if attributes and len(attributes) == len(children):
        row = row or _bare_row(source, item, path)
        if row is not None:
            yield _with_attributes(source, row, children)
        return
    if (row is None or row.type is None) and _are_labels(children):
        row = row or _bare_row(source, item, path)
        if row is not None:
            yield _with_remarks(source, row, children)
        return
    if row is None:
        return
    if row.type is None and _IS_ENUM.search(item.lines[0].text) and len(values := _values(children) or ()) > 1:
        yield _with_remarks(source, replace(row, type="enum", schema={"enum": [*values]}), children)
        return
    kind = None if row.schema is None else row.schema.get("type")
    may_have_members = len(path) < _MAX_NESTING and not _LEADS_TO_KINDS.search(row.description)
    below = [list(bullet_rows(source, one, row.path)) if may_have_members else [] for one in children]
    if children and isinstance(kind, str) and kind in _SCALARS:  # its members have types; the rest describes it
        below = [[member for member in members if member.type is not None] for members in below]
        row = _with_remarks(source, row, [one for one, members in zip(children, below, strict=True) if not members])
    yield row
    for members in below:
        yield from members


_IS_ENUM = re.compile(r"[(,] ?enum\b", re.IGNORECASE)


def _are_labels(children: Sequence[Item]) -> bool:
    """Whether all bullets are capitalized labels in bold, one of which is that of the type: `**Format**: 4 digits`."""
    labels = [match[1] for child in children if (match := _CAPITALIZED.match(child.text)) is not None]
    return len(labels) == len(children) and "Type" in labels


_CAPITALIZED = re.compile(r"\*\*([A-Z][A-Za-z]*(?: [A-Za-z]+){0,2})(?:\*\*:|:\*\*)")
_LEADS_TO_KINDS = re.compile(r"\b(?:one of|following) (?:the |these )?(?:following )?(?:types|kinds|values|forms):\s*$")
"""The end of a description whose bullets are the types of its value, not its members."""
_SCALARS = frozenset(("string", "integer", "number", "boolean"))
_ONE_VALUE = re.compile(
    r"`?(\"[^\"`\n]{1,60}\"|(?<=`)[\w.+-]{1,60}(?=`))`?(?=\s*(?:[:(–—→=-]|$))(?!\s*+(?::\s*+)?\(?(?:string|str|int|bool)\b)"
)


def _values(children: Sequence[Item]) -> list[str] | None:
    """Return the values that bullets below a parameter describe, one each; None if the bullets are anything else."""
    values = [match[1].strip('"') for child in children if (match := _ONE_VALUE.match(child.text)) is not None]
    return values if len(values) == len(children) else None


def _with_remarks(source: SourceText, row: TableRow, children: Sequence[Item]) -> TableRow:
    """Return a parameter that has no members with what the bullets below it say: attributes, values and sentences."""
    row = _with_attributes(source, row, children)
    values = _values(children)
    for child in children if values is None else ():
        if (label := _OF_VALUES.match(child.text)) is not None:
            values = _values(list(items(child.blocks))) or listed_values(child.text[label.end() :], is_enum=True)
    said = [child for child in children if _ATTRIBUTE.fullmatch(child.text[:_MAX_LENGTH]) is None]
    description = "\n".join((row.description, *_lines_of(said))).strip()
    is_text = row.schema == {"type": "string"} and values is not None and len(values) > 1
    return replace(row, description=description, schema={"enum": [*(values or ())]} if is_text else row.schema)


def _lines_of(bullets: Sequence[Item], indent: str = "") -> Iterator[str]:
    """Yield the text of bullets and of those nested in them."""
    for bullet in bullets:
        yield f"{indent}- {bullet.text}"
        if len(indent) < _MAX_NESTING:
            yield from _lines_of(list(items(bullet.blocks)), f"{indent}  ")


_OF_VALUES = re.compile(
    r"[*_]{0,2}(?:(?:allowed|possible|valid|accepted|supported|permitted) )?(?:values|options|choices|enum|one of)"
    r"(?: are)?[*_]{0,2}: *[*_]{0,2}",
    re.IGNORECASE,
)


_SEVERAL = re.compile(
    r"`[A-Za-z_]\w*`(?:(?:,? ?(?:/|&|\band\b|\bor\b)|,) ?(?:an? )?(?:optional |required )?`[A-Za-z_]\w*`)+"
    r"(?=\s*(?:[(:\[.]|[–—-]\s|$)| (?:in|as|for)\b)"
)


def _of_several(source: SourceText, item: Item, path: tuple[str, ...]) -> Iterator[TableRow]:
    """Yield the parameters of a bullet that describes several at once: `` `from` / `to` (string, optional) ``."""
    first = item.lines[0]
    together = _SEVERAL.match(first.text)
    if together is None:
        return
    text = item.text[:_MAX_LENGTH]
    for name in _CODE.finditer(together[0]):
        start = name.start()
        alone = f"{name[0]}{' ' * (together.end() - name.end())}{text[together.end() :]}"
        row = named_row(source, Line(first.text[start:], first.row, first.column + start), alone, path)
        if row is not None:
            yield replace(row, description=row.description and f"{together[0]}: {row.description}")


def named_row(
    source: SourceText, line: Line, text: str, path: tuple[str, ...] = (), *, is_sure: bool = False
) -> TableRow | None:
    """Return the parameter named at the start of `text`, which begins at `line`.

    None if it names none: a word without marks is only a name next to its type. `is_sure` requires a type for other
    words too.
    """
    original, text = text, text.translate(FULL_WIDTH)
    kind = _KIND.match(text)
    head = _HEAD.match(text, 0 if kind is None else kind.end())
    if head is None:
        return None
    if head[1] is None and _ATTRIBUTE.fullmatch(text):
        return None
    written, start = head[1] or head[2], head.start(1 if head[1] else 2)
    note = read_note(text, head.end())
    said = _name_of(written, note)
    if said is None:
        return None
    name, type_text, default, required = said
    if path and head[1] is None and name[1][0].isupper() and note.type is not None and note.type[1].startswith('"'):
        return None  # `Simple: "date"` shows a value of the parameter above
    if head[1] is None and (name[1] in _IMPERATIVES or _ARTICLE.match(text, head.start(2))):
        return None
    if note.type is None and type_text is None and not _is_name(head, text, note, is_sure=is_sure):
        return None
    description = original[note.end : note.until]
    required = note.required if note.required is not None else required
    if required is None and not note.states_condition:
        required = _said_of_requirement(description) if kind is None else kind[1] is None
    if type_text is not None:
        type_text = start + type_text[0], type_text[1]
        if required is None and not note.states_condition:
            required = default is None and note.default is None
    else:
        type_text = note.type
    stated = (start + default[0], default[1]) if default is not None else note.default
    if stated is None and (span := default_in_text(description)):
        stated = note.end + span[0], description[span[0] : span[1]]
    if required is None and stated is not None and not note.states_condition:
        required = False
    steps = path_of(name[1])
    described = f"{description.strip()} ({note.limits})".strip() if note.limits else description
    if not described.strip() and note.type is not None and "` or `" in note.type[1]:
        described = note.type[1]  # values in words: `` `unit`: `metric` or `imperial` ``
    row = _row(source, line, (*path, *steps), (start + name[0], name[1]), type_text, required, described, stated)
    if note.unread is not None and note.required is None:
        place = source.place_in(line, note.unread[0], min(note.unread[0] + len(note.unread[1]), len(line.text)))
        row = replace(row, required=None, required_text=note.unread[1], required_place=place)
    values = note.choices or listed_values(row.description, is_enum="enum" in (row.type or ""))
    values = values or listed_words(row.description, None if stated is None else stated[1])
    if not values and type_text is not note.type and note.type is not None:  # `kind: str` — "a" | "b"
        listed = (read_type(clean_type(note.type[1])) or {}).get("enum")
        values = tuple(one for one in listed if isinstance(one, str)) if isinstance(listed, list) else ()
    return replace(row, schema={"enum": list(values)}) if values and row.schema == {"type": "string"} else row


_IMPERATIVES = frozenset(("Use", "Call", "Pass", "Run", "See", "Set", "Try", "Prefer"))
"""Words before code that begin a sentence: ``Use `list` first``."""
_ARTICLE = re.compile(r"(?:an?|the) +[a-z]", re.IGNORECASE)
"""The beginning of a phrase, `a list of objects`, rather than of `a: list`."""
_BOLD_NAME = re.compile(r"(?:\*\*|__)[a-z][a-z0-9]*(?:[_A-Z]\w*)?(?:(?::?(?:\*\*|__)):?|)")


def _is_name(head: re.Match[str], text: str, note: Note, *, is_sure: bool) -> bool:
    """Whether a word without a type is the name of a parameter: in code, in bold, or next to `required`."""
    is_marked = head[1] is not None or head[0].startswith(("**", "__"))
    if head[2] is not None and head[2].endswith("?"):
        return True
    if note.required is not None:
        return is_marked or is_sure
    if is_sure:
        return False
    return head[1] is not None or (_BOLD_NAME.fullmatch(head[0]) is not None and bool(text[head.end() :].strip(" :")))


_Stretch = tuple[int, str]


def _name_of(written: str, note: Note) -> tuple[_Stretch, _Stretch | None, _Stretch | None, bool | None] | None:
    """Return a parameter's name, type, default, and whether it is required, as far as its code span states them."""
    option = _OPTION.fullmatch(written)
    if option is not None:  # of a command line
        stated = next(((option.start(group), option[group]) for group in (2, 3) if option[group]), None)
        kind = stated if stated is not None and is_plain_type(stated[1]) else None
        return (option.start(1), option[1]), kind, None, False if option[3] else None
    two = written.split()
    if len(two) == 2 and "=" not in written and ":" not in written:
        first, second = two
        if is_plain_type(first) and re.fullmatch(r"[A-Za-z_$][\w$]*", second):
            return (written.rindex(second), second), (0, first), None, None
        if is_plain_type(second) and re.fullmatch(r"[A-Za-z_$][\w$]*", first):
            return (0, first), (written.rindex(second), second), None, None
    match = (
        _SIGNATURE.fullmatch(written)
        or _PATH.fullmatch(written)
        or _MARKED.fullmatch(written)
        or (_ODD_NAME.fullmatch(written) if not note.is_empty else None)
    )
    if match is None:
        return None
    type_text = (match.start(3), match[3]) if match[3] else None
    default = (match.start(4), match[4]) if match[4] else None
    return (match.start(1), match[1]), type_text, default, False if match[2] == "?" else None


def _bare_row(source: SourceText, item: Item, path: tuple[str, ...]) -> TableRow | None:
    """Return a parameter whose bullet contains only its name, above bullets with the rest."""
    match = _BARE.fullmatch(item.text.strip())
    if match is None:
        return None
    line = item.lines[0]
    required = None if match[2] is None else match[2].lower() == "required"
    return _row(source, line, (*path, *path_of(match[1])), (match.start(1), match[1]), None, required, "", None)


_BARE = re.compile(
    r"[*_`]{0,3}([A-Za-z_$][\w.$\[\]-]*)[*_`]{0,3}(?: \((required|optional)\))?[*_]{0,3}:?", re.IGNORECASE
)


def _with_attributes(source: SourceText, row: TableRow, children: Sequence[Item]) -> TableRow:
    """Return a parameter with the content of the bullets below it: `- Type: string`, `- Required: yes`."""
    for child in children:
        match = _ATTRIBUTE.fullmatch(child.text[:_MAX_LENGTH])
        if match is None:
            continue
        name, value, line = match[1].lower(), match[2].strip(), child.lines[0]
        start = match.start(2)
        is_on_line = start + len(value) <= len(line.text)
        place = source.place_in(line, start, start + len(value)) if is_on_line else source.place_in(line)
        if "type" in name:
            cleaned = clean_type(value) or None
            row = replace(row, type=cleaned, schema=read_type(value) if cleaned else None, type_place=place)
        elif name in ("required", "mandatory", "optional"):
            said = read_requirement(value, states_optional=name == "optional").is_required
            row = replace(row, required=said, required_text=value, required_place=place)
        elif name.startswith("default"):
            row = replace(row, default=PlacedText(value, place))
        else:
            row = replace(row, description=value)
    return row


def signature_rows(source: SourceText, line: Line) -> Iterator[TableRow]:
    """Yield the parameters of `` `a: str`, `b: int = 3` ``, one for each code span; required if without a default."""
    text = line.text[:_MAX_LENGTH]
    spans = [(span, _SIGNATURE.fullmatch(span[1])) for span in _CODE.finditer(text)]
    if len(spans) == 1 and (several := list(_of_one_span(source, line, spans[0][0]))):
        yield from several
        return
    has_nothing_else = re.fullmatch(r"[\s,;.]*", _CODE.sub("", text)) is not None and any(
        match is not None and match[3] for _, match in spans
    )
    for span, match in spans:
        if (not match or not match[3]) and has_nothing_else:
            bare = span[1].removesuffix("?")
            is_required = None if bare == span[1] else False
            yield _row(source, line, (bare,), (span.start(1), bare), None, is_required, "", None)
        elif match and match[3]:
            name = (span.start(1) + match.start(1), match[1])
            type_text = (span.start(1) + match.start(3), match[3])
            default = None if match[4] is None else (span.start(1) + match.start(4), match[4])
            is_required = match[4] is None and not match[2]
            yield _row(source, line, (match[1],), name, type_text, is_required, "", default)


def _of_one_span(source: SourceText, line: Line, span: re.Match[str]) -> Iterator[TableRow]:
    """Yield the parameters of one code span with several: `` `a: string, b?: integer = 3` ``."""
    pieces = list(parts(span[1], span.start(1)))
    matches = [_SIGNATURE.fullmatch(piece.text) for piece in pieces]
    if len(pieces) < 2 or not all(match is not None and match[3] for match in matches):
        return
    for piece, match in zip(pieces, matches, strict=True):
        if match is not None:
            name = piece.start + match.start(1), match[1]
            default = None if match[4] is None else (piece.start + match.start(4), match[4])
            type_text = piece.start + match.start(3), match[3].rstrip()
            yield _row(source, line, (match[1],), name, type_text, default is None and not match[2], "", default)


def meant_type(written: str) -> str | None:
    """Return the type that a misspelled one was probably meant to be; None for words that are not types."""
    return nearest(written.lower(), _TYPES) if re.fullmatch(r"[A-Za-z]{3,}", written) else None


_TYPES = ("string", "number", "integer", "boolean", "object", "array", "null", "float", "list", "dict")


def _said_of_requirement(description: str) -> bool | None:
    first = description.lower()[:20]
    if first.startswith(("optional", "(optional")):
        return False
    if first.startswith(("required", "(required")):
        return True
    said = _STATED.search(description)
    return None if said is None else said[1].lower() == "required"


def _row(
    source: SourceText,
    line: Line,
    path: tuple[str, ...],
    name: tuple[int, str],
    type_text: tuple[int, str] | None,
    required: bool | None,
    description: str,
    default: tuple[int, str] | None,
) -> TableRow:
    """Return a parameter whose name, type and default are in a line, each given with its start."""
    place = source.place_in(line, name[0], name[0] + len(name[1]))
    type_place = place
    cleaned = None
    if type_text is not None:
        written = type_text[1].strip()
        start = type_text[0] + type_text[1].index(written)
        cleaned = clean_type(written) or None
        # A parameter may span several lines, but a place is on one line.
        if start + len(written) <= len(line.text):
            type_place = source.place_in(line, start, start + len(written))
    stated: PlacedText | None = None
    if default is not None and default[1].strip():
        is_on_line = default[0] + len(default[1]) <= len(line.text)
        default_place = source.place_in(line, default[0], default[0] + len(default[1])) if is_on_line else place
        stated = PlacedText(default[1].strip(), default_place)
    return TableRow(
        name=".".join(path).replace(".[]", "[]"),
        path=path,
        type=cleaned,
        schema=(read_type(cleaned) or read_type(type_text[1])) if cleaned and type_text else None,
        required=required,
        description=description.strip(),
        place=place,
        type_place=type_place,
        required_place=place,
        default=stated,
    )
