"""Python code read statically: modules, their functions, and the contracts that these state."""
