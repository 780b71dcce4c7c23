"""The rules about the effects of a call."""

from __future__ import annotations

import pytest

from mcp_contracts import messages as protocol
from mcp_contracts.contract import Effects, ErrorType, JsonValue, SpecTool
from mcp_contracts.rules.behavior.effects import (
    fitting_error_type,
    idempotency_contradicts_effects,
    idempotency_not_stated,
    no_error_documented,
    security_not_considered,
    unconventional_error_type,
    unknown_effects,
)
from mcp_contracts.rules.files import invalid_tool_list
from mcp_contracts.rules.safety.risks import risky_parameters
from mcp_contracts.rules.vocabulary import STANDARD_ERROR_TYPES
from tests.support_names import (
    at,
    findings,
    input_schema,
    listed,
    messages,
    only,
    said,
    sections,
    spec,
    spec_tool,
)
from tests.tables import each


def test_the_standard_error_types_are_those_of_the_messages() -> None:
    assert STANDARD_ERROR_TYPES == protocol.STANDARD_ERROR_TYPES


@pytest.mark.parametrize(
    "text",
    [
        "- **Backend Unavailable**: Returns error if the backend is not accessible",
        "Errors are logged.",
        "Returns None when the key is not known.",
        "No error message is localised.",
        "{{errors}}",
    ],
)
def test_a_section_without_error_types_gets_a_hint(text: str) -> None:
    finding = only(no_error_documented, spec_tool(texts={5: text}))

    assert finding.message == "the error handling section does not name an error type"
    assert finding.place == at(50)


@each(
    "text",
    [
        "None.",
        "none",
        "- None",
        "**N/A**",
        "Nothing.",
        "This tool raises no errors of its own.",
        "No errors are expected.",
        "There are no known errors.",
        "The call never fails.",
        "It cannot fail.",
        "Always succeeds.",
        "The tool does not raise.",
        "Errors: none.",
        "No exceptions.",
    ],
)
def test_a_section_may_say_that_there_are_no_errors(text: str) -> None:
    assert messages(no_error_documented, spec_tool(texts={5: text})) == []


def test_a_section_that_names_a_type_or_is_empty_or_missing_is_another_rules_matter() -> None:
    error = ErrorType("TimeoutError", "when it is late", at(51))

    assert messages(no_error_documented, spec_tool(errors=(error,))) == []
    assert messages(no_error_documented, spec_tool(texts={5: ""})) == []
    assert messages(no_error_documented, spec_tool(sections=sections(leave_out=(5,)))) == []


def erring(name: str) -> SpecTool:
    """Return a tool that documents one error type."""
    return spec_tool(errors=(ErrorType(name, "", at(51)),))


@pytest.mark.parametrize("name", [*STANDARD_ERROR_TYPES, "QuotaExceeded", "IOError", "HTTP404Error", "Ab", "{{Error}}"])
def test_a_standard_error_type_or_one_in_pascal_case_is_fine(name: str) -> None:
    assert messages(unconventional_error_type, erring(name)) == []


@pytest.mark.parametrize(
    ("name", "fitting"),
    [
        ("not_found", "NotFound"),
        ("TIMEOUT", "TimeoutError"),
        ("Timeout", None),
        ("validation error", "ValidationError"),
        ("permission-denied", "PermissionDenied"),
        ("ENOENT", "Enoent"),
        ("resource_not_found_error", "ResourceNotFound"),
        ("quotaExceeded", "QuotaExceeded"),
    ],
)
def test_another_error_type_is_shown_in_pascal_case(name: str, fitting: str | None) -> None:
    found = findings(unconventional_error_type, erring(name))

    expected = [(f"error type `{name}` is neither a standard type nor in PascalCase", f"write `{fitting}`", at(51))]
    assert [(finding.message, finding.hint, finding.place) for finding in found] == (expected if fitting else [])


@pytest.mark.parametrize("name", ["404", "E", "", "é"])
def test_an_error_type_without_letters_has_no_fitting_form(name: str) -> None:
    assert fitting_error_type(name) is None
    assert only(unconventional_error_type, erring(name)).hint == ("use PascalCase, such as `QuotaExceeded`")


def test_the_hint_on_an_error_type_shows_no_part_of_a_secret() -> None:
    name = "ghp_" + "h3Jk8sWq1ZxCv6Bn4MlP0oIu7YtR5eWd2FgK"

    assert only(unconventional_error_type, erring(name)).hint == "use PascalCase, such as `QuotaExceeded`"


def test_idempotency_that_is_not_stated_is_found_at_its_section() -> None:
    finding = only(idempotency_not_stated, spec_tool(texts={6: "It may be called at any time."}))

    assert finding.message == "the idempotency section does not say whether a call may be repeated"
    assert finding.place == at(60)


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("Mostly, but for the log", "write `**Idempotent**: conditional`"),
        ("perhaps", "begin with yes, no or conditional, and then explain"),
    ],
)
def test_idempotency_in_another_word_says_which_was_meant(written: str, hint: str) -> None:
    tool = spec_tool(idempotency_text=written, places={"idempotency": at(61)})

    finding = only(idempotency_not_stated, tool)

    assert finding.message == f"`{written}` is not `yes`, `no` or `conditional`"
    assert (finding.hint, finding.place) == (hint, at(61))


def test_idempotency_that_is_stated_or_absent_or_a_placeholder_is_fine() -> None:
    assert messages(idempotency_not_stated, spec_tool(idempotent="conditional")) == []
    assert messages(idempotency_not_stated, spec_tool(sections=sections(leave_out=(6,)))) == []
    assert messages(idempotency_not_stated, spec_tool(idempotency_text="{{yes | no}}")) == []


@pytest.mark.parametrize("idempotent", ["no", "conditional"])
def test_a_read_only_tool_that_must_not_be_repeated_reads_oddly(idempotent: str) -> None:
    tool = spec_tool(effects=Effects("read-only"), idempotent=idempotent)

    assert messages(idempotency_contradicts_effects, tool) == [
        f"the tool is read-only, but its idempotency is `{idempotent}`"
    ]


@pytest.mark.parametrize("change", [None, "additive", "destructive"])
@pytest.mark.parametrize("idempotent", [None, "yes", "no", "conditional"])
def test_a_tool_with_effects_may_be_idempotent_or_not(change: str | None, idempotent: str | None) -> None:
    assert messages(idempotency_contradicts_effects, spec_tool(effects=Effects(change), idempotent=idempotent)) == []  # type: ignore[arg-type]  # each is one of the literals


RISKY: list[tuple[str, JsonValue, str]] = [
    ("path", {"type": "string"}, "a path"),
    ("repo_path", {}, "a path"),
    ("outputDir", {"type": "string"}, "a path"),
    ("file_name", {"type": "string"}, "a path"),
    ("files", {"type": "array", "items": {"type": "string"}}, "a path"),
    ("target", {"type": "string", "description": "The absolute path to write to."}, "a path"),
    ("callback_url", {"type": ["string", "null"]}, "a URL"),
    ("source", {"type": "string", "format": "uri"}, "a URL"),
    ("host", {"type": "string"}, "a host"),
    ("cmd", {"type": "string"}, "a command"),
    ("shell_command", {"type": "string"}, "a command"),
    ("sql", {"type": "string"}, "a query"),
    ("query", {"type": "string", "description": "A SQL query to run."}, "a query"),
    ("code", {"type": "string"}, "code"),
    ("python_code", {"type": "string"}, "code"),
    ("code_snippet", {"type": "string"}, "code"),
    ("expression", {"type": "string", "description": "Is evaluated for each row."}, "code"),
]


@each(("name", "schema", "article"), RISKY)
def test_security_waved_aside_next_to_a_risky_parameter_is_found(name: str, schema: JsonValue, article: str) -> None:
    tool = spec_tool(texts={8: "N/A"}, input=input_schema({"limit": {"type": "integer"}, name: schema}))

    finding = only(security_not_considered, tool)

    assert finding.message == f"the security section says `N/A`, but `{name}` is {article}"
    assert finding.place == at(80)


@each(
    ("effects", "fault", "advice"),
    [
        (Effects("destructive", "open-world"), "the tool is destructive and open-world", "ask a person"),
        (Effects("destructive"), "the tool is destructive", "ask a person"),
        (Effects("read-only", "open-world"), "the tool is open-world", "come from them"),
    ],
)
def test_security_waved_aside_for_a_risky_effect_is_found(effects: Effects, fault: str, advice: str) -> None:
    tool = spec_tool(texts={8: "N/A"}, input=input_schema({"limit": {"type": "integer"}}), effects=effects)

    message, hint = said(security_not_considered, tool)

    assert message == f"the security section says `N/A`, but {fault}"
    assert advice in (hint or "")


@each("effects", [None, Effects(), Effects("read-only"), Effects("additive", "closed-world")])
def test_security_may_be_waved_aside_for_other_effects(effects: Effects | None) -> None:
    tool = spec_tool(texts={8: "N/A"}, input=input_schema({"limit": {"type": "integer"}}), effects=effects)

    assert messages(security_not_considered, tool) == []


@each(
    ("name", "schema"),
    [
        ("file_id", {"type": "string"}),
        ("path_count", {"type": "integer"}),
        ("include_files", {"type": "boolean"}),
        ("profile", {"type": "string"}),
        ("file", {"type": "string", "enum": ["a", "b"]}),
        ("query", {"type": "string", "description": "What to search for."}),
        ("country_code", {"type": "string"}),
        ("code", {"type": "string", "description": "The verification code that was sent."}),
        ("code", {"type": "string", "maxLength": 3}),
        ("host", {"const": "localhost"}),
        ("curl", {"type": "string"}),
        ("name", {"type": "string", "description": "The name of the project."}),
        ("", {"type": "string"}),
        ("__", {}),
    ],
)
def test_other_parameters_are_no_risk(name: str, schema: JsonValue) -> None:
    assert risky_parameters(input_schema({name: schema}).value) == []


def test_nested_parameters_are_risks_as_well() -> None:
    schema = input_schema({"options": {"type": "object", "properties": {"log_file": {"type": "string"}}}}).value

    assert [(name, risk.name) for name, risk in risky_parameters(schema)] == [("log_file", "PATH")]


def test_of_many_risky_parameters_three_are_named() -> None:
    names: dict[str, JsonValue] = {name: {"type": "string"} for name in ("path", "url", "cmd", "sql", "host")}

    message, hint = said(security_not_considered, spec_tool(texts={8: "None."}, input=input_schema(names)))

    assert message == (
        "the security section says `None.`, but `path` is a path, `url` is a URL and `cmd` is a command (2 more)"
    )
    assert hint == "say which paths are rejected, such as those outside the workspace"


@each(
    "text",
    [
        "N/A",
        "n/a.",
        "None",
        "- none",
        "—",
        "-",
        "Not applicable.",
        "**Not applicable**",
        "No security considerations.",
        "There are no security concerns for this tool.",
        "No special considerations apply.",
        "No known risks at this time.",
        "Nothing",
        "TBD",
    ],
)
def test_a_security_section_is_waved_aside_in_many_ways(text: str) -> None:
    tool = spec_tool(texts={8: text}, input=input_schema({"path": {"type": "string"}}))

    assert len(messages(security_not_considered, tool)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Paths outside the workspace are refused.",
        "No network access; paths are resolved below the workspace.",
        "None of the paths may leave the workspace.",
        "N/A, since the path is only compared with a fixed list.",
    ],
)
def test_a_security_section_that_says_anything_is_fine(text: str) -> None:
    tool = spec_tool(texts={8: text}, input=input_schema({"path": {"type": "string"}}))

    assert messages(security_not_considered, tool) == []


@pytest.mark.parametrize(
    ("effects", "message", "hint"),
    [
        (Effects(unknown=("read only!",)), "effect `read only!` is unknown", "write `read-only`"),
        (Effects(unknown=("write",)), "effect `write` is unknown", "write `destructive`"),
        (Effects(unknown=("idempotent",)), "effect `idempotent` is unknown", "state it in section 6"),
        (
            Effects(unknown=("magic",)),
            "effect `magic` is unknown",
            "use read-only, additive, destructive, open-world or closed-world",
        ),
        (
            Effects("read-only", unknown=("destructive",)),
            "effects `read-only` and `destructive` are mutually exclusive",
            "keep the one that is true",
        ),
        (
            Effects("additive", "open-world", unknown=("Closed world",)),
            "effects `open-world` and `closed-world` are mutually exclusive",
            "keep the one that is true",
        ),
    ],
)
def test_effects_that_mean_nothing_or_exclude_each_other_are_found(effects: Effects, message: str, hint: str) -> None:
    finding = only(unknown_effects, spec(spec_tool(effects=effects)))

    assert (finding.message, finding.hint, finding.place) == (message, hint, at(5))


@pytest.mark.parametrize("effects", [None, Effects(), Effects("additive", "closed-world"), Effects(unknown=("{{x}}",))])
def test_known_effects_are_fine(effects: Effects | None) -> None:
    assert messages(unknown_effects, spec(spec_tool(effects=effects))) == []


def test_annotations_of_a_tool_list_are_effects() -> None:
    listing = listed(
        {"annotations": {"readOnlyHint": True, "idempotentHint": False, "audience": "all"}},
        {"annotations": {"readonly_hint": True, "openWorldHint": "false", "idempotent": True, "idempotentHint": None}},
    )

    assert messages(unknown_effects, listing) == ["the annotation `readonly_hint` is unknown and ignored"]
    assert messages(invalid_tool_list, listing) == ['`openWorldHint` of `get` is "false", not a boolean']
