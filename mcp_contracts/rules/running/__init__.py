"""Runs rules over files, and removes findings that follow from others."""
