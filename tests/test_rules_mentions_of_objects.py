"""Names in code in a description that resemble those of its tool or of its siblings (MC515)."""

from __future__ import annotations

import json
from textwrap import dedent

from mcp_contracts.contract import SourceFile
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.rules.behavior.mentions import unknown_name_in_description
from mcp_contracts.sources.tool_lists import read_tool_list
from tests.support_schemas import found
from tests.tables import each

PROOFS = """
    # Vault: tool specification

    ## `vault_check_proof`

    {said}

    | Parameter | Type | Required | Description |
    |---|---|---|---|
    | `proof` | object | yes | The proof |
    | `folder` | string | no | Where the keys are |

    **Returns:** whether it holds.
    """


def _named(file: SourceFile) -> list[str]:
    return [one.message.split("`")[1] for one in found(unknown_name_in_description, file)]


@each(
    ("said", "names"),
    [
        ("Checks `proof_blob`, which another tool made.", ["proof_blob"]),
        ("Checks the `proof_blob` that another tool made.", ["proof_blob"]),
        ("Checks `proof`, which another tool made.", []),
        ("Returns `proof_state`, which another tool made.", []),
        ("Wraps `proof_check`, which the library offers.", []),
        ("Checks `seal_blob`, which another tool made.", []),
        ("Checks a proof, as `proof_blob` does.", []),
    ],
)
def test_the_object_of_a_description_that_extends_a_parameter_is_a_parameter(said: str, names: list[str]) -> None:
    assert _named(read_spec("notes.md", dedent(PROOFS).lstrip("\n").format(said=said))) == names


def _rulings(said: str) -> SourceFile:
    tools = {
        "law_citing_rulings": "Lista los fallos que citan a otro.",
        "law_cited_rulings": said,
        "law_trace": "Sigue.",
    }
    described = [
        {
            "name": name,
            "description": text,
            "inputSchema": {"type": "object", "properties": {"page": {"type": "string"}}},
        }
        for name, text in tools.items()
    ]
    return read_tool_list("tools.json", json.dumps({"tools": described}, ensure_ascii=False))


@each(
    ("said", "names"),
    [
        ("Es la dirección inversa de `law_quoting_rulings`.", ["law_quoting_rulings"]),
        ("Gegenstück zu `law_quoting_rulings`.", ["law_quoting_rulings"]),
        ("Es la dirección inversa de `law_citing_rulings`.", []),
        ("Usa la tabla `law_page_rulings_table`.", []),
        ("Formerly `law_quoting_rulings`.", []),
        ("The reverse of the function `law_quoting_rulings`.", []),
    ],
)
def test_a_name_in_code_that_differs_from_a_tool_in_one_word_is_a_tool_in_any_language(
    said: str, names: list[str]
) -> None:
    assert _named(_rulings(said)) == names
