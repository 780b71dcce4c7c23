"""Gemini's `Schema`: the form that a JSON Schema has in it, and the way back."""
