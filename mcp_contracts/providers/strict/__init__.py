"""OpenAI's strict subset of JSON Schema: the form that a schema has in it, and values back."""
