"""Grammars: what a model may write so that it is a call of one registered tool, as GBNF, Lark or JSON Schema."""
