"""Parse a docstring: its text, parameters, result and errors."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from mcp_contracts.records import dataclass, field

if TYPE_CHECKING:
    from griffe import DocstringReturn


@dataclass(frozen=True, slots=True)
class Documentation:
    """A parsed docstring. `raises` contains each error's type, without its module, and when it occurs."""

    text: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)
    returns: str = ""
    raises: tuple[tuple[str, str], ...] = ()


def read_docstring(docstring: str | None) -> Documentation:
    """Parse a docstring in Google, numpy or Sphinx style, which is detected."""
    if not docstring or not docstring.strip():
        return Documentation()
    import griffe  # takes 150 ms, and only tools defined in Python need it

    value = inspect.cleandoc(docstring)
    # Warnings concern types and names, which the signature states more reliably. A result of several lines is one text,
    # and a word before a colon in it is not a name.
    sections = griffe.parse_auto(
        griffe.Docstring(value),
        default="google",
        per_style_options={
            "google": {"warnings": False, "returns_multiple_items": False, "returns_named_value": False},
            "numpy": {"warnings": False},
            "sphinx": {"warnings": False},
        },
    )
    texts: list[str] = []
    parameters: dict[str, str] = {}
    returns: list[str] = []
    raises: list[tuple[str, str]] = []
    for section in sections:
        match section:
            case griffe.DocstringSectionText():
                texts.append(section.value.strip())
            case griffe.DocstringSectionAdmonition():
                texts.append(f"{section.title}: {section.value.contents.strip()}")
            case griffe.DocstringSectionParameters() | griffe.DocstringSectionOtherParameters():
                parameters.update((item.name.lstrip("*"), _on_one_line(item.description)) for item in section.value)
            case griffe.DocstringSectionReturns():
                is_numpy = re.search(r"^Returns\n-{3,}", value, re.MULTILINE) is not None
                returns.extend(_result_text(item, is_numpy=is_numpy) for item in section.value)
            case griffe.DocstringSectionRaises():
                for item in section.value:
                    error = str(item.annotation).strip().strip("`~:").rpartition(".")[2].strip("`")
                    raises.append((error, _on_one_line(item.description)))
            case _:
                continue
    return Documentation("\n\n".join(filter(None, texts)), parameters, " ".join(filter(None, returns)), tuple(raises))


def _result_text(item: DocstringReturn, *, is_numpy: bool) -> str:
    """Return the text about a result. Text before a colon, or without one, is its type or part of the text."""
    description = _on_one_line(item.description)
    before = "" if item.annotation is None else _on_one_line(str(item.annotation))
    if not before or _is_type(before):
        return description
    if not description:
        return before
    return description if is_numpy else f"{before}: {description}"


def _is_type(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return False
    return True


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
