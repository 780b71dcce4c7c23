"""Rules about the examples of results: that they are messages, and what the tool may return (MC405 to MC409)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Example, JsonValue, SchemaPart, SpecTool, ToolContract
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.rule_names import nearest
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.behavior.calls import MOST_EXAMPLES, JudgedValue, at, refusals
from mcp_contracts.rules.schemas.declared_inputs import declared_input
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.outline import ITEM, SchemaPlace, child_of, root_of
from mcp_contracts.schema.wording import one_of, shown_value

# As in `messages`, which is slow to import; a test compares the two.
STATUSES = ("success", "failure", "no_change_needed", "partial_success")
"""The values of `status`."""
RESULT_FIELDS = ("status", "data", "error", "explanation")
"""The fields of a result."""
ERROR_FIELDS = ("error_type", "error_message", "error_details")
"""The fields of a result's `error`."""


@rule("MC405", Severity.ERROR, since="0.1.0")
def invalid_result_message(tool: ToolContract) -> Iterator[Finding]:
    """An example result is not a valid message of the protocol.

    A result has a status, and data or an error; a failure has an error and no data. Implementers copy the form of the
    example, and callers that read `status` and `error` then miss failures.
    """
    for example in tool.examples[:MOST_EXAMPLES]:
        if example.kind == "result" and isinstance(example.value, dict):
            yield from _result_faults(example, example.value)


@rule("MC406", Severity.ERROR, since="0.1.0")
def example_data_refused(tool: ToolContract) -> Iterator[Finding]:
    """The data of an example does not match the tool's output schema.

    Either the schema does not describe what the tool returns, or the example shows something that the tool never
    returns.
    """
    for judged in judged_data(tool):
        yield from refusals(judged)


def judged_data(tool: ToolContract) -> Iterator[JudgedValue]:
    """Yield the data in the examples of a tool."""
    for example in tool.examples[:MOST_EXAMPLES]:
        if example.kind == "data":
            yield from _held_data(example, "", example.value, tool.output)
        elif example.kind == "result" and isinstance(example.value, dict) and not _is_failure(example.value):
            yield from _held_data(example, "/data", example.value.get("data"), tool.output)


@rule("MC407", Severity.WARNING, since="0.1.0")
def example_error_type_unlisted(tool: ToolContract) -> Iterator[Finding]:
    """An example fails with an error type that the tool does not document.

    Callers handle the documented errors, and are not prepared for an error that only an example shows.
    """
    listed = [error.name for error in tool.errors]
    if not listed:
        return
    for example in tool.examples:
        error = example.value.get("error") if isinstance(example.value, dict) else None
        if example.kind != "result" or not isinstance(error, dict):
            continue
        named = error.get("error_type")
        if isinstance(named, str) and named and named not in listed:
            near = nearest(named, listed)
            hint = f"write `{show(near)}`, or list it" if near else "list it in section 5, and say when it occurs"
            message = f"error type `{show(named)}` is not documented"
            yield at(example, "/error/error_type", message, hint)


@rule("MC408", Severity.NOTE, since="0.1.0")
def missing_failure_example(tool: SpecTool) -> Iterator[Finding]:
    """A specification has no example of a failing call, although its tool may fail.

    Callers make the most mistakes when they handle failures. An example shows which error type is returned, and what
    its message says.
    """
    section = tool.section(7)
    examples = tool.contract.examples
    if section is None or section.is_empty or not examples or _never_fails(tool):
        return
    for example in examples:
        # An unreadable example may show a failure, and has its own fault.
        if example.value is None or (isinstance(example.value, dict) and _is_failure(example.value)):
            return
    yield Finding(
        "the usage examples show no failure",
        'add a result with `"status": "failure"` and an `error` of a documented type',
        section.place,
    )


def _never_fails(tool: SpecTool) -> bool:
    """Whether the section about errors only says that there are none."""
    section = tool.section(5)
    return not tool.contract.errors and section is not None and _NO_ERRORS.match(section.text) is not None


_NO_ERRORS = re.compile(
    r"\W*(?:none\b|(?:this tool|it|the tool) (?:does not|doesn[’']t|never|cannot|can[’']t) fail\b"
    r"|(?:this tool|it|the tool) (?:has|raises|returns) no errors?\b|no errors?\b|never fails\b)",
    re.IGNORECASE,
)


@rule("MC409", Severity.WARNING, since="0.2.0")
def example_data_undeclared(tool: ToolContract) -> Iterator[Finding]:
    """The data of an example has a field that the output schema does not declare.

    The schema allows any name, so nothing rejects it. But programs read declared names, and a field that only an
    example shows is either misspelled or not guaranteed.
    """
    if tool.output is None or (isinstance(tool.output.value, dict) and "additionalProperties" in tool.output.value):
        return  # stated explicitly: MC406 reports a refused name, and an allowed one is intended
    declared = declared_input(tool.output)
    if declared.is_open or not declared.is_known or not declared.pointers:
        return
    root = tool.output.value
    for example in tool.examples[:MOST_EXAMPLES]:
        if example.kind not in ("result", "data") or not isinstance(example.value, dict) or _is_failure(example.value):
            continue
        is_loose = example.kind == "data"  # older dialects show more than they describe
        data = example.value if is_loose else example.value.get("data")
        if not isinstance(data, dict) or set(data) == {"result"}:
            continue
        # An example with none of the declared fields shows something else; in an envelope, they are nested deeper.
        is_other = is_loose and data and not any(name in declared.pointers or name in _ENVELOPE for name in data)
        is_close = is_loose and _is_nearly_whole(data, declared.pointers)
        for name in data:
            if name not in declared.pointers and name not in declared.required:  # MC302 reports it
                near = nearest(name, [other for other in declared.pointers if other not in data])
                if near is None and is_loose and not (is_other or is_close):
                    continue
                hint = f"write `{show(near)}`" if near else "declare it in the output schema, or remove it"
                message = f"`{show(name)}` is not declared in the output schema"
                base = "" if is_loose else "/data"
                yield at(example, f"{base}/{escape(name)}", message, hint, on_key=True)
        for pointer, name in _undeclared_members(root, root_of(root), data, "" if is_loose else "/data"):
            hint = "declare it in the output schema, or remove it"
            yield at(example, pointer, f"`{show(name)}` is not declared in the output schema", hint, on_key=True)


_FEWEST_SHOWN = 2


def _is_nearly_whole(shown: Mapping[str, JsonValue], declared: Collection[str]) -> bool:
    """Whether an object has one undeclared field, and most of the declared ones."""
    known = sum(name in declared for name in shown)
    return len(shown) - known == 1 and known >= _FEWEST_SHOWN and known * 2 >= len(declared)


def _undeclared_members(
    root: JsonValue, place: SchemaPlace, value: JsonValue, base: str, depth: int = 0
) -> Iterator[tuple[str, str]]:
    """Yield the pointer and the name of the undeclared field of each inner object that is otherwise as declared."""
    if depth > _DEEPEST or not isinstance(value, dict | list):
        return
    members = enumerate(value[:_MOST_ITEMS]) if isinstance(value, list) else value.items()
    is_closed = not place.is_open and not any(one.keys() & _OF_OTHER_NAMES for one in place.schemas)
    is_close = depth > 0 and is_closed and isinstance(value, dict) and _is_nearly_whole(value, place.names)
    for name, member in members:
        pointer = f"{base}/{name if isinstance(name, int) else escape(name)}"
        if is_close and isinstance(name, str) and name not in place.names:
            yield pointer, name
        child = child_of(root, place, ITEM if isinstance(name, int) else name) if member else None
        if child is not None:
            yield from _undeclared_members(root, child, member, pointer, depth + 1)


_DEEPEST, _MOST_ITEMS = 10, 50
_OF_OTHER_NAMES = frozenset(("additionalProperties", "patternProperties", "unevaluatedProperties"))
_ENVELOPE = frozenset(
    ("status", "data", "result", "results", "response", "output", "error", "message", "success", "ok", "content")
)
"""The keys that wrap or describe a result."""


def _is_failure(result: dict[str, JsonValue]) -> bool:
    status = result.get("status")
    return isinstance(status, str) and "failure" in status


def _result_faults(example: Example, result: dict[str, JsonValue]) -> Iterator[Finding]:
    status = result.get("status", "success")
    if "status" not in result:
        likely = "success" if result.get("error") is None else "failure"
        yield at(example, "", "the result has no `status`", f'write `"status": "{likely}"`')
    if not isinstance(status, str) or status not in STATUSES:
        near = nearest(status, STATUSES) if isinstance(status, str) else None
        near = near or _STATUS_SYNONYMS.get(str(status).lower())
        choices = one_of([f"`{name}`" for name in STATUSES])
        message = f"`status` is {shown_value(status)}, not {choices}"
        yield at(example, "/status", message, f"write `{near}`" if near else "write one of these")
    yield from _unknown_fields(example, "", result, RESULT_FIELDS, "a result")
    data, error = result.get("data"), result.get("error")
    if data is not None and not isinstance(data, dict) and not _is_failure(result):
        hint = 'wrap it: `{"result": …}`'
        yield at(example, "/data", f"`data` is {shown_value(data)}, not an object or null", hint)
    if _is_failure(result):
        if error is None:
            pointer = "/error" if "error" in result else "/status"
            hint = 'add `"error": {"error_type": …, "error_message": …}`'
            yield at(example, pointer, f"status `{show(str(status))}` has no `error`", hint)
        if data is not None:
            hint = 'write `"data": null`, or the status `partial_success`'
            yield at(example, "/data", f"status `{show(str(status))}` must not have `data`", hint)
    if error is not None:
        yield from _error_faults(example, error)
    explanation = result.get("explanation")
    if explanation is not None and not isinstance(explanation, str):
        message = f"`explanation` is {shown_value(explanation)}, not a string or null"
        yield at(example, "/explanation", message, "write a sentence, or remove it")


_STATUS_SYNONYMS = {
    "complete": "success",
    "completed": "success",
    "done": "success",
    "error": "failure",
    "failed": "failure",
    "fail": "failure",
    "ok": "success",
    "partial": "partial_success",
    "succeeded": "success",
    "unchanged": "no_change_needed",
    "noop": "no_change_needed",
}


def _error_faults(example: Example, error: JsonValue) -> Iterator[Finding]:
    if not isinstance(error, dict):
        hint = 'write `{"error_type": …, "error_message": …}`'
        yield at(example, "/error", f"`error` is {shown_value(error)}, not an object or null", hint)
        return
    for name in ("error_type", "error_message"):
        value = error.get(name)
        if name not in error:
            yield at(example, "/error", f"`error` has no `{name}`", f"add `{name}`")
        elif not isinstance(value, str) or (name == "error_type" and not value):
            hint = (
                "write the name of an error, such as `ValidationError`" if name == "error_type" else "write a sentence"
            )
            wanted = "a non-empty string" if name == "error_type" else "a string"
            yield at(example, f"/error/{name}", f"`{name}` is {shown_value(value)}, not {wanted}", hint)
    details = error.get("error_details")
    if not isinstance(details, dict | str | None):
        message = f"`error_details` is {shown_value(details)}, not an object, a string or null"
        yield at(example, "/error/error_details", message, "put it into an object")
    yield from _unknown_fields(example, "/error", error, ERROR_FIELDS, "an error")


def _unknown_fields(
    example: Example, base: str, value: dict[str, JsonValue], fields: tuple[str, ...], what: str
) -> Iterator[Finding]:
    for name in value:
        if name not in fields:
            near = nearest(name, [field for field in fields if field not in value])
            hint = f"write `{near}`" if near else f"{what} has only {one_of([f'`{field}`' for field in fields], 'and')}"
            pointer = f"{base}/{escape(name)}"
            yield at(example, pointer, f"`{show(name)}` is not a field of {what}", hint, on_key=True)


def _held_data(example: Example, base: str, data: JsonValue, schema: SchemaPart | None) -> Iterator[JudgedValue]:
    if data is None or schema is None or (base and not isinstance(data, dict)):
        return
    if isinstance(data, dict) and set(data) == {"result"} and _is_no_object(schema.value):
        # A value that is not an object is sent as `{"result": …}`.
        base, data = f"{base}/result", data["result"]
    yield JudgedValue(example, base, data, schema, "the value of `data`" if base else "the data")


def _is_no_object(schema: JsonValue) -> bool:
    stated = schema.get("type") if isinstance(schema, dict) else None
    return isinstance(stated, str | list) and "object" not in stated
