"""Contradictions in a schema: limits and requirements that no value can satisfy."""
