"""Spec files written: the template filled in, a tool added."""
