"""What the headings and labels inside a tool are about, in the words that people use for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mcp_contracts.parsing.text import Line

_TITLES = {
    1: ("description", "purpose", "summary", "tool purpose and description", "overview", "what it does", "about",
        "tool description", "purpose and description", "tool purpose", "beschreibung", "zweck", "descripción",
        "descrizione", "descrição", "objectif", "but"),
    3: ("parameters", "parameter", "input", "inputs", "arguments", "args", "input schema", "params",
        "input schema (parameters)", "input parameters", "takes", "accepts", "required parameters",
        "optional parameters", "request", "request parameters", "parameter schema", "parameters schema", "inputschema",
        "request fields", "request body", "fields", "parámetros", "paramètres", "parâmetros", "parametri",
        "eingabe", "entrada"),
    4: ("returns", "return", "output", "outputs", "output schema", "return schema", "return value", "success",
        "response", "returns on success", "result", "output schema (return value)", "response schema", "results",
        "return type", "return values", "on success", "success response", "response format", "outputschema",
        "output format", "returned value", "rückgabe", "rückgabewert", "ausgabe", "devuelve", "salida", "retorna",
        "retorno", "renvoie", "retour", "retourne", "sortie", "restituisce"),
    5: ("errors", "error", "error handling", "error cases", "exceptions", "raises", "failure", "failures", "on error",
        "error codes", "error types", "error response", "returns on error", "returns on failure", "failure modes",
        "erreurs", "fehler", "errores", "errori", "erros",
        "fouten", "fehlerfälle"),
    6: ("idempotency", "idempotent", "trust and idempotency", "side effects"),
    7: ("example", "examples", "usage", "usage example", "usage examples", "example invocation", "example call",
        "sample", "sample call", "example usage", "example request", "example response", "invocation example",
        "sample invocation", "call", "example input", "example output", "exemple", "exemples",
        "beispiel", "beispiele", "beispielaufruf", "ejemplo",
        "ejemplos", "esempio", "esempi", "exemplo", "exemplos", "voorbeeld", "voorbeelden"),
    8: ("security", "security considerations", "security notes", "trust level", "trust", "permissions", "safety",
        "sécurité", "sicherheit",
        "seguridad", "sicurezza", "segurança"),
}  # fmt: skip
_ABOUT = {title: number for number, titles in _TITLES.items() for title in titles}
_WORDS = (
    (7, re.compile(r"\bexamples?\b|\bsample\b")),
    (5, re.compile(r"\berrors?\b|\bexceptions?\b|\bfail")),
    (3, re.compile(r"\bparam(?:eter)?s?\b|\barg(?:ument)?s?\b|\binputs?\b")),
    (4, re.compile(r"\breturns?\b|\boutputs?\b|\bresponse\b|\bresults?\b")),
    (6, re.compile(r"\bidempoten")),
    (8, re.compile(r"\bsecur|\bpermission")),
)
_LABEL = re.compile(r"\**+ ?([^\W\d_](?:[^\W\d_]|[ ()]){1,40}?) ?\**+ ?: ?\**+[ \t]*+")
_BOLD_LABEL = re.compile(r"\*\*[^*\n]{2,40}(?::\*\*|\*\* ?:)|\*\*[A-Za-z ()]{2,40}\*\*$")
_BARE_LABEL = re.compile(r"\*\*([A-Za-z][A-Za-z ()]{1,40})\*\*$")
_INNER = re.compile(r"(?<=[.;!] )\*\*([A-Za-z ]{2,30}):?\*\*:?")


class Label(NamedTuple):
    """A label such as `**Returns:**` at the beginning of a line, and where what follows it begins.

    `about` is the number of the section of the format that it stands for, or None.
    """

    title: str
    about: int | None
    end: int


def about(title: str) -> int | None:
    """The number of the format's section that a heading inside a tool stands for."""
    plain = re.sub(r"^[\d.)\s]+", "", title.strip("*_:` ").lower())
    known = _ABOUT.get(plain) or _ABOUT.get(plain.partition(" (")[0].strip())
    if known is not None:
        return known
    return next((number for number, words in _WORDS if words.search(plain)), None)


def label_of(line: Line) -> Label | None:
    """The label that a line begins with: any in bold, and a plain one that is known."""
    text = line.text
    match = _LABEL.match(text) or _BARE_LABEL.match(text)
    if match is None:
        return None
    title = match[1].strip()
    number = _ABOUT.get(title.lower()) or _ABOUT.get(title.lower().partition(" (")[0])
    if number is None and not _BOLD_LABEL.match(text):
        return None
    return Label(title, number, match.end())


def split_at_labels(line: Line) -> Iterator[Line]:
    """A line in parts, where a known label in bold stands after a sentence: `No parameters. **Returns:** …`."""
    start = 0
    for match in _INNER.finditer(line.text) if "**" in line.text[2:] else ():
        if match[1].strip().lower() in _ABOUT:
            yield Line(line.text[start : match.start()].rstrip(), line.row, line.column + start)
            start = match.start()
    yield Line(line.text[start:], line.row, line.column + start) if start else line
