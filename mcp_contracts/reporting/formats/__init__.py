"""The formats of reports, one module a format, each with `render(document, context) -> str`."""
