"""Rules about a file as a whole (MC0): whether it can be read, and its form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import PythonFile, SourceFile, SpecFile, ToolContract
from mcp_contracts.diagnostics import Finding, Part, Place, Related, Severity
from mcp_contracts.faults import FaultKind
from mcp_contracts.parsing.locating.headings import PLACEHOLDER_NAMES
from mcp_contracts.parsing.placeholder_texts import is_placeholder, read_schema_marks, traces_in
from mcp_contracts.parsing.text import shorten
from mcp_contracts.records import replace
from mcp_contracts.rules.base import LEGACY, findings_of, rule
from mcp_contracts.rules.dialects import differences, without_types
from mcp_contracts.rules.informal import is_informal
from mcp_contracts.rules.texts import offset_of, place_between
from mcp_contracts.rules.vocabulary import FRONT_MATTER_KEYS, SUPPORTED_PROTOCOLS
from mcp_contracts.rules.wording import nearest, show
from mcp_contracts.sections import SECTION_TITLES

UNREAD = frozenset({FaultKind.UNREADABLE, FaultKind.OVERSIZED})
_NO_LIST = UNREAD | {FaultKind.INVALID_TOOL_LIST, FaultKind.INVALID_JSON, FaultKind.TOO_DEEP}


@rule("MC001", Severity.ERROR, since="0.1.0", needs=[FaultKind.UNREADABLE])
def unreadable_file(file: SourceFile) -> Iterator[Finding]:
    """A file cannot be read.

    The file is not a regular file, cannot be opened, or is not UTF-8. Its tools are unknown, so nothing else is
    reported for it.
    """
    yield from findings_of(file.faults, FaultKind.UNREADABLE)


@rule("MC002", Severity.ERROR, since="0.1.0", needs=[FaultKind.OVERSIZED])
def oversized_file(file: SourceFile) -> Iterator[Finding]:
    """A file is too large.

    A file of this size is not read, so that a large data file in a folder cannot stall a run. A specification of this
    size is also too large for its readers: write one file for each module.
    """
    yield from findings_of(file.faults, FaultKind.OVERSIZED)


@rule("MC003", Severity.ERROR, since="0.1.0", needs=[FaultKind.FRONT_MATTER])
def invalid_front_matter(file: SourceFile) -> Iterator[Finding]:
    """The front matter of a specification is invalid.

    The YAML between the two `---` lines states the module, its version and the version of the format. If it cannot be
    read, the module of the tools is unknown and the format version is guessed.
    """
    yield from findings_of(file.faults, FaultKind.FRONT_MATTER)


@rule("MC004", Severity.WARNING, since="0.1.0")
def no_tools_defined(file: SourceFile) -> Iterator[Finding]:
    """A file defines no tools and does not say so.

    Usually, the heading of a tool does not have the expected form, so the file exposes nothing. If the module has no
    tools, say so in a sentence; then nothing is reported. A heading is not enough.
    """
    if file.contracts:
        return
    kinds = {fault.kind for fault in file.faults}
    if isinstance(file, SpecFile):
        if not file.states_no_tools and not file.unread_tools and not kinds & (UNREAD | {FaultKind.INVALID_JSON}):
            if any(left.text in PLACEHOLDER_NAMES or left.text[:1] == "[" for left in file.placeholders):
                return  # MC007 says that the tool of a template has no name
            hint = "begin each tool with a heading `## Tool: module.tool`, or write that the module exposes no tools"
            yield Finding("no tools were found in the file", hint, file.contract_part or first_line(file))
    elif isinstance(file, PythonFile):
        if not kinds:
            hint = "mark its functions as tools, such as with `@mcp.tool()`, or list them in `__all__`"
            yield Finding("the module defines no tools", hint, first_line(file))
    elif not kinds & _NO_LIST:
        at = max(file.text.find('"tools"'), 0)
        place = place_between(file.path, file.text, at, at + 7) if at else first_line(file)
        yield Finding("the list contains no tools", "export the list again, or exclude the file", place)


@rule("MC016", Severity.WARNING, since="0.2.0")
def tool_not_read(file: SpecFile) -> Iterator[Finding]:
    """A file describes a tool in a form that is not supported.

    Such a tool is not checked, compared or exported. A tool can have its own heading, be an item of a list or a row of
    an overview table, or be a complete JSON or YAML object or a decorated Python function in a code block. All such
    tools of a file are reported together.
    """
    mentions = file.unread_tools
    count = len(mentions) + sum(mention.others for mention in mentions)
    if not mentions:
        return
    names = ", ".join(f"`{show(mention.name)}`" for mention in mentions[:MOST_SHOWN])
    others = count - min(len(mentions), MOST_SHOWN)
    more = f" and {others} more" if others else ""
    what = (
        f"{count} tools are"
        if count > 1
        else f"the tool {names} is"
        if mentions[0].name
        else "the parameters of a tool are"
    )
    listed = f": {names}{more}" if count > 1 else ""
    yield Finding(
        f"{what} described in a form that is not supported{listed}",
        f"begin {'each' if count > 1 else 'the'} tool with a heading `## Tool: module.tool`",
        mentions[0].place,
        related=tuple(Related(mention.place, show(mention.name)) for mention in mentions[1:]),
    )


@rule("MC005", Severity.WARNING, since="0.1.0")
def unsupported_protocol_version(file: SpecFile) -> Iterator[Finding]:
    """A specification uses an unsupported version of the format.

    The file is read as the newest supported version. Additions in later versions are ignored, and parts that they
    changed are read with the old meaning.
    """
    if file.front_matter is None:
        return
    version = file.front_matter.values.get("protocol")
    if version is None or version in SUPPORTED_PROTOCOLS:
        return
    supported = SUPPORTED_PROTOCOLS[-1]
    written = version if isinstance(version, str) else str(version)
    yield Finding(
        f"protocol version `{show(written)}` is not supported; the file is read as `{supported}`",
        f"write `protocol: {supported}`, or use a release of mcp-contracts that supports it",
        file.front_matter.keys.get("/protocol", file.front_matter.keys.get("protocol", file.front_matter.place)),
    )


@rule("MC006", Severity.WARNING, since="0.1.0", needs=[LEGACY])
def legacy_dialect(file: SpecFile) -> Iterator[Finding]:
    """A file's tools are written in an older dialect rather than the canonical form.

    They are read by guessing the author's intent. Parts that are not recognized are neither checked nor exported. The
    finding counts the tools that are read, and lists similar names next to them that are not. Errors in the tools are
    reported as in the canonical form.

    A file is informal if it gives parameter types for fewer than half of its tools with parameters, or for fewer than a
    quarter of all its tools. Then only its Markdown, its names, tools with types, and tables of tools are checked.
    """
    tools = [tool for tool in file.tools if tool.is_legacy]
    if not tools:
        return
    unread = file.unread_siblings
    left = ", ".join(f"`{show(one.name)}` (line {one.place.line})" for one in unread[:MOST_SHOWN])
    more = f" and {len(unread) - MOST_SHOWN} more" if len(unread) > MOST_SHOWN else ""
    is_of_names = is_informal(file)
    has_html = is_of_names and "<td" in file.text
    message, hint = without_types(file.tools, has_html=has_html) if is_of_names else differences(file, tools)
    yield Finding(
        f"{message}; not read: {left}{more}" if unread else message,
        hint,
        first_line(file),
        related=(
            *(Related(one.place, f"`{show(one.name)}` is not read as a tool") for one in unread),
            *(Related(tool.contract.place, show(tool.contract.name)) for tool in tools),
        ),
    )


MOST_SHOWN = 5


@rule("MC007", Severity.WARNING, since="0.1.0")
def placeholder_left(file: SourceFile) -> Iterator[Finding]:
    """A placeholder was not filled in.

    `mcp-contracts new` writes `{{…}}` for everything that only the author knows, and people write `TODO`, `TBD` or
    `<describe …>`. A model learns nothing from a placeholder, or mistakes it for a value. An empty purpose is reported
    as well. The registry rejects a tool until its placeholders are filled in, and so does `export` if its output would
    contain one.
    """
    if not isinstance(file, SpecFile):
        yield from _in_list(file)
        return
    own = [placeholder for contract in file.contracts for placeholder in contract.placeholders]
    reported: set[tuple[str, int]] = set()
    for placeholder in {placeholder.place: placeholder for placeholder in (*file.placeholders, *own)}.values():
        if placeholder.text == "..." and (placeholder.text, placeholder.place.line) in reported:
            continue  # a row of a table that represents others
        reported.add((placeholder.text, placeholder.place.line))
        yield _about_placeholder(placeholder.text, placeholder.place)


def _about_placeholder(text: str, place: Place | None, part: Part | None = None) -> Finding:
    if not text:
        return Finding("the purpose is empty", "say what the tool does, when to choose it and what it returns", place)
    message = f"the placeholder `{show(text)}` has not been filled in"
    return Finding(message, "replace it with the real text", place, part)


def _in_list(file: SourceFile) -> Iterator[Finding]:
    """Return the descriptions of tools and schemas that are only placeholders."""
    if not traces_in(file.text):
        return
    for contract in file.contracts:
        if is_placeholder(contract.description):
            yield _about_placeholder(shorten(contract.description), contract.place_of("description"))
        for part in (contract.input, contract.output):
            for placeholder in read_schema_marks(part):
                yield _about_placeholder(placeholder.text, placeholder.place, part.part if part else None)


@rule("MC008", Severity.ERROR, since="0.1.0", needs=[FaultKind.INVALID_TOOL_LIST])
def invalid_tool_list(file: SourceFile) -> Iterator[Finding]:
    """A JSON file is not a tool list, or an entry of its list is not a tool.

    Four forms are supported: `{"tools": […]}`, an array, a JSON-RPC response to `tools/list`, and a bundle. A client
    rejects any other form, and with it the whole server.
    """
    yield from findings_of(file.faults, FaultKind.INVALID_TOOL_LIST)


@rule("MC029", Severity.WARNING, since="0.2.0", needs=[FaultKind.INCOMPLETE])
def incomplete_tool_list(file: SourceFile) -> Iterator[Finding]:
    """A tool list is one page of several.

    A response to `tools/list` with a `nextCursor` is not the last page, so the server has more tools. They are not
    checked, and a tool that is missing from the page was not necessarily removed.
    """
    yield from findings_of(file.faults, FaultKind.INCOMPLETE)


@rule("MC013", Severity.ERROR, since="0.1.0", needs=[FaultKind.UNCLOSED])
def unclosed_block(file: SourceFile) -> Iterator[Finding]:
    """A code block or comment is not closed and hides the headings after it.

    Markdown treats the rest of the file, or everything up to the end of the next code block, as part of that block or
    comment, so the following sections and tools are missing without any other error.
    """
    for finding in findings_of(file.faults, FaultKind.UNCLOSED):
        yield finding if finding.place is None else replace(finding, names=_hidden_sections(file.text, finding.place))


def _hidden_sections(text: str, opening: Place) -> tuple[str, ...]:
    """Return the sections of the tool below a fence or comment, as MC105 names them."""
    hidden, *_ = re.split(r"(?m)^ {0,3}##? ", text[offset_of(text, opening.line, opening.column) :])
    names = []
    for match in re.finditer(r"(?m)^ {0,3}### *(?:(\d)(?:[.):]|\b) *)?(.*)", hidden):
        number = int(match[1] or 0)
        names.append(f"{number}. {SECTION_TITLES[number]}" if number in SECTION_TITLES else match[2])
    return tuple(names)


@rule("MC023", Severity.WARNING, since="0.2.0", needs=[FaultKind.OUTER_JSON])
def invalid_json_outside(file: SpecFile) -> Iterator[Finding]:
    """A JSON block that is not part of a tool is not valid JSON.

    People copy configurations and messages from specifications, and the copies then fail. Blocks that show part of an
    object, contain comments, or omit something with `...` are not checked.
    """
    yield from findings_of(file.faults, FaultKind.OUTER_JSON)


@rule("MC024", Severity.WARNING, since="0.2.0", needs=[FaultKind.BROKEN_MARKUP])
def broken_markdown(file: SpecFile) -> Iterator[Finding]:
    """A line of Markdown does not render as its author intended.

    A backtick is unmatched, a heading has no space after its `#`, a code block begins with two backticks, or a merge
    conflict is unresolved. Readers see the raw markup, and the name, heading or example is not recognized.
    """
    yield from findings_of(file.faults, FaultKind.BROKEN_MARKUP)


@rule("MC025", Severity.WARNING, since="0.2.0", needs=[LEGACY])
def parameters_not_read(file: SpecFile) -> Iterator[Finding]:
    """A tool in an older dialect describes its parameters only in sentences, examples or forms that are not read.

    Its parameters are neither checked, compared nor exported, and no example is checked against them. All such tools of
    a file are reported together. A tool that does not mention parameters is reported if most tools of its file describe
    theirs.
    """
    own = [tool.contract for tool in file.tools if tool.is_legacy and not tool.is_listed_only]
    left = [(tool, place) for tool in own for key in _UNREAD_INPUT if (place := tool.places.get(key)) is not None]
    if left:
        which = "the tool" if len(left) == 1 else f"{len(left)} tools"
        in_prose = sum("prose_input" in tool.places for tool, _ in left)
        how = "in a form that is not supported" if not in_prose else "only in sentences or examples, which are not read"
        how = "in sentences, examples or other forms, which are not read" if 0 < in_prose < len(left) else how
        yield _about_inputs(
            f"the parameters of {which} are {how}",
            "list them in a table with the columns Parameter, Type, Required and Description, or write a JSON Schema",
            left,
        )
    silent = [
        (tool, place)
        for tool in own
        if (place := tool.places.get("silent_input")) is not None and tool.places.keys().isdisjoint(_UNREAD_INPUT)
    ]
    if silent:
        which = "the tool does" if len(silent) == 1 else f"{len(silent)} tools do"
        yield _about_inputs(
            f"{which} not describe any parameters, unlike other tools of the file",
            "describe them in the same form; for a tool without parameters, write a sentence that says so",
            silent,
        )


_UNREAD_INPUT = ("prose_input", "unread_input")


def _about_inputs(message: str, hint: str, found: Sequence[tuple[ToolContract, Place]]) -> Finding:
    """Return a finding at the parameters of the first tool, with those of the others as related places."""
    related = tuple(Related(place, show(tool.name)) for tool, place in found[1:])
    return Finding(message, hint, found[0][1], part="input", related=related)


@rule("MC014", Severity.WARNING, since="0.2.0")
def misspelt_front_matter_key(file: SpecFile) -> Iterator[Finding]:
    """An unknown key in the front matter resembles a standard key that the file lacks.

    Other keys belong to the project and are ignored. A misspelled `module` or `version` is therefore ignored as well.
    """
    matter = file.front_matter
    for key in matter.values if matter is not None else ():
        missing = [known for known in FRONT_MATTER_KEYS if matter is not None and known not in matter.values]
        meant = nearest(key, missing) if key not in FRONT_MATTER_KEYS else None
        if matter is not None and meant is not None:
            message = f"the key `{show(key)}` of the front matter is unknown and ignored"
            yield Finding(message, f"write `{meant}`", matter.keys.get(key, matter.place))


def first_line(file: SourceFile) -> Place:
    """Return the first line that is not blank, or the start of the file."""
    text = file.text
    start = len(text) - len(text.lstrip())
    if start == len(text):
        return Place(file.path, 1, 1, 1, 1)
    line = place_between(file.path, text, start, start).line
    return Place(file.path, line, 1, line, offset_of(text, line, len(text)) - offset_of(text, line, 1) + 1)
