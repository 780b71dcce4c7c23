"""Files on disk: patterns that select them, the boundaries of their tree, and a cache of results."""
