"""Python functions as tools: their parameters, docstrings and bindings."""
