"""Reads suppressions, applies them to diagnostics, and reports invalid ones."""
