"""Grammars that restrict a model's output to a call of a registered tool, as GBNF, Lark or JSON Schema."""
