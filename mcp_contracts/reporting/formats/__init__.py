"""The formats of reports, one module for each, with `render(document, context) -> str`."""
