"""Validators of JSON Schemas: compiled, bounded, and their errors in our words."""
