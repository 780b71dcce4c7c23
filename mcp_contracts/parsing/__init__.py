"""From the text of a specification to `SpecFile`: Markdown, sections, tables, dialects, discovery."""
