"""Rules about Python functions: as a source of tools, and as implementations of contracts."""
