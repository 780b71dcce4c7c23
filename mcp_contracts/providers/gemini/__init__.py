"""Gemini's `Schema`: convert JSON Schema to it, and back."""
