"""Reports of what changed between two sets of contracts, one module a format."""
