"""Write grammars in Lark's notation, for llguidance.

https://github.com/guidance-ai/llguidance/blob/main/docs/syntax.md
A JSON token is a terminal, whose name is uppercase: llguidance reads terminals with a lexer, which is a hundred times
as fast as parsing characters.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Unpack

from mcp_contracts.adapters.grammar.calls import GrammarSettings, grammar_of, warn_of_losses
from mcp_contracts.adapters.grammar.model import Grammar
from mcp_contracts.adapters.grammar.notation import Notation
from mcp_contracts.tool_names import Tools

_HEAD = "%llguidance {}\n"
_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


def lark_of(contracts: Tools, **settings: Unpack[GrammarSettings]) -> str:
    """Return the grammar of a call to one of the tools for llguidance.

    Warns of tools that it leaves out, and of parts that it does not enforce. Raises the errors of `calls.grammar_of`.
    """
    return write_lark(warn_of_losses(grammar_of(contracts, **settings)))


def write_lark(grammar: Grammar, *, marks: Collection[str] = ()) -> str:
    """Write a grammar in Lark's notation, one rule per line, the root first.

    `marks` are strings of the root rule for which the model may have a special token, such as `<tool_call>`.
    """
    names = {rule.name: rule.name.replace("-", "_") for rule in grammar.rules.values()}
    names.update({rule.name: names[rule.name].upper() for rule in grammar.rules.values() if rule.is_token})
    names[grammar.root] = "start"
    notation = Notation(_literal, _member, names, mark_of_sets="/")
    lines = {rule.name: notation.alternatives(rule.body) for rule in grammar.rules.values()}
    for mark in marks:
        lines[grammar.root] = lines[grammar.root].replace(_literal(mark), f"({mark} | {_literal(mark)})")
    return _HEAD + "".join(f"{names[name]}: {line}\n" for name, line in lines.items())


def _literal(text: str) -> str:
    """Write text in quotes, or as a regular expression if Lark's quotes do not support its characters."""
    if all(" " <= character < "\x7f" or character >= "\xa0" for character in text):
        return '"' + "".join(f"\\{character}" if character in '"\\' else character for character in text) + '"'
    return "/" + "".join(_member(ord(character)) for character in text) + "/"


def _member(code: int) -> str:
    if chr(code) in _BARE:
        return chr(code)
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{{{code:04X}}}"
