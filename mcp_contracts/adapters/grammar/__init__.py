"""Grammars that restrict a model's output to a call to a registered tool, as GBNF, Lark or JSON Schema."""
