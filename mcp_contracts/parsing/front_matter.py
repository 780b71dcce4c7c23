"""The YAML front matter of a spec."""

from __future__ import annotations

import re

from mcp_contracts.contract import Fault, FaultKind, FrontMatter
from mcp_contracts.parsing.text import SourceText

_KEY = re.compile(r"[A-Za-z_][\w-]*\s*:(\s|$)")
_MAX_ROWS = 200


def read_front_matter(source: SourceText) -> tuple[FrontMatter | None, int, tuple[Fault, ...]]:
    """The front matter, how many rows it takes, and what is wrong with it.

    A first line of `---` is a thematic break, and no front matter, unless a `key:` follows it.
    """
    lines = source.lines
    if not lines or lines[0].rstrip() != "---":
        return None, 0, ()
    content = [line for line in lines[1:_MAX_ROWS] if line.strip() and not line.lstrip().startswith("#")]
    if not content or not _KEY.match(content[0]):
        return None, 0, ()
    end = next((row for row in range(1, min(len(lines), _MAX_ROWS)) if lines[row].rstrip() in ("---", "...")), None)
    if end is None:
        hint = "close it with a line of `---`"
        fault = Fault(FaultKind.FRONT_MATTER, "the front matter that opens here is never closed", source.place(0), hint)
        return None, 0, (fault,)
    from mcp_contracts.parsing.yaml_documents import read_yaml  # most files have none, and YAML costs 20 ms to import

    document = read_yaml(source, "\n".join(lines[1:end]), 1)
    faults = tuple(
        Fault(FaultKind.FRONT_MATTER, f"the front matter is {fault.message}", fault.place, fault.hint)
        if fault.kind is not FaultKind.DUPLICATE_KEY
        else Fault(FaultKind.FRONT_MATTER, fault.message, fault.place, fault.hint)
        for fault in document.faults
    )
    if not isinstance(document.value, dict):
        return None, end + 1, faults
    keys = {key: document.place(f"/{key}", on_key=True) for key in document.value}
    places = {f"/{key}": document.place(f"/{key}") for key in document.value}
    place = source.place(0, end_row=end)
    matter = FrontMatter(document.value, {**keys, **places}, place)
    return matter, end + 1, (*faults, *_wrong_values(matter))


def _wrong_values(matter: FrontMatter) -> tuple[Fault, ...]:
    """Unknown keys and values of the wrong type. Numbers count as text: `version: 1.0` is judged as a version."""
    faults = []
    for key, value in matter.values.items():
        if key in ("module", "version", "protocol", "owner") and not isinstance(value, str | int | float):
            message = f"`{key}` in the front matter must be text"
            faults.append(Fault(FaultKind.FRONT_MATTER, message, matter.keys[key], f"write `{key}: …` on one line"))
    return tuple(faults)


def text_value(matter: FrontMatter | None, key: str) -> str | None:
    """A value of the front matter as text, or None."""
    value = None if matter is None else matter.values.get(key)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return str(value).strip() or None
