"""Describes rules: a list of all, and the page of each."""
