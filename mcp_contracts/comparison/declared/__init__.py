"""The policy `declared`: schemas rewritten to the property names that they declare."""
