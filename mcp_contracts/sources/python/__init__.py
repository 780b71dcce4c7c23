"""Python code read statically: modules, the functions in them, and the contracts that these state."""
