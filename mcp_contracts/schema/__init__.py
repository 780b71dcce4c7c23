"""JSON Schema: walking, validating, comparing."""
