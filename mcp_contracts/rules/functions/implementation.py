"""Rules that check Python functions against their contracts (MC7); `lint --implementation` runs them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mcp_contracts.diagnostics import Finding, Related, Severity
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.schemas.names import fold_name
from mcp_contracts.rules.wording import nearest, show
from mcp_contracts.schema.references import follow
from mcp_contracts.schema.wording import shown_value

if TYPE_CHECKING:
    # Only a lint that is given an implementation needs them.
    from mcp_contracts.implementation import ImplementedContracts, ImplementedTool, Parameter
    from mcp_contracts.rules.schemas.declared_inputs import DeclaredInput


@rule("MC701", Severity.ERROR, since="0.2.0")
def contract_without_function(implemented: ImplementedContracts) -> Iterator[Finding]:
    """No function implements a contract.

    Callers assume that the tool works, and every call to it fails. A deprecated tool must work until it is removed with
    its contract. Nothing is reported if a module cannot be read, or if the tool of a registration is only known
    at run time, because the function may exist. A function for a nearly identical name is reported as
    `function-without-contract`.
    """
    misspelled = set(_misspelled(implemented).values())
    for contract in implemented.missing:
        if contract.name not in misspelled:
            hint = f'mark its function: `@registry.implement("{show(contract.name)}")`'
            yield Finding(f"`{show(contract.name)}` has no function that implements it", hint, contract.place)


@rule("MC702", Severity.ERROR, since="0.2.0")
def function_without_contract(implemented: ImplementedContracts) -> Iterator[Finding]:
    """A function implements a tool that has no contract.

    Agents do not see the tool, its arguments are not validated, and a registry rejects the function at start-up.
    Usually, the name is misspelled or the tool was renamed on one side. A function that is registered with
    `registry.tool` has its own contract.
    """
    misspelled = _misspelled(implemented)
    for function in implemented.extra:
        if function.mark == "implement" and function.tool is not None:
            near = misspelled.get(function.tool)
            hint = "write its contract, pass the specification that contains it, or remove the registration"
            if near is not None:
                hint = f"did you mean `{show(near)}`?"
            yield Finding(
                f"no contract describes `{show(function.tool)}`, which is implemented here", hint, function.place
            )


@rule("MC703", Severity.NOTE, since="0.2.0")
def public_function_without_contract(implemented: ImplementedContracts) -> Iterator[Finding]:
    """A public function in a module with tools has no contract.

    Without registrations, functions are matched to tools by name, and this name matches no tool. If the function is a
    helper, begin its name with an underscore or leave it out of `__all__`; otherwise it may be a tool without a
    specification. Only modules that contain at least one tool are checked.
    """
    with_tools = {tool.function.module for tool in implemented.tools}
    for function in implemented.extra:
        if function.mark == "name" and function.module in with_tools:
            message = f"`{show(function.name)}` is public, but no contract describes it"
            hint = "write its contract, mark the functions that are tools, or begin its name with an underscore"
            yield Finding(message, hint, function.place)


@rule("MC704", Severity.ERROR, since="0.2.0")
def parameter_missing(tool: ImplementedTool) -> Iterator[Finding]:
    """A contract declares a parameter that the function does not accept.

    A call with this parameter is valid, but raises an error in Python before the function runs. If only the spelling
    differs, `parameter-renamed` reports it.
    """
    renamed = _find_renamed_parameters(tool).values()
    for name in _missing(tool, _read_declared_input(tool)):
        if name not in renamed:
            message = f"{_function(tool)} does not take `{show(name)}`, which the contract declares"
            yield _finding(tool, name, message, f"add the parameter `{show(name)}`, or remove it from the contract")


@rule("MC705", Severity.WARNING, since="0.2.0")
def parameter_undeclared(tool: ImplementedTool) -> Iterator[Finding]:
    """A function has an optional parameter that the contract does not declare.

    Callers do not know it, and a closed schema rejects it, so the default always applies. Values that the program
    itself supplies belong in a closure or an object.
    """
    renamed = _find_renamed_parameters(tool)
    for parameter in _find_undeclared_parameters(tool):
        if not parameter.is_required and parameter.name not in renamed:
            message = f"{_function(tool)} takes `{show(parameter.name)}`, which the contract does not declare"
            hint = "declare it in the input schema, or remove the parameter"
            yield _finding(tool, parameter.name, message, hint, parameter)


@rule("MC706", Severity.ERROR, since="0.2.0")
def required_parameter_undeclared(tool: ImplementedTool) -> Iterator[Finding]:
    """A function requires a parameter that the contract does not declare.

    No valid call contains it, so every call fails. If only the spelling differs, `parameter-renamed` reports it.
    """
    renamed = _find_renamed_parameters(tool)
    for parameter in _find_undeclared_parameters(tool):
        if parameter.is_required and parameter.name not in renamed:
            message = f"{_function(tool)} requires `{show(parameter.name)}`, which the contract does not declare"
            hint = "declare it in the input schema, or give the parameter a default"
            yield _finding(tool, parameter.name, message, hint, parameter)


@rule("MC707", Severity.ERROR, since="0.2.0")
def parameter_renamed(tool: ImplementedTool) -> Iterator[Finding]:
    """A parameter has different names in the contract and the function.

    A call that uses the contract's name fails. If Python does not allow that name, such as `from`, use an alias:
    `Annotated[str, Field(alias="from")]`.
    """
    for name, declared in _find_renamed_parameters(tool).items():
        parameter = next(one for one in tool.function.parameters or () if one.name == name)
        message = f"{_function(tool)} takes `{show(name)}`, but the contract calls it `{show(declared)}`"
        hint = f"rename one of them, or give the parameter an alias: `Field(alias={shown_value(declared)})`"
        yield _finding(tool, declared, message, hint, parameter)


@rule("MC708", Severity.ERROR, since="0.2.0")
def parameter_required_by_function_only(tool: ImplementedTool) -> Iterator[Finding]:
    """A function requires a parameter that is optional in the contract.

    A call without it is valid, but fails before the function runs. If the contract has a default, the registry fills it
    in, and nothing is reported.
    """
    declared = _read_declared_input(tool)
    optional = declared.pointers.keys() - declared.required if declared.is_known else set()
    for parameter in tool.function.parameters or ():
        if parameter.is_required and parameter.name in optional and not _has_default(tool, declared, parameter.name):
            name = show(parameter.name)
            message = f"{_function(tool)} requires `{name}`, which the contract leaves optional"
            hint = f"give `{name}` a default, or list it under `required`"
            yield _finding(tool, parameter.name, message, hint, parameter)


@rule("MC709", Severity.NOTE, since="0.2.0")
def parameter_required_by_contract_only(tool: ImplementedTool) -> Iterator[Finding]:
    """A parameter has a default in the function but is required in the contract.

    Nothing fails, but the default never applies. Either it is obsolete, or callers must send a value that the function
    does not need.
    """
    declared = _read_declared_input(tool)
    for parameter in tool.function.parameters or ():
        if parameter.name in declared.required and parameter.name in declared.pointers and not parameter.is_required:
            name = show(parameter.name)
            message = f"`{name}` of {_function(tool)} has a default, but the contract requires it"
            hint = f"remove the default, or remove `{name}` from `required`"
            yield _finding(tool, parameter.name, message, hint, parameter)


@rule("MC710", Severity.ERROR, since="0.2.0")
def annotation_contradicts_schema(tool: ImplementedTool) -> Iterator[Finding]:
    """The contract allows a value that the annotation of a parameter does not.

    Such a value passes validation and then breaks the function, or the code that enforces the annotation rejects it.
    Only proven cases are reported, with a value. An annotation may accept more than the contract, and an annotation
    that cannot be resolved (an alias, a type variable, a class from elsewhere) is assumed to accept anything.
    """
    from mcp_contracts.rules.schemas.annotated_values import unfit_value  # the search for values is slow to import

    part = tool.contract.input
    if part is None:
        return
    sole = _read_declared_input(tool).sole
    for parameter in tool.function.parameters or ():
        if parameter.accepts is not True and parameter.name in sole:
            unfit = unfit_value(part.value, sole[parameter.name], parameter.accepts)
            if unfit is not None:
                annotation = show(parameter.annotation or "")
                message = (
                    f"`{show(parameter.name)}` of {_function(tool)} is annotated `{annotation}`, "
                    f"but the contract allows `{shown_value(unfit[0])}`"
                )
                hint = "widen the annotation, or narrow the schema"
                yield _finding(tool, parameter.name, message, hint, parameter)


@rule("MC711", Severity.WARNING, since="0.2.0")
def default_differs(tool: ImplementedTool) -> Iterator[Finding]:
    """A parameter has different defaults in the contract and the function.

    A caller that omits the parameter expects the contract's default, but the function's applies. `None` and defaults
    that are not literal values are not checked, because the function may compute the actual default.
    """
    from mcp_contracts.schema.json_equality import same_json  # see annotation_contradicts_schema

    part = tool.contract.input
    if part is None:
        return
    sole = _read_declared_input(tool).sole
    for parameter in tool.function.parameters or ():
        pointer = sole.get(parameter.name)
        schema = None if pointer is None else follow(part.value, pointer)
        if parameter.default is None or not isinstance(schema, dict) or "default" not in schema:
            continue
        if not same_json(schema["default"], parameter.default):
            message = (
                f"the default of `{show(parameter.name)}` is `{shown_value(parameter.default)}` in {_function(tool)}, "
                f"but `{shown_value(schema['default'])}` in the contract"
            )
            yield _finding(
                tool, parameter.name, message, "use the same default in both", parameter, f"{pointer}/default"
            )


@rule("MC712", Severity.ERROR, since="0.2.0")
def return_annotation_contradicts_schema(tool: ImplementedTool) -> Iterator[Finding]:
    """The output schema allows no value of the function's return type.

    Every result is rejected. A value that is not an object becomes `{"result": value}`, so a function that returns a
    list needs an output schema with an array under `result`. `None` and the runtime's own result types
    (`NoChangeNeeded`, `PartialSuccess`, `MCPToolResult`) are ignored. Only proven cases are reported.
    """
    from mcp_contracts.rules.schemas.annotated_values import is_never_allowed  # see annotation_contradicts_schema

    part, function = tool.contract.output, tool.function
    if part is None or not function.returns or function.mark == "tool":  # there, the registry decides what it wraps
        return
    if not is_never_allowed(part.value, function.returns):
        return
    are_bare = all(isinstance(one, dict) and one.get("type") != "object" for one in function.returns)
    wrapped = ', which becomes `{"result": …}`' if are_bare else ""
    annotation = show(function.return_annotation or "")
    yield Finding(
        f"{_function(tool)} returns `{annotation}`{wrapped}: the output schema does not allow it",
        "return what the output schema describes, or describe in the schema what the function returns",
        function.place,
        part="output",
        pointer="",
        related=(Related(part.locator.place(), "the output schema"),),
    )


@rule("MC713", Severity.ERROR, since="0.2.0")
def unreadable_implementation(implemented: ImplementedContracts) -> Iterator[Finding]:
    """A module of the implementation cannot be read.

    It has a syntax error, is not UTF-8, or is too large, so its functions are unknown. It cannot be imported either.
    """
    for fault in implemented.implementation.unreadable:
        yield Finding(fault.message, fault.hint, fault.place)


@rule("MC714", Severity.NOTE, since="0.2.0")
def implemented_name_unknown(implemented: ImplementedContracts) -> Iterator[Finding]:
    """The tool that a function implements is only known at run time.

    The registered name is neither a literal nor a module constant. The function is therefore not checked, and no
    contract is reported as unimplemented.
    """
    for fault in implemented.implementation.unnamed:
        yield Finding(f"cannot determine which tool `{show(fault.message)}` names", fault.hint, fault.place)


def _misspelled(implemented: ImplementedContracts) -> dict[str, str]:
    """Return the misspelled names in marks, each with the name of the unimplemented contract that it was meant for."""
    missing = [contract.name for contract in implemented.missing]
    found: dict[str, str] = {}
    for function in implemented.extra:
        if function.mark == "implement" and function.tool is not None and function.tool not in found:
            near = nearest(function.tool, missing)
            if near is not None:
                found[function.tool] = near
                missing.remove(near)
    return found


def _function(tool: ImplementedTool) -> str:
    return f"`{show(tool.function.name)}`"


def _read_declared_input(tool: ImplementedTool) -> DeclaredInput:
    from mcp_contracts.rules.schemas.declared_inputs import DeclaredInput, declared_input  # see above

    return DeclaredInput(is_known=False) if tool.contract.input is None else declared_input(tool.contract.input)


def _has_default(tool: ImplementedTool, declared: DeclaredInput, name: str) -> bool:
    """Whether the contract states a default for a parameter, in any of its schemas."""
    schema = tool.contract.input_schema
    found = (follow(schema, pointer) for pointer in declared.pointers[name])
    return any(isinstance(one, dict) and "default" in one for one in found)


def _missing(tool: ImplementedTool, declared: DeclaredInput) -> Sequence[str]:
    """Return the names that the contract declares but the function does not accept."""
    function = tool.function
    if function.parameters is None or function.takes_any_name:
        return ()
    taken = {parameter.name for parameter in function.parameters}
    return [name for name in declared.pointers if name not in taken]


def _find_undeclared_parameters(tool: ImplementedTool) -> Sequence[Parameter]:
    """Return the parameters that the contract definitely does not declare."""
    declared = _read_declared_input(tool)
    if declared.is_open or not declared.is_known:
        return ()
    return [one for one in tool.function.parameters or () if one.name not in declared.pointers]


def _find_renamed_parameters(tool: ImplementedTool) -> dict[str, str]:
    """Return the renamed parameters with their names in the contract. Each name has a similar spelling and no other
    match.
    """
    missing = list(_missing(tool, _read_declared_input(tool)))
    found: dict[str, str] = {}
    for parameter in _find_undeclared_parameters(tool):
        folded = {fold_name(name): name for name in missing}
        near = folded.get(fold_name(parameter.name)) or nearest(parameter.name, missing)
        if near is not None:
            found[parameter.name] = near
            missing.remove(near)
    return found


def _finding(
    tool: ImplementedTool,
    name: str,
    message: str,
    hint: str,
    parameter: Parameter | None = None,
    pointer: str | None = None,
) -> Finding:
    """Return a finding about a parameter, at its place in the function, with the related place in the contract."""
    part = tool.contract.input
    pointers = _read_declared_input(tool).pointers.get(name)
    related: tuple[Related, ...] = ()
    if part is not None:
        place = part.locator.place(pointer or pointers[0], on_key=pointer is None) if pointers else part.locator.place()
        related = (Related(place, "declared here" if pointers else "the input schema"),)
    return Finding(
        message,
        hint,
        tool.function.place if parameter is None else parameter.place,
        part="input",
        pointer=pointer or (pointers[0] if pointers else f"/properties/{escape(name)}"),
        related=related,
    )
