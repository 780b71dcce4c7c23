"""The canonical form of a specification: sections, tables and JSON laid out in one way, with every word kept."""
