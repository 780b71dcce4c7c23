"""Checks contracts against a format, writes them in it, and finds exported files that are out of date."""
