"""JSON and YAML inside a file, with the place of every value."""
