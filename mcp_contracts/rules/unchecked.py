"""Rules about what is not checked (MC015), and about parts of Python functions that cannot be read (MC018, MC019)."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.contract import SourceFile, SpecFile, ToolContract
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.faults import FaultKind
from mcp_contracts.rules.base import ToolSchema, findings_of, rule
from mcp_contracts.rules.behavior.calls import MOST_EXAMPLES, at, judged_arguments, outcome_of
from mcp_contracts.rules.behavior.results import judged_data
from mcp_contracts.rules.safety.harmful_text import unexamined_tools
from mcp_contracts.rules.schemas.declared_inputs import MOST_NODES, declared_input
from mcp_contracts.rules.schemas.values import unjudged_values
from mcp_contracts.rules.texts import LONGEST_PROSE
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.dialects import dialect_of
from mcp_contracts.schema.walk import shared_subschemas


@rule("MC015", Severity.NOTE, since="0.2.0")
def not_everything_checked(file: SourceFile) -> Iterator[Finding]:
    """Part of a file is not checked because it is too large, has an unsupported form, or cannot be evaluated.

    Time and memory are bounded for every file. This rule reports each exceeded bound, because otherwise a run without
    findings would suggest that everything was checked.
    """
    for tool in unexamined_tools(file):
        message = f"not all text in `{show(tool.name)}` was searched for instructions to the model"
        yield Finding(message, "shorten its descriptions, or review them by hand", tool.place)
    for written in file.tools if isinstance(file, SpecFile) else ():
        yield from findings_of(written.faults, FaultKind.PARTLY_READ)
    for tool in file.contracts:
        yield from _examples(tool)
        if len(tool.description) > LONGEST_PROSE:
            message = (
                f"the last {len(tool.description) - LONGEST_PROSE:,} characters of the description are not checked"
            )
            yield Finding(
                message,
                f"shorten the description to at most {LONGEST_PROSE:,} characters",
                tool.place_of("description"),
            )
        if tool.input is not None and declared_input(tool.input).is_cut:
            message = f"names of arguments are not checked: more than {MOST_NODES} subschemas declare them"
            yield Finding(message, "simplify the alternatives at the root of the schema", tool.input.locator.place(""))
        for part in (tool.input, tool.output):
            if part is None:
                continue
            nodes, dialect = shared_subschemas(part.value), dialect_of(part.value)
            for one in unjudged_values(ToolSchema(tool, part.part, part.value, part.origin, nodes, dialect)):
                values = "a value is" if one.many == 1 else f"{one.many:,} values are"
                message = f"{values} not checked against the schema: {one.reason}"
                place = part.locator.place(one.pointer)
                yield Finding(message, _HINT, place, part=part.part, pointer=one.pointer)


_HINT = "check it by hand"


def _examples(tool: ToolContract) -> Iterator[Finding]:
    for judged in (*judged_arguments(tool), *judged_data(tool)):
        part = judged.schema
        outcome = outcome_of(judged)
        if part is None or dialect_of(part.value) is None:
            continue  # MC310 reports it
        if outcome is not None and outcome.unknown is not None:
            message = f"{judged.subject} is not checked against the {part.part} schema: {outcome.unknown}"
            yield at(judged.example, judged.base, message, _HINT)
    if len(tool.examples) > MOST_EXAMPLES:
        more = len(tool.examples) - MOST_EXAMPLES
        are = "example is" if more == 1 else "examples are"
        message = f"{more:,} more {are} not checked: only the first {MOST_EXAMPLES} of a tool are"
        yield at(tool.examples[MOST_EXAMPLES], "", message, "keep only the most useful examples")


@rule("MC018", Severity.ERROR, since="0.2.0", needs=[FaultKind.UNUSABLE_FUNCTION])
def unusable_function(file: SourceFile) -> Iterator[Finding]:
    """A Python function is marked as a tool but cannot be one.

    Calls pass arguments by name, so a function with positional-only parameters (`*words`, or a `/` in its signature)
    cannot be called. A tool with a computed name, or one that is not a function of the module, has no contract until
    the program runs. Comparisons and exports of the source do not contain these tools.
    """
    yield from findings_of(file.faults, FaultKind.UNUSABLE_FUNCTION)


@rule("MC019", Severity.WARNING, since="0.2.0", needs=[FaultKind.UNREAD_CODE])
def code_not_read(file: SourceFile) -> Iterator[Finding]:
    """Part of a Python function's contract is only known at run time.

    The code is read but never run. A class from another package is treated as accepting any value; a computed default,
    or a method that changes a model's schema, is ignored. The contract in the running program is more precise.
    """
    yield from findings_of(file.faults, FaultKind.UNREAD_CODE)
