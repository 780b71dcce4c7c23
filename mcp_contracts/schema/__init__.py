"""JSON Schema: keywords, references, validators and limits."""
