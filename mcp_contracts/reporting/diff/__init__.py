"""The document of a diff: its sections, and the changes as a reviewer reads them."""
