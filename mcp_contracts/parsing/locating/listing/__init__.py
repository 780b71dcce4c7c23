"""Tools in lists and tables."""
