"""Regular expressions as regular languages."""
