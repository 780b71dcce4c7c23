"""The Markdown of a specification as blocks."""
