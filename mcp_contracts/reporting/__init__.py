"""Reports in words and machine formats, one module a format."""
