"""Reads command lines, and writes their help."""
