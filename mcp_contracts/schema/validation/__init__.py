"""Compiled and bounded validators, and the wording of their errors."""
