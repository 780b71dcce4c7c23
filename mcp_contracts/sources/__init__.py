"""Sources of contracts: one grammar for all of them, and `load() -> Contracts`."""
