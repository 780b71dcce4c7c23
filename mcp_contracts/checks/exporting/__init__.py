"""Check contracts against a format, write them in it, and find exported files that are out of date."""
