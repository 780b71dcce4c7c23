"""OpenAI's strict subset of JSON Schema: convert schemas to it, and values back."""
