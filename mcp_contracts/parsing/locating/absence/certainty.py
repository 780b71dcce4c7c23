"""How certain a claim about the tools of a module is."""

from __future__ import annotations

SILENT, VAGUE, CLEAR, PLAIN = range(4)
"""There is no claim, a negation near tools, a claim that may be about something else as well, and a denial that names
nothing but tools, those who call them, and the module."""
