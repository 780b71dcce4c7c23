"""Examples of calls in code."""
